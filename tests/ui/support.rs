//! One way to make a window without a window, and a recording made by hand to look at.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use egui_kittest::{Harness, HarnessBuilder};
use halfscope::app::{App, Look, Options, ViewId};
use halfscope::histogram::{ExponentHistogram, Source, Stage};
use halfscope::i18n::Lang;
use halfscope::link::Link;
use halfscope::train::RunConfig;
use halfscope::train::presets::Preset;
use halfscope::train::recording::Writer;
use halfscope::train::report::{
    CastInfo, Evaluation, HistogramReport, LaneInfo, OpTime, Outcome, ProbeInfo, ProfileReport, Report, Role, Started,
    StepReport,
};

/// A window under test.
pub(crate) type Window = Harness<'static, Option<App>>;

/// Every pane of the explorer, each in a state that has much to say.
pub(crate) const PANES: [(&str, ViewId, &str); 20] = [
    ("custom", ViewId::Bits, "bits 2^-7 formats=e5m3b16-fn,e4m3,e8m0,fp16-arm,e3m2,fp64"),
    ("block", ViewId::Bits, "bits \"0.1 -0.5 1.5 3 -6 0.02 5 -1e-3 0.3 0.7 -2.5 2\" block=mxfp4"),
    ("block-nan", ViewId::Bits, "bits \"1 -1 nan 0.5 inf 3\" block=nvfp4"),
    ("fp16-tail", ViewId::Line, "line fp16,bf16 scale=log2 from=-26.0 to=-12.0"),
    ("fp4", ViewId::Line, "line e2m1,e3m2,e2m3 from=-7.0 to=7.0"),
    ("density", ViewId::Line, "line fp16,bf16,e4m3,e5m2,e8m0 pane=density"),
    ("error", ViewId::Line, "line fp16,bf16,e4m3 pane=error"),
    ("values", ViewId::Line, "line e4m3,e2m1,fp16 pane=values"),
    ("round", ViewId::Arithmetic, "round 0.1 format=fp16"),
    ("round-custom", ViewId::Arithmetic, "round -3*2^-11 format=e5m3b16-fn rounding=sr ftz=on tininess=before seed=3"),
    ("calc", ViewId::Arithmetic, "calc add 0.1 0.2 format=fp16"),
    ("calc-nan", ViewId::Arithmetic, "calc fma inf 0 nan format=bf16 nan=payload"),
    ("chain", ViewId::Arithmetic, "chain 1025.49995 via=fp64,fp32,fp16,e4m3"),
    ("chain-lost", ViewId::Arithmetic, "chain -inf via=fp32,fp16,e4m3,e2m1,e8m0"),
    ("dot", ViewId::Arithmetic, DOT),
    ("update", ViewId::Arithmetic, "update 1 2^-11 format=fp16 master=fp32 steps=256"),
    ("update-moved", ViewId::Arithmetic, "update 1 -(2^-9) format=bf16 master=fp32 steps=64 seed=2"),
    ("sweep", ViewId::Arithmetic, "sweep \"sqrt(x + 1) - sqrt(x)\" format=fp16 from=1 to=60000"),
    ("sweep-lost", ViewId::Arithmetic, "sweep \"1 / x * x\" format=e5m2 from=-57344 to=57344 rounding=rtz"),
    ("limits", ViewId::Line, "line fp16,e5m3b16-fn pane=limits"),
];

const DOT: &str = "dot a=32,1,-32,0.1;32,0.1,0.1,-32;0.1,32,-32,0.1;1,1,1,1 b=32,32,32,32;0.1,1,1,32;32,-32,1,1;1,32,32,32 \
                   c=0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0 cell=2,3 sum=blocks:fp16:fp32:2 output=fp16";

/// How a window under test is opened.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) lang: Lang,
    pub(crate) look: Look,
    pub(crate) view: ViewId,
    pub(crate) size: [f32; 2],
    /// A recorded run to open.
    pub(crate) open: Option<PathBuf>,
    /// What to show.
    pub(crate) link: Option<&'static str>,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            lang: Lang::En,
            look: Look::Dark,
            view: ViewId::Gradients,
            size: [1280.0, 800.0],
            open: None,
            link: None,
        }
    }
}

impl Case {
    /// The window, with nothing that renders.
    pub(crate) fn window(&self) -> Window {
        self.window_with(|builder| builder)
    }

