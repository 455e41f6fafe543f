//! Recorded runs: what reads, what is refused, and the answers a recording gives.

use std::fs;

use halfscope::histogram::{Advice, ExponentHistogram, Rule, Source, Stage, Target};
use halfscope::train::config::{PrecisionPolicy, ScalerConfig};
use halfscope::train::presets::Preset;
use halfscope::train::recording::{
    FORMAT_VERSION, OpTimes, ProbeFilter, StepChoice, Writer, advised_exponent, glob_matches, part_path,
    relative_exponent,
};
use halfscope::train::report::{
    Evaluation, HistogramReport, LaneInfo, OpTime, Outcome, ProbeInfo, ProfileReport, Report, Role, Started, StepReport,
};
use halfscope::train::{Recording, RunConfig};

use crate::support::TemporaryFolder;

fn config(policy: &str, scaler: ScalerConfig) -> RunConfig {
    Preset::find("underflow").unwrap().run(PrecisionPolicy::named(policy).unwrap(), scaler)
}

fn probe(tensor: &str, role: Role, source: Source, stage: Stage, scaled: bool) -> ProbeInfo {
    let layer = tensor.split('.').next().unwrap().to_owned();
    ProbeInfo { tensor: tensor.to_owned(), layer, role, stage, source, elements: 4, scaled }
}

fn info(config: RunConfig, probes: Vec<ProbeInfo>) -> LaneInfo {
    LaneInfo { config, device: "CPU".into(), buffer_bytes: 1, probes, casts: Vec::new() }
}

/// An FP32 lane with two weight gradients and an output gradient, and a scaled FP16 lane with one weight gradient.
fn started() -> Report {
    use Role::{ActivationGradient, WeightGradient};
    use Stage::{AfterCast, BeforeCast};
    let fp32 = vec![
        probe("fc1.weight.grad", WeightGradient, Source::Run, BeforeCast, false),
        probe("fc2.weight.grad", WeightGradient, Source::Run, BeforeCast, false),
        probe("fc2.out.grad", ActivationGradient, Source::Run, BeforeCast, false),
    ];
    let paper = vec![
        probe("fc1.weight.grad", WeightGradient, Source::Run, BeforeCast, true),
        probe("fc1.weight.grad", WeightGradient, Source::Run, AfterCast, true),
    ];
    let lanes = vec![
        info(config("fp32", ScalerConfig::None), fp32),
        info(config("paper", ScalerConfig::Static { scale: 1024.0 }), paper),
    ];
    Report::Started(Started { format: FORMAT_VERSION, dataset: "twelve squares".into(), lanes })
}

fn step(lane: usize, step: u64, scale: f32, skipped: bool) -> Report {
    Report::Steps(vec![StepReport { lane, step, loss: 1.0, scale, growth_tracker: 0, skipped }])
}

fn histogram(lane: usize, step: u64, probe: usize, scale: f32, values: &[f32]) -> Report {
    let histogram = ExponentHistogram::of_f32(values);
    Report::Histograms(vec![HistogramReport { lane, step, probe, scale, lost_upstream: None, histogram }])
}

fn evaluated(lane: usize, step: u64, correct: u64) -> Report {
    Report::Evaluated(Evaluation { lane, step, correct, images: 1000, loss: f32::NAN })
}

fn recording(reports: impl IntoIterator<Item = Report>) -> Recording {
    let mut recording = Recording::default();
    for report in std::iter::once(started()).chain(reports) {
        recording.check(&report).unwrap();
        recording.ingest(report);
    }
    recording
}

/// 2^exponent.
fn p(exponent: i32) -> f32 {
    2_f32.powi(exponent)
}

#[test]
fn histograms_are_found_by_step_and_added_up() {
    let run = recording([
        histogram(0, 1, 0, 1.0, &[p(-30), p(-1)]),
        histogram(0, 8, 0, 1.0, &[p(-2), 0.0]),
        histogram(0, 16, 0, 1.0, &[p(-30)]),
    ]);
    let total = |steps| run.select(0, 0, steps).map(|selection| selection.histogram.total());
    assert_eq!(total(StepChoice::Latest), Some(1));
    assert_eq!(total(StepChoice::Exact(8)), Some(2));
    assert_eq!(total(StepChoice::Exact(9)), None);
    assert_eq!(total(StepChoice::All), Some(5));
    assert_eq!(run.merged(0, 0).unwrap(), &ExponentHistogram::of_f32(&[p(-30), p(-1), p(-2), 0.0, p(-30)]));
    assert_eq!(run.probed_steps(0, 0).collect::<Vec<_>>(), [1, 8, 16]);
    for (lane, probe) in [(0, 1), (0, 99), (99, 0), (usize::MAX, usize::MAX)] {
        assert!(run.select(lane, probe, StepChoice::All).is_none());
        assert!(run.lost_series(lane, probe, Target::Fp16, 0, Rule::Ieee).is_empty());
    }
}

