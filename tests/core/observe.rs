//! What a device's instructions do, beside the exact results: the processor's are right, and devices that are made wrong on
//! purpose are seen through.

use std::ops::ControlFlow;
use std::sync::Arc;

use halfscope::export::observed;
use halfscope::observe::{Coverage, Departure, Observation, Place, Primitive, Request, observe};
use halfscope::train::backend::{Backend, Plan, open};
use halfscope::train::config::BackendKind;
use halfscope::train::program::Program;

/// A device that does something else to what the processor gives: its second part sees operation, operands and result.
struct Odd(fn(Primitive, [u32; 3], u32) -> u32);

impl Backend for Odd {
    fn device(&self) -> String {
        "odd".into()
    }

    fn instruction(&self, _: Primitive) -> &'static str {
        "odd instruction"
    }

    fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String> {
        let seen = open(BackendKind::Cpu, 1)?.observe(primitive, operands)?;
        let row = |at: usize| operands.map(|column| column.get(at).copied().unwrap_or(0));
        Ok(seen.into_iter().enumerate().map(|(at, seen)| self.0(primitive, row(at), seen)).collect())
    }

    fn compile(&self, _: Arc<Program>) -> Result<Box<dyn Plan>, String> {
        Err("it only does single operations".into())
    }
}

fn seen_of(backend: &dyn Backend, primitive: Primitive) -> Observation {
    observe(backend, primitive, Request::default(), &mut |_| ControlFlow::Continue(())).unwrap()
}

/// The departures that occurred, most frequent first.
fn kinds(seen: &Observation) -> Vec<Departure> {
    let mut kinds: Vec<_> = seen.departures().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    kinds.into_iter().map(|(departure, _)| departure).collect()
}

/// IEEE 754 fixes every bit of these operations but those of NaN.
#[test]
fn the_processor_is_right_about_everything_but_the_bits_of_nan() {
    let processor = open(BackendKind::Cpu, 1).unwrap();
    for primitive in Primitive::ALL {
        let seen = seen_of(processor.as_ref(), primitive);
        assert!(seen.asked >= 65_536 && seen.is_whole(), "{primitive:?}");
        assert_eq!((seen.flushed(), seen.wrong(), seen.farthest), (0, 0, None), "{primitive:?}: {:?}", seen.examples);
        assert_eq!(seen.right + seen.other_nan(), seen.asked, "{primitive:?}");
        assert!(!seen.instruction.is_empty());
    }
}

/// On x86-64 the conversions are said to be F16C's exactly where the processor has it.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_report_says_what_converts() {
    let processor = open(BackendKind::Cpu, 1).unwrap();
    let wanted = if is_x86_feature_detected!("f16c") { "F16C" } else { "integers" };
    assert_eq!(processor.instruction(Primitive::Narrow), wanted);
    assert_eq!(processor.instruction(Primitive::NarrowBf16), "integers");
}

#[test]
fn flushing_is_seen_at_operands_and_results() {
    let zero_of = |bits: u32| if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits };
    let flushing = Odd(|_, _, seen| if seen & 0x7f80_0000 == 0 { seen & 0x8000_0000 } else { seen });
    let seen = seen_of(&flushing, Primitive::Mul);
    assert_eq!(kinds(&seen)[0], Departure::ResultFlushed, "{seen:?}");
    assert_eq!((seen.flushed(), seen.wrong()), (seen.count(Departure::ResultFlushed), 0));

    // A product of a subnormal and a large number is normal; here it is zero.
    let poor = Odd(|_, [a, b, _], seen| {
        let subnormal = |bits: u32| bits & 0x7f80_0000 == 0 && bits & 0x7fff_ffff != 0;
        let finite = |bits: u32| bits & 0x7f80_0000 != 0x7f80_0000;
        if (subnormal(a) || subnormal(b)) && finite(a) && finite(b) { (a ^ b) & 0x8000_0000 } else { seen }
    });
    let seen = seen_of(&poor, Primitive::Mul);
    assert!(seen.count(Departure::OperandFlushed) > 1000 && seen.wrong() == 0, "{seen:?}");
    let example = seen.examples.iter().find(|example| example.departure == Departure::OperandFlushed).unwrap();
    assert!(example.operands[..2].iter().any(|&bits| zero_of(bits) != bits) && f32::from_bits(example.seen) == 0.0);
}

#[test]
fn wrong_rounding_is_counted_with_its_distance() {
    let sloppy = Odd(|_, _, seen| if seen & 0x7f80_0000 < 0x7f00_0000 && seen % 97 == 0 { seen + 2 } else { seen });
    let seen = seen_of(&sloppy, Primitive::Div);
    assert!(seen.wrong() > 1000 && seen.farthest == Some(2), "{seen:?}");
    assert!(seen.examples.iter().all(|example| example.seen != example.right));
    let off = seen.examples.iter().find(|example| example.departure == Departure::Off).unwrap();
    assert!(off.distance() == 2 && !off.is_toward_zero());
}

