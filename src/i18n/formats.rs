//! Strings about formats that window and command line share: what a conversion did, what is often mistaken.

use super::strings::strings;

strings! {
    /// What a link of a conversion chain did to a value.
    Happened {
        DoubleRounding: "rounded twice to another number than once", "两次舍入的结果与一次舍入不同";
        SubnormalIgnored: "a subnormal number taken as zero", "次正规数被当作零";
        Saturated: "beyond the range: held at the largest", "超出范围：停在最大有限数";
        ToZero: "became zero", "变成零";
        FiniteToInfinite: "beyond the range: became infinity", "超出范围：变成无穷";
        FiniteToNan: "beyond the range: became NaN", "超出范围：变成 NaN";
        InfiniteToNan: "no infinity here: became NaN", "此格式没有无穷：变成 NaN";
        InfiniteToFinite: "no infinity here: became the largest number", "此格式没有无穷：变成最大有限数";
        NanToFinite: "no NaN here: became a number", "此格式没有 NaN：变成数值";
        ZeroToNan: "no zero here: became NaN", "此格式没有零：变成 NaN";
        NegativeToNan: "no sign here: became NaN", "此格式没有符号：变成 NaN";
        ZeroSignLost: "one zero here: lost its sign", "此格式只有一个零：失去符号";
    }
}

strings! {
    /// What is often said about a format and is wrong, and what is right.
    Mistaken {
        Fp16Range: "FP16 goes to ±65504, not to ±32768", "FP16 的范围是 ±65504，不是 ±32768";
        Fp16Underflow: "FP16 makes zero of |x| ≤ 2^-25, not of all below 2^-24: what lies between rounds up", "FP16 只把 |x| ≤ 2^-25 变成零，而不是 2^-24 以下的全部：两者之间的值向上舍入";
        Bf16Precision: "BF16 has FP32's range, not its precision: 8 significant bits", "BF16 有 FP32 的范围，但没有它的精度：只有 8 个有效位";
        E4m3Range: "OCP's E4M3 goes to 448, not to 240: only its topmost code is no number", "OCP 的 E4M3 到 448，不是 240：只有最高的编码不是数值";
        E4m3Nan: "0x7e is 448 in E4M3; NaN is 0x7f", "E4M3 中 0x7e 是 448，NaN 是 0x7f";
        TinyIsNormal: "the smallest E4M3 number is 2^-9; 2^-6, often called tiny, is the smallest normal one", "最小的 E4M3 数是 2^-9；2^-6 是最小正规数，有的程序库称之为 tiny";
        FnuzZero: "0x80 is NaN in FNUZ, not -0", "FNUZ 中 0x80 是 NaN，不是 -0";
    }
}
