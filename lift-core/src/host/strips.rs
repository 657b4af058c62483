//! Strip-mining of loops with independent iterations.
//!
//! The statements of the body are distributed (`distribute`): each is executed for all lanes of a strip
//! before the next. A sequential loop whose extent is the same for all lanes moves outside. So the loop over
//! the lanes is innermost, has a known length and touches neighbouring elements; a compiler turns it into
//! vector instructions. Variables that live longer than a statement get a value for each lane. This module
//! decides whether strips pay, and how many lanes they have.

use super::accumulators::{Rows, decided};
use super::distribute::distribute;
use super::interior::{Interior, interior};
use super::invariant_loads::hoist_loads;
use super::simplify::simplified;
use super::task::{Bounds, LaneTask, Lanes, Narrow, Strip, Strips};
use crate::flat::FlatSet;
use crate::ir::kernel::accesses::{Accesses, Certainty, Stride, is_piece, stride};
use crate::ir::kernel::{self, Buffer, BufferId, Expression, Loop, Statement, Writes};
use crate::ir::names::Fresh;
use crate::ir::nat::{Nat, Ranges, Var};

/// The largest number of positions in a strip.
const MOST_LANES: usize = 64;

/// The least number of positions in a strip that is to fill vectors.
pub(super) const LEAST_LANES: usize = 16;

/// The number of positions in a strip that only hides the latency of what each position does one after the
/// other.
const INTERLEAVED_LANES: usize = 8;

/// The largest size of the variables of a strip, in bytes: about what vector registers hold.
const REGISTER_BYTES: i128 = 1024;

/// The largest size of the private arrays of a strip, in bytes: a part of the first cache.
const ARRAY_BYTES: i128 = 1 << 14;

/// A loop in strips; `None` where that does not pay. `ranges` hold around the loop.
pub(super) fn strips(
    repetition: &Loop,
    bounds: Bounds,
    buffers: &[Buffer],
    ranges: &Ranges,
    fresh: &mut Fresh,
) -> Option<Strips> {
    let index = &repetition.index;
    let is_short =
        |limit: usize| repetition.extent.as_constant().is_some_and(|extent| extent <= limit as i128);
    if is_short(INTERLEAVED_LANES - 1) {
        return None;
    }
    let interior = interior(&repetition.body, index, &repetition.extent, ranges);
    let inside = interior.within(index, &ranges.in_loop(repetition));
    let body = match interior.has_borders() {
        true => simplified(&repetition.body, &inside),
        false => repetition.body.clone(),
    };
    // The interior decides, because its loads show best how far apart they are. Borders and single positions
    // follow it.
    let for_lanes = Rows::of(&body, index).for_lanes(&body, &repetition.body);
    let body = decided(&body, &for_lanes);
    let repetition = &Loop { body: decided(&repetition.body, &for_lanes), ..repetition.clone() };
    let body = hoist_loads(body, index, buffers);
    let strip = distribute(&body, index, buffers, &inside, fresh);
    let lanes = lanes(&body, &strip, index, buffers, &repetition.extent)?;
    let accesses = Accesses::of(&repetition.body);
    let own = Writes::of(&repetition.body).declared_buffers;
    let repeatable = accesses.loaded().intersection(&accesses.stored()).all(|buffer| own.contains(buffer));
    let is_divided = bounds == Bounds::Part;
    let reach_all = !interior.has_borders()
        && match (lanes, repetition.extent.as_constant()) {
            (Lanes::Whole, _) => true,
            (Lanes::Strip(lanes), Some(extent)) if !is_divided => {
                let lanes = lanes as i128;
                extent % lanes == 0 || repeatable && extent >= lanes
            }
            (Lanes::Strip(_), _) => false,
        };
    let narrow = match lanes {
        Lanes::Strip(lanes) if !reach_all => {
            narrow(repetition, lanes, &interior, &strip, buffers, ranges, fresh)
        }
        Lanes::Strip(_) | Lanes::Whole => None,
    };
    Some(Strips {
        index: index.clone(),
        bounds,
        origin: repetition.origin.clone(),
        lanes,
        interior,
        repeatable,
        single: repetition.body.clone(),
        reach_all,
        strip,
        narrow,
    })
}

/// Shorter strips for borders, and for the positions that strips of `lanes` positions, which fill vectors,
/// leave over.
fn narrow(
    repetition: &Loop,
    lanes: usize,
    interior: &Interior,
    strip: &Strip,
    buffers: &[Buffer],
    ranges: &Ranges,
    fresh: &mut Fresh,
) -> Option<Box<Narrow>> {
    let accesses = Accesses::of(&repetition.body);
    let is_wide = accesses.loads.iter().chain(&accesses.stores).any(|access| access.ty.scalar.bytes() > 4);
    let narrow = if is_wide { LEAST_LANES / 2 } else { LEAST_LANES };
    if lanes < narrow {
        return None;
    }
    if !interior.has_borders() {
        return (lanes > narrow).then(|| Box::new(Narrow { lanes: narrow, strip: strip.clone() }));
    }
    let body = hoist_loads(repetition.body.clone(), &repetition.index, buffers);
    let strip = distribute(&body, &repetition.index, buffers, &ranges.in_loop(repetition), fresh);
    let rows = Rows::of(&body, &repetition.index);
    (!has_loops_of_lanes(&strip.tasks, &rows)).then(|| Box::new(Narrow { lanes: narrow, strip }))
}

