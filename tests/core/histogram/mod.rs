//! Histograms: what they predict against values that are really cast.

mod advice;
mod cast;
mod counting;
mod serial;
mod what_if;
