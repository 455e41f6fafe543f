//! The words of the field, each explained in a sentence or two for somebody who meets it for the first time.

use super::strings::strings;

strings! {
    /// A word that the window explains where it stands.
    Term {
        Ulp: "ULP (unit in the last place): the distance from a number to the next one of its format. Rounding to nearest errs by half of it at most.", "ULP（末位单位）：一个数到同一格式中下一个数的距离。就近舍入的误差不超过半个 ULP。";
        Invalid: "invalid: the operation has no number as its result, such as 0 ÷ 0 or ∞ − ∞. The result is NaN.", "无效：运算没有任何数作为结果，例如 0 ÷ 0 或 ∞ − ∞。结果是 NaN。";
        DivideByZero: "divide by zero: a finite number other than 0 was divided by 0. The result is exactly ∞ or −∞.", "除以零：非零的有限数除以 0。结果恰为 ∞ 或 −∞。";
        Overflow: "overflow: the rounded result would be larger than the largest number of the format. Mostly ∞ takes its place.", "上溢：舍入后的结果会超过该格式的最大有限数，通常以 ∞ 代替。";
        Underflow: "underflow: the result is so small that the format keeps it with fewer bits, or as 0, and digits were lost. It need not be 0.", "下溢：结果太小，格式只能用更少的位表示它，或者只能得到 0，并且丢失了数字。结果不一定是 0。";
        Inexact: "inexact: the exact result is no number of the format, so it was rounded.", "不精确：精确结果不是该格式中的数，因此被舍入。";
        NoFlags: "no flags: the result is exact. Flags are what IEEE 754 lets an operation report: invalid, divide by zero, overflow, underflow, inexact.", "无标志：结果是精确的。标志是 IEEE 754 中运算报告的情况：无效、除以零、上溢、下溢、不精确。";
        Zero: "zero: there are two, 0 and −0. They compare equal, but 1 ÷ −0 is −∞: the sign tells from which side a value became 0.", "零：有 0 和 −0 两个。它们比较时相等，但 1 ÷ −0 得 −∞：符号说明数值从哪一侧变成 0。";
        Subnormal: "subnormal, also called denormal: a number below the smallest normal one. Its leading digit is 0 instead of 1, so the smaller it is, the fewer significant bits it has.", "次正规数（也叫非规格化数）：比最小正规数还小的数。它的首位是 0 而不是 1，因此越小，有效位越少。";
        Normal: "normal: a number 1.… times a power of two, with all significant bits that the format has. The leading 1 is not stored.", "正规数：1.… 乘以 2 的幂，具有该格式的全部有效位。首位的 1 不存储。";
        Infinite: "infinity: stands for what is beyond the range. It goes on in later operations: ∞ + 1 is ∞.", "无穷：表示超出范围的值。后续运算会保持它：∞ + 1 仍是 ∞。";
        Nan: "NaN (not a number): the result of an invalid operation. Whatever is computed from it is NaN again.", "NaN（非数）：无效运算的结果。由它算出的结果仍是 NaN。";
        Signalling: "signalling NaN: raises the flag invalid as soon as an operation reads it; a quiet NaN passes without a flag.", "信号 NaN：一被运算读到就产生“无效”标志；静默 NaN 则不产生标志。";
        Guard: "guard bit: the first bit that no longer fits. It is worth half an ULP: if it is 0, the value lies below the midpoint.", "保护位：放不下的第一位，值半个 ULP。它若为 0，数值就在中点以下。";
        Round: "round bit: the second bit that no longer fits, worth a quarter of an ULP.", "舍入位：放不下的第二位，值四分之一个 ULP。";
        Sticky: "sticky bit: 1 if any bit behind the round bit is 1. It tells a value exactly on the midpoint from one just above it.", "粘滞位：舍入位之后只要有一位是 1，它就是 1。它区分恰在中点的值与略高于中点的值。";
        Kept: "kept: the leading bits of the value that the format has room for.", "保留：数值的前若干位，即该格式放得下的部分。";
        Midpoint: "midpoint: half way between two neighbouring numbers. Rounding to nearest asks on which side of it a value lies.", "中点：两个相邻数的正中。就近舍入要看数值在它的哪一侧。";
        Tie: "tie: a value exactly on the midpoint, as near to one neighbour as to the other. A rule decides: mostly the neighbour whose last bit is 0, the even one.", "等距：数值恰在中点，到两个相邻数一样近。需要规则来决定：通常取末位为 0 的那个，即偶数。";
        Binade: "binade: all numbers from one power of two up to the next, such as [1, 2) or [2, 4). They share one exponent and one ULP.", "二进区间：从一个 2 的幂到下一个 2 的幂之间的所有数，例如 [1, 2) 或 [2, 4)。它们的指数相同，ULP 也相同。";
        TinyAfter: "tiny after rounding: a result counts as tiny if it is below the smallest normal number once rounded to the format's precision. x86 and RISC-V do so.", "舍入后判定微小：按格式的精度舍入之后仍小于最小正规数，才算微小。x86 与 RISC-V 如此。";
        TinyBefore: "tiny before rounding: a result counts as tiny if the exact value is below the smallest normal number, even if it rounds up to it. Arm does so.", "舍入前判定微小：精确值小于最小正规数就算微小，即使它会舍入成最小正规数。Arm 如此。";
        Fnuz: "FNUZ (finite, NaN, unsigned zero): FP8 formats without ∞ and without −0; the code that would be −0 is the only NaN. E4M3FNUZ and E5M2FNUZ are such formats.", "FNUZ（有限、NaN、无符号零）：没有 ∞ 也没有 −0 的 FP8 格式；原本表示 −0 的编码是唯一的 NaN。E4M3FNUZ 与 E5M2FNUZ 属于这种格式。";
        Epsilon: "epsilon: the distance from 1 to the next larger number. Rounding to nearest changes a normal number by half of epsilon at most, relative to its size.", "机器精度：1 到下一个更大的数的距离。就近舍入对正规数的相对改变不超过它的一半。";
        WholeTo: "whole to: every whole number up to this one is a number of the format. Beyond it, some are missing.", "整数精确至：不超过此数的每个整数都能精确表示；再往上就有缺失。";
        OverflowsAt: "overflows at: from here on rounding to nearest leaves the range, though the largest number is smaller.", "上溢始于：从这里起，就近舍入会超出范围，尽管最大有限数比它小。";
        MinNormal: "min normal: the smallest positive number that has all significant bits. Below it lie the subnormal ones.", "最小正规：具有全部有效位的最小正数。比它小的是次正规数。";
        MinSubnormal: "min subnormal: the smallest positive number of all. It has a single significant bit.", "最小次正规：最小的正数，只有一个有效位。";
        SpecialCodes: "special codes: which codes are no numbers: ±∞ and NaN (not a number).", "特殊编码：哪些编码不是数：±∞ 与 NaN（非数）。";
        Fields: "sign, exponent and fraction: how many bits each field has.", "符号、指数、尾数：各字段的位数。";
        Exponent: "exponent: the power of two. What is stored is that power plus the bias, so that it needs no sign of its own.", "指数：2 的幂。存储的是幂加上偏置，这样它自己不需要符号。";
        Bias: "bias: what is taken off the stored exponent to get the power of two. FP16 has 15: a stored 15 means 2^0.", "偏置：从存储的指数中减去它，就得到 2 的幂。FP16 的偏置是 15：存储的 15 表示 2^0。";
        Fraction: "fraction, also called mantissa: the bits behind the point of 1.… The whole 1.… is the significand.", "尾数（小数部分）：1.… 中小数点之后的位。整个 1.… 称为有效数。";
        Saturate: "saturate: overflow and infinities become the largest finite number instead of ∞ or NaN.", "饱和：上溢与无穷变为最大有限数，而不是 ∞ 或 NaN。";
        Ftz: "FTZ (flush to zero): a result that would be subnormal becomes 0. Fast modes of processors do so.", "FTZ（清零）：本应为次正规数的结果变为 0。处理器的快速模式会这样做。";
        Daz: "DAZ (denormals are zero): subnormal operands count as 0.", "DAZ：次正规的操作数当作 0。";
        Rne: "The nearest number; exactly half way, the one whose last bit is 0. The default of IEEE 754 and of practically every processor.", "取最近的数；恰在中点时取末位为 0 的那个。这是 IEEE 754 的默认方式，几乎所有处理器都用它。";
        Rna: "The nearest number; exactly half way, the one farther from zero, as taught at school.", "取最近的数；恰在中点时取离零更远的那个，即学校里教的四舍五入。";
        Rtz: "The neighbour nearer to zero: the bits that do not fit are cut off.", "取更靠近零的相邻数：放不下的位直接截去。";
        Rup: "The neighbour that is not smaller. With the opposite mode it encloses a result between two bounds.", "取不小于它的相邻数。与相反的方式合用，可以得到结果的上下界。";
        Rdn: "The neighbour that is not larger.", "取不大于它的相邻数。";
        Rto: "Where the value is no number of the format, the neighbour whose last bit is 1. Rounding the result once more to a narrower format then does no harm.", "数值不能精确表示时，取末位为 1 的相邻数。这样再舍入到更窄的格式也不会出错。";
        Sr: "One of the two neighbours by chance, the nearer one more often. Right on average, so that many small updates are not all lost.", "随机取两个相邻数之一，越近的机会越大。平均值正确，因此大量微小的更新不会全部丢失。";
        NanQuiet: "The result is a quiet NaN with the sign of the operand and nothing else of it.", "结果是静默 NaN，只保留操作数的符号。";
        NanPayload: "The result keeps sign and leading bits of the operand's NaN, as x86 does.", "结果保留操作数 NaN 的符号和前若干位，x86 如此。";
        NanCanonical: "The result is always the same NaN with sign 0, as on RISC-V.", "结果总是同一个 NaN，符号为 0，RISC-V 如此。";
        Rem: "IEEE remainder: a − n·b with n the whole number nearest to a ÷ b. It can be negative, and is always exact.", "IEEE 余数：a − n·b，n 是最接近 a ÷ b 的整数。结果可以为负，并且总是精确的。";
        Fmod: "C's fmod: a − n·b with n = a ÷ b cut off toward zero. It has the sign of a, and is always exact.", "C 语言的 fmod：a − n·b，n 是 a ÷ b 向零截断的结果。符号与 a 相同，并且总是精确的。";
        Fma: "Fused multiply-add: a × b + c rounded once instead of twice.", "乘加融合：a × b + c 只舍入一次，而不是两次。";
        MinNum: "The rule of 2008: if one operand is a quiet NaN, the other one is the result.", "2008 年的规则：一个操作数是静默 NaN 时，结果取另一个。";
        Minimum: "The rule of 2019: if one operand is NaN, the result is NaN. −0 counts as smaller than 0.", "2019 年的规则：一个操作数是 NaN，结果就是 NaN。−0 小于 0。";
        MinimumNumber: "The rule of 2019 for numbers: any NaN gives way to a number. −0 counts as smaller than 0.", "2019 年针对数的规则：NaN 总让位于数。−0 小于 0。";
        Master: "master copy: the weights a second time in a wider format. Updates are added there, so small ones are not lost, and the narrow weights are made from it.", "主副本：以更宽的格式另存一份权重。更新加在主副本上，小的更新不会丢失，窄格式的权重由它得到。";
        Kahan: "Kahan's correction: a second number remembers what each addition rounded away, and the next addition gives it back.", "Kahan 补偿：用另一个数记住每次加法舍去的部分，在下一次加法中补回。";
        Sequential: "Every product is added by itself, and every sum is rounded.", "每个乘积单独相加，每次的和都要舍入。";
        Fused: "Several products are added exactly and the sum is rounded once: a model of the adders in Tensor Cores.", "若干乘积先精确相加，再舍入一次：这是 Tensor Core 加法器的模型。";
        Blocks: "Products are added in short blocks with a narrow accumulator, the sums of the blocks with a wide one.", "乘积按短块用窄累加器相加，各块之和再用宽累加器相加。";
    }
}
