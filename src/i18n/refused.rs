//! What is said of a text that is no number or format.
//!
//! `{0}`, `{1}`… stand for the fields of the error. The command line prints the English line, which the error of `format`
//! makes itself, since that room knows no interface; a test holds the two against each other.

use super::strings::strings;

strings! {
    /// Why a text is no number or format, as templates.
    Refused {
        Empty: "empty: type a value such as 0.1, 0x1.8p3, 2^-24 or fp16:0x7bff", "空：请输入数值，例如 0.1、0x1.8p3、2^-24 或 fp16:0x7bff";
        NotANumber: "\"{0}\" is not a number: write 0.5, 1e-8, 2^-24, 1/3 or fp16:0x7bff", "“{0}”不是数：可写 0.5、1e-8、2^-24、1/3 或 fp16:0x7bff";
        HexDigitsMissing: "{0} has no digits after it: write fp16:0x3c00 for bits (those of 1.0) or 0x1.8p0 for a number (1.5)", "{0} 后面没有十六进制数字：表示编码可写 fp16:0x3c00（即 1.0），表示数可写 0x1.8p0（即 1.5）";
        BitsOrNumber: "{0} alone could be bits or a number: fp16:{0} or {0}p0?", "单独的 {0} 可能是编码，也可能是数：请写 fp16:{0} 或 {0}p0";
        HexPowerMissing: "{0} needs its power of two: write {0}p0 for times 2^0", "{0} 缺少 2 的幂：写成 {0}p0，表示乘以 2^0";
        ExponentMissing: "{0} needs digits after the {1}", "{0} 的 {1} 后面缺少数字";
        Comma: "\"{0}\" has a comma: write the decimal point as \".\", and no thousands separators", "“{0}”含有逗号：小数点请用“.”，不要写千位分隔符";
        Underscore: "\"{0}\" has an underscore: write the digits without separators", "“{0}”含有下划线：数字之间不要加分隔符";
        Unexpected: "unexpected \"{0}\" after {1}", "{1} 后面不应出现“{0}”";
        ExpressionTooLong: "\"{0}\" is longer than the {1} characters an expression may have", "“{0}”太长：表达式最多 {1} 个字符";
        NestedTooDeep: "\"{0}\" is nested more than {1} deep", "“{0}”的嵌套超过 {1} 层";
        BracketNotOpened: "\"{0}\" has a \")\" without its \"(\"", "“{0}”有“)”却没有对应的“(”";
        BracketNotClosed: "\"{0}\" has a \"(\" without its \")\"", "“{0}”有“(”却没有对应的“)”";
        OperandMissing: "\"{0}\" ends where a number is missing", "“{0}”末尾缺少一个数";
        TooLarge: "\"{0}\" is too large to be computed exactly", "“{0}”太大，无法精确计算";
        DivisionByZero: "\"{0}\" divides by zero", "“{0}”除以零";
        FractionalPower: "\"{0}\" has a power that is not a whole number", "“{0}”的幂不是整数";
        CodeForm: "bits are written {0}:0x… or {0}:0b…, fields {0}:SIGN:EXPONENT:FRACTION, bytes {0}:le:{1} or {0}:be:{2}", "编码写作 {0}:0x… 或 {0}:0b…，字段写作 {0}:符号:指数:尾数，字节写作 {0}:le:{1} 或 {0}:be:{2}";
        SignTooWide: "the sign of {0} has {1} bits: 0 to {2}, not {3}", "{0} 的符号有 {1} 位：0 到 {2}，不能是 {3}";
        ExponentTooWide: "the exponent field of {0} has {1} bits: 0 to {2}, not {3}", "{0} 的指数字段有 {1} 位：0 到 {2}，不能是 {3}";
        FractionTooWide: "the fraction field of {0} has {1} bits: 0 to {2}, not {3}", "{0} 的尾数字段有 {1} 位：0 到 {2}，不能是 {3}";
        BytesWrong: "{0} in memory is {1} × two hexadecimal digits, such as {2}", "{0} 在内存中是 {1} × 两个十六进制数字，例如 {2}";
        NotWhole: "\"{0}\" is not a whole number in decimal, 0x… or 0b…", "“{0}”不是整数：请用十进制、0x… 或 0b…";
        NoValues: "empty: write values parted by spaces or commas, such as 0.1 -0.5 3 448", "空：请输入用空格或逗号分隔的数值，例如 0.1 -0.5 3 448";
        VariableMissing: "\"{0}\" has no x: write a function such as (x + 1) - 1", "“{0}”中没有 x：请写成函数，例如 (x + 1) - 1";
        NotATerm: "\"{0}\" is not a number: write x, sqrt(x), 0.5, 2^-24 or 1/3", "“{0}”不是数：可写 x、sqrt(x)、0.5、2^-24 或 1/3";
        PowerTooHigh: "\"{0}\" has a power of x above {1}", "“{0}”中 x 的幂超过 {1}";
        NoNumbers: "{0} has no numbers from {1} to {2}", "{0} 在 {1} 到 {2} 之间没有数";
        RootNotOpened: "\"{0}\" has a sqrt without its \"(\"", "“{0}”的 sqrt 后面缺少“(”";
        NotHexDigits: "\"{0}\" is not a string of hexadecimal digits", "“{0}”不是一串十六进制数字";
        NotBinaryDigits: "\"{0}\" is not a string of binary digits", "“{0}”不是一串二进制数字";
        BitsTooWide: "{0} is wider than the {1} bits of {2}", "{0} 超过 {2} 的 {1} 位";
        UnknownFormat: "unknown format \"{0}\": use {1} or a custom one such as e6m9, e5m3b16-fn", "未知格式“{0}”：可用 {1}，或自定义格式，如 e6m9、e5m3b16-fn";
        WidthOnly: "\"{0}\" says how wide a format is, not which: use {1}", "“{0}”只说明位宽，没有说明是哪种格式：可用 {1}";
        UnknownBlockFormat: "unknown block format \"{0}\": use {1}", "未知块格式“{0}”：可用 {1}";
        ExponentBits: "a format has 1 to {1} exponent bits, not {0}", "格式的指数有 1 到 {1} 位，不能是 {0} 位";
        FormatTooWide: "sign, {0} exponent and {1} fraction bits are more than 64 bits", "符号、{0} 位指数与 {1} 位尾数合计超过 64 位";
        OnlyE8m0Scales: "only e8m0 is a scale format", "只有 e8m0 是缩放格式";
        NoRoomForNumbers: "{0} has no room for its special codes and a normal number: use at least {1}", "{0} 放不下特殊编码和正规数：至少用 {1}";
        Bias: "a bias lies between 0 and {1}, {0} does not", "偏置应在 0 与 {1} 之间，{0} 不在其中";
        SingleZeroAlready: "fnuz has a single zero already: leave out -uz", "fnuz 本来就只有一个零：去掉 -uz";
        IsFnuz: "a format without infinity, NaN and -0 is written -fnuz", "没有无穷、NaN 和 -0 的格式写作 -fnuz";
        E8m0HasNoZero: "e8m0 has no zero", "e8m0 没有零";
        ChainTooLong: "a chain has at most {0} formats here, not {1}", "此处转换链最多 {0} 种格式，不能有 {1} 种";
    }
}
