//! What the window gives to threads: dialogs, files, searches.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::App;
use crate::app::export::ExportRequest;
use crate::app::model::{Busy, Data, Notice, WitnessAnswer, WitnessQuestion};
use crate::app::setup::DataChoice;
use crate::app::threads::{self, Done};
use crate::format::smallest_witness;
use crate::i18n::app::App as Text;
use crate::train::Recording;

impl App {
    pub(super) fn ask_open(&mut self) {
        if self.model.busy.is_some() {
            return;
        }
        let dialog = rfd::AsyncFileDialog::new().set_title(Text::Open.text(self.model.lang));
        let answer = dialog.add_filter("JSON lines", &["jsonl", "part"]).pick_file();
        self.spawn_busy(Busy::Opening, "dialog", move || match threads::wait(answer) {
            Some(file) => open_job(file.path().to_owned()),
            None => Done::Cancelled,
        });
    }

    pub(super) fn open(&mut self, path: PathBuf) {
        self.spawn_busy(Busy::Opening, "open", move || open_job(path));
    }

    pub(super) fn load_data(&mut self, choice: DataChoice) {
        self.model.data = match self.threads.spawn("images", move || data_job(choice)) {
            Ok(()) => Data::Loading,
            Err(line) => Data::Failed(line),
        };
    }

    pub(super) fn ask_export(&mut self, request: Box<ExportRequest>, proposed: &Path) {
        if self.model.busy.is_some() {
            return;
        }
        let name = proposed.file_name().unwrap_or_default().to_string_lossy();
        let dialog = rfd::AsyncFileDialog::new().set_title(Text::Export.text(self.model.lang)).set_file_name(name);
        let answer = dialog.save_file();
        self.spawn_busy(Busy::Writing, "dialog", move || match threads::wait(answer) {
            Some(file) => Done::Exported(request.write(file.path())),
            None => Done::Cancelled,
        });
    }

    pub(super) fn export(&mut self, request: Box<ExportRequest>, path: PathBuf) {
        self.spawn_busy(Busy::Writing, "export", move || Done::Exported(request.write(&path)));
    }

    fn spawn_busy(&mut self, busy: Busy, name: &str, job: impl FnOnce() -> Done + Send + 'static) {
        match self.threads.spawn(name, job) {
            Ok(()) => self.model.busy = Some(busy),
            Err(line) => self.model.notice = Some(Notice::Error(line)),
        }
    }

    pub(super) fn find_witness(&mut self, question: WitnessQuestion) {
        self.model.witness = Some(WitnessAnswer { question: question.clone(), result: None });
        let job = move || {
            let result = smallest_witness(&question.0, &question.1);
            Done::Witness(question, result)
        };
        if let Err(line) = self.threads.spawn("witness", job) {
            self.model.witness = None;
            self.model.notice = Some(Notice::Error(line));
        }
    }

    pub(super) fn witness_found(&mut self, question: &WitnessQuestion, result: Result<crate::format::Witness, String>) {
        // A later question may have been asked in the meantime; its answer is on the way.
        if let Some(answer) = self.model.witness.as_mut().filter(|answer| answer.question == *question) {
            answer.result = Some(result);
        }
    }
}

pub(super) fn data_job(choice: DataChoice) -> Done {
    let data = match choice {
        DataChoice::Embedded => Ok(crate::data::embedded()),
        DataChoice::Installed => crate::data::find(Some(Path::new(crate::data::SYSTEM_FOLDER))),
    };
    Done::Data(data.map(Arc::new))
}

fn open_job(path: PathBuf) -> Done {
    let result = Recording::read(&path).map(Box::new);
    Done::Opened(path, result)
}
