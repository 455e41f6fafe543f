//! The loss scaler against traces recorded from `torch.amp.GradScaler` (torch 2.13.0) and the rules of DeepSpeed.

use halfscope::train::config::ScalerConfig;
use halfscope::train::program::{Op, TensorId};
use halfscope::train::scaler::LossScaler;

use super::support::{compile, step};
use halfscope::train::config::Storage;
use halfscope::train::program::Scalars;

/// A recorded sequence: what the gradients were after each step (0 finite, 1 infinite, 2 NaN) and (scale, tracker) then.
struct Trace {
    name: &'static str,
    rules: ScalerConfig,
    gradients: &'static [u8],
    after: &'static [(f32, u32)],
}

const fn rules(init_scale: f32, growth_factor: f64, backoff_factor: f64, growth_interval: u32) -> ScalerConfig {
    ScalerConfig::Dynamic { init_scale, growth_factor, backoff_factor, growth_interval }
}

const TWO_TO_127: f32 = f32::from_bits(0x7f00_0000);

/// From torch 2.13.0, `torch.amp.GradScaler('cpu')`.
const TRACES: [Trace; 8] = [
    Trace {
        name: "defaults",
        rules: ScalerConfig::dynamic(),
        gradients: &[1, 1, 1, 0, 0],
        after: &[(32768.0, 0), (16384.0, 0), (8192.0, 0), (8192.0, 1), (8192.0, 2)],
    },
    Trace {
        name: "interval 3",
        rules: rules(8.0, 2.0, 0.5, 3),
        gradients: &[0, 0, 0, 1, 0, 0, 0, 0, 1],
        after: &[(8.0, 1), (8.0, 2), (16.0, 0), (8.0, 0), (8.0, 1), (8.0, 2), (16.0, 0), (16.0, 1), (8.0, 0)],
    },
    Trace {
        name: "stays below infinity",
        rules: rules(TWO_TO_127 / 2.0, 2.0, 0.5, 1),
        gradients: &[0, 0, 0],
        after: &[(TWO_TO_127, 0), (TWO_TO_127, 0), (TWO_TO_127, 0)],
    },
    Trace {
        name: "down to zero",
        rules: rules(f32::from_bits(4), 2.0, 0.5, 2000),
        gradients: &[1, 1, 1, 1],
        after: &[(f32::from_bits(2), 0), (f32::from_bits(1), 0), (0.0, 0), (0.0, 0)],
    },
    Trace {
        name: "factors that are no powers of two",
        rules: rules(1000.0, 1.5, 0.7, 1),
        gradients: &[0, 1, 0, 2, 1],
        after: &[(1500.0, 0), (1050.0, 0), (1575.0, 0), (1102.5, 0), (771.75, 0)],
    },
    Trace {
        name: "interval 0 never grows",
        rules: rules(4.0, 2.0, 0.5, 0),
        gradients: &[0, 0, 0, 1, 0],
        after: &[(4.0, 1), (4.0, 2), (4.0, 3), (2.0, 0), (2.0, 1)],
    },
    Trace {
        name: "interval 5",
        rules: rules(8.0, 2.0, 0.5, 5),
        gradients: &[
            0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1,
            0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
        ],
        after: &[
            (8.0, 1),
            (8.0, 2),
            (8.0, 3),
            (8.0, 4),
            (16.0, 0),
            (16.0, 1),
            (16.0, 2),
            (16.0, 3),
            (16.0, 4),
            (8.0, 0),
            (8.0, 1),
            (8.0, 2),
            (8.0, 3),
            (8.0, 4),
            (4.0, 0),
            (4.0, 1),
            (2.0, 0),
            (2.0, 1),
            (2.0, 2),
            (2.0, 3),
            (2.0, 4),
            (4.0, 0),
            (4.0, 1),
            (4.0, 2),
            (4.0, 3),
            (4.0, 4),
            (2.0, 0),
            (2.0, 1),
            (2.0, 2),
            (2.0, 3),
            (2.0, 4),
            (4.0, 0),
            (4.0, 1),
            (4.0, 2),
            (4.0, 3),
            (2.0, 0),
            (2.0, 1),
            (2.0, 2),
            (2.0, 3),
            (1.0, 0),
            (1.0, 1),
            (1.0, 2),
            (1.0, 3),
            (1.0, 4),
            (2.0, 0),
            (2.0, 1),
            (1.0, 0),
            (1.0, 1),
            (1.0, 2),
            (1.0, 3),
            (1.0, 4),
            (2.0, 0),
            (2.0, 1),
            (1.0, 0),
            (1.0, 1),
            (1.0, 2),
            (1.0, 3),
            (1.0, 4),
            (2.0, 0),
            (2.0, 1),
        ],
    },
    Trace {
        name: "interval 2, random overflows",
        rules: rules(65536.0, 2.0, 0.5, 2),
        gradients: &[
            0, 2, 0, 0, 0, 2, 1, 1, 0, 0, 2, 2, 1, 0, 2, 2, 1, 0, 1, 0, 2, 1, 1, 2, 1, 1, 2, 0, 2, 0, 2, 1, 0, 2, 2, 1,
            0, 2, 1, 1,
        ],
        after: &[
            (65536.0, 1),
            (32768.0, 0),
            (32768.0, 1),
            (65536.0, 0),
            (65536.0, 1),
            (32768.0, 0),
            (16384.0, 0),
            (8192.0, 0),
            (8192.0, 1),
            (16384.0, 0),
            (8192.0, 0),
            (4096.0, 0),
            (2048.0, 0),
            (2048.0, 1),
            (1024.0, 0),
            (512.0, 0),
            (256.0, 0),
            (256.0, 1),
            (128.0, 0),
            (128.0, 1),
            (64.0, 0),
            (32.0, 0),
            (16.0, 0),
            (8.0, 0),
            (4.0, 0),
            (2.0, 0),
            (1.0, 0),
            (1.0, 1),
            (0.5, 0),
            (0.5, 1),
            (0.25, 0),
            (0.125, 0),
            (0.125, 1),
            (0.0625, 0),
            (0.03125, 0),
            (1.0 / 64.0, 0),
            (1.0 / 64.0, 1),
            (1.0 / 128.0, 0),
            (1.0 / 256.0, 0),
            (1.0 / 512.0, 0),
        ],
    },
];

