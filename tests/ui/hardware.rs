//! The Hardware view by hand: devices are found, asked, stopped and fail; rows lead to examples; the report is the command's.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use halfscope::app::ViewId;
use halfscope::export::observed;
use halfscope::i18n::Lang;
use halfscope::i18n::app::{App as Shell, link_copied};
use halfscope::i18n::gradients::Gradients;
use halfscope::i18n::hardware::{self as words, Hardware as Text};
use halfscope::observe::{Place, Primitive, Request};
use halfscope::train::backend::{Backend, Plan, open};
use halfscope::train::config::BackendKind;
use halfscope::train::devices::{Availability, Devices};
use halfscope::train::program::Program;
use halfscope::train::session::Open;

use super::support::{Case, Folder, Window, app, wait_until};

const GPU: &str = "Frail GPU (CUDA 13.0, compute capability 8.6)";
const REASON: &str = "no graphics processor with Vulkan, Metal or Direct3D 12; install its driver";

/// A processor of which only the name is known, no adapter, and a frail GPU under CUDA.
pub(crate) fn devices() -> Devices {
    let ready = |device: &str| Availability::Ready { device: device.to_owned() };
    Devices {
        backends: vec![
            (BackendKind::Auto, ready(GPU)),
            (BackendKind::Cpu, ready("CPU (x86_64, AVX2), 2 threads")),
            (BackendKind::Wgpu, Availability::Missing { reason: REASON.to_owned() }),
            (BackendKind::Cuda, ready(GPU)),
        ],
        adapters: Vec::new(),
    }
}

/// A graphics processor that flushes subnormals, divides and takes roots a little off, and keeps numbers in FP16's range. It is the
/// same on every machine.
struct Frail;

impl Frail {
    fn off(primitive: Primitive, seen: u32) -> u32 {
        let finite = seen & 0x7f80_0000 != 0x7f80_0000;
        match primitive {
            Primitive::Narrow if seen & 0x7fff == 0x7c00 => seen - 1,
            Primitive::Narrow | Primitive::NarrowBf16 if seen & 0x7fff > 0x7f80 => 0x7fff,
            Primitive::Narrow | Primitive::Widen | Primitive::NarrowBf16 => seen,
            _ if seen & 0x7fff_ffff > 0x7f80_0000 => 0x7fff_ffff,
            _ if seen & 0x7f80_0000 == 0 => seen & 0x8000_0000,
            Primitive::Div if finite && seen.is_multiple_of(5) => seen + 1,
            Primitive::Sqrt if finite && seen.is_multiple_of(11) => seen - 1,
            _ => seen,
        }
    }
}

impl Backend for Frail {
    fn device(&self) -> String {
        GPU.into()
    }

    fn instruction(&self, primitive: Primitive) -> &'static str {
        match primitive {
            Primitive::Narrow => "cvt.rn.f16.f32",
            Primitive::Div => "div.approx.f32",
            _ => "frail",
        }
    }

    fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String> {
        let seen = open(BackendKind::Cpu, 1)?.observe(primitive, operands)?;
        Ok(seen.into_iter().map(|seen| Self::off(primitive, seen)).collect())
    }

    fn compile(&self, _: Arc<Program>) -> Result<Box<dyn Plan>, String> {
        Err("it only does single operations".into())
    }
}

/// The frail GPU in place of CUDA's, the processor as it is.
pub(crate) fn frail() -> Box<Open> {
    Box::new(|kind, threads| match kind {
        BackendKind::Cuda => Ok(Box::new(Frail)),
        _ => open(BackendKind::Cpu, threads),
    })
}

/// The same, but the GPU gives up in the middle.
pub(crate) fn failing() -> Box<Open> {
    struct GivesUp;
    impl Backend for GivesUp {
        fn device(&self) -> String {
            GPU.into()
        }
        fn instruction(&self, _: Primitive) -> &'static str {
            "frail"
        }
        fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String> {
            if primitive == Primitive::Mul {
                Err(super::failing::WHY.into())
            } else {
                Frail.observe(primitive, operands)
            }
        }
        fn compile(&self, program: Arc<Program>) -> Result<Box<dyn Plan>, String> {
            Frail.compile(program)
        }
    }
    Box::new(|kind, threads| match kind {
        BackendKind::Cuda => Ok(Box::new(GivesUp)),
        _ => open(BackendKind::Cpu, threads),
    })
}

/// While set, the GPU waits in the middle.
static WAITS: AtomicBool = AtomicBool::new(false);

/// Lets the GPU wait, or go on.
pub(crate) fn wait_in_the_middle(wait: bool) {
    WAITS.store(wait, Ordering::Release);
}

