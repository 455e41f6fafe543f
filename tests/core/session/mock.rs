//! A backend that does what its script says and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use halfscope::data::{Dataset, Split};
use halfscope::train::backend::{Backend, Memory, Plan, Primitive, Score, StepInput, StepOutcome, Ticket};
use halfscope::train::config::{BackendKind, PrecisionPolicy, ScalerConfig};
use halfscope::train::presets::Preset;
use halfscope::train::program::{Program, TensorId};
use halfscope::train::report::OpTime;
use halfscope::train::session::Open;
use halfscope::train::{RunConfig, Session, SessionOptions};

/// What a mock does.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Script {
    /// How often a step is asked for before it is done.
    pub(crate) polls_per_step: u32,
    /// The lane and the step that fail.
    pub(crate) fails: Option<(usize, u64)>,
    /// Whether the first step panics.
    pub(crate) panics: bool,
}

/// What a mock was asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Event {
    Submit { lane: usize, step: u64, images: Vec<f32>, probe: bool },
    SetScale { lane: usize, scale: f32 },
    Evaluate { lane: usize },
}

impl Event {
    pub(crate) fn submitted(&self) -> Option<(usize, u64)> {
        if let Self::Submit { lane, step, .. } = self { Some((*lane, *step)) } else { None }
    }

    pub(crate) fn images(&self) -> Option<&Vec<f32>> {
        if let Self::Submit { images, .. } = self { Some(images) } else { None }
    }

    pub(crate) fn probed(&self) -> Option<u64> {
        if let Self::Submit { step, probe: true, .. } = self { Some(*step) } else { None }
    }
}

/// A scripted device; clones share what they remember.
#[derive(Debug, Clone)]
pub(crate) struct Mock {
    script: Script,
    events: Arc<Mutex<Vec<Event>>>,
    lanes: Arc<AtomicUsize>,
    most_in_flight: Arc<AtomicUsize>,
}

impl Mock {
    pub(crate) fn new(script: Script) -> Self {
        Self { script, events: Arc::default(), lanes: Arc::default(), most_in_flight: Arc::default() }
    }

    pub(crate) fn open(&self) -> Box<Open> {
        let mock = self.clone();
        Box::new(move |_: BackendKind, _| Ok(Box::new(mock.clone()) as Box<dyn Backend>))
    }

    pub(crate) fn start(&self, lanes: Vec<RunConfig>, options: SessionOptions) -> Session {
        Session::start_on(self.open(), lanes, Arc::new(dataset()), options, || {}).unwrap()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.events.lock().unwrap().clone()
    }

    pub(crate) fn most_in_flight(&self) -> usize {
        self.most_in_flight.load(Ordering::SeqCst)
    }
}

impl Backend for Mock {
    fn device(&self) -> String {
        "mock".into()
    }

    fn instruction(&self, _: Primitive) -> &'static str {
        "nothing"
    }

    fn observe(&self, _: Primitive, _: [&[u32]; 3]) -> Result<Vec<u32>, String> {
        Err("a mock has no instructions".into())
    }

    fn compile(&self, program: Arc<Program>) -> Result<Box<dyn Plan>, String> {
        let lane = self.lanes.fetch_add(1, Ordering::SeqCst);
        assert_eq!(program.batch, 4);
        Ok(Box::new(MockPlan { mock: self.clone(), lane, step: 0, scale: 1024.0, running: VecDeque::new(), polls: 0 }))
    }
}

struct MockPlan {
    mock: Mock,
    lane: usize,
    step: u64,
    scale: f32,
    running: VecDeque<(Ticket, f32)>,
    polls: u32,
}

impl MockPlan {
    fn remember(&self, event: Event) {
        self.mock.events.lock().unwrap().push(event);
    }
}

impl Plan for MockPlan {
    fn write(&mut self, _: TensorId, _: &[f32]) -> Result<(), String> {
        Ok(())
    }

    fn read(&mut self, _: TensorId) -> Result<Vec<f32>, String> {
        Ok(Vec::new())
    }

    fn submit(&mut self, input: &StepInput<'_>) -> Result<Ticket, String> {
        self.step += 1;
        assert!(!self.mock.script.panics, "scripted panic");
        if self.mock.script.fails == Some((self.lane, self.step)) {
            return Err("out of memory".into());
        }
        let images = input.images.to_vec();
        self.remember(Event::Submit { lane: self.lane, step: self.step, images, probe: input.probe });
        self.running.push_back((Ticket(self.step), self.scale));
        self.mock.most_in_flight.fetch_max(self.running.len(), Ordering::SeqCst);
        Ok(Ticket(self.step))
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Option<StepOutcome>, String> {
        let &(first, scale) = self.running.front().ok_or("nothing is running")?;
        assert_eq!(first, ticket, "outcomes are asked for in order");
        self.polls += 1;
        if self.polls <= self.mock.script.polls_per_step {
            return Ok(None);
        }
        self.polls = 0;
        self.running.pop_front();
        let loss = 1.0 / ticket.0 as f32;
        Ok(Some(StepOutcome { loss, scale, growth_tracker: 0, skipped: false, readings: Vec::new() }))
    }

    fn profile(&mut self, input: &StepInput<'_>) -> Result<(Ticket, Vec<OpTime>), String> {
        let op = OpTime { op: "everything".into(), layer: String::new(), seconds: 0.25 };
        self.submit(input).map(|ticket| (ticket, vec![op]))
    }

    fn set_scale(&mut self, scale: f32) -> Result<(), String> {
        assert!(self.running.is_empty(), "a scale is set at a step border");
        self.scale = scale;
        self.remember(Event::SetScale { lane: self.lane, scale });
        Ok(())
    }

    fn evaluate(&mut self, images: &[f32], labels: &[u8]) -> Result<Score, String> {
        assert_eq!(images.len(), labels.len() * 4);
        assert!(self.running.is_empty(), "weights are evaluated at a step border");
        self.remember(Event::Evaluate { lane: self.lane });
        Ok(Score { correct: 1, loss_sum: 2.0 })
    }

    fn buffer_bytes(&self) -> u64 {
        1
    }

    fn probe_bytes(&self) -> u64 {
        0
    }

    fn memory(&self) -> Memory {
        Memory { used: 1, free: Some(7) }
    }
}

/// Twelve images of 2 × 2 pixels, and three to test on.
pub(crate) fn dataset() -> Dataset {
    let split = |count: u8| Split {
        images: (0..count * 4).collect(),
        labels: (0..count).map(|index| index % 10).collect(),
        rows: 2,
        columns: 2,
    };
    Dataset { name: "twelve squares".into(), train: split(12), test: split(3) }
}

/// A small lane for [`dataset`], with a loss scale.
pub(crate) fn lane(name: &str, steps: u64) -> RunConfig {
    let preset = Preset::find("underflow").unwrap();
    let mut config = preset.run(PrecisionPolicy::named("paper").unwrap(), ScalerConfig::Static { scale: 1024.0 });
    config.lane = name.into();
    config.model.widths = vec![4, 3, 10];
    config.train_images = None;
    config.batch = 4;
    config.steps = steps;
    config.evaluate_every = 1_000;
    config.probes.every = 0;
    config
}
