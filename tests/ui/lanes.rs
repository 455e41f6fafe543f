//! Lanes on devices: chosen by hand, told apart, and run again on the CPU when a device fails.

use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use halfscope::app::ViewId;
use halfscope::i18n::Lang;
use halfscope::i18n::app::App as Shell;
use halfscope::i18n::train::Train as Text;
use halfscope::train::config::BackendKind;
use halfscope::train::devices::{Availability, Devices};
use halfscope::train::report::Outcome;

use super::failing;
use super::support::{Case, Window, app, wait_until};

const REASON: &str = "no NVIDIA driver found; install one, or use --backend wgpu";

/// A machine with one graphics processor, and without CUDA.
pub(crate) fn devices() -> Devices {
    let ready = |device: &str| Availability::Ready { device: device.to_owned() };
    Devices {
        backends: vec![
            (BackendKind::Auto, ready("Frail GPU (Vulkan)")),
            (BackendKind::Cpu, ready("CPU (x86_64, AVX2), 2 threads")),
            (BackendKind::Wgpu, ready("Frail GPU (Vulkan)")),
            (BackendKind::Cuda, Availability::Missing { reason: REASON.to_owned() }),
        ],
        adapters: vec!["Frail GPU (Vulkan)".to_owned(), "llvmpipe (software, Vulkan)".to_owned()],
    }
}

fn training() -> Window {
    let mut window = Case { view: ViewId::Training, ..Case::default() }.window();
    wait_until(&mut window, "the images", |window| app(window).has_images());
    window
}

fn combo(lane: &str) -> String {
    format!("{} {lane}", Text::Backend.text(Lang::En))
}

/// Opens the list of backends of a lane and clicks the one whose line begins so.
fn choose(window: &mut Window, lane: &str, backend: &str) {
    window.get_by_role_and_label(Role::ComboBox, &combo(lane)).click();
    window.run_steps(3);
    window
        .get_by(|node| {
            node.role() == Role::ListBoxOption && node.label().is_some_and(|label| label.starts_with(backend))
        })
        .click();
    window.run_steps(3);
}

/// The lanes of the run, with what they run on.
fn lanes(window: &Window) -> Vec<(String, BackendKind)> {
    let lanes = &app(window).recording().lanes;
    lanes.iter().map(|lane| (lane.info.config.lane.clone(), lane.info.config.backend)).collect()
}

fn start(window: &mut Window) {
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Enter);
    wait_until(window, "the run", |window| !app(window).recording().lanes.is_empty());
}

#[test]
fn what_is_missing_is_greyed_out_with_its_reason() {
    let mut window = training();
    window.state_mut().as_mut().unwrap().pretend_devices(devices());
    window.run_steps(2);
    window.get_by_role_and_label(Role::ComboBox, &combo("fp32")).click();
    window.run_steps(3);
    let line =
        |text: &'static str| window.get_by(move |node| node.label().is_some_and(|label| label.starts_with(text)));
    assert!(line("CUDA · ").accesskit_node().is_disabled());
    assert!(line("CUDA · ").accesskit_node().label().unwrap().contains(REASON));
    assert!(!line("wgpu · Frail GPU").accesskit_node().is_disabled());
    assert!(line("auto · ").accesskit_node().label().unwrap().contains("Frail GPU"));
}

#[test]
fn a_backend_is_chosen_by_keys_alone() {
    let mut window = training();
    window.state_mut().as_mut().unwrap().pretend_devices(devices());
    window.run_steps(2);
    window.get_by_role_and_label(Role::ComboBox, &combo("fp32")).focus();
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(4);
    for _ in 0..2 {
        window.key_press(egui::Key::ArrowDown);
        window.run_steps(2);
    }
    window.key_press(egui::Key::Enter);
    window.run_steps(4);
    let name = combo("fp32");
    let value = window.get_by_role_and_label(Role::ComboBox, &name).accesskit_node().value();
    assert_eq!(value.as_deref(), Some(Text::BackendCpu.text(Lang::En)));
}

/// The look at devices is begun by the screen that shows them, and ends on a thread.
#[test]
fn devices_are_looked_for_on_a_thread() {
    let mut window = training();
    wait_until(&mut window, "the devices", |window| app(window).knows_devices());
    window.run_steps(2);
    window.get_by_role_and_label(Role::ComboBox, &combo("fp32")).click();
    window.run_steps(3);
    window.get_by(|node| node.label().is_some_and(|label| label.starts_with("CPU · CPU (")));
}

#[test]
fn a_lane_runs_twice_side_by_side_and_is_told_apart() {
    let mut window = training();
    let add = format!("fp32: {}", Text::AddLaneHint.text(Lang::En));
    window.get_by_label(&add).click();
    window.run_steps(3);
    start(&mut window);
    let names: Vec<String> = lanes(&window).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names[..2], ["fp32", "fp32 (cpu)"]);
    window.get_by_label(Shell::Stop.text(Lang::En)).click();
    wait_until(&mut window, "the end", |window| !app(window).is_training());
}

