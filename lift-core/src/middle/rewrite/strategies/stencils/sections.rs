//! Sections of a stencil: the results whose windows see a border, and the others.

use super::super::super::mismatch::Mismatch;
use super::super::super::rule::Argument;
use super::super::super::rules::{MAP_SEQ_UNROLL, SECTIONS};
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::borders::{Border, Nest};
use super::levels::{global, nested, sequential};

/// No comparison of an index where no border is.
pub const SPLIT_BORDERS: NamedStrategy = NamedStrategy {
    name: "splitBorders",
    summary: "Gives code of its own to the results whose windows see a border, so that all others compare no \
              indices, and each result to a work-item.",
    origin: "FHPNC 2019, section 4: boundary-free stencils; how wide the borders are is found",
    parameters: &[],
    make: |program, _| {
        let Some(Nest { path, borders }) = Nest::outermost(&program.body) else {
            return Err(Mismatch::condition("there is a `map` of windows that see a border", &program.body));
        };
        let strategy = Strategy::in_order([in_sections(&borders), sections_on_items(&borders)]);
        Ok(Strategy::At(path, Box::new(strategy)))
    },
};

/// Divides each dimension of a nest of maps that has borders. Inner maps come first, because the function of
/// a divided one is no map.
fn in_sections(borders: &[Option<Border>]) -> Strategy {
    let Some((border, inner)) = borders.split_first() else { return Strategy::in_order([]) };
    let divided = border.as_ref().map(|Border { first, last }| {
        Strategy::Apply(&SECTIONS, vec![Argument::Size(first.clone()), Argument::Size(last.clone())])
    });
    let inner = (!inner.is_empty()).then(|| in_sections(inner).in_function());
    Strategy::Sequence(inner.into_iter().chain(divided).collect())
}

/// The results of a nest that is divided like this, each by a work-item, and section by section.
fn sections_on_items(borders: &[Option<Border>]) -> Strategy {
    borders.iter().rev().zip(0..).fold(sequential(), |inside, (border, dimension)| {
        let on_items = nested(&[global(dimension)], inside);
        match border {
            None => on_items,
            // Below the `join` of the sections.
            Some(_) => nested(&[Strategy::rule(&MAP_SEQ_UNROLL)], on_items).in_input(),
        }
    })
}
