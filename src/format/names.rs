//! What formats are called.

use super::error::ParseError;
use super::literal::short;
use super::spec::{Format, Specials};

struct Preset {
    format: Format,
    label: &'static str,
    /// The canonical name first, then its aliases; all lower case.
    names: &'static [&'static str],
}

const PRESETS: [Preset; 14] = [
    Preset { format: Format::FP64, label: "FP64", names: &["fp64", "f64", "float64", "double", "binary64"] },
    Preset { format: Format::FP32, label: "FP32", names: &["fp32", "f32", "float32", "float", "single", "binary32"] },
    Preset { format: Format::TF32, label: "TF32", names: &["tf32"] },
    Preset { format: Format::FP16, label: "FP16", names: &["fp16", "f16", "float16", "half", "binary16"] },
    Preset { format: Format::BF16, label: "BF16", names: &["bf16", "bfloat16"] },
    Preset { format: Format::E5M2, label: "E5M2", names: &["e5m2"] },
    Preset { format: Format::E4M3, label: "E4M3", names: &["e4m3", "e4m3fn"] },
    Preset { format: Format::E5M2FNUZ, label: "E5M2FNUZ", names: &["e5m2fnuz"] },
    Preset { format: Format::E4M3FNUZ, label: "E4M3FNUZ", names: &["e4m3fnuz"] },
    Preset { format: Format::E3M2, label: "E3M2", names: &["e3m2"] },
    Preset { format: Format::E2M3, label: "E2M3", names: &["e2m3"] },
    Preset { format: Format::E2M1, label: "E2M1", names: &["e2m1"] },
    Preset { format: Format::E8M0, label: "E8M0", names: &["e8m0"] },
    Preset { format: Format::FP16_ARM, label: "FP16 (Arm)", names: &["fp16-arm"] },
];

/// What people call formats by their width alone, and which formats have it.
const WIDTHS: [(&[&str], &str); 3] = [
    (&["fp8", "f8", "float8"], "e4m3 e5m2 e4m3fnuz e5m2fnuz"),
    (&["fp6", "f6", "float6"], "e3m2 e2m3"),
    (&["fp4", "f4", "float4"], "e2m1"),
];

const SUFFIXES: [(Specials, &str); 4] =
    [(Specials::Fnuz, "-fnuz"), (Specials::NanOnly, "-fn"), (Specials::Finite, "-finite"), (Specials::Ieee, "-ieee")];

/// What may be left out of any format, at the end of its name.
const WITHOUT_SUBNORMALS: &str = "-nosub";
const WITHOUT_NEGATIVE_ZERO: &str = "-uz";

impl Format {
    /// Every preset, in the order in which lists show them.
    pub fn presets() -> impl Iterator<Item = Self> {
        PRESETS.iter().map(|preset| preset.format)
    }

    /// Reads a name: a preset or an alias, else `ExMy`, `ExMybN`, with `-ieee`, `-fn`, `-finite` or `-fnuz` at the
    /// end. Case does not matter, presets win. `-uz` (unsigned zero: the code of −0 is a NaN) and `-nosub` (no
    /// subnormals) may follow any of these: `fp16-nosub`, `e5m3b16-fn-uz`.
    ///
    /// # Errors
    /// What is wrong with the name, and what is known.
    pub fn parse(name: &str) -> Result<Self, ParseError> {
        let name = name.trim().to_ascii_lowercase();
        if let Some(base) = name.strip_suffix(WITHOUT_SUBNORMALS) {
            return Self::parse(base).map(Self::without_subnormals);
        }
        if let Some(base) = name.strip_suffix(WITHOUT_NEGATIVE_ZERO) {
            return Self::parse(base)?.without_negative_zero();
        }
        if let Some(preset) = PRESETS.iter().find(|preset| preset.names.contains(&name.as_str())) {
            return Ok(preset.format);
        }
        let (body, specials) = SUFFIXES
            .iter()
            .find_map(|(specials, suffix)| name.strip_suffix(suffix).map(|body| (body, *specials)))
            .unwrap_or((&name, Specials::Ieee));
        let Some((exponent_bits, fraction_bits, bias)) = fields(body) else {
            return Err(unknown(&name));
        };
        Self::custom(exponent_bits, fraction_bits, bias, specials)
    }

    /// The canonical name, which [`parse`](Self::parse) reads back: `fp16`, `e5m3b16-fn`.
    #[must_use]
    pub fn name(self) -> String {
        let whole = self.with_everything();
        let zero = if whole.has_negative_zero() == self.has_negative_zero() { "" } else { WITHOUT_NEGATIVE_ZERO };
        let subnormals = if self.skips_subnormals() { WITHOUT_SUBNORMALS } else { "" };
        format!("{}{zero}{subnormals}", whole.plain_name())
    }

    /// The name of a format that nothing was left out of.
    fn plain_name(self) -> String {
        if let Some(preset) = self.as_preset() {
            return preset.names[0].to_owned();
        }
        let mut name = format!("e{}m{}", self.exponent_bits(), self.fraction_bits());
        let taken = PRESETS.iter().any(|preset| preset.names[0] == name);
        let default_bias = self.bias() == Self::default_bias(self.exponent_bits(), self.specials());
        if !default_bias {
            name = format!("{name}b{}", self.bias());
        }
        // IEEE specials go without saying, unless the bare name belongs to a preset.
        if self.specials() != Specials::Ieee || (taken && default_bias) {
            name += SUFFIXES.iter().find(|(specials, _)| *specials == self.specials()).map_or("", |(_, suffix)| suffix);
        }
        name
    }

    /// The name for people: `FP16`, `E5M3B16-FN`.
    #[must_use]
    pub fn label(self) -> String {
        self.as_preset().map_or_else(|| self.name().to_ascii_uppercase(), |preset| preset.label.to_owned())
    }

    fn as_preset(self) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.format == self)
    }
}

fn unknown(name: &str) -> ParseError {
    let name = short(name);
    if let Some((_, formats)) = WIDTHS.iter().find(|(names, _)| names.contains(&name.as_str())) {
        return ParseError::WidthOnly { name, formats: (*formats).to_owned() };
    }
    let known: Vec<_> = PRESETS.iter().map(|preset| preset.names[0]).collect();
    ParseError::UnknownFormat { name, known: known.join(" ") }
}

/// `e5m3b16` → (5, 3, Some(16)).
fn fields(body: &str) -> Option<(u32, u32, Option<i32>)> {
    let (exponent_bits, rest) = body.strip_prefix('e')?.split_once('m')?;
    let (fraction_bits, bias) = match rest.split_once('b') {
        Some((fraction_bits, bias)) => (fraction_bits, Some(number(bias)?)),
        None => (rest, None),
    };
    Some((number(exponent_bits)?, number(fraction_bits)?, bias))
}

/// Plain digits only: `parse` alone would take a sign.
fn number<T: std::str::FromStr>(digits: &str) -> Option<T> {
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}
