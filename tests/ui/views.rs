//! Every view × language × look × state: it lays out, every glyph exists, every input has a name.

use egui_kittest::kittest::Queryable as _;
use halfscope::app::{Look, ViewId};
use halfscope::i18n::Lang;
use halfscope::i18n::app::App as Text;

use super::support::{Case, Folder, PANES, app, hand_made_run, wait_until};

/// The harness panics on a missing glyph and on an input without a name, so laying out is half of the test.
#[test]
fn every_view_lays_out_in_every_language_and_look() {
    let folder = Folder::new("views");
    let run = hand_made_run(folder.path());
    let views = app(&Case::default().window()).views();
    assert!(views.contains(&ViewId::Training) && views.contains(&ViewId::Gradients));
    for lang in Lang::ALL {
        for look in Look::ALL {
            for &view in &views {
                for open in [None, Some(run.clone())] {
                    for size in [[1280.0, 800.0], [1024.0, 700.0]] {
                        let case = Case { lang, look, view, size, open: open.clone(), link: None };
                        walk(&case, &views);
                    }
                }
            }
        }
    }
}

#[test]
fn every_pane_of_the_explorer_lays_out_in_every_language_and_look() {
    let views = app(&Case::default().window()).views();
    for lang in Lang::ALL {
        for look in Look::ALL {
            for (_, view, line) in PANES {
                for size in [[1280.0, 800.0], [900.0, 600.0]] {
                    walk(&Case { lang, look, view, size, link: Some(line), ..Case::default() }, &views);
                }
            }
        }
    }
}

fn walk(case: &Case, views: &[ViewId]) {
    let mut window = case.window();
    if case.open.is_some() {
        wait_until(&mut window, "the recording", |window| !app(window).recording().lanes.is_empty());
        let name = case.view.title().text(case.lang);
        window.get_by_role_and_label(egui::Role::Tab, name).click();
    }
    window.run_steps(4);
    window.check_accessibility();
    for view in views {
        window.get_by_role_and_label(egui::Role::Tab, view.title().text(case.lang));
    }
    let right = window.get_by_role_and_label(egui::Role::Tab, case.view.title().text(case.lang)).rect().right();
    assert!(right < 240.0, "{case:?}: the navigation is {right} wide");
    assert_eq!(app(&window).saved().view, case.view);
    let language = format!("{}: {}", Text::Language.text(case.lang), Text::Chinese.text(case.lang));
    window.get_by_label(&language);
}

#[test]
fn language_theme_and_views_are_switched_by_hand() {
    let mut window = Case::default().window();
    let language = format!("{}: {}", Text::Language.text(Lang::En), Text::Chinese.text(Lang::En));
    window.get_by_label(&language).click();
    window.run_steps(3);
    window.get_by_role_and_label(egui::Role::Tab, Text::Training.text(Lang::ZhCn)).click();
    window.run_steps(3);
    let look = format!("{}: {}", Text::Theme.text(Lang::ZhCn), Text::Projector.text(Lang::ZhCn));
    window.get_by_label(&look).click();
    window.run_steps(3);
    let saved = *app(&window).saved();
    assert_eq!((saved.lang, saved.view, saved.look), (Lang::ZhCn, ViewId::Training, Look::Projector));
}

#[test]
fn keys_switch_views_and_zoom() {
    let mut window = Case::default().window();
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Num4);
    window.run_steps(3);
    assert_eq!(app(&window).saved().view, ViewId::Training);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Plus);
    window.run_steps(3);
    assert!(app(&window).saved().zoom > 1.0);
}

#[test]
fn a_file_that_is_no_recording_is_one_line() {
    let folder = Folder::new("broken");
    let path = folder.path().join("run.jsonl");
    std::fs::write(&path, "this is no recording\n").unwrap();
    let mut window = Case { open: Some(path), ..Case::default() }.window();
    wait_until(&mut window, "the error", |window| window.query_by_label(Text::Close.text(Lang::En)).is_some());
    assert!(app(&window).recording().lanes.is_empty());
    window.get_by_label(Text::Close.text(Lang::En)).click();
    window.run_steps(2);
    assert!(window.query_by_label(Text::Close.text(Lang::En)).is_none());
}