#[test]
fn a_failed_device_leaves_what_was_recorded_and_one_click_runs_on_the_cpu() {
    let mut window = training();
    let state = window.state_mut().as_mut().unwrap();
    state.pretend_devices(devices());
    state.run_on(failing::opener);
    window.run_steps(2);
    choose(&mut window, "fp32", "wgpu");
    start(&mut window);
    assert_eq!(lanes(&window)[0], ("fp32 (wgpu)".to_owned(), BackendKind::Wgpu));
    wait_until(&mut window, "the failure", |window| app(window).recording().outcome.is_some());
    window.run_steps(2);
    let outcome = app(&window).recording().outcome.clone();
    assert!(matches!(&outcome, Some(Outcome::Failed(why)) if why.ends_with(failing::WHY)), "{outcome:?}");
    window.get_by_label_contains(failing::WHY);
    assert_eq!(app(&window).recording().lanes[0].steps.len(), 2);
    window.get_by_label(Text::Loss.text(Lang::En));

    window.get_by_role_and_label(Role::Button, Text::RunOnProcessor.text(Lang::En)).click();
    wait_until(&mut window, "the run on the CPU", |window| {
        app(window).recording().lanes.first().is_some_and(|lane| lane.steps.len() > 3)
    });
    assert_eq!(lanes(&window)[0], ("fp32 (cpu)".to_owned(), BackendKind::Cpu));
    assert_eq!(lanes(&window)[1].1, BackendKind::Auto);
    assert!(window.query_by_label(Text::RunOnProcessor.text(Lang::En)).is_none());
    window.get_by_label(Shell::Stop.text(Lang::En)).click();
    wait_until(&mut window, "the end", |window| !app(window).is_training());
}

/// A device that does not open leaves a screen that says so, in both views of a run.
#[test]
fn a_device_that_does_not_open_is_said_and_the_cpu_is_offered() {
    let mut window = training();
    let state = window.state_mut().as_mut().unwrap();
    state.pretend_devices(devices());
    state.run_on(failing::closed);
    window.run_steps(2);
    choose(&mut window, "paper · S=1", "wgpu");
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Enter);
    wait_until(&mut window, "the failure", |window| app(window).recording().outcome.is_some());
    window.run_steps(2);
    window.get_by_label(Text::FailedTitle.text(Lang::En));
    window.get_by_role_and_label(Role::Tab, ViewId::Gradients.title().text(Lang::En)).click();
    window.run_steps(3);
    window.get_by_role_and_label(Role::Button, Text::RunOnProcessor.text(Lang::En)).click();
    wait_until(&mut window, "the run on the CPU", |window| app(window).recording().lanes.len() == 3);
    assert_eq!(lanes(&window)[1], ("paper · S=1 (cpu)".to_owned(), BackendKind::Cpu));
    window.get_by_label(Shell::Stop.text(Lang::En)).click();
    wait_until(&mut window, "the end", |window| !app(window).is_training());
}

#[test]
fn a_run_that_was_stopped_offers_no_other_device() {
    let mut window = training();
    start(&mut window);
    window.get_by_label(Shell::Stop.text(Lang::En)).click();
    wait_until(&mut window, "the end", |window| !app(window).is_training());
    window.run_steps(2);
    assert!(window.query_by_label(Text::RunOnProcessor.text(Lang::En)).is_none());
}

/// The same with a driver that loses its device while a lane trains on it.
#[cfg(feature = "wgpu")]
#[test]
fn a_lost_device_of_wgpu_ends_the_run_and_offers_the_cpu() {
    use halfscope::train::backend::wgpu::{adapters, lose_device};
    if adapters().is_empty() {
        assert!(!std::env::var("HALFSCOPE_REQUIRE").is_ok_and(|list| list.split(',').any(|name| name == "wgpu")));
        #[expect(clippy::print_stdout, reason = "a skip must be seen")]
        {
            println!("skipped: a lost device (no adapter)");
        }
        return;
    }
    let mut window = training();
    wait_until(&mut window, "the devices", |window| app(window).knows_devices());
    window.run_steps(2);
    choose(&mut window, "fp32", "wgpu");
    start(&mut window);
    wait_until(&mut window, "two steps", |window| app(window).recording().lanes[0].steps.len() >= 2);
    lose_device();
    wait_until(&mut window, "the failure", |window| app(window).recording().outcome.is_some());
    window.run_steps(2);
    assert!(app(&window).recording().lanes[0].steps.len() >= 2);
    window.get_by_role_and_label(Role::Button, Text::RunOnProcessor.text(Lang::En)).click();
    wait_until(&mut window, "the run on the CPU", |window| {
        app(window).recording().lanes.first().is_some_and(|lane| lane.info.config.backend == BackendKind::Cpu)
    });
    window.get_by_label(Shell::Stop.text(Lang::En)).click();
    wait_until(&mut window, "the end", |window| !app(window).is_training());
}
