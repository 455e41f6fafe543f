//! Decimal digits of codes: all of them, and the fewest that read back. Small numbers take a path in machine words.

use std::cmp::Ordering;

use super::exact::Exact;
use super::policy::Policy;
use super::spec::Format;
use super::status::Status;
use super::text::special_name;
use super::value::{Class, Value};

/// Nine decimal digits, the limb of numbers that are about to be printed.
const LIMB: u64 = 1_000_000_000;
/// Powers of two that are multiplied out limb by limb: all of FP64's, and what lies in between is quick. Beyond, the big
/// numbers of `Exact` are quicker.
const MAX_MULTIPLIED: u64 = 1_100;

/// A decimal number: d.ddd × 10^exponent.
pub(super) struct Decimal {
    /// No leading zero unless it is 0 itself.
    pub(super) digits: String,
    /// Power of ten of the first digit.
    pub(super) exponent: i64,
}

impl Decimal {
    /// integer × 10^last.
    pub(super) fn new(integer: &impl ToString, last: i64) -> Self {
        let digits = integer.to_string();
        Self { exponent: last + digits.len() as i64 - 1, digits }
    }

    /// significand × 2^exponent, in limbs of nine digits; `None` where that would take long.
    pub(super) fn of(significand: u64, exponent: i64) -> Option<Self> {
        let twos = significand.trailing_zeros();
        if twos == 64 {
            return Some(Self::new(&0, 0));
        }
        let exponent = exponent + i64::from(twos);
        let steps = exponent.unsigned_abs();
        if steps > MAX_MULTIPLIED {
            return None;
        }
        let odd = significand >> twos;
        let mut limbs = vec![odd % LIMB, odd / LIMB % LIMB, odd / (LIMB * LIMB)];
        // n / 2^k = n · 5^k / 10^k. The largest powers below 2^31, so that limb × power + carry stays in 64 bits.
        let (base, at_once): (u64, u64) = if exponent < 0 { (5, 13) } else { (2, 30) };
        for _ in 0..steps / at_once {
            multiply(&mut limbs, base.pow(at_once as u32));
        }
        multiply(&mut limbs, base.pow((steps % at_once) as u32));
        Some(Self::from_limbs(&limbs, exponent.min(0)))
    }

    /// The number in limbs, least significant first, × 10^last.
    fn from_limbs(limbs: &[u64], last: i64) -> Self {
        let mut bytes = Vec::with_capacity(9 * limbs.len());
        for limb in limbs.iter().rev() {
            let mut digits = [b'0'; 9];
            let mut rest = *limb as u32;
            for digit in digits.iter_mut().rev() {
                *digit += (rest % 10) as u8;
                rest /= 10;
            }
            bytes.extend_from_slice(&digits);
        }
        let zeros = bytes.iter().take_while(|digit| **digit == b'0').count();
        bytes.drain(..zeros);
        let digits = String::from_utf8(bytes).unwrap_or_default();
        Self { exponent: last + digits.len() as i64 - 1, digits }
    }

    /// The digits laid out: scientific below 1e-6 and from 1e21, else positional; no trailing zeros behind the point.
    pub(super) fn layout(&self, negative: bool) -> String {
        self.layout_below(negative, 21)
    }

    /// The same, positional only below 10^`scientific_from`.
    pub(super) fn layout_below(&self, negative: bool, scientific_from: i64) -> String {
        let digits = self.digits.trim_end_matches('0');
        let count = digits.len() as i64;
        let mut text = String::with_capacity(digits.len() + 12);
        if negative {
            text.push('-');
        }
        let zeros = |text: &mut String, count: i64| text.extend(std::iter::repeat_n('0', count.max(0) as usize));
        match self.exponent {
            _ if digits.is_empty() => text.push('0'),
            // 10^-6 is the smallest number that starts six places behind the point.
            exponent if exponent < -6 || exponent >= scientific_from => {
                text.push_str(&digits[..1]);
                if count > 1 {
                    text.push('.');
                    text.push_str(&digits[1..]);
                }
                text.push('e');
                text.push_str(&self.exponent.to_string());
            }
            exponent @ -6..0 => {
                text.push_str("0.");
                zeros(&mut text, -exponent - 1);
                text.push_str(digits);
            }
            exponent if exponent + 1 >= count => {
                text.push_str(digits);
                zeros(&mut text, exponent + 1 - count);
            }
            exponent => {
                let (whole, fraction) = digits.split_at(exponent as usize + 1);
                text.push_str(whole);
                text.push('.');
                text.push_str(fraction);
            }
        }
        text
    }
}

/// Multiplies a number in limbs by less than 2^31.
fn multiply(limbs: &mut Vec<u64>, by: u64) {
    let mut carry = 0;
    for limb in &mut *limbs {
        let product = *limb * by + carry;
        *limb = product % LIMB;
        carry = product / LIMB;
    }
    while carry > 0 {
        limbs.push(carry % LIMB);
        carry /= LIMB;
    }
}

/// The standard library finds the same digits by a faster way, for FP64 alone; a test compares the two ways.
fn shortest_of_fp64(magnitude: u64) -> Decimal {
    let text = format!("{:e}", f64::from_bits(magnitude));
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    Decimal { digits: digits.replace('.', ""), exponent: exponent.parse().unwrap_or_default() }
}

/// What reads back as a code, in FP64: between the midpoints to both neighbours, each of which FP64 holds exactly.
#[derive(Clone, Copy)]
struct Window {
    low: f64,
    high: f64,
}

