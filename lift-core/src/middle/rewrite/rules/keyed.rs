//! Reductions by key of whole arrays, divided among the work-items of the device.
//!
//! Each work-item makes a table of its own from consecutive elements; a second kernel combines the entries of
//! all tables for each key, in the order of the elements. So nothing is written twice at a time, and results
//! are the same whenever sizes are. This is the extreme case of subhistograms, one for each thread (Henriksen
//! et al., *Compiling Generalized Histograms for GPU*, SC 2020, section 4).

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Rule};
use super::division::joins_uneven_rows;
use super::parts::{constants, is_outside_functions};
use crate::ir::nat::Nat;
use crate::ir::typed::keyed::KeyedReduction;
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Lambda, MapKind};
use crate::middle::laws::{Accumulation, Axioms, Operator, Start};
use crate::middle::stated::{Builder, ceiling, length_of};

/// Work-items make tables of parts of an array, and others combine them.
pub const REDUCE_BY_KEY_IN_PARTS: Rule = Rule {
    name: "reduceByKeyInParts",
    statement: "reduce(|t, x| update(k(x), op(at(k(x), t), x), t), z) = chunks(n) >> \
                mapGlb0(reduceSeq(…, repeat(m, e))) >> transpose >> (zip with z) >> mapGlb0(reduceSeq(op)), \
                for at most `parts` chunks, of more than four times as many elements as the table has",
    origin: "Henriksen et al., Compiling Generalized Histograms for GPU, SC 2020, section 4",
    parameters: &[Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| {
        let [parts] = constants(arguments)?;
        if parts < 1 {
            return Err(Mismatch::condition("there is a part", redex.expr));
        }
        if !is_outside_functions(redex) {
            let wanted = "the whole device computes it, outside of all functions";
            return Err(Mismatch::condition(wanted, redex.expr));
        }
        let Some(keyed) = divisible(redex.expr) else {
            let wanted = "each step updates the entry of a table that its element asks for, the order is open, \
                          and elements lie where a formula says";
            return Err(Mismatch::condition(wanted, redex.expr));
        };
        let axioms = Axioms::of_place(build);
        let divided = build.prover().numbered(|next_id| {
            let mut builder = Builder { next_id: *next_id };
            let combined = Combined::of(&keyed.combination, axioms, &mut builder)?;
            let table = in_parts(&keyed, &combined, parts, &mut builder);
            *next_id = builder.next_id;
            Some(table)
        });
        divided.ok_or_else(|| {
            let wanted = "entries are combined by an operator that is known to be associative, and to have an \
                          identity or to be idempotent";
            Mismatch::condition(wanted, redex.expr)
        })
    },
};

/// The reduction by key, if its elements can be divided.
pub(super) fn divisible(expr: &Expr) -> Option<KeyedReduction<'_>> {
    let keyed = KeyedReduction::of(expr)?;
    let is_regular = keyed.elements.ty.as_array().is_some_and(|array| array.index.is_none());
    (is_regular && !joins_uneven_rows(keyed.elements)).then_some(keyed)
}

/// Whether the rule applies to a reduction outside of all functions.
pub(in crate::middle) fn may_be_divided_by_key(reduction: &Expr, axioms: Axioms<'_>, next_id: u32) -> bool {
    divisible(reduction)
        .is_some_and(|keyed| Combined::of(&keyed.combination, axioms, &mut Builder { next_id }).is_some())
}

/// How the entries of tables are combined.
pub(super) struct Combined {
    pub(super) operator: Lambda,
    /// What the entries of tables start from.
    start: Start,
}

impl Combined {
    pub(super) fn of(combination: &Lambda, axioms: Axioms<'_>, builder: &mut Builder) -> Option<Combined> {
        let accumulation = Accumulation::derived(combination, axioms, &mut || builder.fresh())?;
        let start = Operator::derived(&accumulation.operator, axioms)?.start?;
        Some(Combined { operator: accumulation.operator, start })
    }

