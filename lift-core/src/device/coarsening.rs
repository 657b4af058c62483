//! Thread coarsening: a work-item of a kernel that does little for each element computes several of them.
//!
//! In: a body whose parallel loops go over the work-items of the device. Out: the same loops, each divided
//! into one over groups, one over the work-items of a group, and one over the elements of a work-item. In
//! dimension 0 these lie a group apart, so that neighbours still access neighbours. In the others they are
//! neighbours themselves where rows are wide, so that a stencil finds in registers what it has read for the
//! last one. No size has to divide another: every element is asked whether it is there, except in groups
//! that have all of theirs.
//!
//! To keep its memory busy, a GPU needs several loads of every work-item on their way, and starting a group
//! takes time. With one element per work-item, a copy on an H200 runs well below what its memory allows; with
//! four, it reaches that. (Magni et al., "A large-scale cross-architecture evaluation of thread-coarsening",
//! SC 2013.) Loads of vectors have the same effect (Nugteren, "CLBlast", IWOCL 2018), but only where sizes
//! and addresses are multiples of the vectors' width.

use super::launch::{is_size, stores_outside};
use crate::ir::kernel::comparisons::has_question;
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{self, Expression, Loop, Statement, Trip, Workers};
use crate::ir::names::Fresh;
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};
use crate::ir::typed::SizeVariable;

/// The shape of a group and of the tile that it computes.
#[derive(Debug, Clone, Copy)]
struct Shape {
    /// Work-items.
    items: [u64; 3],
    /// Elements of each work-item.
    elements: [u64; 3],
}

/// The shapes for kernels of one, two and three dimensions, in this order. Four elements for each work-item
/// suffice to reach the bandwidth of an H200; neither copies nor stencils are faster with eight or sixteen.
const SHAPES: [Shape; 3] = [
    Shape { items: [256, 1, 1], elements: [4, 1, 1] },
    Shape { items: [128, 2, 1], elements: [1, 4, 1] },
    Shape { items: [64, 4, 1], elements: [1, 4, 1] },
];

/// Kernels whose work-items do at most this many iterations of loops for an element are coarsened: others
/// have loads enough on their way.
const MOST_STEPS: i128 = 32;

/// A coarsened kernel.
pub(super) struct Coarsened {
    pub(super) body: Vec<Statement>,
    /// The work-items of a group.
    pub(super) local: [u64; 3],
}

/// Coarsens a kernel that does little for each element; `None` for others.
pub(super) fn coarsened(
    body: &[Statement],
    ranges: &Ranges,
    sizes: &[SizeVariable],
    fresh: &mut Fresh,
) -> Option<Coarsened> {
    let shape = Shape::of(&elements(body, sizes)?.extents)?;
    let mut tiles = Tiles { shape, ranges: ranges.clone(), substitution: Substitution::new(), fresh };
    Some(Coarsened { body: tiles.block(body), local: shape.items })
}

/// The elements of a kernel that does little for each of them.
pub(crate) struct Elements {
    /// Their number in each dimension, the fastest one first.
    pub(crate) extents: Vec<Nat>,
    /// The iterations of sequential loops to expect for one of them, together.
    pub(crate) steps: i128,
}

/// The elements of a kernel that does little for each of them; `None` for others.
pub(crate) fn elements(body: &[Statement], sizes: &[SizeVariable]) -> Option<Elements> {
    let mut extents: Vec<Option<Nat>> = vec![None; 3];
    for statement in kernel::nested(body) {
        let Statement::Loop(Loop { workers, extent, .. }) = statement else { continue };
        match workers {
            Workers::Sequential => {}
            Workers::WorkGroup(_) | Workers::Local(_) => return None,
            Workers::Global(dimension) => {
                let known = extents.get_mut(usize::from(*dimension))?;
                if !is_size(extent, sizes) || known.as_ref().is_some_and(|known| known != extent) {
                    return None;
                }
                *known = Some(extent.clone());
            }
        }
    }
    let extents: Vec<Nat> = extents.into_iter().map_while(|extent| extent).collect();
    let steps = steps(body).filter(|steps| *steps <= MOST_STEPS)?;
    let stores_all_in_loops = (0u8..).zip(&extents).all(|(dimension, _)| !stores_outside(body, dimension));
    (!extents.is_empty() && stores_all_in_loops).then_some(Elements { extents, steps })
}

