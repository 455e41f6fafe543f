//! Strings of the Arithmetic view and of the controls that all views of the explorer share.

use super::Lang;
use super::strings::strings;

strings! {
    /// Strings of the Arithmetic view.
    Arithmetic {
        Show: "Show", "显示";
        PaneRounding: "Rounding", "舍入";
        PaneRoundingHint: "one value in one format: neighbours, midpoint, guard bits, and why", "一个值、一种格式：相邻数、中点、保护位，以及原因";
        PaneOperation: "Operation", "单次运算";
        PaneOperationHint: "the exact result beside the rounded one, with error and flags", "精确结果与舍入结果并列，附误差与标志";
        PaneChain: "Chain", "转换链";
        PaneChainHint: "conversions one after another, beside the direct ones", "逐级转换，与直接转换对照";
        PaneDot: "Dot product", "点积";
        PaneDotHint: "D = A·B + C of 4×4 matrices, every rounding on the way", "4×4 矩阵 D = A·B + C，过程中的每次舍入";
        PaneUpdate: "Weight update", "权重更新";
        PaneUpdateHint: "when w + u is w again, and what a master copy or chance do about it", "w + u 何时仍等于 w，主副本和随机舍入怎样补救";
        FormatName: "name", "名称";
        FormatNameHint: "any format as one word: e5m3, e5m3b16-fn, e4m3-nosub; -ieee -fn -finite -fnuz say what the top codes mean", "用一个词写任意格式：e5m3、e5m3b16-fn、e4m3-nosub；-ieee -fn -finite -fnuz 说明最高编码的含义";
        RoundedTo: "Format of the result", "结果的格式";
        FormatOfOperation: "Format of operands and result", "操作数与结果的格式";
        To: "to", "舍入到";
        In: "in", "格式";
        Saturate: "saturate", "饱和";
        Ftz: "FTZ", "FTZ";
        Daz: "DAZ", "DAZ";
        Tininess: "tiny", "微小判定";
        TinyAfter: "after rounding", "舍入后";
        TinyBefore: "before", "舍入前";
        Nan: "What becomes of a NaN", "NaN 的处理";
        NanQuiet: "NaN: quiet, sign kept", "NaN：静默，保留符号";
        NanPayload: "NaN: payload kept", "NaN：保留载荷";
        NanCanonical: "NaN: canonical", "NaN：规范值";
        DrawAgain: "Draw again", "重新抽取";
        SeedHint: "other random bits: the next seed", "换一组随机位：下一个种子";
        LandsLong: "bars show which part of the gap goes to which neighbour", "色条表示间隙的哪一部分归于哪个相邻数";
        KeptLong: "kept: the bits that fit", "保留：放得下的位";
        GuardWorth: "worth ½ ULP", "值 ½ ULP";
        RoundWorth: "worth ¼ ULP", "值 ¼ ULP";
        StickyWorth: "any later 1", "其后是否有 1";
        OneMore: "→ one more in the last place", "→ 末位加一";
        CutOff: "→ the rest is cut off", "→ 舍去其余部分";
        NothingCut: "→ nothing is cut off", "→ 没有舍去任何位";
        AllModes: "What every mode makes of it", "各种模式的结果";
        AllModesHint: "choose one; codes that differ from the result above are coloured", "点选一种；与上面结果不同的编码以颜色标出";
        Operation: "Operation", "运算";
        ExactLands: "the exact result between its neighbours", "精确结果与其相邻数";
        SameCode: "the same", "相同";
        OtherCode: "differs: the operands were rounded first", "不同：操作数先被舍入";
        Through: "through", "经过";
        ChainFormats: "Formats of the chain", "转换链的格式";
        ChainFormatsHint: "formats in order, parted by commas: fp64,fp32,fp16,e4m3", "依次列出格式，用逗号分隔：fp64,fp32,fp16,e4m3";
        Directly: "directly", "直接转换";
        WitnessTitle: "Smallest witness", "最小反例";
        WitnessHint: "the smallest positive number of the first format that this chain turns into something else than the direct conversion does", "第一种格式中，转换链结果与直接转换不同的最小正数";
        WitnessNeeds: "a witness needs three formats or more and a mode without chance", "需要至少三种格式，且不用随机舍入";
        FindWitness: "Find it", "查找";
        Searching: "searching…", "查找中…";
        NoWitness: "there is none: no positive number differs", "不存在：没有正数结果不同";
        ShowIt: "Show it", "查看";
        InputFormat: "Format of A and B", "A 与 B 的格式";
        OutputFormat: "Format of C and D", "C 与 D 的格式";
        AccumulatorFormat: "Format of the accumulator", "累加器的格式";
        OuterFormat: "Format of the sum of blocks", "各块之和的格式";
        Accumulate: "added", "累加方式";
        Sequential: "one after another", "逐个相加";
        Kahan: "with Kahan's correction", "带 Kahan 补偿";
        Fused: "several at once, exactly", "多个一次精确相加";
        Blocks: "in blocks", "分块相加";
        ProductsAtOnce: "Products at once", "每次的乘积数";
        Order: "Order", "顺序";
        Forward: "as given", "按原序";
        Backward: "backward", "逆序";
        Ascending: "smallest first", "从小到大";
        Descending: "largest first", "从大到小";
        ChooseElement: "choose an element of D to see how it is added up; ≠ marks those that one rounding of the exact sum would give otherwise", "点选 D 的元素，查看其累加过程；≠ 表示与精确和一次舍入的结果不同";
        StepNumber: "step", "步";
        Products: "products", "乘积";
        BlockTotal: "total of the block", "本块之和";
        Before: "accumulator", "累加器";
        Added: "added", "加上";
        After: "rounded", "舍入后";
        LostHere: "error", "误差";
        Flags: "flags", "标志";
        TooLarge: "these numbers are too large to be added exactly", "这些数太大，无法精确相加";
        Weight: "weight", "权重";
        Update: "update", "更新量";
        KeptIn: "kept in", "存储格式";
        WeightFormat: "Format of the weight", "权重的格式";
        Master: "master copy", "主副本";
        MasterFormat: "Format of the master copy", "主副本的格式";
        Additions: "additions", "次数";
        AdditionsHint: "how often the update is added in the chart", "图中累加更新量的次数";
        Lost: "lost: w + u is w again", "丢失：w + u 仍等于 w";
        Moved: "the weight has moved", "权重已改变";
        MasterAgrees: "the copy takes the update as well", "主副本同样接受更新";
        NothingAdded: "u is zero: nothing is added", "u 为零：没有加上任何东西";
        StaysInfinite: "infinity stays infinity, whatever is added", "无穷加上任何有限数仍是无穷";
        BecomesInfinite: "an infinite update: the weight is infinite from now on", "更新量为无穷：权重从此为无穷";
        IsNotANumber: "NaN: the weight is no number from now on", "NaN：权重从此不再是数";
        MasterKeeps: "the copy keeps what the narrow format cannot", "主副本保留了窄格式存不下的部分";
        OnAverage: "right on average, whatever u is", "无论 u 多小，平均值都正确";
        NoChance: "nothing to choose: the sum has a code", "无需选择：和可精确表示";
        TestTitle: "The exact test", "精确判据";
    }
}

