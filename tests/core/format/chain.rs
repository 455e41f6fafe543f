//! Chains of conversions, their smallest witnesses, updates of weights, dot products.

use halfscope::format::{
    Accumulation, Chain, ChainEvent, DotPlan, Draws, Exact, Format, Order, Policy, Rounding, Value,
};
use halfscope::format::{Witness, parse_value, smallest_witness};

fn formats(names: &str) -> Vec<Format> {
    names.split(',').map(|name| Format::parse(name).unwrap()).collect()
}

fn chain(value: &str, names: &str, policy: &Policy) -> Chain {
    Chain::of(&parse_value(value).unwrap(), &formats(names), policy)
}

/// Value, formats, code at the end, direct code, what happened at the last link, source.
#[rustfmt::skip]
const ROUNDED_TWICE: &[(&str, &str, u64, u64, &str)] = &[
    ("1025.49995", "fp32,fp16", 0x6402, 0x6401, "halide/Halide#903: via FP32 a tie"),
    ("65519.9999", "fp32,fp16", 0x7c00, 0x7bff, "gfx-rs/wgpu#9499: via FP32 the border of infinity"),
    ("63343.99805", "fp32,fp16", 0x7bbc, 0x7bbb, "JuliaLang/julia#40315: via FP32 63360"),
    ("16842753", "fp32,bf16", 0x4b80, 0x4b81, "dotnet/runtime#112474; arch-com#629"),
    ("1.31640625", "bf16,e4m3", 0x3a, 0x3b, "MurrellGroup/Microfloats.jl#25: via BF16 1.25"),
    ("-431.99999999999994", "fp32,e4m3", 0xfe, 0xfd, "jax-ml/ml_dtypes#401: via FP32 -448"),
];

#[test]
fn reported_double_roundings() {
    for (value, names, twice, once, source) in ROUNDED_TWICE {
        let chain = chain(value, names, &Policy::default());
        let last = chain.links.last().unwrap();
        assert_eq!((last.rounded.bits, last.direct.bits), (*twice, *once), "{value} {names}: {source}");
        assert!(chain.differs());
        assert!(!chain.links[0].differs());
        assert_eq!(last.events[0], ChainEvent::DoubleRounding, "{source}");
        assert_eq!(last.events.get(1), (*twice == 0x7c00).then_some(&ChainEvent::FiniteToInfinite), "{source}");
    }
}

#[test]
fn what_a_link_does_is_named() {
    let events = |value: &str, names: &str, saturate: bool| {
        let policy = Policy { saturate, ..Policy::default() };
        chain(value, names, &policy).links.into_iter().flat_map(|link| link.events).collect::<Vec<_>>()
    };
    for (value, names, saturate, expected) in [
        ("1e30", "fp64,fp16,bf16", false, ChainEvent::FiniteToInfinite),
        ("1000", "fp16,e4m3", false, ChainEvent::FiniteToNan),
        ("1000", "fp16,e4m3", true, ChainEvent::Saturated),
        ("10", "e2m1", false, ChainEvent::Saturated),
        ("1e-9", "fp32,fp16", false, ChainEvent::ToZero),
        ("inf", "fp16,e4m3", false, ChainEvent::InfiniteToNan),
        ("inf", "fp16,e2m1", false, ChainEvent::InfiniteToFinite),
        ("nan", "fp16,e2m1", false, ChainEvent::NanToFinite),
        ("0", "fp16,e8m0", false, ChainEvent::ZeroToNan),
        ("-1", "fp16,e8m0", false, ChainEvent::NegativeToNan),
        ("-0", "fp16,e4m3fnuz", false, ChainEvent::ZeroSignLost),
    ] {
        assert_eq!(events(value, names, saturate), [expected], "{value} {names}");
    }
    let daz = Policy { daz: true, ..Policy::default() };
    let ignored = chain("2^-20", "fp16,fp32", &daz);
    assert_eq!(ignored.links[1].events, [ChainEvent::SubnormalIgnored, ChainEvent::ToZero]);
    assert!(events("1.5", "fp64,fp32,fp16,e4m3", false).is_empty());
    // −1e-7 becomes −0 in E4M3 and +0 in FNUZ, never the NaN that 0x80 is there (microsoft/onnxruntime#18473).
    let fnuz = chain("-0.0000001", "fp32,e4m3,e4m3fnuz", &Policy::default());
    assert_eq!(fnuz.links.iter().map(|link| link.rounded.bits).skip(1).collect::<Vec<_>>(), [0x80, 0x00]);
}

