//! The program from outside: what it prints, its exit codes, its one-line errors, and Ctrl-C.

mod hardware;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use halfscope::export::{FileKind, Look, render};
use halfscope::figure::{Style, Theme};
use halfscope::histogram::{ExponentHistogram, Source, Stage};
use halfscope::i18n::Lang;
use halfscope::train::Recording;
use halfscope::train::presets::Preset;
use halfscope::train::recording::{FORMAT_VERSION, StepChoice, Writer, part_path};
use halfscope::train::report::{
    Evaluation, HistogramReport, LaneInfo, Outcome, ProbeInfo, Report, Role, Started, StepReport,
};

use crate::support::TemporaryFolder;

/// The program, with no display, in `folder`.
fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfscope"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    for display in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(display);
    }
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    program(folder, args).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A recorded run of one FP32 lane with two probed weight gradients, at steps 1 and 8.
fn recorded(folder: &Path) {
    let config = Preset::find("underflow").unwrap().runs().remove(0);
    let probe = |tensor: &str| ProbeInfo {
        tensor: tensor.into(),
        layer: "fc1".into(),
        role: Role::WeightGradient,
        stage: Stage::BeforeCast,
        source: Source::Run,
        elements: 4,
        scaled: false,
    };
    let probes = vec![probe("fc1.weight.grad"), probe("fc1.bias.grad")];
    let info = LaneInfo { config, device: "CPU".into(), buffer_bytes: 1, probes, casts: Vec::new() };
    let started = Started { format: FORMAT_VERSION, dataset: "twelve squares".into(), lanes: vec![info] };
    let mut writer = Writer::create(&folder.join("run.jsonl")).unwrap();
    let mut write = |report: Report| writer.write(&report).unwrap();
    write(Report::Started(started));
    for step in [1, 8] {
        write(Report::Steps(vec![StepReport {
            lane: 0,
            step,
            loss: 2.3,
            scale: 1.0,
            growth_tracker: 0,
            skipped: false,
        }]));
        let histogram = ExponentHistogram::of_f32(&[0.0, 1e-9, 3e-8, step as f32 * 1e-4]);
        let reports = [0, 1].map(|probe| HistogramReport {
            lane: 0,
            step,
            probe,
            scale: 1.0,
            lost_upstream: None,
            histogram: histogram.clone(),
        });
        write(Report::Histograms(reports.into()));
    }
    write(Report::Evaluated(Evaluation { lane: 0, step: 8, correct: 1, images: 3, loss: 1.0 }));
    write(Report::Finished { step: 8, outcome: Outcome::Completed });
    writer.finish().unwrap();
}

