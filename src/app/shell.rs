//! The application: takes in reports, does what views ask for, lays out navigation and the view in front.

mod jobs;
mod observing;
mod running;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use egui::{CentralPanel, Frame, Margin, Panel, TextStyle, Ui, vec2};

use super::action::{Action, Actions};
use super::command::UiCommand;
use super::header::{drop_hint_ui, header_ui, notice_ui};
use super::model::{Data, DeviceSearch, Model, Notice, RunState};
use super::navigation::{self, navigation_ui};
use super::saved::Saved;
use super::setup::DataChoice;
use super::theme::{self, Look, Tokens};
use super::threads::{Done, Threads};
use super::views::{View, ViewId, registry};
use super::{Options, fonts};
use crate::link::Link;
use crate::observe::Place;
use crate::train::devices::Devices;
use crate::train::session::{Open, opener};
use crate::train::{Command, Recording, Session};
use jobs::data_job;

/// Below this height of the view it scrolls.
const MIN_VIEW_HEIGHT: f32 = 520.0;

/// The window's state.
pub struct App {
    model: Model,
    saved: Saved,
    session: Option<Session>,
    views: Vec<Box<dyn View>>,
    actions: Actions,
    threads: Threads,
    backends: fn() -> Box<Open>,
    /// For each device that is being asked: whether it is to stop.
    stops: BTreeMap<Place, Arc<AtomicBool>>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("saved", &self.saved).field("run", &self.model.run).finish_non_exhaustive()
    }
}

impl App {
    /// The window as it was left, with what the command line says on top. Images are unpacked on a thread, so that the
    /// first frame need not wait for them.
    #[must_use]
    pub fn new(ctx: &egui::Context, options: &Options, saved: Option<Saved>) -> Self {
        let mut saved = saved.unwrap_or_default().sane();
        saved.lang = options.lang.unwrap_or(saved.lang);
        saved.look = options.look.unwrap_or(saved.look);
        saved.view = options.view.unwrap_or(saved.view);
        ctx.set_fonts(fonts::definitions());
        theme::apply(ctx, saved.look);
        ctx.set_zoom_factor(saved.zoom);
        let threads = Threads::new(ctx);
        let mut model = Model { lang: saved.lang, look: saved.look, ..Model::default() };
        if let Err(line) = threads.spawn("images", || data_job(DataChoice::Embedded)) {
            model.data = Data::Failed(line);
        }
        let mut actions = Actions::default();
        if let Some(path) = &options.open {
            actions.push(Action::Open(path.clone()));
        }
        if let Some(link) = &options.link {
            actions.push(Action::Follow(Box::new(link.clone())));
        }
        let (views, stops) = (registry(), BTreeMap::new());
        Self { model, saved, session: None, views, actions, threads, backends: opener, stops }
    }

    /// Runs lanes on backends of one's own from the next run on: for tests of what happens when they fail.
    #[doc(hidden)]
    pub fn run_on(&mut self, backends: fn() -> Box<Open>) {
        self.backends = backends;
    }

    /// Takes these devices for what is here: for tests and pictures.
    #[doc(hidden)]
    pub fn pretend_devices(&mut self, devices: Devices) {
        self.model.devices = DeviceSearch::Found(Arc::new(devices));
    }

    /// Shows what a link says in the next frame.
    pub fn go_to(&mut self, link: Link) {
        self.actions.push(Action::Follow(Box::new(link)));
    }

    /// What to keep for the next start.
    #[must_use]
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// The views there are, in the order of the navigation.
    #[must_use]
    pub fn views(&self) -> Vec<ViewId> {
        self.views.iter().map(|view| view.id()).collect()
    }

