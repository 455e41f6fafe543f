//! Pictures: a renderer-free description of a plot, and the SVG, PNG and CSV writers.
//!
//! A [`GradientPicture`] says which histogram is looked at and how; [`GradientPicture::figure`] turns it into a
//! [`Figure`]: words, numbers and roles, no colours and no pixels. The window paints a figure with egui; [`svg`] and
//! [`png`] write it for a slide, [`csv`] writes the numbers behind it; [`sheet`] puts several on one page. The same
//! picture gives the same bytes, whoever asks.
//!
//! Text of a figure writes powers as `2^-24`; [`runs`] splits it for renderers that raise the exponent.
//!
//! ```
//! use halfscope::figure::{GradientPicture, Style, svg};
//! use halfscope::histogram::{ExponentHistogram, Target};
//!
//! let histogram = ExponentHistogram::of_f32(&[0.0, 1e-9, 3e-8, 1e-6, 1e-3]);
//! let picture = GradientPicture::new(&histogram, "fc1.weight.grad", Target::Fp16);
//! let figure = picture.figure();
//! assert_eq!(figure.headline.value, "25 %"); // 1e-9 of four non-zero values becomes 0
//! assert!(svg(&figure, &Style::default()).starts_with("<svg"));
//! ```

mod build;
mod canvas;
mod csv;
mod font;
mod palette;
mod panel;
mod picture;
mod png;
mod sheet;
mod svg;
mod text;

pub use csv::{csv, sheet_csv};
pub use font::{FACES, Face};
pub use palette::{Rgb, Role, Surface, Theme, ink, palette, surface};
pub use picture::{GradientPicture, TensorKind, default_range};
pub use png::{png, sheet_png};
pub use sheet::sheet;
pub use svg::svg;
pub use text::{Run, runs};

use crate::i18n::Lang;

/// A plot as data. Horizontal positions are binary exponents: the values with exponent e lie between e and e + 1.
/// Heights are shares (0 to 1) of the finite non-zero values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figure {
    /// The language of its words.
    pub lang: Lang,
    /// What is shown, such as `fc1.weight.grad · weight gradient · before the cast to FP16`.
    pub title: String,
    /// How much of it: `200,704 values · 12.4 % exact zeros · 0 NaN · 0 Inf`.
    pub subtitle: String,
    /// Where it comes from, in words.
    pub caption: String,
    /// The loss scale shown, such as `S = 2^10`, and by which rule values count as lost.
    pub scale: String,
    /// Binary exponents, with a pinned range.
    pub x: Axis,
    /// Shares, from 0.
    pub y: Axis,
    /// The ranges of the target format, from left to right; drawn behind the bars.
    pub bands: Vec<Band>,
    /// The bars, ascending; those outside the x axis's range are not among them (see `left` and `right`).
    pub bars: Vec<Bar>,
    /// Outline of the bars at S = 1: (exponent, height). Empty where the bars are those of S = 1.
    pub ghost: Vec<(i32, f64)>,
    /// The bar of the exact zeros, in a place of its own left of the x axis.
    pub zeros: ZeroBar,
    /// What lies left of the x axis's range, in words; empty if nothing does.
    pub left: String,
    /// What lies right of the x axis's range, in words; empty if nothing does.
    pub right: String,
    /// The classes with their counts in words.
    pub legend: Vec<LegendEntry>,
    /// The share that is lost, for large type.
    pub headline: Headline,
    /// What the advised scales are, or that none is; `None` if nobody asked.
    pub advice: Option<Remark>,
    /// What to know before reading the picture (a scale that is no power of two, zeros that were lost upstream).
    pub notes: Vec<String>,
    /// Said instead of bars where there are none; empty otherwise.
    pub empty: String,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// Name and unit.
    pub label: String,
    /// Where it starts and ends; pinned: it does not move with the scale.
    pub range: (f64, f64),
    /// Labelled places, ascending.
    pub ticks: Vec<Tick>,
}

/// A labelled place on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Where, in the axis's units.
    pub at: f64,
    /// Such as `2^-24` or `5 %`.
    pub label: String,
}

/// A range of the target format.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// From where to where on the x axis, cut to its range.
    pub x: (f64, f64),
    /// What becomes of values in it.
    pub role: Role,
    /// Its name.
    pub label: String,
}

/// All values with one binary exponent, stacked by what becomes of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The exponent of |x|·S.
    pub exponent: i32,
    /// From the bottom up; none is empty.
    pub segments: Vec<Segment>,
}

impl Bar {
    /// The height of the whole bar.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.segments.iter().map(|segment| segment.height).sum()
    }

    /// How many values it stands for.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.segments.iter().map(|segment| segment.count).sum()
    }
}

/// A part of a bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// What becomes of its values.
    pub role: Role,
    /// How many they are.
    pub count: u64,
    /// Their share, in the bar's units.
    pub height: f64,
}

/// The exact zeros. Their bar has a scale of its own (0 to 1 of *all* values), so it never sets the y axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ZeroBar {
    /// Below the bar: `0`.
    pub label: String,
    /// Above the bar: their share of all values.
    pub value: String,
    /// [`Role::Zero`], and [`Role::Lost`] for those that were flushed upstream.
    pub segments: Vec<Segment>,
}

/// A class with its count.
#[derive(Debug, Clone, PartialEq)]
pub struct LegendEntry {
    /// Which class.
    pub role: Role,
    /// Its name.
    pub label: String,
    /// Its share of the finite non-zero values (zeros: of all values), such as `46.1 %`.
    pub value: String,
    /// The count behind the share, such as `81,204`.
    pub count: String,
}

/// A sentence with a colour.
#[derive(Debug, Clone, PartialEq)]
pub struct Remark {
    /// What it is about.
    pub role: Role,
    /// The sentence.
    pub text: String,
}

/// The share that is lost, for large type.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Headline {
    /// Such as `46.1 %`; an em dash if there is nothing to count.
    pub value: String,
    /// What it is, in a few words: `lost of non-zero`.
    pub label: String,
    /// The sentence that goes on from it.
    pub sentence: String,
    /// The share itself, 0 to 1.
    pub share: Option<f64>,
}

/// How a figure is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Light for print, dark for the projector.
    pub theme: Theme,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Default for Style {
    /// A slide: light, 1280 × 720.
    fn default() -> Self {
        Self { theme: Theme::Light, width: 1280, height: 720 }
    }
}

impl Style {
    /// The size of a [`sheet`] with this many rows and columns of pictures: each of them as large as it needs to be.
    #[must_use]
    pub const fn for_sheet(theme: Theme, rows: u32, columns: u32) -> Self {
        let columns = if columns == 0 { 1 } else { columns };
        Self { theme, width: 80 + 620 * columns, height: 250 + 290 * rows }
    }
}