#[test]
fn values_that_carry_different_scales_are_not_added_up() {
    let run = recording([
        histogram(1, 1, 0, 1024.0, &[1.0]),
        histogram(1, 8, 0, 512.0, &[2.0]),
        histogram(1, 16, 0, 512.0, &[4.0]),
    ]);
    let all = run.select(1, 0, StepChoice::All).unwrap();
    assert_eq!((all.scale, all.steps, all.left_out, all.first_step, all.last_step), (512.0, 2, 1, 8, 16));
    assert_eq!(all.histogram.total(), 2);
}

#[test]
fn lost_shares_are_told_for_any_scale_whatever_scale_the_values_carry() {
    // unscaled values 2^-30 and 2^-1; the second step carries S = 2^10, the third a scale that is no power of two
    let run = recording([
        histogram(1, 1, 0, 1.0, &[p(-30), p(-1)]),
        histogram(1, 8, 0, 1024.0, &[p(-20), p(9)]),
        histogram(1, 16, 0, 1000.0, &[p(-20), p(9)]),
        histogram(1, 24, 0, 1.0, &[0.0, f32::NAN]),
    ]);
    let series = |exponent| run.lost_series(1, 0, Target::Fp16, exponent, Rule::Ieee);
    assert_eq!(series(0), [(1, 0.5), (8, 0.5)]);
    assert_eq!(series(5), [(1, 0.5), (8, 0.5)], "2^-30 · 2^5 = 2^-25 is a tie to zero");
    assert_eq!(series(6), [(1, 0.0), (8, 0.0)]);
}

#[test]
fn a_scale_exponent_is_relative_to_the_scale_that_values_carry() {
    assert_eq!(relative_exponent(1.0, 16), Some(16));
    assert_eq!(relative_exponent(65536.0, 16), Some(0));
    assert_eq!(relative_exponent(f32::from_bits(1), 0), Some(149), "subnormal scales are powers of two as well");
    assert_eq!(relative_exponent(p(-24), i32::MAX), Some(i32::MAX));
    for scale in [0.0, -1.0, -1024.0, 3.0, 1000.0, f32::NAN, f32::INFINITY, f32::from_bits(3)] {
        assert_eq!(relative_exponent(scale, 0), None, "{scale}");
    }
}

#[test]
fn advice_comes_from_fp32_gradients_and_never_from_an_fp16_lane() {
    let run = recording([
        histogram(0, 1, 0, 1.0, &[p(-30), p(-10)]),
        histogram(0, 1, 1, 1.0, &[p(-28), p(-12)]),
        histogram(0, 1, 2, 1.0, &[p(-4)]),
        histogram(1, 1, 0, 1024.0, &[p(-60), p(15)]),
    ]);
    // all of 2^-30 survives from S = 2^6 on (2^-24); 2^-4 · 2^19 = 2^15 is the last that does not overflow
    let expected = Advice::Band { low: 6, high: 19 };
    for lane in [0, 1] {
        assert_eq!(run.advice(lane, Target::Fp16, Rule::Ieee, 0.0), expected, "lane {lane}");
        let worst = run.worst_weight_gradient(lane, Target::Fp16, 4, Rule::Ieee).unwrap();
        assert_eq!((worst.lane, worst.probe, worst.lost), (0, 0, 0.5));
    }
    assert_eq!(run.fp32_probe(1, 1), Some((0, 0)));
    assert_eq!(recording([]).advice(0, Target::Fp16, Rule::Ieee, 0.0), Advice::NoData);
}

#[test]
fn advice_of_a_step_knows_nothing_of_later_steps() {
    let early = [histogram(0, 1, 0, 1.0, &[p(-26)]), histogram(0, 8, 0, 1.0, &[p(-26), p(-27)])];
    let late = histogram(0, 16, 0, 1.0, &[p(-40), p(3)]);
    let then = recording(early.clone()).advice(0, Target::Fp16, Rule::Ieee, 0.0);
    let later = recording(early.into_iter().chain([late]));
    assert_eq!(later.advice_until(0, 8, Target::Fp16, Rule::Ieee, 0.0), then);
    assert_ne!(later.advice(0, Target::Fp16, Rule::Ieee, 0.0), then);
}

