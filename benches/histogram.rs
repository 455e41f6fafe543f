//! How fast the exponent histogram is counted: 64 Mi FP32 values on one and on all threads, and tensors as small as
//! those of a network. `benches/peers/histogram.py` measures numpy and PyTorch on values of the same kind.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use halfscope::histogram::{ExponentHistogram, Rule, Target};

/// Values like gradients: magnitudes spread over some thirty binades, either sign, a share of exact zeros.
fn gradients(count: usize, zero_percent: u64) -> Vec<f32> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut value = || {
        let bits = next();
        if (bits >> 33) % 100 < zero_percent {
            return 0.0;
        }
        // A sum of small integers is a bell.
        let exponent = 85 + (0..6).map(|at| (bits >> (5 * at)) & 31).sum::<u64>() / 5;
        f32::from_bits((exponent as u32) << 23 | next() as u32 & 0x807f_ffff)
    };
    (0..count).map(|_| value()).collect()
}

fn large(criterion: &mut Criterion) {
    const VALUES: usize = 64 << 20;
    let mut group = criterion.benchmark_group("histogram/64Mi");
    group.throughput(Throughput::Bytes(4 * VALUES as u64)).sample_size(10);
    for zeros in [0, 40, 77] {
        let values = gradients(VALUES, zeros);
        group.bench_with_input(
            BenchmarkId::new("one thread", format!("{zeros} % zeros")),
            &values,
            |bencher, values| {
                bencher.iter(|| ExponentHistogram::of_f32(black_box(values)));
            },
        );
        group.bench_with_input(
            BenchmarkId::new("all threads", format!("{zeros} % zeros")),
            &values,
            |bencher, values| {
                bencher.iter(|| ExponentHistogram::of_f32_parallel(black_box(values)));
            },
        );
    }
    group.finish();
}

fn small(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("histogram/tensor");
    for count in [10, 640, 16_000, 200_704] {
        let values = gradients(count, 40);
        group.throughput(Throughput::Bytes(4 * count as u64));
        group.bench_with_input(BenchmarkId::from_parameter(count), &values, |bencher, values| {
            bencher.iter(|| ExponentHistogram::of_f32(black_box(values)));
        });
    }
    group.finish();
}

/// What the slider costs: classes and bars of a counted tensor at another scale.
fn what_if(criterion: &mut Criterion) {
    let histogram = ExponentHistogram::of_f32(&gradients(200_704, 40));
    criterion.bench_function("histogram/what-if", |bencher| {
        bencher.iter(|| black_box(&histogram).classes(Target::Fp16, black_box(10), Rule::Ieee));
    });
}

criterion_group!(benches, large, small, what_if);
criterion_main!(benches);
