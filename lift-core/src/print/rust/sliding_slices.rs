//! Sliding slices: what the lanes of a strip read in all iterations of a loop is cut out before the loop, so
//! that one check suffices for all iterations.
//!
//! A loop over the 17 weights of a row of a convolution reads, for 64 lanes, 64 neighbours at a time, each
//! time one further on. Together these are 80 neighbours, a slice along which the iterations slide. Where
//! elements beyond an edge are read at another place, the slice is a copy: each element is found once, not in
//! every iteration.

use super::Printer;
use super::strip_context::{SlidingSlice, Source, StripContext};
use crate::flat::FlatSet;
use crate::host::{LaneTask, Lanes, computed_indices};
use crate::ir::kernel::accesses::{Access, Accesses, Certainty, Stride, coefficient, is_piece, stride};
use crate::ir::nat::{Nat, Ranges, Substitution, Var};

/// The longest slice, in elements.
const LONGEST: i128 = 4096;

/// A loop with the same iterations for all lanes.
#[derive(Clone, Copy)]
pub(super) struct Steps<'s> {
    pub(super) index: &'s Var,
    pub(super) extent: &'s Nat,
    pub(super) body: &'s [LaneTask],
}

/// The form of a slice.
struct Shape {
    length: i128,
    position: Nat,
    stride: Stride,
    /// Whether it is a copy, because its elements lie elsewhere in the array.
    is_copy: bool,
}

impl Printer<'_> {
    /// Declares the slices of a loop; returns them with those of the loops around it. `inside` holds in the
    /// loop.
    pub(super) fn slices(
        &mut self,
        steps: Steps<'_>,
        context: StripContext<'_>,
        ranges: &Ranges,
        inside: &Ranges,
    ) -> Vec<SlidingSlice> {
        let mut slices = context.slices.to_vec();
        for step in steps.body {
            let LaneTask::Lanes(statements) = step else { continue };
            let computed = computed_indices(statements);
            let varying: FlatSet<Var> = context.strip.indices.iter().cloned().chain(computed).collect();
            for load in Accesses::of(statements).loads {
                let Some(source) = self.source(load.buffer).filter(|source| source.is_slice) else {
                    continue;
                };
                let Some(shape) = shape(&load, steps, context, &varying) else { continue };
                for (row, before) in self.rows_of(&load, context) {
                    if SlidingSlice::of(&slices, &load, row).is_some() {
                        continue;
                    }
                    let name = format!("window{}", slices.len() + 1);
                    let value = match shape.is_copy {
                        true => self.copied(&source, &load, &shape, steps, context, inside),
                        false => {
                            let first = Substitution::from([(steps.index.clone(), Nat::zero())]);
                            let first = self.nat(&load.index.substitute(&first), ranges);
                            format!("__lift_host::row::<_, {}>({}, {first})", shape.length, source.name)
                        }
                    };
                    self.declare_cut(&name, &before, &value);
                    let name = if shape.is_copy { format!("&{name}") } else { name };
                    slices.push(SlidingSlice {
                        buffer: load.buffer,
                        index: load.index.clone(),
                        row,
                        source: Source { name, is_slice: true },
                        position: shape.position.clone(),
                        stride: shape.stride,
                    });
                }
            }
        }
        slices
    }

    /// The rows for which an access has slices, with the statements that set the position to each.
    fn rows_of(&self, load: &Access, context: StripContext<'_>) -> Vec<(Option<usize>, String)> {
        match context.rows {
            Some((outer, rows)) if load.index.mentions(outer) => {
                (0..rows).map(|row| (Some(row), self.at_row(outer, row))).collect()
            }
            Some(_) | None => vec![(None, String::new())],
        }
    }

    /// Prints the elements of a copied slice, each found in the way of the first iteration that reads it.
    fn copied(
        &mut self,
        source: &Source,
        load: &Access,
        shape: &Shape,
        steps: Steps<'_>,
        context: StripContext<'_>,
        inside: &Ranges,
    ) -> String {
        let at = self.nat(&load.index, inside);
        let (step, position) = (self.names.index(steps.index), self.names.index(context.index));
        let (name, length) = (&source.name, shape.length);
        format!(
            "__lift_host::sliding::<_, {length}>({name}, {}, #[inline(always)] |lane: isize, {step}: isize| {{ \
             let {position} = {position} + lane; {at} }})",
            context.lanes.number()
        )
    }
}

/// The slice of a load in a loop; `None` if it can have none. The load must happen in every iteration. Either
/// lanes and iterations advance through the array by constants, or the index depends only on the sum of lane
/// and iteration.
fn shape(
    load: &Access,
    steps: Steps<'_>,
    context: StripContext<'_>,
    varying: &FlatSet<Var>,
) -> Option<Shape> {
    let (Lanes::Strip(lanes), Some(extent)) = (context.lanes, steps.extent.as_constant()) else {
        return None;
    };
    let is_certain = load.certainty == Certainty::Always && load.depth == 0 && load.ty.lanes == 1;
    if extent < 2 || !is_certain || varying.iter().any(|index| load.index.mentions(index)) {
        return None;
    }
    let lanes = lanes as i128;
    let stride = stride(&load.index, context.index, varying);
    let distance = match stride {
        Stride::Zero => 0,
        Stride::One => 1,
        Stride::Constant(distance) if is_piece(distance) => distance,
        Stride::Constant(_) => return None,
        Stride::Other => {
            let length = extent.saturating_add(lanes - 1);
            let slides = length <= LONGEST && depends_on_sum(&load.index, context.index, steps.index);
            let position = Nat::variable(steps.index);
            return slides.then_some(Shape { length, position, stride: Stride::One, is_copy: true });
        }
    };
    let step = coefficient(&load.index, steps.index).filter(|step| *step > 0)?;
    let length = (extent - 1).checked_mul(step)?.checked_add((lanes - 1) * distance + 1)?;
    let position = Nat::constant(step) * Nat::variable(steps.index);
    (length <= LONGEST).then_some(Shape { length, position, stride, is_copy: false })
}

/// Whether an index depends only on the sum of these two.
fn depends_on_sum(index: &Nat, lane: &Var, step: &Var) -> bool {
    let difference = Nat::variable(lane) - Nat::variable(step);
    !index.substitute(&Substitution::from([(lane.clone(), difference)])).mentions(step)
}
