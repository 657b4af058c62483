//! Each part of the language, through the macro, on the default device, against plain loops.

mod accumulators_that_end;
mod array_patterns;
mod bits;
mod choices;
#[path = "../common/mod.rs"]
mod common;
mod constants;
mod corners;
mod delimited_rows;
mod distributions;
mod interior;
mod iterations;
mod keyed;
mod language;
mod large_numbers;
mod numbers;
mod orders;
mod scans;
mod segments;
mod strict;
mod tables;
mod updates;
mod user_functions;
mod vectors;
mod widths;