    /// The window, with what `more` adds to the harness.
    pub(crate) fn window_with(
        &self,
        more: impl FnOnce(HarnessBuilder<Option<App>>) -> HarnessBuilder<Option<App>>,
    ) -> Window {
        let options = Options {
            lang: Some(self.lang),
            look: Some(self.look),
            view: Some(self.view),
            open: self.open.clone(),
            link: self.link.map(|line| Link::parse(line).unwrap()),
        };
        // Fonts and styles must be there before the first pass, and the harness makes the context.
        let made = Rc::new(Cell::new(None));
        let slot = Rc::clone(&made);
        let builder = Harness::builder()
            .with_size(self.size)
            .with_theme(self.look.theme())
            .with_max_steps(64)
            .with_context_setup(move |ctx| slot.set(Some(App::new(ctx, &options, None))));
        more(builder).build_ui_state(
            move |ui, app: &mut Option<App>| {
                if app.is_none() {
                    *app = made.take();
                }
                if let Some(app) = app {
                    app.logic(ui.ctx());
                    app.ui(ui);
                }
            },
            None,
        )
    }
}

/// Steps the window until `done` says so.
pub(crate) fn wait_until(window: &mut Window, what: &str, done: impl Fn(&Window) -> bool) {
    let begun = Instant::now();
    loop {
        window.step();
        if done(window) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The app of a window.
pub(crate) fn app(window: &Window) -> &App {
    window.state().as_ref().unwrap()
}

/// A folder of its own that is removed at the end.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("halfscope-ui-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Writes a run made by hand to `folder` and returns its path: three lanes, 100 of 400 steps, skipped steps, a NaN.
pub(crate) fn hand_made_run(folder: &Path) -> PathBuf {
    let path = folder.join("run.jsonl");
    let mut writer = Writer::create(&path).unwrap();
    for report in hand_made_reports() {
        writer.write(&report).unwrap();
    }
    writer.finish().unwrap().unwrap()
}

/// The same with what a live run says beside it, which is never recorded: the first lane on a processor, the second on a
/// graphics processor, the third on a program that stands in for one.
pub(crate) fn hand_made_live_run(folder: &Path) -> PathBuf {
    let mut reports = hand_made_reports();
    if let Some(Report::Started(started)) = reports.first_mut() {
        let devices = ["CPU (x86_64, AVX2), 2 threads", "NVIDIA H200 (CUDA 13.0)", "llvmpipe (software, Vulkan)"];
        for (lane, device) in started.lanes.iter_mut().zip(devices) {
            device.clone_into(&mut lane.device);
        }
    }
    let end = reports.pop();
    for (lane, speed) in [(0, 48.0), (1, 2150.0), (2, 3.1)] {
        reports.push(Report::Speed { lane, steps_per_second: speed });
        let free = [Some(17_300_000_000), Some(148_000_000_000), None][lane];
        reports.push(Report::Memory { lane, used: 12_345_678, free });
        reports.push(Report::Profile(ProfileReport { lane, steps: 3, ops: op_times(3.0 / speed) }));
    }
    let path = folder.join("live.jsonl");
    let lines = reports.iter().chain(&end).map(|report| serde_json::to_string(report).unwrap() + "\n");
    std::fs::write(&path, lines.collect::<String>()).unwrap();
    path
}

/// Times of fourteen ops that add up to about so many seconds.
fn op_times(seconds: f64) -> Vec<OpTime> {
    let ops = ["matmul", "cast", "adam", "relu grad", "sum rows"];
    let layers = ["fc1", "fc2", "fc3"];
    let each = ops.iter().flat_map(|op| layers.iter().map(move |layer| (op, layer))).zip(1..);
    let time = |((op, layer), rank): ((&&str, &&str), i32)| OpTime {
        op: (*op).into(),
        layer: (*layer).into(),
        seconds: seconds * 0.5_f64.powi(rank),
    };
    each.map(time).collect()
}

const TENSORS: [(&str, &str, u64, f64); 3] = [
    ("fc1", "fc1.weight.grad", 200_704, -25.0),
    ("fc2", "fc2.weight.grad", 32_768, -21.0),
    ("fc3", "fc3.weight.grad", 1280, -18.0),
];

/// The reports of [`hand_made_run`].
pub(crate) fn hand_made_reports() -> Vec<Report> {
    let configs = Preset::find("underflow").unwrap().runs();
    let lanes: Vec<LaneInfo> = configs.iter().map(lane_info).collect();
    let mut reports =
        vec![Report::Started(Started { format: 1, dataset: "hand-made".to_owned(), lanes: lanes.clone() })];
    for step in 1..=100_u64 {
        let scalars = |lane: usize| StepReport {
            lane,
            step,
            loss: if lane == 1 && step == 60 {
                f32::NAN
            } else {
                2.3 / (1.0 + step as f32 * 0.02 * (2 - lane.min(1)) as f32)
            },
            scale: if lane == 2 { 65536.0 } else { 1.0 },
            growth_tracker: 0,
            skipped: lane == 2 && step % 40 == 7,
        };
        reports.push(Report::Steps((0..lanes.len()).map(scalars).collect()));
        if step % 8 == 0 {
            for (lane, info) in lanes.iter().enumerate() {
                reports.push(Report::Histograms(histograms(lane, info, step)));
            }
        }
        if step % 25 == 0 {
            let evaluated = |lane: usize| {
                let correct = [600, 240, 590][lane] + step;
                Report::Evaluated(Evaluation { lane, step, correct, images: 1000, loss: 1.0 })
            };
            reports.extend((0..lanes.len()).map(evaluated));
        }
    }
    reports.push(Report::Finished { step: 100, outcome: Outcome::Stopped });
    reports
}

fn lane_info(config: &RunConfig) -> LaneInfo {
    let sources = if config.precision.is_reduced() { vec![Source::Run, Source::Twin] } else { vec![Source::Run] };
    let mut probes = Vec::new();
    for source in sources {
        for (layer, tensor, elements, _) in TENSORS {
            for (tensor, role) in
                [(tensor.to_owned(), Role::WeightGradient), (format!("{layer}.out.grad"), Role::ActivationGradient)]
            {
                let scaled = source == Source::Run && config.precision.is_reduced();
                let stages = if scaled { vec![Stage::BeforeCast, Stage::AfterCast] } else { vec![Stage::BeforeCast] };
                for stage in stages {
                    let (tensor, layer) = (tensor.clone(), layer.to_owned());
                    probes.push(ProbeInfo { tensor, layer, role, stage, source, elements, scaled });
                }
            }
        }
    }
    let cast = |layer: &str| CastInfo {
        tensor: format!("{layer}.weight"),
        from: "fp32".to_owned(),
        to: "fp16".to_owned(),
        why: "products read FP16 weights".to_owned(),
    };
    let casts = if config.precision.is_reduced() { vec![cast("fc1"), cast("fc2"), cast("fc3")] } else { Vec::new() };
    LaneInfo { config: config.clone(), device: "CPU, 2 threads".to_owned(), buffer_bytes: 3_456_789, probes, casts }
}

fn histograms(lane: usize, info: &LaneInfo, step: u64) -> Vec<HistogramReport> {
    let report = |(probe, tensor): (usize, &ProbeInfo)| {
        let center = TENSORS.iter().find(|row| row.0 == tensor.layer).unwrap().3 - step as f64 / 50.0;
        let scale = if tensor.scaled && lane == 2 { 65536.0 } else { 1.0 };
        let values: Vec<f32> = (0..400_u32).map(|index| bell(index, center) * scale).collect();
        let histogram = ExponentHistogram::of_f32(&values);
        let lost_upstream = (tensor.source == Source::Run).then_some(17);
        HistogramReport { lane, step, probe, scale, lost_upstream, histogram }
    };
    info.probes.iter().enumerate().map(report).collect()
}

/// Values whose exponents lie around `center` like a bell, every eighth of them zero.
fn bell(index: u32, center: f64) -> f32 {
    if index.is_multiple_of(8) {
        return 0.0;
    }
    let uniform =
        |salt: u32| f64::from((index + 1).wrapping_mul(2_654_435_761).rotate_left(salt) >> 8) / f64::from(1 << 24);
    let sum = uniform(0) + uniform(5) + uniform(11) + uniform(17) - 2.0;
    ((center + sum * 7.0).exp2() * if index.is_multiple_of(2) { 1.0 } else { -1.0 }) as f32
}
