//! The card of one format: bits, formula, value, neighbours, flags, and why.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, FontId, Layout, Response, RichText, TextStyle, Ui, WidgetInfo};

use super::derived::{Landmark, Row};
use super::typed::typed_ui;
use crate::app::theme::{self, Tokens};
use crate::app::widgets::bit_strip::{BitStrip, Edit, Field};
use crate::app::widgets::term::{explained, explained_word};
use crate::app::widgets::{card, power};
use crate::figure::Role;
use crate::format::{ByteOrder, Class, ExactParts, Format, Formula, Language, Reason, Specials, Status};
use crate::i18n::Lang;
use crate::i18n::bits::{self as words, Bits as Text, Side};
use crate::i18n::glossary::Term;

/// How wide the column with the formats' names is.
const NAME_WIDTH: f32 = 76.0;

/// Lays out the card; returns the strip of bits and what was done to its code. A result is `fixed`: its bits are not
/// changed.
pub(in crate::app::views) fn row_ui(ui: &mut Ui, row: &Row, lang: Lang, fixed: bool) -> (Response, Option<Edit>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.horizontal_top(|ui| {
        let size = egui::vec2(NAME_WIDTH, 0.0);
        let typed = ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
            ui.set_width(NAME_WIDTH);
            let name = RichText::new(row.format.label()).text_style(theme::title()).color(Tokens::of(ui).text);
            ui.add(egui::Label::new(name).wrap());
            copy_ui(ui, row, lang);
            if fixed { None } else { typed_ui(ui, row, lang) }
        });
        let strip = ui.vertical(|ui| {
            let edited = strip_ui(ui, row, lang, fixed);
            formula_line_ui(ui, row, lang);
            value_line_ui(ui, row, lang);
            why_line_ui(ui, row, lang);
            edited
        });
        let (response, edit) = strip.inner;
        (response, edit.or(typed.inner))
    })
    .inner
}

/// Every way to write the number, each to be copied.
fn copy_ui(ui: &mut Ui, row: &Row, lang: Lang) {
    let name = words::copy_of(lang, &row.format.label());
    let label = RichText::new(Text::Copy.text(lang)).text_style(TextStyle::Small);
    ui.spacing_mut().button_padding = egui::vec2(7.0, 1.0);
    let menu = ui.menu_button(label, |ui| {
        let (format, bits) = (row.format, row.bits);
        let binary = format!("0b{bits:0width$b}", width = format.width() as usize);
        let texts = [
            (Text::AsHex.text(lang), Some(row.hex.clone())),
            (Text::AsBinary.text(lang), Some(binary)),
            (Text::AsShortest.text(lang), Some(format.shortest(bits))),
            (Text::AsExact.text(lang), Some(format.exact_decimal(bits))),
            (Text::AsHexFloat.text(lang), Some(format.hex_float(bits))),
            (Text::AsPower.text(lang), Some(format.power_form(bits))),
            (Text::Fields.text(lang), Some(format.fields_text(bits))),
            (Text::LittleEndian.text(lang), Some(format.bytes(bits, ByteOrder::Little))),
            (Text::BigEndian.text(lang), Some(format.bytes(bits, ByteOrder::Big))),
        ];
        let literals = Language::ALL.map(|language| (language.label(), format.source(bits, language)));
        for (name, text) in texts.into_iter().chain(literals) {
            let Some(text) = text else { continue };
            if ui.button(format!("{name}   {}", super::derived::elided(&text, 44))).clicked() {
                ui.ctx().copy_text(text);
                ui.close();
            }
        }
    });
    menu.response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &name));
}

fn strip_ui(ui: &mut Ui, row: &Row, lang: Lang, fixed: bool) -> (Response, Option<Edit>) {
    let name = words::strip(lang, &row.format.label());
    code_ui(ui, lang, (row.format, row.bits), &name, fixed)
}

