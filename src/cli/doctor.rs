//! `halfscope doctor`: what is here, what is missing and how to get it.

use std::io::{Write, stdout};

use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::table::{Align, Table};
use crate::data::{SYSTEM_FOLDER, find};
use crate::figure::FACES;
use crate::train::backend::{Availability, availability};
use crate::train::config::BackendKind;
use crate::train::session::processors;

/// Says what is here, what is missing and how to get it.
#[derive(Debug, Clone, Args)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// One line of the examination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Finding {
    what: &'static str,
    ok: bool,
    found: String,
}

impl Finding {
    fn good(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, ok: true, found: found.into() }
    }

    fn missing(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, ok: false, found: found.into() }
    }
}

/// Runs the command.
pub(crate) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let mut findings = vec![version(), features(), processor(), simd()];
    findings.extend([BackendKind::Cpu, BackendKind::Wgpu, BackendKind::Cuda, BackendKind::Auto].map(backend));
    findings.extend(adapters());
    findings.extend(libraries());
    findings.extend([data(), fonts(), display()]);
    let mut out = stdout().lock();
    if args.json {
        for finding in &findings {
            serde_json::to_writer(&mut out, finding).map_err(std::io::Error::from)?;
            out.write_all(b"\n")?;
        }
        return Ok(());
    }
    let mut table = Table::new([("", Align::Left), ("", Align::Left), ("", Align::Left)]);
    for finding in &findings {
        let mark = if finding.ok { "ok" } else { "missing" };
        table.row([finding.what.to_owned(), mark.to_owned(), finding.found.clone()]);
    }
    write!(out, "{}", table.to_string().trim_start())?;
    Ok(())
}

fn version() -> Finding {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    Finding::good("halfscope", format!("{} for {os} on {arch}", env!("CARGO_PKG_VERSION")))
}

fn features() -> Finding {
    if cfg!(feature = "gui") {
        Finding::good("window", "built in")
    } else {
        Finding::missing("window", "built without it; build with `--features gui`")
    }
}

fn processor() -> Finding {
    let threads = processors();
    Finding::good(
        "threads",
        format!("{threads} on the command line, {} beside the window", threads.saturating_sub(1).max(1)),
    )
}

/// The widest instructions that the engine's products and conversions choose at run time.
fn simd() -> Finding {
    #[cfg(target_arch = "x86_64")]
    {
        let f16c = is_x86_feature_detected!("f16c");
        if is_x86_feature_detected!("avx512f") && f16c {
            return Finding::good("SIMD", "AVX-512, F16C");
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && f16c {
            return Finding::good("SIMD", "AVX2, FMA, F16C");
        }
        Finding::missing("SIMD", "SSE2 only: the same numbers, several times slower; a processor from 2013 on has AVX2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    Finding::good("SIMD", format!("what {} always has", std::env::consts::ARCH))
}

fn backend(kind: BackendKind) -> Finding {
    let what = match kind {
        BackendKind::Auto => "backend auto",
        BackendKind::Cpu => "backend cpu",
        BackendKind::Wgpu => "backend wgpu",
        BackendKind::Cuda => "backend cuda",
    };
    match availability(kind) {
        Availability::Ready { device } => Finding::good(what, device),
        Availability::Missing { reason } => Finding::missing(what, reason),
    }
}

/// The graphics processors that wgpu finds.
fn adapters() -> Vec<Finding> {
    #[cfg(feature = "wgpu")]
    return crate::train::backend::wgpu::adapters()
        .into_iter()
        .map(|adapter| Finding::good("wgpu adapter", adapter.name))
        .collect();
    #[cfg(not(feature = "wgpu"))]
    Vec::new()
}

/// CUDA's libraries, one by one.
fn libraries() -> Vec<Finding> {
    #[cfg(feature = "cuda")]
    return crate::train::backend::cuda::examine()
        .into_iter()
        .map(|finding| {
            let what = match finding.library {
                "NVRTC" => "CUDA NVRTC",
                "cuBLAS" => "CUDA cuBLAS",
                _ => "CUDA driver",
            };
            match finding.state {
                Ok(found) => Finding::good(what, found),
                Err(missing) => Finding::missing(what, missing),
            }
        })
        .collect();
    #[cfg(not(feature = "cuda"))]
    Vec::new()
}

fn data() -> Finding {
    let system = std::path::Path::new(SYSTEM_FOLDER);
    match find(None) {
        Ok(data) if system.is_dir() => Finding::good("data", format!("{} in {SYSTEM_FOLDER}", data.name)),
        Ok(data) => Finding::good(
            "data",
            format!("{}; for the full set install Debian's dataset-fashion-mnist or give --data DIR", data.name),
        ),
        Err(what) => Finding::missing("data", what),
    }
}

fn fonts() -> Finding {
    let mut families: Vec<&str> = FACES.iter().map(|face| face.family).collect();
    families.dedup();
    Finding::good("fonts", format!("built in: {}", families.join(", ")))
}

fn display() -> Finding {
    match super::window::display() {
        Ok(display) => Finding::good("display", display),
        Err(why) => Finding::missing("display", format!("{why}; `halfscope demo` needs none")),
    }
}
