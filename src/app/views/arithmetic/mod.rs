//! How results are rounded, and why: one value, one operation, conversions one after another, a dot product, an update, a
//! function over a range of inputs.

mod chain;
mod dot;
mod matrix;
mod operation;
mod rounding;
mod sweep;
mod update;

use egui::{RichText, TextStyle, Ui};

use self::chain::ChainPane;
use self::dot::DotPane;
use self::operation::OperationPane;
use self::rounding::RoundingPane;
use self::sweep::SweepPane;
use self::update::UpdatePane;
use super::{View, ViewId};
use crate::app::action::Actions;
use crate::app::model::Model;
use crate::app::theme::Tokens;
use crate::app::widgets::card;
use crate::app::widgets::segmented::{Choice, segmented};
use crate::i18n::Lang;
use crate::i18n::arithmetic::Arithmetic as Text;
use crate::i18n::sweep::Sweep;
use crate::link::Link;

/// Which part of the view is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Pane {
    #[default]
    Rounding,
    Operation,
    Chain,
    Dot,
    Update,
    Sweep,
}

impl Pane {
    const ALL: [Self; 6] = [Self::Rounding, Self::Operation, Self::Chain, Self::Dot, Self::Update, Self::Sweep];

    const fn words(self, lang: Lang) -> (&'static str, &'static str) {
        let (name, hint) = match self {
            Self::Rounding => (Text::PaneRounding, Text::PaneRoundingHint),
            Self::Operation => (Text::PaneOperation, Text::PaneOperationHint),
            Self::Chain => (Text::PaneChain, Text::PaneChainHint),
            Self::Dot => (Text::PaneDot, Text::PaneDotHint),
            Self::Update => (Text::PaneUpdate, Text::PaneUpdateHint),
            Self::Sweep => return (Sweep::Pane.text(lang), Sweep::PaneHint.text(lang)),
        };
        (name.text(lang), hint.text(lang))
    }
}

/// The Arithmetic view.
#[derive(Debug, Default)]
pub(super) struct ArithmeticView {
    pane: Pane,
    rounding: RoundingPane,
    operation: OperationPane,
    chain: ChainPane,
    dot: DotPane,
    update: UpdatePane,
    sweep: SweepPane,
}

impl View for ArithmeticView {
    fn id(&self) -> ViewId {
        ViewId::Arithmetic
    }

    fn ui(&mut self, ui: &mut Ui, model: &Model, actions: &mut Actions) {
        let lang = model.lang;
        ui.spacing_mut().item_spacing.y = 4.0;
        // Cards stand above each other: lines of text must not be as tall as buttons.
        ui.spacing_mut().interact_size.y = TextStyle::Body.resolve(ui.style()).size * 1.25;
        self.panes_ui(ui, lang);
        ui.add_space(4.0);
        match self.pane {
            Pane::Rounding => self.rounding.ui(ui, lang),
            Pane::Operation => self.operation.ui(ui, lang),
            Pane::Chain => self.chain.ui(ui, model, actions),
            Pane::Dot => self.dot.ui(ui, lang),
            Pane::Update => self.update.ui(ui, lang),
            Pane::Sweep => self.sweep.ui(ui, lang),
        }
    }

    fn link(&self) -> Option<Link> {
        Some(match self.pane {
            Pane::Rounding => Link::Round(self.rounding.link().clone()),
            Pane::Operation => Link::Calc(self.operation.link().clone()),
            Pane::Chain => Link::Chain(self.chain.link().clone()),
            Pane::Dot => Link::Dot(Box::new(self.dot.link().clone())),
            Pane::Update => Link::Update(self.update.link().clone()),
            Pane::Sweep => Link::Sweep(self.sweep.link().clone()),
        })
    }

    fn follow(&mut self, link: &Link) {
        match link {
            Link::Round(link) => (self.pane, self.rounding) = (Pane::Rounding, RoundingPane::of(link.clone())),
            Link::Calc(link) => (self.pane, self.operation) = (Pane::Operation, OperationPane::of(link.clone())),
            Link::Chain(link) => (self.pane, self.chain) = (Pane::Chain, ChainPane::of(link.clone())),
            Link::Dot(link) => (self.pane, self.dot) = (Pane::Dot, DotPane::of((**link).clone())),
            Link::Update(link) => (self.pane, self.update) = (Pane::Update, UpdatePane::of(link.clone())),
            Link::Sweep(link) => (self.pane, self.sweep) = (Pane::Sweep, SweepPane::of(link.clone())),
            Link::Bits(_) | Link::Line(_) | Link::Hardware(_) => {}
        }
    }
}

impl ArithmeticView {
    fn panes_ui(&mut self, ui: &mut Ui, lang: Lang) {
        let choices = Pane::ALL.map(|pane| {
            let (text, hint) = pane.words(lang);
            Choice { value: pane, text, hint }
        });
        ui.horizontal(|ui| {
            if let Some(pane) = segmented(ui, Text::Show.text(lang), self.pane, &choices) {
                self.pane = pane;
            }
            ui.add_space(6.0);
            let hint = RichText::new(self.pane.words(lang).1).text_style(TextStyle::Small);
            ui.add(egui::Label::new(hint.color(Tokens::of(ui).text_weak)).truncate());
        });
    }
}

/// Buttons that show something worth a look; returns the one that was clicked.
fn examples_ui<'e>(ui: &mut Ui, lang: Lang, examples: &[&'e str]) -> Option<&'e str> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        card::weak(ui, crate::i18n::bits::Bits::Try.text(lang));
        for example in examples {
            if card::small_button(ui, example).clicked() {
                chosen = Some(*example);
            }
        }
    });
    chosen
}
