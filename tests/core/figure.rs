//! Figures: what they say, and that the files hold it.

use halfscope::figure::{
    FACES, GradientPicture, Role, Style, Surface, TensorKind, Theme, csv, ink, palette, png, runs, sheet, sheet_csv,
    sheet_png, surface, svg,
};
use halfscope::histogram::{Advice, ExponentHistogram, Rule, Source, Stage, Target};
use halfscope::i18n::Lang;
use halfscope::i18n::figure::Figure as Word;
use resvg::usvg::roxmltree::{Document, Node};

const LONG: &str = "transformer.encoder.layers.11.self_attention.output_projection.lora_adapter.default.weight.grad";

fn gradients() -> ExponentHistogram {
    let values: Vec<f32> = (0..5000_u32)
        .map(|i| if i % 9 == 0 { 0.0 } else { f32::from_bits((88 << 23) + i.wrapping_mul(2_654_435_761) % (40 << 23)) })
        .collect();
    ExponentHistogram::of_f32(&values)
}

/// Histograms of every kind of trouble.
fn cases() -> Vec<ExponentHistogram> {
    let values: [&[f32]; 6] = [
        &[],
        &[0.0; 7],
        &[f32::NAN, f32::INFINITY],
        &[1e-7],
        &[f32::MAX, 1e-45, 1.0, 0.0],
        &[f32::INFINITY, 1e-9, 2.0],
    ];
    let mut cases: Vec<_> = values.iter().map(|values| ExponentHistogram::of_f32(values)).collect();
    cases.push(ExponentHistogram::of_f64(&[1e-300, 1e300]));
    cases.push(gradients());
    cases
}

fn advices() -> [Advice; 3] {
    let empty =
        Advice::Empty { low: 20, low_tensor: LONG.to_owned(), high: 12, high_tensor: "head.out.grad".to_owned() };
    [Advice::NoData, Advice::Band { low: 11, high: 17 }, empty]
}

