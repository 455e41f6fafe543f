//! Numbers: formats as data, exact values, one rounding function. Pure functions on bits; no I/O, no threads.
