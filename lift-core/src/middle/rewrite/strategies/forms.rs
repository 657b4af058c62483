//! Normal forms as strategies.

use super::super::normal;
use super::super::strategy::Strategy;
use super::NamedStrategy;

/// Fewer passes over arrays.
pub const FUSE: NamedStrategy = NamedStrategy {
    name: "fuse",
    summary: "Fuses maps as far as possible.",
    origin: "ICFP 2015, section 4.1",
    parameters: &[],
    make: |_, _| Ok(Strategy::Normalise(&normal::FUSED)),
};

/// Layouts cancel.
pub const CANONICAL: NamedStrategy = NamedStrategy {
    name: "canonical",
    summary: "Brings layouts to the inputs, where inverse ones cancel, and fuses maps.",
    origin: "GPGPU 2016, section 5: simplification of layouts",
    parameters: &[],
    make: |_, _| Ok(Strategy::Normalise(&normal::CANONICAL_LAYOUTS)),
};
