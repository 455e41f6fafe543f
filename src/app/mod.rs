//! The window; the only room that knows egui.
//!
//! The command line calls [`run`] when it is given no subcommand. Inside, [`App::logic`] takes in what the training
//! session reports and does what the views asked for, and [`App::ui`] only lays out:
//!
//! ```text
//! Session ──Report──► App::logic ──► Model ──&──► View::ui ──► Actions ──► App::logic (next frame)
//! ```
//!
//! The same [`App`] runs without a window, which is how the tests drive it:
//!
//! ```
//! use halfscope::app::{App, Options};
//!
//! let ctx = egui::Context::default();
//! let mut app = App::new(&ctx, &Options::default(), None);
//! let mut frame = ctx.run_ui(egui::RawInput::default(), |ui| {
//!     app.logic(ui.ctx());
//!     app.ui(ui);
//! });
//! assert!(!frame.shapes.is_empty());
//! frame.textures_delta.clear(); // nobody paints it here
//! ```

pub mod action;
pub mod command;
pub mod export;
pub mod fonts;
pub mod hardware;
mod header;
pub mod model;
pub mod navigation;
pub mod saved;
pub mod setup;
pub mod shell;
pub mod theme;
pub mod threads;
pub mod views;
pub mod widgets;

use std::time::Duration;

pub use saved::Saved;
pub use shell::App;
pub use theme::Look;
pub use views::ViewId;

use crate::i18n::Lang;
use crate::link::Link;

/// What the command line may say about the window. `None` means: as it was left.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The language.
    pub lang: Option<Lang>,
    /// The theme.
    pub look: Option<Look>,
    /// The view in front.
    pub view: Option<ViewId>,
    /// A recorded run to open.
    pub open: Option<std::path::PathBuf>,
    /// What to show.
    pub link: Option<Link>,
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// One line saying why there is no window: no display, no graphics adapter, or what the window system said.
pub fn run(options: Options) -> Result<(), String> {
    let native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_app_id("halfscope")
            .with_title("halfscope")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([900.0, 600.0]),
        renderer: eframe::Renderer::Wgpu,
        ..Default::default()
    };
    let create: eframe::AppCreator<'_> = Box::new(move |creation| {
        let saved = creation.storage.and_then(|storage| eframe::get_value::<Saved>(storage, Saved::KEY));
        Ok(Box::new(App::new(&creation.egui_ctx, &options, saved)))
    });
    eframe::run_native("halfscope", native, create).map_err(|error| reason(&error.to_string()))
}

/// What the window system said, without the place in its own sources (`os error at FILE:LINE: what`).
fn reason(error: &str) -> String {
    let error = error.lines().next().unwrap_or_default();
    match error.split_once("os error at ") {
        Some((_, place_and_words)) => place_and_words.rsplit_once(": ").map_or(place_and_words, |(_, words)| words),
        None => error,
    }
    .to_owned()
}

#[test]
fn a_reason_is_one_line_without_source_paths() {
    let winit =
        "winit EventLoopError: os error at src/platform_impl/linux/mod.rs:788: Failed to open connection to X server";
    assert_eq!(reason(winit), "Failed to open connection to X server");
    assert_eq!(reason("no adapter: none found\nmore"), "no adapter: none found");
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        Self::logic(self, ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        Self::ui(self, ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, Saved::KEY, self.saved());
    }

    fn auto_save_interval(&self) -> Duration {
        Duration::from_mins(1)
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}
