//! Who may import what, read off the sources: the table of ARCHITECTURE.md as a test.

use std::fs;
use std::path::{Path, PathBuf};

/// A room: the folder under `src/` (the first match wins), the rooms of ours it may use, the packages it may use.
struct Room {
    path: &'static str,
    ours: &'static [&'static str],
    packages: &'static [&'static str],
}

const ALL: &[&str] =
    &["format", "histogram", "data", "train", "figure", "export", "i18n", "link", "observe", "cli", "app"];

/// Every package that the table speaks of; std and core are free for all.
const PACKAGES: &[&str] = &[
    "num_bigint",
    "num_integer",
    "num_traits",
    "half",
    "flate2",
    "faer",
    "rayon",
    "pulp",
    "serde",
    "serde_json",
    "resvg",
    "clap",
    "indicatif",
    "ctrlc",
    "egui",
    "eframe",
    "egui_plot",
    "rfd",
    "wgpu",
    "cudarc",
    "libloading",
    "pollster",
];

const ROOMS: &[Room] = &[
    Room { path: "format", ours: &[], packages: &["num_bigint", "num_integer", "num_traits", "half"] },
    Room { path: "histogram", ours: &["format"], packages: &["half", "pulp", "rayon", "serde"] },
    Room { path: "data", ours: &[], packages: &["flate2"] },
    Room { path: "link", ours: &["format", "observe"], packages: &[] },
    Room { path: "i18n", ours: &[], packages: &["serde"] },
    Room { path: "train/backend/wgpu", ours: &["train", "histogram", "format"], packages: &["wgpu", "pollster"] },
    Room { path: "train/backend/cuda", ours: &["train", "histogram", "format"], packages: &["cudarc", "libloading"] },
    Room {
        path: "train",
        ours: &["format", "histogram", "data"],
        packages: &["serde", "serde_json", "faer", "rayon", "half", "pulp"],
    },
    Room { path: "figure", ours: &["format", "histogram", "i18n"], packages: &["resvg", "serde", "skrifa"] },
    Room {
        path: "export",
        ours: &["format", "histogram", "train", "observe", "figure", "i18n"],
        packages: &["serde", "serde_json"],
    },
    Room { path: "observe", ours: &["format", "train"], packages: &[] },
    Room {
        path: "cli",
        ours: &["observe", "format", "histogram", "data", "train", "figure", "export", "i18n", "link", "app"],
        packages: &["clap", "indicatif", "ctrlc", "serde", "serde_json"],
    },
    Room {
        path: "app",
        ours: &["observe", "format", "histogram", "data", "train", "figure", "export", "i18n", "link"],
        packages: &["egui", "eframe", "egui_plot", "rfd", "serde", "serde_json"],
    },
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code without comments and string literals, roughly: enough to see paths.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Words of ours that follow `crate::`, grouped imports (`crate::{format::…, data}`) included.
fn ours_used(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut word = String::new();
            for character in group.chars() {
                match character {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => used.push(std::mem::take(&mut word)),
                    _ if depth == 0 => word.push(character),
                    _ => {}
                }
            }
            used.push(word);
        } else {
            used.push(rest.to_owned());
        }
    }
    let name = |text: &String| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    used.iter().map(name).collect()
}

fn faults(file: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let Some(room) =
        ROOMS.iter().find(|room| file.strip_prefix(room.path).is_some_and(|rest| rest.starts_with(['/', '.'])))
    else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    for name in ours_used(&code) {
        if ALL.contains(&name.as_str()) && name != room.path && !room.ours.contains(&name.as_str()) {
            faults.push(format!("src/{file}: {} may not use {name}", room.path));
        }
    }
    for package in PACKAGES.iter().filter(|package| !room.packages.contains(package)) {
        let starts_a_path = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        if code.match_indices(&format!("{package}::")).any(|(at, _)| starts_a_path(at)) {
            faults.push(format!("src/{file}: {} may not use the package {package}", room.path));
        }
    }
    if room.path == "app" && code.contains("train::backend") {
        faults.push(format!("src/{file}: app may not use train::backend"));
    }
    let prints = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
    if room.path != "cli" && prints.iter().any(|print| code.contains(print)) {
        faults.push(format!("src/{file}: only cli prints"));
    }
    faults
}

#[test]
fn rooms_import_what_the_table_allows() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    assert!(files.len() > 20, "only {} sources found", files.len());
    let faults: Vec<String> = files
        .iter()
        .flat_map(|path| {
            let name = path.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
            faults(&name, &fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_test_sees_what_it_must_see() {
    assert_eq!(faults("format/round.rs", "use crate::app::theme;"), ["src/format/round.rs: format may not use app"]);
    assert_eq!(
        faults("histogram/mod.rs", "use crate::{format::Format, cli};"),
        ["src/histogram/mod.rs: histogram may not use cli"]
    );
    assert_eq!(
        faults("cli/mod.rs", "fn f(ui: &mut egui::Ui) {}"),
        ["src/cli/mod.rs: cli may not use the package egui"]
    );
    assert_eq!(faults("train/session.rs", "println!(\"x\");"), ["src/train/session.rs: only cli prints"]);
    assert_eq!(faults("train/backend/gpu/mod.rs", "use cudarc::driver;").len(), 1);
    assert!(faults("train/backend/cuda/mod.rs", "use cudarc::driver;").is_empty());
    assert!(faults("app/mod.rs", "use crate::train::Session; // crate::train::backend").is_empty());
    assert_eq!(faults("app/mod.rs", "use crate::train::backend::open;").len(), 1);
}

#[test]
fn files_stay_in_their_room() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let long: Vec<String> = files
        .iter()
        .map(|path| (path, fs::read_to_string(path).unwrap().lines().count()))
        .filter(|(_, lines)| *lines > 400)
        .map(|(path, lines)| format!("{}: {lines} lines, 400 at most; split it by job", path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
