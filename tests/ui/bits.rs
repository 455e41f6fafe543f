//! The Bits view: what is typed, clicked and keyed in one format shows in all of them.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use halfscope::app::{Look, ViewId};
use halfscope::i18n::Lang;
use halfscope::i18n::bits::{self as words, Bits as Text};

use super::support::{Case, Window};

fn window(lang: Lang) -> Window {
    let mut window = Case { view: ViewId::Bits, lang, ..Case::default() }.window();
    window.run_steps(3);
    window
}

fn type_value(window: &mut Window, text: &str) {
    let field = window.get_by_role_and_label(Role::TextInput, Text::Value.text(Lang::En));
    field.focus();
    window.run_steps(1);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_role_and_label(Role::TextInput, Text::Value.text(Lang::En)).type_text(text);
    window.run_steps(3);
}

/// The code that the strip of a format says it shows.
fn hex(window: &Window, format: &str) -> String {
    let name = words::strip(Lang::En, format);
    let strip = window.get_by_role_and_label(Role::SpinButton, &name);
    strip.accesskit_node().value().unwrap_or_default()
}

fn codes(window: &Window) -> [String; 4] {
    ["FP16", "BF16", "FP32", "FP64"].map(|format| hex(window, format))
}

#[test]
fn a_typed_value_shows_in_every_format() {
    let mut window = window(Lang::En);
    assert_eq!(codes(&window), ["0x7bff", "0x4780", "0x477ff000", "0x40effdffff2e48e9"]);
    type_value(&mut window, "2^-25");
    assert_eq!(codes(&window), ["0x0000", "0x3300", "0x33000000", "0x3e60000000000000"]);
    window.get_by_label_contains("exactly the midpoint");
    // While something is typed that is no value yet, the last one stays and the hint says what is missing.
    type_value(&mut window, "1e");
    window.get_by_label_contains("digits after the e");
    assert_eq!(hex(&window, "FP16"), "0x0000");
    type_value(&mut window, "nan");
    assert_eq!(codes(&window), ["0x7e00", "0x7fc0", "0x7fc00000", "0x7ff8000000000000"]);
    window.get_by_label(Text::NoPlace.text(Lang::En));
}

#[test]
fn a_clicked_bit_changes_all_formats() {
    let mut window = window(Lang::En);
    type_value(&mut window, "1");
    let bit = words::bit(Lang::En, "FP16", Text::Fraction.text(Lang::En), 0);
    window.get_by_role_and_label(Role::CheckBox, &bit).click();
    window.run_steps(3);
    assert_eq!(codes(&window), ["0x3c01", "0x3f80", "0x3f802000", "0x3ff0040000000000"]);
    let sign = format!("FP64 {}", Text::Sign.text(Lang::En));
    window.get_by_role_and_label(Role::CheckBox, &sign).click();
    window.run_steps(3);
    assert_eq!(codes(&window), ["0xbc01", "0xbf80", "0xbf802000", "0xbff0040000000000"]);
}

/// Presses on one fraction bit of FP16, moves to another and lets go.
fn drag(window: &mut Window, from: u32, to: u32) {
    let at = |place| {
        let name = words::bit(Lang::En, "FP16", Text::Fraction.text(Lang::En), place);
        window.get_by_role_and_label(Role::CheckBox, &name).rect().center()
    };
    let (from, to) = (at(from), at(to));
    window.hover_at(from);
    window.run_steps(1);
    window.drag_at(from);
    window.run_steps(1);
    window.hover_at(to);
    window.run_steps(2);
    window.drop_at(to);
    window.run_steps(2);
}

#[test]
fn bits_are_painted_by_dragging() {
    let mut window = window(Lang::En);
    type_value(&mut window, "1");
    // The first bit was 0, so all on the way are set, those that the pointer skipped too.
    drag(&mut window, 9, 6);
    assert_eq!(hex(&window, "FP16"), "0x3fc0");
    // Bit 8 was 1: what is painted is 0, to the right and to the left alike.
    drag(&mut window, 8, 7);
    assert_eq!(hex(&window, "FP16"), "0x3e40");
    drag(&mut window, 6, 9);
    assert_eq!(hex(&window, "FP16"), "0x3c00");
    // A brush that goes over bits that are set already leaves them.
    drag(&mut window, 0, 0);
    drag(&mut window, 1, 0);
    assert_eq!(hex(&window, "FP16"), "0x3c03");
}

/// Types into a field of the menu that a row's button opens.
fn type_part(window: &mut Window, part: &str, text: &str) {
    window.get_by_label_contains(part).focus();
    window.run_steps(1);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_label_contains(part).type_text(text);
    window.run_steps(3);
}