/// A code as a strip of bits, called `name` for screen readers.
pub(in crate::app::views) fn code_ui(
    ui: &mut Ui,
    lang: Lang,
    (format, bits): (Format, u64),
    name: &str,
    fixed: bool,
) -> (Response, Option<Edit>) {
    let exponent = format.exponent_field(bits);
    let fraction = format.fraction_field(bits);
    let field = |role, names: &[Text], width, value: u64, terms| Field {
        role,
        width,
        captions: names.iter().map(|name| format!("{} {value}", name.text(lang))).collect(),
        terms,
    };
    let (signs, negative) = (u32::from(format.is_signed()), u64::from(format.is_negative(bits)));
    let exponent_terms = &[Term::Exponent, Term::Bias];
    let mut fields = vec![
        field(Role::Sign, &[Text::Sign], signs, negative, &[]),
        field(Role::Exponent, &[Text::Exponent], format.exponent_bits(), exponent, exponent_terms),
        field(
            Role::Fraction,
            &[Text::FractionLong, Text::Fraction],
            format.fraction_bits(),
            fraction,
            &[Term::Fraction],
        ),
    ];
    fields.retain(|field| field.width > 0);
    let label = format.label();
    let sign = format.is_signed().then(|| format!("{label} {}", Text::Sign.text(lang)));
    let mut names: Vec<String> = sign.into_iter().collect();
    for (text, width) in [(Text::Exponent, format.exponent_bits()), (Text::Fraction, format.fraction_bits())] {
        names.extend((0..width).rev().map(|place| words::bit(lang, &label, text.text(lang), place)));
    }
    BitStrip { bits, fields: &fields, hex: &format.hex(bits), name, bit_names: &names, fixed, lang }.show(ui)
}

/// A line with something at its left and something small at its right, which moves to a line of its own where both do
/// not fit.
pub(in crate::app::views) fn line(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: &str) {
    line_with(ui, left, right, |_, _| ());
}

/// The same, with something done to what is shown at the right.
fn line_with(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: &str, marked: impl Fn(&mut Ui, Response)) {
    let mut moved = !right.is_empty();
    ui.horizontal(|ui| {
        left(ui);
        let font = TextStyle::Small.resolve(ui.style());
        let width = ui.fonts_mut(|fonts| fonts.layout_job(power::job(right, &font, Color32::WHITE))).size().x;
        if moved && width <= ui.available_width() {
            moved = false;
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let shown = card::weak(ui, right);
                marked(ui, shown);
            });
        }
    });
    if moved {
        let shown = card::weak(ui, right);
        marked(ui, shown);
    }
}

fn formula_line_ui(ui: &mut Ui, row: &Row, lang: Lang) {
    let limits = row.format.limits();
    let largest = limits.max_finite.to_significant(6).unwrap_or_default();
    let normal = power::of_two(row.format.min_exponent());
    let subnormal =
        if row.format.has_subnormals() { power::of_two(row.format.min_lsb_exponent()) } else { "–".to_owned() };
    let right = words::limits(lang, &largest, &normal, &subnormal);
    line(ui, |ui| formula_ui(ui, row, lang), &right);
}

fn formula_ui(ui: &mut Ui, row: &Row, lang: Lang) {
    let tokens = Tokens::of(ui);
    let Some(formula) = &row.formula else {
        let text = match (row.class, row.format.specials()) {
            (Class::Infinite, _) => Text::IsInfinity,
            (_, Specials::Ieee) => Text::IsNan,
            _ => Text::IsOnlyNan,
        };
        ui.label(RichText::new(text.text(lang)).text_style(TextStyle::Small).color(tokens.text_weak));
        return;
    };
    let font = TextStyle::Monospace.resolve(ui.style());
    let (job, spoken) = formula_job(ui, formula, row.format.bias(), &font);
    let response = ui.label(job);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &spoken));
}

/// `(−1)^s × 2^(field−bias) × (1 + f/2^M)` with its numbers, each part in the colour of its field.
fn formula_job(ui: &Ui, formula: &Formula, bias: i32, font: &FontId) -> (LayoutJob, String) {
    let ink = |role| theme::ink(ui, role);
    let plain = Tokens::of(ui).text;
    let Formula { sign, exponent_field, exponent, hidden, fraction, fraction_bits } = *formula;
    let whole = 1u64 << fraction_bits;
    // A subnormal's exponent is 1 − bias, whatever its field says.
    let exponent_parts = format!("{}−{bias}", if hidden == 1 { exponent_field } else { 1 });
    let significand = format!("({hidden} + {fraction}/{whole})");
    let mut job = LayoutJob::default();
    power::append(&mut job, &format!("(−1)^{sign}"), font, ink(Role::Sign));
    power::append(&mut job, " × ", font, plain);
    power::append(&mut job, "2", font, ink(Role::Exponent));
    append_raised(&mut job, &exponent_parts, font, ink(Role::Exponent));
    power::append(&mut job, " × ", font, plain);
    power::append(&mut job, &significand, font, ink(Role::Fraction));
    let spoken = format!("(−1)^{sign} × 2^{exponent} × {significand}");
    (job, spoken)
}

