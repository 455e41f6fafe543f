//! Strings of the pane that sweeps a function over a range of inputs.

use super::Lang;
use super::strings::strings;

strings! {
    /// Strings of the pane.
    Sweep {
        Pane: "Range of inputs", "输入范围";
        PaneHint: "a function over many inputs, every operation rounded: how far it is from its exact value", "函数在许多输入上的取值，每步运算都舍入：与精确值相差多少";
        Function: "f(x) =", "f(x) =";
        From: "from", "从";
        To: "to", "到";
        In: "in", "格式";
        SweptFormat: "Format of inputs and operations", "输入与运算的格式";
        Found: "What was found", "结果";
        NothingYet: "nothing to compare yet", "尚无可比较的结果";
        ChartTitle: "Bits of error", "误差位数";
        ChartHint: "the largest of each group of inputs, as many numbers in each; crossed where an infinity or NaN stands for a number", "每组输入中的最大值，各组数的个数相同；打叉处本应为数，却得到无穷或 NaN";
        Axis: "log2(1 + error in ULP)", "log2(1 + 以 ULP 计的误差)";
        NoNumber: "an infinity or NaN stands for a number", "本应为数，却得到无穷或 NaN";
        Undefined: "no exact value to compare with", "没有可比较的精确值";
    }
}

/// How many inputs are done, and which they are.
#[must_use]
pub fn so_far(lang: Lang, done: u64, inputs: u64, numbers: u64) -> String {
    match (lang, done < inputs, inputs == numbers) {
        (Lang::En, true, _) => format!("{done} of {inputs} inputs so far"),
        (Lang::En, false, true) => format!("all {numbers} numbers of the range"),
        (Lang::En, false, false) => format!("{inputs} inputs, evenly spread over the {numbers} numbers of the range"),
        (Lang::ZhCn, true, _) => format!("已计算 {done} / {inputs} 个输入"),
        (Lang::ZhCn, false, true) => format!("范围内全部 {numbers} 个数"),
        (Lang::ZhCn, false, false) => format!("{inputs} 个输入，均匀取自范围内的 {numbers} 个数"),
    }
}

/// The largest error, where it is, what was computed there and what is right.
#[must_use]
pub fn largest(lang: Lang, ulps: &str, bits: &str, x: &str, value: &str, exact: &str) -> String {
    match lang {
        Lang::En => format!("largest error {ulps} ULP, {bits} bits: at x = {x} it is {value} instead of {exact}"),
        Lang::ZhCn => format!("最大误差 {ulps} ULP，{bits} 位：x = {x} 处得到 {value}，应为 {exact}"),
    }
}

/// Counts of good inputs, and the mean error.
#[must_use]
pub fn counts(lang: Lang, exact: u64, rounded_once: u64, mean: &str) -> String {
    match lang {
        Lang::En => {
            format!("exact {exact} · within ½ ULP, as good as one rounding, {rounded_once} · mean error {mean} ULP")
        }
        Lang::ZhCn => {
            format!("精确 {exact} 个 · 误差不超过 ½ ULP（等同只舍入一次）{rounded_once} 个 · 平均误差 {mean} ULP")
        }
    }
}

/// How often an infinity or NaN stands for a number, and where first.
#[must_use]
pub fn no_numbers(lang: Lang, count: u64, x: &str, value: &str, exact: &str) -> String {
    match lang {
        Lang::En => format!("no number for {count} inputs, first at x = {x}: {value} instead of {exact}"),
        Lang::ZhCn => format!("{count} 个输入得不到数，首个在 x = {x}：得到 {value}，应为 {exact}"),
    }
}

/// How many inputs have no exact value.
#[must_use]
pub fn undefined(lang: Lang, count: u64) -> String {
    match lang {
        Lang::En => format!("{count} inputs have no exact value, such as 1 / 0"),
        Lang::ZhCn => format!("{count} 个输入没有精确值，例如 1 / 0"),
    }
}

/// The largest error of a group.
#[must_use]
pub fn up_to(lang: Lang, ulps: &str) -> String {
    match lang {
        Lang::En => format!("up to {ulps} ULP"),
        Lang::ZhCn => format!("至多 {ulps} ULP"),
    }
}
