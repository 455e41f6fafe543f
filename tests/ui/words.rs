//! Words for people: errors in the language of the window, nothing refused in silence, words of the field explained.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};
use halfscope::app::ViewId;
use halfscope::export::refused;
use halfscope::format::{Format, parse_value};
use halfscope::i18n::Lang;
use halfscope::i18n::app::App as Shell;
use halfscope::i18n::arithmetic::{self as words, Arithmetic as Text};
use halfscope::i18n::bits::Bits;
use halfscope::i18n::glossary::Term;
use halfscope::i18n::gradients::Gradients;
use halfscope::i18n::line::Line;

use super::support::{Case, Window, app};

fn at(lang: Lang, view: ViewId, link: Option<&'static str>) -> Window {
    let mut window = Case { lang, view, link, ..Case::default() }.window();
    window.run_steps(4);
    window
}

/// Types into a field whose name, once it holds something wrong, says so.
fn type_into(window: &mut Window, name: &str, text: &str) {
    let field = |window: &Window| {
        let is_field = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
            node.role() == Role::TextInput && node.label().is_some_and(|label| label.starts_with(name))
        };
        window.query_all(By::new().predicate(is_field)).next().unwrap_or_else(|| panic!("no field {name}")).rect()
    };
    let place = field(window).center();
    window.hover_at(place);
    window.run_steps(1);
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        window.event(egui::Event::PointerButton { pos: place, button, pressed, modifiers: Modifiers::NONE });
    }
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(1);
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(3);
}

/// Everything that is shown or spoken.
fn texts(window: &Window) -> Vec<String> {
    let said = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        [node.label(), node.value(), node.description()]
    };
    window.query_all(By::new().include_labels()).flat_map(said).flatten().collect()
}

/// Three English words in a row.
fn is_english(text: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let words: Vec<bool> = text.split(' ').map(|word| is_word(word.trim_matches([',', ':', '.', '"']))).collect();
    words.windows(3).any(|three| three.iter().all(|word| *word))
}

#[test]
fn the_test_knows_english() {
    assert!(is_english("\"hello\" is not a number: write 0.5"));
    assert!(is_english("1e needs digits after the e"));
    assert!(!is_english("未知格式“hello”：可用 fp64 fp32 tf32 fp16"));
    assert!(!is_english("halfscope open '…'"));
}

#[test]
fn bad_input_is_answered_in_chinese_in_every_view() {
    let lang = Lang::ZhCn;
    let format = |text: Text| format!("{}, {}", text.text(lang), Text::FormatName.text(lang));
    let added = format!("{}, {}", Line::AddFormat.text(lang), Text::FormatName.text(lang));
    let (value, operand) = (Bits::Value.text(lang).to_owned(), words::operand(lang, "a"));
    let cell = words::element(lang, "A", 1, 1);
    let cases = [
        (ViewId::Bits, "bits 1", value.clone(), "hello"),
        (ViewId::Bits, "bits 1", value.clone(), "0x"),
        (ViewId::Bits, "bits \"1 2\" block=mxfp4", value.clone(), "1 x"),
        (ViewId::Bits, "bits 1", added.clone(), "fp8"),
        (ViewId::Line, "line fp16", added, "e0m5"),
        (ViewId::Arithmetic, "round 1", value.clone(), "1e"),
        (ViewId::Arithmetic, "round 1", format(Text::RoundedTo), "hello"),
        (ViewId::Arithmetic, "calc add 1 2", operand, "1/0"),
        (ViewId::Arithmetic, "calc add 1 2", format(Text::FormatOfOperation), "e1m2"),
        (ViewId::Arithmetic, "chain 1", value, "1,5"),
        (ViewId::Arithmetic, "chain 1", Text::ChainFormats.text(lang).to_owned(), "fp16,fp17"),
        (ViewId::Arithmetic, "update 1 1", Text::Weight.text(lang).to_owned(), "1_0"),
        (ViewId::Arithmetic, "dot", cell, "(1"),
    ];
    for (view, link, field, text) in cases {
        let mut window = at(lang, view, Some(link));
        let is_wrong = |text: &String| text.starts_with(&field) && text.contains(['：', '“', '”']);
        assert!(!texts(&window).iter().any(is_wrong), "{link}: wrong before anything was typed");
        type_into(&mut window, &field, text);
        let texts = texts(&window);
        let english: Vec<_> = texts.iter().filter(|text| is_english(text)).collect();
        assert!(english.is_empty(), "{link}, {text}: {english:?}");
        // The line is there: the error of a value or a format, whichever the text is.
        let part = text.split([' ', ',']).next_back().unwrap();
        let lines =
            [parse_value(text).err(), parse_value(part).err(), Format::parse(text).err(), Format::parse(part).err()];
        let lines = lines.map(|error| error.map(|error| refused(&error, lang)));
        let said = lines.iter().flatten().any(|line| texts.iter().any(|text| text.ends_with(line)));
        assert!(said, "{link}, {text}: none of {lines:?} in {texts:?}");
    }
}

