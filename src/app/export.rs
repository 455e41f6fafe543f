//! Writing a figure, a report or the run: what was on the screen when it was asked for, rendered and saved on a thread.

use std::path::{Path, PathBuf};

use crate::export::{FileKind, draw, save};
use crate::figure::{self, Figure, GradientPicture, Style};
use crate::train::Recording;

/// A figure, or the run, on its way to a file. It owns what it needs, so that the run may go on meanwhile.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// Drawn already: text takes no time.
    Bytes(Vec<u8>),
    /// Pixels take a while.
    Pixels(Box<Figure>, Style),
    /// The whole run so far.
    Run(Box<Recording>),
}

impl ExportRequest {
    /// Takes the picture as it is now.
    ///
    /// # Errors
    /// One line: it cannot be drawn at this size.
    pub fn new(picture: &GradientPicture<'_>, kind: FileKind, style: Style) -> Result<Self, String> {
        let content = match kind {
            FileKind::Png => Content::Pixels(Box::new(picture.figure()), style),
            FileKind::Svg | FileKind::Csv | FileKind::Json => Content::Bytes(draw(picture, kind, &style)?),
        };
        Ok(Self { content })
    }

    /// Takes lines of text as they are, such as a report.
    #[must_use]
    pub const fn lines(bytes: Vec<u8>) -> Self {
        Self { content: Content::Bytes(bytes) }
    }

    /// Takes the whole run as it is now: a file that opens here and in `halfscope histogram`.
    #[must_use]
    pub fn run(recording: &Recording) -> Self {
        Self { content: Content::Run(Box::new(recording.clone())) }
    }

    /// Renders and writes it: the same bytes as [`crate::export::render`].
    ///
    /// # Errors
    /// One line saying what went wrong and what to do.
    pub fn write(&self, path: &Path) -> Result<PathBuf, String> {
        let rendered;
        let bytes = match &self.content {
            Content::Bytes(bytes) => bytes,
            Content::Pixels(figure, style) => {
                rendered = figure::png(figure, style)?;
                &rendered
            }
            Content::Run(recording) => {
                rendered = recording.lines()?;
                &rendered
            }
        };
        save(path, bytes).map(|()| path.to_owned())
    }
}
