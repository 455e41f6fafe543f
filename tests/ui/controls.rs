//! Every control of the explorer: it has a name, says what it is, and is reached by Tab alone.

use std::collections::BTreeSet;

use egui::Key;
use egui_kittest::kittest::NodeT as _;
use halfscope::app::ViewId;
use halfscope::i18n::Lang;

use super::support::{Case, PANES, Window};

/// A control as a screen reader meets it: role and name. Two controls of a view must not share both.
type Control = (String, String);

/// What can be done with a node.
struct Found {
    control: Control,
    focusable: bool,
    clickable: bool,
    focused: bool,
}

/// Whether it is a bit of a strip, which the arrow keys choose once the strip has the focus.
fn is_bit((role, name): &Control) -> bool {
    role == "CheckBox" && (name.contains(" bit ") || name.ends_with(" sign"))
}

fn found(window: &Window) -> Vec<Found> {
    let nodes = window.root().children_recursive();
    let describe = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        let supports = |action| node.data().supports_action(action);
        let control = (format!("{:?}", node.role()), node.label().unwrap_or_default());
        let focusable = supports(egui::accesskit::Action::Focus) && !node.is_disabled();
        let clickable = supports(egui::accesskit::Action::Click) && !node.is_disabled();
        Found { control, focusable, clickable, focused: node.is_focused() }
    };
    // Scroll bars are for the pointer: the area follows the focus.
    nodes.map(describe).filter(|node| node.control.0 != "ScrollBar").collect()
}

fn explorer() -> Vec<(&'static str, ViewId, Option<&'static str>)> {
    let views = [("bits", ViewId::Bits), ("line", ViewId::Line), ("arithmetic", ViewId::Arithmetic)];
    let views = views.into_iter().map(|(name, view)| (name, view, None));
    views.chain(PANES.into_iter().map(|(name, view, line)| (name, view, Some(line)))).collect()
}

#[test]
fn every_control_has_a_name_and_a_role() {
    for lang in Lang::ALL {
        for (name, view, link) in explorer() {
            let mut window = Case { lang, view, link, ..Case::default() }.window();
            window.run_steps(4);
            let controls = found(&window).into_iter().filter(|node| node.focusable || node.clickable);
            for Found { control: (role, label), .. } in controls {
                let vague = ["Unknown", "GenericContainer", "Window"].contains(&role.as_str());
                assert!(!label.trim().is_empty() && !vague, "{name}, {lang:?}: a {role} is named \"{label}\"");
            }
        }
    }
}

#[test]
fn tab_alone_reaches_every_control() {
    for (name, view, link) in explorer() {
        let mut window = Case { view, link, ..Case::default() }.window();
        window.run_steps(4);
        let all = found(&window);
        let (bits, others): (Vec<_>, Vec<_>) =
            all.iter().filter(|node| node.clickable).partition(|node| is_bit(&node.control));
        let stuck: Vec<_> = others.iter().filter(|node| !node.focusable).map(|node| &node.control).collect();
        assert!(stuck.is_empty(), "{name}: clicked but never focused: {stuck:?}");
        assert!(bits.is_empty() || all.iter().any(|node| node.focusable && node.control.0 == "SpinButton"), "{name}");
        let wanted: BTreeSet<Control> =
            all.iter().filter(|node| node.focusable).map(|node| node.control.clone()).collect();
        let stops = all.iter().filter(|node| node.focusable).count();
        assert_eq!(wanted.len(), stops, "{name}: two controls share role and name");
        let mut reached = BTreeSet::new();
        // Once around, and the stop where nothing has the focus.
        for _ in 0..stops + 2 {
            window.key_press(Key::Tab);
            window.run_steps(2);
            reached.extend(found(&window).into_iter().filter(|node| node.focused).map(|node| node.control));
        }
        let missed: Vec<_> = wanted.difference(&reached).collect();
        assert!(missed.is_empty(), "{name}: Tab does not reach {missed:?}");
    }
}
