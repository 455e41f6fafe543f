//! The window, driven without one.
