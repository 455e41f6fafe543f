//! What is shown of a number in a format, computed once per input: numbers as text, and where the format puts the value.

use crate::app::widgets::number_line::{Basin, NumberLine, Stop};
use crate::app::widgets::power;
use crate::format::{
    Border, Class, Exact, ExactParts, Format, Formula, Literal, Policy, Reason, Rounded, Rounding, Status, Value,
};
use crate::i18n::bits::{Beyond, Overflow};

/// Longest exact decimal that is shown whole.
const EXACT_WIDTH: usize = 42;

/// What a landmark of a format a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app::views) enum Landmark {
    Largest,
    SmallestNormal,
    LargestSubnormal,
    SmallestSubnormal,
}

/// The bits around the cut of a rounding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::app::views) struct CutBits {
    /// The kept significand, `1.0110…`.
    pub kept: String,
    pub guard: bool,
    pub round: bool,
    pub sticky: bool,
}

/// The value in one format.
#[derive(Debug, Clone)]
pub(in crate::app::views) struct Row {
    pub format: Format,
    pub bits: u64,
    pub hex: String,
    pub class: Class,
    pub signalling: bool,
    pub landmark: Option<Landmark>,
    /// What it is: all digits where they are few, else some, marked by "≈".
    pub value: String,
    /// The shortest decimal that reads back as it.
    pub shortest: String,
    /// All digits, or as many as there is room for.
    pub exact: String,
    /// The same with the digits apart that are not needed; `None` where there is no room for all.
    pub parts: Option<ExactParts>,
    pub formula: Option<Formula>,
    pub ulp: String,
    pub below: String,
    pub above: String,
    pub status: Status,
    pub reason: Reason,
    pub midpoint: String,
    /// How the value left the range, if it did.
    pub overflow: Option<Overflow>,
    /// The error and the same in ULP, where there is one.
    pub error: Option<(String, String)>,
    pub cut: Option<CutBits>,
    pub line: Option<NumberLine>,
    /// The neighbours of the typed value as text, for the words that go with the line.
    pub between: Option<(String, String)>,
}

impl Row {
    /// A typed value, rounded to a format.
    pub(in crate::app::views) fn new(literal: &Literal, format: Format, policy: &Policy) -> Self {
        Self::of(&literal.value(), &literal.round(format, policy), format, policy)
    }

    /// A value and what it was rounded to.
    pub(in crate::app::views) fn of(value: &Value, rounded: &Rounded, format: Format, policy: &Policy) -> Self {
        let bits = rounded.bits;
        let (line, between) = number_line(value, format, rounded, policy);
        let trace = rounded.trace.as_ref();
        Self {
            format,
            bits,
            hex: format.hex(bits),
            class: format.class(bits),
            signalling: matches!(format.decode(bits), Value::Nan(nan) if nan.signalling),
            landmark: landmark(format, bits),
            value: named(format, bits),
            shortest: shown(&format.shortest(bits)),
            exact: shown(&elided(&format.exact_decimal(bits), EXACT_WIDTH)),
            parts: Some(format.exact_parts(bits)).filter(|parts| parts.len() <= EXACT_WIDTH),
            formula: format.formula(bits),
            ulp: format.ulp(bits).map_or_else(String::new, |ulp| power_of_two(&ulp)),
            below: neighbour(format, bits, format.next_down(bits)),
            above: neighbour(format, bits, format.next_up(bits)),
            status: rounded.status,
            reason: format.reason(rounded, policy),
            midpoint: trace.map_or_else(String::new, |trace| exact_text(&trace.midpoint(), format)),
            overflow: rounded.status.contains(Status::OVERFLOW).then(|| overflow(value, format, policy)),
            error: error_of(value, format, rounded),
            cut: trace.map(|trace| CutBits {
                kept: kept_bits(format, trace.kept),
                guard: trace.guard,
                round: trace.round,
                sticky: trace.sticky,
            }),
            line,
            between,
        }
    }
}

/// What a code is: all its digits, or some that are marked as not all.
pub(in crate::app::views) fn named(format: Format, code: u64) -> String {
    shown(&format.value_text(code, Format::VALUE_WIDTH))
}

