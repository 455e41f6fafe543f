//! Single operations as a device's own instructions do them, for comparison with the exact results.

/// One operation of the hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Primitive {
    /// FP32 to FP16 by the device's own conversion; the result in the low half of a word.
    Narrow,
    /// FP16 (in the low half of a word) to FP32.
    Widen,
    /// a + b in FP32.
    Add,
    /// a · b in FP32.
    Mul,
    /// a / b in FP32.
    Div,
    /// √a in FP32.
    Sqrt,
}

impl Primitive {
    /// All of them, in the order of their numbers in the kernels.
    pub const ALL: [Self; 6] = [Self::Narrow, Self::Widen, Self::Add, Self::Mul, Self::Div, Self::Sqrt];

    /// The name, as a report says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Narrow => "fp32 to fp16",
            Self::Widen => "fp16 to fp32",
            Self::Add => "add",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::Sqrt => "sqrt",
        }
    }
}
