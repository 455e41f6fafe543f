//! Small pictures of the views on a software rasteriser, compared with those in `snapshots/`.

use std::path::PathBuf;

use egui_kittest::{SnapshotOptions, SnapshotResults};
use halfscope::app::{Look, ViewId};
use halfscope::i18n::Lang;
use halfscope::i18n::train::Train as Text;
use halfscope::link::Link;

use egui_kittest::kittest::Queryable as _;

use super::hardware;
use super::lanes::devices;
use super::support::{Case, Folder, PANES, Window, app, hand_made_live_run, hand_made_run, wait_until};

/// Whether there is an adapter to render with. Where `HALFSCOPE_REQUIRE` names `wgpu`, there must be one.
fn rasteriser() -> bool {
    let required = std::env::var("HALFSCOPE_REQUIRE").is_ok_and(|list| list.split(',').any(|name| name == "wgpu"));
    if !required {
        #[expect(clippy::print_stdout, reason = "a skip must be seen")]
        {
            println!("skipped: pictures (HALFSCOPE_REQUIRE does not contain wgpu)");
        }
    }
    required
}

/// The panes of the explorer whose pictures are kept; the others are walked and looked at in full size.
const TOLD: [&str; 8] = ["arithmetic-calc", "chain", "dot", "update", "sweep", "fp16-tail", "values", "block"];

/// A window that renders, settled on a view. The Hardware view shows the same devices on every machine.
fn picture(case: &Case) -> Window {
    let mut window = case.window_with(|builder| builder.with_render_cursor(false).wgpu());
    if case.view == ViewId::Hardware {
        window.state_mut().as_mut().unwrap().pretend_devices(hardware::devices());
    }
    if case.open.is_some() {
        wait_until(&mut window, "the recording", |window| !app(window).recording().lanes.is_empty());
        window.get_by_role_and_label(egui::Role::Tab, case.view.title().text(case.lang)).click();
    }
    wait_until(&mut window, "the images", |window| app(window).has_images());
    window.run_steps(4);
    if case.link.is_some_and(|line| line.starts_with("sweep")) {
        // As many frames as all inputs of a 16-bit format need.
        window.run_steps(256);
    }
    window.remove_cursor();
    window.run_steps(2);
    window
}

/// The set-up with the list of backends of a lane open, and a live run with its times open.
fn lanes(folder: &std::path::Path, size: [f32; 2]) -> Vec<(String, Window)> {
    let live = hand_made_live_run(folder);
    let mut windows = Vec::new();
    for (lang, look) in [(Lang::En, Look::Dark), (Lang::ZhCn, Look::Light)] {
        let name = |what: &str| format!("training-{what}-{}-{}", look.name(), lang.tag()).to_lowercase();
        let case = Case { lang, look, view: ViewId::Training, size, open: None, link: None };
        let mut window = picture(&case);
        window.state_mut().as_mut().unwrap().pretend_devices(devices());
        window.run_steps(2);
        let list = format!("{} fp32", Text::Backend.text(lang));
        window.get_by_role_and_label(egui::Role::ComboBox, &list).click();
        window.run_steps(4);
        window.remove_cursor();
        window.run_steps(4);
        windows.push((name("backends"), window));
        let mut window = picture(&Case { open: Some(live.clone()), ..case });
        window.get_by_label(Text::Times.text(lang)).scroll_to_me();
        window.run_steps(8);
        window.get_by_label(Text::Times.text(lang)).click();
        window.run_steps(30);
        window.get_by_label(Text::Times.text(lang)).scroll_to_me();
        window.run_steps(30);
        window.remove_cursor();
        window.run_steps(4);
        windows.push((name("times"), window));
    }
    windows
}

/// The Hardware view with what a frail graphics processor did, and how it divided bit by bit; with one that gave up.
fn observed(size: [f32; 2]) -> Vec<(String, Window)> {
    let mut windows = Vec::new();
    for (lang, look) in [(Lang::En, Look::Dark), (Lang::ZhCn, Look::Light)] {
        for (state, backends) in [("seen", hardware::frail as fn() -> _), ("failed", hardware::failing)] {
            let line = "hardware device=cuda operation=div";
            let mut window = picture(&Case { lang, look, view: ViewId::Hardware, size, link: None, ..Case::default() });
            window.state_mut().as_mut().unwrap().run_on(backends);
            window.state_mut().as_mut().unwrap().go_to(Link::parse(line).unwrap());
            wait_until(&mut window, "the answers", |window| {
                !app(window).is_observing() && app(window).has_observations()
            });
            window.run_steps(4);
            windows.push((format!("hardware-{state}-{}-{}", look.name(), lang.tag()).to_lowercase(), window));
        }
    }
    windows
}