/// A GPU that waits in the middle as long as it is told to.
pub(crate) fn waiting() -> Box<Open> {
    struct Waits;
    impl Backend for Waits {
        fn device(&self) -> String {
            GPU.into()
        }
        fn instruction(&self, _: Primitive) -> &'static str {
            "frail"
        }
        fn observe(&self, primitive: Primitive, operands: [&[u32]; 3]) -> Result<Vec<u32>, String> {
            while primitive == Primitive::Add && WAITS.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            Frail.observe(primitive, operands)
        }
        fn compile(&self, program: Arc<Program>) -> Result<Box<dyn Plan>, String> {
            Frail.compile(program)
        }
    }
    Box::new(|_, _| Ok(Box::new(Waits)))
}

/// The view with these devices.
fn window(backends: fn() -> Box<Open>) -> Window {
    let mut window = Case { view: ViewId::Hardware, ..Case::default() }.window();
    let state = window.state_mut().as_mut().unwrap();
    state.pretend_devices(devices());
    state.run_on(backends);
    window.run_steps(3);
    window
}

fn choose(window: &mut Window, name: &str) {
    let spoken = format!("{}: {name}", Text::Devices.text(Lang::En));
    let found = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
        node.role() == Role::RadioButton && node.label().is_some_and(|label| label.starts_with(&spoken))
    };
    window.get_by(found).click();
    window.run_steps(3);
}

/// The states that stand beside the devices, as screen readers say them.
fn states(window: &Window) -> Vec<String> {
    let devices = format!("{}: ", Text::Devices.text(Lang::En));
    let is_device = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
        node.role() == Role::RadioButton && node.label().is_some_and(|label| label.starts_with(&devices))
    };
    window.get_all_by(is_device).map(|node| node.accesskit_node().value().unwrap_or_default()).collect()
}

/// The rows of the table, as screen readers say them.
fn rows(window: &Window) -> Vec<String> {
    let rows = window.get_all_by(|node| node.role() == Role::ListBoxOption);
    rows.filter_map(|node| node.accesskit_node().label()).collect()
}

fn press(window: &mut Window, text: Text) {
    window.get_by_role_and_label(Role::Button, text.text(Lang::En)).click();
    window.run_steps(3);
}

fn observe(window: &mut Window) {
    press(window, Text::Observe);
    wait_until(window, "the answers", |window| states(window).contains(&Text::Seen.text(Lang::En).to_owned()));
    window.run_steps(2);
}

/// What "copy link" copies now, read off the notice.
fn copied(window: &mut Window) -> String {
    window.get_by_label(Shell::CopyLink.text(Lang::En)).click();
    window.run_steps(3);
    let start = link_copied(Lang::En, "");
    let notice = window.get_by_label_contains(&start);
    let node = notice.accesskit_node();
    node.value().or(node.label()).unwrap().replace(&start, "")
}

#[test]
fn what_is_here_is_found_on_a_thread_and_what_is_missing_says_why() {
    let mut found = Case { view: ViewId::Hardware, ..Case::default() }.window();
    wait_until(&mut found, "the devices", |window| app(window).knows_devices());
    found.run_steps(2);
    assert!(states(&found).contains(&Text::NotSeen.text(Lang::En).to_owned()));

    let window = window(frail);
    window.get_by_label(Text::EmptyTitle.text(Lang::En));
    window.get_by_label(Text::Observation.text(Lang::En));
    let missing = format!("{}: wgpu · {}: {REASON}", Text::Devices.text(Lang::En), Text::Missing.text(Lang::En));
    assert!(window.get_by_role_and_label(Role::RadioButton, &missing).accesskit_node().is_disabled());
}

#[test]
fn the_processor_is_asked_and_its_report_is_the_commands() {
    let mut window = window(frail);
    observe(&mut window);
    let processor = Place::CPU.open().unwrap();
    let seen: Vec<_> = Primitive::ALL
        .into_iter()
        .map(|primitive| {
            let go_on = &mut |_: &_| std::ops::ControlFlow::Continue(());
            processor.observe(primitive, Request::default(), go_on).unwrap()
        })
        .collect();
    let wanted: Vec<String> = seen
        .iter()
        .map(|seen| {
            let counts = [seen.asked, seen.right, seen.other_nan(), seen.flushed(), seen.wrong()];
            let counts = counts.map(halfscope::i18n::app::grouped);
            words::row(Lang::En, seen.primitive.formula(), seen.instruction, counts.each_ref().map(String::as_str))
        })
        .collect();
    assert_eq!(rows(&window), wanted);

    let folder = Folder::new("hardware");
    let target = folder.path().join("report.jsonl");
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::E);
    window.run_steps(3);
    let field = || (Role::TextInput, Gradients::ExportPath.text(Lang::En));
    window.get_by_role_and_label(field().0, field().1).focus();
    window.step();
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.step();
    window.get_by_role_and_label(field().0, field().1).type_text(&target.display().to_string());
    window.run_steps(2);
    window.get_by_label(Gradients::ExportSave.text(Lang::En)).click();
    wait_until(&mut window, "the file", |_| target.exists());
    // `halfscope hardware --backend cpu --out` writes this, see tests/core/cli.
    assert_eq!(std::fs::read(&target).unwrap(), observed(&processor.device(), &seen).unwrap());
}