/// The fields of a format: sign, exponent, fraction.
#[must_use]
pub fn fields_of(lang: Lang, signed: bool, exponent: u32, fraction: u32) -> String {
    let fields = format!("{} + {exponent} + {fraction}", u8::from(signed));
    match lang {
        Lang::En => format!("{fields} bits"),
        Lang::ZhCn => format!("{fields} 位"),
    }
}

/// The kept bits and guard, round and sticky for screen readers.
#[must_use]
pub fn cut(lang: Lang, kept: &str, bits: [u8; 3], verdict: &str) -> String {
    let [guard, round, sticky] = bits;
    match lang {
        Lang::En => format!("kept {kept}, guard {guard}, round {round}, sticky {sticky} {verdict}"),
        Lang::ZhCn => format!("保留 {kept}，保护位 {guard}，舍入位 {round}，粘滞位 {sticky} {verdict}"),
    }
}

/// An error in ULP.
#[must_use]
pub fn error_ulp(lang: Lang, error: &str) -> String {
    match lang {
        Lang::En => format!("error {error} ULP"),
        Lang::ZhCn => format!("误差 {error} ULP"),
    }
}

/// Two numbers with their probabilities.
#[must_use]
pub fn chances(near_share: &str, near: &str, far_share: &str, far: &str) -> String {
    format!("{near_share} → {near}, {far_share} → {far}")
}

/// The name of an operand.
#[must_use]
pub fn operand(lang: Lang, letter: &str) -> String {
    match lang {
        Lang::En => format!("Operand {letter}"),
        Lang::ZhCn => format!("操作数 {letter}"),
    }
}

