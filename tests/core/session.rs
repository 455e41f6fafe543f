//! The session thread: order of what it does, commands, failures, and that it always ends.

mod mock;

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use halfscope::data::embedded;
use halfscope::train::config::BackendKind;
use halfscope::train::presets::Preset;
use halfscope::train::report::{Outcome, Report, StepReport};
use halfscope::train::session::ImageOrder;
use halfscope::train::{Command, RunConfig, Session, SessionOptions};

use mock::{Event, Mock, Script, dataset, lane};

/// Runs `job` on a thread and fails if it takes longer than a deadlock would let it.
fn in_time<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, wait) = channel();
    let thread = std::thread::Builder::new().name("in_time".into()).spawn(move || done.send(job()).ok()).unwrap();
    let result = wait.recv_timeout(Duration::from_secs(20)).expect("neither done nor panicked in 20 s: a deadlock?");
    thread.join().unwrap();
    result
}

fn all(session: &Session) -> Vec<Report> {
    std::iter::from_fn(|| session.next_report()).filter(Report::is_recorded).collect()
}

fn steps_of(reports: &[Report], lane: usize) -> Vec<u64> {
    let of = |step: &StepReport| (step.lane == lane).then_some(step.step);
    let steps = reports.iter().filter_map(|report| if let Report::Steps(steps) = report { Some(steps) } else { None });
    steps.flatten().filter_map(of).collect()
}

fn outcome(reports: &[Report]) -> &Outcome {
    let Some(Report::Finished { outcome, .. }) = reports.last() else {
        panic!("the last report is {:?}", reports.last())
    };
    outcome
}

/// Reads reports up to a pause, and returns them with its step.
fn until_paused(session: &Session) -> (Vec<Report>, u64) {
    let mut reports = Vec::new();
    loop {
        match session.next_report().expect("the session ended instead of pausing") {
            Report::Paused { step } => return (reports, step),
            other => reports.push(other),
        }
    }
}

#[test]
fn lanes_step_in_lockstep_over_the_same_batches() {
    in_time(|| {
        let mock = Mock::new(Script::default());
        let session = mock.start(vec![lane("a", 5), lane("b", 5)], SessionOptions::default());
        let reports = all(&session);
        let events = mock.events();
        let submits: Vec<(usize, u64)> = events.iter().filter_map(Event::submitted).collect();
        let expected: Vec<(usize, u64)> = (1..=5).flat_map(|step| [(0, step), (1, step)]).collect();
        assert_eq!(submits, expected, "every lane takes a step before any takes the next");
        let batches: Vec<&Vec<f32>> = events.iter().filter_map(Event::images).collect();
        for pair in batches.chunks(2) {
            assert_eq!(pair[0], pair[1], "both lanes see the same images");
        }
        assert_ne!(batches[0], batches[2], "the next step sees other images");
        assert!(batches[0].iter().all(|input| (0.0..=1.0).contains(input)));
        assert_eq!((steps_of(&reports, 0), steps_of(&reports, 1)), ((1..=5).collect(), (1..=5).collect()));
        assert_eq!(outcome(&reports), &Outcome::Completed);
        assert!(matches!(reports[0], Report::Started(_)));
    });
}

#[test]
fn probes_come_on_the_first_step_and_every_multiple_of_the_cadence() {
    in_time(|| {
        let mut config = lane("a", 9);
        config.probes.every = 4;
        let mock = Mock::new(Script::default());
        all(&mock.start(vec![config], SessionOptions::default()));
        let probed: Vec<u64> = mock.events().iter().filter_map(Event::probed).collect();
        assert_eq!(probed, [1, 4, 8]);
    });
}

#[test]
fn every_lane_is_evaluated_on_its_cadence_and_at_the_end() {
    in_time(|| {
        let mut config = lane("a", 7);
        config.evaluate_every = 3;
        let reports = all(&Mock::new(Script::default()).start(vec![config], SessionOptions::default()));
        let at =
            |report: &Report| if let Report::Evaluated(evaluation) = report { Some(evaluation.step) } else { None };
        assert_eq!(reports.iter().filter_map(at).collect::<Vec<_>>(), [3, 6, 7]);
    });
}

