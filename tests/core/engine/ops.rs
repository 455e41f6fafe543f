//! Every op × storage × odd shape against naive loops in FP64.

use halfscope::train::config::{Accumulate, BackendKind, Storage};
use halfscope::train::program::{Adam, Op, Scalars, TensorId};

use super::support::{PLAIN, SIZES, STORAGES, Tolerance, compile, kind, round, run, scaled, step, values};

const T: [TensorId; 6] = [TensorId(0), TensorId(1), TensorId(2), TensorId(3), TensorId(4), TensorId(5)];

/// Element (row, column) of a matrix that is stored transposed or not.
fn at(values: &[f32], shape: (usize, usize), transpose: bool, row: usize, column: usize) -> f64 {
    let index = if transpose { column * shape.1 + row } else { row * shape.1 + column };
    f64::from(values[index])
}

fn matmul_case(storage: Storage, (m, k, n): (usize, usize, usize), (ta, tb): (bool, bool), accumulate: Accumulate) {
    let a_shape = if ta { (k, m) } else { (m, k) };
    let b_shape = if tb { (n, k) } else { (k, n) };
    let (a, b) = (values(1, m * k, storage), values(2, k * n, storage));
    let tensors = [(storage, a_shape.0, a_shape.1), (storage, b_shape.0, b_shape.1), (Storage::Fp32, m, n)];
    let op = Op::MatMul { a: T[0], b: T[1], out: T[2], transpose_a: ta, transpose_b: tb, accumulate, tf32: false };
    let (after, _) = run(&tensors, &[a.clone(), b.clone(), vec![]], vec![op], PLAIN, &[0]);
    for row in 0..m {
        for column in 0..n {
            let term = |index| at(&a, a_shape, ta, row, index) * at(&b, b_shape, tb, index, column);
            let got = after[2][row * n + column];
            let what = format!("{storage:?} {m}×{k}×{n} {ta} {tb} at {row}, {column}");
            match accumulate {
                Accumulate::Fp32 => {
                    let exact: f64 = (0..k).map(term).sum();
                    let magnitude: f64 = (0..k).map(|index| term(index).abs()).sum();
                    Tolerance::sum(k).check(&what, got, exact, magnitude);
                }
                Accumulate::Fp16 => {
                    let sum = (0..k).fold(0.0, |sum, index| round(Storage::Fp16, sum + term(index)));
                    if in_any_order(storage) {
                        let magnitude: f64 = (0..k).map(|index| term(index).abs()).sum();
                        let tolerance = Tolerance { storage: Storage::Fp16, ulps: k as f64 };
                        tolerance.check(&what, got, sum, magnitude);
                    } else {
                        assert_eq!(f64::from(got), sum, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn products_equal_naive_loops() {
    for storage in STORAGES {
        for m in SIZES {
            for (k, n) in [(1, 65), (63, 64), (64, 1), (65, 63)] {
                for transposed in [(false, false), (true, false), (false, true), (true, true)] {
                    matmul_case(storage, (m, k, n), transposed, Accumulate::Fp32);
                }
            }
        }
    }
}

/// Where TF32 is asked for, operands lose their last 13 bits before they multiply, to the nearest; where it is not, they do not.
#[test]
fn tf32_rounds_the_operands_of_a_product_and_nothing_else() {
    let tensors = [(Storage::Fp32, 2, 1), (Storage::Fp32, 1, 2), (Storage::Fp32, 2, 2)];
    let unit = 2f32.powi(-10);
    let (a, b) = (vec![1.0 + 0.7 * unit, 3.0e38], vec![1.0, 1.0 + 0.3 * unit]);
    let product = |tf32| {
        let (transpose_a, transpose_b, accumulate) = (false, false, Accumulate::Fp32);
        let op = Op::MatMul { a: T[0], b: T[1], out: T[2], transpose_a, transpose_b, accumulate, tf32 };
        run(&tensors, &[a.clone(), b.clone()], vec![op], PLAIN, &[0]).0[2].clone()
    };
    assert_eq!(product(false), [a[0], a[0] * b[1], a[1], a[1] * b[1]]);
    let rounded = f32::from_bits((a[1].to_bits() + 0x1000) & !0x1fff);
    assert_eq!(product(true), [1.0 + unit, 1.0 + unit, rounded, rounded]);
}

/// cuBLAS sums FP16 products in FP16 in an order of its own, and may round each product.
fn in_any_order(storage: Storage) -> bool {
    kind() == BackendKind::Cuda && storage == Storage::Fp16
}

#[test]
fn fp16_sums_are_rounded_after_every_addition() {
    for transposed in [(false, false), (true, false), (false, true)] {
        matmul_case(Storage::Fp16, (3, 65, 17), transposed, Accumulate::Fp16);
    }
    // 4096 ones summed one after another in FP16 stick at 2048: 2048 + 1 is a tie and goes to even.
    let tensors = [(Storage::Fp16, 1, 4096), (Storage::Fp16, 4096, 1), (Storage::Fp32, 1, 1)];
    let ones = vec![1.0; 4096];
    let product = |accumulate| Op::MatMul {
        a: T[0],
        b: T[1],
        out: T[2],
        transpose_a: false,
        transpose_b: false,
        accumulate,
        tf32: false,
    };
    let sum = |accumulate| {
        run(&tensors, &[ones.clone(), ones.clone(), vec![]], vec![product(accumulate)], PLAIN, &[0]).0[2][0]
    };
    assert_eq!(sum(Accumulate::Fp32), 4096.0);
    if !in_any_order(Storage::Fp16) {
        assert_eq!(sum(Accumulate::Fp16), 2048.0);
    }
}

#[test]
fn bias_relu_and_their_gradients_equal_naive_loops() {
    for storage in STORAGES {
        for rows in SIZES {
            for columns in SIZES {
                let count = rows * columns;
                let shape = |storage| (storage, rows, columns);
                let (x, bias) = (values(3, count, storage), values(4, columns, storage));
                let tensors = [
                    shape(storage),
                    (storage, 1, columns),
                    shape(Storage::Fp32),
                    shape(storage),
                    shape(Storage::Fp32),
                    (Storage::Fp32, 1, columns),
                ];
                let ops = vec![
                    Op::BiasAdd { x: T[0], bias: T[1], out: T[2] },
                    Op::Relu { x: T[0], out: T[3] },
                    Op::ReluGrad { grad: T[2], output: T[3], out: T[4] },
                    Op::SumRows { x: T[0], out: T[5], accumulate: Accumulate::Fp32 },
                ];
                let (after, _) = run(&tensors, &[x.clone(), bias.clone()], ops, PLAIN, &[0]);
                for index in 0..count {
                    let sum = x[index] + bias[index % columns];
                    assert_eq!(after[2][index], sum);
                    assert_eq!(after[3][index], x[index].max(0.0));
                    assert_eq!(after[4][index], if x[index] > 0.0 { sum } else { 0.0 });
                }
                for column in 0..columns {
                    let cells = || (0..rows).map(|row| f64::from(x[row * columns + column]));
                    let magnitude = cells().map(f64::abs).sum();
                    Tolerance::sum(rows).check("sum of rows", after[5][column], cells().sum(), magnitude);
                }
            }
        }
    }
}

#[test]
fn relu_keeps_nan_and_drops_minus_zero() {
    for storage in STORAGES {
        let x = vec![f32::NAN, -0.0, f32::NEG_INFINITY, f32::INFINITY, -1.0, 2.0];
        let tensors = [(storage, 1, 6), (storage, 1, 6)];
        let (after, _) = run(&tensors, &[x], vec![Op::Relu { x: T[0], out: T[1] }], PLAIN, &[0]);
        assert!(after[1][0].is_nan());
        assert_eq!(after[1][1].to_bits(), 0);
        assert_eq!(after[1][2..], [0.0, f32::INFINITY, 0.0, 2.0]);
    }
}

#[test]
fn cross_entropy_equals_the_formula_at_any_scale() {
    for rows in [1, 63, 130] {
        let classes = 10;
        let labels: Vec<u8> = (0..rows).map(|row| (row % classes) as u8).collect();
        let logits: Vec<f32> = values(5, rows * classes, Storage::Fp32).iter().map(|value| value * 30.0).collect();
        let tensors = [(Storage::Fp32, rows, classes), (Storage::Fp32, rows, classes)];
        let op = |scaled| vec![Op::SoftmaxCrossEntropy { logits: T[0], grad: T[1], weight: 1e-4, scaled }];
        // WGSL's exp errs by 3 + 2·|x| units of its result, which is smaller the larger |x| is.
        let ulps = if kind() == BackendKind::Wgpu { 16.0 } else { 2.0 };
        for (scaled_loss, factor) in [(true, 1024.0), (false, 1.0)] {
            let (after, outcome) =
                run(&tensors, std::slice::from_ref(&logits), op(scaled_loss), scaled(1024.0), &labels);
            let mut loss = 0.0;
            for row in 0..rows {
                let cells: Vec<f64> =
                    logits[row * classes..][..classes].iter().map(|&logit| f64::from(logit)).collect();
                let sum: f64 = cells.iter().map(|logit| logit.exp()).sum();
                loss += sum.ln() - cells[usize::from(labels[row])];
                for class in 0..classes {
                    let onehot = f64::from(u8::from(usize::from(labels[row]) == class));
                    let step = f64::from(factor * 1e-4_f32 / rows as f32);
                    let exact = (cells[class].exp() / sum - onehot) * step;
                    let tolerance = Tolerance { storage: Storage::Fp32, ulps };
                    tolerance.check("gradient", after[1][row * classes + class], exact, step);
                }
            }
            let mean = loss / rows as f64;
            Tolerance { storage: Storage::Fp32, ulps }.check("loss", outcome.loss, mean, mean);
        }
    }
}

#[test]
fn exp_and_ln_are_accurate() {
    use halfscope::train::backend::cpu::{exp, ln};
    for index in -200_000..=200_000 {
        let x = f64::from(index) * 3.4e-3;
        let expected = x.exp();
        assert!((exp(x) - expected).abs() <= expected * 2f64.powi(-45), "exp {x}");
        let positive = exp(f64::from(index) * 1e-3);
        assert!((ln(positive) - positive.ln()).abs() <= 2f64.powi(-43), "ln {positive}");
    }
    assert_eq!((exp(0.0), ln(1.0), ln(0.0), ln(f64::INFINITY)), (1.0, 0.0, f64::NEG_INFINITY, f64::INFINITY));
    assert!(exp(f64::NAN).is_nan() && ln(f64::NAN).is_nan() && ln(-1.0).is_nan());
    assert!(exp(-1e300) < 1e-300 && exp(1e300) > 1e300);
}

#[test]
fn unscaling_divides_and_finds_what_is_not_finite() {
    for storage in STORAGES {
        for count in [1, 1023, 40_000] {
            let x = values(6, count, storage);
            let ops = || vec![Op::Unscale { x: T[0], out: T[1] }, Op::ScalerUpdate];
            let tensors = [(storage, count, 1), (Storage::Fp32, count, 1)];
            let (after, outcome) = run(&tensors, std::slice::from_ref(&x), ops(), scaled(1000.0), &[0]);
            assert!(!outcome.skipped);
            let inverse = (1.0 / 1000.0) as f32;
            assert!(after[1].iter().zip(&x).all(|(&out, &x)| out == x * inverse), "{storage:?} {count}");
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut x = x.clone();
                x[count * 2 / 3] = bad;
                assert!(run(&tensors, &[x], ops(), scaled(1000.0), &[0]).1.skipped, "{storage:?} {count} {bad}");
            }
        }
    }
}

/// torch's rule: what overflows only by unscaling is not seen by the check, and the step is taken.
#[test]
fn overflow_by_unscaling_is_not_found() {
    let ops = vec![Op::Unscale { x: T[0], out: T[1] }, Op::ScalerUpdate];
    let tensors = [(Storage::Fp32, 1, 1), (Storage::Fp32, 1, 1)];
    let (after, outcome) = run(&tensors, &[vec![1e38]], ops, scaled(2f32.powi(-20)), &[0]);
    assert!(after[1][0].is_infinite() && !outcome.skipped);
}

/// Clipping belongs after unscaling: g = [3, 4] at S = 65536 and norm 1 becomes [0.6, 0.8] (pytorch#40907); clipping the scaled
/// gradient first would leave 9e-6.
#[test]
fn clipping_after_unscaling_keeps_the_direction_and_the_norm() {
    let scale = 65536.0;
    let unscale = Op::Unscale { x: T[0], out: T[1] };
    let clip = |grad| Op::ClipNorm { grads: vec![grad], max_norm: 1.0 };
    let tensors = [(Storage::Fp32, 2, 1), (Storage::Fp32, 2, 1)];
    let run = |gradient: [f32; 2], ops| {
        run(&tensors, &[gradient.map(|value| value * scale).to_vec()], ops, scaled(scale), &[0]).0
    };
    let right = run([3.0, 4.0], vec![unscale.clone(), clip(T[1])]);
    assert!((right[1][0] - 0.6).abs() < 1e-6 && (right[1][1] - 0.8).abs() < 1e-6, "{:?}", right[1]);
    let small = run([0.003, 0.004], vec![unscale.clone(), clip(T[1])]);
    assert_eq!(small[1], [0.003, 0.004], "a small gradient stays as it is");
    let wrong = run([3.0, 4.0], vec![clip(T[0]), unscale]);
    assert!(wrong[1][0] < 1e-5, "the wrong order shrinks the step by the scale");
}

/// One step of SGD with momentum for every pair of storages, against FP64 with roundings where the storages ask for them.
#[test]
fn sgd_equals_the_formula() {
    for weight_storage in STORAGES {
        for state_storage in STORAGES {
            for count in [1, 1025, 20_000] {
                let [weight, grad, velocity] = [7, 8, 9].map(|seed| values(seed, count, Storage::Bf16));
                let tensors = [(weight_storage, count, 1), (Storage::Bf16, count, 1), (state_storage, count, 1)];
                let op = Op::Sgd { weight: T[0], grad: T[1], velocity: Some(T[2]), update: None, momentum: 0.75 };
                let inputs = [weight.clone(), grad.clone(), velocity.clone()];
                let (after, _) = run(&tensors, &inputs, vec![op], PLAIN, &[0]);
                for index in 0..count {
                    let v = round(state_storage, f64::from(0.75 * velocity[index] + grad[index]));
                    let w = round(weight_storage, f64::from(weight[index] + (-0.5 * v as f32)));
                    assert_eq!(
                        (f64::from(after[2][index]), f64::from(after[0][index])),
                        (v, w),
                        "{weight_storage:?} {index}"
                    );
                }
            }
        }
    }
}

const ADAM: Adam = Adam { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
const ADAM_OP: Op = Op::Adam { weight: T[0], grad: T[1], first: T[2], second: T[3], update: None, adam: ADAM };

/// Ten steps of Adam against the published formula in FP64.
#[test]
fn adam_equals_the_formula() {
    let (count, learning_rate) = (1500, 1e-3);
    let (weight, grad) = (values(10, count, Storage::Fp32), values(11, count, Storage::Fp32));
    let tensors = [(Storage::Fp32, count, 1); 4];
    let scalars = Scalars { scaler: None, learning_rate };
    let mut plan = compile(super::support::bench(&tensors, vec![ADAM_OP, Op::ScalerUpdate], scalars, 1), 2);
    plan.write(T[0], &weight).unwrap();
    plan.write(T[1], &grad).unwrap();
    for _ in 0..10 {
        step(plan.as_mut(), &[0.0], &[0], false);
    }
    for (index, &got) in plan.read(T[0]).unwrap().iter().enumerate() {
        let (g, mut w, mut m, mut v) = (f64::from(grad[index]), f64::from(weight[index]), 0.0, 0.0);
        for t in 1..=10 {
            m = 0.9 * m + 0.1 * g;
            v = 0.999 * v + 0.001 * g * g;
            let (m_hat, v_hat) = (m / (1.0 - 0.9f64.powi(t)), v / (1.0 - 0.999f64.powi(t)));
            w -= f64::from(learning_rate) * m_hat / (v_hat.sqrt() + 1e-8);
        }
        // Each of the ten steps rounds the weight once; the update itself is good to a few 2^-24 of 1e-3.
        Tolerance { storage: Storage::Fp32, ulps: 10.0 }.check("weight", got, w, 0.05);
    }
}

/// A model that was turned to FP16 as a whole: ε = 1e-8 is zero in FP16, so a zero gradient gives 0/0 (optax#1754).
#[test]
fn adam_with_fp16_moments_is_nan_where_the_gradient_is_zero() {
    for (storage, nan) in [(Storage::Fp16, true), (Storage::Fp32, false)] {
        let tensors = [(storage, 1, 1), (storage, 1, 1), (storage, 1, 1), (storage, 1, 1)];
        let (after, _) = run(&tensors, &[vec![1.0], vec![0.0]], vec![ADAM_OP], PLAIN, &[0]);
        assert_eq!(after[0][0].is_nan(), nan, "{storage:?}");
    }
}

#[test]
fn a_step_with_an_infinite_gradient_moves_nothing() {
    let ops = vec![
        Op::Unscale { x: T[1], out: T[1] },
        Op::Sgd { weight: T[0], grad: T[1], velocity: Some(T[2]), update: None, momentum: 0.5 },
        Op::ScalerUpdate,
    ];
    let tensors = [(Storage::Fp32, 2, 1), (Storage::Fp32, 2, 1), (Storage::Fp32, 2, 1)];
    let inputs = [vec![1.0, 2.0], vec![1.0, f32::INFINITY], vec![3.0, 4.0]];
    let (after, outcome) = run(&tensors, &inputs, ops, scaled(2.0), &[0]);
    assert!(outcome.skipped);
    assert_eq!((&after[0], &after[2]), (&inputs[0], &inputs[2]));
}
