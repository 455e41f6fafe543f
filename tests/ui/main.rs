//! The window, driven without one: every view in every language and theme, and the whole job from start to export.

mod bits;
mod flow;
mod fonts;
mod pictures;
mod support;
mod views;