#[test]
fn what_is_wrong_is_said_in_one_line_with_exit_code_1() {
    let folder = TemporaryFolder::new("cli-errors");
    recorded(&folder);
    fs::write(folder.join("torn.jsonl"), "{\"started\":{\"format\":1,\"dat").unwrap();
    fs::write(folder.join("bad.json"), "{\"preset\":1}").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["train", "--preset", "nonsense"], "underflow"),
        (&["train", "--lanes", "fp32,nonsense"], "fp16-naive"),
        (&["train", "--scale", "0"], "refused"),
        (&["train", "--scale", "-1"], "refused"),
        (&["train", "--scale", "nan"], "refused"),
        (&["train", "--scale", "inf"], "refused"),
        (&["train", "--scale", "1e99"], "refused"),
        (&["train", "--scale", "2^999"], "refused"),
        (&["train", "--scale", "2^x"], "2^x"),
        (&["train", "--lanes", "paper@0"], "refused"),
        (&["train", "--steps", "-3"], "--help"),
        (&["train", "--steps", "0"], "steps"),
        (&["train", "--threads", "0"], "--threads"),
        (&["train", "--backend", "abacus"], "cpu"),
        (&["train", "--config", "missing.json"], "missing.json"),
        (&["train", "--config", "bad.json"], "bad.json"),
        (&["train", "--data", "missing"], "missing"),
        (&["train", "--data", "."], "train-images"),
        (&["nonsense"], "--help"),
        (&["--lang", "klingon"], "zh-CN"),
        (&["histogram"], "--help"),
        (&["histogram", "missing.jsonl"], "missing.jsonl"),
        (&["histogram", "torn.jsonl"], "torn.jsonl:1"),
        (&["histogram", "/"], "run.jsonl"),
        (&["histogram", ".", "--lane", "paper"], "fp32"),
        (&["histogram", ".", "--tensor", "fc9.*"], "fc1.weight.grad"),
        (&["histogram", ".", "--source", "twin"], "fc1.weight.grad"),
        (&["histogram", ".", "--step", "5"], "1 to 8"),
        (&["histogram", ".", "--step", "soon"], "latest"),
        (&["histogram", ".", "--target", "fp7"], "e4m3"),
        (&["histogram", ".", "--rule", "none"], "ieee"),
        (&["histogram", ".", "--scale", "1000"], "2^9 or 2^10"),
        (&["histogram", ".", "--scale", "-2"], "refused"),
        (&["histogram", ".", "--out", "a.svg"], "--tensor"),
        (&["histogram", ".", "--tensor", "*.bias.*", "--out", "a.gif"], ".svg"),
        (&["histogram", ".", "--tensor", "*.bias.*", "--out", "a.svg", "--size", "9x9"], "1280x720"),
        (&["demo", "--seeds", "x"], "--help"),
        (&["convert", "1"], "--via"),
        (&["convert", "1", "--via", "fp32,fp17"], "unknown format"),
        (&["convert", "--witness", "--via", "fp64,fp32"], "three formats"),
        (&["calc", "add", "1", "2"], "--format"),
        (&["calc", "add", "1", "2", "--format", "fp16", "--rounding", "sr"], "--seed"),
        (&["table", "--format", "fp16"], "--limits"),
    ];
    for (args, expected) in cases {
        let output = run(&folder, args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{args:?}: {said}");
        assert!(said.contains(expected), "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?} talks on standard output");
    }
    let left: Vec<_> = fs::read_dir(&*folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "wrong input leaves files: {left:?}");
}

#[test]
fn what_cannot_be_written_is_exit_code_2() {
    let folder = TemporaryFolder::new("cli-unwritable");
    recorded(&folder);
    fs::write(folder.join("file"), "").unwrap();
    let cases: [&[&str]; 3] = [
        &["train", "--steps", "2", "--data", "embedded", "--out", "file/sub"],
        &["demo", "--out", "file"],
        &["histogram", ".", "--tensor", "*.bias.*", "--out", "no/such/folder/a.svg"],
    ];
    for args in cases {
        let output = run(&folder, args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{args:?}: {said}");
    }
}

#[test]
fn help_and_version_are_data() {
    let folder = TemporaryFolder::new("cli-help");
    for args in [&["--help"][..], &["--version"], &["train", "--help"]] {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(0));
        assert!(!output.stdout.is_empty() && output.stderr.is_empty());
    }
}

/// The same table and object: every op with its share of a step, slowest first, and what they are times of.
#[test]
fn a_profile_says_where_the_time_goes() {
    let folder = TemporaryFolder::new("cli-profile");
    let train =
        ["train", "--lanes", "fp32,paper", "--backend", "cpu", "--steps", "3", "--data", "embedded", "--profile"];
    let output = run(&folder, &train);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("fp32 on CPU") && table.contains("a step, op by op"), "{table}");
    assert!(table.contains("dynamic on CPU") && table.contains("16 bits emulated"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("matmul  ") && line.contains("fc1")), "{table}");

    let output = run(&folder, &[&train[..], &["--json"]].concat());
    let lines: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let profiles: Vec<&serde_json::Value> = lines.iter().filter_map(|line| line.get("profile")).collect();
    assert_eq!(profiles.len(), 2);
    for (profile, emulated) in profiles.iter().zip([false, true]) {
        assert_eq!(profile["emulated"], emulated);
        let ops = profile["ops"].as_array().unwrap();
        let shares: Vec<f64> = ops.iter().map(|op| op["share"].as_f64().unwrap()).collect();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9 && shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
    }
    // What is printed is a report like the others.
    assert!(Recording::read_lines(&output.stdout[..], "output").is_ok());
    assert!(!text(&run(&folder, &train[..9]).stdout).contains("op by op"));
}

