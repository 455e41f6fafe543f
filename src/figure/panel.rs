//! The plot itself: bands, bars, ghost, axes, and the bar of the zeros. Shared by the single figure and the sheet.

use super::canvas::{Anchor, Canvas, Rect, Words, measure};
use super::font::Weight;
use super::{Figure, Role, Surface, Theme};

/// The width left of the plot for the zero bar and the y axis, in units.
const LEFT: f64 = 122.0;
/// The width of the zero bar, in units.
const ZERO_BAR: f64 = 40.0;
/// The part of a bin's width that its bar fills.
const BAR: f64 = 0.86;
/// Bars of something are never drawn as nothing, in units.
const LOWEST_BAR: f64 = 0.8;

/// Draws the plot into a rectangle: axis labels and band names are inside it. `unit` is the size of a unit in pixels.
pub(super) fn plot(canvas: &mut Canvas, figure: &Figure, rect: Rect, unit: f64) {
    let (top, bottom) = (26.0 * unit, 50.0 * unit);
    let area = Rect {
        x: rect.x + LEFT * unit,
        y: rect.y + top,
        width: (rect.width - LEFT * unit).max(1.0),
        height: (rect.height - top - bottom).max(1.0),
    };
    let plot = Plot { figure, area, unit };
    plot.bands(canvas);
    plot.y_axis(canvas, rect.x + (ZERO_BAR + 16.0) * unit);
    plot.zeros(canvas, rect.x);
    plot.ghost(canvas);
    plot.bars(canvas);
    plot.x_axis(canvas);
    plot.remarks(canvas);
}

struct Plot<'a> {
    figure: &'a Figure,
    area: Rect,
    unit: f64,
}