#[test]
fn a_device_that_works_on_while_the_next_step_is_handed_over_loses_no_step() {
    in_time(|| {
        let mock = Mock::new(Script { polls_per_step: 150, ..Script::default() });
        let reports = all(&mock.start(vec![lane("a", 6), lane("b", 6)], SessionOptions::default()));
        assert_eq!((steps_of(&reports, 0), steps_of(&reports, 1)), ((1..=6).collect(), (1..=6).collect()));
        assert!(mock.most_in_flight() > 1, "the host waited for every single step");
    });
}

#[test]
fn pause_step_resume_and_stop_act_at_step_borders() {
    in_time(|| {
        let mock = Mock::new(Script::default());
        let options = SessionOptions { paused: true, ..SessionOptions::default() };
        let session = mock.start(vec![lane("a", 1_000_000), lane("b", 1_000_000)], options);
        let (before, step) = until_paused(&session);
        assert_eq!((step, steps_of(&before, 0).len()), (0, 0));
        session.send(Command::Step(2)).unwrap();
        let (taken, step) = until_paused(&session);
        assert_eq!((step, steps_of(&taken, 0), steps_of(&taken, 1)), (2, vec![1, 2], vec![1, 2]));
        session.send(Command::Resume).unwrap();
        while steps_of(&[session.next_report().unwrap()], 1).is_empty() {}
        session.send(Command::Pause).unwrap();
        let (_, step) = until_paused(&session);
        assert!(step > 2);
        session.send(Command::Stop).unwrap();
        let rest = all(&session);
        assert_eq!(outcome(&rest), &Outcome::Stopped);
        assert!(steps_of(&rest, 0).is_empty(), "a stopped session takes no step more");
        assert!(rest.iter().any(|report| matches!(report, Report::Evaluated(_))), "the last state is evaluated");
    });
}

#[test]
fn a_loss_scale_set_while_paused_holds_from_the_next_step_and_is_recorded_with_it() {
    in_time(|| {
        let mock = Mock::new(Script::default());
        let options = SessionOptions { paused: true, ..SessionOptions::default() };
        let session = mock.start(vec![lane("a", 100), lane("b", 100)], options);
        until_paused(&session);
        session.send(Command::Step(3)).unwrap();
        until_paused(&session);
        session.send(Command::SetLossScale { lane: 1, scale: 8.0 }).unwrap();
        session.send(Command::Step(1)).unwrap();
        let (reports, _) = until_paused(&session);
        assert!(reports.contains(&Report::ScaleSet { lane: 1, step: 4, scale: 8.0 }));
        let scales: Vec<f32> = reports
            .iter()
            .flat_map(|report| if let Report::Steps(steps) = report { steps.clone() } else { Vec::new() })
            .map(|step| step.scale)
            .collect();
        assert_eq!(scales, [1024.0, 8.0], "lane 0 keeps its scale, lane 1 steps at the new one");
        let events = mock.events();
        let set = events.iter().position(|event| *event == Event::SetScale { lane: 1, scale: 8.0 }).unwrap();
        let fourth = events.iter().position(|event| event.submitted() == Some((1, 4))).unwrap();
        assert!(set < fourth);
    });
}

#[test]
fn scales_that_are_none_are_refused_in_one_line() {
    in_time(|| {
        let mut plain = lane("plain", 100);
        plain.scaler = halfscope::train::config::ScalerConfig::None;
        let options = SessionOptions { paused: true, ..SessionOptions::default() };
        let session = Mock::new(Script::default()).start(vec![lane("a", 100), plain], options);
        for scale in [0.0, -0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let why = session.send(Command::SetLossScale { lane: 0, scale }).unwrap_err();
            assert!(why.contains("refused") && !why.contains('\n'), "{why}");
        }
        assert!(session.send(Command::SetLossScale { lane: 1, scale: 8.0 }).unwrap_err().contains("`plain`"));
        assert!(session.send(Command::SetLossScale { lane: 2, scale: 8.0 }).unwrap_err().contains("lane 2"));
        session.send(Command::SetLossScale { lane: 0, scale: f32::MIN_POSITIVE }).unwrap();
    });
}