#[test]
fn the_advised_scale_lies_in_its_band() {
    assert_eq!(advised_exponent(&Advice::NoData), None);
    for low in -30..30 {
        for high in low..low + 9 {
            let advised = advised_exponent(&Advice::Band { low, high }).unwrap();
            assert!((low..=high).contains(&advised), "{low}..{high}: {advised}");
        }
    }
    let empty = Advice::Empty { low: 30, low_tensor: "a".into(), high: 20, high_tensor: "b".into() };
    assert_eq!(advised_exponent(&empty), Some(20));
}

#[test]
fn the_scale_timeline_joins_equal_scales_and_counts_skipped_steps() {
    let run = recording([
        step(1, 1, 1024.0, false),
        step(1, 2, 1024.0, true),
        step(1, 3, 512.0, false),
        step(1, 4, 1024.0, false),
    ]);
    let lane = &run.lanes[1];
    let spans: Vec<_> = lane.scale_timeline().iter().map(|s| (s.first_step, s.last_step, s.scale, s.skipped)).collect();
    assert_eq!(spans, [(1, 2, 1024.0, 1), (3, 3, 512.0, 0), (4, 4, 1024.0, 0)]);
    assert_eq!(lane.skipped(), 1);
}

#[test]
fn the_gap_to_fp32_is_taken_where_both_were_evaluated() {
    let run = recording([evaluated(0, 50, 800), evaluated(1, 50, 500), evaluated(1, 100, 600)]);
    let gap = run.accuracy_gap(1).unwrap();
    assert!((gap + 30.0).abs() < 1e-9, "{gap}");
    assert_eq!(run.accuracy_gap(0), Some(0.0));
    assert_eq!(run.accuracy_gap(7), None);
}

#[test]
fn lanes_are_found_by_index_name_and_pattern() {
    let run = recording([]);
    for name in ["1", "paper · S=1024", "PAPER · s=1024", "paper*", "*1024"] {
        assert_eq!(run.find_lane(name), Ok(1), "{name}");
    }
    for name in ["2", "nonsense", "", "*"] {
        let why = run.find_lane(name).unwrap_err();
        assert!(why.contains("fp32") && !why.contains('\n'), "{why}");
    }
}

#[test]
fn patterns_match_like_a_shell() {
    let cases = [
        ("*", "", true),
        ("*", "fc1.weight", true),
        ("fc1.*", "fc1.weight.grad", true),
        ("fc1.*", "fc10.weight.grad", false),
        ("*.grad", "fc1.weight.grad", true),
        ("*.grad", "fc1.weight.gradient", false),
        ("fc?.bias", "fc2.bias", true),
        ("fc?.bias", "fc.bias", false),
        ("*a*b*a*", "xaybza", true),
        ("*a*b*a*", "xaybz", false),
        ("FC1", "fc1", true),
        ("", "", true),
        ("", "a", false),
        ("层*", "层1", true),
    ];
    for (pattern, name, expected) in cases {
        assert_eq!(glob_matches(pattern, name), expected, "{pattern} {name}");
    }
    // a pattern that makes a backtracking matcher take for ever
    assert!(!glob_matches(&"*a".repeat(200), &"a".repeat(199)));
}

#[test]
fn probes_are_filtered_by_all_their_properties() {
    let run = recording([]);
    let of = |filter: ProbeFilter<'_>| run.probes(1, filter).collect::<Vec<_>>();
    assert_eq!(of(ProbeFilter::default()), [0, 1]);
    assert_eq!(of(ProbeFilter { stage: Some(Stage::AfterCast), ..ProbeFilter::default() }), [1]);
    assert_eq!(of(ProbeFilter { source: Some(Source::Twin), ..ProbeFilter::default() }), [0; 0]);
    assert_eq!(of(ProbeFilter { tensor: Some("fc2*"), ..ProbeFilter::default() }), [0; 0]);
    assert_eq!(run.probes(9, ProbeFilter::default()).count(), 0);
}

fn lines(reports: &[Report]) -> Vec<String> {
    reports.iter().map(|report| serde_json::to_string(report).unwrap()).collect()
}

