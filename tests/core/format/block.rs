//! Block formats against what OCP MX v1.0 and NVIDIA's description of NVFP4 say.

use halfscope::format::{BlockFormat, Class, Draws, Exact, Format, Policy, Status, Value, parse_value};

fn values(text: &str) -> Vec<Value> {
    text.split(' ').map(|word| parse_value(word).unwrap().value()).collect()
}

fn one() -> Exact {
    Exact::power_of_two(0)
}

fn plain() -> Draws {
    Draws::new(Policy::default(), 0)
}

/// Scale code and element codes of the first block.
fn codes(format: BlockFormat, text: &str) -> (u64, Vec<u64>) {
    let blocks = format.quantise(&values(text), &one(), &mut plain()).unwrap();
    (blocks[0].scale.bits, blocks[0].elements.iter().map(|element| element.rounded.bits).collect())
}

#[test]
fn the_formats_are_those_of_the_specification() {
    // OCP Microscaling Formats (MX) v1.0, table 1: 32 elements, scale E8M0.
    for (name, element, bits) in [
        ("mxfp8-e5m2", Format::E5M2, 8.25),
        ("mxfp8", Format::E4M3, 8.25),
        ("mxfp6-e3m2", Format::E3M2, 6.25),
        ("MXFP6-E2M3", Format::E2M3, 6.25),
        ("mxfp4", Format::E2M1, 4.25),
    ] {
        let format = BlockFormat::parse(name).unwrap();
        assert_eq!((format.element, format.scale, format.size), (element, Format::E8M0, 32));
        assert_eq!(format.bits_per_value(), bits);
    }
    let nv = BlockFormat::parse("nvfp4").unwrap();
    assert_eq!((nv.element, nv.scale, nv.size, nv.bits_per_value()), (Format::E2M1, Format::E4M3, 16, 4.5));
    for format in BlockFormat::presets() {
        assert_eq!(BlockFormat::parse(&format.name()), Ok(format));
    }
    assert!(BlockFormat::parse("mxfp5").unwrap_err().contains("mxfp4"));
}

/// MX v1.0 §6.3: X = 2^(floor(log2(max)) − emax), elements rounded to nearest even and saturated.
#[test]
fn mx_scales_are_powers_of_two() {
    // max 6: X = 2^(2 − 2) = 1.
    assert_eq!(codes(BlockFormat::MXFP4, "1 -2 3 6"), (127, vec![2, 12, 5, 7]));
    // max 7: X is still 1, and 7 saturates at 6: the rule does not round the scale up.
    assert_eq!(codes(BlockFormat::MXFP4, "7 0.25 0.75 -0"), (127, vec![7, 0, 2, 8]));
    // max 8: X = 2.
    assert_eq!(codes(BlockFormat::MXFP4, "8 1 5"), (128, vec![6, 1, 4]));
    // E4M3's emax is 8: 448 needs no scale, 1 gets 2^-8.
    assert_eq!(codes(BlockFormat::MXFP8_E4M3, "448 1"), (127, vec![0x7e, 0x38]));
    assert_eq!(codes(BlockFormat::MXFP8_E4M3, "1 0.5"), (119, vec![0x78, 0x70]));
    assert_eq!(codes(BlockFormat::MXFP6_E2M3, "7.5 0.125"), (127, vec![0x1f, 0x01]));
    // The ends of E8M0.
    assert_eq!(codes(BlockFormat::MXFP4, "2^-140").0, 0);
    assert_eq!(codes(BlockFormat::MXFP4, "2^200").0, 254);
}

#[test]
fn a_block_of_zeros_stays_zeros() {
    for format in BlockFormat::presets() {
        let blocks = format.quantise(&values("0 -0 0"), &one(), &mut plain()).unwrap();
        assert_eq!(blocks[0].scale.status, Status::NONE);
        assert!(blocks[0].elements.iter().all(|element| element.stored == Value::Finite(Exact::zero(false))));
    }
}

#[test]
fn specials_stay_in_the_element_or_spoil_the_scale() {
    let blocks = BlockFormat::MXFP8_E5M2.quantise(&values("1 inf nan"), &one(), &mut plain()).unwrap();
    let classes: Vec<_> = blocks[0].elements.iter().map(|element| Format::E5M2.class(element.rounded.bits)).collect();
    assert_eq!(classes, [Class::Normal, Class::Infinite, Class::Nan]);
    for text in ["1 nan", "inf 2"] {
        let blocks = BlockFormat::MXFP4.quantise(&values(text), &one(), &mut plain()).unwrap();
        assert_eq!(Format::E8M0.class(blocks[0].scale.bits), Class::Nan, "{text}");
        assert!(blocks[0].elements.iter().all(|element| matches!(element.stored, Value::Nan(_))));
    }
}

#[test]
fn blocks_are_cut_at_their_size_and_stored_values_are_scale_times_element() {
    let many: Vec<Value> = (1..=70).map(|n| Value::from(n as f32)).collect();
    for format in BlockFormat::presets() {
        let tensor = format.tensor_scale(&many);
        let blocks = format.quantise(&many, &tensor, &mut plain()).unwrap();
        assert_eq!(blocks.len(), 70_usize.div_ceil(format.size));
        for block in &blocks {
            let scale = format.scale.decode(block.scale.bits).finite().unwrap().mul(&tensor).unwrap();
            for element in &block.elements {
                let bare = format.element.decode(element.rounded.bits).finite().unwrap().mul(&scale).unwrap();
                assert_eq!(element.stored, Value::Finite(bare));
                // A relative error of half an ULP of the element, or saturation just above its largest number.
                let error = element.stored.finite().unwrap().sub(element.value.finite().unwrap()).unwrap();
                assert!(error.magnitude().to_f64() <= 12.0, "{}", format.name());
            }
        }
    }
}

/// NVFP4: the scale is max / 6 in E4M3, under a scale of the tensor that makes the largest scale 448.
#[test]
fn nvfp4_has_two_scales() {
    // 12 / 6 = 2 is an E4M3 number.
    assert_eq!(codes(BlockFormat::NVFP4, "12 6 -1"), (0x40, vec![7, 5, 9]));
    let data = values("2688 1 -5 0.001");
    let tensor = BlockFormat::NVFP4.tensor_scale(&data);
    assert_eq!(tensor, one());
    let blocks = BlockFormat::NVFP4.quantise(&data, &tensor, &mut plain()).unwrap();
    assert_eq!(blocks[0].scale.bits, 0x7e);
    assert_eq!(BlockFormat::MXFP4.tensor_scale(&data), one());
}