#[test]
fn a_lane_that_fails_ends_the_run_and_keeps_what_was_recorded() {
    in_time(|| {
        let mock = Mock::new(Script { fails: Some((1, 3)), ..Script::default() });
        let reports = all(&mock.start(vec![lane("a", 9), lane("b", 9)], SessionOptions::default()));
        let Outcome::Failed(why) = outcome(&reports) else { panic!("{:?}", outcome(&reports)) };
        assert!(why.contains("`b`") && why.contains("step 3") && why.contains("out of memory"), "{why}");
        assert_eq!((steps_of(&reports, 0), steps_of(&reports, 1)), (vec![1, 2, 3], vec![1, 2]));
    });
}

/// All reports, those too that are never recorded.
fn everything(session: &Session) -> Vec<Report> {
    std::iter::from_fn(|| session.next_report()).collect()
}

#[test]
fn the_lane_whose_device_failed_is_named_before_the_end() {
    in_time(|| {
        for (backend, expected) in
            [(BackendKind::Wgpu, Some(1)), (BackendKind::Auto, Some(1)), (BackendKind::Cpu, None)]
        {
            let mock = Mock::new(Script { fails: Some((1, 3)), ..Script::default() });
            let lanes = ["a", "b"].map(|name| RunConfig { backend, ..lane(name, 9) });
            let reports = everything(&mock.start(lanes.to_vec(), SessionOptions::default()));
            let failed = reports.iter().find_map(|report| match report {
                Report::DeviceFailed { lane } => Some(*lane),
                _ => None,
            });
            assert_eq!(failed, expected, "{backend:?}");
            assert!(matches!(outcome(&reports), Outcome::Failed(_)));
        }
        let open = |_, _| Err("no such device".to_owned());
        let session = Session::start_on(
            Box::new(open),
            vec![lane("a", 9)],
            Arc::new(dataset()),
            SessionOptions::default(),
            || {},
        );
        assert!(everything(&session.unwrap()).contains(&Report::DeviceFailed { lane: 0 }));
    });
}

#[test]
fn a_profiled_run_takes_the_same_steps_and_tells_its_times() {
    in_time(|| {
        let run = |profile| {
            let mock = Mock::new(Script::default());
            let options = SessionOptions { profile, ..SessionOptions::default() };
            (everything(&mock.start(vec![lane("a", 6), lane("b", 6)], options)), mock.events())
        };
        let ((plain, plain_events), (profiled, events)) = (run(false), run(true));
        assert_eq!(events, plain_events);
        let recorded = |reports: &[Report]| steps_of(reports, 0).len() + steps_of(reports, 1).len();
        assert_eq!(recorded(&profiled), recorded(&plain));
        let times = |reports: &[Report], wanted: usize| {
            let of = |report: &&Report| matches!(report, Report::Profile(profile) if profile.lane == wanted);
            reports.iter().filter(of).count()
        };
        assert_eq!((times(&plain, 0), times(&plain, 1)), (0, 0));
        assert!(times(&profiled, 0) >= 1 && times(&profiled, 1) >= 1);
        assert!(plain.contains(&Report::Memory { lane: 1, used: 1, free: Some(7) }));
    });
}

#[test]
fn a_backend_that_panics_is_a_failed_run_and_not_a_silent_end() {
    in_time(|| {
        let mock = Mock::new(Script { panics: true, ..Script::default() });
        let reports = all(&mock.start(vec![lane("a", 9)], SessionOptions::default()));
        assert!(matches!(outcome(&reports), Outcome::Failed(why) if why.contains("bug")));
    });
}

