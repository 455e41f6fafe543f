//! The numbers behind a picture, one bin a line.

use std::fmt::Write;

use super::GradientPicture;
use crate::histogram::{ClassCounts, Rule, Source, Stage};

const COLUMNS: &str = "tensor,loss_scale,row,exponent,count,zero,lost,rounds_up,subnormal,normal,overflow";

/// Writes a picture's numbers as CSV: `#` lines saying what they are, a line of column names, a line per binary exponent
/// (of |x|·S) that occurs, then lines for the zeros, NaN and the infinities. The six class columns of a line add up to
/// its count, but for NaN and infinities, which have none. English whatever the picture's language.
#[must_use]
pub fn csv(picture: &GradientPicture<'_>) -> String {
    let mut text = String::from("# halfscope exponent histogram\n");
    describe(&mut text, picture);
    text.push_str(COLUMNS);
    text.push('\n');
    lines(&mut text, picture);
    text
}

/// Writes the numbers of a [`super::sheet`] as one table.
#[must_use]
pub fn sheet_csv(title: &str, subtitle: &str, rows: &[Vec<GradientPicture<'_>>]) -> String {
    let mut text = String::from("# halfscope exponent histograms\n");
    comment(&mut text, "title", title);
    comment(&mut text, "subtitle", subtitle);
    for picture in rows.iter().flatten() {
        describe(&mut text, picture);
    }
    text.push_str(COLUMNS);
    text.push('\n');
    for picture in rows.iter().flatten() {
        lines(&mut text, picture);
    }
    text
}

fn describe(text: &mut String, picture: &GradientPicture<'_>) {
    let source = match picture.source {
        Source::Run => "run",
        Source::Twin => "twin",
        Source::File => "file",
    };
    let stage = match picture.stage {
        Stage::BeforeCast => "before-cast",
        Stage::AfterCast => "after-cast",
    };
    let rule = match picture.rule {
        Rule::Ieee => "ieee",
        Rule::Paper => "paper",
    };
    let step = picture.step.map_or_else(|| "all".to_owned(), |step| step.to_string());
    let mut note = format!(
        "{}; loss scale {}; target {}; rule {rule}; source {source}; stage {stage}; step {step}; taken at S = {}",
        picture.tensor,
        loss_scale(picture),
        picture.target.name(),
        picture.taken_at
    );
    for (name, value) in [("lane", picture.lane), ("data", picture.dataset)] {
        if !value.is_empty() {
            put(&mut note, format_args!("; {name} {value}"));
        }
    }
    if let Some(upstream) = picture.lost_upstream {
        put(&mut note, format_args!("; zeros lost upstream {upstream}"));
    }
    comment(text, "picture", &note);
}

/// The loss scale the lines are at: a power of two, unless the values carry another.
fn loss_scale(picture: &GradientPicture<'_>) -> String {
    picture.shown_scale().map_or_else(|| format!("2^{}", picture.scale_exponent), |scale| scale.to_string())
}

fn lines(text: &mut String, picture: &GradientPicture<'_>) {
    let start = format!("{},{}", field(picture.tensor), loss_scale(picture));
    for bin in picture.histogram.bins(picture.target, picture.shift(), picture.rule) {
        let ClassCounts { lost, rounds_up, subnormal, normal, overflow, .. } = bin.classes;
        let (exponent, count) = (bin.exponent, bin.classes.nonzero());
        let classes = format_args!("0,{lost},{rounds_up},{subnormal},{normal},{overflow}");
        put(text, format_args!("{start},bin,{exponent},{count},{classes}\n"));
    }
    let histogram = picture.histogram;
    let zeros = histogram.zeros();
    put(text, format_args!("{start},zero,,{zeros},{zeros},0,0,0,0,0\n"));
    for (row, count) in [("nan", histogram.nan()), ("+inf", histogram.pos_inf()), ("-inf", histogram.neg_inf())] {
        put(text, format_args!("{start},{row},,{count},0,0,0,0,0,0\n"));
    }
}

fn comment(text: &mut String, name: &str, value: &str) {
    let one_line: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if !one_line.is_empty() {
        put(text, format_args!("# {name}: {one_line}\n"));
    }
}

/// A field by RFC 4180: quoted where it has to be.
fn field(value: &str) -> String {
    let one_line: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if one_line.contains([',', '"']) { format!("\"{}\"", one_line.replace('"', "\"\"")) } else { one_line }
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing into a String cannot fail.
    let _ = text.write_fmt(arguments);
}
