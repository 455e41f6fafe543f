//! The `inspect` command: what it prints, what it refuses, how it reads a batch.

use std::ffi::OsString;
use std::io::Cursor;

use clap::Parser;
use halfscope::cli::inspect::{self, InspectArgs};
use serde_json::Value;

#[derive(clap::Parser)]
enum Command {
    Inspect(InspectArgs),
}

fn run(arguments: &[&str], input: &[u8]) -> (bool, String) {
    let words = ["halfscope", "inspect"].iter().chain(arguments).map(OsString::from).collect();
    let Command::Inspect(args) = Command::try_parse_from(inspect::shield(words)).unwrap();
    let mut out = Vec::new();
    let understood = inspect::run(&args, &mut out, &mut Cursor::new(input)).unwrap();
    (understood, String::from_utf8(out).unwrap())
}

fn objects(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_batch_answers_every_line() {
    let lines = "65519.9999\n65520\n2.98023223876953125e-8\n2.9802322387695313e-8\n1e-8\nnan\n-0\nabc\n\n 1 \r\n";
    let (understood, output) = run(&["-", "--format", "fp16", "--json"], lines.as_bytes());
    assert!(!understood);
    let objects = objects(&output);
    let bits: Vec<_> = objects.iter().map(|object| object["bits"].as_str().unwrap_or("error")).collect();
    let expected = ["0x7bff", "0x7c00", "0x0000", "0x0001", "0x0000", "0x7e00", "0x8000", "error", "error", "0x3c00"];
    assert_eq!(bits, expected);
    assert_eq!(objects[1]["flags"], serde_json::json!(["overflow", "inexact"]));
    assert_eq!(objects[5]["class"], "nan");
    assert_eq!((objects[7]["input"].as_str(), objects[8]["input"].as_str()), (Some("abc"), Some("")));
    assert_eq!(objects[9]["input"], "1");
}

#[test]
fn the_object_has_the_agreed_keys_in_order() {
    let (_, output) = run(&["1e-8", "--format", "fp32", "--json"], b"");
    let expected = concat!(
        r#"{"input":"1e-8","format":"fp32","bits":"0x322bcc77","class":"normal","sign":0,"exponent_field":"0x64","#,
        r#""fraction_field":"0x2bcc77","value":"9.99999993922529029077850282192230224609375e-9","shortest":"1e-8","#,
        r#""hex_float":"0x1.5798eep-27","flags":["inexact"],"ulp":"8.8817841970012523233890533447265625e-16","bytes_le":"77 cc 2b 32","bytes_be":"32 2b cc 77"}"#,
        "\n"
    );
    assert_eq!(output, expected);
    let (_, output) = run(&["-inf", "--format", "fp16", "--json"], b"");
    let object = &objects(&output)[0];
    assert_eq!((&object["value"], &object["ulp"], &object["sign"]), (&"-inf".into(), &Value::Null, &1.into()));
}

#[test]
fn values_with_a_dash_are_values_and_options_may_follow() {
    let arguments = ["-2.5", "-nan", "-1/3", "-inf", "-(2^-25)", "--format", "fp16", "--format", "e4m3", "--json"];
    let (understood, output) = run(&arguments, b"");
    assert!(understood);
    let objects = objects(&output);
    let pairs: Vec<_> = objects.iter().map(|o| (o["input"].as_str().unwrap(), o["format"].as_str().unwrap())).collect();
    assert_eq!(pairs[..3], [("-2.5", "fp16"), ("-2.5", "e4m3"), ("-nan", "fp16")]);
    assert_eq!(objects.len(), 10);
    assert_eq!(objects[2]["bits"], "0xfe00");
}

#[test]
fn no_format_means_all_presets() {
    let (_, output) = run(&["1", "--json"], b"");
    let names: Vec<_> = objects(&output).iter().map(|o| o["format"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names.len(), 14);
    assert_eq!((names[0].as_str(), names[13].as_str()), ("fp64", "fp16-arm"));
}

#[test]
fn options_reach_the_rounding() {
    let bits = |arguments: &[&str]| objects(&run(arguments, b"").1)[0]["bits"].as_str().unwrap().to_owned();
    assert_eq!(bits(&["1e9", "--format", "fp16", "--saturate", "--json"]), "0x7bff");
    assert_eq!(bits(&["1+2^-11", "--format", "fp16", "--rounding", "RUP", "--json"]), "0x3c01");
    assert_eq!(bits(&["2^-24", "--format", "fp16", "--ftz", "--json"]), "0x0000");
    assert_eq!(bits(&["fp16:0x7d01", "--format", "fp32", "--nan", "payload", "--json"]), "0x7fe02000");
    let sr = ["1+2^-11", "1+2^-11", "1+2^-11", "1+2^-11", "1+2^-11", "1+2^-11", "--format", "fp16", "--rounding", "sr"];
    let draw = |seed: &str| run(&[&sr[..], &["--json", "--seed", seed]].concat(), b"").1;
    assert_eq!(draw("1"), draw("1"), "a seed repeats");
    let all: String = (0..8).map(|seed| draw(&seed.to_string())).collect();
    assert!(all.contains("0x3c00") && all.contains("0x3c01"));
    let Command::Inspect(args) = Command::try_parse_from(["halfscope", "inspect", "1", "--rounding", "sr"]).unwrap();
    let error = inspect::run(&args, &mut Vec::new(), &mut Cursor::new(b"")).unwrap_err();
    assert!(error.to_string().contains("--seed"));
    assert!(Command::try_parse_from(["halfscope", "inspect", "1", "--format", "fp17"]).is_err());
}

#[test]
fn hostile_batches_stay_whole() {
    // Not UTF-8, a NUL, a line of a million digits, one beyond the bound, and a last line without its end.
    let mut input = b"\xff\xfe\n1\0\n".to_vec();
    input.extend(std::iter::repeat_n(b'9', 1_000_000));
    input.push(b'\n');
    input.extend(std::iter::repeat_n(b'1', (16 << 20) + 5));
    input.extend(b"\n2");
    let (understood, output) = run(&["-", "--format", "fp32", "--json"], &input);
    assert!(!understood);
    let objects = objects(&output);
    assert_eq!(objects.len(), 5);
    assert!(objects[0]["error"].as_str().unwrap().contains("UTF-8"));
    assert!(objects[1]["error"].is_string());
    assert_eq!(objects[2]["bits"], "0x7f800000");
    assert!(objects[3]["error"].as_str().unwrap().contains("longer than 16 MiB"));
    assert_eq!(objects[4]["bits"], "0x40000000");
}

#[test]
fn the_card_explains() {
    let (_, output) = run(&["65519.9999", "--format", "fp16"], b"");
    for part in [
        "0 11110 1111111111",
        "0x7bff",
        "fp16:0:30:1023",
        "ff 7b little-endian, 7b ff big-endian",
        "the largest",
        "midpoint 65520",
        "inexact",
        "below 65472, above inf",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
    let (_, output) = run(&["1e-999999999", "--format", "fp32"], b"");
    assert!(output.contains("underflow, inexact"), "{output}");
    let (understood, output) = run(&["0,5"], b"");
    assert!(!understood && output.contains("comma"), "{output}");
}
