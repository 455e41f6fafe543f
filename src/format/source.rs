//! Numbers as source text: the literal that gives a code in C, Rust, Python, WGSL and CUDA.

use super::literal::parse_value;
use super::policy::Policy;
use super::spec::Format;
use super::value::{Class, Nan, Value};

/// A programming language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// C (C23 for FP16).
    C,
    /// Rust, with the crate `half` for FP16 and BF16.
    Rust,
    /// Python, with `NumPy` and `ml_dtypes` for what is not FP64.
    Python,
    /// WebGPU's shading language.
    Wgsl,
    /// CUDA C++.
    Cuda,
}

impl Language {
    /// All, in the order in which lists show them.
    pub const ALL: [Self; 5] = [Self::C, Self::Rust, Self::Python, Self::Wgsl, Self::Cuda];

    /// The key in JSON: `wgsl`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Wgsl => "wgsl",
            Self::Cuda => "cuda",
        }
    }

    /// The name for people: `WGSL`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Rust => "Rust",
            Self::Python => "Python",
            Self::Wgsl => "WGSL",
            Self::Cuda => "CUDA",
        }
    }
}

impl Format {
    /// Source text that gives exactly this code; where the language has no such type, the code as a whole number.
    /// `None` where it can write neither: WGSL has no literal for infinities and NaNs, and nothing of 64 bits.
    ///
    /// ```
    /// use halfscope::format::{Format, Language};
    /// assert_eq!(Format::FP16.source(0x2e66, Language::Wgsl).as_deref(), Some("0.1h"));
    /// assert_eq!(Format::FP32.source(0x3dcc_cccd, Language::C).as_deref(), Some("0.1f"));
    /// ```
    #[must_use]
    pub fn source(self, bits: u64, language: Language) -> Option<String> {
        let bits = bits & self.mask();
        let finite = !matches!(self.class(bits), Class::Infinite | Class::Nan);
        match language {
            Language::C => Some(self.c(bits, finite)),
            Language::Rust => Some(self.rust(bits, finite)),
            Language::Python => Some(self.python(bits, finite)),
            Language::Wgsl => self.wgsl(bits, finite),
            Language::Cuda => Some(self.cuda(bits, finite)),
        }
    }

    /// The shortest digits, as a number with a point or an exponent.
    fn digits(self, bits: u64) -> String {
        with_point(self.shortest(bits))
    }

    fn c(self, bits: u64, finite: bool) -> String {
        let suffix = match self {
            Self::FP64 => "",
            Self::FP32 => "f",
            Self::FP16 => "f16",
            _ => return self.whole_number(bits, "u", "ull"),
        };
        match self.special(bits) {
            _ if finite => self.digits(bits) + suffix,
            Some(name) => {
                let (sign, name) = name.strip_prefix('-').map_or(("", name), |name| ("-", name));
                // The macros are of type float.
                format!("{sign}{}", if name == "inf" { "INFINITY" } else { "NAN" })
            }
            None => self.whole_number(bits, "u", "ull"),
        }
    }

    fn rust(self, bits: u64, finite: bool) -> String {
        let hex = self.hex(bits);
        let (kind, suffix) = match self {
            Self::FP64 => ("f64", "_f64"),
            Self::FP32 => ("f32", "_f32"),
            Self::FP16 => return format!("half::f16::from_bits({hex})"),
            Self::BF16 => return format!("half::bf16::from_bits({hex})"),
            _ => return format!("{hex}_u{}", storage(self)),
        };
        match self.special(bits) {
            _ if finite => self.digits(bits) + suffix,
            Some("inf") => format!("{kind}::INFINITY"),
            Some("-inf") => format!("{kind}::NEG_INFINITY"),
            Some(_) | None => format!("{kind}::from_bits({hex})"),
        }
    }

    fn python(self, bits: u64, finite: bool) -> String {
        let kind = match self {
            Self::FP64 => "",
            Self::FP32 => "numpy.float32",
            Self::FP16 => "numpy.float16",
            Self::BF16 => "ml_dtypes.bfloat16",
            Self::E5M2 => "ml_dtypes.float8_e5m2",
            Self::E4M3 => "ml_dtypes.float8_e4m3fn",
            Self::E5M2FNUZ => "ml_dtypes.float8_e5m2fnuz",
            Self::E4M3FNUZ => "ml_dtypes.float8_e4m3fnuz",
            Self::E3M2 => "ml_dtypes.float6_e3m2fn",
            Self::E2M3 => "ml_dtypes.float6_e2m3fn",
            Self::E2M1 => "ml_dtypes.float4_e2m1fn",
            Self::E8M0 => "ml_dtypes.float8_e8m0fnu",
            _ => return self.hex(bits),
        };
        let inside = match self.special(bits) {
            // Exactly, since these constructors read a Python float and some round it twice on the way.
            _ if finite && self.width() > 8 && self.survives_fp64(bits) => self.digits(bits),
            _ if finite => with_point(self.exact_decimal(bits)),
            Some(name) => format!("float(\"{name}\")"),
            None => return self.hex(bits),
        };
        if kind.is_empty() { inside } else { format!("{kind}({inside})") }
    }

    /// Whether the shortest digits give this code even through FP64 and FP32.
    fn survives_fp64(self, bits: u64) -> bool {
        let Ok(literal) = parse_value(&self.shortest(bits)) else { return false };
        let policy = Policy::default();
        let double = literal.round(Self::FP64, &policy).bits;
        let single = Self::FP64.convert(double, Self::FP32, &policy).bits;
        self == Self::FP64
            || (Self::FP64.convert(double, self, &policy).bits == bits
                && Self::FP32.convert(single, self, &policy).bits == bits)
    }

    fn wgsl(self, bits: u64, finite: bool) -> Option<String> {
        match self {
            Self::FP32 => finite.then(|| self.digits(bits) + "f"),
            Self::FP16 => finite.then(|| self.digits(bits) + "h"),
            _ => (self.width() <= 32).then(|| format!("{}u", self.hex(bits))),
        }
    }

    fn cuda(self, bits: u64, finite: bool) -> String {
        let hex = self.hex(bits);
        match self {
            Self::FP64 if finite => self.digits(bits),
            Self::FP32 if finite => self.digits(bits) + "f",
            Self::FP64 => format!("__longlong_as_double({hex}ll)"),
            Self::FP32 => format!("__uint_as_float({hex}u)"),
            Self::FP16 => format!("__ushort_as_half({hex})"),
            Self::BF16 => format!("__ushort_as_bfloat16({hex})"),
            _ => self.whole_number(bits, "u", "ull"),
        }
    }

    fn whole_number(self, bits: u64, short: &str, long: &str) -> String {
        format!("{}{}", self.hex(bits), if self.width() > 32 { long } else { short })
    }

    /// `inf`, `-inf` or, for the canonical NaN, `nan`; `None` for finite numbers and NaNs that say more.
    fn special(self, bits: u64) -> Option<&'static str> {
        match self.decode(bits) {
            Value::Infinite { negative: false } => Some("inf"),
            Value::Infinite { negative: true } => Some("-inf"),
            Value::Nan(nan) if nan == Nan::default() => Some("nan"),
            _ => None,
        }
    }
}

fn with_point(digits: String) -> String {
    if digits.contains(['.', 'e']) { digits } else { digits + ".0" }
}

/// The unsigned type that holds a code.
fn storage(format: Format) -> u32 {
    format.width().next_power_of_two().max(8)
}
