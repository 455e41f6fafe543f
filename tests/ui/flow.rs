//! The whole job by hand: start, watch, turn the scale, export.
