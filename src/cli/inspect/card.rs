//! The card that `inspect` prints for people.

use std::io::{self, Write};

use super::error_of;
use crate::format::{ByteOrder, Class, Exact, Format, Language, Literal, Policy, Reason, Rounded, Status, Value};

/// Longest decimal printed whole; the exact digits of a small FP64 number go on for 767.
const WIDTH: usize = 96;

/// The line above the cards of a value.
pub(super) fn heading(out: &mut dyn Write, text: &str, literal: &Literal) -> io::Result<()> {
    let meaning = match literal {
        Literal::Bits { format, bits } => {
            format!("  = {}, a code of {}", shortened(&format.exact_decimal(*bits)), format.label())
        }
        Literal::Value(_) => String::new(),
    };
    writeln!(out, "{}{meaning}", shortened(text))
}

/// One card: a value in a format.
pub(super) fn write(
    out: &mut dyn Write,
    literal: &Literal,
    format: Format,
    rounded: &Rounded,
    policy: &Policy,
) -> io::Result<()> {
    let bits = rounded.bits;
    let class = format.class(bits);
    let finite = !matches!(class, Class::Infinite | Class::Nan);
    writeln!(out, "  {:<11} {}  {}", format.label(), grouped(format, bits), format.hex(bits))?;
    let mut row = |name: &str, text: &str| {
        if text.is_empty() { Ok(()) } else { writeln!(out, "  {name:<11} {text}") }
    };
    row("fields", &format.fields_text(bits))?;
    let bytes = ByteOrder::ALL.map(|order| format.bytes(bits, order));
    row("bytes", &format!("{} little-endian, {} big-endian", bytes[0], bytes[1]))?;
    let kind = match (class, landmark(format, bits)) {
        (Class::Nan, _) if is_signalling(format, bits) => "signalling NaN".to_owned(),
        (Class::Nan, _) => "NaN".to_owned(),
        (class, Some(landmark)) => format!("{}, {landmark}", class.name()),
        (class, None) => class.name().to_owned(),
    };
    row("value", &format!("{}  ({kind})", format.value_text(bits, Format::VALUE_WIDTH)))?;
    if finite {
        row("exact", &shortened(&format.exact_decimal(bits)))?;
        row("shortest", &format.shortest(bits))?;
        row("formula", &format!("{}  =  {}", format.power_form(bits), format.hex_float(bits)))?;
        let ulp = format.ulp(bits);
        let power = ulp.as_ref().and_then(|ulp| ulp.as_dyadic().map(|(_, exponent)| exponent)).unwrap_or(0);
        let exact = ulp.as_ref().and_then(Exact::to_decimal).filter(|text| text.len() <= 24);
        let decimal = exact.map(|text| format!("= {text}"));
        let about = || ulp.as_ref().and_then(|ulp| ulp.to_significant(6)).map(|text| format!("≈ {text}"));
        row("ulp", &format!("2^{power} {}", decimal.or_else(about).unwrap_or_default()))?;
    }
    if class != Class::Nan {
        let (down, up) = (format.next_down(bits), format.next_up(bits));
        let name =
            |code: u64| if code == bits { "none".to_owned() } else { format.value_text(code, Format::VALUE_WIDTH) };
        row("neighbours", &format!("below {}, above {}", name(down), name(up)))?;
    }
    let flags: Vec<_> = rounded.status.names().collect();
    row("flags", if flags.is_empty() { "none".to_owned() } else { flags.join(", ") }.as_str())?;
    if let Some((error, ulps)) = error_of(literal, format, bits).filter(|_| rounded.status.contains(Status::INEXACT)) {
        row("error", &format!("{error}  =  {ulps} ulp"))?;
    }
    row("why", &why(format, rounded, policy))
}

/// How the languages write a code.
pub(super) fn literals(out: &mut dyn Write, format: Format, bits: u64) -> io::Result<()> {
    for language in Language::ALL {
        let text = format.source(bits, language).unwrap_or_else(|| "no literal".to_owned());
        writeln!(out, "  {:<11} {text}", language.label())?;
    }
    Ok(())
}

