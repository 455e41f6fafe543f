//! Conversions one after another, link by link, beside the direct ones; and the smallest number for which they differ.

use super::literal::Literal;
use super::policy::{Policy, Rounding};
use super::round::Rounded;
use super::spec::Format;
use super::status::Status;
use super::value::{Class, Value};

/// A value on its way through several formats.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// One link per format, in order.
    pub links: Vec<Link>,
}

/// One conversion of a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The format converted to.
    pub format: Format,
    /// The conversion of what the link before left, with its own flags.
    pub rounded: Rounded,
    /// The conversion of the value itself to this format.
    pub direct: Rounded,
    /// What happened here.
    pub events: Vec<ChainEvent>,
}

/// What a link did to a value that a person should see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChainEvent {
    /// Rounded twice to another number than once: the first link where chain and direct conversion part, with nothing
    /// but roundings before it.
    DoubleRounding,
    /// A subnormal number of the format before was taken as zero (`daz`).
    SubnormalIgnored,
    /// A number beyond the range was held at the largest.
    Saturated,
    /// A non-zero number became zero.
    ToZero,
    /// A number became an infinity.
    FiniteToInfinite,
    /// A number beyond the range became NaN, since the format has no infinity.
    FiniteToNan,
    /// An infinity became NaN.
    InfiniteToNan,
    /// An infinity became the largest number.
    InfiniteToFinite,
    /// A NaN became a number, since the format has no NaN.
    NanToFinite,
    /// A zero became NaN, since the format has no zero.
    ZeroToNan,
    /// A negative number became NaN, since the format has no sign.
    NegativeToNan,
    /// −0 became +0, since the format has one zero.
    ZeroSignLost,
}

impl ChainEvent {
    /// The name in JSON: `double-rounding`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DoubleRounding => "double-rounding",
            Self::SubnormalIgnored => "subnormal-ignored",
            Self::Saturated => "saturated",
            Self::ToZero => "to-zero",
            Self::FiniteToInfinite => "finite-to-infinite",
            Self::FiniteToNan => "finite-to-nan",
            Self::InfiniteToNan => "infinite-to-nan",
            Self::InfiniteToFinite => "infinite-to-finite",
            Self::NanToFinite => "nan-to-finite",
            Self::ZeroToNan => "zero-to-nan",
            Self::NegativeToNan => "negative-to-nan",
            Self::ZeroSignLost => "zero-sign-lost",
        }
    }
}

impl Link {
    /// Whether the chain has another code here than the direct conversion.
    #[must_use]
    pub const fn differs(&self) -> bool {
        self.rounded.bits != self.direct.bits
    }
}

impl Chain {
    /// Takes a value through `formats`, each conversion from the code before it.
    ///
    /// ```
    /// use halfscope::format::{Chain, ChainEvent, Format, Policy, parse_value};
    ///
    /// // 1025.49995 is not half way between 1025 and 1026, but its FP32 neighbour 1025.5 is.
    /// let typed = parse_value("1025.49995")?;
    /// let chain = Chain::of(&typed, &[Format::FP32, Format::FP16], &Policy::default());
    /// assert!(chain.differs());
    /// assert_eq!(chain.links[1].events, [ChainEvent::DoubleRounding]);
    /// # Ok::<(), halfscope::format::ParseError>(())
    /// ```
    #[must_use]
    pub fn of(literal: &Literal, formats: &[Format], policy: &Policy) -> Self {
        let mut links: Vec<Link> = Vec::with_capacity(formats.len());
        for &format in formats {
            let direct = literal.round(format, policy);
            let rounded = match links.last() {
                Some(before) => before.format.convert(before.rounded.bits, format, policy),
                None => direct.clone(),
            };
            let before = links.last().map_or_else(|| literal.value(), |link| link.format.decode(link.rounded.bits));
            let ignored = policy.daz
                && links.last().is_some_and(|link| link.format.class(link.rounded.bits) == Class::Subnormal)
                && rounded.bits != direct.bits;
            let only_rounded = |link: &Link| !link.differs() && link.events.is_empty();
            let twice = rounded.bits != direct.bits && !ignored && links.iter().all(only_rounded);
            let events = [
                twice.then_some(ChainEvent::DoubleRounding),
                ignored.then_some(ChainEvent::SubnormalIgnored),
                range_event(&before, format, &rounded),
            ];
            let events = events.into_iter().flatten().collect();
            links.push(Link { format, rounded, direct, events });
        }
        Self { links }
    }

    /// Whether the last link has another code than the direct conversion to its format.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.links.last().is_some_and(Link::differs)
    }
}

/// What became of the class of a value.
fn range_event(before: &Value, format: Format, after: &Rounded) -> Option<ChainEvent> {
    let class = format.class(after.bits);
    match before {
        Value::Nan(_) => (class != Class::Nan).then_some(ChainEvent::NanToFinite),
        Value::Infinite { .. } => match class {
            Class::Infinite => None,
            Class::Nan => Some(ChainEvent::InfiniteToNan),
            _ => Some(ChainEvent::InfiniteToFinite),
        },
        Value::Finite(zero) if zero.is_zero() => match class {
            Class::Nan => Some(ChainEvent::ZeroToNan),
            _ if zero.is_negative() && !format.is_negative(after.bits) => Some(ChainEvent::ZeroSignLost),
            _ => None,
        },
        Value::Finite(number) => match class {
            Class::Infinite => Some(ChainEvent::FiniteToInfinite),
            Class::Nan if number.is_negative() && !format.is_signed() => Some(ChainEvent::NegativeToNan),
            Class::Nan => Some(ChainEvent::FiniteToNan),
            Class::Zero => Some(ChainEvent::ToZero),
            _ => after.status.contains(Status::OVERFLOW).then_some(ChainEvent::Saturated),
        },
    }
}

