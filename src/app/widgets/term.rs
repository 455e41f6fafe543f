//! Words that are explained: dots below them are the sign, hovering shows what they mean, and screen readers get it as the
//! description.

use egui::{Color32, Mesh, Pos2, Rect, Response, Shape, TextStyle, Ui, vec2};

use crate::app::theme::Tokens;
use crate::i18n::Lang;
use crate::i18n::glossary::Term;

/// From one dot to the next, and how large a dot is, in points.
const PITCH: f32 = 3.0;
const DOT: f32 = 1.0;

/// Marks a text that is on the screen as explained by these terms.
pub fn explained(ui: &mut Ui, response: Response, lang: Lang, terms: &[Term]) -> Response {
    let below = response.rect;
    explained_over(ui, response, lang, terms, below)
}

/// The same for a check box or a radio button, whose text stands behind a mark.
pub fn explained_choice(ui: &mut Ui, response: Response, lang: Lang, terms: &[Term]) -> Response {
    let mark = ui.spacing().icon_width + ui.spacing().icon_spacing;
    let below = response.rect.with_min_x(response.rect.left() + mark);
    explained_over(ui, response, lang, terms, below)
}

/// Marks the word that a line of small type begins with, such as the ULP of `ULP 2^-24 · …`; all of the line explains it.
/// The line may be higher than its text, as it is beside buttons.
pub fn explained_word(ui: &mut Ui, response: Response, lang: Lang, terms: &[Term], word: &str) -> Response {
    let font = TextStyle::Small.resolve(ui.style());
    let size = ui.fonts_mut(|fonts| fonts.layout_no_wrap(word.to_owned(), font, Color32::WHITE).size());
    let place = response.rect.left_center() - vec2(0.0, size.y / 2.0);
    explained_over(ui, response, lang, terms, Rect::from_min_size(place, size))
}

/// What is said of terms: a sentence or two each, one below the other.
#[must_use]
pub fn explanation(lang: Lang, terms: &[Term]) -> String {
    let texts: Vec<_> = terms.iter().map(|term| term.text(lang)).collect();
    texts.join("\n")
}

fn explained_over(ui: &mut Ui, response: Response, lang: Lang, terms: &[Term], words: Rect) -> Response {
    if terms.is_empty() {
        return response;
    }
    if ui.is_rect_visible(words) {
        paint_dots(ui, words.left_bottom(), words.width());
    }
    // Made only for those who ask: a screen reader, or a pointer that rests here.
    let _ = ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(explanation(lang, terms)));
    response.on_hover_ui(|ui| {
        ui.set_max_width(ui.spacing().tooltip_width.min(380.0));
        for term in terms {
            super::power::label(ui, term.text(lang), &TextStyle::Small, Tokens::of(ui).text);
        }
    })
}

/// One mesh for all dots of a word.
fn paint_dots(ui: &Ui, from: Pos2, width: f32) {
    let color = Tokens::of(ui).text_weak;
    let mut mesh = Mesh::default();
    let count = (width / PITCH).floor().max(0.0) as usize;
    for at in 0..count {
        let corner = from + vec2(at as f32 * PITCH, 0.0);
        mesh.add_colored_rect(Rect::from_min_size(corner, vec2(DOT, DOT)), color);
    }
    if !mesh.is_empty() {
        ui.painter().add(Shape::mesh(mesh));
    }
}
