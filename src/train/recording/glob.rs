//! Shell patterns over tensor and lane names.

/// Whether `name` matches `pattern`, in which `*` stands for any run of characters and `?` for any one.
///
/// Letters match in either case. The time is at most `pattern.len() × name.len()`.
///
/// ```
/// use halfscope::train::recording::glob_matches;
/// assert!(glob_matches("fc1.*", "fc1.weight.grad"));
/// assert!(!glob_matches("fc?.bias", "fc1.weight"));
/// ```
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().flat_map(char::to_lowercase).collect();
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let (mut p, mut n) = (0, 0);
    // where the last star was, and up to where it reaches so far
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, reach)) => {
                    star = Some((at, reach + 1));
                    p = at + 1;
                    n = reach + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}
