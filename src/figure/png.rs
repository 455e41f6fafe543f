//! The same SVG as pixels: no GPU, no display, no fonts of the machine.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::{FACES, Figure, GradientPicture, Style, sheet, svg};

/// The widest and highest picture that is drawn: 268 MB of pixels.
const LARGEST: u32 = 8192;

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for face in &FACES {
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(face.bytes)));
    }
    fonts.set_sans_serif_family(FACES[0].family);
    Arc::new(fonts)
});

/// Draws a figure as PNG. The same figure and style give the same bytes.
///
/// # Errors
/// One line if the size is zero or larger than 8192 pixels a side.
pub fn png(figure: &Figure, style: &Style) -> Result<Vec<u8>, String> {
    check(style)?;
    draw(&svg(figure, style), style)
}

/// Draws a [`sheet`] as PNG.
///
/// # Errors
/// Those of [`png`].
pub fn sheet_png(
    title: &str,
    subtitle: &str,
    rows: &[Vec<GradientPicture<'_>>],
    style: &Style,
) -> Result<Vec<u8>, String> {
    check(style)?;
    draw(&sheet(title, subtitle, rows, style), style)
}

fn check(style: &Style) -> Result<(), String> {
    let sides = 1..=LARGEST;
    if sides.contains(&style.width) && sides.contains(&style.height) {
        return Ok(());
    }
    Err(format!(
        "a picture of {}x{} pixels cannot be drawn: each side must be 1 to {LARGEST}",
        style.width, style.height
    ))
}

fn draw(svg: &str, style: &Style) -> Result<Vec<u8>, String> {
    let options = Options { fontdb: FONTS.clone(), font_family: FACES[0].family.to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| format!("the figure could not be drawn: {error}"))?;
    let mut pixels = Pixmap::new(style.width, style.height).ok_or("the figure has no pixels")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| format!("the figure could not be written as PNG: {error}"))
}