/// The same of a number beside a format's.
fn exact_text(exact: &Exact, format: Format) -> String {
    exact.short_text(Format::VALUE_WIDTH, format.telling_digits())
}

/// Where a value stands beyond the range, and whether nearest rounding took it there.
fn overflow(value: &Value, format: Format, policy: &Policy) -> Overflow {
    let limits = format.limits();
    let text =
        |exact: &Exact| exact_text(&if value.is_negative() { exact.clone().negated() } else { exact.clone() }, format);
    let nearest = matches!(policy.rounding, Rounding::Rne | Rounding::Rna);
    let tie = value.finite().is_some_and(|value| value.compare_magnitude(&limits.overflow_threshold).is_eq());
    let (significand, lsb) = format.significand(format.max_finite_code());
    Overflow {
        negative: value.is_negative(),
        why: match (nearest, tie) {
            (true, true) => Beyond::Tie,
            (true, false) => Beyond::Nearest,
            (false, _) => Beyond::Directed,
        },
        largest: text(&limits.max_finite),
        threshold: text(&limits.overflow_threshold),
        next: text(&after_largest(significand, lsb)),
    }
}

/// Infinity as a sign.
pub(in crate::app::views) fn shown(text: &str) -> String {
    text.replace("inf", "∞").replace("nan", "NaN")
}

/// A long text with its end left out; a scientific exponent stays.
pub(in crate::app::views) fn elided(text: &str, width: usize) -> String {
    if text.len() <= width {
        return text.to_owned();
    }
    let exponent = text.find('e').map_or("", |at| &text[at..]);
    format!("{}…{exponent}", &text[..width.saturating_sub(exponent.len())])
}

/// `2^-24`; every ULP is a power of two.
fn power_of_two(exact: &Exact) -> String {
    let exponent = exact.as_dyadic().map_or(0, |(_, exponent)| exponent);
    match exponent {
        // Small whole numbers say more as such.
        0..=12 => (1u32 << exponent).to_string(),
        _ => power::of_two(exponent as i32),
    }
}

fn neighbour(format: Format, bits: u64, code: u64) -> String {
    if code == bits { "–".to_owned() } else { named(format, code) }
}

fn landmark(format: Format, bits: u64) -> Option<Landmark> {
    let magnitude = bits & format.magnitude_mask();
    match magnitude {
        _ if magnitude == format.max_finite_code() => Some(Landmark::Largest),
        _ if magnitude == format.min_normal_code() => Some(Landmark::SmallestNormal),
        _ if magnitude + 1 == format.min_normal_code() => Some(Landmark::LargestSubnormal),
        1 => Some(Landmark::SmallestSubnormal),
        _ => None,
    }
}

fn error_of(value: &Value, format: Format, rounded: &Rounded) -> Option<(String, String)> {
    if !rounded.status.contains(Status::INEXACT) {
        return None;
    }
    let (Value::Finite(typed), Value::Finite(result)) = (value, format.decode(rounded.bits)) else {
        return None;
    };
    let error = result.sub(typed).ok()?;
    let ulps = error.div(&format.ulp(rounded.bits)?).ok()?;
    let signed = |text: String| if text.starts_with('-') { text } else { format!("+{text}") };
    Some((signed(error.to_significant(6)?), signed(ulps.to_significant(6)?)))
}

/// The kept significand with its point: `1.0000000001`, `0.0000000001`.
fn kept_bits(format: Format, kept: u64) -> String {
    let digits = format!("{kept:0width$b}", width = format.precision() as usize);
    let (whole, fraction) = digits.split_at(digits.len() - format.fraction_bits() as usize);
    format!("{whole}.{fraction}")
}

/// Where the stops of a line are: two neighbours far apart, or one number in the middle of its neighbours.
const LOW: f32 = 0.25;
const HIGH: f32 = 0.75;