/// FP32 to FP16 by cutting bits off: exactly the inputs that rounding to nearest takes away from zero are one code short.
#[test]
fn truncation_is_one_code_toward_zero() {
    fn cut(bits: u32) -> u32 {
        let value = f64::from(f32::from_bits(bits)).abs();
        let half = (0..0x7c00_u32).collect::<Vec<_>>().partition_point(|&code| {
            let (field, fraction) = (code >> 10, f64::from(code & 0x3ff));
            let number =
                if field == 0 { fraction * 2f64.powi(-24) } else { (1024.0 + fraction) * 2f64.powi(field as i32 - 25) };
            number <= value
        }) as u32;
        (bits >> 16) & 0x8000 | (half - 1)
    }
    let truncating =
        Odd(|_, [a, ..], seen| if f32::from_bits(a).abs() < 65536.0 && a.is_multiple_of(5003) { cut(a) } else { seen });
    let seen = seen_of(&truncating, Primitive::Narrow);
    let short: Vec<_> = seen.examples.iter().filter(|example| example.departure == Departure::Off).collect();
    assert!(seen.count(Departure::Off) > 10 && seen.farthest == Some(1), "{seen:?}");
    assert!(short.iter().all(|example| example.is_toward_zero() || example.right & 0x8000 != 0));
    assert_eq!(seen.flushed(), seen.count(Departure::ResultFlushed));
}

#[test]
fn what_has_no_distance_is_told_apart() {
    type Case = (Primitive, fn(Primitive, [u32; 3], u32) -> u32, Departure);
    let cases: [Case; 8] = [
        (
            Primitive::Narrow,
            |_, _, half| if half & 0x7fff == 0x7c00 { half - 1 } else { half },
            Departure::FromInfinity,
        ),
        (Primitive::Narrow, |_, _, half| if half & 0x7fff == 0x7bff { half + 1 } else { half }, Departure::ToInfinity),
        (Primitive::Narrow, |_, _, half| if half & 0x7fff == 0x7c00 { 0x7e00 } else { half }, Departure::ToNan),
        (
            Primitive::NarrowBf16,
            |_, _, half| if half & 0x7fff > 0x7f80 { half & 0x8000 } else { half },
            Departure::FromNan,
        ),
        (Primitive::Add, |_, _, seen| if seen == 0x8000_0000 { 0 } else { seen }, Departure::Sign),
        (Primitive::Sqrt, |_, _, seen| if seen == 0xffc0_0000 { seen } else { seen & 0x7fff_ffff }, Departure::Sign),
        (
            Primitive::Widen,
            |_, [a, ..], seen| if a & 0x7fff > 0x7c00 { (a & 0x8000) << 16 | 0x7f80_2000 } else { seen },
            Departure::NanSignalling,
        ),
        (
            Primitive::Widen,
            |_, [a, ..], seen| if a & 0x7fff > 0x7c00 { (!a & 0x8000) << 16 | 0x7fc0_0000 } else { seen },
            Departure::NanSign,
        ),
    ];
    for (primitive, odd, departure) in cases {
        let seen = seen_of(&Odd(odd), primitive);
        assert!(seen.count(departure) > 0, "{primitive:?}: {seen:?}");
        // Nothing of it was taken for anything else but NaN bits, which are the processor's own.
        let others: u64 = seen.departures().filter(|(other, _)| *other != departure).map(|(_, count)| count).sum();
        assert!(others <= seen.other_nan(), "{primitive:?}: {seen:?}");
        assert_eq!(seen.farthest, None, "{primitive:?}");
    }
}

/// A device that rounds the product before it adds is found out by the inputs that leave nothing but the product's rounding error.
#[test]
fn a_multiply_add_that_is_not_fused_is_seen() {
    let unfused = Odd(|primitive, [a, b, c], seen| match primitive {
        Primitive::Fma => (f32::from_bits(a) * f32::from_bits(b) + f32::from_bits(c)).to_bits(),
        _ => seen,
    });
    let seen = seen_of(&unfused, Primitive::Fma);
    assert!(seen.wrong() > 100_000, "{seen:?}");
}