impl Window {
    /// Where integer × 10^last lies; `None` on a border or where FP64 cannot tell.
    fn holds(self, integer: u128, last: i64) -> Option<bool> {
        const TENS: [f64; 23] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
            1e19, 1e20, 1e21, 1e22,
        ];
        let integer = u64::try_from(integer).ok()?;
        // Both are exact, so that one operation rounds once, as reading does.
        let power = TENS.get(last.unsigned_abs() as usize).filter(|_| integer < 1 << 53);
        let read = match power {
            Some(power) if last >= 0 => integer as f64 * power,
            Some(power) => integer as f64 / power,
            None => format!("{integer}e{last}").parse().ok()?,
        };
        // Rounding keeps order: strictly inside or outside after it is so before it.
        match (read.partial_cmp(&self.low)?, read.partial_cmp(&self.high)?) {
            (Ordering::Greater, Ordering::Less) => Some(true),
            (Ordering::Equal, _) | (_, Ordering::Equal) => None,
            _ => Some(false),
        }
    }
}

impl Format {
    /// The value of a code with all its digits: `65504`, `5.9604644775390625e-8`, `-0`, `inf`, `nan`.
    #[must_use]
    pub fn exact_decimal(self, bits: u64) -> String {
        match self.decimal(bits) {
            Some(decimal) => decimal.layout(self.shows_minus(bits)),
            None => special_name(&self.decode(bits)).to_owned(),
        }
    }

    /// The unit in the last place with all its digits; `None` for infinities and NaNs.
    #[must_use]
    pub fn ulp_decimal(self, bits: u64) -> Option<String> {
        let exponent = self.ulp_exponent(bits)?.into();
        match Decimal::of(1, exponent) {
            Some(decimal) => Some(decimal.layout(false)),
            None => Exact::power_of_two(exponent).to_decimal(),
        }
    }

    /// The magnitude of a finite code.
    fn decimal(self, bits: u64) -> Option<Decimal> {
        match self.class(bits) {
            Class::Infinite | Class::Nan => return None,
            Class::Zero => return Decimal::of(0, 0),
            Class::Subnormal | Class::Normal => {}
        }
        let (significand, exponent) = self.significand(bits);
        Decimal::of(significand, exponent)
            .or_else(|| Exact::dyadic(false, significand.into(), exponent).finite_decimal())
    }

    const fn shows_minus(self, bits: u64) -> bool {
        self.is_negative(bits) && (self.has_negative_zero() || !matches!(self.class(bits), Class::Zero))
    }

    /// The shortest decimal that reads back as the same code of *this* format, and the closest of the shortest.
    #[must_use]
    pub fn shortest(self, bits: u64) -> String {
        let Some(decimal) = self.decimal(bits) else {
            return special_name(&self.decode(bits)).to_owned();
        };
        let negative = self.shows_minus(bits);
        if self.class(bits) == Class::Zero {
            return decimal.layout(negative);
        }
        if self == Self::FP64 {
            return shortest_of_fp64(bits & self.magnitude_mask()).layout(negative);
        }
        let window = self.window(bits);
        // n digits are enough as soon as 10^(n−1) exceeds 2^precision; the number's own digits are, too.
        let enough = self.precision() as usize * 30_103 / 100_000 + 2;
        let (mut low, mut high) = (1, enough.min(decimal.digits.len()));
        let mut best = None;
        while low <= high {
            // More digits never lose: what reads back with n does so with n + 1.
            let middle = usize::midpoint(low, high);
            if let Some(found) = self.nearest_that_reads_back(bits, window, &decimal, middle) {
                best = Some(found);
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        best.unwrap_or(decimal).layout(negative)
    }

    /// The window of a finite non-zero code, if FP64 holds its ends.
    fn window(self, bits: u64) -> Option<Window> {
        let inside = self.fraction_bits() >= 1
            && self.precision() <= 50
            && self.min_lsb_exponent() > -1020
            && self.max_exponent() < 1020
            && !self.skips_subnormals();
        if !inside {
            return None;
        }
        let (significand, exponent) = self.significand(bits);
        // Below a power of two the numbers lie twice as close, but for the smallest normal one.
        let tight = self.fraction_field(bits) == 0 && self.exponent_field(bits) > 1;
        let unit = f64::from_bits(((exponent - 2 + 1023) as u64) << 52);
        let quarters = 4 * significand;
        let low = (quarters - if tight { 1 } else { 2 }) as f64 * unit;
        Some(Window { low, high: (quarters + 2) as f64 * unit })
    }

    /// The `count`-digit decimal closest to a number among the two around it that read back as its code.
    fn nearest_that_reads_back(
        self,
        bits: u64,
        window: Option<Window>,
        exact: &Decimal,
        count: usize,
    ) -> Option<Decimal> {
        let (head, rest) = exact.digits.split_at(count.min(exact.digits.len()));
        let down: u128 = head.parse().ok()?;
        let last = exact.exponent - head.len() as i64 + 1;
        let read_exactly = |integer: u128| {
            let value = Exact::decimal(self.is_negative(bits), integer.into(), last);
            let rounded = self.round(&Value::Finite(value), &Policy::default());
            rounded.bits == bits & self.mask() && !rounded.status.contains(Status::OVERFLOW)
        };
        let reads_back = |integer: u128| {
            window.and_then(|window| window.holds(integer, last)).unwrap_or_else(|| read_exactly(integer))
        };
        if rest.bytes().all(|digit| digit == b'0') {
            return Some(Decimal::new(&down, last));
        }
        // Where both are equally close the standard library prints the larger; so do we.
        let up_is_closer = rest.as_bytes()[0] >= b'5';
        let order = if up_is_closer { [down + 1, down] } else { [down, down + 1] };
        order
            .into_iter()
            .filter(|integer| *integer != 0)
            .find(|integer| reads_back(*integer))
            .map(|integer| Decimal::new(&integer, last))
    }
}
