//! The whole job by hand: start a run, watch it, turn the loss scale, export the picture.

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use halfscope::app::ViewId;
use halfscope::export::{FileKind, Look, render};
use halfscope::figure::Style;
use halfscope::i18n::Lang;
use halfscope::i18n::app::App as Shell;
use halfscope::i18n::gradients::Gradients as Text;
use halfscope::train::Recording;
use halfscope::train::recording::StepChoice;
use halfscope::train::report::Outcome;

use super::support::{Case, Folder, Window, app, hand_made_run, wait_until};

fn slider_name() -> &'static str {
    Text::SliderName.text(Lang::En)
}

/// The lost share in large type: the only label of this shape that is not in the list.
fn headline(window: &Window) -> String {
    let picture = window.get_by(|node| {
        node.role() == egui::Role::Image && node.label().is_some_and(|label| label.contains(" at S = "))
    });
    let label = picture.accesskit_node().label().unwrap();
    label.rsplit(". ").next().unwrap().to_owned()
}

fn opened_run(name: &str) -> (Folder, Window) {
    let folder = Folder::new(name);
    let open = Some(hand_made_run(folder.path()));
    let mut window = Case { open, ..Case::default() }.window();
    wait_until(&mut window, "the recording", |window| window.query_by_label(slider_name()).is_some());
    window.run_steps(2);
    (folder, window)
}

#[test]
fn the_slider_changes_the_lost_share_in_the_same_frame() {
    let (_folder, mut window) = opened_run("slider");
    let before = headline(&window);
    assert!(before.contains("S = 1"), "{before}");
    window.get_by_label(slider_name()).increment_accesskit();
    window.step();
    let after = headline(&window);
    assert!(after.contains("2^1"), "{after}");
    assert_ne!(before, after);
}

#[test]
fn the_slider_obeys_keys_within_its_range() {
    let (_folder, mut window) = opened_run("keys");
    window.get_by_label(slider_name()).focus();
    window.run_steps(2);
    for (key, expected) in [
        (egui::Key::ArrowRight, 1.0),
        (egui::Key::PageUp, 5.0),
        (egui::Key::ArrowLeft, 4.0),
        (egui::Key::End, 24.0),
        (egui::Key::ArrowRight, 24.0),
        (egui::Key::Home, -8.0),
        (egui::Key::PageDown, -8.0),
    ] {
        window.key_press(key);
        window.step();
        let value = window.get_by_label(slider_name()).accesskit_node().numeric_value();
        assert_eq!(value, Some(expected), "after {key:?}");
    }
}

#[test]
fn export_writes_the_bytes_of_the_command_line() {
    let (folder, mut window) = opened_run("export");
    let target = folder.path().join("picture.svg");
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::E);
    window.run_steps(3);
    let field = || (egui::Role::TextInput, Text::ExportPath.text(Lang::En));
    window.get_by_role_and_label(field().0, field().1).focus();
    window.step();
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.step();
    window.get_by_role_and_label(field().0, field().1).type_text(&target.display().to_string());
    window.run_steps(2);
    window.get_by_label(Text::ExportSave.text(Lang::En)).click();
    wait_until(&mut window, "the file", |_| target.exists());

    let run = Recording::read(&folder.path().join("run.jsonl")).unwrap();
    // The view opens on the first lane with a scale, its FP32 twin, the first weight gradient, the scale of the lane.
    let lane = run.find_lane("paper · S=1").unwrap();
    let probes = &run.lanes[lane].info.probes;
    let probe = probes
        .iter()
        .position(|probe| probe.tensor == "fc1.weight.grad" && probe.source == halfscope::histogram::Source::Twin)
        .unwrap();
    let look = Look { steps: StepChoice::Latest, ..Look::at(lane, probe) };
    let expected = render(&run, &look, FileKind::Svg, &Style::default()).unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), expected);
}

#[test]
fn a_run_is_started_paused_stepped_and_stopped() {
    let mut window = Case::default().window();
    wait_until(&mut window, "the images", |window| app(window).has_images());
    window.run_steps(2);
    window.get_by_label(Text::EmptyStart.text(Lang::En)).click();
    wait_until(&mut window, "the first histogram", |window| window.query_by_label(slider_name()).is_some());
    assert!(app(&window).is_training());

    window.key_press(egui::Key::Space);
    wait_until(&mut window, "the pause", |window| app(window).recording().paused);
    window.run_steps(2);
    let paused_at = app(&window).recording().lanes[0].steps.len();
    window.key_press(egui::Key::S);
    wait_until(&mut window, "one step", |window| app(window).recording().lanes[0].steps.len() == paused_at + 1);

    // What is turned and applied arrives in the run.
    let before = headline(&window);
    window.get_by_label(slider_name()).set_value_accesskit(16.0);
    window.step();
    assert_ne!(headline(&window), before);
    window.get_by_label(Text::Apply.text(Lang::En)).click();
    window.run_steps(3);
    window.get_by_role_and_label(egui::Role::Button, Shell::Step.text(Lang::En)).click();
    wait_until(&mut window, "the new scale", |window| {
        app(window).recording().lanes.iter().any(|lane| lane.scale_sets.iter().any(|set| set.1 == 65536.0))
    });

    window.get_by_label(Shell::Stop.text(Lang::En)).click();
    wait_until(&mut window, "the end", |window| !app(window).is_training());
    assert_eq!(app(&window).recording().outcome, Some(Outcome::Stopped));
    window.run_steps(2);
    window.get_by_label(Shell::NewRun.text(Lang::En)).click();
    window.run_steps(3);
    window.get_by_label(Text::EmptyStart.text(Lang::En));
    assert_eq!(app(&window).saved().view, ViewId::Gradients);
}
