//! The static graph of one step: tensors, and ops as data.
