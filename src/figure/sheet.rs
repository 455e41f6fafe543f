//! Several pictures on one page: rows of tensors, columns of scales, say.

use super::canvas::{Anchor, Canvas, Rect, Words, fit_name, measure};
use super::font::Weight;
use super::panel::plot;
use super::svg::{MARGIN, headline_colour};
use super::{Figure, GradientPicture, Style, Surface};

/// The width of a column the layout is drawn for.
const COLUMN: f64 = 620.0;

/// Writes a grid of pictures as SVG, each with its tensor, scale and lost share, under a common title and legend.
#[must_use]
pub fn sheet(title: &str, subtitle: &str, rows: &[Vec<GradientPicture<'_>>], style: &Style) -> String {
    let figures: Vec<Vec<Figure>> = rows.iter().map(|row| row.iter().map(GradientPicture::figure).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let (width, height) = (f64::from(style.width), f64::from(style.height));
    let row_count = rows.len().max(1) as f64;
    let unit = (width / (80.0 + COLUMN * columns as f64)).min(height / (250.0 + 290.0 * row_count));
    let margin = MARGIN * unit;
    let first = figures.iter().flatten().next();
    let language = first.map_or("en", |figure| figure.lang.tag());
    let mut canvas = Canvas::new(style.theme, (style.width, style.height), language, title, subtitle);

    let inner = width - 2.0 * margin;
    let large = Words {
        size: 26.0 * unit,
        weight: Weight::SemiBold,
        anchor: Anchor::Start,
        colour: canvas.surface(Surface::Text),
        room: inner,
    };
    canvas.text(margin, 64.0 * unit, title, &large);
    let muted = canvas.surface(Surface::Muted);
    let small = Words { size: 15.5 * unit, weight: Weight::Regular, colour: muted, ..large };
    canvas.text(margin, 93.0 * unit, subtitle, &small);

    let (top, bottom) = (118.0 * unit, 100.0 * unit);
    let gap = 36.0 * unit;
    let cell_width = (inner - gap * (columns - 1) as f64) / columns as f64;
    let cell_height = (height - top - bottom) / row_count;
    for (row, figures) in figures.iter().enumerate() {
        for (column, figure) in figures.iter().enumerate() {
            let cell = Rect {
                x: margin + (cell_width + gap) * column as f64,
                y: top + cell_height * row as f64,
                width: cell_width,
                height: cell_height - 14.0 * unit,
            };
            panel(&mut canvas, figure, rows[row][column].tensor, cell, unit);
        }
    }
    if let Some(figure) = first {
        legend(&mut canvas, figure, margin, height - 66.0 * unit, unit);
        let note = Words { size: 13.0 * unit, ..small };
        canvas.text(margin, height - 30.0 * unit, &captions(&figures), &note);
    }
    canvas.finish()
}

/// The captions of all figures, each once.
fn captions(figures: &[Vec<Figure>]) -> String {
    let mut captions: Vec<&str> = Vec::new();
    for figure in figures.iter().flatten() {
        if !captions.contains(&figure.caption.as_str()) {
            captions.push(&figure.caption);
        }
    }
    captions.join("  |  ")
}

fn panel(canvas: &mut Canvas, figure: &Figure, tensor: &str, cell: Rect, unit: f64) {
    let y = cell.y + 24.0 * unit;
    let value = Words {
        size: 25.0 * unit,
        weight: Weight::SemiBold,
        anchor: Anchor::End,
        colour: headline_colour(canvas, figure),
        room: cell.width / 3.0,
    };
    canvas.text(cell.right(), y, &figure.headline.value, &value);
    let taken = measure(&figure.headline.value, value.size, value.weight) + 12.0 * unit;
    let lost = figure.headline.label.as_str();
    let name = Words { size: 13.0 * unit, weight: Weight::Regular, ..value };
    canvas.text(cell.right() - taken, y, lost, &name);
    let scale = figure.scale.split(" · ").next().unwrap_or_default();
    let title = Words {
        size: 16.5 * unit,
        anchor: Anchor::Start,
        colour: canvas.surface(Surface::Text),
        room: cell.width - taken - measure(lost, name.size, name.weight) - 24.0 * unit,
        ..value
    };
    canvas.text(cell.x, y, &fit_name(&format!("{tensor} · {scale}"), &title), &title);
    let top = 34.0 * unit;
    plot(canvas, figure, Rect { y: cell.y + top, height: cell.height - top, ..cell }, unit * 0.86);
}

/// The names of the classes in a row.
fn legend(canvas: &mut Canvas, figure: &Figure, left: f64, y: f64, unit: f64) {
    let mut x = left;
    let words = Words {
        size: 14.0 * unit,
        weight: Weight::Regular,
        anchor: Anchor::Start,
        colour: canvas.surface(Surface::Text),
        room: f64::INFINITY,
    };
    for entry in &figure.legend {
        let swatch = Rect { x, y: y - 11.5 * unit, width: 13.0 * unit, height: 13.0 * unit };
        canvas.rect(swatch, canvas.fill(entry.role), 1.0, 3.0 * unit);
        canvas.text(x + 20.0 * unit, y, &entry.label, &words);
        x += 20.0 * unit + measure(&entry.label, words.size, words.weight) + 30.0 * unit;
    }
}