fn read(text: &str) -> Result<Recording, String> {
    Recording::read_lines(text.as_bytes(), "run.jsonl")
}

#[test]
fn what_is_written_reads_back_with_the_same_bits() {
    let folder = TemporaryFolder::new("recording");
    let path = folder.join("run.jsonl");
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.1, -0.0, f32::from_bits(1), f32::MAX];
    let losses = odd.iter().zip(1..).map(|(&loss, step)| {
        Report::Steps(vec![StepReport { lane: 0, step, loss, scale: p(-24), growth_tracker: 3, skipped: true }])
    });
    let reports: Vec<Report> = std::iter::once(started())
        .chain(losses)
        .chain([
            histogram(1, 1, 0, 1024.0, &[0.0, 1.0, f32::NAN, f32::INFINITY, f32::from_bits(1)]),
            Report::ScaleSet { lane: 1, step: 2, scale: 8.0 },
            Report::Speed { lane: 0, steps_per_second: 99.0 },
            Report::Memory { lane: 0, used: 5, free: None },
            Report::Profile(ProfileReport {
                lane: 0,
                steps: 1,
                ops: vec![OpTime { op: "matmul".into(), layer: "fc1".into(), seconds: 0.5 }],
            }),
            Report::DeviceFailed { lane: 0 },
            evaluated(0, 7, 900),
            Report::Finished { step: 7, outcome: Outcome::Failed("lane `x`: no \"memory\"".into()) },
        ])
        .collect();
    let mut writer = Writer::create(&path).unwrap();
    assert!(!path.exists() && part_path(&path).exists(), "a file without .part is whole");
    for report in &reports {
        writer.write(report).unwrap();
    }
    writer.finish().unwrap();
    assert!(path.exists() && !part_path(&path).exists());
    let mut live = Recording::default();
    for report in reports {
        live.ingest(report);
    }
    // never recorded
    assert_eq!((live.lanes[0].times.total(), live.lanes[0].memory.map(|memory| memory.used)), (0.5, Some(5)));
    (live.lanes[0].steps_per_second, live.lanes[0].memory) = (None, None);
    live.lanes[0].times = OpTimes::default();
    for source in [&path, &folder.to_path_buf()] {
        let mut read = Recording::read(source).unwrap();
        read.generation = live.generation;
        let bits = |run: &Recording| run.lanes[0].steps.iter().map(|step| step.loss.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&live));
        assert_eq!(format!("{read:?}"), format!("{live:?}"));
        // saved again from what is in memory, as the window does with a run that was not recorded
        let mut again = Recording::read_lines(&read.lines().unwrap()[..], "again.jsonl").unwrap();
        again.generation = live.generation;
        assert_eq!(bits(&again), bits(&live));
        assert_eq!(format!("{again:?}"), format!("{live:?}"));
    }
    assert!(Recording::default().lines().unwrap().is_empty());
}

