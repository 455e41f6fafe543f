//! Histograms on disk.

use halfscope::histogram::ExponentHistogram;
use proptest::prelude::*;

proptest! {
    #[test]
    fn what_is_written_reads_back(bits in proptest::collection::vec(any::<u64>(), 0..60)) {
        let histogram = ExponentHistogram::of_f64(&bits.into_iter().map(f64::from_bits).collect::<Vec<_>>());
        let text = serde_json::to_string(&histogram).unwrap();
        prop_assert_eq!(serde_json::from_str::<ExponentHistogram>(&text).unwrap(), histogram);
    }

    #[test]
    fn any_text_is_read_or_refused(exponent in any::<i64>(), counts in proptest::collection::vec(any::<u64>(), 0..12), amax in any::<f64>()) {
        let text = format!(r#"{{"amin":{amax:e},"amax":{amax:e},"bins":{{"{exponent}":{counts:?}}}}}"#);
        let _ = serde_json::from_str::<ExponentHistogram>(&text);
    }
}

#[test]
fn only_what_occurs_is_written() {
    assert_eq!(serde_json::to_string(&ExponentHistogram::default()).unwrap(), "{}");
    let text = serde_json::to_string(&ExponentHistogram::of_f32(&[0.0, 1.0, 1.5, -0.25])).unwrap();
    assert_eq!(text, r#"{"zeros":1,"amin":0.25,"amax":1.5,"bins":{"-2":[1],"0":[1,1]}}"#);
}

#[test]
fn a_claim_that_cannot_be_is_refused_in_one_line() {
    let refused = [
        (r#"{"bins":{"0":[1]}}"#, "amin or amax is missing"),
        (r#"{"amin":1.0,"amax":1.0}"#, "no bin counts"),
        (r#"{"amin":1.0,"amax":1.0,"bins":{"0":[]}}"#, "no bin counts"),
        (r#"{"amin":1.0,"amax":3.0,"bins":{"0":[1]}}"#, "do not belong"),
        (r#"{"amin":1.5,"amax":1.0,"bins":{"0":[2]}}"#, "do not belong"),
        (r#"{"amin":-1.0,"amax":1.0,"bins":{"0":[2]}}"#, "do not belong"),
        (r#"{"amin":1.0,"amax":1.0,"bins":{"5000":[2]}}"#, "exponent 5000"),
        (r#"{"amin":1.0,"amax":1.0,"bins":{"0":[1,1,1,1,1,1,1,1,1,1]}}"#, "10 counts"),
        (r#"{"zeros":18446744073709551615,"nan":1}"#, "2^64"),
        (r#"{"zeros":-1}"#, "u64"),
        (r#"{"bins":{"x":[1]}}"#, "expected key to be a number"),
    ];
    for (text, reason) in refused {
        let error = serde_json::from_str::<ExponentHistogram>(text).unwrap_err().to_string();
        assert!(error.contains(reason) && !error.contains('\n'), "{text}: {error}");
    }
}
