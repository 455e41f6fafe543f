//! The lanes that the arguments of `train` ask for.

use std::path::Path;

use super::TrainArgs;
use crate::cli::scale::parse_scale;
use crate::train::RunConfig;
use crate::train::config::{BackendKind, PrecisionPolicy, ScalerConfig};
use crate::train::presets::{PRESETS, Preset};

/// The lanes that the arguments ask for.
pub(super) fn lanes(args: &TrainArgs) -> Result<Vec<RunConfig>, String> {
    let mut lanes = match &args.config {
        Some(path) => read_configs(path)?,
        None => preset(&args.preset)?.runs(),
    };
    let scaler = args.scale.as_deref().map(parse_scaler).transpose()?;
    if args.lanes.is_empty() {
        if let Some(scaler) = scaler {
            rescale(&mut lanes, scaler);
        }
    } else {
        let base = lanes.first().ok_or("the file holds no configuration; give at least one")?.clone();
        lanes = args.lanes.iter().map(|word| lane(&base, word, scaler)).collect::<Result<_, _>>()?;
    }
    let backend = args.backend.as_deref().map(parse_backend).transpose()?;
    if args.lanes.is_empty() && backend.is_some() {
        for lane in &mut lanes {
            lane.backend = BackendKind::Auto;
        }
    }
    for lane in &mut lanes {
        lane.steps = args.steps.unwrap_or(lane.steps);
        lane.seed = args.seed.unwrap_or(lane.seed);
        lane.probes.every = args.probe_every.unwrap_or(lane.probes.every);
        lane.probes.twin |= args.twin;
        if lane.backend == BackendKind::Auto {
            lane.backend = backend.unwrap_or_default();
        }
    }
    Ok(lanes)
}

/// Gives all lanes that scale their loss this scaler; lanes that are then the same are run once.
fn rescale(lanes: &mut Vec<RunConfig>, scaler: ScalerConfig) {
    for lane in lanes.iter_mut().filter(|lane| lane.scaler != ScalerConfig::None) {
        lane.scaler = scaler;
        lane.lane = RunConfig::lane_name(&lane.precision, &scaler);
    }
    let all = std::mem::take(lanes);
    for lane in all {
        if !lanes.contains(&lane) {
            lanes.push(lane);
        }
    }
}

fn preset(name: &str) -> Result<&'static Preset, String> {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    Preset::find(name).ok_or_else(|| format!("no preset `{name}`; there are: {}", names.join(", ")))
}

/// The experiment of `base` as the lane `POLICY[@SCALE][:BACKEND]`.
fn lane(base: &RunConfig, word: &str, scaler: Option<ScalerConfig>) -> Result<RunConfig, String> {
    let (word, backend) = word.split_once(':').map_or((word, None), |(word, backend)| (word, Some(backend)));
    let backend = backend.map(parse_backend).transpose()?;
    let (name, own) = word.split_once('@').map_or((word, None), |(name, scale)| (name, Some(scale)));
    let precision = PrecisionPolicy::named(name)
        .ok_or_else(|| format!("no lane `{name}`; there are: {}", PrecisionPolicy::NAMES.join(", ")))?;
    let usual = precision.usual_scaler();
    let scaler = match own {
        Some(scale) => parse_scaler(scale)?,
        None if usual == ScalerConfig::None => usual,
        None => scaler.unwrap_or(usual),
    };
    let mut lane = base.clone();
    lane.lane = RunConfig::lane_name(&precision, &scaler);
    lane.probes.twin = precision.is_reduced();
    lane.precision = precision;
    lane.scaler = scaler;
    Ok(lane.placed(backend.unwrap_or_default()))
}

fn parse_scaler(text: &str) -> Result<ScalerConfig, String> {
    match text.to_ascii_lowercase().as_str() {
        "dynamic" => Ok(ScalerConfig::dynamic()),
        "none" => Ok(ScalerConfig::None),
        _ => parse_scale(text).map(|scale| ScalerConfig::Static { scale }),
    }
}

fn parse_backend(text: &str) -> Result<BackendKind, String> {
    let wanted = text.to_ascii_lowercase();
    let names = BackendKind::ALL.map(BackendKind::name).join(", ");
    let found = BackendKind::ALL.into_iter().find(|kind| kind.name() == wanted);
    found.ok_or_else(|| format!("no backend `{text}`; there are: {names}"))
}

fn read_configs(path: &Path) -> Result<Vec<RunConfig>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let wrong =
        |error: serde_json::Error| format!("{}: {error}; write a configuration or a list of them", path.display());
    if text.trim_start().starts_with('[') {
        serde_json::from_str(&text).map_err(wrong)
    } else {
        serde_json::from_str(&text).map(|config| vec![config]).map_err(wrong)
    }
}