/// The stretch of the number line around a finite value, and its two neighbours there as text.
fn number_line(
    value: &Value,
    format: Format,
    rounded: &Rounded,
    policy: &Policy,
) -> (Option<NumberLine>, Option<(String, String)>) {
    let Value::Finite(typed) = value else {
        return (None, None);
    };
    let label = |bits: u64| named(format, bits);
    let typed_text = typed_label(typed);
    let exact = rounded.trace.as_ref().is_none_or(|trace| !(trace.guard || trace.round || trace.sticky));
    if exact && rounded.status.is_empty() {
        let bits = rounded.bits;
        let codes = [format.next_down(bits), bits, format.next_up(bits)];
        let stop = |(at, code): (f32, u64)| {
            let beyond = format.class(code) == Class::Infinite;
            Stop { at, label: label(code), code: format.hex(code), beyond, result: code == bits }
        };
        let stops = [0.1, 0.5, 0.9].into_iter().zip(codes).map(stop).collect();
        let midpoints = vec![(0.3, String::new()), (0.7, String::new())];
        return (Some(NumberLine { stops, midpoints, basins: Vec::new(), typed: (0.5, typed_text) }), None);
    }
    let Some(trace) = &rounded.trace else {
        return (None, None);
    };
    let (mut near, mut far) = (trace.toward_zero_value(), trace.away_from_zero_value());
    let largest = format.limits().max_finite;
    let over = near.compare_magnitude(&largest).is_gt();
    if over {
        // Far beyond the range: the last two stops there are.
        let (significand, lsb) = format.significand(format.max_finite_code());
        let next = after_largest(significand, lsb);
        (near, far) = if typed.is_negative() { (largest.negated(), next.negated()) } else { (largest, next) };
    }
    let position = if over { 1.2 } else { share(typed, &near, &far) };
    let code_of = |exact: &Exact| format.round(&Value::Finite(exact.clone()), &Policy::default()).bits;
    let stop_of = |exact: &Exact, at: f32| {
        let code = code_of(exact);
        let beyond = format.class(code) == Class::Infinite;
        let text = if beyond { format!("{} → {}", exact_text(exact, format), label(code)) } else { label(code) };
        Stop { at, label: text, code: format.hex(code), beyond, result: code == rounded.bits }
    };
    // The line runs from minus to plus; away from zero is to the left for a negative value.
    let mirrored = typed.is_negative();
    let place = |share: f32| if mirrored { HIGH - (HIGH - LOW) * share } else { LOW + (HIGH - LOW) * share };
    let mut stops = vec![stop_of(&near, place(0.0)), stop_of(&far, place(1.0))];
    if mirrored {
        stops.reverse();
    }
    let between = (stops[0].label.clone(), stops[1].label.clone());
    let middle = if over { format.limits().overflow_threshold } else { trace.midpoint() };
    let middle = if over && mirrored { middle.negated() } else { middle };
    let midpoints = vec![(0.5, exact_text(&middle, format))];
    let basins = if over { Vec::new() } else { basins(trace.border(policy.rounding), mirrored) };
    (Some(NumberLine { stops, midpoints, basins, typed: (place(position), typed_text) }), Some(between))
}

/// Which part of the gap goes to which of the two stops.
fn basins(border: Border, mirrored: bool) -> Vec<Basin> {
    let basin = |from, to| Basin { from, to, fades: border == Border::Chance };
    let (near, far) = if mirrored { (HIGH, LOW) } else { (LOW, HIGH) };
    match border {
        Border::Midpoint => vec![basin(near, f32::midpoint(LOW, HIGH)), basin(far, f32::midpoint(LOW, HIGH))],
        Border::AllTowardZero => vec![basin(near, far)],
        Border::AllAway => vec![basin(far, near)],
        Border::Chance => vec![basin(near, far), basin(far, near)],
    }
}

/// The number after the largest finite one, as if the exponent had no end.
fn after_largest(significand: u64, lsb: i64) -> Exact {
    let unit = Exact::power_of_two(lsb);
    let largest = Exact::dyadic(false, significand.into(), lsb);
    largest.add(&unit).unwrap_or(largest)
}

/// How far a value has come from its neighbour near zero to the one far from it, 0 to 1.
fn share(typed: &Exact, near: &Exact, far: &Exact) -> f32 {
    let part = |a: &Exact, b: &Exact| a.sub(b).ok();
    let share = part(typed, near).zip(part(far, near)).and_then(|(part, whole)| part.div(&whole).ok());
    share.map_or(0.5, |share| share.to_f64() as f32)
}

/// The typed value, short enough for a label.
fn typed_label(typed: &Exact) -> String {
    typed.short_text(Format::VALUE_WIDTH, 12)
}