fn append_raised(job: &mut LayoutJob, text: &str, font: &FontId, color: Color32) {
    let small = FontId::new(font.size * 0.76, font.family.clone());
    job.append(text, 1.0, TextFormat { valign: Align::TOP, ..TextFormat::simple(small, color) });
}

fn value_line_ui(ui: &mut Ui, row: &Row, lang: Lang) {
    let tokens = Tokens::of(ui);
    let right = match row.class {
        Class::Nan => String::new(),
        _ => words::steps(lang, if row.ulp.is_empty() { "–" } else { &row.ulp }, &row.below, &row.above),
    };
    let left = |ui: &mut Ui| {
        ui.label(RichText::new(&row.value).text_style(theme::title()).color(tokens.text));
        let class = class_text(row).text(lang);
        let kind = match row.landmark {
            Some(landmark) => landmark_text(landmark).text(lang).to_owned(),
            None => class.to_owned(),
        };
        let role = Role::of(row.class);
        let kind = ui.label(RichText::new(kind).text_style(theme::small_strong()).color(theme::ink(ui, role)));
        explained(ui, kind, lang, &[class_term(row.class, row.signalling)]);
        if row.exact != row.shortest {
            match &row.parts {
                _ if row.exact == row.value => drop(card::weak(ui, &words::shortest(lang, &row.shortest))),
                Some(parts) => digits_ui(ui, parts, lang),
                None => drop(card::weak(ui, &format!("= {}", row.exact))),
            }
        }
    };
    let marked = |ui: &mut Ui, shown: Response| drop(explained_word(ui, shown, lang, &[Term::Ulp], "ULP"));
    line_with(ui, left, &right, marked);
}

/// All digits, those greyed that are not needed to tell the number from its neighbours.
fn digits_ui(ui: &mut Ui, parts: &ExactParts, lang: Lang) {
    let tokens = Tokens::of(ui);
    let font = TextStyle::Small.resolve(ui.style());
    let mut job = LayoutJob::default();
    let plain = |color: Color32| TextFormat::simple(font.clone(), color);
    job.append("= ", 0.0, plain(tokens.text_weak));
    job.append(&parts.needed, 0.0, plain(tokens.text));
    job.append(&parts.rest, 0.0, plain(tokens.text_weak.gamma_multiply(0.7)));
    job.append(&parts.exponent, 0.0, plain(tokens.text));
    let text = format!("= {}{}{}", parts.needed, parts.rest, parts.exponent);
    let response = ui.label(job);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &text));
    response.on_hover_text(Text::GreyDigits.text(lang));
}

fn why_line_ui(ui: &mut Ui, row: &Row, lang: Lang) {
    let flags: Vec<_> = FLAGS.iter().filter(|(flag, ..)| row.status.contains(*flag)).collect();
    let mut text = why(row, lang);
    if let Some((error, ulps)) = &row.error {
        text = format!("{text} · {}", words::error(lang, error, ulps));
    }
    ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
        if flags.is_empty() {
            let none = card::weak(ui, Text::NoFlags.text(lang));
            explained(ui, none, lang, &[Term::NoFlags]);
        }
        for (flag, text, term) in flags.iter().rev() {
            let role = if *flag == Status::UNDERFLOW { Role::Lost } else { Role::Overflow };
            let color = if *flag == Status::INEXACT { Tokens::of(ui).text } else { theme::ink(ui, role) };
            let name = ui.label(RichText::new(text.text(lang)).text_style(theme::small_strong()).color(color));
            explained(ui, name, lang, &[*term]);
        }
        // The sentence has the room that the flags leave, and a second line where that is too little.
        ui.with_layout(Layout::left_to_right(Align::TOP), |ui| {
            let small = RichText::new(text).text_style(TextStyle::Small).color(Tokens::of(ui).text_weak);
            ui.add(egui::Label::new(small).wrap());
        });
    });
}

/// The flags and their names.
pub(in crate::app::views) const FLAGS: [(Status, Text, Term); 5] = [
    (Status::INVALID, Text::Invalid, Term::Invalid),
    (Status::DIVIDE_BY_ZERO, Text::DivideByZero, Term::DivideByZero),
    (Status::OVERFLOW, Text::Overflow, Term::Overflow),
    (Status::UNDERFLOW, Text::Underflow, Term::Underflow),
    (Status::INEXACT, Text::Inexact, Term::Inexact),
];