#[test]
fn doctor_says_what_is_here() {
    let folder = TemporaryFolder::new("cli-doctor");
    let output = run(&folder, &["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let findings: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let find = |what: &str| findings.iter().find(|finding| finding["what"] == what).unwrap();
    assert!(find("halfscope")["found"].as_str().unwrap().contains(env!("CARGO_PKG_VERSION")));
    assert_eq!(find("backend cpu")["ok"], true);
    assert_eq!(find("fonts")["ok"], true);
    if cfg!(target_os = "linux") {
        assert_eq!(find("display")["ok"], false);
    }
}

#[test]
fn a_histogram_is_told_as_a_table_a_chart_and_json() {
    let folder = TemporaryFolder::new("cli-histogram");
    recorded(&folder);
    let table = run(&folder, &["histogram", "."]);
    let table = text(&table.stdout);
    assert!(
        table.contains("fc1.weight.grad") && table.contains("fc1.bias.grad") && table.contains("33.33 %"),
        "{table}"
    );
    let chart = run(&folder, &["histogram", "run.jsonl", "--tensor", "fc1.bias*", "--scale", "2^10"]);
    let chart = text(&chart.stdout);
    assert!(chart.contains("2^10") && chart.contains("twelve squares"), "{chart}");
    let json = run(&folder, &["histogram", ".", "--tensor", "*bias*", "--step", "all", "--json"]);
    let object: serde_json::Value = serde_json::from_str(text(&json.stdout)).unwrap();
    assert_eq!(object["values"], 8);
    assert_eq!(object["classes"]["lost"], 2);
    assert_eq!(object["classes"]["rounds_up"], 2);
    assert_eq!(object["step"], serde_json::Value::Null);
    assert!((object["lost_of_nonzero"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
    let bins: u64 = object["bins"].as_array().unwrap().iter().map(|bin| bin["count"].as_u64().unwrap()).sum();
    assert_eq!(bins, 6);
}

#[test]
fn a_picture_is_the_one_that_the_window_exports() {
    let folder = TemporaryFolder::new("cli-picture");
    recorded(&folder);
    let recording = Recording::read(&folder).unwrap();
    let look = Look { steps: StepChoice::Exact(1), scale_exponent: 7, lang: Lang::ZhCn, ..Look::at(0, 0) };
    let style = Style { theme: Theme::Dark, width: 900, height: 600 };
    for kind in FileKind::ALL {
        let name = format!("picture.{}", kind.ending());
        let args = ["histogram", ".", "--tensor", "fc1.weight.grad", "--step", "1", "--scale", "128"];
        let more = ["--theme", "dark", "--lang", "zh-CN", "--size", "900x600", "--out", &name];
        let output = run(&folder, &[&args[..], &more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let expected = render(&recording, &look, kind, &style).unwrap();
        assert!(fs::read(folder.join(&name)).unwrap() == expected, "{name} differs");
        assert!(expected.len() > 200);
    }
}

#[test]
fn training_prints_reports_and_writes_a_recording() {
    let folder = TemporaryFolder::new("cli-train");
    let args =
        ["train", "--data", "embedded", "--lanes", "fp32,paper@1", "--steps", "4", "--seed", "3", "--probe-every", "2"];
    let output = run(&folder, &[&args[..], &["--json", "--out", "out"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut live = Recording::default();
    for line in text(&output.stdout).lines() {
        live.ingest(serde_json::from_str(line).unwrap());
    }
    assert_eq!(live.outcome, Some(Outcome::Completed));
    let read = Recording::read(&folder.join("out")).unwrap();
    assert!(read == live, "what was recorded is not what was printed");
    let names: Vec<&str> = read.lanes.iter().map(|lane| lane.info.config.lane.as_str()).collect();
    assert_eq!(names, ["fp32", "paper · S=1"]);
    assert!(read.lanes.iter().all(|lane| lane.steps.len() == 4 && lane.info.config.seed == 3));
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("out/summary.json")).unwrap()).unwrap();
    assert_eq!(summary["lanes"][1]["steps"], 4);
    assert_eq!(summary["lanes"][0]["points_to_fp32"], 0.0);
    // the configurations of the record run again as a file
    let configs: Vec<_> = read.lanes.iter().map(|lane| &lane.info.config).collect();
    fs::write(folder.join("config.json"), serde_json::to_vec(&configs).unwrap()).unwrap();
    let again = run(&folder, &["train", "--data", "embedded", "--config", "config.json", "--json"]);
    let mut repeated = Recording::default();
    for line in text(&again.stdout).lines() {
        repeated.ingest(serde_json::from_str(line).unwrap());
    }
    repeated.generation = live.generation;
    assert!(repeated == live, "the same configuration gives another run");
}

/// Waits until `done`, or fails.
fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_mins(2), "waited two minutes for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[cfg(unix)]
fn interrupt(id: u32) {
    assert!(Command::new("kill").args(["-INT", &id.to_string()]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_and_keeps_what_was_recorded() {
    let folder = TemporaryFolder::new("cli-interrupt");
    let args = ["train", "--data", "embedded", "--lanes", "fp32", "--steps", "1000000", "--out", "out"];
    let mut child = program(&folder, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let part = part_path(&folder.join("out/run.jsonl"));
    wait_for("the first reports", || fs::metadata(&part).is_ok_and(|file| file.len() > 0));
    interrupt(child.id());
    wait_for("the end", || child.try_wait().unwrap().is_some());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("stopped"));
    let run = Recording::read(&folder.join("out/run.jsonl")).unwrap();
    assert_eq!(run.outcome, Some(Outcome::Stopped));
    assert!(!run.lanes[0].steps.is_empty() && !part.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn with_no_display_the_demo_runs_instead_of_the_window() {
    let folder = TemporaryFolder::new("cli-no-display");
    let mut child = program(&folder, &[]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    assert!(first.contains("no window") && first.contains("halfscope demo"), "{first}");
    assert!(lines.next().unwrap().contains("underflow"));
    assert!(lines.next().unwrap().contains("seed 0"));
    interrupt(child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn the_demo_writes_pictures_a_summary_and_its_runs() {
    let folder = TemporaryFolder::new("cli-demo");
    let output = run(&folder, &["demo", "--seeds", "5", "--steps", "12", "--out", "made"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let file = |name: &str| fs::read(folder.join("made").join(name)).unwrap();
    assert!(text(&file("gradients.svg")).starts_with("<svg"));
    assert!(file("gradients.png").starts_with(b"\x89PNG"));
    assert!(text(&file("gradients.csv")).lines().count() > 10);
    let summary: serde_json::Value = serde_json::from_slice(&file("summary.json")).unwrap();
    let seed = &summary["seeds"][0];
    assert_eq!(seed["seed"], 5);
    let run = Recording::read(&folder.join("made/run-seed-5.jsonl")).unwrap();
    assert_eq!(run.lanes.len(), 3);
    for (lane, name) in ["fp32", "unscaled", "scaled"].iter().enumerate() {
        assert_eq!(seed[name]["accuracy"].as_f64(), run.lanes[lane].accuracy(), "{name}");
        assert_eq!(run.lanes[lane].steps.len(), 12);
    }
    let scales = [1, 2].map(|lane| f64::from(run.lanes[lane].steps[0].scale));
    assert_eq!(scales, [1.0, seed["advised_scale"].as_f64().unwrap()]);
    assert!(seed["worst"]["lost_advised"].as_f64().unwrap() <= seed["worst"]["lost_unscaled"].as_f64().unwrap());
    assert!(text(&output.stdout).contains("percentage points"));
}

#[test]
fn every_kind_of_link_is_printed() {
    let folder = TemporaryFolder::new("links");
    for (line, part) in [
        ("bits 0.1 formats=fp16,e4m3", "0x2e66"),
        ("bits \"0.1 -0.5 3 448\" block=mxfp4", "E8M0 0x85 = 64"),
        ("round 2049 format=fp16 rounding=rup", "0x6801"),
        ("calc add 0.1 0.2 format=fp16", "0x34cc"),
        ("chain 1025.49995 via=fp32,fp16", "rounded twice"),
        ("dot a=-1,2,3,4;1,2,3,4;1,2,3,4;1,2,3,4 cell=2,1 sum=fused:fp32:4", "D row 2 column 1"),
        ("update -1 2^-11 seed=1", "after 256"),
        ("sweep \"-x - 1 + 1\" format=e4m3 from=-1", "all 113 numbers"),
        ("line e2m1 pane=values", "E2M1"),
    ] {
        let output = run(&folder, &["open", line, "--print"]);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains(part), "{line}: {}", text(&output.stdout));
    }
}