    /// What was reported so far.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.model.recording
    }

    /// Whether the images are unpacked.
    #[must_use]
    pub fn has_images(&self) -> bool {
        matches!(self.model.data, Data::Ready(_))
    }

    /// Whether it is known what lanes can run on. The Training view's set-up begins to look.
    #[must_use]
    pub fn knows_devices(&self) -> bool {
        self.model.devices().is_some()
    }

    /// Whether a thread asks a device what it does.
    #[must_use]
    pub fn is_observing(&self) -> bool {
        !self.stops.is_empty()
    }

    /// Whether any device was seen to do anything.
    #[must_use]
    pub fn has_observations(&self) -> bool {
        self.model.has_observations()
    }

    /// Whether a session is training or paused.
    #[must_use]
    pub fn is_training(&self) -> bool {
        self.model.run.is_live()
    }

    /// Takes in what threads and the session have to say, then does what the views asked for. Paints nothing, and
    /// runs while the window is hidden, too.
    pub fn logic(&mut self, ctx: &egui::Context) {
        for done in self.threads.finished() {
            self.take_in(done);
        }
        self.drain_reports(ctx);
        self.keys_and_drops(ctx);
        // A command becomes another wish; both are done in this frame, so that a key shows at once.
        while !self.actions.is_empty() {
            for action in self.actions.take() {
                self.act(action, ctx);
            }
        }
    }

    /// Lays out the whole window into `ui`.
    pub fn ui(&mut self, ui: &mut Ui) {
        self.saved.zoom = ui.ctx().zoom_factor();
        let tokens = Tokens::of(ui);
        let ids = self.views();
        let front = self.saved.view;
        let width = navigation::WIDTH * TextStyle::Body.resolve(ui.style()).size / 14.0;
        Panel::left("navigation")
            .exact_size(width)
            .resizable(false)
            .show_separator_line(false)
            .frame(Frame::new().fill(tokens.navigation).inner_margin(Margin::symmetric(12, 10)))
            .show(ui, |ui| navigation_ui(ui, &self.model, &ids, front, &mut self.actions));
        CentralPanel::default()
            .frame(Frame::new().fill(tokens.background).inner_margin(Margin::symmetric(16, 12)))
            .show(ui, |ui| self.front_ui(ui));
        drop_hint_ui(ui, &self.model);
        if !self.actions.is_empty() {
            ui.ctx().request_repaint();
        }
    }

    fn front_ui(&mut self, ui: &mut Ui) {
        let Self { model, saved, views, actions, .. } = self;
        let Some(view) = views.iter_mut().find(|view| view.id() == saved.view) else { return };
        header_ui(ui, view.as_mut(), model, actions);
        notice_ui(ui, model, actions);
        ui.add_space(6.0);
        let room = ui.available_size();
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let size = vec2(ui.available_width(), room.y.max(MIN_VIEW_HEIGHT));
            ui.allocate_ui(size, |ui| view.ui(ui, model, actions));
        });
    }

    fn keys_and_drops(&mut self, ctx: &egui::Context) {
        for command in UiCommand::pressed(ctx, &self.model, self.saved.view) {
            self.actions.push(Action::Command(command));
        }
        // Taken out, since a hidden window is given the same input again.
        let dropped = ctx.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        if let Some(file) = dropped.first() {
            self.actions.push(Action::Open(file.path().to_owned()));
        }
    }

    // ------------------------------------------------------------------------
    // Taking in

    fn take_in(&mut self, done: Done) {
        match done {
            Done::Data(Ok(data)) => self.model.data = Data::Ready(data),
            Done::Data(Err(line)) => self.model.data = Data::Failed(line),
            // Tests may have said what there is in the meantime.
            Done::Devices(_) if self.model.devices().is_some() => {}
            Done::Devices(devices) => self.model.devices = DeviceSearch::Found(devices),
            Done::Observed(place, told) => self.observed(&place, told),
            Done::Started(Ok(session)) => self.session_started(session),
            Done::Started(Err(line)) => {
                self.model.run = RunState::Idle;
                self.model.notice = Some(Notice::Error(line));
            }
            Done::Opened(path, result) => self.opened(path, result),
            Done::Exported(result) => {
                self.model.busy = None;
                let lang = self.model.lang;
                self.model.notice = Some(match result {
                    Ok(path) => Notice::Done(crate::i18n::app::saved_to(lang, &path.display().to_string())),
                    Err(line) => Notice::Error(line),
                });
            }
            Done::Witness(question, result) => self.witness_found(&question, result),
            Done::Cancelled => self.model.busy = None,
            Done::Retired => {}
        }
    }

    fn opened(&mut self, path: PathBuf, result: Result<Box<Recording>, String>) {
        self.model.busy = None;
        match result {
            Ok(recording) => {
                self.retire_session();
                self.model.recording = *recording;
                self.model.run = RunState::File(path);
                self.model.failed_lane = None;
                self.model.run_number += 1;
                self.model.notice = None;
                self.saved.view = ViewId::Gradients;
            }
            Err(line) => self.model.notice = Some(Notice::Error(line)),
        }
    }

    // ------------------------------------------------------------------------
    // Acting: one line a wish

    fn act(&mut self, action: Action, ctx: &egui::Context) {
        match action {
            Action::Show(view) => self.saved.view = view,
            Action::SetLang(lang) => (self.model.lang, self.saved.lang) = (lang, lang),
            Action::SetLook(look) => self.set_look(look, ctx),
            Action::SetZoom(zoom) => ctx.set_zoom_factor(zoom.clamp(*Saved::ZOOM.start(), *Saved::ZOOM.end())),
            Action::Configure(setup) => self.model.setup = setup,
            Action::LoadData(choice) => self.load_data(choice),
            Action::FindDevices => self.find_devices(),
            Action::Start => self.start(ctx),
            Action::RunOnProcessor => self.run_on_processor(ctx),
            Action::Send(command) => self.send(command),
            Action::NewRun => self.new_run(),
            Action::AskOpen => self.ask_open(),
            Action::Open(path) => self.open(path),
            Action::AskExport(request, proposed) => self.ask_export(request, &proposed),
            Action::Export(request, path) => self.export(request, path),
            Action::Fail(line) => self.model.notice = Some(Notice::Error(line)),
            Action::Follow(link) => self.follow(&link),
            Action::CopyLink(link) => self.copy_link(&link, ctx),
            Action::FindWitness(question) => self.find_witness(question),
            Action::Observe(place, coverage) => self.observe(place, coverage),
            Action::StopObserving(place) => self.stop_observing(&place),
            Action::Dismiss => self.model.notice = None,
            Action::Command(command) => self.command(command),
        }
        ctx.request_repaint();
    }

    fn command(&mut self, command: UiCommand) {
        let paused = self.model.run == RunState::Paused;
        let action = match command {
            UiCommand::Show(view) => Action::Show(view),
            UiCommand::Start => Action::Start,
            UiCommand::PauseResume => Action::Send(if paused { Command::Resume } else { Command::Pause }),
            UiCommand::Step => Action::Send(Command::Step(1)),
            UiCommand::Stop => Action::Send(Command::Stop),
            UiCommand::Open => Action::AskOpen,
            UiCommand::CopyLink => {
                let link = self.views.iter().find(|view| view.id() == self.saved.view).and_then(|view| view.link());
                self.actions.extend(link.map(|link| Action::CopyLink(Box::new(link))));
                return;
            }
            UiCommand::Export => {
                let Self { model, saved, views, actions, .. } = self;
                if let Some(view) = views.iter_mut().find(|view| view.id() == saved.view) {
                    view.command(command, model, actions);
                }
                return;
            }
        };
        self.actions.push(action);
    }

    fn follow(&mut self, link: &Link) {
        self.saved.view = ViewId::of(link);
        if let Some(view) = self.views.iter_mut().find(|view| view.id() == self.saved.view) {
            view.follow(link);
        }
    }

    fn copy_link(&mut self, link: &Link, ctx: &egui::Context) {
        let line = link.to_string();
        self.model.notice = Some(Notice::Done(crate::i18n::app::link_copied(self.model.lang, &line)));
        ctx.copy_text(line);
    }

    fn set_look(&mut self, look: Look, ctx: &egui::Context) {
        (self.model.look, self.saved.look) = (look, look);
        theme::apply(ctx, look);
    }
}
