//! Block formats: a scale shared by a few elements (OCP MX v1.0, and NVIDIA's NVFP4).

use super::draws::Draws;
use super::exact::{Exact, ExactError};
use super::literal::{Literal, parse_values};
use super::policy::Policy;
use super::round::Rounded;
use super::spec::Format;
use super::status::Status;
use super::value::Value;

/// How the shared scale of a block follows from its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScaleRule {
    /// 2^(floor(log2 of the largest magnitude) − largest exponent of the element format): OCP MX v1.0 §6.3.
    PowerOfTwo,
    /// The largest magnitude / the largest element, rounded to nearest even to the scale's format: NVFP4.
    Ratio,
}

/// A block format, as data: elements, how many share a scale, and the scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockFormat {
    /// Format of each element.
    pub element: Format,
    /// Format of the shared scale.
    pub scale: Format,
    /// Elements that share a scale.
    pub size: usize,
    /// How the scale is chosen.
    pub rule: ScaleRule,
}

/// A quantised block.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Its format.
    pub format: BlockFormat,
    /// What the scale is multiplied with: 1, or the second-level scale of an NVFP4 tensor.
    pub tensor_scale: Exact,
    /// The largest finite magnitude of the values.
    pub largest: Exact,
    /// The shared scale.
    pub scale: Rounded,
    /// The elements in the order of the values.
    pub elements: Vec<Element>,
}

/// One element of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// The value as given.
    pub value: Value,
    /// The value over the scale: what is rounded to the element format.
    pub scaled: Value,
    /// The element.
    pub rounded: Rounded,
    /// What the block holds in its place: element × scale.
    pub stored: Value,
}

/// Names as on the command line, the canonical one first.
const PRESETS: [(BlockFormat, &[&str]); 6] = [
    (BlockFormat::MXFP8_E4M3, &["mxfp8-e4m3", "mxfp8"]),
    (BlockFormat::MXFP8_E5M2, &["mxfp8-e5m2"]),
    (BlockFormat::MXFP6_E3M2, &["mxfp6-e3m2"]),
    (BlockFormat::MXFP6_E2M3, &["mxfp6-e2m3", "mxfp6"]),
    (BlockFormat::MXFP4, &["mxfp4"]),
    (BlockFormat::NVFP4, &["nvfp4"]),
];

impl Element {
    /// What the block holds minus the value, exactly; `None` for infinities and NaNs.
    #[must_use]
    pub fn error(&self) -> Option<Exact> {
        self.stored.finite()?.sub(self.value.finite()?).ok()
    }
}

impl BlockFormat {
    /// OCP MXFP8 with E4M3 elements.
    pub const MXFP8_E4M3: Self = Self::mx(Format::E4M3);
    /// OCP MXFP8 with E5M2 elements.
    pub const MXFP8_E5M2: Self = Self::mx(Format::E5M2);
    /// OCP MXFP6 with E3M2 elements.
    pub const MXFP6_E3M2: Self = Self::mx(Format::E3M2);
    /// OCP MXFP6 with E2M3 elements.
    pub const MXFP6_E2M3: Self = Self::mx(Format::E2M3);
    /// OCP MXFP4: E2M1 elements.
    pub const MXFP4: Self = Self::mx(Format::E2M1);
    /// NVIDIA's NVFP4: 16 E2M1 elements under an E4M3 scale, with a second FP32 scale for the tensor.
    pub const NVFP4: Self = Self { element: Format::E2M1, scale: Format::E4M3, size: 16, rule: ScaleRule::Ratio };

    /// OCP MX v1.0: 32 elements share a power of two.
    const fn mx(element: Format) -> Self {
        Self { element, scale: Format::E8M0, size: 32, rule: ScaleRule::PowerOfTwo }
    }

    /// Every block format, in the order in which lists show them.
    pub fn presets() -> impl Iterator<Item = Self> {
        PRESETS.iter().map(|(format, _)| *format)
    }

