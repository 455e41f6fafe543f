//! Lines about the number line.

use super::words::{Text, Words, formats, names};
use crate::format::Format;

/// What is shown of the formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LinePane {
    /// Where the numbers lie.
    #[default]
    Line,
    /// How many lie in each binade.
    Density,
    /// ULP and relative error against magnitude.
    Error,
    /// Every number.
    Values,
    /// The limits of all formats.
    Limits,
}

impl LinePane {
    /// All, in the order in which the view lists them.
    pub const ALL: [Self; 5] = [Self::Line, Self::Density, Self::Error, Self::Values, Self::Limits];

    /// The name in a line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Density => "density",
            Self::Error => "error",
            Self::Values => "values",
            Self::Limits => "limits",
        }
    }

    fn parse(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|pane| pane.name() == name);
        found.ok_or_else(|| format!("use {}", Self::ALL.map(Self::name).join(" ")))
    }
}

/// The number line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineLink {
    /// The formats, over each other.
    pub formats: Vec<Format>,
    /// What is shown of them.
    pub pane: LinePane,
    /// Whether the axis is log2 of the magnitude instead of the value itself.
    pub log: bool,
    /// What the axis shows: values, or log2 of magnitudes; `None` for everything.
    pub window: Option<(f64, f64)>,
}

impl Default for LineLink {
    fn default() -> Self {
        Self { formats: vec![Format::E4M3, Format::E5M2], pane: LinePane::Line, log: false, window: None }
    }
}

impl LineLink {
    /// The most formats over each other.
    pub const MOST: usize = 5;

    pub(super) fn read(words: &mut Words) -> Result<Self, String> {
        let usual = Self::default();
        let shown = words.next().map_or(Ok(usual.formats), |list| formats(&list))?;
        if shown.len() > Self::MOST {
            return Err(format!("at most {} formats lie over each other, not {}", Self::MOST, shown.len()));
        }
        let log = words.take("scale", false, |scale| match scale {
            "linear" => Ok(false),
            "log2" => Ok(true),
            _ => Err("use linear or log2".to_owned()),
        })?;
        let from: Option<f64> = words.take("from", None, edge)?;
        let to: Option<f64> = words.take("to", None, edge)?;
        let window = from.zip(to).filter(|(from, to)| from < to);
        Ok(Self { formats: shown, pane: words.take("pane", LinePane::Line, LinePane::parse)?, log, window })
    }

    pub(super) fn write(&self, text: &mut Text) {
        text.word("line");
        text.word(&names(&self.formats));
        text.unless(self.pane == LinePane::Line, "pane", self.pane.name());
        text.unless(!self.log, "scale", "log2");
        if let Some((from, to)) = self.window {
            // The shortest digits that read back as the same number.
            text.field("from", &format!("{from:?}"));
            text.field("to", &format!("{to:?}"));
        }
    }

    pub(super) fn command(&self) -> Vec<String> {
        let mut words = vec!["table".to_owned()];
        if self.pane != LinePane::Values {
            words.push("--limits".to_owned());
        }
        if self.pane != LinePane::Limits {
            for format in &self.formats {
                words.extend(["--format".to_owned(), format.name()]);
            }
        }
        words
    }
}

fn edge(text: &str) -> Result<Option<f64>, String> {
    let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.map(Some).ok_or_else(|| format!("\"{text}\" is no number"))
}
