//! SVG text, element by element: rectangles, lines, words that fit.

use std::fmt::Write;

use super::font::{Weight, width};
use super::text::runs;
use super::{Rgb, Role, Surface, Theme, ink, palette, surface};

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) const fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) const fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// Where a text's x is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How words look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) anchor: Anchor,
    pub(super) colour: Rgb,
    /// What they must not be wider than: they get smaller, then shorter.
    pub(super) room: f64,
}

/// The size of raised text, and how far it is raised, in units of the font size.
const RAISED_SIZE: f64 = 0.68;
const RAISED_BY: f64 = 0.36;
/// How much smaller words may get before they are cut.
const SMALLEST: f64 = 0.8;

/// The families in the order of preference: ours, then what viewers are likely to have.
const FAMILIES: &str = "'Halfscope Sans', 'Halfscope Sans SC', 'Halfscope Symbols', Inter, 'Noto Sans SC', \
                        'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', 'Helvetica Neue', Arial, sans-serif";

/// An SVG document in the making.
pub(super) struct Canvas {
    svg: String,
    pub(super) theme: Theme,
}

impl Canvas {
    /// A page of a size in pixels, with what a screen reader should say.
    pub(super) fn new(theme: Theme, size: (u32, u32), language: &str, title: &str, description: &str) -> Self {
        let (width, height) = size;
        let (title, description) = (escape(title), escape(description));
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" xml:lang=\"{language}\" role=\"img\" font-family=\"{FAMILIES}\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n"
        );
        let mut canvas = Self { svg, theme };
        let page = Rect { x: 0.0, y: 0.0, width: f64::from(width), height: f64::from(height) };
        // Print is white; the window's light page is a shade darker than its cards.
        let colour = canvas.surface(match theme {
            Theme::Light => Surface::Panel,
            Theme::Dark => Surface::Page,
        });
        canvas.rect(page, colour, 1.0, 0.0);
        canvas
    }

    /// The document.
    pub(super) fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }

    pub(super) const fn fill(&self, role: Role) -> Rgb {
        palette(self.theme, role)
    }

    pub(super) const fn ink(&self, role: Role) -> Rgb {
        ink(self.theme, role)
    }

    pub(super) const fn surface(&self, what: Surface) -> Rgb {
        surface(self.theme, what)
    }

    /// A filled rectangle; nothing if it has no area.
    pub(super) fn rect(&mut self, rect: Rect, colour: Rgb, opacity: f64, radius: f64) {
        if rect.width <= 0.0 || rect.height <= 0.0 {
            return;
        }
        let (x, y, width, height) = (number(rect.x), number(rect.y), number(rect.width), number(rect.height));
        let mut element =
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"", hex(colour));
        if opacity < 1.0 {
            self.put(&mut element, format_args!(" fill-opacity=\"{}\"", number(opacity)));
        }
        if radius > 0.0 {
            self.put(&mut element, format_args!(" rx=\"{}\"", number(radius)));
        }
        element.push_str("/>\n");
        self.svg.push_str(&element);
    }

    /// A line through points, not filled.
    pub(super) fn line(&mut self, points: &[(f64, f64)], colour: Rgb, thickness: f64, dashes: Option<(f64, f64)>) {
        let coordinates: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
        let (points, colour, thickness) = (coordinates.join(" "), hex(colour), number(thickness));
        let mut element = format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{thickness}\" \
             stroke-linejoin=\"round\""
        );
        if let Some((on, off)) = dashes {
            self.put(&mut element, format_args!(" stroke-dasharray=\"{} {}\"", number(on), number(off)));
        }
        element.push_str("/>\n");
        self.svg.push_str(&element);
    }

    /// A line of text on a baseline; `2^-24` is written with a raised exponent.
    pub(super) fn text(&mut self, x: f64, y: f64, text: &str, words: &Words) {
        self.place(text, words, &format!("x=\"{}\" y=\"{}\"", number(x), number(y)));
    }

    /// A line of text that reads upwards.
    pub(super) fn upward_text(&mut self, x: f64, y: f64, text: &str, words: &Words) {
        self.place(text, words, &format!("transform=\"translate({} {}) rotate(-90)\"", number(x), number(y)));
    }

    fn place(&mut self, text: &str, words: &Words, place: &str) {
        let (text, size) = fit(text, words);
        if text.is_empty() {
            return;
        }
        let mut element = format!("<text {place} font-size=\"{}\" fill=\"{}\"", number(size), hex(words.colour));
        if words.weight == Weight::SemiBold {
            element.push_str(" font-weight=\"600\"");
        }
        match words.anchor {
            Anchor::Start => {}
            Anchor::Middle => element.push_str(" text-anchor=\"middle\""),
            Anchor::End => element.push_str(" text-anchor=\"end\""),
        }
        element.push('>');
        let mut raised = false;
        for run in runs(&text) {
            let run_text = self.embolden(run.text, size, words);
            let by = number(size * RAISED_BY);
            if run.raised {
                let small = number(size * RAISED_SIZE);
                self.put(&mut element, format_args!("<tspan dy=\"-{by}\" font-size=\"{small}\">{run_text}</tspan>"));
            } else if raised {
                self.put(&mut element, format_args!("<tspan dy=\"{by}\">{run_text}</tspan>"));
            } else {
                element.push_str(&run_text);
            }
            raised = run.raised;
        }
        element.push_str("</text>\n");
        self.svg.push_str(&element);
    }

    /// Escaped text; the Chinese face has one weight, so its characters get an outline where the others are semi-bold.
    fn embolden(&self, text: &str, size: f64, words: &Words) -> String {
        if words.weight == Weight::Regular || !text.contains(is_han) {
            return escape(text);
        }
        let (colour, thickness) = (hex(words.colour), number(size * 0.03));
        let mut marked = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let han = is_han(first);
            let end = rest.find(|c| is_han(c) != han).unwrap_or(rest.len());
            let (part, next) = rest.split_at(end);
            let part = escape(part);
            if han {
                self.put(
                    &mut marked,
                    format_args!("<tspan stroke=\"{colour}\" stroke-width=\"{thickness}\">{part}</tspan>"),
                );
            } else {
                marked.push_str(&part);
            }
            rest = next;
        }
        marked
    }

    /// Text on several lines, broken between words (Chinese: anywhere); returns the baseline below the last.
    pub(super) fn paragraph(&mut self, x: f64, y: f64, text: &str, words: &Words, leading: f64) -> f64 {
        let mut baseline = y;
        for line in lines(text, words) {
            self.text(x, baseline, &line, words);
            baseline += leading;
        }
        baseline
    }

    #[expect(clippy::unused_self, reason = "reads like the other writers")]
    fn put(&self, element: &mut String, arguments: std::fmt::Arguments<'_>) {
        // Writing into a String cannot fail.
        let _ = element.write_fmt(arguments);
    }
}

