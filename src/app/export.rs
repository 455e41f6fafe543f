//! Writing a figure: what was on the screen when it was asked for, rendered and saved on a thread.

use std::path::{Path, PathBuf};

use crate::export::{FileKind, draw, save};
use crate::figure::{self, Figure, GradientPicture, Style};

/// A figure on its way to a file. It owns what it needs, so that the run may go on meanwhile.
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

    /// Renders and writes it: the same bytes as [`crate::export::render`].
    ///
    /// # Errors
    /// One line saying what went wrong and what to do.
    pub fn write(&self, path: &Path) -> Result<PathBuf, String> {
        let pixels;
        let bytes = match &self.content {
            Content::Bytes(bytes) => bytes,
            Content::Pixels(figure, style) => {
                pixels = figure::png(figure, style)?;
                &pixels
            }
        };
        save(path, bytes).map(|()| path.to_owned())
    }
}