#[test]
fn a_backend_that_does_not_open_is_a_failed_run() {
    in_time(|| {
        let open = |_, _| Err("no such device; plug one in".to_owned());
        let lanes = vec![lane("a", 9)];
        let session =
            Session::start_on(Box::new(open), lanes, Arc::new(dataset()), SessionOptions::default(), || {}).unwrap();
        let reports = all(&session);
        assert!(
            matches!(outcome(&reports), Outcome::Failed(why) if why.contains("`a`") && why.contains("no such device"))
        );
    });
}

#[test]
fn a_reader_that_sleeps_bounds_the_memory_and_loses_nothing() {
    in_time(|| {
        let mock = Mock::new(Script::default());
        let options = SessionOptions { pending_bytes: 4 << 10, ..SessionOptions::default() };
        let session = mock.start(vec![lane("a", 20_000)], options);
        std::thread::sleep(Duration::from_millis(300));
        let ahead = mock.events().len();
        assert!(ahead < 5_000, "the trainer ran {ahead} steps ahead of a reader that reads nothing");
        let reports = all(&session);
        assert_eq!(steps_of(&reports, 0), (1..=20_000).collect::<Vec<u64>>());
    });
}

#[test]
fn reports_wake_the_reader() {
    in_time(|| {
        let (wakes, woken) = channel();
        let mock = Mock::new(Script::default());
        let lanes = vec![lane("a", 50)];
        let wake = move || wakes.send(()).unwrap_or_default();
        let session =
            Session::start_on(mock.open(), lanes, Arc::new(dataset()), SessionOptions::default(), wake).unwrap();
        let mut read = 0;
        // a reader that only looks when it is woken sees everything
        while woken.recv().is_ok() {
            read += session.try_reports().filter(|report| matches!(report, Report::Finished { .. })).count();
        }
        assert_eq!(read, 1);
    });
}

#[test]
fn dropping_a_session_ends_it_whatever_it_does() {
    for (paused, pending_bytes) in [(false, 64 << 20), (false, 0), (true, 64 << 20)] {
        in_time(move || {
            let mock = Mock::new(Script::default());
            let options = SessionOptions { paused, pending_bytes, ..SessionOptions::default() };
            let session = mock.start(vec![lane("a", u64::MAX), lane("b", u64::MAX)], options);
            std::thread::sleep(Duration::from_millis(100));
            drop(session);
        });
    }
}

#[test]
fn controls_outlive_the_session() {
    in_time(|| {
        let session = Mock::new(Script::default()).start(vec![lane("a", 3)], SessionOptions::default());
        let controls = session.controls();
        drop(session);
        controls.send(Command::Stop).unwrap();
    });
}

#[test]
fn lanes_that_do_not_fit_together_are_named() {
    type Change = fn(&mut RunConfig);
    let cases: [(Change, &str); 9] = [
        (|config| config.seed = 1, "seed"),
        (|config| config.steps = 1, "steps"),
        (|config| config.batch = 2, "batch"),
        (|config| config.train_images = Some(9), "train_images"),
        (|config| config.model.widths[0] = 5, "widths"),
        (|config| config.batch = 0, "batch"),
        (|config| config.loss_weight = f32::NAN, "loss_weight"),
        (|config| config.model.widths.truncate(1), "widths"),
        (|config| config.scaler = halfscope::train::config::ScalerConfig::Static { scale: 0.0 }, "scale"),
    ];
    for (change, field) in cases {
        let mut second = lane("odd", 5);
        change(&mut second);
        let why = Session::start(vec![lane("a", 5), second], Arc::new(dataset()), || {});
        let why = why.map(|_| ()).unwrap_err();
        assert!(why.contains("`odd`") && why.contains(field) && !why.contains('\n'), "{field}: {why}");
    }
    let none = Session::start(Vec::new(), Arc::new(dataset()), || {}).map(|_| ()).unwrap_err();
    assert!(none.contains("no lane"), "{none}");
    let mut large = lane("a", 5);
    large.batch = 1_000;
    let why = Session::start(vec![large], Arc::new(dataset()), || {}).map(|_| ()).unwrap_err();
    assert!(why.contains("batch is 1000"), "{why}");
}