#[test]
fn a_wrong_format_stays_until_it_is_right_or_left_by_escape() {
    let mut window = at(Lang::En, ViewId::Arithmetic, Some("round 0.1 format=fp16"));
    let name = format!("{}, {}", Text::RoundedTo.text(Lang::En), Text::FormatName.text(Lang::En));
    let line = refused(&Format::parse("fp8").unwrap_err(), Lang::En);
    let typed = |window: &Window| {
        let is_field = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
            node.role() == Role::TextInput && node.label().is_some_and(|label| label.starts_with(&name))
        };
        window.query_all(By::new().predicate(is_field)).next().unwrap().accesskit_node().value().unwrap()
    };
    type_into(&mut window, &name, "fp8");
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(typed(&window), "fp8");
    window.get_by_role_and_label(Role::Label, &line);
    // Elsewhere, too.
    window.key_press(Key::Tab);
    window.run_steps(3);
    assert_eq!(typed(&window), "fp8");
    type_into(&mut window, &name, "fp8");
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert_eq!(typed(&window), "fp16");
    assert!(window.query_by_label(&line).is_none());
    type_into(&mut window, &name, "e5m2");
    window.key_press(Key::Tab);
    window.run_steps(3);
    assert_eq!(typed(&window), "e5m2");
    assert!(texts(&window).iter().any(|text| text == "E5M2"));
}

#[test]
fn words_of_the_field_are_explained_where_they_stand() {
    let cases: [(ViewId, &str, &[Term]); 9] = [
        (
            ViewId::Bits,
            "bits 65519.9999",
            &[Term::Fraction, Term::Exponent, Term::Ulp, Term::Normal, Term::Inexact, Term::Guard, Term::Sticky],
        ),
        (ViewId::Bits, "bits 2^-24", &[Term::Subnormal, Term::NoFlags]),
        (
            ViewId::Arithmetic,
            "round 0.1",
            &[
                Term::Kept,
                Term::Guard,
                Term::Round,
                Term::Sticky,
                Term::Saturate,
                Term::Ftz,
                Term::Daz,
                Term::TinyAfter,
            ],
        ),
        (ViewId::Arithmetic, "round 1e9", &[Term::Overflow, Term::Infinite, Term::Rne, Term::Rto]),
        (ViewId::Arithmetic, "calc div 1 0", &[Term::DivideByZero]),
        (ViewId::Arithmetic, "calc sub inf inf", &[Term::Invalid, Term::Nan]),
        (ViewId::Arithmetic, "update 1 2^-11", &[Term::Master, Term::Sr]),
        (ViewId::Line, "line fp16 pane=density", &[Term::Binade]),
        (ViewId::Line, "line fp16 pane=limits", &[Term::Epsilon, Term::WholeTo, Term::Fnuz, Term::MinSubnormal]),
    ];
    for lang in Lang::ALL {
        for (view, link, terms) in cases {
            let texts = texts(&at(lang, view, Some(link)));
            for term in terms {
                let said = texts.iter().any(|text| text.contains(term.text(lang)));
                assert!(said, "{link}: {term:?} is not explained in {lang:?}");
            }
        }
    }
}

#[test]
fn an_explanation_shows_under_the_pointer() {
    let mut window = at(Lang::En, ViewId::Line, Some("line fp16 pane=density"));
    let place = window.get_by_label(Line::DensityTitle.text(Lang::En)).rect().center();
    window.hover_at(place);
    window.run_steps(60);
    window.get_by_label(Term::Binade.text(Lang::En));
}

#[test]
fn who_is_new_finds_the_views_without_a_training() {
    for (view, text) in [(ViewId::Bits, Shell::Bits), (ViewId::Arithmetic, Shell::Arithmetic)] {
        let mut window = at(Lang::En, ViewId::Gradients, None);
        window.get_by_label(Gradients::EmptyDoors.text(Lang::En));
        window.get_by_role_and_label(Role::Button, text.text(Lang::En)).click();
        window.run_steps(3);
        assert_eq!(app(&window).saved().view, view);
    }
}
