//! The explorer by hand: links lead where they say, and what is typed and chosen shows and can be copied again.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use halfscope::app::ViewId;
use halfscope::i18n::Lang;
use halfscope::i18n::app::{App as Shell, link_copied};
use halfscope::i18n::arithmetic::{self as words, Arithmetic as Text, Standing};
use halfscope::i18n::bits::Bits;
use halfscope::i18n::line::Line;
use halfscope::i18n::sweep::{self, Sweep as Swept};
use halfscope::link::Link;

use super::support::{Case, PANES, Window, app, wait_until};

fn at(view: ViewId, link: &'static str) -> Window {
    let mut window = Case { view, link: Some(link), ..Case::default() }.window();
    window.run_steps(4);
    window
}

/// What "copy link" copies now, read off the notice.
fn copied(window: &mut Window) -> String {
    window.get_by_label(Shell::CopyLink.text(Lang::En)).click();
    window.run_steps(3);
    let start = link_copied(Lang::En, "");
    let notice = window.get_by_label_contains(&start);
    let text = notice.accesskit_node().value().or(notice.accesskit_node().label());
    text.unwrap().replace(&start, "")
}

fn type_into(window: &mut Window, name: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, name).focus();
    window.run_steps(1);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_role_and_label(Role::TextInput, name).type_text(text);
    window.run_steps(3);
}

#[test]
fn every_link_leads_to_what_it_says() {
    for (name, view, line) in PANES {
        let mut window = at(ViewId::Training, line);
        assert_eq!(app(&window).saved().view, view, "{name}");
        let line = Link::parse(line).unwrap().to_string();
        assert_eq!(copied(&mut window), line, "{name}");
    }
}

#[test]
fn a_mode_and_a_format_are_chosen() {
    let mut window = at(ViewId::Arithmetic, "round 2049 format=fp16");
    window.get_by_role_and_label(Role::RadioButton, Bits::Rup.text(Lang::En)).click();
    window.run_steps(3);
    let name = format!("{}, {}", Text::RoundedTo.text(Lang::En), Text::FormatName.text(Lang::En));
    type_into(&mut window, &name, "e5m3b16-fn");
    type_into(&mut window, Bits::Value.text(Lang::En), "1/3");
    window.get_by_label(Text::Saturate.text(Lang::En)).click();
    window.run_steps(3);
    assert_eq!(copied(&mut window), "round 1/3 format=e5m3b16-fn rounding=rup saturate=on");
}

#[test]
fn a_sum_shows_why_a_tenth_and_two_are_not_three() {
    let mut window = at(ViewId::Arithmetic, "calc add 0.1 0.2 format=fp16");
    window.get_by_label(Text::OtherCode.text(Lang::En));
    window.get_by_label("0x34cc");
    window.get_by_label("0x34cd");
    type_into(&mut window, &words::operand(Lang::En, "a"), "1e");
    // What could be computed stays, and the hint says what is missing.
    window.get_by_label("0x34cc");
    window.get_by_role_and_label(Role::Label, "1e needs digits after the e");
}

/// egui closes lists for the pointer only, and the focus would go with the list.
#[test]
fn a_list_closes_for_the_keyboard_and_gives_the_focus_back() {
    let option = "sub    a − b";
    for (close, named) in
        [(Key::Enter, "Operation: sub"), (Key::Space, "Operation: sub"), (Key::Escape, "Operation: add")]
    {
        let mut window = at(ViewId::Arithmetic, "calc add 1 3 format=fp16");
        window.get_by_role_and_label(Role::ComboBox, "Operation: add").focus();
        window.run_steps(2);
        window.key_press(Key::Enter);
        window.run_steps(3);
        window.get_by_label(option).focus();
        window.run_steps(2);
        window.key_press(close);
        window.run_steps(4);
        assert!(window.query_by_label(option).is_none(), "{close:?}: the list is still open");
        assert!(window.get_by_role_and_label(Role::ComboBox, named).is_focused(), "{close:?}: the focus is lost");
    }
}

#[test]
fn a_result_stands_beside_the_text_it_was_computed_from() {
    let mut window = at(ViewId::Arithmetic, "calc add 0.1 0.2 format=fp16");
    window.get_by_label("a = 0.1");
    window.get_by_label("0.3 → 0.300048828125");
    type_into(&mut window, &words::operand(Lang::En, "a"), "hello");
    window.get_by_label("a = 0.1");
    assert!(window.query_by_label("a = hello").is_none());
}