fn replay(trace: &Trace, floor: f32) -> Result<(), String> {
    let mut scaler = LossScaler::with_floor(&trace.rules, floor)?.expect("a scaler");
    assert_eq!(trace.gradients.len(), trace.after.len(), "{}", trace.name);
    for (step, (&kind, &after)) in trace.gradients.iter().zip(trace.after).enumerate() {
        scaler = scaler.next(kind != 0);
        assert_eq!((scaler.scale(), scaler.growth_tracker()), after, "{}, step {}", trace.name, step + 1);
    }
    Ok(())
}

#[test]
fn traces_of_torch_are_reproduced() {
    for trace in &TRACES {
        replay(trace, 0.0).unwrap();
        let with_floor = replay(trace, LossScaler::FLOOR);
        assert_eq!(with_floor.is_err(), trace.name == "down to zero", "{}: {with_floor:?}", trace.name);
    }
}

/// The op of the backend does to the device's scalars what the state machine says, with real infinities and NaNs.
#[test]
fn the_scaler_op_follows_the_state_machine() {
    for trace in TRACES.iter().filter(|trace| trace.name != "down to zero") {
        let ops = vec![Op::Unscale { x: TensorId(0), out: TensorId(1) }, Op::ScalerUpdate];
        let scalars = Scalars { scaler: LossScaler::new(&trace.rules).unwrap(), learning_rate: 1.0 };
        let tensors = [(Storage::Fp16, 3, 1), (Storage::Fp32, 3, 1)];
        let mut plan = compile(super::support::bench(&tensors, ops, scalars, 1), 1);
        let mut before = scalars.scaler.unwrap().scale();
        for (&kind, &(after, tracker)) in trace.gradients.iter().zip(trace.after) {
            let last = [1.0, f32::NEG_INFINITY, f32::NAN][usize::from(kind)];
            plan.write(TensorId(0), &[1.0, 0.0, last]).unwrap();
            let outcome = step(plan.as_mut(), &[0.0], &[0], false);
            assert_eq!((outcome.scale, outcome.skipped, outcome.growth_tracker), (before, kind != 0, tracker));
            before = after;
        }
    }
}

