//! Strings of the Bits view: the fields of a number, why it was rounded as it was, where it lands.

use super::Lang;
use super::strings::strings;

strings! {
    /// Strings of the Bits view.
    Bits {
        Value: "Value", "数值";
        ValueHint: "65519.9999, 0x1.8p3, 2^-24, 1/3, fp16:0x7bff, inf, nan", "65519.9999、0x1.8p3、2^-24、1/3、fp16:0x7bff、inf、nan";
        Exactly: "exactly as typed", "与输入完全一致";
        Rounding: "Rounding", "舍入";
        Try: "Try", "示例";
        NoBlock: "one number", "单个数";
        BlockFormat: "Block format", "块格式";
        SharedScale: "shared scale", "共享缩放";
        Copy: "copy", "复制";
        AsHex: "bits", "位（十六进制）";
        AsBinary: "binary", "二进制";
        AsShortest: "shortest", "最短写法";
        AsExact: "exact", "精确值";
        AsHexFloat: "hex float", "十六进制浮点";
        AsPower: "power of two", "2 的幂";
        Fields: "fields", "字段";
        FieldsHint: "decimal, 0x or 0b; bytes in hexadecimal", "十进制、0x 或 0b；字节为十六进制";
        ExponentField: "exponent field", "指数字段";
        FractionField: "fraction field", "尾数字段";
        LittleEndian: "bytes, little-endian", "字节，小端序";
        BigEndian: "bytes, big-endian", "字节，大端序";
        GreyDigits: "grey digits are true, but not needed to get the number back", "灰色数字是真实的，但还原该数并不需要";
        Keys: "drag over bits to paint; ← → choose one, Space flips it, Ctrl+↑ ↓ one ULP", "拖动可连续涂改各位；← → 选位，空格翻转，Ctrl+↑ ↓ 移动一个 ULP";
        Sign: "sign", "符号";
        Exponent: "exponent", "指数";
        Fraction: "fraction", "尾数";
        Zero: "zero", "零";
        Subnormal: "subnormal", "次正规数";
        Normal: "normal", "正规数";
        Infinite: "infinity", "无穷";
        Nan: "NaN", "NaN";
        Signalling: "signalling NaN", "信号 NaN";
        Largest: "the largest", "最大有限数";
        SmallestNormal: "the smallest normal", "最小正规数";
        LargestSubnormal: "the largest subnormal", "最大次正规数";
        SmallestSubnormal: "the smallest subnormal", "最小次正规数";
        IsInfinity: "exponent all ones, fraction 0: infinity", "指数全为 1，尾数为 0：无穷";
        IsNan: "exponent all ones, fraction not 0: not a number", "指数全为 1，尾数不为 0：非数（NaN）";
        IsOnlyNan: "the code that this format keeps for NaN", "此格式留给 NaN 的编码";
        NoFlags: "no flags", "无标志";
        Invalid: "invalid", "无效";
        DivideByZero: "divide by zero", "除以零";
        Overflow: "overflow", "上溢";
        Underflow: "underflow", "下溢";
        Inexact: "inexact", "不精确";
        Lands: "Where it lands", "落在何处";
        LandsHint: "the number line around the value", "数值附近的数轴";
        Midpoint: "midpoint", "中点";
        Typed: "typed", "输入值";
        Result: "result", "结果";
        Kept: "kept", "保留";
        Guard: "guard", "保护位";
        Round: "round", "舍入位";
        Sticky: "sticky", "粘滞位";
        NoPlace: "Infinities and NaNs have no place on the number line.", "无穷和 NaN 不在数轴上。";
        Rne: "to nearest, ties to even", "就近舍入，平局取偶";
        Rna: "to nearest, ties away from zero", "就近舍入，平局远离零";
        Rtz: "toward zero", "向零舍入";
        Rup: "toward +∞", "向 +∞ 舍入";
        Rdn: "toward −∞", "向 −∞ 舍入";
        Rto: "to odd", "舍入到奇数";
        Sr: "stochastic", "随机舍入";
        WhyExact: "exactly representable: nothing to round", "可精确表示，无需舍入";
        WhySpecial: "a special value: nothing to round", "特殊值，无需舍入";
        WhyUndefined: "an invalid operation: no number is its result", "无效运算：没有数是它的结果";
        WhyDividedByZero: "finite numbers divided by zero: exactly infinity", "有限数除以零：结果恰为无穷";
        WhyQuieted: "a signalling NaN made quiet", "信号 NaN 转为静默 NaN";
        WhyNotInFormat: "this format has no code for it", "此格式没有对应的编码";
        WhyCutOff: "cut off toward zero", "直接截断，趋向零";
        WhyPositive: "rounded up, toward +∞", "向上舍入，趋向 +∞";
        WhyNegative: "rounded down, toward −∞", "向下舍入，趋向 −∞";
        WhyOdd: "to the neighbour whose last bit is 1", "取末位为 1 的相邻数";
        WhyChance: "by chance, as likely as it is near", "按距离远近的概率随机选取";
        WhyHeld: "beyond the range: held at the largest finite number", "超出范围，停在最大有限数";
        WhyNoInfinity: "beyond the range, and this format has no infinity: NaN", "超出范围，而此格式没有无穷：NaN";
        WhyClamped: "below the smallest number: held there", "低于最小数，停在最小数";
        WhyFlushed: "a subnormal result, flushed to zero", "次正规数结果被清零";
    }
}

