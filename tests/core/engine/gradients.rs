//! Gradients of ops and of whole networks against finite differences in FP64.

use halfscope::train::config::{Accumulate, ScalerConfig, Storage};
use halfscope::train::program::{Op, Program, TensorId};

use super::support::{PLAIN, Tolerance, batch, compile, run, small, step, values};

/// A network with `ReLU` between its layers in FP64; parameters are weight, bias, weight, bias, …
fn loss(parameters: &[Vec<f64>], widths: &[usize], images: &[f32], labels: &[u8]) -> f64 {
    let mut total = 0.0;
    for (image, &label) in images.chunks(widths[0]).zip(labels) {
        let mut x: Vec<f64> = image.iter().map(|&pixel| f64::from(pixel)).collect();
        for layer in 0..widths.len() - 1 {
            let (weight, bias) = (&parameters[2 * layer], &parameters[2 * layer + 1]);
            let relu = layer + 2 < widths.len();
            let out = |row: usize| {
                let sum: f64 = x.iter().zip(&weight[row * x.len()..]).map(|(x, w)| x * w).sum::<f64>() + bias[row];
                if relu { sum.max(0.0) } else { sum }
            };
            x = (0..bias.len()).map(out).collect();
        }
        let sum: f64 = x.iter().map(|logit| logit.exp()).sum();
        total += sum.ln() - x[usize::from(label)];
    }
    total / labels.len() as f64
}

fn check_network(widths: &[usize]) {
    let mut config = small("fp32", ScalerConfig::None);
    config.model.widths = widths.to_vec();
    config.loss_weight = 0.25;
    let mut program = Program::of(&config).unwrap();
    let layers = widths.len() - 1;
    let names: Vec<String> =
        (1..=layers).flat_map(|layer| [format!("fc{layer}.weight"), format!("fc{layer}.bias")]).collect();
    let gradients: Vec<TensorId> = names.iter().map(|name| program.keep(&format!("{name}.grad")).unwrap()).collect();
    let parameters: Vec<TensorId> = names.iter().map(|name| program.find(name).unwrap()).collect();
    let (images, labels) = batch(&config, 3);
    let mut plan = compile(program, 2);
    let mut wide: Vec<Vec<f64>> =
        parameters.iter().map(|&id| plan.read(id).unwrap().iter().map(|&value| f64::from(value)).collect()).collect();
    let outcome = step(plan.as_mut(), &images, &labels, false);
    let exact = loss(&wide, widths, &images, &labels);
    Tolerance { storage: Storage::Fp32, ulps: 16.0 }.check("loss", outcome.loss, exact, exact);
    for (index, &gradient) in gradients.iter().enumerate() {
        let got = plan.read(gradient).unwrap();
        for element in (0..got.len()).step_by(7) {
            const STEP: f64 = 1e-6;
            let middle = wide[index][element];
            let mut at = |offset: f64| {
                wide[index][element] = middle + offset;
                loss(&wide, widths, &images, &labels)
            };
            let difference = (at(STEP) - at(-STEP)) / (2.0 * STEP) * 0.25;
            wide[index][element] = middle;
            let error = (f64::from(got[element]) - difference).abs();
            // Central differences err by STEP² and by 2^-52/STEP; FP32 sums by some 2^-24.
            assert!(error < 2e-7, "{} {element}: {} but {difference}", names[index], got[element]);
        }
    }
}

#[test]
fn gradients_of_networks_equal_finite_differences() {
    check_network(&[7, 5]);
    check_network(&[20, 16, 5]);
    check_network(&[20, 16, 12, 5]);
}

/// Σ weights ∘ f(x) has the gradient that the op's backward form computes from `weights`.
#[test]
fn gradients_of_products_equal_finite_differences() {
    const T: [TensorId; 4] = [TensorId(0), TensorId(1), TensorId(2), TensorId(3)];
    let (m, k, n) = (3, 4, 5);
    let (a, b, g) = (values(1, m * k, Storage::Fp32), values(2, k * n, Storage::Fp32), values(3, m * n, Storage::Fp32));
    let objective = |a: &[f64], b: &[f64]| -> f64 {
        let cell = |row: usize, column: usize| (0..k).map(|i| a[row * k + i] * b[i * n + column]).sum::<f64>();
        (0..m * n).map(|index| f64::from(g[index]) * cell(index / n, index % n)).sum()
    };
    let product = |a, b, out, transpose_a, transpose_b| Op::MatMul {
        a,
        b,
        out,
        transpose_a,
        transpose_b,
        accumulate: Accumulate::Fp32,
        tf32: false,
    };
    let wide = |values: &[f32]| -> Vec<f64> { values.iter().map(|&value| f64::from(value)).collect() };
    let (wide_a, wide_b) = (wide(&a), wide(&b));
    let tensors = [
        (Storage::Fp32, m, k),
        (Storage::Fp32, k, n),
        (Storage::Fp32, m, n),
        (Storage::Fp32, m, k),
        (Storage::Fp32, k, n),
    ];
    let ops = vec![product(T[2], T[1], T[3], false, true), product(T[0], T[2], TensorId(4), true, false)];
    let (after, _) = run(&tensors, &[a, b, g.clone()], ops, PLAIN, &[0]);
    let difference = |values: &[f64], index: usize, objective: &dyn Fn(&[f64]) -> f64| {
        let at = |offset: f64| {
            let mut moved = values.to_vec();
            moved[index] += offset;
            objective(&moved)
        };
        (at(1e-4) - at(-1e-4)) / 2e-4
    };
    for (index, value) in after[3].iter().enumerate() {
        let exact = difference(&wide_a, index, &|a| objective(a, &wide_b));
        assert!((f64::from(*value) - exact).abs() < 1e-6, "A[{index}]");
    }
    for (index, value) in after[4].iter().enumerate() {
        let exact = difference(&wide_b, index, &|b| objective(&wide_a, b));
        assert!((f64::from(*value) - exact).abs() < 1e-6, "B[{index}]");
    }
}