/// What a search for a witness came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Witness {
    /// The smallest positive code of the first format whose way through the chain ends elsewhere than its direct
    /// conversion.
    Found(u64),
    /// No positive number of the first format has one.
    None,
    /// None below the code of the last format given; beyond it was not searched.
    NoneBelow(u64),
}

/// Codes of the last format that a search looks at, from the smallest on.
const SEARCHED_CODES: u64 = 1 << 17;

/// Searches the smallest positive number of the first format for which the chain and the direct conversion differ.
///
/// Both are monotonic, and between two neighbours of the last format the direct one has a single step, at their ends
/// or at their midpoint. So it is enough to compare on both sides of each step and to halve the interval where they
/// begin to differ.
///
/// # Errors
/// One line for fewer than three formats, or for stochastic rounding, where chance makes the difference.
pub fn smallest_witness(formats: &[Format], policy: &Policy) -> Result<Witness, String> {
    let (Some(&source), Some(&target), 3..) = (formats.first(), formats.last(), formats.len()) else {
        return Err("a witness needs a chain of three formats or more: fp64,fp32,fp16".to_owned());
    };
    if matches!(policy.rounding, Rounding::Sr { .. }) {
        return Err("under stochastic rounding chance makes the difference: choose another mode".to_owned());
    }
    let search = Search { formats, source, target, policy };
    if source.max_finite_code() < SEARCHED_CODES {
        let found = (source.min_positive_code()..=source.max_finite_code()).find(|bits| search.differs(*bits));
        return Ok(found.map_or(Witness::None, Witness::Found));
    }
    // The first number of the source at which nothing can have gone wrong yet.
    let mut agreed = source.min_positive_code();
    if search.differs(agreed) {
        return Ok(Witness::Found(agreed));
    }
    let last = target.max_finite_code();
    let first = if target.has_zero() { 0 } else { target.min_positive_code() };
    let codes = (first..=last).filter(|code| *code == 0 || *code >= target.min_positive_code());
    for code in codes.take(SEARCHED_CODES as usize) {
        for step in search.steps(code) {
            if step <= agreed {
                continue;
            }
            if search.differs(step) {
                return Ok(Witness::Found(search.first_between(agreed, step)));
            }
            agreed = step;
        }
    }
    if last - first >= SEARCHED_CODES {
        return Ok(Witness::NoneBelow(first + SEARCHED_CODES));
    }
    // Beyond the last step the direct conversion stays where it is; the chain may not.
    let end = source.max_finite_code();
    Ok(if search.differs(end) { Witness::Found(search.first_between(agreed, end)) } else { Witness::None })
}

struct Search<'a> {
    formats: &'a [Format],
    source: Format,
    target: Format,
    policy: &'a Policy,
}

impl Search<'_> {
    fn differs(&self, bits: u64) -> bool {
        let mut code = bits;
        for pair in self.formats.windows(2) {
            code = pair[0].convert(code, pair[1], self.policy).bits;
        }
        code != self.source.convert(bits, self.target, self.policy).bits
    }

    /// Numbers of the source on both sides of where the direct conversion leaves a code of the target, in order.
    fn steps(&self, code: u64) -> Vec<u64> {
        let up = self.target.next_up(code);
        let [low, high] = [code, up].map(|code| self.target.decode(code));
        let Value::Finite(low) = low else { return Vec::new() };
        let midpoint = match &high {
            Value::Finite(high) if up != code => low.add(high).and_then(|sum| sum.mul(&super::Exact::power_of_two(-1))),
            // Beyond the largest number the step is where the next one would be half way.
            _ => Ok(self.target.limits().overflow_threshold),
        };
        let ends = [Some(low), midpoint.ok(), high.finite().cloned()];
        let down = Policy { saturate: true, ..Policy::with_rounding(Rounding::Rdn) };
        let mut steps = Vec::with_capacity(9);
        for end in ends.into_iter().flatten() {
            let at = self.source.round(&Value::Finite(end), &down).bits;
            steps.extend([self.source.next_down(at), at, self.source.next_up(at)]);
        }
        // The codes of positive numbers are in the order of the numbers; −0 and below wrap to the end and go.
        let last = self.source.max_finite_code();
        steps.retain(|bits| *bits <= last && self.source.class(*bits) != Class::Nan);
        steps.sort_unstable();
        steps
    }

    /// The first code after `agreed` at which they differ, given that they do at `differing`.
    fn first_between(&self, mut agreed: u64, mut differing: u64) -> u64 {
        while differing - agreed > 1 {
            let middle = agreed + (differing - agreed) / 2;
            if self.differs(middle) {
                differing = middle;
            } else {
                agreed = middle;
            }
        }
        differing
    }
}
