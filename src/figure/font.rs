//! The embedded faces, and how wide text is in them.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// An embedded face.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// The family name in its own name table.
    pub family: &'static str,
    /// The OpenType file.
    pub bytes: &'static [u8],
}

static REGULAR: &[u8] = include_bytes!("../../assets/fonts/HalfscopeSans-Regular.otf");
static SEMIBOLD: &[u8] = include_bytes!("../../assets/fonts/HalfscopeSans-SemiBold.otf");
static CHINESE: &[u8] = include_bytes!("../../assets/fonts/HalfscopeSansSC-Regular.otf");
static SYMBOLS: &[u8] = include_bytes!("../../assets/fonts/HalfscopeSymbols-Regular.ttf");

/// All embedded faces, in the order in which a missing glyph is looked for: Latin (regular, semi-bold), Chinese, symbols.
pub static FACES: [Face; 4] = [
    Face { family: "Halfscope Sans", bytes: REGULAR },
    Face { family: "Halfscope Sans", bytes: SEMIBOLD },
    Face { family: "Halfscope Sans SC", bytes: CHINESE },
    Face { family: "Halfscope Symbols", bytes: SYMBOLS },
];

/// How heavy text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    SemiBold,
}

static PARSED: LazyLock<Vec<FontRef<'static>>> =
    LazyLock::new(|| FACES.iter().filter_map(|face| FontRef::new(face.bytes).ok()).collect());

impl Face {
    /// Whether the face has a glyph for a character.
    #[must_use]
    pub fn has(&self, character: char) -> bool {
        FontRef::new(self.bytes).is_ok_and(|font| font.charmap().map(character).is_some())
    }
}

/// The width of a line of text without raised parts, in units of the font size.
pub(super) fn width(text: &str, weight: Weight) -> f64 {
    text.chars().map(|character| advance(character, weight)).sum()
}

fn advance(character: char, weight: Weight) -> f64 {
    let order = match weight {
        Weight::Regular => [0, 2, 3],
        Weight::SemiBold => [1, 2, 3],
    };
    let find = |face: &FontRef<'_>| {
        let glyph = face.charmap().map(character)?;
        let size = Size::new(1.0);
        face.glyph_metrics(size, LocationRef::default()).advance_width(glyph)
    };
    let found = order.into_iter().filter_map(|at| PARSED.get(at)).find_map(find);
    // A character that no face has is drawn by whatever the viewer has: as wide as it is high, at most.
    found.map_or(1.0, f64::from)
}
