//! A work-item for each result.

use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::levels::{computing, global, nest, nested, sequential};

/// A work-item for each result.
pub const NAIVE: NamedStrategy = NamedStrategy {
    name: "naive",
    summary: "Gives each result of the outermost nest of maps, of up to three dimensions, to a work-item.",
    origin: "Hagedorn's thesis, section 3.2: the naive form",
    parameters: &[],
    make: |_, _| {
        let of_items = |dimensions| nested(&nest(dimensions, global), sequential());
        Ok(computing(Strategy::Choice(vec![of_items(3), of_items(2), of_items(1)])).outermost())
    },
};
