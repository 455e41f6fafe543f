//! Text with raised exponents: `2^-24` in a string is drawn as 2 with a small raised −24.
//!
//! Fonts lack half of the superscript characters, and raised digits copy as something else. So strings say `2^-24`,
//! this file raises the exponent, and screen readers and the clipboard keep `2^-24`.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, FontId, Response, TextStyle, Ui, WidgetInfo, WidgetText};

/// How large an exponent is against its base.
const EXPONENT_SIZE: f32 = 0.72;

/// Lays out `text` with every `digits^exponent` raised.
#[must_use]
pub fn job(text: &str, font: &FontId, color: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    append(&mut job, text, font, color);
    job
}

/// The same, added to a job that has text already.
pub fn append(job: &mut LayoutJob, text: &str, font: &FontId, color: Color32) {
    let base = TextFormat { valign: Align::Center, ..TextFormat::simple(font.clone(), color) };
    let raised = TextFormat {
        valign: Align::TOP,
        ..TextFormat::simple(FontId::new(font.size * EXPONENT_SIZE, font.family.clone()), color)
    };
    let mut rest = text;
    while let Some(caret) = rest.find('^') {
        let (before, after) = (&rest[..caret], &rest[caret + 1..]);
        let sign = usize::from(after.starts_with('-'));
        let digits = after[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            job.append(&rest[..=caret], 0.0, base.clone());
            rest = after;
            continue;
        }
        job.append(before, 0.0, base.clone());
        job.append(&after[..sign + digits].replace('-', "−"), 1.0, raised.clone());
        rest = &after[sign + digits..];
    }
    job.append(rest, 0.0, base);
}

/// The same as something egui's widgets take.
#[must_use]
pub fn text(ui: &Ui, text: &str, style: &TextStyle, color: Color32) -> WidgetText {
    job(text, &style.resolve(ui.style()), color).into()
}

/// A label with raised exponents. A secondary click copies the text as it is typed, `2^-24`.
pub fn label(ui: &mut Ui, content: &str, style: &TextStyle, color: Color32) -> Response {
    let response = ui.add(egui::Label::new(text(ui, content, style, color)));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, content));
    // Text is no control: a sense of clicks would make it a stop of the Tab key.
    if response.hovered() && ui.input(|input| input.pointer.secondary_clicked()) {
        ui.ctx().copy_text(content.to_owned());
    }
    response
}

/// A power of two as text: `2^-24`, and `1` for 2^0.
#[must_use]
pub fn of_two(exponent: i32) -> String {
    match exponent {
        0 => "1".to_owned(),
        _ => format!("2^{exponent}"),
    }
}

/// Any positive scale: a power of two as such, another number as a decimal.
#[must_use]
pub fn of_scale(scale: f32) -> String {
    let exponent = scale.log2();
    if scale > 0.0 && exponent == exponent.round() && exponent.exp2() == scale {
        of_two(exponent as i32)
    } else {
        format!("{scale}")
    }
}
