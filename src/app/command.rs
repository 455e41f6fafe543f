//! Everything that has a shortcut: one variant a command, with its text, its hint and its keys.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::model::{Model, RunState};
use super::views::ViewId;
use crate::i18n::Lang;
use crate::i18n::app::App as Text;

/// A command of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UiCommand {
    /// Bring a view to the front.
    Show(ViewId),
    /// Start the run that is set up.
    Start,
    /// Pause or resume.
    PauseResume,
    /// Take one step.
    Step,
    /// Stop the run.
    Stop,
    /// Save what is shown to a file.
    Export,
    /// Open a recorded run.
    Open,
    /// Copy the line that leads to what is shown.
    CopyLink,
}

impl UiCommand {
    /// All commands.
    pub const ALL: [Self; 13] = [
        Self::Show(ViewId::Bits),
        Self::Show(ViewId::Line),
        Self::Show(ViewId::Arithmetic),
        Self::Show(ViewId::Training),
        Self::Show(ViewId::Gradients),
        Self::Show(ViewId::Hardware),
        Self::Start,
        Self::PauseResume,
        Self::Step,
        Self::Stop,
        Self::Export,
        Self::Open,
        Self::CopyLink,
    ];

    /// What the button says.
    #[must_use]
    pub fn text(self, lang: Lang, paused: bool) -> &'static str {
        match self {
            Self::Show(view) => view.title().text(lang),
            Self::Start => Text::Start.text(lang),
            Self::PauseResume if paused => Text::Resume.text(lang),
            Self::PauseResume => Text::Pause.text(lang),
            Self::Step => Text::Step.text(lang),
            Self::Stop => Text::Stop.text(lang),
            Self::Export => Text::Export.text(lang),
            Self::Open => Text::Open.text(lang),
            Self::CopyLink => Text::CopyLink.text(lang),
        }
    }

    /// What it does, in half a sentence.
    #[must_use]
    pub fn hint(self, lang: Lang) -> &'static str {
        match self {
            Self::Show(ViewId::Bits) => Text::ShowBitsHint,
            Self::Show(ViewId::Line) => Text::ShowLineHint,
            Self::Show(ViewId::Arithmetic) => Text::ShowArithmeticHint,
            Self::Show(ViewId::Training) => Text::ShowTrainingHint,
            Self::Show(ViewId::Gradients) => Text::ShowGradientsHint,
            Self::Show(ViewId::Hardware) => Text::ShowHardwareHint,
            Self::Start => Text::StartHint,
            Self::PauseResume => Text::PauseHint,
            Self::Step => Text::StepHint,
            Self::Stop => Text::StopHint,
            Self::Export => Text::ExportHint,
            Self::Open => Text::OpenHint,
            Self::CopyLink => Text::CopyLinkHint,
        }
        .text(lang)
    }

    /// The keys.
    #[must_use]
    pub const fn shortcut(self) -> KeyboardShortcut {
        let (modifiers, key) = match self {
            Self::Show(ViewId::Bits) => (Modifiers::COMMAND, Key::Num1),
            Self::Show(ViewId::Line) => (Modifiers::COMMAND, Key::Num2),
            Self::Show(ViewId::Arithmetic) => (Modifiers::COMMAND, Key::Num3),
            Self::Show(ViewId::Training) => (Modifiers::COMMAND, Key::Num4),
            Self::Show(ViewId::Gradients) => (Modifiers::COMMAND, Key::Num5),
            Self::Show(ViewId::Hardware) => (Modifiers::COMMAND, Key::Num6),
            Self::Start => (Modifiers::COMMAND, Key::Enter),
            Self::PauseResume => (Modifiers::NONE, Key::Space),
            Self::Step => (Modifiers::NONE, Key::S),
            Self::Stop => (Modifiers::COMMAND, Key::Period),
            Self::Export => (Modifiers::COMMAND, Key::E),
            Self::Open => (Modifiers::COMMAND, Key::O),
            Self::CopyLink => (Modifiers::COMMAND, Key::L),
        };
        KeyboardShortcut::new(modifiers, key)
    }

    /// The keys in words, such as `Ctrl+E`.
    #[must_use]
    pub fn keys(self, ctx: &egui::Context) -> String {
        ctx.format_shortcut(&self.shortcut())
    }

    /// Whether it can be done now: a command that cannot has no button and no effect.
    #[must_use]
    pub fn is_possible(self, model: &Model, front: ViewId) -> bool {
        let trains = matches!(front, ViewId::Training | ViewId::Gradients);
        match self {
            Self::Show(_) | Self::Open => true,
            Self::CopyLink => front.is_explorer(),
            Self::Start => trains && model.can_start(),
            Self::PauseResume | Self::Stop => trains && model.run.is_live(),
            Self::Step => trains && matches!(model.run, RunState::Paused),
            Self::Export => match front {
                ViewId::Gradients => model.has_histograms(),
                ViewId::Hardware => model.has_observations(),
                _ => false,
            },
        }
    }

    /// The commands whose keys were pressed in this frame, and which are possible; the keys are used up.
    #[must_use]
    pub fn pressed(ctx: &egui::Context, model: &Model, front: ViewId) -> Vec<Self> {
        // A plain key belongs to the widget that has the focus: Space presses a focused button, S types an s.
        let focused = ctx.memory(egui::Memory::focused).is_some();
        Self::ALL
            .into_iter()
            .filter(|command| command.is_possible(model, front))
            .filter(|command| !(focused && command.shortcut().modifiers.is_none()))
            .filter(|command| ctx.input_mut(|input| input.consume_shortcut(&command.shortcut())))
            .collect()
    }
}
