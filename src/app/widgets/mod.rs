//! Things that are painted by hand. Each reports its role, name and value to screen readers, and each is
//! found by them in the tests.

pub mod bit_strip;
pub mod card;
pub mod curve;
pub mod histogram;
pub mod number_line;
pub mod power;
pub mod scale_slider;
pub mod segmented;
pub mod share_row;
