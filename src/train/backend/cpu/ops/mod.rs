//! The ops on a processor, one file each. Shapes and formulas are those of [`Op`](crate::train::program::Op).

mod adam;
mod bias_add;
mod cast;
mod clip_norm;
mod matmul;
mod probe;
mod relu;
mod sgd;
mod softmax_cross_entropy;
mod sum_rows;
mod unscale;

pub(super) use adam::{AdamStep, adam};
pub(super) use bias_add::bias_add;
pub(super) use cast::{Casting, cast};
pub(super) use clip_norm::{clip_norm, factor as clip_factor, sum_of_squares};
pub(super) use matmul::{Product, matmul};
pub(super) use probe::probe;
pub(super) use relu::{relu, relu_grad};
pub(super) use sgd::sgd;
pub(super) use softmax_cross_entropy::{LossRows, softmax_cross_entropy};
pub(super) use sum_rows::sum_rows;
pub(super) use unscale::unscale;