/// Overflow on every step runs the scale down; it stops at 2^-24 and never becomes 0 (pytorch#40497).
#[test]
fn the_floor_holds() {
    let mut scaler = LossScaler::new(&ScalerConfig::dynamic()).unwrap().unwrap();
    for _ in 0..400 {
        scaler = scaler.next(true);
    }
    assert_eq!(scaler.scale(), 2f32.powi(-24));
    let mut bare = LossScaler::with_floor(&ScalerConfig::dynamic(), 0.0).unwrap().unwrap();
    let until_zero = (1..1000).find(|_| {
        bare = bare.next(true);
        bare.scale() == 0.0
    });
    assert_eq!(until_zero, Some(166), "an FP32 scale of 65536 is gone after 166 halvings");
}

#[test]
fn bad_scales_are_refused_in_one_line() {
    let scaler = LossScaler::new(&ScalerConfig::dynamic()).unwrap().unwrap().next(false);
    for bad in [0.0, -0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-30] {
        let error = scaler.with_scale(bad).unwrap_err();
        assert!(error.starts_with("loss scale ") && !error.contains('\n'), "{error}");
        assert!(LossScaler::new(&ScalerConfig::Static { scale: bad }).is_err(), "{bad}");
    }
    for (growth, backoff) in [(1.0, 0.5), (f64::NAN, 0.5), (2.0, 0.0), (2.0, 1.0), (2.0, -0.5)] {
        assert!(LossScaler::new(&rules(8.0, growth, backoff, 3)).is_err(), "{growth} {backoff}");
    }
    let set = scaler.with_scale(1024.0).unwrap();
    assert_eq!((set.scale(), set.growth_tracker()), (1024.0, 1), "setting a scale keeps the growth tracker");
}

fn deepspeed(init: f32, window: u32, hysteresis: u32, consecutive: bool, sequence: &[u8]) -> Vec<f32> {
    let rules = ScalerConfig::DeepSpeed { init_scale: init, window, hysteresis, consecutive, min_scale: 1.0 };
    let mut scaler = LossScaler::new(&rules).unwrap().unwrap();
    let next = |&found: &u8| {
        scaler = scaler.next(found == 1);
        scaler.scale()
    };
    sequence.iter().map(next).collect()
}

/// The log of DeepSpeed#931: the first of two overflows is forgiven, from then on every one halves. And the rules of
/// DeepSpeed's `loss_scaler.py` worked out by hand for a short sequence.
#[test]
fn hysteresis_follows_deepspeed() {
    let log = deepspeed(65536.0, 1000, 2, false, &[1; 6]);
    assert_eq!(log, [65536.0, 32768.0, 16384.0, 8192.0, 4096.0, 2048.0]);
    let sequence = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0];
    let plain = [1024.0, 512.0, 256.0, 256.0, 256.0, 128.0, 128.0, 128.0, 128.0, 256.0];
    let consecutive = [1024.0, 512.0, 256.0, 256.0, 256.0, 256.0, 256.0, 256.0, 256.0, 512.0];
    let strict = [512.0, 256.0, 128.0, 128.0, 128.0, 64.0, 64.0, 64.0, 64.0, 128.0];
    assert_eq!(deepspeed(1024.0, 3, 2, false, &sequence), plain);
    assert_eq!(deepspeed(1024.0, 3, 2, true, &sequence), consecutive);
    assert_eq!(deepspeed(1024.0, 3, 1, false, &sequence), strict);
    assert_eq!(deepspeed(2.0, 1000, 1, false, &[1, 1, 1]), [1.0, 1.0, 1.0], "stays at its minimum");
}
