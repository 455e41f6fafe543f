//! Casts: to nearest even, at random, with flushing.

use halfscope::train::config::{CastRounding, Storage};
use halfscope::train::program::{Op, TensorId};

use super::support::{PLAIN, bench, compile, round, run, step};

const X: TensorId = TensorId(0);
const OUT: TensorId = TensorId(1);

fn cast_op(rounding: CastRounding, flush: bool) -> Vec<Op> {
    vec![Op::Cast { x: X, out: OUT, rounding, flush }, Op::ScalerUpdate]
}

/// Every FP16 and BF16 number that is near a border, ± one FP32 step and the midpoints between neighbours.
fn adversarial() -> Vec<f32> {
    let mut values = vec![0.0, f32::INFINITY, f32::MAX, f32::from_bits(1), f32::MIN_POSITIVE];
    let mut bits = 0u32;
    while bits < 0x7f80_0000 {
        values.extend([-1, 0, 1].map(|step: i32| f32::from_bits(bits.saturating_add_signed(step))));
        bits += 0x1000 * 37 + 0x800;
        bits &= !0x7ff;
    }
    for exponent in [-26, -25, -24, -23, -15, -14, 15, 16] {
        let power = 2f32.powi(exponent);
        for factor in [1.0, 1.5, 2.0 - 1.0 / 1024.0, 2.0 - 1.0 / 2048.0, 1.0 + 1.0 / 2048.0, 1.0 + 3.0 / 2048.0] {
            let bits = (power * factor).to_bits();
            values.extend([bits - 1, bits, bits + 1].map(f32::from_bits));
        }
    }
    let negative: Vec<f32> = values.iter().map(|value| -value).collect();
    values.extend(negative);
    values
}

#[test]
fn casts_round_once_to_nearest_even() {
    let values = adversarial();
    for storage in [Storage::Fp16, Storage::Bf16] {
        let tensors = [(Storage::Fp32, values.len(), 1), (storage, values.len(), 1)];
        for flush in [false, true] {
            let ops = cast_op(CastRounding::NearestEven, flush);
            let (after, _) = run(&tensors, std::slice::from_ref(&values), ops, PLAIN, &[0]);
            let smallest = if storage == Storage::Fp16 { 2f64.powi(-14) } else { 2f64.powi(-126) };
            for (&x, &got) in values.iter().zip(&after[1]) {
                let mut expected = round(storage, f64::from(x));
                if flush && expected.abs() < smallest {
                    expected = 0.0_f64.copysign(expected);
                }
                let same = f64::from(got) == expected && got.is_sign_negative() == expected.is_sign_negative();
                assert!(same, "{storage:?}: {x:e} became {got:e}, expected {expected:e}");
            }
        }
    }
}

#[test]
fn nan_stays_nan() {
    for storage in [Storage::Fp16, Storage::Bf16] {
        for rounding in [CastRounding::NearestEven, CastRounding::Stochastic] {
            let nans = vec![f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001), f32::from_bits(0xffff_ffff)];
            let tensors = [(Storage::Fp32, 4, 1), (storage, 4, 1)];
            let (after, _) = run(&tensors, &[nans], cast_op(rounding, false), PLAIN, &[0]);
            assert!(after[1].iter().all(|value| value.is_nan()), "{storage:?} {rounding:?}: {:?}", after[1]);
        }
    }
}

/// Stochastic rounding gives one of the two neighbours, exact values stay, and the mean is the value itself.
#[test]
fn stochastic_rounding_is_unbiased() {
    const COUNT: usize = 40_000;
    for storage in [Storage::Fp16, Storage::Bf16] {
        for x in [1.000_2_f32, -3.3, 2f32.powi(-24) * 0.3, 1e-6, 0.75, 0.0, 2f32.powi(-26), 1000.3] {
            let tensors = [(Storage::Fp32, COUNT, 1), (storage, COUNT, 1)];
            let (after, _) = run(&tensors, &[vec![x; COUNT]], cast_op(CastRounding::Stochastic, false), PLAIN, &[0]);
            let mut seen: Vec<f32> = after[1].clone();
            seen.sort_by(f32::total_cmp);
            seen.dedup();
            let (low, high) = (f64::from(seen[0]), f64::from(seen[seen.len() - 1]));
            assert!(seen.len() <= 2 && low <= f64::from(x) && f64::from(x) <= high, "{storage:?} {x}: {seen:?}");
            let mean = after[1].iter().map(|&value| f64::from(value)).sum::<f64>() / COUNT as f64;
            // The standard deviation of the mean is at most half a step / √COUNT; five of them.
            let allowed = (high - low) * 0.5 / (COUNT as f64).sqrt() * 5.0;
            assert!((mean - f64::from(x)).abs() <= allowed, "{storage:?} {x}: mean {mean}");
        }
    }
}

#[test]
fn stochastic_rounding_differs_by_step_and_not_by_threads() {
    let values: Vec<f32> = (0..50_000).map(|index| 1.0 + index as f32 * 1e-7).collect();
    let tensors = [(Storage::Fp32, values.len(), 1), (Storage::Fp16, values.len(), 1)];
    let two_steps = |threads| {
        let program = bench(&tensors, cast_op(CastRounding::Stochastic, false), PLAIN, 1);
        let mut plan = compile(program, threads);
        plan.write(X, &values).unwrap();
        [(); 2].map(|()| {
            step(plan.as_mut(), &[0.0], &[0], false);
            plan.read(OUT).unwrap()
        })
    };
    let one = two_steps(1);
    assert_ne!(one[0], one[1]);
    assert_eq!(one, two_steps(4));
}