/// However the work is shared out, the report is the same; and one that is stopped says what it covers.
#[test]
fn the_report_does_not_depend_on_threads_and_can_be_stopped() {
    let odd = Odd(|_, _, seen| if seen % 1013 == 7 { seen ^ 1 } else { seen });
    let with = |threads: usize| {
        let request = Request { threads, ..Request::default() };
        observe(&odd, Primitive::Fma, request, &mut |_| ControlFlow::Continue(())).unwrap()
    };
    assert_eq!(with(1), with(3));
    assert!(with(1).count(Departure::Off) > 100 && with(1).examples.len() > 2);

    let request = Request { coverage: Coverage::All, threads: 2 };
    let mut told = Vec::new();
    let seen = observe(&odd, Primitive::Narrow, request, &mut |seen| {
        told.push(seen.asked);
        if told.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let seen = seen.unwrap();
    assert_eq!((seen.planned, seen.is_whole()), (1 << 32, false));
    assert_eq!(told, [seen.asked / 2, seen.asked]);
    assert!(seen.asked < 1 << 24);
}

#[test]
fn all_inputs_are_asked_of_operations_of_one_operand() {
    for primitive in Primitive::ALL {
        let all = Coverage::All.inputs(primitive);
        let wanted = match primitive {
            Primitive::Narrow | Primitive::NarrowBf16 | Primitive::Sqrt => 1 << 32,
            Primitive::Widen => 1 << 16,
            _ => Coverage::Chosen.inputs(primitive),
        };
        assert_eq!(all, wanted, "{primitive:?}");
    }
}

/// A device that fails is one line, not a panic and not a report.
#[test]
fn a_device_that_fails_is_one_line() {
    struct Gone;
    impl Backend for Gone {
        fn device(&self) -> String {
            "gone".into()
        }
        fn instruction(&self, _: Primitive) -> &'static str {
            "none"
        }
        fn observe(&self, _: Primitive, _: [&[u32]; 3]) -> Result<Vec<u32>, String> {
            Err("the device was lost".into())
        }
        fn compile(&self, _: Arc<Program>) -> Result<Box<dyn Plan>, String> {
            Err("the device was lost".into())
        }
    }
    let seen = observe(&Gone, Primitive::Add, Request::default(), &mut |_| ControlFlow::Continue(()));
    assert_eq!(seen, Err("the device was lost".to_owned()));
}

#[test]
fn a_report_is_one_json_object_a_line() {
    let odd = Odd(|_, _, half| if half & 0x7fff == 0x7c00 { half - 1 } else { half });
    let seen = [Primitive::Widen, Primitive::Narrow].map(|primitive| seen_of(&odd, primitive));
    let text = String::from_utf8(observed("odd \"device\"", &seen).unwrap()).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    let narrow = &lines[1];
    assert_eq!((&narrow["device"], &narrow["operation"]), (&"odd \"device\"".into(), &"fp32-to-fp16".into()));
    assert_eq!((&narrow["by"], &narrow["coverage"]), (&"odd instruction".into(), &"chosen".into()));
    let count = |key: &str| narrow[key].as_u64().unwrap();
    assert_eq!(count("inputs"), count("planned"));
    assert_eq!(count("right") + count("other_nan") + count("flushed") + count("wrong"), count("inputs"));
    assert_eq!(narrow["departures"]["from-infinity"].as_u64(), Some(count("wrong")));
    assert!(narrow["farthest"].is_null());
    let example =
        narrow["examples"].as_array().unwrap().iter().find(|one| one["departure"] == "from-infinity").unwrap();
    assert_eq!((&example["right"], &example["seen"]), (&"0x7c00".into(), &"0x7bff".into()));
    assert_eq!(example["operands"][0].as_str().map(str::len), Some(10));
}

/// wgpu may do much, but what it did in integers is right; so is a named graphics processor opened beside the chosen one.
#[test]
fn graphics_processors_are_observed_by_name() {
    let devices = halfscope::train::devices::Devices::find();
    let places = Place::among(&devices);
    assert_eq!(places[0].0, Place::CPU);
    assert_eq!(places.iter().filter(|(place, _)| place.kind == BackendKind::Cuda).count(), 1);
    let Some((place, Ok(name))) = places.iter().find(|(place, name)| place.adapter.is_some() && name.is_ok()) else {
        assert!(!crate::support::require("wgpu"), "no adapter");
        return crate::support::skipped("wgpu", "no adapter");
    };
    let subject = place.open().unwrap();
    assert_eq!(subject.device(), *name);
    let bf16 = subject.observe(Primitive::NarrowBf16, Request::default(), &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((bf16.wrong(), bf16.flushed(), bf16.instruction), (0, 0, "integers"));
    for primitive in Primitive::ALL {
        let seen = subject.observe(primitive, Request::default(), &mut |_| ControlFlow::Continue(())).unwrap();
        // Not even a multiply-add need be fused.
        assert!(seen.is_whole() && (seen.right * 2 > seen.asked || primitive == Primitive::Fma), "{seen:?}");
    }
    let nowhere = Place { adapter: Some("no such thing".into()), ..place.clone() };
    assert!(nowhere.open().unwrap_err().contains("no such thing"));
}