#[test]
fn what_a_killed_program_leaves_reads_up_to_its_last_whole_line() {
    let folder = TemporaryFolder::new("killed");
    let whole = lines(&[started(), step(0, 1, 1.0, false), step(0, 2, 1.0, false)]).join("\n");
    for cut in 1..20 {
        fs::write(folder.join("run.jsonl.part"), &whole[..whole.len() - cut]).unwrap();
        let run = Recording::read(&folder.join("run.jsonl")).unwrap();
        assert_eq!((run.lanes[0].steps.len(), run.outcome), (1, None), "cut by {cut} bytes");
    }
    // cut in the middle of a line that others follow is damage
    let torn =
        format!("{}\n{}\n{}\n", lines(&[started()])[0], r#"{"steps":[{"lane":0"#, lines(&[step(0, 2, 1.0, false)])[0]);
    let why = read(&torn).unwrap_err();
    assert!(why.starts_with("run.jsonl:2:") && why.contains("damaged") && !why.contains('\n'), "{why}");
}

#[test]
fn files_that_are_no_recording_are_refused_in_one_line_with_their_place() {
    let start = &lines(&[started()])[0];
    let newer = start.replacen(r#""format":1"#, r#""format":2"#, 1);
    let cases: &[(&str, String)] = &[
        ("no recorded run", String::new()),
        ("no recorded run", "\n\n".into()),
        ("run.jsonl:1:", "hello\n".into()),
        ("run.jsonl:1:", r#"{"started":{}}"#.into()),
        ("run.jsonl:1:", lines(&[step(0, 1, 1.0, false)])[0].clone()),
        ("layout 2", newer.clone() + "\n"),
        ("layout 2", newer.replace(r#""dataset""#, r#""future""#) + "\n"),
        ("run.jsonl:2:", format!("{start}\n{start}\n")),
        ("lane 2", format!("{start}\n{}\n", lines(&[step(2, 1, 1.0, false)])[0])),
        ("lane 18446744073709551615", format!("{start}\n{}\n", lines(&[step(usize::MAX, 1, 1.0, false)])[0])),
        ("probe 3", format!("{start}\n{}\n", lines(&[histogram(0, 1, 3, 1.0, &[1.0])])[0])),
        ("step 1 comes after step 1", format!("{start}\n{0}\n{0}\n", lines(&[step(0, 1, 1.0, false)])[0])),
        ("run.jsonl:2:", format!("{start}\n{{\"steps\":[{{\"lane\":1e999}}]}}\n")),
        ("run.jsonl:2:", format!("{start}\n{}\n", "[".repeat(100_000))),
        ("run.jsonl:3:", format!("{start}\n\n\u{0}\u{1}\n")),
    ];
    for (expected, text) in cases {
        let why = read(text).unwrap_err();
        assert!(why.contains(expected) && !why.contains('\n'), "{expected}: {why}");
    }
    let bytes = [start.as_bytes(), b"\n\xff\xfe\xfd\n"].concat();
    assert!(Recording::read_lines(&bytes[..], "run.jsonl").unwrap_err().contains("run.jsonl:2:"));
}

#[test]
fn hostile_histograms_do_not_panic() {
    let start = &lines(&[started()])[0];
    let good = &lines(&[histogram(0, 1, 0, 1.0, &[1.0, 3.0, 0.0])])[0];
    // every number of the line made huge, negative or odd, one at a time: read, then asked everything
    let numbers: Vec<(usize, usize)> = numbers_in(good);
    assert!(numbers.len() > 4);
    for (from, to) in numbers {
        for evil in ["18446744073709551615", "-1", "1e308", "2147483647", "-2147483648", "0.5", "null", "\"x\"", "[]"] {
            let line = format!("{}{evil}{}", &good[..from], &good[to..]);
            let later = line.replace("\"step\":1", "\"step\":2");
            for text in [format!("{start}\n{line}\n"), format!("{start}\n{line}\n{later}\n{good}\n")] {
                match read(&text) {
                    Ok(run) => ask_everything(&run),
                    Err(why) => assert!(!why.contains('\n'), "{why}"),
                }
            }
        }
    }
}

/// Where the numbers of a line of JSON are.
fn numbers_in(line: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let (mut start, mut quoted) = (None, false);
    for (at, c) in line.char_indices() {
        quoted ^= c == '"';
        if !quoted && c.is_ascii_digit() {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            found.push((from, at));
        }
    }
    found
}

fn ask_everything(run: &Recording) {
    for lane in 0..run.lanes.len() {
        for probe in 0..run.lanes[lane].info.probes.len() {
            for steps in [StepChoice::Latest, StepChoice::All, StepChoice::Exact(1)] {
                let _ = run.select(lane, probe, steps).map(|selection| selection.histogram.total());
            }
            for exponent in [0, 24, i32::MAX, i32::MIN] {
                let _ = run.lost_series(lane, probe, Target::Fp16, exponent, Rule::Ieee);
            }
        }
        let _ = run.advice(lane, Target::E4m3, Rule::Paper, 0.005);
        let _ = run.worst_weight_gradient(lane, Target::Fp16, i32::MIN, Rule::Ieee);
        let _ = run.accuracy_gap(lane);
        let _ = run.lanes[lane].scale_timeline();
    }
}

#[test]
fn missing_and_unreadable_files_are_named() {
    let folder = TemporaryFolder::new("missing");
    let why = Recording::read(&folder.join("nothing.jsonl")).unwrap_err();
    assert!(why.contains("nothing.jsonl") && !why.contains('\n'), "{why}");
    let why = Recording::read(&folder).unwrap_err();
    assert!(why.contains("run.jsonl"), "{why}");
    let why = Writer::create(&folder.join("no/such/folder/run.jsonl")).map(|_| ()).unwrap_err();
    assert!(why.contains("cannot write") && !why.contains('\n'), "{why}");
}