#[test]
fn a_row_leads_to_its_examples_and_a_link_to_them() {
    let mut window = window(frail);
    choose(&mut window, "cuda");
    observe(&mut window);
    assert!(rows(&window).iter().any(|row| row.starts_with("a / b, done by div.approx.f32")));
    let row = |window: &Window, formula: &'static str| {
        let found = move |node: &egui_kittest::kittest::AccessKitNode<'_>| {
            node.role() == Role::ListBoxOption && node.label().is_some_and(|label| label.starts_with(formula))
        };
        window.get_by(found).focus();
    };
    // By keyboard: the row of quotients. Wrong results come first; the second is chosen.
    row(&window, "a / b");
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(3);
    let numbers: BTreeSet<String> = window
        .get_all_by_role(Role::RadioButton)
        .filter_map(|node| node.accesskit_node().label())
        .filter(|label| label.starts_with("Example: "))
        .collect();
    let last = numbers.iter().map(|label| label.replace("Example: ", "").parse::<usize>().unwrap()).max().unwrap();
    assert!(last > 3, "{numbers:?}");
    window.get_by_label("Example: 2").click();
    window.run_steps(3);
    window.get_by_label(&words::off(Lang::En, 1, false));
    for code in ["a, FP32: ", "b, FP32: ", "right, FP32: ", "seen, FP32: "] {
        window.get_by_label_contains(code);
    }
    assert_eq!(copied(&mut window), "hardware device=cuda operation=div example=2");
}

#[test]
fn a_link_asks_its_device_by_itself() {
    let link = "hardware device=cpu operation=fp32-to-fp16";
    let mut window = Case { view: ViewId::Training, link: Some(link), ..Case::default() }.window();
    window.state_mut().as_mut().unwrap().pretend_devices(devices());
    wait_until(&mut window, "the answers", |window| states(window).contains(&Text::Seen.text(Lang::En).to_owned()));
    assert_eq!(app(&window).saved().view, ViewId::Hardware);
    assert_eq!(copied(&mut window), link);
}

#[test]
fn all_inputs_are_only_asked_by_hand() {
    let link = "hardware device=cpu inputs=all";
    let mut window = Case { view: ViewId::Hardware, link: Some(link), ..Case::default() }.window();
    window.state_mut().as_mut().unwrap().pretend_devices(devices());
    window.run_steps(6);
    assert_eq!(states(&window)[0], Text::NotSeen.text(Lang::En));
    assert_eq!(copied(&mut window), link);
}

#[test]
fn asking_is_stopped_and_what_was_seen_stays() {
    wait_in_the_middle(true);
    let mut window = window(waiting);
    choose(&mut window, "cuda");
    press(&mut window, Text::Observe);
    let right = |window: &Window| rows(window).iter().filter(|row| !row.contains("– right")).count();
    wait_until(&mut window, "three answers", |window| right(window) == 3);
    assert!(states(&window)[2].starts_with("observing FP32 → BF16"), "{:?}", states(&window));
    window.get_by_role(Role::ProgressIndicator);
    window.get_by_role_and_label(Role::Button, Shell::Stop.text(Lang::En)).click();
    window.run_steps(2);
    wait_in_the_middle(false);
    wait_until(&mut window, "the end", |window| states(window)[2] == Text::Stopped.text(Lang::En));
    window.run_steps(2);
    assert!((3..=4).contains(&right(&window)));
    window.get_by_role_and_label(Role::Button, Text::Observe.text(Lang::En));
    window.get_by_label(Shell::Export.text(Lang::En));
}

#[test]
fn a_device_that_gives_up_says_why_and_keeps_what_was_seen() {
    let mut window = window(failing);
    choose(&mut window, "cuda");
    press(&mut window, Text::Observe);
    wait_until(&mut window, "the failure", |window| states(window)[2] == Text::Failed.text(Lang::En));
    window.run_steps(2);
    window.get_by_label(Text::FailedTitle.text(Lang::En));
    window.get_by_label(super::failing::WHY);
    assert_eq!(rows(&window).iter().filter(|row| !row.contains("– right")).count(), 4);
}