    /// Reads a name: `mxfp4`, `mxfp8-e5m2`, `nvfp4`. Case does not matter.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn parse(name: &str) -> Result<Self, String> {
        let name = name.trim().to_ascii_lowercase();
        PRESETS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(format, _)| *format).ok_or_else(|| {
            let known: Vec<_> = PRESETS.iter().map(|(_, names)| names[0]).collect();
            let shown: String = name.chars().take(40).collect();
            format!("unknown block format \"{shown}\": use {}", known.join(" "))
        })
    }

    /// The canonical name, which [`parse`](Self::parse) reads back; the element's name for a block of one's own.
    #[must_use]
    pub fn name(self) -> String {
        let preset = PRESETS.iter().find(|(format, _)| *format == self);
        preset.map_or_else(|| self.element.name(), |(_, names)| names[0].to_owned())
    }

    /// Bits per value, the shared scale included.
    #[must_use]
    pub fn bits_per_value(self) -> f64 {
        f64::from(self.element.width()) + f64::from(self.scale.width()) / self.size as f64
    }

    /// The second-level scale of a tensor under the rule of NVFP4: the largest magnitude / (largest element × largest
    /// scale), in FP32; 1 where a block's scale is a power of two, and for a tensor without non-zero numbers.
    #[must_use]
    pub fn tensor_scale(self, values: &[Value]) -> Exact {
        let one = Exact::power_of_two(0);
        let largest = largest_of(values);
        if self.rule == ScaleRule::PowerOfTwo || largest.is_zero() {
            return one;
        }
        let reach = largest_of_format(self.element).mul(&largest_of_format(self.scale));
        let Ok(ratio) = reach.and_then(|reach| largest.div(&reach)) else { return one };
        let rounded = Format::FP32.round(&Value::Finite(ratio), &Policy { saturate: true, ..Policy::default() });
        match Format::FP32.decode(rounded.bits) {
            Value::Finite(scale) if !scale.is_zero() => scale,
            _ => one,
        }
    }

    /// Quantises values to blocks, the last of which may be shorter.
    ///
    /// The scale follows from the largest finite magnitude; elements are rounded each by a policy of its own and
    /// saturate, as OCP MX v1.0 §6.3 says. An infinity or NaN stays in its element where the element format has a NaN. Where it has none
    /// (FP6, FP4) the scale becomes NaN, and with it the block.
    ///
    /// # Errors
    /// [`ExactError::TooLarge`] for values beyond every format.
    pub fn quantise(self, values: &[Value], tensor_scale: &Exact, draws: &mut Draws) -> Result<Vec<Block>, ExactError> {
        values.chunks(self.size.max(1)).map(|chunk| self.block(chunk, tensor_scale, draws)).collect()
    }

    /// Reads values parted by spaces or commas and quantises them as one tensor, under its own second-level scale.
    ///
    /// # Errors
    /// One line that names the first that is no value.
    pub fn read(self, text: &str, draws: &mut Draws) -> Result<Vec<Block>, String> {
        let values: Vec<Value> = parse_values(text)?.iter().map(Literal::value).collect();
        let scale = self.tensor_scale(&values);
        self.quantise(&values, &scale, draws).map_err(|error| format!("a value over its scale {error}"))
    }

    fn block(self, values: &[Value], tensor_scale: &Exact, draws: &mut Draws) -> Result<Block, ExactError> {
        let largest = largest_of(values);
        let inexpressible = !self.element.has_nan() && values.iter().any(|value| value.finite().is_none());
        let scale = if inexpressible {
            self.scale.round(&Value::Nan(super::value::Nan::default()), &Policy::default())
        } else {
            self.scale_of(&largest.div(tensor_scale)?)?
        };
        let factor = match self.scale.decode(scale.bits) {
            Value::Finite(exact) => Some(exact.mul(tensor_scale)?),
            _ => None,
        };
        let elements = values.iter().map(|value| self.element_of(value, factor.as_ref(), draws.draw()));
        let elements = elements.collect::<Result<_, _>>()?;
        Ok(Block { format: self, tensor_scale: tensor_scale.clone(), largest, scale, elements })
    }

    fn scale_of(self, largest: &Exact) -> Result<Rounded, ExactError> {
        let saturate = Policy { saturate: true, ..Policy::default() };
        let least = || Rounded { bits: self.scale.min_positive_code(), status: Status::NONE, trace: None };
        if largest.is_zero() {
            return Ok(least());
        }
        let wanted = match self.rule {
            ScaleRule::PowerOfTwo => {
                Exact::power_of_two(largest.prefix().exponent - i64::from(self.element.max_exponent()))
            }
            ScaleRule::Ratio => largest.div(&largest_of_format(self.element))?,
        };
        let rounded = self.scale.round(&Value::Finite(wanted), &saturate);
        // A scale of zero would make every element a division by zero.
        let is_zero = self.scale.class(rounded.bits) == super::value::Class::Zero;
        Ok(if is_zero { Rounded { bits: self.scale.min_positive_code(), ..rounded } } else { rounded })
    }

    fn element_of(self, value: &Value, factor: Option<&Exact>, policy: Policy) -> Result<Element, ExactError> {
        let scaled = match (value, factor) {
            (Value::Finite(exact), Some(factor)) => Value::Finite(exact.div(factor)?),
            (special, Some(_)) => special.clone(),
            // Under a NaN scale the elements mean nothing; zeros stand in for them.
            (_, None) => Value::Finite(Exact::zero(false)),
        };
        // Saturation is for numbers; an infinity stays what the element format has for it.
        let policy = Policy { saturate: value.finite().is_some(), ..policy };
        let rounded = self.element.round(&scaled, &policy);
        let stored = match (self.element.decode(rounded.bits), factor) {
            (Value::Finite(exact), Some(factor)) => Value::Finite(exact.mul(factor)?),
            (special, Some(_)) => special,
            (_, None) => Value::Nan(super::value::Nan::default()),
        };
        Ok(Element { value: value.clone(), scaled, rounded, stored })
    }
}

fn largest_of_format(format: Format) -> Exact {
    format.limits().max_finite
}

/// The largest finite magnitude; 0 if there is none.
fn largest_of(values: &[Value]) -> Exact {
    let magnitudes = values.iter().filter_map(Value::finite).map(|exact| exact.clone().magnitude());
    magnitudes.fold(Exact::zero(false), |largest, next| if next.compare(&largest).is_gt() { next } else { largest })
}