/// The bits in groups: sign, exponent, fraction.
fn grouped(format: Format, bits: u64) -> String {
    let digits = format!("{bits:0width$b}", width = format.width() as usize);
    let (sign, rest) = digits.split_at(usize::from(format.is_signed()));
    let (exponent, fraction) = rest.split_at(format.exponent_bits() as usize);
    [sign, exponent, fraction].into_iter().filter(|group| !group.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_signalling(format: Format, bits: u64) -> bool {
    matches!(format.decode(bits), Value::Nan(nan) if nan.signalling)
}

/// What is special about a number's place in its format.
fn landmark(format: Format, bits: u64) -> Option<&'static str> {
    let magnitude = bits & format.magnitude_mask();
    match format.class(bits) {
        Class::Normal if magnitude == format.max_finite_code() => Some("the largest"),
        Class::Normal if magnitude == format.min_normal_code() => Some("the smallest normal"),
        Class::Subnormal if magnitude == 1 => Some("the smallest"),
        Class::Subnormal if magnitude + 1 == format.min_normal_code() => Some("the largest subnormal"),
        _ => None,
    }
}

/// Why a value was rounded as it was.
pub(in crate::cli) fn why(format: Format, rounded: &Rounded, policy: &Policy) -> String {
    let midpoint = || {
        let midpoint = rounded.trace.as_ref().map(crate::format::Trace::midpoint);
        midpoint.and_then(|exact| exact.to_significant(17)).unwrap_or_default()
    };
    let bits = || {
        rounded.trace.as_ref().map_or_else(String::new, |trace| {
            let [guard, round, sticky] = [trace.guard, trace.round, trace.sticky].map(u8::from);
            format!("; guard {guard}, round {round}, sticky {sticky}")
        })
    };
    let threshold = || format.limits().overflow_threshold.to_significant(17).unwrap_or_default();
    match format.reason(rounded, policy) {
        Reason::Exact => "the value has a code of its own".to_owned(),
        Reason::Special => "nothing to round".to_owned(),
        Reason::Undefined => "an invalid operation: no number is its result".to_owned(),
        Reason::DividedByZero => "finite numbers divided by zero: exactly infinity".to_owned(),
        Reason::Quieted => "a signalling NaN made quiet".to_owned(),
        Reason::NotInFormat => format!("{} has no code for it", format.label()),
        Reason::BelowMidpoint => format!("nearer to zero than the midpoint {}{}", midpoint(), bits()),
        Reason::AboveMidpoint => format!("farther from zero than the midpoint {}{}", midpoint(), bits()),
        Reason::TieToEven => format!("exactly the midpoint {}: to the even significand{}", midpoint(), bits()),
        Reason::TieAway => format!("exactly the midpoint {}: away from zero{}", midpoint(), bits()),
        Reason::CutOff => format!("cut off toward zero{}", bits()),
        Reason::TowardPositive => format!("up, toward +infinity{}", bits()),
        Reason::TowardNegative => format!("down, toward -infinity{}", bits()),
        Reason::ToOdd => format!("to the odd significand{}", bits()),
        Reason::Chance => format!("by chance, as likely as it is near{}", bits()),
        Reason::Overflow(Class::Infinite) => format!("overflow: nearest rounding leaves the range at {}", threshold()),
        Reason::Overflow(Class::Nan) => format!("overflow past {}, and no infinity: NaN stands for it", threshold()),
        Reason::Overflow(_) => "overflow: held at the largest finite number".to_owned(),
        Reason::Clamped => "below the smallest number, and no zero: held at the smallest".to_owned(),
        Reason::Flushed => "a subnormal result, flushed to zero".to_owned(),
    }
}

/// A long text with its middle left out.
pub(in crate::cli) fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= WIDTH {
        return text.to_owned();
    }
    // A scientific exponent at the end is worth more than the digits in front of it.
    let head: String = text.chars().take(WIDTH - 24).collect();
    let tail: String = text.chars().skip(count - 12).collect();
    format!("{head}…{tail} ({count} characters)")
}
