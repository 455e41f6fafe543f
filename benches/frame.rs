//! The window's own work per frame: layout and drawing lists, without the rasteriser.
//!
//! `cargo bench --bench frame` prints the 50th and 99th percentile of the processor time a frame took (time on the clock where
//! the system does not tell): of the explorer's views while focus walks over them and while a value is typed, and of Training
//! and Gradients while three lanes of the first preset train. The target is 8 ms at the 99th percentile. First it opens the
//! window on the set-up, which looks for devices, and prints how long the first frames took beside how long the look did.
//! Without `--bench` it runs a few frames only.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, RawInput, Rect, Vec2, pos2};
use halfscope::app::{App, Options, ViewId};
use halfscope::i18n::Lang;
use halfscope::link::Link;

/// Frames that are measured in each view.
const FRAMES: usize = 300;

/// About the time between two frames on a screen.
const PAUSE: Duration = Duration::from_millis(16);

/// Processor time of this thread so far, if the system tells: what else runs on the machine is not in it.
fn processor_time() -> Option<Duration> {
    // Linux brings the number up to date when a thread gives way, and otherwise only every few milliseconds.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn key(key: Key, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

/// One frame; returns the time it took and how many vertices it made.
fn frame(ctx: &egui::Context, app: &mut App, events: Vec<Event>) -> (Duration, usize) {
    let screen = Rect::from_min_size(pos2(0.0, 0.0), Vec2::new(1280.0, 800.0));
    let input = RawInput { screen_rect: Some(screen), events, ..RawInput::default() };
    let (cpu, clock) = (processor_time(), Instant::now());
    let output = ctx.run_ui(input, |ui| {
        app.logic(ui.ctx());
        app.ui(ui);
    });
    let mut textures = output.textures_delta;
    textures.clear();
    let meshes = ctx.tessellate(output.shapes, output.pixels_per_point);
    let elapsed = clock.elapsed();
    let took = match (cpu, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => elapsed,
    };
    let vertices = meshes.iter().map(|mesh| match &mesh.primitive {
        egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
        egui::epaint::Primitive::Callback(_) => 0,
    });
    (took, vertices.sum())
}

fn percentile(sorted: &[Duration], share: f64) -> f64 {
    let index = ((sorted.len() - 1) as f64 * share).round() as usize;
    sorted[index].as_secs_f64() * 1e3
}

/// Opens on the set-up and paints until the devices are known: no frame may wait for them.
fn start() {
    let ctx = egui::Context::default();
    let begun = Instant::now();
    let mut app = App::new(&ctx, &Options { view: Some(ViewId::Training), ..Options::default() }, None);
    let made = begun.elapsed();
    let mut clocks = Vec::new();
    while !(app.knows_devices() && clocks.len() > 3) {
        let frame_begun = Instant::now();
        frame(&ctx, &mut app, Vec::new());
        clocks.push(frame_begun.elapsed());
        std::thread::sleep(PAUSE);
        assert!(begun.elapsed() < Duration::from_mins(2), "no devices within two minutes");
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "start: made in {:.1} ms, first frame {:.1} ms, second {:.1} ms, longest later {:.1} ms, devices known after {:.0} ms",
        milliseconds(made),
        milliseconds(clocks[0]),
        milliseconds(clocks[1]),
        milliseconds(clocks[2..].iter().max().copied().unwrap_or_default()),
        milliseconds(begun.elapsed()),
    );
}

/// States of the explorer's views, as links.
const EXPLORER: [&str; 15] = [
    "bits 0.1",
    "bits 65519.9999 formats=fp64,fp32,tf32,bf16,fp16,e4m3",
    "bits \"0.1 -0.5 3 448 -7 0 1e-3 2\" block=mxfp4",
    "line fp16,bf16,e4m3 scale=log2",
    "line fp16 pane=density",
    "line fp16,bf16 pane=error",
    "line e4m3 pane=values",
    "line fp16 pane=limits",
    "round 0.1 format=fp16",
    "calc add 0.1 0.2 format=fp16",
    "chain 1025.49995 via=fp64,fp32,fp16,e4m3",
    "dot",
    "update 1 2^-11 format=fp16 master=fp32 steps=256",
    "sweep \"(x + 1) - 1\" format=fp16 from=2^-14 to=1",
    "hardware",
];

/// Paints this many frames, each with the events that `events` gives for its number, and prints a line.
fn measure(what: &str, ctx: &egui::Context, app: &mut App, frames: usize, events: impl Fn(usize) -> Vec<Event>) {
    let mut times = Vec::with_capacity(frames);
    let mut most = 0;
    for number in 0..frames {
        let (took, vertices) = frame(ctx, app, events(number));
        times.push(took);
        most = most.max(vertices);
        std::thread::sleep(PAUSE);
    }
    times.sort_unstable();
    println!(
        "{what}: {frames} frames, 50 % {:.2} ms, 99 % {:.2} ms, longest {:.2} ms, at most {most} vertices",
        percentile(&times, 0.5),
        percentile(&times, 0.99),
        percentile(&times, 1.0),
    );
}

/// Tab walks over every widget, so that focus rings and sliders are painted, too.
fn tab(_number: usize) -> Vec<Event> {
    vec![key(Key::Tab, Modifiers::NONE)]
}

/// Four digits, then as many steps back: every frame parses, rounds and explains another number.
fn typing(number: usize) -> Vec<Event> {
    match number % 8 {
        0..4 => vec![Event::Text(((number * 7) % 10).to_string())],
        _ => vec![key(Key::Backspace, Modifiers::NONE)],
    }
}

/// The explorer's views, each in a window of its own.
fn explorer(frames: usize) {
    for line in EXPLORER {
        let link = Link::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let ctx = egui::Context::default();
        let mut app = App::new(&ctx, &Options { link: Some(link), ..Options::default() }, None);
        for _ in 0..3 {
            frame(&ctx, &mut app, Vec::new());
        }
        measure(line, &ctx, &mut app, frames, tab);
        // To the first field of text, if there is one.
        for _ in 0..40 {
            if ctx.text_edit_focused() {
                frame(&ctx, &mut app, vec![key(Key::End, Modifiers::NONE)]);
                measure(&format!("{line}, typing"), &ctx, &mut app, frames, typing);
                break;
            }
            frame(&ctx, &mut app, tab(0));
        }
    }
}

/// Training and Gradients while a run goes on.
fn training(frames: usize) {
    let ctx = egui::Context::default();
    let options = Options { view: Some(ViewId::Gradients), ..Options::default() };
    let mut app = App::new(&ctx, &options, None);
    while !app.has_images() {
        frame(&ctx, &mut app, Vec::new());
        std::thread::sleep(PAUSE);
    }
    frame(&ctx, &mut app, vec![key(Key::Enter, Modifiers::COMMAND)]);
    let begun = Instant::now();
    while app.recording().lanes.iter().all(|lane| lane.histograms.iter().all(Vec::is_empty)) {
        frame(&ctx, &mut app, Vec::new());
        std::thread::sleep(PAUSE);
        assert!(begun.elapsed() < Duration::from_mins(2), "no histogram within two minutes");
    }
    let digits = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
    for (view, digit) in app.views().into_iter().zip(digits) {
        if view.is_explorer() {
            continue;
        }
        frame(&ctx, &mut app, vec![key(digit, Modifiers::COMMAND)]);
        frame(&ctx, &mut app, Vec::new());
        let name = view.title().text(Lang::En);
        measure(name, &ctx, &mut app, frames, tab);
        if !app.is_training() {
            println!("{name}: the run ended meanwhile");
        }
    }
}

fn main() {
    start();
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let frames = if quick { 20 } else { FRAMES };
    explorer(frames);
    training(frames);
}
