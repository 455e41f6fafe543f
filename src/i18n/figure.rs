//! Words of the figures.

use super::Lang;
use super::strings::strings;

strings! {
    /// Words of the figures.
    Figure {
        Lost: "lost → 0", "丢失 → 0";
        RoundsUp: "rounds up", "向上舍入";
        Subnormal: "subnormal", "次正规数";
        Normal: "normal", "正规数";
        Overflow: "overflow", "上溢";
        Zeros: "exact zeros, of all", "本来为零（占全部）";
        LostOfNonzero: "lost of non-zero", "非零值中丢失";
        WeightGradient: "weight gradient", "权重梯度";
        ActivationGradient: "activation gradient", "激活梯度";
        Weight: "weight", "权重";
        Activation: "activation", "激活";
        Update: "weight update", "权重更新量";
        Tensor: "tensor", "张量";
        WeightGradients: "non-zero weight gradients", "非零权重梯度";
        ActivationGradients: "non-zero activation gradients", "非零激活梯度";
        Weights: "non-zero weights", "非零权重";
        Activations: "non-zero activations", "非零激活值";
        Updates: "non-zero weight updates", "非零权重更新量";
        Values: "non-zero values", "非零值";
        SourceRun: "the run itself", "训练本身";
        SourceTwin: "FP32 twin (same weights, same batch)", "FP32 孪生（相同权重、相同批次）";
        SourceFile: "file", "文件";
        AllSteps: "all probed steps", "全部采样步";
        RuleIeee: "counted by rounding to nearest even", "按就近舍入（取偶）计数";
        RulePaper: "counted by the 2018 paper's rule", "按 2018 年论文的规则计数";
        XAxis: "magnitude times loss scale, |x|·S (powers of two)", "缩放后的绝对值 |x|·S（2 的幂）";
        YAxis: "share of the non-zero values", "占非零值的比例";
        ThisCastOnly: "This cast only: values flushed to zero further up count as zeros here.", "只反映本次转换：上游已归零的值在此算作零。";
        AfterCast: "Taken after the cast: what it lost is among the zeros.", "取自转换之后：其丢失的值已计入零。";
        UnknownScale: "The scale these values carry is not a positive number; they are shown as they are.", "这些数值所带的缩放不是正数，因此按原值显示。";
        NoValues: "No values were counted.", "没有统计到任何数值。";
        NoAdvice: "No scale can be advised: no weight gradient has a finite non-zero value.", "无法给出建议缩放：权重梯度中没有有限的非零值。";
    }
}

/// “before the cast to FP16”.
#[must_use]
pub fn before_cast(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("before the cast to {format}"),
        Lang::ZhCn => format!("转换为 {format} 之前"),
    }
}

/// “after the cast to FP16”.
#[must_use]
pub fn after_cast(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("after the cast to {format}"),
        Lang::ZhCn => format!("转换为 {format} 之后"),
    }
}

/// “200,704 values · 12.4 % exact zeros · 0 NaN · 0 Inf”.
#[must_use]
pub fn amounts(lang: Lang, values: &str, zeros: &str, nan: &str, infinite: &str) -> String {
    match lang {
        Lang::En => format!("{values} values · {zeros} exact zeros · {nan} NaN · {infinite} Inf"),
        Lang::ZhCn => format!("共 {values} 个值 · {zeros} 本来为零 · {nan} 个 NaN · {infinite} 个 Inf"),
    }
}

/// What the large number is a share of: “of the non-zero weight gradients become 0 in FP16 at S = 2^10”.
#[must_use]
pub fn headline(lang: Lang, values: &str, format: &str, scale: &str) -> String {
    match lang {
        Lang::En => format!("of the {values} become 0 in {format} at {scale}"),
        Lang::ZhCn => format!("的{values}在 {scale} 时于 {format} 中变为 0"),
    }
}

/// What the shares are shares of: “shares of 176,118 non-zero values”.
#[must_use]
pub fn shares_of(lang: Lang, nonzero: &str) -> String {
    match lang {
        Lang::En => format!("shares of {nonzero} non-zero values"),
        Lang::ZhCn => format!("比例以 {nonzero} 个非零值为分母"),
    }
}

