//! The kernels: one name, two sources.

/// Most buffers that a kernel can have; devices guarantee eight.
pub(in super::super) const MAX_BUFFERS: usize = 8;

/// How a kernel's WGSL source is completed to an entry point.
#[cfg(feature = "wgpu")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Form {
    /// It defines `value(i)`, the bits of element i of the buffer with this number.
    Value(usize),
    /// It defines `pair(w)`, which writes elements 2w and 2w + 1 of its outputs.
    Pair,
    /// It is an entry point itself.
    Whole,
}

/// How a kernel uses a buffer; what needs more comes later.
#[cfg(feature = "wgpu")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Use {
    Read,
    Write,
    /// Written with atomic operations.
    Atomic,
}

macro_rules! kernels {
    ($($name:ident $file:literal $form:expr, [$($usage:ident)*];)*) => {
        /// A kernel that exists in WGSL and in CUDA C++.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(in super::super) enum Kernel { $($name),* }

        impl Kernel {
            /// All of them.
            #[cfg(feature = "cuda")]
            pub(in super::super) const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name, in both languages.
            pub(in super::super) const fn name(self) -> &'static str {
                match self { $(Self::$name => $file),* }
            }

            /// How it uses its buffers, in order.
            #[cfg(feature = "wgpu")]
            pub(in super::super) const fn uses(self) -> &'static [Use] {
                match self { $(Self::$name => &[$(Use::$usage),*]),* }
            }

            /// How its WGSL source is completed.
            #[cfg(feature = "wgpu")]
            pub(in super::super) const fn form(self) -> Form {
                match self { $(Self::$name => $form),* }
            }

            /// Its own part of the WGSL source.
            #[cfg(feature = "wgpu")]
            pub(in super::super) const fn wgsl(self) -> &'static str {
                match self { $(Self::$name => include_str!(concat!("kernels/", $file, ".wgsl"))),* }
            }

            /// Its own part of the CUDA source.
            #[cfg(feature = "cuda")]
            pub(in super::super) const fn cuda(self) -> &'static str {
                match self { $(Self::$name => include_str!(concat!("kernels/", $file, ".cu"))),* }
            }
        }
    };
}

kernels! {
    BeginStep "begin_step" Form::Whole, [Write Write];
    Matmul "matmul" Form::Whole, [Read Read Write];
    MatmulFp16 "matmul_fp16" Form::Whole, [Read Read Write];
    BiasAdd "bias_add" Form::Value(2), [Read Read Write];
    Relu "relu" Form::Value(1), [Read Write];
    ReluGrad "relu_grad" Form::Value(2), [Read Read Write];
    SoftmaxCrossEntropy "softmax_cross_entropy" Form::Whole, [Read Read Write Write Read];
    MeanLoss "mean_loss" Form::Whole, [Read Write];
    SumRows "sum_rows" Form::Whole, [Read Write];
    Cast "cast" Form::Value(1), [Read Write Read];
    Unscale "unscale" Form::Value(1), [Read Write Atomic];
    SumSquares "sum_squares" Form::Whole, [Read Write];
    ClipFactor "clip_factor" Form::Whole, [Read Write];
    ClipNorm "clip_norm" Form::Value(0), [Write Read];
    Sgd "sgd" Form::Pair, [Write Read Read Write Write];
    Adam "adam" Form::Pair, [Write Read Read Write Write Write Read];
    ScalerUpdate "scaler_update" Form::Whole, [Write];
    EndStep "end_step" Form::Whole, [Write Write];
    Probe "probe" Form::Whole, [Read Read Atomic];
    Observe "observe" Form::Whole, [Read Read Read Write];
}
