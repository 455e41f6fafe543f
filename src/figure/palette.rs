//! The colours of roles, for the figures and the window: Okabe and Ito's set, which people with any colour vision can
//! tell apart, and shades of it that can carry text.

use crate::format::Class;

/// What a coloured thing stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Values that become zero.
    Lost,
    /// Values below the smallest subnormal that round up to it.
    RoundsUp,
    /// Values that become subnormal.
    Subnormal,
    /// Values that become normal.
    Normal,
    /// Values too large for the format.
    Overflow,
    /// Values that were zero to begin with.
    Zero,
    /// Scales worth using.
    Advised,
    /// The outline of S = 1.
    Ghost,
    /// The sign bit.
    Sign,
    /// The exponent bits.
    Exponent,
    /// The fraction bits.
    Fraction,
}

impl Role {
    /// What a number of this class stands for; what is beyond the range is [`Role::Overflow`].
    #[must_use]
    pub const fn of(class: Class) -> Self {
        match class {
            Class::Zero => Self::Zero,
            Class::Subnormal => Self::Subnormal,
            Class::Normal => Self::Normal,
            Class::Infinite | Class::Nan => Self::Overflow,
        }
    }
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 11] = [
        Self::Lost,
        Self::RoundsUp,
        Self::Subnormal,
        Self::Normal,
        Self::Overflow,
        Self::Zero,
        Self::Advised,
        Self::Ghost,
        Self::Sign,
        Self::Exponent,
        Self::Fraction,
    ];
}

/// Dark or light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Theme {
    /// For print.
    #[default]
    Light,
    /// For the window and the projector.
    Dark,
}

/// Red, green, blue.
pub type Rgb = [u8; 3];

const VERMILLION: Rgb = [0xd5, 0x5e, 0x00];
const YELLOW: Rgb = [0xf0, 0xe4, 0x42];
const ORANGE: Rgb = [0xe6, 0x9f, 0x00];
const SKY_BLUE: Rgb = [0x56, 0xb4, 0xe9];
const PURPLE: Rgb = [0xcc, 0x79, 0xa7];
const GREEN: Rgb = [0x00, 0x9e, 0x73];

/// The fill of a role. On both themes the same hue; areas need no text contrast, see [`ink`] for words.
#[must_use]
pub const fn palette(theme: Theme, role: Role) -> Rgb {
    match role {
        Role::Lost | Role::Sign => VERMILLION,
        Role::RoundsUp => YELLOW,
        Role::Subnormal => ORANGE,
        Role::Normal | Role::Fraction => SKY_BLUE,
        Role::Overflow => PURPLE,
        Role::Advised | Role::Exponent => GREEN,
        Role::Zero => match theme {
            Theme::Light => [0x8b, 0x93, 0xa3],
            Theme::Dark => [0x8f, 0x96, 0xa6],
        },
        Role::Ghost => match theme {
            Theme::Light => [0x5b, 0x63, 0x73],
            Theme::Dark => [0xb4, 0xbb, 0xca],
        },
    }
}

/// The colour of words about a role: its hue, light or dark enough to read on the theme's panels (at least 4.5 to 1).
#[must_use]
pub const fn ink(theme: Theme, role: Role) -> Rgb {
    match (theme, role) {
        (Theme::Dark, Role::Lost | Role::Sign) => [0xf2, 0x7f, 0x2e],
        (Theme::Dark, Role::Advised | Role::Exponent) => [0x2c, 0xc0, 0x96],
        (Theme::Dark, Role::Overflow) => [0xdf, 0x97, 0xbf],
        (Theme::Dark, Role::Zero | Role::Ghost) => [0xb4, 0xbb, 0xca],
        (Theme::Dark, Role::RoundsUp | Role::Subnormal | Role::Normal | Role::Fraction) => palette(theme, role),
        (Theme::Light, Role::Lost | Role::Sign) => [0xb3, 0x47, 0x00],
        (Theme::Light, Role::RoundsUp) => [0x70, 0x66, 0x00],
        (Theme::Light, Role::Subnormal) => [0x8a, 0x57, 0x00],
        (Theme::Light, Role::Normal | Role::Fraction) => [0x0b, 0x68, 0xa3],
        (Theme::Light, Role::Overflow) => [0xa1, 0x3f, 0x76],
        (Theme::Light, Role::Advised | Role::Exponent) => [0x00, 0x75, 0x55],
        (Theme::Light, Role::Zero | Role::Ghost) => [0x55, 0x5d, 0x6d],
    }
}

/// Things that carry no meaning of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// Behind everything.
    Page,
    /// A card on the page.
    Panel,
    /// A raised thing on a panel: the track of a bar, a hovered row.
    Raised,
    /// Words.
    Text,
    /// Words of less weight.
    Muted,
    /// Axes and borders.
    Line,
}

/// The colour of a surface. [`Surface::Text`] and [`Surface::Muted`] have at least 4.5 to 1 on page and panel.
#[must_use]
pub const fn surface(theme: Theme, surface: Surface) -> Rgb {
    match (theme, surface) {
        (Theme::Dark, Surface::Page) => [0x16, 0x18, 0x1d],
        (Theme::Dark, Surface::Panel) => [0x1d, 0x20, 0x27],
        (Theme::Dark, Surface::Raised) => [0x2a, 0x2e, 0x38],
        (Theme::Dark, Surface::Text) => [0xf2, 0xf4, 0xf8],
        (Theme::Dark, Surface::Muted) => [0xa6, 0xad, 0xbb],
        (Theme::Dark, Surface::Line) => [0x4a, 0x50, 0x5e],
        (Theme::Light, Surface::Page) => [0xf4, 0xf5, 0xf8],
        (Theme::Light, Surface::Panel) => [0xff, 0xff, 0xff],
        (Theme::Light, Surface::Raised) => [0xe7, 0xea, 0xf0],
        (Theme::Light, Surface::Text) => [0x16, 0x1a, 0x22],
        (Theme::Light, Surface::Muted) => [0x58, 0x60, 0x70],
        (Theme::Light, Surface::Line) => [0xb8, 0xbf, 0xcc],
    }
}
