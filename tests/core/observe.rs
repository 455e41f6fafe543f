//! What a device's instructions do, beside the exact results: the processor's are right, and what is wrong is told apart.

use std::sync::Arc;

use halfscope::observe::observe;
use halfscope::train::backend::{Backend, Plan, Primitive, open};
use halfscope::train::config::BackendKind;
use halfscope::train::program::Program;

/// IEEE 754 fixes every bit of these operations but those of NaN.
#[test]
fn the_processor_is_right_about_everything_but_the_bits_of_nan() {
    let processor = open(BackendKind::Cpu, 1).unwrap();
    for primitive in Primitive::ALL {
        let seen = observe(processor.as_ref(), primitive).unwrap();
        assert!(seen.asked >= 65_536, "{primitive:?}");
        assert_eq!((seen.flushed, seen.wrong, seen.farthest), (0, 0, None), "{primitive:?}: {:?}", seen.examples);
        assert_eq!(seen.right + seen.other_nan, seen.asked, "{primitive:?}");
    }
}

/// A device that does something else to what the processor gives.
struct Odd(fn(u32) -> u32);

impl Backend for Odd {
    fn device(&self) -> String {
        "odd".into()
    }

    fn observe(&self, primitive: Primitive, a: &[u32], b: &[u32]) -> Result<Vec<u32>, String> {
        let seen = open(BackendKind::Cpu, 1)?.observe(primitive, a, b)?;
        Ok(seen.into_iter().map(self.0).collect())
    }

    fn compile(&self, _: Arc<Program>) -> Result<Box<dyn Plan>, String> {
        Err("it only does single operations".into())
    }
}

#[test]
fn flushing_and_wrong_rounding_are_told_apart() {
    let flushing = Odd(|bits| if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits });
    let seen = observe(&flushing, Primitive::Mul).unwrap();
    assert!(seen.flushed > 0 && seen.wrong == 0, "{seen:?}");

    let sloppy = Odd(|bits| if bits & 0x7f80_0000 < 0x7f00_0000 && bits % 97 == 0 { bits + 2 } else { bits });
    let seen = observe(&sloppy, Primitive::Div).unwrap();
    assert!(seen.wrong > 1000 && seen.farthest == Some(2), "{seen:?}");
    assert!(seen.examples.len() > 1 && seen.examples.iter().all(|example| example.seen != example.right));

    let saturating = Odd(|half| if half & 0x7fff == 0x7c00 { half - 1 } else { half });
    let seen = observe(&saturating, Primitive::Narrow).unwrap();
    assert!(seen.wrong > 0 && seen.farthest.is_none(), "infinity has no distance: {seen:?}");
}