/// The iterations of sequential loops to expect for one element, together; `None` where that is not a
/// constant.
fn steps(body: &[Statement]) -> Option<i128> {
    body.iter().try_fold(0i128, |sum, statement| {
        let times = match statement {
            Statement::Loop(repetition) if repetition.workers == Workers::Sequential => {
                repetition.expected_iterations()?
            }
            _ => 0,
        };
        let inside = statement.blocks().try_fold(0i128, |sum, block| Some(sum + steps(block)?))?;
        Some(sum.saturating_add(times).saturating_add(inside.saturating_mul(times.max(1))))
    })
}

impl Shape {
    /// The shape for a kernel of these extents. Where dimensions are known to be short, a group takes more of
    /// the next one.
    fn of(extents: &[Nat]) -> Option<Shape> {
        let mut shape = *SHAPES.get(extents.len() - 1)?;
        let mut spare = 1;
        for (extent, items) in extents.iter().zip(&mut shape.items) {
            let wanted = *items * spare;
            let known = extent.as_constant().and_then(|extent| u64::try_from(extent.max(1)).ok());
            *items = known.map_or(wanted, |known| wanted.min(known));
            spare = wanted / *items;
        }
        Some(shape)
    }

    fn has_wide_rows(&self) -> bool {
        self.items[0] >= WIDE_ROW
    }
}

/// With fewer work-items side by side, neighbours would access memory in too short pieces if each had rows of
/// its own.
const WIDE_ROW: u64 = 32;

/// The loops that replace one over the work-items of the device, the outermost first.
struct Levels {
    groups: Level,
    /// Over the work-items of a group.
    items: Level,
    /// Over the elements of a work-item.
    elements: Level,
}

/// One of these loops.
struct Level {
    workers: Workers,
    index: Var,
    extent: Nat,
}

impl Levels {
    /// The number of elements of a group.
    fn tile(&self) -> Nat {
        &self.items.extent * &self.elements.extent
    }

    /// The loops around the code for the elements of a work-item. The outermost one takes the place of the
    /// loop that they replace.
    fn around(self, body: Vec<Statement>, replaced: &Loop) -> Statement {
        let body = vec![self.items.around(body, replaced)];
        let Level { workers, index, extent } = self.groups;
        let origin = replaced.origin.clone();
        Statement::Loop(Loop { workers, index, extent, origin, body, ..*replaced })
    }
}

impl Level {
    /// The loop around a body.
    fn around(&self, body: Vec<Statement>, replaced: &Loop) -> Statement {
        let (workers, index, extent) = (self.workers, self.index.clone(), self.extent.clone());
        let (trip, origin) = (Trip::Any, String::new());
        Statement::Loop(Loop { workers, index, extent, trip, origin, body, ..*replaced })
    }
}

/// Divides the loops over the work-items of the device.
struct Tiles<'t> {
    shape: Shape,
    ranges: Ranges,
    substitution: Substitution,
    fresh: &'t mut Fresh,
}

