//! Errors are data: each has a line in both languages, and the English one is what the command line prints.

use std::collections::HashSet;

use halfscope::export::refused;
use halfscope::format::{
    BlockFormat, Expression, Format, ParseError, Specials, Sweep, Value, parse_value, parse_values,
};
use halfscope::i18n::Lang;
use halfscope::i18n::refused::Refused;
use halfscope::link::ChainLink;

/// Every kind of error, from a text that leads to it.
fn errors() -> Vec<ParseError> {
    let long = format!("1{}", "+1".repeat(4_000));
    let deep = format!("{}1", "(".repeat(200));
    let values = [
        "",
        "hello",
        "0x",
        "0x7bff",
        "0x1.8",
        "1e",
        "0,5",
        "1_000",
        "1 2",
        &long,
        &deep,
        "1+2)",
        "(1+2",
        "1+",
        "2^100000000000000",
        "1/0",
        "2^0.5",
        "fp16:7bff",
        "fp16:2:0:0",
        "fp16:0:32:0",
        "fp16:0:0:1024",
        "fp16:0:x:0",
        "fp16:le:00",
        "fp16:0xzz",
        "fp16:0b12",
        "fp16:0x17bff",
    ];
    let formats =
        ["hello", "fp8", "float4", "e0m5", "e11m53", "e1m2", "e5m10b70000", "e4m3fnuz-uz", "e2m1-uz", "e8m0-uz"];
    let mut all: Vec<_> = values.map(|text| parse_value(text).unwrap_err()).into();
    all.extend(formats.map(|name| Format::parse(name).unwrap_err()));
    all.extend(["1", "y", "x^65", "sqrt x"].map(|text| Expression::parse(text).unwrap_err()));
    all.push(parse_values(" ").unwrap_err());
    let range = [2.0, 1.0].map(Value::from);
    all.push(Sweep::new(Expression::parse("x").unwrap(), Format::FP16, (&range[0], &range[1])).unwrap_err());
    all.push(BlockFormat::parse("mxfp5").unwrap_err());
    all.push(Format::custom(8, 0, None, Specials::Scale).unwrap_err());
    all.push(ChainLink::formats("fp16,fp16,fp16,fp16,fp16,fp16,fp16").unwrap_err());
    all
}

#[test]
fn every_error_says_the_same_in_both_languages() {
    let errors = errors();
    let kinds: HashSet<_> = errors.iter().map(std::mem::discriminant).collect();
    // A field that is too wide has a line of its own for each of the three.
    assert_eq!(kinds.len() + 2, Refused::ALL.len(), "a kind of error without an example here");
    for error in errors {
        let [english, chinese] = Lang::ALL.map(|lang| refused(&error, lang));
        assert_eq!(english, error.to_string());
        assert!(chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{chinese}");
        for line in [&english, &chinese] {
            assert!(!line.contains(['\n', '{', '}']), "{line}");
        }
        for field in error.fields() {
            assert!(chinese.contains(&field), "{chinese} says nothing of {field}");
        }
    }
}

#[test]
fn a_width_leads_to_its_formats() {
    for (name, wanted) in [("fp8", "e4m3 e5m2"), ("FP6", "e3m2 e2m3"), ("float4", "e2m1"), ("f8-nosub", "e4m3")] {
        let error = Format::parse(name).unwrap_err();
        assert!(matches!(&error, ParseError::WidthOnly { formats, .. } if formats.contains(wanted)), "{error}");
    }
    for name in ["e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz"] {
        assert_eq!(Format::parse(name).unwrap().width(), 8);
    }
}

/// What was typed stands in the line as it is, though it looks like a place for a field.
#[test]
fn braces_are_only_text() {
    let error = parse_value("{0}{1}").unwrap_err();
    assert!(refused(&error, Lang::En).contains("\"{0}{1}\""));
    assert!(refused(&error, Lang::ZhCn).contains("“{0}{1}”"));
}