/// The width of a text with raised exponents, in pixels.
pub(super) fn measure(text: &str, size: f64, weight: Weight) -> f64 {
    let em = |run: super::Run<'_>| width(run.text, weight) * if run.raised { RAISED_SIZE } else { 1.0 };
    runs(text).into_iter().map(em).sum::<f64>() * size
}

/// A title `name · the rest` that fits: when it is too long even in smaller type, only the name is cut.
pub(super) fn fit_name(title: &str, words: &Words) -> String {
    let size = words.size * SMALLEST;
    let Some((name, rest)) = title.split_once(" · ") else { return title.to_owned() };
    let rest = format!(" · {rest}");
    let room = words.room - measure(&rest, size, words.weight);
    if measure(name, size, words.weight) <= room || room < words.room * 0.2 {
        return title.to_owned();
    }
    format!("{}{rest}", cut(name, size, words.weight, room))
}

/// A text and a size that fit: smaller down to four fifths, then with its middle left out.
fn fit(text: &str, words: &Words) -> (String, f64) {
    let wide = measure(text, words.size, words.weight);
    if wide <= words.room {
        return (text.to_owned(), words.size);
    }
    let size = words.size * (words.room / wide).max(SMALLEST);
    if wide * size / words.size <= words.room * 1.000_001 {
        return (text.to_owned(), size);
    }
    (cut(text, size, words.weight, words.room), size)
}

/// A text that is too long, without its middle.
fn cut(text: &str, size: f64, weight: Weight, room: f64) -> String {
    let characters: Vec<char> = text.chars().collect();
    let keep = |kept: usize| -> String {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let rest = &characters[characters.len() - tail..];
        characters[..head].iter().chain(&['…']).chain(rest).collect()
    };
    let fits = |kept: usize| measure(&keep(kept), size, weight) <= room;
    // Width grows with what is kept: find the border by halving.
    let (mut low, mut high) = (0, characters.len());
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    if fits(low) { keep(low) } else { String::new() }
}

/// Breaks a text into lines that fit.
fn lines(text: &str, words: &Words) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for piece in pieces(text) {
        let longer = format!("{line}{piece}");
        if !line.is_empty() && measure(longer.trim_end(), words.size, words.weight) > words.room {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            piece.trim_start().clone_into(&mut line);
        } else {
            line = longer;
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// What a line may be broken between: after spaces, and around Chinese characters but not before their punctuation.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut previous = ' ';
    for character in text.chars() {
        let opens = previous == ' ' || is_han(previous) && !"，。：；）、".contains(character) || is_han(character);
        match pieces.last_mut() {
            Some(piece) if !(opens && character != ' ') => piece.push(character),
            _ => pieces.push(character.to_string()),
        }
        previous = character;
    }
    pieces
}

/// Whether a character is Chinese.
fn is_han(character: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&character)
}

/// A coordinate: two decimals at most, the same text on every machine.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn hex(colour: Rgb) -> String {
    let [red, green, blue] = colour;
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Text for XML: the five special characters written as entities, characters that XML forbids left out.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}
