//! `calc dot`, `calc update` and `inspect --block`: what they print, what they refuse, and that links print through them.

use serde_json::{Value, json};

use super::support::try_run;

fn objects(line: &str) -> Vec<Value> {
    let (understood, text) = try_run(&format!("{line} --json"), "").unwrap();
    assert!(understood, "{line}");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn object(line: &str) -> Value {
    let mut objects = objects(line);
    assert_eq!(objects.len(), 1, "{line}");
    objects.remove(0)
}

/// 2048 + 1 + 1 + 1 + 1: FP16 has no 2049, and ties go back to 2048 each time; the exact sum is 2052.
const ONES: &str = "calc dot --a 1,1,1,1 --b 1,1,1,1 --c 2048 --output fp16";

#[test]
fn a_dot_product_is_added_as_asked() {
    for (how, value, roundings) in [
        ("sequential:fp16", "2048", 4),
        ("sequential:fp32", "2052", 4),
        ("kahan:fp16", "2052", 4),
        ("fused:fp16:4", "2052", 1),
        // 1 + 1 = 2, twice, each block rounded to the sum: 2048, 2050, 2052.
        ("blocks:fp16:fp16:2", "2052", 6),
    ] {
        let dot = object(&format!("{ONES} --sum {how}"));
        assert_eq!((&dot["value"], &dot["exact"], &dot["best_value"]), (&json!(value), &json!("2052"), &json!("2052")));
        assert_eq!(
            (dot["steps"].as_array().unwrap().len(), &dot["same"]),
            (roundings, &json!(value == "2052")),
            "{how}"
        );
    }
    let first = &object(&format!("{ONES} --sum sequential:fp16"))["steps"][0];
    assert_eq!((&first["before"], &first["added"], &first["bits"]), (&json!("2048"), &json!("1"), &json!("0x6800")));
    assert_eq!(
        (&first["error"], &first["flags"], &first["products"]),
        (&json!("-1"), &json!(["inexact"]), &json!([1]))
    );
    // Four times 0.75 beside 2048 counts only where the small ones are added up first; four times 0.25 is too little.
    let small = "calc dot --a 2048,0.25,0.25,0.25,0.25 --b 1,1,1,1,1 --sum sequential:fp16 --output fp16";
    assert_eq!(object(small)["value"], "2048");
    assert_eq!(object(&format!("{small} --order ascending"))["value"], "2048");
    let halves = small.replace("0.25", "0.75");
    assert_eq!(
        (&object(&halves)["value"], &object(&format!("{halves} --order ascending"))["value"]),
        (&json!("2048"), &json!("2052"))
    );
    let text = try_run(&format!("{ONES} --sum kahan:fp16"), "").unwrap().1;
    for part in ["with Kahan's correction (kahan:fp16)", "as given", "a4·b4", "the exact sum is 2052", "0x6802"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn chance_decides_anew_at_every_sum() {
    // From 2048 on, FP16 counts in twos: each 1 is added whole or not at all, half of the time each.
    let ones = ["1"; 64].join(",");
    for seed in 0..4 {
        let line = format!("calc dot --a {ones} --b {ones} --c 2048 --sum sequential:fp16 --rounding sr --seed {seed}");
        let dot = object(&line);
        let moved = dot["steps"].as_array().unwrap().iter().filter(|step| step["before"] != step["value"]).count();
        // 64 fair throws: fewer than 8 heads, or more than 56, come once in ten thousand million times.
        assert!((8..=56).contains(&moved), "seed {seed}: {moved}");
    }
}

#[test]
fn matrices_have_sixteen_results() {
    let line = "calc dot --a 1,2,3,4;5,6,7,8;-1,0,0,0;0,0,0,1 --b 1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,2 --sum fused:fp32:4";
    let dots = objects(line);
    let values: Vec<i64> = dots.iter().map(|dot| dot["value"].as_str().unwrap().parse().unwrap()).collect();
    assert_eq!(values, [1, 2, 3, 8, 5, 6, 7, 16, -1, 0, 0, 0, 0, 0, 0, 2]);
    assert_eq!(dots[7]["cell"], json!([2, 4]));
    let one = object(&format!("{line} --cell 2,4"));
    assert_eq!(one, dots[7]);
    let text = try_run(&format!("{line} --cell 2,4"), "").unwrap().1;
    assert!(text.contains("D row 2 column 4") && text.contains("+ 16"), "{text}");
}

#[test]
fn an_update_is_lost_or_not_in_three_ways() {
    let update = object("calc update 1 2^-11");
    for (key, value) in [("half_gap", "0.00048828125"), ("ratio", "2048")] {
        assert_eq!(update[key], value, "{key}");
    }
    assert_eq!((&update["lost"], &update["weight"]["bits"]), (&json!(true), &json!("0x3c00")));
    assert_eq!(
        (&update["chance"]["away"], &update["chance"]["away_from_zero"]["bits"]),
        (&json!("0.5"), &json!("0x3c01"))
    );
    let ends: Vec<_> =
        update["ways"].as_array().unwrap().iter().map(|way| way["end"]["value"].as_str().unwrap()).collect();
    assert_eq!(ends[..2], ["1", "1.125"]);
    // 256 fair throws of 2^-10 each.
    let by_chance: f64 = ends[2].parse().unwrap();
    assert!((1.06..1.19).contains(&by_chance), "{by_chance}");
    assert_ne!(object("calc update 1 2^-11 --seed 1")["ways"][2], update["ways"][2]);
    // Toward zero the gap is half as wide.
    let moved = object("calc update -1 2^-11 --steps 1 --format fp16 --master bf16");
    assert_eq!((&moved["lost"], &moved["half_gap"]), (&json!(false), &json!("0.000244140625")));
    assert_eq!(moved["ways"][0]["end"]["value"], "-0.99951171875");
    // BF16 keeps 8 bits: the master copy loses it, and is not said to keep it.
    let text = try_run("calc update -1 2^-11 --master bf16", "").unwrap().1;
    assert!(text.contains("BF16 master copy  -1") && text.contains("w + u is w again"), "{text}");
    assert!(!text.contains("the copy keeps"), "{text}");
}

#[test]
fn values_make_blocks() {
    // MX v1.0 §6.3: the scale is 2^(floor(log2 448) − 2) = 64; 448 / 64 = 7 is held at 6.
    let block = object("inspect 0.1 -0.5 3 448 --block mxfp4");
    assert_eq!(
        (&block["scale"], &block["scale_value"], &block["largest"]),
        (&json!("0x85"), &json!("64"), &json!("448"))
    );
    let column = |key: &str| -> Vec<Value> {
        block["elements"].as_array().unwrap().iter().map(|element| element[key].clone()).collect()
    };
    assert_eq!(column("bits"), ["0x0", "0x8", "0x0", "0x7"]);
    assert_eq!(column("stored"), ["0", "-0", "0", "384"]);
    assert_eq!(column("error"), ["-0.1", "0.5", "-3", "-64"]);
    let numbers: Vec<String> = (1..=40).map(|n| n.to_string()).collect();
    let blocks = objects(&format!("inspect {} --block mxfp8", numbers.join(",")));
    let sizes: Vec<usize> = blocks.iter().map(|block| block["elements"].as_array().unwrap().len()).collect();
    assert_eq!((sizes, &blocks[1]["number"]), (vec![32, 8], &json!(2)));
    let (understood, text) = try_run("inspect - --block nvfp4 --json", "1 2;3\nx\n6\n").unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!understood && lines.len() == 3 && lines[1]["error"].is_string(), "{text}");
    let text = try_run("inspect 1 -6 --block nvfp4", "").unwrap().1;
    for part in ["Block 1 of nvfp4", "4.5 bits a value", "shared scale", "from the largest magnitude, 6"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_function_is_swept() {
    let swept = object("calc sweep (x+1)-1 --from 2^-14 --to 1");
    assert_eq!((&swept["numbers"], &swept["inputs"]), (&json!(0x3c00 - 0x0400 + 1), &json!(0x3c00 - 0x0400 + 1)));
    assert_eq!((&swept["worst"]["error_ulp"], &swept["worst"]["value"]), (&json!("2047"), &json!("0")));
    assert_eq!(swept["groups"].as_array().unwrap().len(), 128);
    assert_eq!(
        (&swept["no_number"], &swept["undefined"], &swept["first_no_number"]),
        (&json!(0), &json!(0), &Value::Null)
    );
    let every = objects("calc sweep x*x-1 --from 1 --to 2 --format e4m3 --every");
    let errors: Vec<_> = every.iter().map(|sample| sample["error_ulp"].as_str().unwrap()).collect();
    // E4M3 from 1 to 2: eighths. 1.125² = 1.265625 → 1.25, minus 1 is 0.25 instead of 0.265625, half an ULP of 2^-5.
    assert_eq!((every.len(), errors[0], errors[1]), (9, "0", "0.5"));
    let text = try_run("calc sweep -x+1 --from -2 --to 2 --format e4m3", "").unwrap().1;
    for part in ["-x+1 in E4M3, every operation rounded", "all 129 numbers", "largest error", "within ½ ulp"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = try_run("calc sweep sqrt(x)/0 --from -1 --to 2 --format e4m3", "").unwrap().1;
    assert!(text.contains("undefined"), "{text}");
}

#[test]
fn what_makes_no_sense_is_one_line() {
    for (line, part) in [
        ("calc dot --a 1,2 --b 1", "--a has 2 factors and --b 1"),
        ("calc dot --a 1,0x --b 1,2", "--a:"),
        ("calc dot --a 1;2 --b 1;2", "four rows of four"),
        ("calc dot --a 1 --b 1 --c 1,2", "--c is one value, not 2"),
        ("calc dot --a 1 --b 1 --cell 1,1", "give matrices"),
        ("calc dot --a 1 --b 1 --sum fused:fp32:0", "no number of products"),
        ("calc dot --a 1 --b 1 --sum plain", "use sequential:fp32"),
        ("calc dot --a 1 --b 1 --order sideways", "forward backward"),
        ("calc dot --a 1 --b 1 --rounding sr", "--seed"),
        ("calc dot --a 1", "--b"),
        ("calc update 1", "<UPDATE>"),
        ("calc update 1 x", "not a number"),
        ("calc update 1 2 --steps 5000", "4096"),
        ("calc update 1 2 --rounding rtz", "--rounding"),
        ("calc sweep 1+1", "has no x"),
        ("calc sweep x --from 2 --to 1", "no numbers from 2 to 1"),
        ("calc sweep x --from 2x", "unexpected"),
        ("calc", "required"),
        ("inspect 1 --block mxfp5", "mxfp4"),
        ("inspect 1 --block mxfp4 --format fp16", "cannot be used with"),
    ] {
        let error = try_run(line, "").unwrap_err().to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
}
