//! Things that are painted by hand. Each reports its role, name and value to screen readers, and each is
//! found by them in the tests.

pub mod binade_chart;
pub mod bit_strip;
pub mod card;
pub mod choice_list;
pub mod curve;
pub mod cut_strip;
pub mod error_chart;
pub mod format_chips;
pub mod format_field;
pub mod histogram;
pub mod lane_label;
pub mod number_line;
pub mod policy_bar;
pub mod power;
pub mod save_path;
pub mod scale_slider;
pub mod segmented;
pub mod share_row;
pub mod term;
pub mod value_field;
