//! The commands `convert`, `calc` and `table`: what they print, what they refuse, how they read a batch.

use serde_json::{Value, json};

use super::support::try_run;

fn run(line: &str) -> String {
    try_run(line, "").unwrap().1
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn object(line: &str) -> Value {
    objects(&run(line)).remove(0)
}

#[test]
fn calc_has_the_agreed_keys_in_order() {
    let printed = run("calc div 1 3 --format fp16 --json");
    let at: Vec<_> =
        ["op", "operands", "format", "rounding", "bits", "value", "shortest", "exact", "error_ulp", "flags"]
            .iter()
            .map(|key| printed.rfind(&format!("\"{key}\":")).unwrap())
            .collect();
    assert!(at[0] < at[1] && at[2..].is_sorted(), "{printed}");
    let third = &objects(&printed)[0];
    assert_eq!((&third["bits"], &third["exact"]), (&json!("0x3555"), &json!("1/3")));
    assert_eq!(third["flags"], json!(["inexact"]));
    assert_eq!(third["operands"][1]["value"], "3");
}

/// Operations of one operand, as reported in huonw/ieee754#1, numpy/numpy#15977, #15331, JuliaLang/julia#16206 and
/// intel/rohd-hcl#206.
#[test]
fn steps_along_the_line() {
    for (line, bits, value) in [
        ("next-up fp16:0x8000 --format fp16", "0x0001", "5.9604644775390625e-8"),
        ("next-up -0 --format fp16", "0x0001", "5.9604644775390625e-8"),
        ("next-down fp16:0x7c00 --format fp16", "0x7bff", "65504"),
        ("next-up inf --format fp64", "0x7ff0000000000000", "inf"),
        ("ulp fp16:0x7bff --format fp16", "0x5000", "32"),
        ("decode e4m3:0x7e --format e4m3", "0x7e", "448"),
        ("decode e5m2:0x7d --format e5m2", "0x7d", "nan"),
    ] {
        let object = object(&format!("calc {line} --json"));
        assert_eq!((&object["bits"], &object["value"]), (&json!(bits), &json!(value)), "{line}");
    }
    assert_eq!(object("calc ulp fp32:0x00000001 --format fp32 --json")["exact"].as_str().unwrap().len(), 110);
    assert_eq!(object("calc ulp nan --format fp16 --json")["value"], Value::Null);
}

#[test]
fn calc_reports_operands_apart() {
    // The operand overflows by its conversion; the operation itself is exact.
    let object = object("calc sub 1e9 1 --format fp16 --json");
    assert_eq!(object["operands"][0]["flags"], json!(["overflow", "inexact"]));
    assert_eq!((&object["bits"], &object["flags"]), (&json!("0x7c00"), &json!([])));
    let text = run("calc add 0.1 0.2 --format fp16");
    for part in ["0x34cc", "exact    0.2999267578125", "-0.5 ulp", "exactly the midpoint", "inexact"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(run("calc sqrt 2 --format fp32").contains("sqrt(2)"));
}

#[test]
fn calc_reads_lines() {
    let lines = "add 1 2\nfma 1; 2 + 1 ;3\nplus 1\n\nadd 1\nadd 0,5 1\n SQRT\t4 \r\n";
    let (understood, output) = try_run("calc - --format fp16 --json", lines).unwrap();
    assert!(!understood);
    let values: Vec<_> = objects(&output).iter().map(|o| o["value"].as_str().unwrap_or("error").to_owned()).collect();
    assert_eq!(values, ["3", "6", "error", "error", "error", "error", "2"]);
    assert_eq!(objects(&output)[2]["input"], "plus 1");
    let (_, output) = try_run("calc mul - --format fp16 --json", "3 4\n-1/3;3\n").unwrap();
    assert_eq!(objects(&output).iter().map(|o| o["bits"].as_str().unwrap()).collect::<Vec<_>>(), ["0x4a00", "0xbc00"]);
    assert!(try_run("calc add 1 2", "").is_err(), "a format is needed");
    assert!(try_run("calc add 1 2 --format fp16 --rounding sr", "").unwrap_err().to_string().contains("--seed"));
}

#[test]
fn convert_shows_every_link_and_the_direct_way() {
    let object = object("convert 1025.49995 --via fp32,fp16 --json");
    assert_eq!(object["links"][0]["bits"], "0x44803000");
    assert_eq!(
        (&object["links"][1]["bits"], &object["links"][1]["events"]),
        (&json!("0x6402"), &json!(["double-rounding"]))
    );
    assert_eq!((&object["direct"]["bits"], &object["differs"]), (&json!("0x6401"), &json!(true)));
    let text = run("convert 1025.49995 --via fp32,fp16");
    assert!(text.contains("rounded twice") && text.contains("directly"), "{text}");
    let (understood, output) = try_run("convert - --via fp16,e4m3 --json", "1\n0x\n-1000\n").unwrap();
    assert!(!understood);
    let objects = objects(&output);
    assert_eq!((objects.len(), &objects[2]["links"][1]["events"]), (3, &json!(["finite-to-nan"])));
    assert!(objects[1]["error"].as_str().unwrap().contains("no digits"));
    for (line, part) in [
        ("convert 1", "--via"),
        ("convert 1 --via fp17", "unknown format"),
        ("convert --witness --via fp32,fp16", "three formats"),
        ("convert 1 --witness --via fp64,fp32,fp16", "give none"),
    ] {
        let error = try_run(line, "").unwrap_err().to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn convert_finds_the_smallest_witness() {
    let object = object("convert --witness --via fp64,fp32,fp16 --json");
    assert_eq!(object["witness"]["input"], "fp64:0x3e60000000000001");
    assert_eq!(object["witness"]["links"][2]["events"], json!(["double-rounding", "to-zero"]));
    assert_eq!(object["searched_below"], Value::Null);
    assert!(run("convert --witness --via fp16,fp32,fp64").contains("no positive number differs"));
}

#[test]
fn table_lists_numbers_and_limits() {
    let rows = objects(&run("table --format e2m1 --json"));
    let values: Vec<_> = rows.iter().map(|row| row["value"].as_str().unwrap()).collect();
    assert_eq!(values[..8], ["0", "0.5", "1", "1.5", "2", "3", "4", "6"]);
    assert_eq!(values[8], "-0");
    assert!(run("table --format e4m3").contains("256 codes"));
    let limits = objects(&run("table --json"));
    assert_eq!(limits.len(), 14);
    let half = limits.iter().find(|row| row["format"] == "fp16").unwrap();
    for (key, value) in [("max", "65504"), ("overflow_threshold", "65520"), ("exact_integers", "2048")] {
        assert_eq!(half[key], value, "{key}");
    }
    assert!(half["mistakes"][0].as_str().unwrap().contains("32768"));
    // The FP8 kinds without infinity.
    let without: Vec<_> = limits.iter().filter(|row| row["width"] == 8 && row["infinity"] == false).collect();
    assert_eq!(without.len(), 4, "E4M3, both FNUZ, and the scale E8M0");
    let error = try_run("table --format fp16", "").unwrap_err().to_string();
    assert!(error.contains("--limits") && !error.contains('\n'), "{error}");
    assert!(run("table --limits --format e6m9").contains("E6M9"));
}
