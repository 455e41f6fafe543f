//! Asking devices what they do, each on a thread of its own.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::App;
use crate::app::hardware::{Sheet, Told};
use crate::app::model::Notice;
use crate::app::threads::{Done, Teller};
use crate::observe::{Coverage, Observation, Place, Primitive, Request, Subject};
use crate::train::session::{Open, processors};

/// Least time between two frames that a device's answers ask for.
const INTERVAL: Duration = Duration::from_millis(50);

impl App {
    /// Lets a device do every operation, unless it is at it already.
    pub(super) fn observe(&mut self, place: Place, coverage: Coverage) {
        if self.model.sheets.get(&place).is_some_and(Sheet::is_running) {
            return;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let asking = Asking { place: place.clone(), coverage, stop: Arc::clone(&stop), teller: self.threads.teller() };
        let backends = self.backends;
        match self.threads.spawn("hardware", move || asking.run(backends)) {
            Ok(()) => {
                self.model.sheets.insert(place.clone(), Sheet::new(coverage));
                self.stops.insert(place, stop);
            }
            Err(line) => self.model.notice = Some(Notice::Error(line)),
        }
    }

    pub(super) fn stop_observing(&self, place: &Place) {
        if let Some(stop) = self.stops.get(place) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn observed(&mut self, place: &Place, told: Told) {
        if matches!(told, Told::Ended(_)) {
            self.stops.remove(place);
        }
        if let Some(sheet) = self.model.sheets.get_mut(place) {
            sheet.take_in(told);
        }
    }
}

/// A closed window does not go on with what nobody sees.
impl Drop for App {
    fn drop(&mut self) {
        self.stops.values().for_each(|stop| stop.store(true, Ordering::Relaxed));
    }
}

/// What the thread has.
struct Asking {
    place: Place,
    coverage: Coverage,
    stop: Arc<AtomicBool>,
    teller: Teller,
}

impl Asking {
    fn run(self, backends: fn() -> Box<Open>) -> Done {
        let ended = self.place.open_by(backends().as_ref()).and_then(|subject| self.ask(&subject));
        Done::Observed(self.place, Told::Ended(ended))
    }

    fn tell(&self, told: Told) {
        self.teller.tell(Done::Observed(self.place.clone(), told));
    }

    /// Whether all was asked.
    fn ask(&self, subject: &Subject) -> Result<bool, String> {
        let planned = Primitive::ALL.into_iter().map(|primitive| self.coverage.inputs(primitive)).sum();
        self.tell(Told::Opened(subject.device(), planned));
        // One is left for painting, as in a training.
        let request = Request { coverage: self.coverage, threads: processors().saturating_sub(1).max(1) };
        for primitive in Primitive::ALL {
            let mut told = Instant::now();
            let seen = subject.observe(primitive, request, &mut |seen: &Observation| {
                if told.elapsed() >= INTERVAL {
                    told = Instant::now();
                    self.tell(Told::Seen(Box::new(seen.clone())));
                }
                if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            let whole = seen.is_whole();
            self.tell(Told::Seen(Box::new(seen)));
            if !whole || (self.stop.load(Ordering::Relaxed) && Some(&primitive) != Primitive::ALL.last()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