/// Below the midpoint, or above it, or on it; `midpoint` is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The value is nearer to zero than the midpoint.
    Below,
    /// The value is farther from zero.
    Above,
    /// Exactly half way, and the even neighbour was taken.
    TieToEven,
    /// Exactly half way, and the neighbour farther from zero was taken.
    TieAway,
}

/// Why nearest rounding chose as it did.
#[must_use]
pub fn nearest(lang: Lang, side: Side, midpoint: &str) -> String {
    match (lang, side) {
        (Lang::En, Side::Below) => format!("nearer to zero than the midpoint {midpoint}: toward zero"),
        (Lang::En, Side::Above) => format!("farther from zero than the midpoint {midpoint}: away from zero"),
        (Lang::En, Side::TieToEven) => format!("exactly the midpoint {midpoint}: to the even neighbour"),
        (Lang::En, Side::TieAway) => format!("exactly the midpoint {midpoint}: away from zero"),
        (Lang::ZhCn, Side::Below) => format!("比中点 {midpoint} 更靠近零，向零舍入"),
        (Lang::ZhCn, Side::Above) => format!("比中点 {midpoint} 更远离零，远离零舍入"),
        (Lang::ZhCn, Side::TieToEven) => format!("恰为中点 {midpoint}，取偶数邻居"),
        (Lang::ZhCn, Side::TieAway) => format!("恰为中点 {midpoint}，远离零舍入"),
    }
}

/// How a value left the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// It lies beyond where nearest rounding leaves the range.
    Nearest,
    /// It lies exactly there.
    Tie,
    /// A direction that leads away from zero.
    Directed,
}

/// A value that left the range: the numbers there, with its sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overflow {
    /// Whether it is on the side of −∞.
    pub negative: bool,
    /// How it left.
    pub why: Beyond,
    /// The largest finite number.
    pub largest: String,
    /// Where nearest rounding leaves the range, half way to `next`.
    pub threshold: String,
    /// What would come after the largest number if the exponent had no end.
    pub next: String,
}

/// Overflow to infinity.
#[must_use]
pub fn overflow(lang: Lang, overflow: &Overflow) -> String {
    let Overflow { negative, why, largest, threshold, next } = overflow;
    let infinity = if *negative { "−∞" } else { "∞" };
    match (lang, why) {
        (Lang::En, Beyond::Nearest) => {
            let on = if *negative { "down" } else { "on" };
            format!("beyond the range: from {threshold} {on} the nearest is {infinity}")
        }
        (Lang::En, Beyond::Tie) => {
            format!("exactly half way from {largest} to {next}, which this format does not have: {infinity}")
        }
        (Lang::En, Beyond::Directed) => {
            format!("beyond the last number, {largest}, and rounded away from it: {infinity}")
        }
        (Lang::ZhCn, Beyond::Nearest) => {
            let on = if *negative { "及以下" } else { "起" };
            format!("超出范围：自 {threshold} {on}舍入为 {infinity}")
        }
        (Lang::ZhCn, Beyond::Tie) => format!("恰在 {largest} 与 {next} 的正中，而此格式没有 {next}：{infinity}"),
        (Lang::ZhCn, Beyond::Directed) => format!("超出最后一个数 {largest}，并向远离它的方向舍入：{infinity}"),
    }
}

/// The typed value with all its digits.
#[must_use]
pub fn exactly(lang: Lang, value: &str) -> String {
    match lang {
        Lang::En => format!("= {value} exactly"),
        Lang::ZhCn => format!("= {value}（精确值）"),
    }
}