/// What the flags of a status are called, parted by dots, each explained.
pub(in crate::app::views) fn flags_ui(ui: &mut Ui, status: Status, lang: Lang) -> Response {
    let raised = || FLAGS.iter().filter(|(flag, ..)| status.contains(*flag));
    let names: Vec<_> = raised().map(|(_, text, _)| text.text(lang)).collect();
    let mut terms: Vec<_> = raised().map(|(.., term)| *term).collect();
    if terms.is_empty() {
        terms.push(Term::NoFlags);
    }
    let text = if names.is_empty() { Text::NoFlags.text(lang).to_owned() } else { names.join(" · ") };
    let response = card::weak(ui, &text);
    explained(ui, response, lang, &terms)
}

fn class_text(row: &Row) -> Text {
    match row.class {
        Class::Zero => Text::Zero,
        Class::Subnormal => Text::Subnormal,
        Class::Normal => Text::Normal,
        Class::Infinite => Text::Infinite,
        Class::Nan if row.signalling => Text::Signalling,
        Class::Nan => Text::Nan,
    }
}

/// What the class of a number means.
const fn class_term(class: Class, signalling: bool) -> Term {
    match class {
        Class::Zero => Term::Zero,
        Class::Subnormal => Term::Subnormal,
        Class::Normal => Term::Normal,
        Class::Infinite => Term::Infinite,
        Class::Nan if signalling => Term::Signalling,
        Class::Nan => Term::Nan,
    }
}

const fn landmark_text(landmark: Landmark) -> Text {
    match landmark {
        Landmark::Largest => Text::Largest,
        Landmark::SmallestNormal => Text::SmallestNormal,
        Landmark::LargestSubnormal => Text::LargestSubnormal,
        Landmark::SmallestSubnormal => Text::SmallestSubnormal,
    }
}

/// The words of the sentence that says what decided the rounding.
pub(in crate::app::views) const fn why_terms(reason: Reason) -> &'static [Term] {
    match reason {
        Reason::BelowMidpoint | Reason::AboveMidpoint => &[Term::Midpoint],
        Reason::TieToEven | Reason::TieAway => &[Term::Midpoint, Term::Tie],
        Reason::Overflow(_) => &[Term::Overflow],
        Reason::Undefined => &[Term::Invalid],
        Reason::DividedByZero => &[Term::DivideByZero],
        Reason::Quieted => &[Term::Signalling],
        Reason::Flushed => &[Term::Ftz],
        Reason::Exact
        | Reason::Special
        | Reason::NotInFormat
        | Reason::CutOff
        | Reason::TowardPositive
        | Reason::TowardNegative
        | Reason::ToOdd
        | Reason::Chance
        | Reason::Clamped => &[],
    }
}

/// One sentence: what decided the rounding.
pub(in crate::app::views) fn why(row: &Row, lang: Lang) -> String {
    if let (Reason::Overflow(Class::Infinite), Some(overflow)) = (row.reason, &row.overflow) {
        return words::overflow(lang, overflow);
    }
    let text = match row.reason {
        Reason::BelowMidpoint => return words::nearest(lang, Side::Below, &row.midpoint),
        Reason::AboveMidpoint => return words::nearest(lang, Side::Above, &row.midpoint),
        Reason::TieToEven => return words::nearest(lang, Side::TieToEven, &row.midpoint),
        Reason::TieAway => return words::nearest(lang, Side::TieAway, &row.midpoint),
        Reason::Exact => Text::WhyExact,
        Reason::Special => Text::WhySpecial,
        Reason::Undefined => Text::WhyUndefined,
        Reason::DividedByZero => Text::WhyDividedByZero,
        Reason::Quieted => Text::WhyQuieted,
        Reason::NotInFormat => Text::WhyNotInFormat,
        Reason::CutOff => Text::WhyCutOff,
        Reason::TowardPositive => Text::WhyPositive,
        Reason::TowardNegative => Text::WhyNegative,
        Reason::ToOdd => Text::WhyOdd,
        Reason::Chance => Text::WhyChance,
        Reason::Overflow(Class::Nan) => Text::WhyNoInfinity,
        Reason::Overflow(_) => Text::WhyHeld,
        Reason::Clamped => Text::WhyClamped,
        Reason::Flushed => Text::WhyFlushed,
    };
    text.text(lang).to_owned()
}