impl Tiles<'_> {
    /// The loops in place of one over work-items.
    fn divided(&mut self, dimension: u8, repetition: &Loop) -> Option<Statement> {
        let extent = self.nat(&repetition.extent);
        let mut levels = self.levels(dimension, &extent)?;
        let elements = self.elements(dimension, repetition, &extent, &levels);
        let Some(is_whole) = self.is_whole(repetition, &extent, &levels) else {
            return Some(levels.around(elements, repetition));
        };
        levels.elements.index = self.fresh.index(&levels.elements.workers.name());
        let all = self.inside(|pass| {
            pass.ranges = pass.ranges.in_steps(&levels.groups.index, Some(&levels.groups.extent));
            pass.ranges = pass.ranges.where_holds(&is_whole);
            pass.elements(dimension, repetition, &extent, &levels)
        });
        Some(levels.around(vec![Statement::If(is_whole, all, elements)], repetition))
    }

    /// The code for the elements of a work-item.
    fn elements(&mut self, dimension: u8, replaced: &Loop, extent: &Nat, levels: &Levels) -> Vec<Statement> {
        let place = self.place_in_tile(dimension, levels);
        let body = self.element(replaced, extent.clone(), levels, place);
        match levels.elements.extent == Nat::one() {
            true => body,
            false => vec![levels.elements.around(body, replaced)],
        }
    }

    /// Whether the tile of a group has all its elements: then no work-item asks whether an element is there,
    /// and each loads all of its own before it stores the first. `None` where the tile always has them, for
    /// kernels of several dimensions, and where indices are compared, which index-set splitting treats.
    fn is_whole(&mut self, replaced: &Loop, extent: &Nat, levels: &Levels) -> Option<Expression> {
        if self.shape.elements[0] == 1 || replaced.body.iter().any(has_question) {
            return None;
        }
        self.inside(|pass| {
            pass.ranges = pass.ranges.in_steps(&levels.groups.index, Some(&levels.groups.extent));
            let end = levels.tile() * (Nat::variable(&levels.groups.index) + Nat::one());
            let condition = Condition::LessOrEqual(end, extent.clone());
            let condition = Expression::comparison(pass.ranges.simplify_condition(&condition));
            condition.as_truth().is_none().then_some(condition)
        })
    }

    /// The loops over an extent, with new indices; `None` for a dimension that no shape has.
    fn levels(&mut self, dimension: u8, extent: &Nat) -> Option<Levels> {
        let position = usize::from(dimension);
        let items = Nat::constant(i128::from(*self.shape.items.get(position)?));
        let elements = Nat::constant(i128::from(*self.shape.elements.get(position)?));
        let tile = &items * &elements;
        let groups = self.ranges.simplify(&(extent + &tile - Nat::one()).divide(&tile));
        let mut level =
            |workers: Workers, extent| Level { workers, index: self.fresh.index(&workers.name()), extent };
        Some(Levels {
            groups: level(Workers::WorkGroup(dimension), groups),
            items: level(Workers::Local(dimension), items),
            elements: level(Workers::Sequential, elements),
        })
    }

    /// The place of an element in its tile.
    fn place_in_tile(&self, dimension: u8, levels: &Levels) -> Nat {
        let Levels { items, elements, .. } = levels;
        let item = Nat::variable(&items.index);
        // The only element of a work-item is the first.
        let element = match elements.extent == Nat::one() {
            true => Nat::zero(),
            false => Nat::variable(&elements.index),
        };
        match dimension > 0 && self.shape.has_wide_rows() {
            true => &elements.extent * item + element,
            false => item + &items.extent * element,
        }
    }

    /// The code for the element at a place in its tile. The last tile may reach beyond the extent: then the
    /// code first asks whether the element is there.
    fn element(&mut self, repetition: &Loop, extent: Nat, levels: &Levels, place: Nat) -> Vec<Statement> {
        self.inside(|pass| {
            for Level { index, extent, .. } in [&levels.groups, &levels.items, &levels.elements] {
                pass.ranges = pass.ranges.in_steps(index, Some(extent));
            }
            let first = levels.tile() * Nat::variable(&levels.groups.index);
            let position = pass.ranges.simplify(&(first + place));
            let is_there = Condition::Less(position.clone(), extent);
            let is_there = Expression::comparison(pass.ranges.simplify_condition(&is_there));
            pass.ranges = pass.ranges.where_holds(&is_there);
            pass.substitution.insert(repetition.index.clone(), position);
            let body = pass.block(&repetition.body);
            pass.substitution.remove(&repetition.index);
            match is_there.as_truth() {
                Some(true) => body,
                _ => vec![Statement::If(is_there, body, Vec::new())],
            }
        })
    }
}

impl Fold for Tiles<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.ranges)
    }

    fn nat(&mut self, nat: &Nat) -> Nat {
        self.ranges.simplify(&nat.substitute(&self.substitution))
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        let substituted = condition.substitute(&self.substitution);
        Expression::comparison(self.ranges.simplify_condition(&substituted))
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        let divided = match statement {
            Statement::Loop(repetition) => match repetition.workers {
                Workers::Global(dimension) => self.divided(dimension, repetition),
                Workers::Sequential | Workers::WorkGroup(_) | Workers::Local(_) => None,
            },
            _ => None,
        };
        divided.map_or_else(|| self.parts(statement), |divided| vec![divided])
    }
}