#[test]
fn weights_and_updates_that_are_no_numbers_are_told_as_such() {
    let mut window = at(ViewId::Arithmetic, "update nan 1 format=fp16");
    let told = |standing, lost| words::half_gap(Lang::En, standing, "", "", lost);
    window.get_by_label(&told(Standing::NotANumber, false));
    type_into(&mut window, Text::Weight.text(Lang::En), "inf");
    window.get_by_label(&told(Standing::WeightInfinite, false));
    type_into(&mut window, Text::Update.text(Lang::En), "-inf");
    window.get_by_label(&told(Standing::NotANumber, false));
    type_into(&mut window, Text::Weight.text(Lang::En), "1");
    window.get_by_label(&told(Standing::UpdateInfinite, false));
    type_into(&mut window, Text::Update.text(Lang::En), "0");
    window.get_by_label(&told(Standing::Nothing, false));
    assert!(window.query_by_label(Text::Moved.text(Lang::En)).is_none(), "nothing has moved");
}

#[test]
fn the_smallest_witness_is_found_and_shown() {
    let mut window = at(ViewId::Arithmetic, "chain 1 via=fp64,fp32,fp16");
    window.get_by_label(&words::chain_agrees(Lang::En, "1"));
    window.get_by_label(Text::FindWitness.text(Lang::En)).click();
    wait_until(&mut window, "the witness", |window| window.query_by_label(Text::ShowIt.text(Lang::En)).is_some());
    window.get_by_label(Text::ShowIt.text(Lang::En)).click();
    window.run_steps(3);
    assert_eq!(copied(&mut window), "chain fp64:0x3e60000000000001 via=fp64,fp32,fp16");
    window.get_by_label(&words::chain_differs(Lang::En, "0", "5.9604644775390625e-8"));
}

#[test]
fn an_element_of_the_product_is_chosen() {
    let mut window = at(
        ViewId::Arithmetic,
        "dot a=1,1,1,1;0,0,0,0;0,0,0,0;0,0,0,0 b=1,1,1,1;1,1,1,1;1,1,1,1;1,1,1,1 \
                                             c=2048,1,1,1;0,0,0,0;0,0,0,0;0,0,0,0 sum=sequential:fp16 output=fp16",
    );
    window.get_by_label(&words::dot_result(Lang::En, "2048", "2052", "2052", false));
    type_into(&mut window, &words::element(Lang::En, "C", 1, 1), "8");
    window.get_by_label(&words::dot_result(Lang::En, "12", "12", "12", true));
    window.get_by_role_and_label(Role::RadioButton, &format!("{}: 5", words::element(Lang::En, "D", 1, 2))).click();
    window.run_steps(3);
    assert!(copied(&mut window).contains("cell=1,2"));
}

#[test]
fn the_number_line_is_moved_by_keys() {
    let mut window = at(ViewId::Line, "line fp16");
    let whole = window.get_by_role(Role::SpinButton);
    whole.focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::ArrowRight);
    window.run_steps(2);
    window.get_by_label("0x0001");
    window.key_press(Key::Plus);
    window.run_steps(2);
    assert!(copied(&mut window).contains(" from="));
    window.get_by_role(Role::SpinButton).focus();
    window.run_steps(2);
    window.key_press(Key::Home);
    window.run_steps(2);
    window.get_by_label(Line::AroundOne.text(Lang::En)).click();
    window.run_steps(2);
    assert_eq!(copied(&mut window), "line fp16 from=0.4 to=2.2");
}

#[test]
fn a_block_is_drawn_and_left() {
    let mut window = at(ViewId::Bits, "bits \"1 2 4 8\" block=mxfp4");
    window.get_by_label_contains("Block 1 of mxfp4");
    type_into(&mut window, Bits::Value.text(Lang::En), "1 x");
    window.get_by_label_contains("\"x\" is not a number");
    window.get_by_label_contains("Block 1 of mxfp4");
}

