//! `halfscope hardware` from outside: its report, its words, its mistakes, and Ctrl-C.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use serde_json::Value;

use super::{interrupt, program, run, text, wait_for};
use crate::support::TemporaryFolder;

fn lines(bytes: &[u8]) -> Vec<Value> {
    text(bytes).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_report_is_printed_and_written_with_the_same_bytes() {
    let folder = TemporaryFolder::new("cli-hardware");
    let output = run(&folder, &["hardware", "--backend", "cpu", "--json", "--out", "report.jsonl"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read(folder.join("report.jsonl")).unwrap(), output.stdout);
    let report = lines(&output.stdout);
    let operations: Vec<_> = report.iter().map(|line| line["operation"].as_str().unwrap()).collect();
    let wanted = ["fp32-to-fp16", "fp16-to-fp32", "fp32-to-bf16", "add", "mul", "div", "sqrt", "fma"];
    assert_eq!(operations, wanted);
    assert!(report.iter().all(|line| line["wrong"] == 0 && line["flushed"] == 0 && line["inputs"] == line["planned"]));
    // On any number of threads.
    let one = run(&folder, &["hardware", "--backend", "cpu", "--json", "--threads", "1"]);
    assert_eq!(one.stdout, output.stdout);
}

#[test]
fn a_link_prints_the_operation_with_its_examples() {
    let folder = TemporaryFolder::new("cli-hardware-link");
    let output = run(&folder, &["open", "--print", "hardware device=cpu operation=sqrt example=2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    // The root of a negative number is a NaN; which, IEEE 754 leaves open.
    for words in ["sqrt", "√a", "right fp32:0x7fc00000", "a NaN, as is right"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!told.contains("fp32-to-bf16"));
    assert!(text(&output.stderr).contains("not the truth"));
}

#[test]
fn mistakes_are_one_line() {
    let folder = TemporaryFolder::new("cli-hardware-mistakes");
    for (args, said) in [
        (["hardware", "--backend", "gpu"], "there are: cpu, wgpu, cuda"),
        (["hardware", "--operation", "sin"], "use fp32-to-fp16"),
        (["hardware", "--threads", "0"], "give at least 1"),
    ] {
        let output = run(&folder, &args);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(said) && told.lines().count() == 1, "{told}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_exhaustive_observation_with_a_report_of_what_was_covered() {
    let folder = TemporaryFolder::new("cli-hardware-interrupt");
    let args = ["hardware", "--backend", "cpu", "--operation", "sqrt", "--exhaustive", "--out", "report.jsonl"];
    let mut child = program(&folder, &args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut first = String::new();
    told.read_line(&mut first).unwrap();
    assert!(first.contains("sqrt"), "{first}");
    interrupt(child.id());
    wait_for("the end", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("sqrt was asked") && rest.contains("of 4,294,967,296 inputs"), "{rest}");
    let report = lines(&fs::read(folder.join("report.jsonl")).unwrap());
    let (inputs, planned) = (report[0]["inputs"].as_u64().unwrap(), report[0]["planned"].as_u64().unwrap());
    assert!(0 < inputs && inputs < planned && planned == 1 << 32);
    let sum: u64 = ["right", "other_nan", "flushed", "wrong"].iter().map(|key| report[0][*key].as_u64().unwrap()).sum();
    assert_eq!(sum, inputs);
}
