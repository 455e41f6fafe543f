//! Links: what a view of the explorer shows, as one line of text, and back.
//!
//! The window writes such a line with "copy link", `halfscope open 'LINE'` opens the window there, and where there is no
//! window [`Link::command`] is the command that prints the same. `docs/links.md` describes the lines for people.
//!
//! ```
//! use halfscope::link::Link;
//!
//! let link = Link::parse("calc add 0.1 0.2 format=fp16")?;
//! assert_eq!(link.to_string(), "calc add 0.1 0.2 format=fp16");
//! assert_eq!(link.command().join(" "), "calc add 0.1 0.2 --format fp16");
//! # Ok::<(), String>(())
//! ```

mod dot;
mod hardware;
mod how;
mod line;
mod one;
mod sweep;
mod update;
mod words;

use std::fmt;

pub use dot::{Codes, DotLink, Matrix, WrongCell};
pub use hardware::HardwareLink;
pub use how::How;
pub use line::{LineLink, LinePane};
pub use one::{BitsLink, CalcLink, ChainLink, RoundLink};
pub use sweep::SweepLink;
pub use update::UpdateLink;

use words::{Text, Words};

/// What a view shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// One number in several formats.
    Bits(BitsLink),
    /// How a value is rounded.
    Round(RoundLink),
    /// An operation.
    Calc(CalcLink),
    /// Conversions one after another.
    Chain(ChainLink),
    /// A 4×4×4 product.
    Dot(Box<DotLink>),
    /// A weight and its update.
    Update(UpdateLink),
    /// A function over a range of inputs.
    Sweep(SweepLink),
    /// The number line.
    Line(LineLink),
    /// What a device really does.
    Hardware(HardwareLink),
}

/// The first word of each kind of line.
const KINDS: [&str; 9] = ["bits", "round", "calc", "chain", "dot", "update", "sweep", "line", "hardware"];

impl Link {
    /// Reads a line.
    ///
    /// # Errors
    /// One line that says which word is wrong and what is known.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut words = Words::split(line)?;
        let kind = words.next().unwrap_or_default();
        let link = match kind.as_str() {
            "bits" => Self::Bits(BitsLink::read(&mut words)?),
            "round" => Self::Round(RoundLink::read(&mut words)?),
            "calc" => Self::Calc(CalcLink::read(&mut words)?),
            "chain" => Self::Chain(ChainLink::read(&mut words)?),
            "dot" => Self::Dot(Box::new(DotLink::read(&mut words)?)),
            "update" => Self::Update(UpdateLink::read(&mut words)?),
            "sweep" => Self::Sweep(SweepLink::read(&mut words)?),
            "line" => Self::Line(LineLink::read(&mut words)?),
            "hardware" => Self::Hardware(HardwareLink::read(&mut words)?),
            other => {
                let shown: String = other.chars().take(40).collect();
                return Err(format!("unknown link \"{shown}\": it begins with {}", KINDS.join(" ")));
            }
        };
        words.finish()?;
        Ok(link)
    }

    /// The words of the command that prints what this shows.
    #[must_use]
    pub fn command(&self) -> Vec<String> {
        match self {
            Self::Bits(link) => link.command(),
            Self::Round(link) => link.command(),
            Self::Calc(link) => link.command(),
            Self::Chain(link) => link.command(),
            Self::Dot(link) => link.command(),
            Self::Update(link) => link.command(),
            Self::Sweep(link) => link.command(),
            Self::Line(link) => link.command(),
            Self::Hardware(link) => link.command(),
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::default();
        match self {
            Self::Bits(link) => link.write(&mut text),
            Self::Round(link) => link.write(&mut text),
            Self::Calc(link) => link.write(&mut text),
            Self::Chain(link) => link.write(&mut text),
            Self::Dot(link) => link.write(&mut text),
            Self::Update(link) => link.write(&mut text),
            Self::Sweep(link) => link.write(&mut text),
            Self::Line(link) => link.write(&mut text),
            Self::Hardware(link) => link.write(&mut text),
        }
        f.write_str(text.as_str())
    }
}
