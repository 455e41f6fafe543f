//! Loss scaling as a pure state machine.
//!
//! The loss is multiplied by S before the backward pass so that small gradients stay above FP16's smallest subnormal,
//! and gradients are multiplied by 1/S before the update. [`LossScaler::next`] is what happens to S after a step.
//!
//! ```
//! use halfscope::train::config::ScalerConfig;
//! use halfscope::train::scaler::LossScaler;
//!
//! let scaler = LossScaler::new(&ScalerConfig::dynamic())?.expect("dynamic scaling has a scaler");
//! assert_eq!(scaler.scale(), 65536.0);
//! let after_overflow = scaler.next(true);
//! assert_eq!(after_overflow.scale(), 32768.0);
//! # Ok::<(), String>(())
//! ```

use super::config::ScalerConfig;

/// A loss scaler between two steps: S, its counters, and the rules they follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossScaler {
    rules: ScalerConfig,
    scale: f32,
    growth_tracker: u32,
    hysteresis_left: u32,
    floor: f32,
}

impl LossScaler {
    /// No scale goes below 2^-24: repeated overflow at that scale is not a problem of scaling any more, and at S = 0
    /// the reciprocal is infinite, gradients become 0·∞ = NaN and so do the weights.
    pub const FLOOR: f32 = 1.0 / 16_777_216.0;

    /// The scaler of a configuration; `None` for [`ScalerConfig::None`].
    ///
    /// # Errors
    /// One line saying which constant is wrong and what to do.
    pub fn new(rules: &ScalerConfig) -> Result<Option<Self>, String> {
        Self::with_floor(rules, Self::FLOOR)
    }

    /// Like [`LossScaler::new`] with another floor. With 0 the rules are `torch.amp.GradScaler`'s without our safety net: a
    /// hook for comparing with recorded traces.
    ///
    /// # Errors
    /// As [`LossScaler::new`].
    pub fn with_floor(rules: &ScalerConfig, floor: f32) -> Result<Option<Self>, String> {
        let (init, hysteresis_left) = match *rules {
            ScalerConfig::None => return Ok(None),
            ScalerConfig::Static { scale } => (scale, 0),
            ScalerConfig::Dynamic { init_scale, growth_factor, backoff_factor, .. } => {
                check_factors(growth_factor, backoff_factor)?;
                (init_scale, 0)
            }
            ScalerConfig::DeepSpeed { init_scale, hysteresis, min_scale, .. } => {
                check_scale(min_scale, floor).map_err(|why| format!("min_scale: {why}"))?;
                (init_scale, hysteresis.max(1))
            }
        };
        check_scale(init, floor)?;
        Ok(Some(Self { rules: *rules, scale: init, growth_tracker: 0, hysteresis_left, floor }))
    }

    /// The rules it follows.
    #[must_use]
    pub const fn rules(&self) -> ScalerConfig {
        self.rules
    }

    /// No scale goes below this.
    #[must_use]
    pub const fn floor(&self) -> f32 {
        self.floor
    }

    /// Overflows until the next one lowers the scale, plus one (`DeepSpeed`); 0 for scalers without hysteresis.
    #[must_use]
    pub const fn hysteresis_left(&self) -> u32 {
        self.hysteresis_left
    }

    /// The scale S.
    #[must_use]
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// 1/S as gradients are multiplied by it: divided in FP64, rounded once to FP32.
    #[must_use]
    pub fn inverse(&self) -> f32 {
        (1.0 / f64::from(self.scale)) as f32
    }

    /// Steps without overflow since the scale last changed (torch), or since the last overflow (DeepSpeed).
    #[must_use]
    pub const fn growth_tracker(&self) -> u32 {
        self.growth_tracker
    }

    /// This scaler at another scale. The growth tracker is kept, as torch's `update(new_scale)` does.
    ///
    /// # Errors
    /// One line for a scale that is zero, negative, not finite or below the floor.
    pub fn with_scale(self, scale: f32) -> Result<Self, String> {
        check_scale(scale, self.floor)?;
        Ok(Self { scale, ..self })
    }

