//! Where a program runs: one trait, one conformance suite.
