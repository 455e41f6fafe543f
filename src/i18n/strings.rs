//! The shape of a table of strings: one line a string, both languages on it.

/// Declares an enum of strings from a table `Variant: "English", "中文";` with `ALL` and `text(lang)`.
///
/// A line without its Chinese half does not compile. Powers of two are written `2^-24`; the window and the figures
/// raise the exponent.
macro_rules! strings {
    ($(#[$meta:meta])* $name:ident { $($variant:ident: $en:literal, $zh:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $(
                #[doc = $en]
                $variant,
            )+
        }

        impl $name {
            /// Every string of the table: tests walk them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The string in a language.
            #[must_use]
            pub const fn text(self, lang: crate::i18n::Lang) -> &'static str {
                match self {
                    $(Self::$variant => lang.pick($en, $zh),)+
                }
            }
        }
    };
}

pub(super) use strings;
