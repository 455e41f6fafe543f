//! halfscope, an oscilloscope for half precision.
//!
//! One core with three faces: the window ([`app`]), the command line ([`cli`]) and the exported figure ([`figure`]).
//! Whatever the window shows, the command line can print and a figure can hold, with the same bits.
//!
//! | room | job |
//! |---|---|
//! | [`format`](mod@format) | numbers: pure functions on bits, exact values, one rounding function |
//! | [`histogram`] | counts: exponent bins, what a cast would lose at a given loss scale, the advised scale |
//! | [`data`] | IDX files and the embedded Fashion-MNIST subset |
//! | [`train`] | the engine: programs of ops, precision policies, loss scaling, backends, the session thread |
//! | [`observe`] | what the hardware's own instructions do, beside the exact results |
//! | [`figure`] | renderer-free pictures; SVG, PNG and CSV writers |
//! | [`export`] | from a recorded run to a picture file, the same bytes for window and command line |
//! | [`i18n`] | every string of the interface, English and Chinese side by side |
//! | [`link`] | what a view of the explorer shows, as one line of text |
//! | [`cli`] | the command line; the only room that prints |
//! | [`app`] | the window; the only room that knows egui |
//!
//! ```text
//! format ──► histogram ──► train ──Report──► app    (window)
//!   │            │           ▲   └─────────► cli    (text)
//!   │            │           └────Command──── app, cli
//!   └────────────┴──────────────────────────► figure (SVG, PNG, CSV) ◄── app, cli
//! ```
//!
//! All features are on by default: `gui` adds the window (without it halfscope is a command-line tool), `wgpu` and `cuda`
//! add training on graphics processors.

#[cfg(feature = "gui")]
pub mod app;
pub mod cli;
pub mod data;
pub mod export;
pub mod figure;
pub mod format;
pub mod histogram;
pub mod i18n;
pub mod link;
pub mod observe;
pub mod train;