    /// The scaler after a step whose scaled gradients were (`found_inf`) or were not all finite.
    #[must_use]
    pub fn next(self, found_inf: bool) -> Self {
        match self.rules {
            ScalerConfig::None | ScalerConfig::Static { .. } => self,
            ScalerConfig::Dynamic { growth_factor, backoff_factor, growth_interval, .. } => {
                self.next_dynamic(found_inf, growth_factor, backoff_factor, growth_interval)
            }
            ScalerConfig::DeepSpeed { window, hysteresis, consecutive, min_scale, .. } => {
                self.next_deepspeed(found_inf, window, hysteresis.max(1), consecutive, min_scale)
            }
        }
    }

    /// `torch.amp.GradScaler` (torch 2.13, `amp_update_scale_`): the FP32 scale times the FP64 factor, stored as FP32; growth
    /// when the tracker *equals* the interval (0 never grows), kept where the grown scale would not be finite.
    fn next_dynamic(self, found_inf: bool, growth: f64, backoff: f64, interval: u32) -> Self {
        if found_inf {
            let scale = times(self.scale, backoff).max(self.floor);
            return Self { scale, growth_tracker: 0, ..self };
        }
        let clean = self.growth_tracker.saturating_add(1);
        if clean != interval {
            return Self { growth_tracker: clean, ..self };
        }
        let grown = times(self.scale, growth);
        let scale = if grown.is_finite() { grown } else { self.scale };
        Self { scale, growth_tracker: 0, ..self }
    }

    /// DeepSpeed's `DynamicLossScaler`: the first `hysteresis − 1` overflows are forgiven; growth needs `window` clean steps
    /// *before* the one that grows. Where DeepSpeed gives up ("already at minimum") the scale stays at its minimum.
    fn next_deepspeed(self, found_inf: bool, window: u32, hysteresis: u32, consecutive: bool, min_scale: f32) -> Self {
        if found_inf {
            let last_chance = hysteresis == 1 || self.hysteresis_left == 1;
            let scale = if last_chance { times(self.scale, 0.5).max(min_scale) } else { self.scale };
            let hysteresis_left = if last_chance { self.hysteresis_left } else { self.hysteresis_left - 1 };
            return Self { scale, hysteresis_left, growth_tracker: 0, ..self };
        }
        let clean_before = self.growth_tracker;
        let grows = clean_before > 0 && clean_before.is_multiple_of(window.max(1));
        let grown = times(self.scale, 2.0);
        Self {
            scale: if grows && grown.is_finite() { grown } else { self.scale },
            hysteresis_left: if grows || consecutive { hysteresis } else { self.hysteresis_left },
            growth_tracker: clean_before.saturating_add(1),
            ..self
        }
    }
}

/// An FP32 scale times an FP64 factor: the product in FP64, stored as FP32.
fn times(scale: f32, factor: f64) -> f32 {
    (f64::from(scale) * factor) as f32
}

/// Whether a scale may be used.
fn check_scale(scale: f32, floor: f32) -> Result<(), String> {
    if !scale.is_finite() || scale <= 0.0 {
        return Err(format!("loss scale {scale} is not a positive finite number; use a power of two such as 65536"));
    }
    if scale < floor {
        return Err(format!("loss scale {scale:e} is below the floor 2^-24; use a power of two from 2^-24 up"));
    }
    Ok(())
}

/// Whether a dynamic scaler's factors move the scale the right way.
fn check_factors(growth: f64, backoff: f64) -> Result<(), String> {
    if !(growth > 1.0 && growth.is_finite()) {
        return Err(format!("growth_factor {growth} must be a finite number above 1, such as 2"));
    }
    if !(backoff > 0.0 && backoff < 1.0) {
        return Err(format!("backoff_factor {backoff} must lie between 0 and 1, such as 0.5"));
    }
    Ok(())
}
