//! A figure as SVG, for a slide or a paper.

use super::canvas::{Anchor, Canvas, Rect, Words, fit_name, measure};
use super::font::Weight;
use super::panel::{legend, plot};
use super::{Figure, Headline, Role, Style, Surface};

/// The size the layout is drawn for; other sizes scale it.
const DESIGN: (f64, f64) = (1280.0, 720.0);
/// Space around everything, in units.
pub(super) const MARGIN: f64 = 44.0;

/// Pixels of a unit of the layout on a page of this style.
fn unit(style: &Style) -> f64 {
    (f64::from(style.width) / DESIGN.0).min(f64::from(style.height) / DESIGN.1)
}

/// Writes a figure as SVG. The same figure and style give the same bytes; text stays text.
#[must_use]
pub fn svg(figure: &Figure, style: &Style) -> String {
    let unit = unit(style);
    let (width, height) = (f64::from(style.width), f64::from(style.height));
    let description = format!("{} {} {}", figure.headline.value, figure.headline.sentence, figure.subtitle);
    let mut canvas =
        Canvas::new(style.theme, (style.width, style.height), figure.lang.tag(), &figure.title, &description);
    let margin = MARGIN * unit;
    let inner = width - 2.0 * margin;

    let headline_width = headline(&mut canvas, figure, width - margin, 92.0 * unit, (inner * 0.5, unit));
    let muted = canvas.surface(Surface::Muted);
    let room = inner - headline_width - 28.0 * unit;
    let title = Words {
        size: 25.0 * unit,
        weight: Weight::SemiBold,
        anchor: Anchor::Start,
        colour: canvas.surface(Surface::Text),
        room,
    };
    canvas.text(margin, 66.0 * unit, &fit_name(&figure.title, &title), &title);
    let subtitle = Words { size: 15.5 * unit, weight: Weight::Regular, colour: muted, ..title };
    canvas.text(margin, 96.0 * unit, &figure.subtitle, &subtitle);

    let advice_room = inner - measure(&figure.scale, 14.0 * unit, Weight::SemiBold) - 24.0 * unit;
    let advice_wide = figure.advice.as_ref().map_or(0.0, |remark| measure(&remark.text, 14.0 * unit, Weight::SemiBold));
    // A long sentence gets a line of its own, below the scale.
    let extra = if advice_wide > advice_room { 22.0 * unit } else { 0.0 };
    let legend_top = height - 152.0 * unit - extra;
    let plot_top = 140.0 * unit;
    let area = Rect { x: margin, y: plot_top, width: inner, height: legend_top - 22.0 * unit - plot_top };
    plot(&mut canvas, figure, area, unit);
    legend(&mut canvas, figure, Rect { x: margin, y: legend_top, width: inner, height: 40.0 * unit }, unit);

    let scale = Words { size: 14.0 * unit, weight: Weight::SemiBold, room: inner, ..title };
    canvas.text(margin, height - 76.0 * unit - extra, &figure.scale, &scale);
    if let Some(remark) = &figure.advice {
        let advice = Words { colour: canvas.ink(remark.role), ..scale };
        if extra > 0.0 {
            canvas.text(margin, height - 76.0 * unit, &remark.text, &advice);
        } else {
            let advice = Words { anchor: Anchor::End, room: advice_room, ..advice };
            canvas.text(width - margin, height - 76.0 * unit, &remark.text, &advice);
        }
    }
    let small = Words { size: 13.0 * unit, room: inner, ..subtitle };
    canvas.text(margin, height - 53.0 * unit, &figure.notes.join(" "), &small);
    canvas.text(margin, height - 31.0 * unit, &figure.caption, &small);
    canvas.finish()
}

/// The lost share in large type, right-aligned, with its sentence below; returns how wide it is.
fn headline(canvas: &mut Canvas, figure: &Figure, right: f64, y: f64, (room, unit): (f64, f64)) -> f64 {
    let Headline { value, sentence, share, .. } = &figure.headline;
    if share.is_none() {
        return 0.0;
    }
    let large = Words {
        size: 56.0 * unit,
        weight: Weight::SemiBold,
        anchor: Anchor::End,
        colour: headline_colour(canvas, figure),
        room,
    };
    canvas.text(right, y, value, &large);
    let small = Words { size: 14.5 * unit, weight: Weight::Regular, colour: canvas.surface(Surface::Text), ..large };
    canvas.text(right, y + 27.0 * unit, sentence, &small);
    measure(value, large.size, large.weight).max(measure(sentence, small.size, small.weight).min(room))
}

/// What is lost is in the colour of what is lost; nothing lost is good news.
pub(super) fn headline_colour(canvas: &Canvas, figure: &Figure) -> super::Rgb {
    match figure.headline.share {
        Some(share) if share > 0.0 => canvas.ink(Role::Lost),
        Some(_) => canvas.ink(Role::Advised),
        None => canvas.surface(Surface::Muted),
    }
}