/// The exact result of an operation.
#[must_use]
pub fn exact_of(lang: Lang, what: &str) -> String {
    match lang {
        Lang::En => format!("{what} exactly"),
        Lang::ZhCn => format!("{what} 精确值"),
    }
}

/// The result in a format.
#[must_use]
pub fn rounded_to(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("rounded to {format}"),
        Lang::ZhCn => format!("舍入到 {format}"),
    }
}

/// An operation on the operands as they were typed, where `what` is it with their text.
#[must_use]
pub fn as_typed(lang: Lang, what: &str) -> String {
    match lang {
        Lang::En => format!("{what}, only the result rounded"),
        Lang::ZhCn => format!("{what}，只舍入结果"),
    }
}

/// The number line of a result in words.
#[must_use]
pub fn result_lands(lang: Lang, exact: &str, result: &str) -> String {
    match lang {
        Lang::En => format!("the exact result {exact} becomes {result}"),
        Lang::ZhCn => format!("精确结果 {exact} 变为 {result}"),
    }
}

/// Where a chain ends and the direct conversion does not.
#[must_use]
pub fn chain_differs(lang: Lang, chain: &str, direct: &str) -> String {
    match lang {
        Lang::En => format!("The chain ends at {chain}, the direct conversion at {direct}."),
        Lang::ZhCn => format!("转换链的结果是 {chain}，直接转换的结果是 {direct}。"),
    }
}

/// Where a chain and the direct conversion end.
#[must_use]
pub fn chain_agrees(lang: Lang, result: &str) -> String {
    match lang {
        Lang::En => format!("Chain and direct conversion both end at {result}."),
        Lang::ZhCn => format!("转换链与直接转换的结果都是 {result}。"),
    }
}

/// No witness below a number; beyond it was not searched.
#[must_use]
pub fn none_below(lang: Lang, value: &str) -> String {
    match lang {
        Lang::En => format!("none below {value}; beyond it was not searched"),
        Lang::ZhCn => format!("{value} 以下不存在；更大的数未查找"),
    }
}

/// The name of an element of a matrix, from 1.
#[must_use]
pub fn element(lang: Lang, matrix: &str, row: usize, column: usize) -> String {
    match lang {
        Lang::En => format!("{matrix} row {row} column {column}"),
        Lang::ZhCn => format!("{matrix} 第 {row} 行第 {column} 列"),
    }
}

/// What is wrong with an element of a matrix.
#[must_use]
pub fn wrong_cell(lang: Lang, element: &str, error: &str) -> String {
    match lang {
        Lang::En => format!("{element}: {error}"),
        Lang::ZhCn => format!("{element}：{error}"),
    }
}

/// What a dot product came to, its exact sum, and that rounded once.
#[must_use]
pub fn dot_result(lang: Lang, result: &str, exact: &str, best: &str, same: bool) -> String {
    match (lang, same) {
        (Lang::En, true) => format!("{result}; the exact sum is {exact}, and rounded once it is the same"),
        (Lang::En, false) => format!("{result}, though the exact sum is {exact}, which rounded once is {best}"),
        (Lang::ZhCn, true) => format!("{result}；精确和为 {exact}，一次舍入的结果相同"),
        (Lang::ZhCn, false) => format!("{result}，而精确和为 {exact}，一次舍入应为 {best}"),
    }
}

/// Nearest rounding in a format.
#[must_use]
pub fn nearest_in(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("{format}, to nearest"),
        Lang::ZhCn => format!("{format}，就近舍入"),
    }
}

/// A master copy in a format.
#[must_use]
pub fn master_in(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("{format} master copy"),
        Lang::ZhCn => format!("{format} 主副本"),
    }
}

/// Stochastic rounding in a format.
#[must_use]
pub fn stochastic_in(lang: Lang, format: &str) -> String {
    match lang {
        Lang::En => format!("{format}, stochastic"),
        Lang::ZhCn => format!("{format}，随机舍入"),
    }
}

/// Weight and update as the format holds them.
#[must_use]
pub fn held(lang: Lang, weight: &str, update: &str) -> String {
    match lang {
        Lang::En => format!("w is held as {weight}, u as {update}"),
        Lang::ZhCn => format!("w 存为 {weight}，u 存为 {update}"),
    }
}

