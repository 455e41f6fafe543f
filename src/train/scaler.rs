//! Loss scaling as a pure state machine.