impl Plot<'_> {
    fn x(&self, exponent: f64) -> f64 {
        let (low, high) = self.figure.x.range;
        self.area.x + (exponent - low) / (high - low).max(f64::MIN_POSITIVE) * self.area.width
    }

    fn height(&self, share: f64) -> f64 {
        let (_, high) = self.figure.y.range;
        share / high.max(f64::MIN_POSITIVE) * self.area.height
    }

    fn words(&self, canvas: &Canvas, size: f64, anchor: Anchor, room: f64) -> Words {
        let colour = canvas.surface(Surface::Muted);
        Words { size: size * self.unit, weight: Weight::Regular, anchor, colour, room }
    }

    fn bands(&self, canvas: &mut Canvas) {
        let opacity = match canvas.theme {
            Theme::Dark => 0.15,
            Theme::Light => 0.17,
        };
        for band in &self.figure.bands {
            let (from, to) = (self.x(band.x.0), self.x(band.x.1));
            let rect = Rect { x: from, width: to - from, ..self.area };
            canvas.rect(rect, canvas.fill(band.role), opacity, 0.0);
            let room = to - from - 4.0 * self.unit;
            let size = 14.0 * self.unit;
            // A name that does not fit stays away: the legend has it.
            let wide = measure(&band.label, size, Weight::SemiBold);
            if wide * 0.8 <= room {
                let colour = canvas.ink(band.role);
                let words = Words { size, weight: Weight::SemiBold, anchor: Anchor::Middle, colour, room };
                canvas.text(f64::midpoint(from, to), self.area.y - 9.0 * self.unit, &band.label, &words);
            }
        }
    }

    fn y_axis(&self, canvas: &mut Canvas, label_x: f64) {
        let line = canvas.surface(Surface::Line);
        let words = self.words(canvas, 12.5, Anchor::End, 48.0 * self.unit);
        for tick in &self.figure.y.ticks {
            let y = self.area.bottom() - self.height(tick.at);
            if tick.at > 0.0 {
                let grid = [(self.area.x, y), (self.area.right(), y)];
                canvas.line(&grid, line, 0.6 * self.unit, Some((self.unit, 4.0 * self.unit)));
            }
            canvas.text(self.area.x - 8.0 * self.unit, y + 4.0 * self.unit, &tick.label, &words);
        }
        let words = self.words(canvas, 12.5, Anchor::Middle, self.area.height);
        canvas.upward_text(
            label_x + 6.0 * self.unit,
            self.area.y + self.area.height / 2.0,
            &self.figure.y.label,
            &words,
        );
    }

    fn x_axis(&self, canvas: &mut Canvas) {
        let line = canvas.surface(Surface::Line);
        let bottom = self.area.bottom();
        canvas.line(&[(self.area.x, bottom), (self.area.right(), bottom)], line, 1.5 * self.unit, None);
        let words = self.words(canvas, 13.0, Anchor::Middle, 60.0 * self.unit);
        for tick in &self.figure.x.ticks {
            let x = self.x(tick.at);
            canvas.line(&[(x, bottom), (x, bottom + 5.0 * self.unit)], line, 1.2 * self.unit, None);
            canvas.text(x, bottom + 22.0 * self.unit, &tick.label, &words);
        }
        let words = self.words(canvas, 12.5, Anchor::End, self.area.width);
        canvas.text(self.area.right(), bottom + 42.0 * self.unit, &self.figure.x.label, &words);
    }

    fn zeros(&self, canvas: &mut Canvas, left: f64) {
        let zeros = &self.figure.zeros;
        let width = ZERO_BAR * self.unit;
        let track = Rect { x: left, width, ..self.area };
        canvas.rect(track, canvas.surface(Surface::Raised), 1.0, 2.0 * self.unit);
        let mut top = self.area.bottom();
        for segment in &zeros.segments {
            let height = (segment.height * self.area.height).max(LOWEST_BAR * self.unit);
            top -= height;
            canvas.rect(Rect { x: left, y: top, width, height }, canvas.fill(segment.role), 1.0, 0.0);
        }
        let middle = left + width / 2.0;
        let colour = canvas.ink(Role::Zero);
        let value =
            Words { weight: Weight::SemiBold, colour, ..self.words(canvas, 13.0, Anchor::Middle, 64.0 * self.unit) };
        canvas.text(middle, self.area.y - 9.0 * self.unit, &zeros.value, &value);
        let label = self.words(canvas, 13.0, Anchor::Middle, width);
        canvas.text(middle, self.area.bottom() + 22.0 * self.unit, &zeros.label, &label);
    }

    fn bars(&self, canvas: &mut Canvas) {
        let bin = self.x(1.0) - self.x(0.0);
        for bar in &self.figure.bars {
            let x = self.x(f64::from(bar.exponent)) + bin * (1.0 - BAR) / 2.0;
            let mut top = self.area.bottom();
            for segment in &bar.segments {
                let height = self.height(segment.height).max(LOWEST_BAR * self.unit);
                top -= height;
                canvas.rect(Rect { x, y: top, width: bin * BAR, height }, canvas.fill(segment.role), 1.0, 0.0);
            }
        }
    }

    /// The outline of the bars at S = 1, behind the bars.
    fn ghost(&self, canvas: &mut Canvas) {
        let Some(peak) = self.figure.ghost.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a }) else { return };
        let colour = canvas.fill(Role::Ghost);
        let dashes = Some((4.0 * self.unit, 3.0 * self.unit));
        let bottom = self.area.bottom();
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut last = None;
        for (exponent, share) in &self.figure.ghost {
            let (from, to) = (self.x(f64::from(*exponent)), self.x(f64::from(*exponent + 1)));
            let y = bottom - self.height(*share);
            if last.is_some_and(|last| last != exponent - 1) {
                let end = points.last().map_or(from, |point| point.0);
                points.extend([(end, bottom), (from, bottom)]);
            } else if last.is_none() {
                points.push((from, bottom));
            }
            points.extend([(from, y), (to, y)]);
            last = Some(*exponent);
        }
        if let Some((x, _)) = points.last().copied() {
            points.push((x, bottom));
        }
        canvas.line(&points, colour, 1.4 * self.unit, dashes);
        let colour = canvas.ink(Role::Ghost);
        let words = Words { colour, ..self.words(canvas, 12.5, Anchor::Middle, 60.0 * self.unit) };
        let x = self.x(f64::from(peak.0) + 0.5);
        canvas.text(x, bottom - self.height(peak.1) - 5.0 * self.unit, "S = 1", &words);
    }

    /// What is beyond the axis, and why there are no bars.
    fn remarks(&self, canvas: &mut Canvas) {
        let room = self.area.width / 2.0 - 12.0 * self.unit;
        let y = self.area.y + 18.0 * self.unit;
        let colour = canvas.surface(Surface::Text);
        let left = Words { colour, ..self.words(canvas, 13.0, Anchor::Start, room) };
        if !self.figure.left.is_empty() {
            canvas.text(self.area.x + 8.0 * self.unit, y, &format!("← {}", self.figure.left), &left);
        }
        if !self.figure.right.is_empty() {
            let words = Words { anchor: Anchor::End, ..left };
            canvas.text(self.area.right() - 8.0 * self.unit, y, &format!("{} →", self.figure.right), &words);
        }
        if !self.figure.empty.is_empty() {
            let words = Words { room: self.area.width * 0.8, ..self.words(canvas, 17.0, Anchor::Middle, 0.0) };
            let words = Words { colour, ..words };
            let middle = self.area.x + self.area.width / 2.0;
            let y = self.area.y + self.area.height / 2.0;
            canvas.paragraph(middle, y, &self.figure.empty, &words, 24.0 * self.unit);
        }
    }
}

/// The legend in a row: swatch, name, share, count.
pub(super) fn legend(canvas: &mut Canvas, figure: &Figure, rect: Rect, unit: f64) {
    let column = rect.width / figure.legend.len().max(1) as f64;
    for (at, entry) in figure.legend.iter().enumerate() {
        let x = rect.x + column * at as f64;
        let swatch = Rect { x, y: rect.y, width: 13.0 * unit, height: 13.0 * unit };
        canvas.rect(swatch, canvas.fill(entry.role), 1.0, 3.0 * unit);
        let room = column - 30.0 * unit;
        let muted = canvas.surface(Surface::Muted);
        let name = Words { size: 14.5 * unit, weight: Weight::Regular, anchor: Anchor::Start, colour: muted, room };
        canvas.text(x + 20.0 * unit, rect.y + 11.5 * unit, &entry.label, &name);
        let colour = canvas.surface(Surface::Text);
        let value = Words { size: 21.0 * unit, weight: Weight::SemiBold, colour, ..name };
        canvas.text(x + 20.0 * unit, rect.y + 38.0 * unit, &entry.value, &value);
        let taken = measure(&entry.value, 21.0 * unit, Weight::SemiBold) + 8.0 * unit;
        let count = Words { size: 13.0 * unit, room: room - taken, ..name };
        if count.room > measure(&entry.count, count.size, count.weight) * 0.8 {
            canvas.text(x + 20.0 * unit + taken, rect.y + 38.0 * unit, &entry.count, &count);
        }
    }
}
