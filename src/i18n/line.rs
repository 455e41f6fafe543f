//! Strings of the Number line view.

use super::Lang;
use super::strings::strings;

strings! {
    /// Strings of the Number line view.
    Line {
        PaneLine: "Line", "数轴";
        PaneDensity: "Density", "密度";
        PaneError: "ULP and error", "ULP 与误差";
        PaneValues: "All values", "全部数值";
        PaneLimits: "Limits", "极限";
        AddFormat: "Add", "添加";
        Scale: "Scale", "刻度";
        Linear: "linear", "线性";
        LinearHint: "values as they are: numbers thin out away from zero", "按数值：离零越远越稀疏";
        Log: "log2", "log2";
        LogHint: "powers of two at equal distances, positive numbers only", "2 的幂等距排列，只含正数";
        Whole: "everything", "全部";
        Subnormals: "subnormals", "次正规数";
        AroundOne: "around 1", "1 附近";
        TheTop: "the top", "最大值附近";
        LineKeys: "drag or ← → to move, wheel or + − to zoom, click or Ctrl+← → for a number, Home for everything", "拖动或 ← → 平移，滚轮或 + − 缩放，点击或 Ctrl+← → 选数，Home 显示全部";
        DensityTitle: "Numbers in every binade", "每个二进区间中的数";
        DensityHint: "from one power of two to the next: the same count in each, fewer among subnormals and at the very top", "相邻两个 2 的幂之间：个数相同，次正规区与最顶端较少";
        DensityAxis: "numbers (log scale)", "个数（对数刻度）";
        UlpTitle: "Distance between neighbours", "相邻数的间距";
        UlpHint: "the ULP doubles with every power of two; among subnormals it stays", "每过一个 2 的幂，ULP 加倍；次正规区内不变";
        UlpAxis: "ULP", "ULP";
        RelativeTitle: "Largest relative error of rounding to nearest", "就近舍入的最大相对误差";
        RelativeHint: "half an ULP over the value: bounded for normal numbers, growing without bound among subnormals", "半个 ULP 与数值之比：正规数有上界，次正规区不断增大";
        RelativeAxis: "error / value", "误差 / 数值";
        ValuesTitle: "Every value", "所有数值";
        ValuesHint: "first half of the code down, second half across", "编码前半在左侧，后半在上方";
        NoneNarrow: "Add a format of up to 8 bits to see all its values: e4m3, e5m2, e3m2, e2m1, e8m0, e3m4…", "添加不超过 8 位的格式即可列出全部数值：e4m3、e5m2、e3m2、e2m1、e8m0、e3m4…";
        LimitsTitle: "Limits of every format", "各格式的极限";
        LimitsHint: "all derived from the fields; those chosen above stand out", "均由字段推出；上面选中的格式突出显示";
        Format: "format", "格式";
        Width: "sign+exp+frac", "符号+指数+尾数";
        Largest: "largest", "最大";
        OverflowsAt: "overflows at", "上溢始于";
        MinNormal: "min normal", "最小正规";
        MinSubnormal: "min subnormal", "最小次正规";
        Epsilon: "epsilon", "epsilon";
        WholeTo: "whole to", "整数精确至";
        SpecialCodes: "special codes", "特殊编码";
        SpecialsIeee: "±∞, NaN", "±∞、NaN";
        SpecialsNanOnly: "NaN, no ∞", "有 NaN，无 ∞";
        SpecialsFinite: "no ∞, no NaN", "无 ∞，无 NaN";
        SpecialsFnuz: "one NaN, no ∞, no −0", "一个 NaN，无 ∞，无 −0";
        SpecialsScale: "one NaN, no zero, no sign", "一个 NaN，无零，无符号";
        OftenMistaken: "Often mistaken", "常见误解";
    }
}

/// A button that takes a format away.
#[must_use]
pub fn remove(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("Remove {format}"),
        Lang::ZhCn => format!("移除 {format}"),
    }
}

/// How many numbers are in view.
#[must_use]
pub fn count(lang: Lang, count: u64) -> String {
    match lang {
        Lang::En if count == 1 => "1 number".to_owned(),
        Lang::En => format!("{count} numbers"),
        Lang::ZhCn => format!("{count} 个数"),
    }
}

/// What is in view.
#[must_use]
pub fn window(lang: Lang, low: &str, high: &str) -> String {
    match lang {
        Lang::En => format!("Number line from {low} to {high}"),
        Lang::ZhCn => format!("数轴，从 {low} 到 {high}"),
    }
}

/// What the lines below the number line are.
#[must_use]
pub fn nearest_to(lang: Lang, value: &str) -> String {
    match lang {
        Lang::En => format!("nearest to {value}"),
        Lang::ZhCn => format!("最接近 {value} 的数"),
    }
}

/// The neighbours of a number.
#[must_use]
pub fn neighbours(lang: Lang, below: &str, above: &str) -> String {
    match lang {
        Lang::En => format!("below {below} · above {above}"),
        Lang::ZhCn => format!("向下 {below} · 向上 {above}"),
    }
}

/// A code in words.
#[must_use]
pub fn code(lang: Lang, hex: &str, value: &str, form: &str) -> String {
    match lang {
        Lang::En => format!("{hex} is {value} = {form}"),
        Lang::ZhCn => format!("{hex} 是 {value} = {form}"),
    }
}

/// The density of a format in words.
#[must_use]
pub fn density_in_words(lang: Lang, format: &str, most: u64, normal: i32, top: i32) -> String {
    match lang {
        Lang::En => format!("{format}: {most} numbers in every binade from 2^{normal} to 2^{top}, fewer below"),
        Lang::ZhCn => format!("{format}：自 2^{normal} 到 2^{top} 每个区间 {most} 个数，以下更少"),
    }
}

/// The relative error of a format in words.
#[must_use]
pub fn error_in_words(lang: Lang, format: &str, bound: i32, normal: i32) -> String {
    match lang {
        Lang::En => format!("{format}: relative error at most 2^{bound} from 2^{normal} on"),
        Lang::ZhCn => format!("{format}：自 2^{normal} 起相对误差不超过 2^{bound}"),
    }
}
