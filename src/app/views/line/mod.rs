//! Where the numbers of formats lie: on a line to zoom into, by binade, against their size, one by one, and their limits.

mod axis;
mod charts;
mod limits;
mod ruler;
mod values;

use egui::{TextStyle, Ui};

use self::ruler::Ruler;
use super::{View, ViewId};
use crate::app::action::Actions;
use crate::app::model::Model;
use crate::app::widgets::card;
use crate::app::widgets::format_chips::format_chips;
use crate::app::widgets::segmented::{Choice, segmented};
use crate::format::Format;
use crate::i18n::Lang;
use crate::i18n::line::Line as Text;
use crate::link::{LineLink, LinePane, Link};

/// The Number line view.
#[derive(Debug, Default)]
pub(super) struct LineView {
    link: LineLink,
    ruler: Ruler,
    /// The code that is looked at in the table of values.
    code: u64,
}

impl View for LineView {
    fn id(&self) -> ViewId {
        ViewId::Line
    }

    fn ui(&mut self, ui: &mut Ui, model: &Model, _actions: &mut Actions) {
        let lang = model.lang;
        ui.spacing_mut().item_spacing.y = 4.0;
        // Cards stand above each other: lines of text must not be as tall as buttons.
        ui.spacing_mut().interact_size.y = TextStyle::Body.resolve(ui.style()).size * 1.25;
        card::tight(ui, |ui| self.choices_ui(ui, lang));
        ui.add_space(4.0);
        let formats = self.link.formats.clone();
        match self.link.pane {
            LinePane::Line => card::tight(ui, |ui| self.ruler.ui(ui, lang, &mut self.link)),
            LinePane::Density => card::tight(ui, |ui| charts::density_ui(ui, lang, &formats)),
            LinePane::Error => card::tight(ui, |ui| charts::error_ui(ui, lang, &formats)),
            LinePane::Values => card::tight(ui, |ui| values::values_ui(ui, lang, &formats, &mut self.code)),
            LinePane::Limits => card::tight(ui, |ui| limits::limits_ui(ui, lang, &formats)),
        }
    }

    fn link(&self) -> Option<Link> {
        Some(Link::Line(self.link.clone()))
    }

    fn follow(&mut self, link: &Link) {
        if let Link::Line(link) = link {
            self.link = link.clone();
            self.ruler = Ruler::default();
        }
    }
}

impl LineView {
    fn choices_ui(&mut self, ui: &mut Ui, lang: Lang) {
        ui.horizontal_wrapped(|ui| {
            let panes = LinePane::ALL.map(|pane| Choice { value: pane, text: pane_text(pane).text(lang), hint: "" });
            if let Some(pane) =
                segmented(ui, crate::i18n::arithmetic::Arithmetic::Show.text(lang), self.link.pane, &panes)
            {
                self.link.pane = pane;
            }
        });
        ui.horizontal_wrapped(|ui| {
            format_chips(ui, lang, &mut self.link.formats, LineLink::MOST, true);
            for (name, formats) in SETS {
                if card::small_button(ui, name).clicked() {
                    self.link.formats = formats.to_vec();
                    self.link.window = None;
                }
            }
        });
    }
}

/// Formats worth seeing over each other.
const SETS: [(&str, &[Format]); 4] = [
    ("FP16 · BF16 · TF32", &[Format::FP16, Format::BF16, Format::TF32]),
    ("FP8", &[Format::E4M3, Format::E5M2, Format::E4M3FNUZ, Format::E5M2FNUZ]),
    ("FP6 · FP4", &[Format::E3M2, Format::E2M3, Format::E2M1]),
    ("FP16 · E8M0", &[Format::FP16, Format::E8M0]),
];

const fn pane_text(pane: LinePane) -> Text {
    match pane {
        LinePane::Line => Text::PaneLine,
        LinePane::Density => Text::PaneDensity,
        LinePane::Error => Text::PaneError,
        LinePane::Values => Text::PaneValues,
        LinePane::Limits => Text::PaneLimits,
    }
}
