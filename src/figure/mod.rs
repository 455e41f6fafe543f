//! Pictures: a renderer-free description of a plot, and the SVG, PNG and CSV writers.