    /// The table that a part of the elements starts from; `before` reads the table that all of them start from.
    pub(super) fn first(
        &self,
        keyed: &KeyedReduction<'_>,
        before: &Arc<Expr>,
        build: &mut Builder,
    ) -> Arc<Expr> {
        let length = length_of(before);
        match (&self.start, &before.kind) {
            (Start::Before, _) => build.renumbered(before),
            (Start::Identity(identity), _) => {
                let entry = keyed.initial.ty.as_array().map_or(&keyed.initial.ty, |array| &array.element);
                let entry = build.identity(identity, entry, keyed.initial.source);
                build.repeat(length, entry)
            }
            (start, ExprKind::Repeat(_, entry)) => {
                let entry = build.start(start, entry);
                build.repeat(length, entry)
            }
            (start, _) => {
                let key = build.size("key");
                let entry = build.at(before, Nat::variable(&key));
                let entry = build.start(start, &entry);
                build.generate(key, length, entry)
            }
        }
    }
}

fn in_parts(keyed: &KeyedReduction<'_>, combined: &Combined, parts: i128, build: &mut Builder) -> Arc<Expr> {
    let elements = Read::of(keyed.elements, "elements", build);
    let before = Read::of(keyed.initial, "before", build);
    let (read, initial) = (&elements.read, &before.read);
    let (count, keys) = (length_of(keyed.elements), length_of(keyed.initial));
    let share = ceiling(&count, parts) + Nat::constant(MORE_PER_ENTRY) * (&keys + Nat::one());

    let part = build.size("part");
    let start = Nat::variable(&part) * &share;
    let step = build.size("step");
    let element = build.at(read, &start + Nat::variable(&step));
    let piece = build.generate(step, Nat::min(&share, &(&count - &start)), element);
    let table = build.copy_of(keyed.step);
    let first = combined.first(keyed, initial, build);
    let reduced = build.reduce_in_order(&table, first, piece);
    let reduced = build.stored(AddressSpace::Global, reduced);
    let tables = build.distribute(MapKind::Global(0), Some(part), ceiling_of(&count, &share), reduced);

    let partial = build.variable("partial");
    let of_parts = build.read(&partial, &tables.ty, tables.source);
    let key = build.size("key");
    let part = build.size("part");
    let entry = build.at(&of_parts, Nat::variable(&part));
    let entry = build.at(&entry, Nat::variable(&key));
    let entries = build.generate(part, length_of(&of_parts), entry);
    let first = build.at(initial, Nat::variable(&key));
    let operator = build.copy_of(&combined.operator);
    let total = build.reduce_in_order(&operator, first, entries);
    let result = build.distribute(MapKind::Global(0), Some(key), keys, total);

    let result = build.bind(partial, tables, result);
    let bound = [elements.bound, before.bound];
    build.bind_all(bound.into_iter().flatten().collect(), result)
}

/// An array that is read in several places.
pub(super) struct Read {
    /// Reads it.
    pub(super) read: Arc<Expr>,
    /// The variable that it is bound to, if that is needed.
    pub(super) bound: Option<Binding>,
}

impl Read {
    pub(super) fn of(array: &Arc<Expr>, name: &str, build: &mut Builder) -> Read {
        if matches!(array.kind, ExprKind::Variable(_)) || is_same_everywhere(array) {
            return Read { read: array.clone(), bound: None };
        }
        let variable = build.variable(name);
        let read = build.read(&variable, &array.ty, array.source);
        Read { read, bound: Some(Binding { variable, value: array.clone() }) }
    }
}

/// A part has more than this many elements for each entry of its table: to start and to combine the tables is
/// less work than to fill them.
const MORE_PER_ENTRY: i128 = 4;

/// Whether the entries of a table are one value that is no work to compute.
fn is_same_everywhere(table: &Expr) -> bool {
    let is_known = |value: &Expr| matches!(value.kind, ExprKind::Literal(_) | ExprKind::Variable(_));
    match &table.kind {
        ExprKind::Repeat(_, value) => match &value.kind {
            ExprKind::Tuple(parts) => parts.iter().all(|part| is_known(part)),
            _ => is_known(value),
        },
        _ => false,
    }
}

pub(super) fn ceiling_of(length: &Nat, divisor: &Nat) -> Nat {
    (length + divisor - Nat::one()).divide(divisor)
}
