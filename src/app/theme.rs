//! Colours, type sizes and spacing: the only place where the window says how things look.
//!
//! Colours of number classes and of sign, exponent and fraction are roles of [`crate::figure::palette`], so that the
//! window and the exported figure agree; what is here dresses the window around them.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Theme, Visuals};
use egui_plot::LineStyle;
use serde::{Deserialize, Serialize};

use super::fonts;
use crate::figure::{self, Role};

/// A way the window looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// Light on dark, for a desk.
    #[default]
    Dark,
    /// Dark on light, for print-like pictures.
    Light,
    /// Light, with large type for the back row of a bright room.
    Projector,
}

impl Look {
    /// All looks, in the order in which the window lists them.
    pub const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::Projector];

    /// The egui theme underneath.
    #[must_use]
    pub const fn theme(self) -> Theme {
        match self {
            Self::Dark => Theme::Dark,
            Self::Light | Self::Projector => Theme::Light,
        }
    }

    /// By how much type is larger than usual.
    const fn type_scale(self) -> f32 {
        match self {
            Self::Dark | Self::Light => 1.0,
            Self::Projector => 1.25,
        }
    }

    /// The look of this name: `dark`, `light` or `projector`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|look| look.name() == name)
    }

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Projector => "projector",
        }
    }
}

/// The colours of the window around the pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokens {
    /// Behind everything.
    pub background: Color32,
    /// Behind the navigation.
    pub navigation: Color32,
    /// Behind a group of things that belong together.
    pub card: Color32,
    /// Around cards and between rows.
    pub border: Color32,
    /// Around a thing under the pointer, and small boxes to tick.
    pub border_strong: Color32,
    /// A button at rest.
    pub button: Color32,
    /// A button under the pointer.
    pub button_hovered: Color32,
    /// A field to type into, and the rail of a bar or slider.
    pub well: Color32,
    /// What is chosen.
    pub selection: Color32,
    /// Text.
    pub text: Color32,
    /// Text of less weight; still at least 4.5 : 1 against a card.
    pub text_weak: Color32,
    /// The one colour that says "act here".
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// The part of a slider that is grasped.
    pub handle: Color32,
    /// Something went wrong.
    pub error: Color32,
    /// Something went well, and advised values.
    pub good: Color32,
}

const DARK: Tokens = Tokens {
    background: rgb(0x14, 0x16, 0x1b),
    navigation: rgb(0x1a, 0x1d, 0x24),
    card: rgb(0x1e, 0x21, 0x29),
    border: rgb(0x2e, 0x33, 0x3e),
    border_strong: rgb(0x4a, 0x53, 0x65),
    button: rgb(0x2a, 0x2f, 0x3a),
    button_hovered: rgb(0x36, 0x3d, 0x4b),
    well: rgb(0x12, 0x14, 0x19),
    selection: rgb(0x2a, 0x3a, 0x56),
    text: rgb(0xea, 0xec, 0xf2),
    text_weak: rgb(0xa3, 0xaa, 0xb8),
    accent: rgb(0x56, 0xb4, 0xe9),
    on_accent: rgb(0x0a, 0x14, 0x1c),
    handle: rgb(0xff, 0xff, 0xff),
    error: rgb(0xff, 0x8a, 0x5c),
    good: rgb(0x2f, 0xc7, 0x99),
};

const LIGHT: Tokens = Tokens {
    background: rgb(0xf1, 0xf3, 0xf7),
    navigation: rgb(0xe6, 0xe9, 0xf0),
    card: rgb(0xff, 0xff, 0xff),
    border: rgb(0xd3, 0xd8, 0xe2),
    border_strong: rgb(0xa4, 0xae, 0xbf),
    button: rgb(0xea, 0xed, 0xf3),
    button_hovered: rgb(0xdd, 0xe2, 0xec),
    well: rgb(0xf4, 0xf6, 0xfa),
    selection: rgb(0xcf, 0xe3, 0xf5),
    text: rgb(0x17, 0x1a, 0x21),
    text_weak: rgb(0x53, 0x5b, 0x6b),
    accent: rgb(0x00, 0x6a, 0xa8),
    on_accent: rgb(0xff, 0xff, 0xff),
    handle: rgb(0xff, 0xff, 0xff),
    error: rgb(0xb8, 0x3f, 0x00),
    good: rgb(0x00, 0x73, 0x54),
};

#[expect(clippy::disallowed_methods, reason = "this file is where colours live")]
const fn rgb(red: u8, green: u8, blue: u8) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

const fn color([red, green, blue]: [u8; 3]) -> Color32 {
    rgb(red, green, blue)
}

/// Which of the figures' themes goes with what is being painted.
#[must_use]
pub fn figure_theme(ui: &egui::Ui) -> figure::Theme {
    if ui.visuals().dark_mode { figure::Theme::Dark } else { figure::Theme::Light }
}

/// The fill of a role.
#[must_use]
pub fn fill(ui: &egui::Ui, role: Role) -> Color32 {
    color(figure::palette(figure_theme(ui), role))
}

/// The colour of words about a role.
#[must_use]
pub fn ink(ui: &egui::Ui, role: Role) -> Color32 {
    color(figure::ink(figure_theme(ui), role))
}

