//! Strings of the Hardware view: devices, what they were asked, how their results differ.

use super::Lang;
use super::strings::strings;

strings! {
    /// Strings of the Hardware view.
    Hardware {
        Devices: "Devices", "设备";
        Observation: "What is seen here is an observation of one device with one driver, never the truth. Right is the exact result, rounded once.", "这里是对某个设备及其驱动的观察，不是真值。正确指精确结果只舍入一次。";
        Looking: "Looking for devices…", "正在查找设备…";
        Inputs: "Inputs", "输入";
        Chosen: "chosen", "精选";
        ChosenHint: "every border where an operation can go wrong, and many values in between", "运算可能出错的每个边界，以及其间的许多数值";
        All: "all 2³²", "全部 2³²";
        AllHint: "every operand for conversions and roots; the other operations are asked the chosen inputs", "转换与开方取遍所有操作数，其他运算使用精选输入";
        Observe: "Observe", "观察";
        ObserveHint: "let this device do every operation, on a thread", "在线程中让此设备执行每种运算";
        StopHint: "stop; what was seen so far stays", "停止，已得到的结果保留";
        NotSeen: "not observed yet", "尚未观察";
        Opening: "opening", "打开中";
        Running: "observing", "观察中";
        Seen: "observed", "已观察";
        Stopped: "stopped", "已停止";
        Failed: "failed", "出错";
        Missing: "not here", "不可用";
        Software: "a program on the processor: all 2³² inputs take it minutes", "在处理器上运行的程序：全部 2³² 个输入需要数分钟";
        Emulator: "the tests’ emulator, which runs on the processor", "测试用模拟器，在处理器上运行";
        EmptyTitle: "What does this device really do?", "此设备实际上怎样计算？";
        EmptyBody: "It is asked to convert, add, multiply, divide and take roots, millions of times. Each result is compared with the exact one: right to the bit, a NaN with other bits, subnormals flushed to zero, or wrong.", "让它执行数百万次转换、加、乘、除和开方，每个结果都与精确结果对照：逐位正确、其他位的 NaN、次正规数被清零，或者错误。";
        FailedTitle: "This device failed", "此设备出错";
        Operation: "operation", "运算";
        By: "done by", "执行者";
        Asked: "inputs", "输入";
        Right: "right", "正确";
        OtherNan: "other NaN", "其他 NaN";
        OtherNanHint: "a NaN where a NaN is right, with another sign or payload: IEEE 754 leaves these bits open", "应为 NaN 且得到 NaN，但符号或负载不同：IEEE 754 未规定这些位";
        Flushed: "flushed", "清零";
        FlushedHint: "right once subnormal operands or results are taken for zeros", "把次正规的操作数或结果当作零时正确";
        Wrong: "wrong", "错误";
        WrongHint: "neither right nor explained by NaN bits or flushing", "既不正确，也不能用 NaN 的位或清零解释";
        Farthest: "farthest", "最远";
        FarthestHint: "codes between the farthest wrong number and the right one, in ULP", "错误的数与正确的数最多相差多少 ULP";
        Examples: "Examples", "示例";
        Example: "Example", "示例";
        AllRight: "every result was right to the bit", "每个结果都逐位正确";
        NothingYet: "no answer yet", "尚无结果";
        RightResult: "right", "正确";
        SeenResult: "seen", "实际";
        NanSign: "a NaN, as is right, of the other sign", "应为 NaN，得到符号相反的 NaN";
        NanPayload: "a NaN, as is right, with a payload of its own", "应为 NaN，得到负载不同的 NaN";
        NanSignalling: "a NaN, as is right, but not made quiet", "应为 NaN，但未转为静默 NaN";
        OperandFlushed: "a subnormal operand was taken for zero", "次正规操作数被当作零";
        ResultFlushed: "the subnormal result was flushed to zero", "次正规结果被清零";
        Off: "another number than the nearest", "不是最接近的数";
        Sign: "the wrong sign", "符号错误";
        ToInfinity: "infinity where a number is right", "应为有限数，得到无穷";
        FromInfinity: "a number where infinity is right: held back at the end of the range", "应为无穷，得到有限数：停在范围末端";
        ToNan: "a NaN where a number is right", "应为数，得到 NaN";
        FromNan: "a number where a NaN is right", "应为 NaN，得到数";
        SaveTitle: "Save the report", "保存报告";
        SaveSame: "one JSON object a line, the same bytes as halfscope hardware --out", "每行一个 JSON 对象，与 halfscope hardware --out 的字节相同";
    }
}

/// How far a wrong number is from the right one, and on which side.
#[must_use]
pub fn off(lang: Lang, codes: u64, toward_zero: bool) -> String {
    match (lang, toward_zero) {
        (Lang::En, true) => format!("{codes} ULP nearer to zero than the right result"),
        (Lang::En, false) => format!("{codes} ULP farther from zero than the right result"),
        (Lang::ZhCn, true) => format!("比正确结果靠近零 {codes} ULP"),
        (Lang::ZhCn, false) => format!("比正确结果远离零 {codes} ULP"),
    }
}

/// How many results differ in one way: “1,234 × a NaN of the other sign”.
#[must_use]
pub fn so_many(count: &str, what: &str) -> String {
    format!("{count} × {what}")
}

/// What a device is doing: “observing √a, 37 %”.
#[must_use]
pub fn observing(lang: Lang, operation: &str, share: &str) -> String {
    match lang {
        Lang::En => format!("observing {operation}, {share}"),
        Lang::ZhCn => format!("正在观察 {operation}，{share}"),
    }
}

/// A row of the table for screen readers.
#[must_use]
pub fn row(lang: Lang, operation: &str, by: &str, [asked, right, nan, flushed, wrong]: [&str; 5]) -> String {
    match lang {
        Lang::En => format!(
            "{operation}, done by {by}: {asked} inputs, {right} right, {nan} other NaN, {flushed} flushed, {wrong} wrong"
        ),
        Lang::ZhCn => format!(
            "{operation}，执行者 {by}：{asked} 个输入，{right} 正确，{nan} 其他 NaN，{flushed} 清零，{wrong} 错误"
        ),
    }
}