/// How many numbers FP16 has from 1 to 2 is read off the chart.
#[test]
fn the_density_of_a_binade_is_told_under_the_pointer() {
    let mut window = at(ViewId::Line, "line fp16 pane=density");
    let said = format!("FP16: {}", halfscope::i18n::line::count(Lang::En, 1024));
    let chart = window.get_by_role(Role::Image).rect();
    // From 2^-24 to 2^16 between the axis at the left and a margin at the right: the middle of [1, 2).
    let (left, right) = (chart.left() + 45.0, chart.right() - 10.0);
    let at = left + (right - left) * 24.5 / 40.0;
    window.hover_at(egui::pos2(at, chart.center().y));
    window.run_steps(60);
    window.get_by_label(&format!("[1, 2)\n{said}"));
}

#[test]
fn a_function_is_swept_to_its_end() {
    let mut window = at(ViewId::Arithmetic, "sweep \"(x + 1) - 1\" format=fp16 from=2^-14 to=1");
    let all = sweep::so_far(Lang::En, 14_337, 14_337, 14_337);
    wait_until(&mut window, "all inputs", |window| window.query_by_label(&all).is_some());
    // 1 + 0x07ff goes back to 1: nothing is left of the 2047 ULPs that this number has.
    let says = sweep::largest(Lang::En, "2047", "11.0", "0.000122010707855224609375", "0", "0.00012201071");
    window.get_by_label(&says);
    type_into(&mut window, Swept::Function.text(Lang::En), "x +");
    window.get_by_label_contains("ends where a number is missing");
    window.get_by_label(&says);
    type_into(&mut window, Swept::Function.text(Lang::En), "x - 1 + 1");
    type_into(&mut window, Swept::To.text(Lang::En), "0.5");
    assert_eq!(copied(&mut window), "sweep \"x - 1 + 1\" format=fp16 from=2^-14 to=0.5");
}

const BY_CHANCE: &str = "dot a=1,1,1,1;1,1,1,1;1,1,1,1;1,1,1,1 b=1,1,1,1;1,1,1,1;1,1,1,1;1,1,1,1 \
                         c=2048,2048,2048,2048;2048,2048,2048,2048;2048,2048,2048,2048;2048,2048,2048,2048 \
                         sum=sequential:fp16 output=fp16 rounding=sr";

#[test]
fn the_dot_product_is_drawn_again_where_chance_decides() {
    let again = Text::DrawAgain.text(Lang::En);
    assert!(at(ViewId::Arithmetic, "dot").query_by_label(again).is_none(), "nothing is drawn to nearest");
    let mut window = at(ViewId::Arithmetic, BY_CHANCE);
    window.get_by_label(again).click();
    window.run_steps(3);
    assert!(copied(&mut window).ends_with("rounding=sr seed=1"));
    // Sixty-four throws, each its own: the elements are not all alike.
    let elements: std::collections::BTreeSet<String> = (1..=4)
        .flat_map(|row| (1..=4).map(move |column| words::element(Lang::En, "D", row, column)))
        .map(|name| {
            let start = format!("{name}: ");
            let element = window.get_by_label_contains(&start);
            element.accesskit_node().label().unwrap().replace(&name, "")
        })
        .collect();
    assert!(elements.len() > 1, "{elements:?}");
}

#[test]
fn every_example_leads_somewhere_else() {
    let panes = [
        "dot",
        "update 0.3 0.1",
        "calc add 0.3 0.1",
        "sweep x",
        "chain 0.3 via=fp64,fp16",
        "round 0.3",
        "bits 0.3",
        "bits \"0.3 1\" block=mxfp4",
    ];
    for line in panes {
        let mut window = at(ViewId::Bits, line);
        let row = window.get_by_label(Bits::Try.text(Lang::En)).rect().center().y;
        let examples: Vec<String> = window
            .root()
            .children_recursive()
            .filter(|node| node.accesskit_node().role() == Role::Button)
            .filter(|node| (node.rect().center().y - row).abs() < 8.0)
            .filter_map(|node| node.accesskit_node().label())
            .collect();
        assert!(examples.len() > 3, "{line}: {examples:?}");
        let mut seen = std::collections::BTreeSet::from([copied(&mut window)]);
        for example in &examples {
            window.get_by_role_and_label(Role::Button, example).click();
            window.run_steps(3);
            let link = copied(&mut window);
            assert!(Link::parse(&link).is_ok(), "{line}, {example}: {link}");
            assert!(seen.insert(link), "{line}: {example} shows nothing new");
        }
    }
}
