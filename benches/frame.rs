//! The window's own work per frame while three lanes train: layout and drawing lists, without the rasteriser.
//!
//! `cargo bench --bench frame` starts the first preset, shows Training and Gradients in turn, and prints the 50th and
//! 99th percentile of the processor time a frame took (time on the clock where the system does not tell). The target is
//! 8 ms at the 99th percentile. Without `--bench` it runs a few frames only.

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

fn main() {
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