/// The number of lanes that suits a body; `None` where strips do not pay.
fn lanes(body: &[Statement], strip: &Strip, index: &Var, buffers: &[Buffer], extent: &Nat) -> Option<Lanes> {
    let rows = Rows::of(body, index);
    let others = rows.removed_from(body);
    let has_loops = has_loops(&others);
    // A body that computes with vectors, the program's or those along rows, fills the vector unit already.
    // Where lanes have loops of their own, nothing is gained.
    let is_full = has_vectors(body) || (rows.are_in(body) && !has_loops);
    if is_full || has_loops_of_lanes(&strip.tasks, &rows) {
        return None;
    }
    let varying: FlatSet<Var> = strip.indices.iter().cloned().collect();
    let accesses = Accesses::of(&others);
    let own = |buffer: &BufferId| strip.memories.contains(buffer);
    let strides = |inner: bool| {
        let all = accesses.loads.iter().chain(&accesses.stores);
        let wanted = all.filter(move |access| !own(&access.buffer) && (access.depth > 0) == inner);
        wanted.map(|access| (stride(&access.index, index, &varying), access.certainty))
    };
    let apart = |stride: &(Stride, Certainty)| matches!(stride.0, Stride::Constant(_) | Stride::Other);
    let neighbours = |stride: &(Stride, Certainty)| stride.0 == Stride::One;
    let bytes = bytes(strip);
    let array_bytes =
        strip.memories.iter().map(|id| array_bytes(buffers.get(id.0))).fold(0, i128::saturating_add);
    let widest = accesses.loads.iter().chain(&accesses.stores).map(|access| access.ty.scalar.bytes()).max();
    let mut lanes = MOST_LANES;
    if has_loops && strides(true).any(|stride| apart(&stride)) {
        lanes = INTERLEAVED_LANES;
    } else if !has_loops && !strides(false).any(|stride| neighbours(&stride)) {
        return None;
    }
    let in_pieces = |stride: &(Stride, Certainty)| matches!(stride.0, Stride::Constant(far) if is_piece(far));
    if !has_loops && keeps_nothing(strip) && !strides(false).any(|stride| in_pieces(&stride)) {
        return Some(Lanes::Whole);
    }
    let fits = |lanes: usize| {
        lanes as i128 * bytes <= REGISTER_BYTES && array_bytes.saturating_mul(lanes as i128) <= ARRAY_BYTES
    };
    if widest.is_some_and(|widest| widest > 4) {
        lanes = lanes.min(MOST_LANES / 2);
    }
    while lanes > INTERLEAVED_LANES && !fits(lanes) {
        lanes /= 2;
    }
    if let Some(extent) = extent.as_constant() {
        // A loop shorter than a strip would have no strips.
        while lanes > INTERLEAVED_LANES && lanes as i128 > extent {
            lanes /= 2;
        }
    }
    fits(lanes).then_some(Lanes::Strip(lanes))
}

/// Whether no lane keeps anything from one statement to a later one.
fn keeps_nothing(strip: &Strip) -> bool {
    strip.variables.is_empty() && strip.indices.is_empty() && strip.memories.is_empty()
}

/// The size of the variables of a lane, in bytes.
pub(super) fn bytes(strip: &Strip) -> i128 {
    strip.variables.iter().map(|variable| variable.ty.scalar.bytes()).sum()
}

fn array_bytes(buffer: Option<&Buffer>) -> i128 {
    let length =
        buffer.and_then(|buffer| Some(buffer.length.as_constant()?.saturating_mul(buffer.element.bytes())));
    length.unwrap_or(i128::from(u32::MAX))
}

fn has_loops(body: &[Statement]) -> bool {
    kernel::any(body, &mut |statement| matches!(statement, Statement::Loop(_)))
}

/// Whether lanes have loops of their own, apart from those that are vectors for each lane.
fn has_loops_of_lanes(tasks: &[LaneTask], rows: &Rows<'_>) -> bool {
    tasks.iter().any(|task| match task {
        LaneTask::Lanes(statements) => has_loops(&rows.removed_from(statements)),
        LaneTask::Least { .. } | LaneTask::Rest { .. } => false,
        LaneTask::For { body, .. } => has_loops_of_lanes(body, rows),
        LaneTask::If(_, then, otherwise) => {
            has_loops_of_lanes(then, rows) || has_loops_of_lanes(otherwise, rows)
        }
    })
}

fn has_vectors(body: &[Statement]) -> bool {
    let mut is_vector = |part: &Expression| part.ty().lanes > 1;
    kernel::any(body, &mut |statement| {
        statement.expressions().iter().any(|expression| expression.any(&mut is_vector))
    })
}