#[test]
fn every_epoch_is_a_shuffle_of_its_own() {
    let epoch = |seed: u64, epoch: u64| -> Vec<u32> {
        let mut order = ImageOrder::new(seed, 20, 5);
        (epoch * 4 + 1..=epoch * 4 + 4).flat_map(|step| order.batch(step).to_vec()).collect()
    };
    for seed in 0..20 {
        for number in 0..5 {
            let mut sorted = epoch(seed, number);
            sorted.sort_unstable();
            assert_eq!(sorted, (0..20).collect::<Vec<u32>>(), "seed {seed}, epoch {number}");
        }
        assert_ne!(epoch(seed, 0), epoch(seed, 1));
        assert_ne!(epoch(seed, 0), epoch(seed + 1, 0));
        assert_ne!(epoch(seed, 1), epoch(seed + 1, 0), "neighbouring seeds must not share epochs");
    }
    // the order of a step does not depend on the steps before it
    let mut straight = ImageOrder::new(3, 23, 5);
    let mut jumping = ImageOrder::new(3, 23, 5);
    let walked: Vec<Vec<u32>> = (1..=12).map(|step| straight.batch(step).to_vec()).collect();
    for step in [12, 1, 7, 2] {
        assert_eq!(jumping.batch(step), walked[step as usize - 1]);
    }
}

/// A few real steps: two lanes of the preset `underflow`, smaller.
fn real_run(threads: usize) -> Vec<Report> {
    let preset = Preset::find("underflow").unwrap();
    let mut lanes = preset.runs();
    for lane in &mut lanes {
        lane.steps = 10;
        lane.batch = 64;
        lane.probes.every = 4;
        lane.evaluate_every = 5;
    }
    let options = SessionOptions { threads, ..SessionOptions::default() };
    all(&Session::start_with(lanes, Arc::new(embedded()), options, || {}).unwrap())
}

/// The reports without how they were batched, which depends on time.
fn flat(reports: &[Report]) -> Vec<Report> {
    let split = |report: &Report| match report {
        Report::Steps(steps) => steps.iter().map(|step| Report::Steps(vec![*step])).collect(),
        other => vec![other.clone()],
    };
    reports.iter().flat_map(split).collect()
}

#[test]
fn the_same_seed_gives_the_same_reports_on_any_number_of_threads() {
    let first = real_run(1);
    assert_eq!(outcome(&first), &Outcome::Completed);
    assert!(flat(&first) == flat(&real_run(1)), "a second run differs");
    let mut two = real_run(2);
    if let (Report::Started(one), Report::Started(two)) = (&first[0], &mut two[0]) {
        for (one, two) in one.lanes.iter().zip(&mut two.lanes) {
            two.device.clone_from(&one.device); // it names the threads
        }
    }
    assert!(flat(&first) == flat(&two), "two threads differ from one");
}

#[test]
fn a_recorded_run_reads_back_as_it_was_live() {
    use halfscope::train::Recording;
    use halfscope::train::recording::Writer;
    let folder = crate::support::TemporaryFolder::new("recorded-run");
    let path = folder.join("run.jsonl");
    let mut writer = Writer::create(&path).unwrap();
    let mut live = Recording::default();
    for report in real_run(2) {
        writer.write(&report).unwrap();
        live.ingest(report);
    }
    assert_eq!(writer.finish().unwrap(), Some(path.clone()));
    let read = Recording::read(&path).unwrap();
    assert!(read == live, "what was read differs from what was live");
    assert!(
        live.lanes.iter().all(|lane| !lane.histograms.is_empty() && lane.histograms.iter().all(|seen| seen.len() == 3))
    );
}
