//! Small pictures of the views on a software rasteriser, compared with those in `snapshots/`.

use std::path::PathBuf;

use egui_kittest::{SnapshotOptions, SnapshotResults};
use halfscope::app::{Look, ViewId};
use halfscope::i18n::Lang;

use egui_kittest::kittest::Queryable as _;

use super::support::{Case, Folder, Window, app, hand_made_run, wait_until};

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

/// A window that renders, settled on a view.
fn picture(case: &Case) -> Window {
    let mut window = case.window_with(|builder| builder.with_render_cursor(false).wgpu());
    if case.open.is_some() {
        wait_until(&mut window, "the recording", |window| !app(window).recording().lanes.is_empty());
        window.get_by_role_and_label(egui::Role::Tab, case.view.title().text(case.lang)).click();
    }
    wait_until(&mut window, "the images", |window| app(window).has_images());
    window.run_steps(4);
    window.remove_cursor();
    window.run_steps(2);
    window
}

fn cases(run: &std::path::Path) -> Vec<(String, Case)> {
    let views = app(&Case::default().window()).views();
    let mut cases = Vec::new();
    for lang in Lang::ALL {
        for look in Look::ALL {
            for &view in &views {
                for (state, open) in [("empty", None), ("run", Some(run.to_owned()))] {
                    if view == ViewId::Bits && open.is_some() {
                        continue;
                    }
                    let name = format!("{view:?}-{state}-{}-{}", look.name(), lang.tag()).to_lowercase();
                    cases.push((name, Case { lang, look, view, open, ..Case::default() }));
                }
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
        let small = matches!(case.look, Look::Dark | Look::Light) && case.open.is_some() == (case.view != ViewId::Bits);
        if small {
            let mut window = picture(&Case { size: [900.0, 600.0], ..case });
            let options = SnapshotOptions::new().output_path("tests/ui/snapshots");
            results.add(window.try_snapshot_options(name, &options));
        }
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
}
