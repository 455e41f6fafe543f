//! The window, driven without one: every view in every language and theme, and the whole job from start to export.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod bits;
mod controls;
mod explorer;
mod failing;
mod flow;
mod fonts;
mod hardware;
mod lanes;
mod pictures;
mod support;
mod views;
mod words;
