//! Loss scales as people type them.

/// The loss scale in `text`: a number (`1024`, `0.5`, `1e3`) or a power of two (`2^10`).
///
/// # Errors
/// One line: no number, or a number that is no loss scale (zero, negative, not finite in FP32).
pub(crate) fn parse_scale(text: &str) -> Result<f32, String> {
    let power = text.strip_prefix("2^").map(|exponent| exponent.trim_start_matches('+').parse::<i32>());
    let value = match power {
        Some(Ok(exponent)) => 2_f64.powi(exponent),
        Some(Err(_)) => return Err(format!("`{text}` is no loss scale; the exponent of 2^ is a whole number")),
        None => {
            text.parse().map_err(|_| format!("`{text}` is no loss scale; give a number or a power such as 2^16"))?
        }
    };
    let scale = value as f32;
    if value > 0.0 && scale > 0.0 && scale.is_finite() {
        Ok(scale)
    } else {
        Err(format!("a loss scale of {text} is refused; give a finite number above 0 that FP32 holds, such as 2^16"))
    }
}

/// The exponent of a loss scale that is a power of two.
///
/// # Errors
/// One line with the powers next to it.
pub(crate) fn parse_exponent(text: &str) -> Result<i32, String> {
    let scale = f64::from(parse_scale(text)?);
    let exponent = scale.log2().floor() as i32;
    if 2_f64.powi(exponent) == scale {
        return Ok(exponent);
    }
    let above = exponent + 1;
    Err(format!("a histogram tells only powers of two exactly, and {text} is none; take 2^{exponent} or 2^{above}"))
}

/// 2^`exponent` as text; `1` for 2^0.
pub(crate) fn power_text(exponent: i32) -> String {
    if exponent == 0 { "1".to_owned() } else { format!("2^{exponent}") }
}

/// A loss scale as text: `2^16` where it is a power of two, else the number.
pub(crate) fn scale_text(scale: f32) -> String {
    parse_exponent(&scale.to_string()).map_or_else(|_| scale.to_string(), power_text)
}
