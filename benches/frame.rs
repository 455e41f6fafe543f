//! The window's own work per frame while three lanes train: layout and drawing lists, without the rasteriser.
//!
//! `cargo bench --bench frame` starts the first preset, shows Training and Gradients in turn, and prints the 50th and
//! 99th percentile of the processor time a frame took (time on the clock where the system does not tell). The target is
//! 8 ms at the 99th percentile. Before that it opens the window on the set-up, which looks for devices, and prints how long the
//! first frames took beside how long the look did. Without `--bench` it runs a few frames only.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, RawInput, Rect, Vec2, pos2};
use halfscope::app::{App, Options, ViewId};

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

fn main() {
    start();
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let frames = if quick { 20 } else { FRAMES };
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
    for (view, digit) in [("Training", Key::Num2), ("Gradients", Key::Num3)] {
        frame(&ctx, &mut app, vec![key(digit, Modifiers::COMMAND)]);
        frame(&ctx, &mut app, Vec::new());
        let mut times = Vec::with_capacity(frames);
        let mut most = 0;
        for _ in 0..frames {
            // Tab walks over every widget, so that focus rings and the slider are painted, too.
            let (took, vertices) = frame(&ctx, &mut app, vec![key(Key::Tab, Modifiers::NONE)]);
            times.push(took);
            most = most.max(vertices);
            std::thread::sleep(PAUSE);
        }
        times.sort_unstable();
        println!(
            "{view}: {frames} frames, 50 % {:.2} ms, 99 % {:.2} ms, longest {:.2} ms, at most {most} vertices{}",
            percentile(&times, 0.5),
            percentile(&times, 0.99),
            percentile(&times, 1.0),
            if app.is_training() { "" } else { " (the run ended meanwhile)" },
        );
    }
}