/// A lane's colour and line style; never the colour alone, so that curves can be told apart in black and white.
#[must_use]
pub fn lane(ui: &egui::Ui, index: usize) -> (Color32, LineStyle) {
    const STYLES: [LineStyle; 6] = [
        // Two lanes that learn alike lie on each other: gaps let the lower one show through.
        LineStyle::Solid,
        LineStyle::Dashed { length: 10.0 },
        LineStyle::Dashed { length: 4.0 },
        LineStyle::Dotted { spacing: 7.0 },
        LineStyle::Dashed { length: 18.0 },
        LineStyle::Dotted { spacing: 11.0 },
    ];
    const ROLES: [Role; 6] = [Role::Normal, Role::Lost, Role::Advised, Role::Overflow, Role::Subnormal, Role::Zero];
    (ink(ui, ROLES[index % ROLES.len()]), STYLES[index % STYLES.len()])
}

impl Tokens {
    /// The tokens of what is being painted.
    #[must_use]
    pub fn of(ui: &egui::Ui) -> &'static Self {
        if ui.visuals().dark_mode { &DARK } else { &LIGHT }
    }
}

/// The name of a view on top of it.
#[must_use]
pub fn heading() -> TextStyle {
    TextStyle::Heading
}

/// The name of a card.
#[must_use]
pub fn title() -> TextStyle {
    TextStyle::Name("title".into())
}

/// Body size, semibold: numbers that matter, names in a list.
#[must_use]
pub fn strong() -> TextStyle {
    TextStyle::Name("strong".into())
}

/// Small and semibold: labels inside a picture.
#[must_use]
pub fn small_strong() -> TextStyle {
    TextStyle::Name("small-strong".into())
}

/// The one number that the back row must read.
#[must_use]
pub fn huge() -> TextStyle {
    TextStyle::Name("huge".into())
}

/// How round cards and buttons are.
pub const RADIUS: u8 = 8;

/// Between cards.
pub const GAP: f32 = 12.0;

/// Puts a look on a context. Everything egui draws follows from here.
pub fn apply(ctx: &egui::Context, look: Look) {
    ctx.style_mut_of(look.theme(), |style| {
        let tokens = if look == Look::Dark { &DARK } else { &LIGHT };
        let scale = look.type_scale();
        let sans = |size: f32| FontId::new(size * scale, FontFamily::Proportional);
        let semibold = |size: f32| FontId::new(size * scale, fonts::semibold());
        style.text_styles = [
            (TextStyle::Heading, semibold(21.0)),
            (TextStyle::Body, sans(14.0)),
            (TextStyle::Button, sans(14.0)),
            (TextStyle::Small, sans(12.0)),
            (TextStyle::Monospace, FontId::new(13.0 * scale, FontFamily::Monospace)),
            (title(), semibold(15.5)),
            (strong(), semibold(14.0)),
            (small_strong(), semibold(12.0)),
            (huge(), semibold(58.0)),
        ]
        .into();
        style.spacing.item_spacing = egui::vec2(8.0, 6.0);
        style.spacing.button_padding = egui::vec2(12.0, 6.0);
        style.spacing.interact_size.y = 28.0;
        style.spacing.combo_width = 96.0;
        style.spacing.menu_margin = Margin::same(8);
        style.spacing.icon_width = 16.0;
        style.visuals = visuals(look, tokens);
        style.interaction.selectable_labels = false;
    });
    ctx.set_theme(look.theme());
}

fn visuals(look: Look, tokens: &Tokens) -> Visuals {
    let mut visuals = match look.theme() {
        Theme::Dark => Visuals::dark(),
        Theme::Light => Visuals::light(),
    };
    let round = CornerRadius::same(RADIUS - 2);
    visuals.panel_fill = tokens.background;
    visuals.window_fill = tokens.card;
    visuals.window_stroke = Stroke::new(1.0, tokens.border);
    visuals.window_corner_radius = CornerRadius::same(RADIUS);
    visuals.menu_corner_radius = CornerRadius::same(RADIUS);
    visuals.extreme_bg_color = tokens.well;
    visuals.faint_bg_color = tokens.button;
    visuals.code_bg_color = tokens.well;
    visuals.hyperlink_color = tokens.accent;
    visuals.error_fg_color = tokens.error;
    visuals.warn_fg_color = tokens.error;
    visuals.weak_text_color = Some(tokens.text_weak);
    visuals.selection.bg_fill = tokens.selection;
    visuals.selection.stroke = Stroke::new(1.0, tokens.accent);
    for (widget, fill, outline) in [
        (&mut visuals.widgets.noninteractive, tokens.card, tokens.border),
        (&mut visuals.widgets.inactive, tokens.button, tokens.border),
        (&mut visuals.widgets.hovered, tokens.button_hovered, tokens.border_strong),
        (&mut visuals.widgets.active, tokens.button_hovered, tokens.border_strong),
        (&mut visuals.widgets.open, tokens.button_hovered, tokens.border),
    ] {
        widget.bg_fill = outline;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(1.0, outline);
        widget.fg_stroke = Stroke::new(1.0, tokens.text);
        widget.corner_radius = round;
        widget.expansion = 0.0;
    }
    visuals.widgets.inactive.bg_fill = tokens.border_strong;
    visuals.widgets.active.bg_stroke = Stroke::new(2.0, tokens.accent);
    visuals
}