/// The Hardware view while a device is at it.
fn observing(size: [f32; 2]) -> Vec<(String, Window)> {
    let show = |(lang, look): (Lang, Look)| {
        let mut window = picture(&Case { lang, look, view: ViewId::Hardware, size, ..Case::default() });
        let state = window.state_mut().as_mut().unwrap();
        state.run_on(hardware::waiting);
        state.go_to(Link::parse("hardware device=cuda").unwrap());
        hardware::wait_in_the_middle(true);
        wait_until(&mut window, "an answer", |window| app(window).has_observations());
        for _ in 0..20 {
            std::thread::sleep(std::time::Duration::from_millis(50));
            window.run_steps(2);
        }
        (format!("hardware-running-{}-{}", look.name(), lang.tag()).to_lowercase(), window)
    };
    [(Lang::En, Look::Light), (Lang::ZhCn, Look::Dark)].into_iter().map(show).collect()
}

fn cases(run: &std::path::Path) -> Vec<(String, Case)> {
    let views = app(&Case::default().window()).views();
    let mut cases = Vec::new();
    for lang in Lang::ALL {
        for look in Look::ALL {
            for &view in &views {
                for (state, open) in [("empty", None), ("run", Some(run.to_owned()))] {
                    if view.is_explorer() && open.is_some() {
                        continue;
                    }
                    let name = format!("{view:?}-{state}-{}-{}", look.name(), lang.tag()).to_lowercase();
                    cases.push((name, Case { lang, look, view, open, ..Case::default() }));
                }
            }
            for (pane, view, line) in PANES {
                let name = format!("{view:?}-{pane}-{}-{}", look.name(), lang.tag()).to_lowercase();
                cases.push((name, Case { lang, look, view, link: Some(line), ..Case::default() }));
            }
        }
    }
    cases
}

#[test]
fn views_look_as_they_did() {
    if !rasteriser() {
        return;
    }
    let folder = Folder::new("pictures");
    let run = hand_made_run(folder.path());
    let mut results = SnapshotResults::new();
    for (name, case) in cases(&run) {
        let told = case.open.is_some() != case.view.is_explorer();
        let wanted = case.link.is_none() || TOLD.iter().any(|pane| name.ends_with(&format!("{pane}-dark-en")));
        let small = matches!(case.look, Look::Dark | Look::Light) && told && wanted;
        if small {
            let mut window = picture(&Case { size: [900.0, 600.0], ..case });
            let options = SnapshotOptions::new().output_path("tests/ui/snapshots");
            results.add(window.try_snapshot_options(name, &options));
        }
    }
    for (name, mut window) in lanes(folder.path(), [900.0, 600.0]).into_iter().chain(observed([900.0, 760.0])) {
        let options = SnapshotOptions::new().output_path("tests/ui/snapshots");
        results.add(window.try_snapshot_options(name, &options));
    }
}

/// Writes every view in every state at full size into the folder `HALFSCOPE_PICTURES`, to be looked at by a person.
#[test]
#[ignore = "for people: set HALFSCOPE_PICTURES to a folder"]
fn full_size_pictures() {
    let target = PathBuf::from(std::env::var_os("HALFSCOPE_PICTURES").expect("set HALFSCOPE_PICTURES to a folder"));
    let wanted = std::env::var("HALFSCOPE_PICTURES_OF").unwrap_or_default();
    let folder = Folder::new("full-size");
    let run = std::env::var_os("HALFSCOPE_RUN").map_or_else(|| hand_made_run(folder.path()), PathBuf::from);
    let size = std::env::var("HALFSCOPE_PICTURES_SIZE").unwrap_or_else(|_| "1280x800".to_owned());
    let (width, height) = size.split_once('x').expect("HALFSCOPE_PICTURES_SIZE is WIDTHxHEIGHT");
    let size = [width.parse().unwrap(), height.parse().unwrap()];
    for (name, case) in cases(&run) {
        if name.contains(&wanted) {
            picture(&Case { size, ..case }).render().unwrap().save(target.join(format!("{name}.png"))).unwrap();
        }
    }
    let live = lanes(folder.path(), size).into_iter().chain(observed(size)).chain(observing(size));
    for (name, mut window) in live {
        if name.contains(&wanted) {
            window.render().unwrap().save(target.join(format!("{name}.png"))).unwrap();
        }
    }
    hardware::wait_in_the_middle(false);
}
