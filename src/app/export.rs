//! Writing a figure: what was on the screen when it was asked for, rendered and saved on a thread.

use std::path::{Path, PathBuf};

use crate::figure::{self, Figure, GradientPicture, Style};

/// What kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Scales without loss; text stays text.
    Svg,
    /// Pixels.
    Png,
    /// Every bin as a number.
    Csv,
}

impl FileKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Png, Self::Csv];

    /// What a button says.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Png => "PNG",
            Self::Csv => "CSV",
        }
    }

    /// The end of a file's name.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Csv => "csv",
        }
    }
}

/// A figure on its way to a file. It owns what it needs, so that the run may go on meanwhile.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Text(String),
    Pixels(Box<Figure>, Style),
}

impl ExportRequest {
    /// Takes the figure as it is now.
    #[must_use]
    pub fn new(picture: &GradientPicture<'_>, kind: FileKind, style: Style) -> Self {
        let content = match kind {
            FileKind::Svg => Content::Text(figure::svg(&picture.figure(), &style)),
            FileKind::Csv => Content::Text(figure::csv(picture)),
            FileKind::Png => Content::Pixels(Box::new(picture.figure()), style),
        };
        Self { content }
    }

    /// Renders and writes it.
    ///
    /// # Errors
    /// One line saying what went wrong and what to do.
    pub fn write(&self, path: &Path) -> Result<PathBuf, String> {
        let bytes = match &self.content {
            Content::Text(text) => text.clone().into_bytes(),
            Content::Pixels(figure, style) => figure::png(figure, style)?,
        };
        std::fs::write(path, bytes)
            .map(|()| path.to_owned())
            .map_err(|error| format!("{}: {error}; choose another place", path.display()))
    }
}