/// Where |u| stands against half the gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is smaller.
    Below,
    /// It is the same.
    Tie,
    /// It is larger.
    Above,
    /// The weight is zero: every update that has a code is kept.
    FromZero,
    /// The update is zero.
    Nothing,
    /// The weight is an infinity and stays it.
    WeightInfinite,
    /// The update is an infinity.
    UpdateInfinite,
    /// The sum is a NaN.
    NotANumber,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Below,
        Self::Tie,
        Self::Above,
        Self::FromZero,
        Self::Nothing,
        Self::WeightInfinite,
        Self::UpdateInfinite,
        Self::NotANumber,
    ];
}

/// |u| against half the gap to the neighbour.
#[must_use]
pub fn half_gap(lang: Lang, standing: Standing, update: &str, half_gap: &str, lost: bool) -> String {
    let sign = if lost { "=" } else { "≠" };
    match (lang, standing) {
        (Lang::En, Standing::Below) => {
            format!("|u| = {update} is less than half the gap to the neighbour, {half_gap}: rn(w + u) {sign} w")
        }
        (Lang::En, Standing::Tie) => {
            format!(
                "|u| is exactly half the gap to the neighbour, {half_gap}; the tie goes to the even one: rn(w + u) {sign} w"
            )
        }
        (Lang::En, Standing::Above) => {
            format!("|u| = {update} is more than half the gap to the neighbour, {half_gap}: rn(w + u) {sign} w")
        }
        (Lang::En, Standing::FromZero) => format!("w is zero, so that w + u is u itself, {update}: rn(w + u) {sign} w"),
        (Lang::En, Standing::Nothing) => "u is zero: rn(w + u) = w, and nothing is lost".to_owned(),
        (Lang::En, Standing::WeightInfinite) => {
            "w is infinite: it has no neighbour, and w + u is w for every finite u".to_owned()
        }
        (Lang::En, Standing::UpdateInfinite) => "u is infinite, and so is w + u".to_owned(),
        (Lang::En, Standing::NotANumber) => "w + u is a NaN: no gap to compare with, and no way back".to_owned(),
        (Lang::ZhCn, Standing::FromZero) => format!("w 为零，w + u 就是 u 本身，即 {update}：rn(w + u) {sign} w"),
        (Lang::ZhCn, Standing::Nothing) => "u 为零：rn(w + u) = w，没有丢失任何东西".to_owned(),
        (Lang::ZhCn, Standing::WeightInfinite) => "w 为无穷：没有相邻数，对任何有限的 u，w + u 仍为 w".to_owned(),
        (Lang::ZhCn, Standing::UpdateInfinite) => "u 为无穷，w + u 也为无穷".to_owned(),
        (Lang::ZhCn, Standing::NotANumber) => "w + u 为 NaN：无从比较间隔，也无法恢复".to_owned(),
        (Lang::ZhCn, Standing::Below) => {
            format!("|u| = {update} 小于到相邻数间隔的一半 {half_gap}：rn(w + u) {sign} w")
        }
        (Lang::ZhCn, Standing::Tie) => {
            format!("|u| 恰为到相邻数间隔的一半 {half_gap}，等距取偶：rn(w + u) {sign} w")
        }
        (Lang::ZhCn, Standing::Above) => {
            format!("|u| = {update} 大于到相邻数间隔的一半 {half_gap}：rn(w + u) {sign} w")
        }
    }
}

/// |w / u| against the rule of thumb.
#[must_use]
pub fn ratio(lang: Lang, ratio: &str, log: &str, precision: u32) -> String {
    match lang {
        Lang::En => format!(
            "w / u = {ratio} = 2 to the {log}. Rule of thumb: from 2^{precision} on the update may be lost, from 2^{} on it always is",
            precision + 1
        ),
        Lang::ZhCn => format!(
            "w / u = {ratio}，即 2 的 {log} 次方。经验法则：自 2^{precision} 起更新可能丢失，自 2^{} 起必定丢失",
            precision + 1
        ),
    }
}

/// The title of the chart.
#[must_use]
pub fn after_steps(lang: Lang, steps: u32) -> String {
    match lang {
        Lang::En => format!("The same update {steps} times"),
        Lang::ZhCn => format!("同一更新累加 {steps} 次"),
    }
}

/// What is added at every step of the chart.
#[must_use]
pub fn additions(lang: Lang, update: &str) -> String {
    match lang {
        Lang::En => format!("the weight after adding {update} again and again"),
        Lang::ZhCn => format!("反复加上 {update} 之后的权重"),
    }
}