/// Calls with pictures of every case, language, target, rule, source, stage and odd scale, many times over.
fn every_picture(mut call: impl FnMut(&GradientPicture<'_>)) {
    let (cases, advices) = (cases(), advices());
    let mut at = 0;
    for histogram in &cases {
        for lang in Lang::ALL {
            for target in Target::ALL {
                for (taken_at, scale_exponent) in
                    [(1.0, 0), (1024.0, 10), (1000.0, 12), (0.0, 3), (f32::NAN, -9), (1.0, 40)]
                {
                    at += 1;
                    let mut picture = GradientPicture::new(
                        histogram,
                        ["fc1.weight.grad", LONG, "<a&b>\"'\n\u{1}", ""][at % 4],
                        target,
                    );
                    (picture.lang, picture.taken_at, picture.scale_exponent) = (lang, taken_at, scale_exponent);
                    picture.rule = [Rule::Ieee, Rule::Paper][at % 2];
                    picture.source = [Source::Run, Source::Twin, Source::File][at % 3];
                    picture.stage = [Stage::BeforeCast, Stage::AfterCast][at / 2 % 2];
                    picture.kind = [
                        TensorKind::WeightGradient,
                        TensorKind::ActivationGradient,
                        TensorKind::Weight,
                        TensorKind::Activation,
                        TensorKind::Update,
                        TensorKind::Tensor,
                    ][at % 6];
                    picture.lost_upstream = [None, Some(2), Some(u64::MAX)][at % 3];
                    picture.advice = (at % 4 > 0).then(|| &advices[at % 3]);
                    picture.step = [None, Some(214)][at / 3 % 2];
                    picture.lane = ["", "paper · S=1"][at / 5 % 2];
                    picture.dataset = ["", "Fashion-MNIST, embedded subset (6000 + 1000)"][at / 7 % 2];
                    call(&picture);
                }
            }
        }
    }
    assert!(at > 300);
}

#[test]
fn raised_exponents() {
    let split = |text| runs(text).into_iter().map(|run| (run.text, run.raised)).collect::<Vec<_>>();
    assert_eq!(split("S = 2^-24."), [("S = 2", false), ("-24", true), (".", false)]);
    assert_eq!(split("2^1 … 2^17"), [("2", false), ("1", true), (" … 2", false), ("17", true)]);
    assert_eq!(split("a^2 ^ 2^x 5^"), [("a^2 ^ 2^x 5^", false)]);
    assert_eq!(split(""), []);
}

#[test]
fn a_figure_says_what_the_histogram_says() {
    let histogram = gradients();
    let mut picture = GradientPicture::new(&histogram, "fc1.weight.grad", Target::Fp16);
    picture.kind = TensorKind::WeightGradient;
    let unscaled = picture.figure();
    let classes = histogram.classes(Target::Fp16, 0, Rule::Ieee);
    assert_eq!(unscaled.headline.share, classes.lost_of_nonzero());
    assert_eq!(unscaled.title, "fc1.weight.grad · weight gradient · before the cast to FP16");
    assert!(unscaled.ghost.is_empty(), "no ghost of S = 1 at S = 1");
    for figure in [unscaled.clone(), {
        picture.scale_exponent = 12;
        picture.figure()
    }] {
        let on_axis: u64 = figure.bars.iter().map(halfscope::figure::Bar::count).sum();
        assert_eq!(on_axis, histogram.nonzero_finite(), "the default axis holds all of these");
        assert!((figure.bars.iter().map(halfscope::figure::Bar::height).sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(figure.zeros.segments.iter().map(|segment| segment.count).sum::<u64>(), histogram.zeros());
        assert_eq!(
            (figure.x.clone(), figure.y.clone()),
            (unscaled.x.clone(), unscaled.y.clone()),
            "the axes are pinned"
        );
        assert_eq!(figure.bands, unscaled.bands);
    }
    let ghost: Vec<_> = unscaled.bars.iter().map(|bar| (bar.exponent, bar.height())).collect();
    for ((at, height), (expected_at, expected)) in picture.figure().ghost.into_iter().zip(ghost) {
        assert!(at == expected_at && (height - expected).abs() < 1e-12);
    }
}

#[test]
fn scaled_values_show_the_same_as_unscaled_ones() {
    let values: Vec<f32> = (1..900_u16).map(|i| f32::from(i) * 1e-8).collect();
    let plain = ExponentHistogram::of_f32(&values);
    let carried = ExponentHistogram::of_f32(&values.iter().map(|x| x * 1024.0).collect::<Vec<_>>());
    let plain = GradientPicture::new(&plain, "g", Target::Fp16);
    let mut carried = GradientPicture::new(&carried, "g", Target::Fp16);
    carried.taken_at = 1024.0;
    for k in [-3, 0, 10, 24] {
        let at = |picture: &GradientPicture<'_>| GradientPicture { scale_exponent: k, ..picture.clone() }.figure();
        let (a, b) = (at(&plain), at(&carried));
        assert_eq!((a.bars, a.ghost, a.headline, a.legend), (b.bars, b.ghost, b.headline, b.legend));
    }
    carried.taken_at = 1000.0;
    let odd = carried.figure();
    assert!(odd.notes[0].contains("1000") && odd.scale.starts_with("S = 1.953125"), "{odd:?}");
}

#[test]
fn values_beyond_the_axis_are_named() {
    let histogram = ExponentHistogram::of_f32(&[1e-30, 1e-30, 1.0, 1e30]);
    let figure = GradientPicture::new(&histogram, "g", Target::Fp16).figure();
    assert_eq!((figure.left.as_str(), figure.right.as_str()), ("50 % below 2^-44", "25 % from 2^20 on"));
    assert_eq!(figure.bars.len(), 1);
}

#[test]
fn nothing_to_draw_is_said() {
    let said =
        |values: &[f32]| GradientPicture::new(&ExponentHistogram::of_f32(values), "g", Target::Fp16).figure().empty;
    assert_eq!(said(&[]), "No values were counted.");
    assert!(said(&[0.0; 7]).starts_with("All 7 values are exactly zero"));
    assert!(said(&[f32::NAN, 0.0, f32::INFINITY]).contains("1 NaN, 1 Inf"));
    assert_eq!(said(&[1.0]), "");
}

/// All words of a document with the attributes that place them.
fn texts<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name("text")).collect()
}

#[test]
fn svg_is_well_formed_and_the_same_twice() {
    every_picture(|picture| {
        let figure = picture.figure();
        for theme in [Theme::Light, Theme::Dark] {
            let style = Style { theme, ..Style::default() };
            let text = svg(&figure, &style);
            assert_eq!(text, svg(&picture.figure(), &style));
            let document = Document::parse(&text).unwrap();
            assert!(texts(&document).len() > 10);
            for attribute in document.descendants().flat_map(|node| node.attributes()) {
                let numbers = ["x", "y", "dx", "dy", "width", "height", "points", "font-size", "transform"];
                let odd = attribute.value().contains("NaN") || attribute.value().contains("inf");
                assert!(!(numbers.contains(&attribute.name()) && odd), "{attribute:?}");
            }
        }
    });
}

#[test]
fn titles_are_escaped_not_interpreted() {
    let histogram = gradients();
    let picture = GradientPicture::new(&histogram, "<script>&\"'", Target::Fp16);
    let text = svg(&picture.figure(), &Style::default());
    let document = Document::parse(&text).unwrap();
    assert!(!document.descendants().any(|node| node.has_tag_name("script")));
    assert!(texts(&document).iter().any(|node| node.text().is_some_and(|text| text.starts_with("<script>&\"'"))));
}

/// Draws a document and asks the renderer where each text ended up.
fn rendered(svg: &str) -> resvg::usvg::Tree {
    let mut options = resvg::usvg::Options::default();
    for face in &FACES {
        options.fontdb_mut().load_font_data(face.bytes.to_vec());
    }
    FACES[0].family.clone_into(&mut options.font_family);
    resvg::usvg::Tree::from_str(svg, &options).unwrap()
}

fn text_boxes(group: &resvg::usvg::Group, boxes: &mut Vec<(String, resvg::usvg::Rect)>) {
    for node in group.children() {
        match node {
            resvg::usvg::Node::Group(group) => text_boxes(group, boxes),
            resvg::usvg::Node::Text(text) => {
                let words = text.chunks().iter().map(resvg::usvg::TextChunk::text).collect::<String>();
                // Where there is ink, not the line box.
                boxes.push((words, text.flattened().abs_bounding_box()));
            }
            _ => {}
        }
    }
}

#[test]
fn words_stay_on_the_page_and_off_each_other() {
    let (histogram, advices) = (gradients(), advices());
    for lang in Lang::ALL {
        for tensor in ["fc1.weight.grad", LONG, &LONG.repeat(4)] {
            for (width, height) in [(1280, 720), (1920, 1080), (800, 600), (640, 480), (2000, 500)] {
                let mut picture = GradientPicture::new(&histogram, tensor, Target::Fp16);
                (picture.lang, picture.kind, picture.advice) =
                    (lang, TensorKind::ActivationGradient, Some(&advices[2]));
                (picture.scale_exponent, picture.lane, picture.dataset) = (12, LONG, LONG);
                let style = Style { theme: Theme::Light, width, height };
                let tree = rendered(&svg(&picture.figure(), &style));
                let mut boxes = Vec::new();
                text_boxes(tree.root(), &mut boxes);
                assert!(boxes.len() > 15);
                for (at, (words, area)) in boxes.iter().enumerate() {
                    let inside = area.left() >= 0.0
                        && area.right() <= width as f32
                        && area.top() >= 0.0
                        && area.bottom() <= height as f32;
                    assert!(inside, "{words:?} leaves the {width}x{height} page: {area:?}");
                    for (other, other_area) in &boxes[at + 1..] {
                        let apart = area.right() <= other_area.left()
                            || other_area.right() <= area.left()
                            || area.bottom() <= other_area.top()
                            || other_area.bottom() <= area.top();
                        assert!(apart, "{words:?} and {other:?} overlap at {width}x{height}: {area:?} {other_area:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn png_decodes_and_is_not_blank() {
    let histogram = gradients();
    let picture = GradientPicture::new(&histogram, "fc1.weight.grad", Target::Fp16);
    for theme in [Theme::Light, Theme::Dark] {
        let style = Style { theme, width: 640, height: 360 };
        let bytes = png(&picture.figure(), &style).unwrap();
        assert_eq!(bytes, png(&picture.figure(), &style).unwrap());
        let image = resvg::tiny_skia::Pixmap::decode_png(&bytes).unwrap();
        assert_eq!((image.width(), image.height()), (640, 360));
        for role in [Role::Lost, Role::Subnormal, Role::Normal, Role::Zero] {
            let [red, green, blue] = palette(theme, role);
            let same = |pixel: &&resvg::tiny_skia::PremultipliedColorU8| {
                (pixel.red(), pixel.green(), pixel.blue()) == (red, green, blue)
            };
            assert!(image.pixels().iter().filter(same).count() > 50, "no area in the colour of {role:?}");
        }
    }
    for (width, height) in [(0, 10), (10, 0), (100_000, 10)] {
        let error = png(&picture.figure(), &Style { theme: Theme::Light, width, height }).unwrap_err();
        assert!(error.contains("1 to 8192") && !error.contains('\n'));
    }
    assert!(png(&picture.figure(), &Style { theme: Theme::Light, width: 1, height: 1 }).is_ok());
}

#[test]
fn csv_holds_every_bin_and_adds_up() {
    every_picture(|picture| {
        let text = csv(picture);
        assert_eq!(text, csv(picture));
        let mut lines = text.lines().skip_while(|line| line.starts_with('#'));
        assert_eq!(
            lines.next(),
            Some("tensor,loss_scale,row,exponent,count,zero,lost,rounds_up,subnormal,normal,overflow")
        );
        let mut sums = [0_u64; 7];
        for line in lines {
            let fields: Vec<&str> = line.rsplitn(10, ',').collect();
            let row = fields[8];
            for (sum, field) in sums.iter_mut().zip(fields[..7].iter().rev()) {
                *sum += field.parse::<u64>().unwrap();
            }
            if row == "bin" || row == "zero" {
                let classes: u64 = fields[..6].iter().map(|field| field.parse::<u64>().unwrap()).sum();
                assert_eq!(classes.to_string(), fields[6], "{line}");
            }
        }
        let classes = picture.classes();
        let expected = [
            picture.histogram.total(),
            classes.zero,
            classes.lost,
            classes.rounds_up,
            classes.subnormal,
            classes.normal,
            classes.overflow,
        ];
        assert_eq!(sums, expected);
    });
}

#[test]
fn a_sheet_holds_all_its_pictures() {
    let histogram = gradients();
    let row = |tensor| -> Vec<GradientPicture<'_>> {
        let at = |k| GradientPicture { scale_exponent: k, ..GradientPicture::new(&histogram, tensor, Target::Fp16) };
        vec![at(0), at(14)]
    };
    let rows = [row("fc1.weight.grad"), row(LONG)];
    let style = Style::for_sheet(Theme::Dark, 2, 2);
    let text = sheet("A title with 2^-24", "and a < subtitle", &rows, &style);
    assert_eq!(text, sheet("A title with 2^-24", "and a < subtitle", &rows, &style));
    let tree = rendered(&text);
    let mut boxes = Vec::new();
    text_boxes(tree.root(), &mut boxes);
    for (words, area) in &boxes {
        assert!(
            area.left() >= 0.0 && area.right() <= style.width as f32 && area.bottom() <= style.height as f32,
            "{words}"
        );
    }
    let titles = boxes.iter().filter(|(words, _)| {
        words.starts_with("fc1.weight.grad · S = 2") || words.starts_with("fc1.weight.grad · S = 1")
    });
    assert_eq!(titles.count(), 2);
    assert!(sheet_png("t", "s", &rows, &style).unwrap().len() > 10_000);
    let table = sheet_csv("t", "s", &rows);
    assert_eq!(table.lines().filter(|line| line.contains(",2^14,zero,")).count(), 2);
    // Nothing at all is a page with a title.
    assert!(sheet_png("t", "s", &[], &Style::for_sheet(Theme::Light, 0, 0)).is_ok());
}

#[test]
fn every_character_has_a_glyph() {
    let missing = |text: &str| -> Vec<char> {
        text.chars().filter(|c| !c.is_control() && !FACES.iter().any(|face| face.has(*c))).collect()
    };
    for word in Word::ALL {
        for lang in Lang::ALL {
            assert!(missing(word.text(lang)).is_empty(), "{word:?} in {lang:?}");
        }
    }
    every_picture(|picture| {
        let text = svg(&picture.figure(), &Style::default());
        let document = Document::parse(&text).unwrap();
        for node in document.descendants().filter(Node::is_text) {
            assert!(missing(node.text().unwrap()).is_empty(), "{:?}", node.text());
        }
    });
}

/// Contrast by WCAG 2.1: (L1 + 0.05) / (L2 + 0.05) of relative luminances.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let luminance = |colour: [u8; 3]| {
        let linear = colour.map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (high, low) = (luminance(a).max(luminance(b)), luminance(a).min(luminance(b)));
    (high + 0.05) / (low + 0.05)
}

#[test]
fn words_can_be_read_on_both_themes() {
    for theme in [Theme::Light, Theme::Dark] {
        for ground in [Surface::Page, Surface::Panel] {
            let ground = surface(theme, ground);
            for role in Role::ALL {
                assert!(
                    contrast(ink(theme, role), ground) >= 4.5,
                    "{role:?} on {theme:?}: {}",
                    contrast(ink(theme, role), ground)
                );
            }
            for words in [Surface::Text, Surface::Muted] {
                assert!(contrast(surface(theme, words), ground) >= 4.5, "{words:?} on {theme:?}");
            }
        }
    }
}
