//! Graphics processors that keep no time, and what happens when one goes away.

use std::sync::Arc;
use std::time::Instant;

use halfscope::train::backend::wgpu::{adapters, choose_adapter, lose_device, time_by_clock};
use halfscope::train::backend::{Availability, StepInput, availability, open};
use halfscope::train::config::{BackendKind, ScalerConfig};
use halfscope::train::program::Program;
use halfscope::train::recording::{RUN_FILE, Writer};
use halfscope::train::report::{Outcome, Report};
use halfscope::train::{Recording, RunConfig, Session, SessionOptions};

use super::support::{batch, small, wait};
use crate::support::{TemporaryFolder, require, skipped};

/// Devices that keep no time are waited for after every op; the step is the same. Either way the ops, which run one after another,
/// take no longer than the call that ran them: a bound that holds on a busy machine too.
fn ops_are_timed_by_the_clock_too(config: &RunConfig) {
    let program = Arc::new(Program::of(config).unwrap());
    let (images, labels) = batch(config, 0);
    let input = StepInput { images: &images, labels: &labels, probe: true };
    let [by_device, by_clock] = [false, true].map(|by_clock| {
        time_by_clock(by_clock);
        let mut plan = open(BackendKind::Wgpu, 1).unwrap().compile(Arc::clone(&program)).unwrap();
        let begun = Instant::now();
        let (ticket, ops) = plan.profile(&input).unwrap();
        let whole = begun.elapsed().as_secs_f64();
        let seconds: f64 = ops.iter().map(|op| op.seconds).sum();
        assert!(seconds > 0.0 && seconds <= 1.01 * whole, "by the clock {by_clock}: {seconds} s of {whole} s");
        (format!("{:?}", wait(plan.as_mut(), ticket)), ops.len())
    });
    time_by_clock(false);
    assert_eq!(by_device, by_clock);
}

/// One test, since the device is shared by all that is open in a process.
#[test]
fn a_lost_device_ends_the_run_and_keeps_what_was_recorded() {
    if let Availability::Missing { reason } = availability(BackendKind::Wgpu) {
        assert!(!require("wgpu"), "{reason}");
        return skipped("wgpu", &reason);
    }
    let mut config = small("paper", ScalerConfig::Static { scale: 1024.0 });
    config.model.widths = vec![784, 16, 12, 10];
    config.backend = BackendKind::Wgpu;
    config.steps = 1_000_000;
    ops_are_timed_by_the_clock_too(&config);
    let data = Arc::new(halfscope::data::embedded());
    let session = Session::start_with(vec![config.clone()], data, SessionOptions::default(), || {}).unwrap();
    let folder = TemporaryFolder::new("lost");
    let mut writer = Writer::create(&folder.join(RUN_FILE)).unwrap();
    let mut outcome = None;
    let mut lost = false;
    while let Some(report) = session.next_report() {
        writer.write(&report).unwrap();
        match report {
            Report::Steps(_) if !lost => {
                lose_device();
                lost = true;
            }
            Report::Finished { outcome: last, .. } => outcome = Some(last),
            _ => {}
        }
    }
    let Some(Outcome::Failed(why)) = outcome else { panic!("{outcome:?}") };
    assert!(why.contains("was lost") && why.contains("--backend cpu") && why.lines().count() == 1, "{why}");
    let recording = Recording::read(&writer.finish().unwrap().unwrap()).unwrap();
    assert!(!recording.lanes[0].steps.is_empty());
    assert_eq!(recording.outcome, Some(Outcome::Failed(why)));

    // What is opened next is a new device.
    let program = Arc::new(Program::of(&config).unwrap());
    assert!(open(BackendKind::Wgpu, 1).unwrap().compile(program).is_ok());

    let first = adapters()[0].name.clone();
    choose_adapter(Some(first.to_uppercase()));
    assert_eq!(open(BackendKind::Wgpu, 1).unwrap().device(), first);
    choose_adapter(Some("no such thing".into()));
    let refused = open(BackendKind::Wgpu, 1).err().unwrap();
    assert!(refused.contains("no such thing") && refused.contains(&first), "{refused}");
    choose_adapter(None);
}