/// The search against a walk over every number of a 20-bit format.
#[test]
fn witnesses_are_the_smallest() {
    for names in [
        "e6m13,e5m2,e4m3",
        "e6m13,e4m3,e5m2",
        "e7m12,fp16,e2m1",
        "e6m13,e5m7,e4m3",
        "e6m13,e8m4,e3m2-nosub",
        "e6m13,fp16,e8m0",
        "e6m13,fp16,e5m2fnuz",
    ] {
        let formats = formats(names);
        for policy in Rounding::DETERMINISTIC.map(Policy::with_rounding) {
            let source = formats[0];
            let walked = (1..=source.max_finite_code()).find(|bits| {
                let through = formats.windows(2).fold(*bits, |code, pair| pair[0].convert(code, pair[1], &policy).bits);
                through != source.convert(*bits, formats[2], &policy).bits
            });
            let expected = walked.map_or(Witness::None, Witness::Found);
            assert_eq!(smallest_witness(&formats, &policy), Ok(expected), "{names} {:?}", policy.rounding);
        }
    }
}

#[test]
fn known_witnesses() {
    let find = |names: &str, policy: &Policy| smallest_witness(&formats(names), policy);
    // The smallest FP64 number that FP32 turns into the tie 2^-25 lies just above it, but is a double's step away.
    let Ok(Witness::Found(bits)) = find("fp64,fp32,fp16", &Policy::default()) else { panic!("found") };
    let value = f64::from_bits(bits);
    assert_eq!(value, 2f64.powi(-25) * (1.0 + f64::EPSILON));
    // FP32 has every FP16 number: nothing can differ. Neither by cutting off.
    assert_eq!(find("fp16,fp32,fp64", &Policy::default()), Ok(Witness::None));
    let cut = Policy::with_rounding(Rounding::Rtz);
    assert_eq!(find("fp64,fp32,fp16", &cut), Ok(Witness::None));
    // Rounding to odd is harmless with two more bits.
    assert!(find("fp64,fp16", &cut).is_err());
    assert!(find("fp64,fp32,fp16", &Policy::with_rounding(Rounding::Sr { random: 0 })).is_err());
}

#[test]
fn updates_are_lost_below_half_a_gap() {
    let update = |w: u64, u: u64| Format::FP16.update(w, u, &Policy::default());
    // 1 + 2^-11 goes back to 1; one step more does not.
    assert!(update(0x3c00, 0x1000).lost);
    assert!(!update(0x3c00, 0x1001).lost);
    // Below 1 the gap is half as wide.
    assert!(!update(0x3c00, 0x9000).lost);
    assert!(update(0x3c00, 0x8c00).lost);
    let lost = update(0x3c00, 0x1000);
    assert_eq!(lost.half_gap, Some(Exact::power_of_two(-11)));
    assert_eq!(lost.ratio, Some(Exact::power_of_two(11)));
    let chance = lost.chance.unwrap();
    assert_eq!((chance.toward_zero, chance.away_from_zero), (0x3c00, 0x3c01));
    assert_eq!(chance.away, Exact::power_of_two(-1));
    // An update of zero loses nothing; FP32 keeps what FP16 lost.
    assert!(!update(0x3c00, 0).lost);
    assert!(!Format::FP32.update(0x3f80_0000, 0x3a00_0000, &Policy::default()).lost);
    // Every weight: what is lost is what is not above half the gap.
    for w in (0x0400..0x7bff).step_by(37) {
        let half = update(w, 1).half_gap.unwrap();
        for u in [1, 0x0400, 0x1000, 0x1400, 0x2c00, 0x3c00, 0x4c00] {
            let step = update(w, u);
            let amount = Format::FP16.decode(u).finite().unwrap().clone();
            let tie_to_w = amount.compare(&half).is_eq() && w % 2 == 0;
            assert_eq!(step.lost, amount.compare(&half).is_lt() || tie_to_w, "{w:#x} {u:#x}");
        }
    }
}

#[test]
fn stochastic_rounding_of_half_the_smallest_number_is_a_coin() {
    // milankl/StochasticRounding.jl#62 and pytorch/FBGEMM#2798 report "always 0".
    let chance = Format::FP16.chance(&Exact::power_of_two(-25)).unwrap();
    assert_eq!((chance.toward_zero, chance.away_from_zero, chance.away), (0, 1, Exact::power_of_two(-1)));
    let exact = Format::FP16.chance(&Exact::power_of_two(0)).unwrap();
    assert_eq!((exact.toward_zero, exact.away_from_zero), (0x3c00, 0x3c00));
}