#[test]
fn fields_and_bytes_are_typed() {
    let mut window = window(Lang::En);
    type_value(&mut window, "1");
    window.get_by_role_and_label(Role::Button, &words::fields_of_code(Lang::En, "FP16")).click();
    window.run_steps(3);
    let [exponent, fraction] =
        [Text::ExponentField, Text::FractionField].map(|part| format!("FP16 {}", part.text(Lang::En)));
    type_part(&mut window, &exponent, "16");
    assert_eq!(hex(&window, "FP16"), "0x4000");
    type_part(&mut window, &fraction, "0x3ff");
    assert_eq!(hex(&window, "FP16"), "0x43ff");
    type_part(&mut window, &format!("FP16 {}", Text::LittleEndian.text(Lang::En)), "01bc");
    assert_eq!(codes(&window), ["0xbc01", "0xbf80", "0xbf802000", "0xbff0040000000000"]);
    // What does not fit changes nothing, and the field says why.
    type_part(&mut window, &exponent, "32");
    assert_eq!(hex(&window, "FP16"), "0xbc01");
    window.get_by_label_contains("has 5 bits: 0 to 31");
}

#[test]
fn keys_choose_and_flip_bits_and_step() {
    let mut window = window(Lang::En);
    type_value(&mut window, "1");
    window.get_by_role_and_label(Role::SpinButton, &words::strip(Lang::En, "FP16")).focus();
    window.run_steps(2);
    for key in [Key::End, Key::Space, Key::ArrowLeft, Key::ArrowUp] {
        window.key_press(key);
        window.run_steps(2);
    }
    assert_eq!(hex(&window, "FP16"), "0x3c03");
    window.key_press(Key::ArrowDown);
    window.run_steps(2);
    assert_eq!(hex(&window, "FP16"), "0x3c01");
    window.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    window.run_steps(2);
    assert_eq!(hex(&window, "FP16"), "0x3bff");
    // In the field the same keys step the format of the number line.
    type_value(&mut window, "65504");
    window.key_press_modifiers(Modifiers::COMMAND, Key::ArrowUp);
    window.run_steps(2);
    assert_eq!(hex(&window, "FP16"), "0x7c00");
}

#[test]
fn the_rounding_is_chosen() {
    let mut window = window(Lang::En);
    type_value(&mut window, "1+2^-11");
    assert_eq!(hex(&window, "FP16"), "0x3c00");
    let combo = format!("{}: {}", Text::Rounding.text(Lang::En), Text::Rne.text(Lang::En));
    window.get_by_role_and_label(Role::ComboBox, &combo).click();
    window.run_steps(3);
    window.get_by_label(Text::Rup.text(Lang::En)).click();
    window.run_steps(3);
    assert_eq!(hex(&window, "FP16"), "0x3c01");
}

/// Writes the view with telling values at full size into `HALFSCOPE_PICTURES`, to be looked at by a person.
#[test]
#[ignore = "for people: set HALFSCOPE_PICTURES to a folder"]
fn pictures_of_values() {
    let target = std::path::PathBuf::from(std::env::var_os("HALFSCOPE_PICTURES").unwrap());
    for (name, text) in [
        ("tenth", "0.1"),
        ("tie", "-(2^-25)"),
        ("exact", "1.5"),
        ("huge", "1e30"),
        ("nan", "fp16:0xfd01"),
        ("refused", "1_000"),
        ("infinite", "-inf"),
        ("subnormal", "fp64:0x0000000000000003"),
        ("third", "1/3"),
        ("most", "1.7976931348623157e308"),
    ] {
        for lang in Lang::ALL {
            let look = if lang == Lang::En { Look::Light } else { Look::Dark };
            let case = Case { view: ViewId::Bits, lang, look, size: [1280.0, 800.0], ..Case::default() };
            let mut window = case.window_with(|builder| builder.with_render_cursor(false).wgpu());
            window.run_steps(3);
            let field = window.get_by_role_and_label(Role::TextInput, Text::Value.text(lang));
            field.focus();
            window.run_steps(1);
            window.key_press_modifiers(Modifiers::COMMAND, Key::A);
            window.get_by_role_and_label(Role::TextInput, Text::Value.text(lang)).type_text(text);
            window.run_steps(4);
            window.render().unwrap().save(target.join(format!("value-{name}-{}.png", lang.tag()))).unwrap();
        }
    }
    for (lang, look) in [(Lang::En, Look::Dark), (Lang::ZhCn, Look::Light)] {
        let case = Case { view: ViewId::Bits, lang, look, size: [1280.0, 800.0], ..Case::default() };
        let mut window = case.window_with(|builder| builder.with_render_cursor(false).wgpu());
        window.run_steps(3);
        window.get_by_role_and_label(Role::Button, &words::fields_of_code(lang, "BF16")).click();
        window.run_steps(4);
        window.render().unwrap().save(target.join(format!("fields-{}.png", lang.tag()))).unwrap();
    }
}
