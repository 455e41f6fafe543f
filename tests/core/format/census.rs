//! Counting numbers against counting them one by one; draws; digits that are needed.

use halfscope::format::{Class, Draws, Format, Policy, Rounding, parse_value};

/// All finite numbers of a small format, ascending, ±0 once.
fn numbers(format: Format) -> Vec<f64> {
    let codes = (0..=format.mask()).filter(|bits| !matches!(format.class(*bits), Class::Nan | Class::Infinite));
    let mut values: Vec<f64> =
        codes.filter_map(|bits| format.decode(bits).finite().map(halfscope::format::Exact::to_f64)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup_by(|a, b| a == b);
    values
}

fn formats() -> Vec<Format> {
    let custom = ["e3m4-nosub", "e4m3-uz", "e2m5b9-fn", "e6m1"].map(|name| Format::parse(name).unwrap());
    Format::presets().filter(|format| format.width() <= 16).chain(custom).collect()
}

#[test]
fn windows_hold_what_counting_says() {
    for format in formats() {
        let all = numbers(format);
        let top = *all.last().unwrap();
        let mut bounds = vec![-1e300, -top, -1.5, -0.1, 0.0, 1e-30, 0.1, 1.0, 1.9999, 2.0, 3.3, top, top * 1.5, 1e300];
        bounds.sort_by(f64::total_cmp);
        for low in &bounds {
            for high in &bounds {
                let wanted = all.iter().filter(|x| *low <= **x && **x <= *high).count() as u64;
                let got = format.numbers_between(*low, *high);
                assert_eq!(got.map_or(0, |stretch| stretch.count), wanted, "{} from {low} to {high}", format.name());
                if let Some(stretch) = got {
                    let first = format.decode(stretch.first).finite().unwrap().to_f64();
                    assert_eq!(first, *all.iter().find(|x| *low <= **x).unwrap(), "{}", format.name());
                }
            }
        }
    }
}

#[test]
fn binades_hold_what_counting_says() {
    for format in formats() {
        let all = numbers(format);
        let positive = all.iter().filter(|x| **x > 0.0).count() as u64;
        assert_eq!(format.binades().map(|binade| binade.count).sum::<u64>(), positive, "{}", format.name());
        for binade in format.binades() {
            let (low, high) = (f64::from(binade.exponent).exp2(), f64::from(binade.exponent + 1).exp2());
            let inside: Vec<f64> = all.iter().copied().filter(|x| low <= *x && *x < high).collect();
            assert_eq!(inside.len() as u64, binade.count, "{} at 2^{}", format.name(), binade.exponent);
            let ulp = f64::from(binade.ulp_exponent).exp2();
            assert!(inside.windows(2).all(|pair| pair[1] - pair[0] == ulp), "{}", format.name());
        }
    }
    let one = Format::FP16.binades().find(|binade| binade.exponent == 0).unwrap();
    assert_eq!(one.count, 1024);
}

#[test]
fn needed_digits_and_the_rest_are_all_digits() {
    for bits in 0..=Format::FP16.mask() {
        let parts = Format::FP16.exact_parts(bits);
        assert_eq!(format!("{}{}{}", parts.needed, parts.rest, parts.exponent), Format::FP16.exact_decimal(bits));
        assert!(!parts.is_empty());
    }
    let largest = Format::FP16.exact_parts(0x7bff);
    assert_eq!((largest.needed.as_str(), largest.rest.as_str()), ("655", "04"));
}

#[test]
fn an_update_repeated_is_lost_kept_or_right_on_average() {
    let code = |format: Format, text: &str| parse_value(text).unwrap().round(format, &Policy::default()).bits;
    let [w, u] = ["1", "2^-11"].map(|text| code(Format::FP16, text));
    let nearest = Format::FP16.repeated(w, u, 256, &mut Draws::new(Policy::default(), 0));
    assert_eq!(nearest.len(), 257);
    assert!(nearest.iter().all(|bits| *bits == w));
    let [wide, small] = ["1", "2^-11"].map(|text| code(Format::FP32, text));
    let master = Format::FP32.repeated(wide, small, 256, &mut Draws::new(Policy::default(), 0));
    assert_eq!(*master.last().unwrap(), code(Format::FP32, "1.125"));
    let stochastic = Policy::with_rounding(Rounding::Sr { random: 0 });
    let ends = (0..400).map(|seed| {
        let codes = Format::FP16.repeated(w, u, 256, &mut Draws::new(stochastic, seed));
        Format::FP16.decode(*codes.last().unwrap()).finite().unwrap().to_f64()
    });
    let mean = ends.sum::<f64>() / 400.0;
    // 256 fair steps of 2^-10: the mean of 400 of them strays by 2^-10 · 8 / 20.
    assert!((mean - 1.125).abs() < 5.0 * 8.0 / 20.0 / 1024.0, "{mean}");
}