fn plan(accumulation: Accumulation, order: Order) -> DotPlan {
    DotPlan { input: Format::FP16, accumulation, order, output: Format::FP32, draws: Draws::new(Policy::default(), 0) }
}

fn halves(values: &[f32]) -> Vec<u64> {
    values.iter().map(|x| Format::FP16.round(&Value::from(*x), &Policy::default()).bits).collect()
}

fn as_f32(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[test]
fn fp32_accumulation_is_what_a_processor_does() {
    let a = halves(&[0.1, 1000.0, -3.5, 0.007, 2048.0, 1.0]);
    let b = halves(&[7.0, 0.333, 12.25, -90.0, 2048.0, 1.0]);
    let dot = plan(Accumulation::Sequential(Format::FP32), Order::Forward).dot(&a, &b, 0).unwrap();
    let half = |bits: u64| as_f32(Format::FP16.convert(bits, Format::FP32, &Policy::default()).bits);
    let expected = a.iter().zip(&b).fold(0.0f32, |sum, (a, b)| sum + half(*a) * half(*b));
    assert_eq!(as_f32(dot.result.bits), expected);
    assert_eq!(dot.steps.len(), 6);
    assert_eq!(dot.steps.iter().flat_map(|step| step.products.clone()).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
}

/// 2048 ones in FP16 stop at 2048; FP32, Kahan, blocks and the other order do not.
#[test]
fn how_products_are_added_matters() {
    let ones = halves(&vec![1.0; 4096]);
    let total = |accumulation, order| as_f32(plan(accumulation, order).dot(&ones, &ones, 0).unwrap().result.bits);
    assert_eq!(total(Accumulation::Sequential(Format::FP16), Order::Forward), 2048.0);
    assert_eq!(total(Accumulation::Sequential(Format::FP32), Order::Forward), 4096.0);
    assert_eq!(total(Accumulation::Kahan(Format::FP16), Order::Forward), 4096.0);
    assert_eq!(total(Accumulation::Fused { format: Format::FP16, width: 4 }, Order::Forward), 4096.0);
    let blocks = Accumulation::Blocks { inner: Format::FP16, outer: Format::FP32, length: 64 };
    assert_eq!(total(blocks, Order::Forward), 4096.0);
    let mixed = halves(&[2048.0, 1.0, 1.0, 1.0, 1.0]);
    let unit = halves(&[1.0; 5]);
    let sum = |order| {
        let plan = plan(Accumulation::Sequential(Format::FP16), order);
        let dot = plan.dot(&mixed, &unit, 0).unwrap();
        assert_eq!(as_f32(dot.best.bits), 2052.0);
        as_f32(dot.result.bits)
    };
    assert_eq!([Order::Forward, Order::Descending].map(sum), [2048.0; 2]);
    assert_eq!([Order::Backward, Order::Ascending].map(sum), [2052.0; 2]);
}

#[test]
fn a_tensor_core_step() {
    let row = |values: [f32; 4]| <[u64; 4]>::try_from(halves(&values)).unwrap();
    let a = [row([1.0, 2.0, 3.0, 4.0]), row([0.5, 0.25, -1.0, 8.0]), row([0.0; 4]), row([100.0; 4])];
    let identity = [0, 1, 2, 3].map(|i| row([0, 1, 2, 3].map(|j| f32::from(u8::from(i == j)))));
    let single = |x: f32| u64::from(x.to_bits());
    let c = [[single(1.0); 4], [single(0.0); 4], [single(-2.0); 4], [single(0.5); 4]];
    let fused = plan(Accumulation::Fused { format: Format::FP32, width: 4 }, Order::Forward);
    let d: Vec<f32> = fused.matrix(&a, &identity, &c).unwrap().iter().map(|dot| as_f32(dot.result.bits)).collect();
    assert_eq!(d[..4], [2.0, 3.0, 4.0, 5.0]);
    assert_eq!(d[8..12], [-2.0; 4]);
    assert_eq!(d[12..], [100.5; 4]);
    let infinite = [row([f32::INFINITY, 0.0, 0.0, 0.0]), a[1], a[2], a[3]];
    let dots = fused.matrix(&infinite, &identity, &c).unwrap();
    assert!(
        as_f32(dots[0].result.bits).is_infinite() && as_f32(dots[1].result.bits).is_nan() && dots[1].exact.is_none()
    );
}