/// “lane paper · S=1”.
#[must_use]
pub fn lane(lang: Lang, name: &str) -> String {
    match lang {
        Lang::En => format!("lane {name}"),
        Lang::ZhCn => format!("通道 {name}"),
    }
}

/// “step 214”.
#[must_use]
pub fn step(lang: Lang, step: u64) -> String {
    match lang {
        Lang::En => format!("step {step}"),
        Lang::ZhCn => format!("第 {step} 步"),
    }
}

/// “values carry S = 1024”.
#[must_use]
pub fn carries(lang: Lang, scale: &str) -> String {
    match lang {
        Lang::En => format!("taken at {scale}"),
        Lang::ZhCn => format!("取样时 {scale}"),
    }
}

/// A scale that is no power of two, and what is shown instead.
#[must_use]
pub fn no_power_of_two(lang: Lang, taken: &str, shown: &str) -> String {
    match lang {
        Lang::En => format!("Taken at S = {taken}, no power of two: the picture is exact at S = {shown}."),
        Lang::ZhCn => format!("取样时 S = {taken}，不是 2 的幂：本图在 S = {shown} 处精确。"),
    }
}

/// Zeros that are not zero in the FP32 twin.
#[must_use]
pub fn lost_upstream(lang: Lang, count: &str) -> String {
    match lang {
        Lang::En => format!("{count} of the zeros were lost upstream: they are not zero in the FP32 twin."),
        Lang::ZhCn => format!("零值中有 {count} 个在上游丢失：它们在 FP32 孪生中不为零。"),
    }
}

/// “3.1 % below 2^-44”.
#[must_use]
pub fn below(lang: Lang, share: &str, exponent: i32) -> String {
    match lang {
        Lang::En => format!("{share} below 2^{exponent}"),
        Lang::ZhCn => format!("{share} 小于 2^{exponent}"),
    }
}

/// “3.1 % from 2^20 on”.
#[must_use]
pub fn above(lang: Lang, share: &str, exponent: i32) -> String {
    match lang {
        Lang::En => format!("{share} from 2^{exponent} on"),
        Lang::ZhCn => format!("{share} 不小于 2^{exponent}"),
    }
}

/// “Advised: S = 2^11 … 2^17”.
#[must_use]
pub fn advised(lang: Lang, low: i32, high: i32) -> String {
    match lang {
        Lang::En if low == high => format!("Advised: S = 2^{low}"),
        Lang::En => format!("Advised: S = 2^{low} … 2^{high}"),
        Lang::ZhCn if low == high => format!("建议：S = 2^{low}"),
        Lang::ZhCn => format!("建议：S = 2^{low} … 2^{high}"),
    }
}

/// Which tensor stands against which.
#[must_use]
pub fn advised_none(lang: Lang, low: (i32, &str), high: (i32, &str)) -> String {
    let ((low, low_tensor), (high, high_tensor)) = (low, high);
    match lang {
        Lang::En => {
            format!("No scale does both: {low_tensor} needs 2^{low} or more, {high_tensor} overflows above 2^{high}.")
        }
        Lang::ZhCn => format!("没有两全的缩放：{low_tensor} 需要至少 2^{low}，而 {high_tensor} 超过 2^{high} 就上溢。"),
    }
}

/// All values are zero.
#[must_use]
pub fn all_zero(lang: Lang, values: &str) -> String {
    match lang {
        Lang::En => format!("All {values} values are exactly zero: there is nothing to place on the axis."),
        Lang::ZhCn => format!("全部 {values} 个值都恰好为零，没有可画在坐标轴上的数。"),
    }
}

/// No value is finite and not zero.
#[must_use]
pub fn nothing_finite(lang: Lang, nan: &str, infinite: &str) -> String {
    match lang {
        Lang::En => format!("No value is finite and not zero: {nan} NaN, {infinite} Inf."),
        Lang::ZhCn => format!("没有有限的非零值：{nan} 个 NaN，{infinite} 个 Inf。"),
    }
}
