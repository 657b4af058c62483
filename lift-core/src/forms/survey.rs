//! The survey: what the loops and the addresses of the plain form say about a program.
//!
//! In: the code of the plain form, or of the program with reduced rows apart (`lowered_for_survey`). Out: its
//! reductions, each with the parallel loops around it and the way in which its loads move with them and with
//! its own loop. It is taken of code and not of the typed program, because layouts have become arithmetic on
//! indices there. A reduction is named by its place in the source, which leads back to the typed program.

use crate::flat::FlatSet;
use crate::ir::code::Code;
use crate::ir::kernel::accesses::{Accesses, Stride, computed_indices, stride};
use crate::ir::kernel::{Loop, Order, Statement, Workers, nested};
use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::source::Source;

/// A reduction that every work-item of a kernel does alone.
#[derive(Clone)]
pub(super) struct Reduction {
    /// Its place in the program.
    pub(super) source: Source,
    /// The number of elements that are reduced; the most of all work-items, where these have different
    /// numbers.
    pub(super) length: Nat,
    /// What it loads in every step.
    pub(super) loads: Vec<Load>,
    /// The numbers of work-items, in each parallel loop around.
    pub(super) work_items: Vec<Nat>,
}

/// How a load moves.
#[derive(Clone)]
pub(super) struct Load {
    /// From one step of the reduction to the next.
    pub(super) along: Stride,
    /// From one work-item to the next, in each parallel loop around; that of dimension 0, where neighbours
    /// execute together, is the last.
    pub(super) across: Vec<Stride>,
}

/// A parallel loop.
#[derive(Clone)]
struct Axis {
    index: Var,
    extent: Nat,
}

/// The reductions whose elements may be taken in any order, and which stand in parallel loops only.
pub(super) fn reductions(code: &Code) -> Vec<Reduction> {
    let mut found = Vec::new();
    for kernel in &code.kernels {
        let survey = Survey { named: named(&kernel.body) };
        survey.block(&kernel.body, &[], &mut found);
    }
    found
}

struct Survey {
    /// What the indices with names are.
    named: Substitution,
}

impl Survey {
    fn block(&self, statements: &[Statement], axes: &[Axis], found: &mut Vec<Reduction>) {
        for statement in statements {
            match statement {
                Statement::Loop(repetition) => match repetition.workers {
                    Workers::Global(_) => {
                        let axis = Axis {
                            index: repetition.index.clone(),
                            extent: self.meaning(&repetition.extent),
                        };
                        let inside: Vec<Axis> = axes.iter().cloned().chain([axis]).collect();
                        self.block(&repetition.body, &inside, found);
                    }
                    Workers::Sequential if repetition.order == Order::Any => {
                        found.push(self.reduction(repetition, axes));
                    }
                    Workers::Sequential | Workers::WorkGroup(_) | Workers::Local(_) => {}
                },
                _ => {
                    for block in statement.blocks() {
                        self.block(block, axes, found);
                    }
                }
            }
        }
    }

    fn reduction(&self, repetition: &Loop, axes: &[Axis]) -> Reduction {
        let last: Substitution =
            axes.iter().map(|axis| (axis.index.clone(), &axis.extent - Nat::one())).collect();
        let (innermost, length) = self.nest(repetition);
        // Those that are computed from data; the others are known by their meaning.
        let varying: FlatSet<Var> = computed_indices(&repetition.body)
            .into_iter()
            .filter(|index| !self.named.contains_key(index))
            .collect();
        let load = |index: &Nat| {
            let index = self.meaning(index);
            Load {
                along: stride(&index, &innermost.index, &varying),
                across: axes.iter().map(|axis| stride(&index, &axis.index, &varying)).collect(),
            }
        };
        // `x * x` loads an element once.
        let mut loaded: Vec<(usize, &Nat)> = Vec::new();
        let accesses = Accesses::of(&repetition.body);
        for access in &accesses.loads {
            let place = (access.buffer.0, &access.index);
            if !loaded.contains(&place) {
                loaded.push(place);
            }
        }
        Reduction {
            source: repetition.source,
            length: length.substitute(&last),
            work_items: axes.iter().map(|axis| axis.extent.clone()).collect(),
            loads: loaded.into_iter().map(|(_, index)| load(index)).collect(),
        }
    }

    /// The innermost loop of a reduction, and the number of all its steps. A reduction of joined rows has a loop
    /// over the rows and one over the elements of each.
    fn nest<'l>(&self, repetition: &'l Loop) -> (&'l Loop, Nat) {
        let inner = repetition.body.iter().find_map(|statement| match statement {
            Statement::Loop(inner) if is_of_same_reduction(inner, repetition) => Some(inner),
            _ => None,
        });
        let extent = self.meaning(&repetition.extent);
        let Some(inner) = inner else { return (repetition, extent) };
        let (innermost, length) = self.nest(inner);
        let is_even = !length.mentions(&repetition.index);
        match is_even {
            true => (innermost, extent * length),
            // The rows have different lengths.
            false => (repetition, extent),
        }
    }

    /// An index in terms of the indices of loops.
    fn meaning(&self, nat: &Nat) -> Nat {
        nat.substitute(&self.named)
    }
}

/// Whether a loop in another one takes steps of the same reduction, which takes one row after the other.
fn is_of_same_reduction(inner: &Loop, outer: &Loop) -> bool {
    inner.workers == Workers::Sequential && inner.order == Order::Any && inner.source == outer.source
}

/// What the indices are that a kernel gives names to, in terms of the indices of loops.
fn named(body: &[Statement]) -> Substitution {
    let mut meanings = Substitution::default();
    for statement in nested(body) {
        if let Statement::DeclareValue { index, value, .. } = statement {
            let value = value.substitute(&meanings);
            meanings.insert(index.clone(), value);
        }
    }
    meanings
}