/// The error of a result, signed, and the same in ULP.
#[must_use]
pub fn error(lang: Lang, error: &str, ulps: &str) -> String {
    match lang {
        Lang::En => format!("error {error} = {ulps} ULP"),
        Lang::ZhCn => format!("误差 {error} = {ulps} ULP"),
    }
}

/// ULP and neighbours.
#[must_use]
pub fn steps(lang: Lang, ulp: &str, below: &str, above: &str) -> String {
    match lang {
        Lang::En => format!("ULP {ulp} · below {below} · above {above}"),
        Lang::ZhCn => format!("ULP {ulp} · 向下 {below} · 向上 {above}"),
    }
}

/// The shortest decimal that reads back as the same number.
#[must_use]
pub fn shortest(lang: Lang, digits: &str) -> String {
    match lang {
        Lang::En => format!("shortest {digits}"),
        Lang::ZhCn => format!("最短写法 {digits}"),
    }
}

/// The range of a format: its largest number, its smallest normal and subnormal.
#[must_use]
pub fn limits(lang: Lang, largest: &str, normal: &str, subnormal: &str) -> String {
    match lang {
        Lang::En => format!("largest {largest} · normal from {normal} · subnormal from {subnormal}"),
        Lang::ZhCn => format!("最大 {largest} · 正规数自 {normal} · 次正规数自 {subnormal}"),
    }
}

/// The menu in which the fields and bytes of a code are typed.
#[must_use]
pub fn fields_of_code(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("Fields and bytes of {format}"),
        Lang::ZhCn => format!("{format} 的字段与字节"),
    }
}

/// How many bytes a code has.
#[must_use]
pub fn bytes_of(lang: Lang, count: u32) -> String {
    match (lang, count) {
        (Lang::En, 1) => "1 byte".to_owned(),
        (Lang::En, _) => format!("{count} bytes"),
        (Lang::ZhCn, _) => format!("{count} 字节"),
    }
}

/// The menu that copies a number.
#[must_use]
pub fn copy_of(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("Copy the {format} number"),
        Lang::ZhCn => format!("复制 {format} 的数"),
    }
}

/// The name of a block, from 1.
#[must_use]
pub fn block(lang: Lang, at: usize, format: &str) -> String {
    match lang {
        Lang::En => format!("Block {at} of {format}"),
        Lang::ZhCn => format!("{format} 第 {at} 块"),
    }
}

/// How many elements there are, and what each costs.
#[must_use]
pub fn bits_per_value(lang: Lang, bits: &str, elements: usize) -> String {
    match lang {
        Lang::En => format!("{elements} elements; {bits} bits a value in a full block, the scale included"),
        Lang::ZhCn => format!("{elements} 个元素；满块时每个值 {bits} 位，含缩放"),
    }
}

/// What the scale follows from.
#[must_use]
pub fn largest_of(lang: Lang, largest: &str) -> String {
    match lang {
        Lang::En => format!("from the largest magnitude, {largest}"),
        Lang::ZhCn => format!("由最大绝对值 {largest} 得出"),
    }
}

/// The name of a bit for screen readers: format, field, and its place from the right.
#[must_use]
pub fn bit(lang: Lang, format: &str, field: &str, place: u32) -> String {
    match lang {
        Lang::En => format!("{format} {field} bit {place}"),
        Lang::ZhCn => format!("{format} {field} 第 {place} 位"),
    }
}

/// The name of a row of bits for screen readers.
#[must_use]
pub fn strip(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("Bits of {format}"),
        Lang::ZhCn => format!("{format} 的各个位"),
    }
}

/// The number line in words.
#[must_use]
pub fn landing(lang: Lang, format: &str, typed: &str, low: &str, high: &str, result: &str) -> String {
    match lang {
        Lang::En => format!("{format}: {typed} lies between {low} and {high} and becomes {result}"),
        Lang::ZhCn => format!("{format}：{typed} 位于 {low} 与 {high} 之间，结果为 {result}"),
    }
}

/// The number line in words, for a value that has a code.
#[must_use]
pub fn landing_exact(lang: Lang, format: &str, typed: &str) -> String {
    match lang {
        Lang::En => format!("{format}: {typed} is one of its numbers; all between the two midpoints would round to it"),
        Lang::ZhCn => format!("{format}：{typed} 正是其中一个数，两侧中点之间的值都会舍入到它"),
    }
}
