//! Reductions by key whose tables work-items update together, by atomic operations on integers.
//!
//! Where a table is short, each group has one in local memory, which fast updates of many work-items at once
//! fill from consecutive elements; what groups have found is added to the table of the device. Where a table is
//! long, few updates meet in an element, and all go to global memory (Henriksen et al., *Compiling Generalized
//! Histograms for GPU*, SC 2020, sections 4.1 and 4.2). A short one may have several entries for each key, which
//! neighbouring work-items take in turn: they do not wait for each other, whatever their keys are, because the
//! entries lie in different banks of local memory. Integers are combined by operators whose order makes no
//! difference, so that results are the same each time.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Redex, Rule};
use super::keyed::{Combined, Read, ceiling_of, divisible};
use super::parts::{constants, is_outside_functions};
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;
use crate::ir::typed::keyed::KeyedReduction;
use crate::ir::typed::shared_update::{Change, Combining, SharedUpdate, is_updated_at_once};
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, MapKind, ReduceKind};
use crate::ir::types::Type;
use crate::middle::laws::Axioms;
use crate::middle::stated::{Builder, ceiling, length_of};

/// All work-items of the device update one table.
pub const REDUCE_BY_KEY_TOGETHER: Rule = Rule {
    name: "reduceByKeyTogether",
    statement: "reduce(|t, x| update(k(x), op(at(k(x), t), x), t), z) = reduceGlb(the same, z)",
    origin: "Henriksen et al., Compiling Generalized Histograms for GPU, SC 2020, section 4.2",
    parameters: &[],
    regroups: true,
    apply: |redex, _, build| {
        let KeyedReduction { step, initial, elements, .. } = shared(redex)?;
        Ok(build.prover().numbered(|next_id| {
            let mut builder = Builder { next_id: *next_id };
            let step = builder.copy_of(step);
            let table = builder.reduce_by(ReduceKind::Global, &step, initial.clone(), elements.clone());
            *next_id = builder.next_id;
            table
        }))
    },
};

/// Work-groups make tables of parts of an array in local memory, and work-items of the device combine them.
pub const REDUCE_BY_KEY_IN_GROUPS: Rule = Rule {
    name: "reduceByKeyInGroups",
    statement: "reduce(|t, x| update(k(x), op(at(k(x), t), x), t), z) = chunks(n) >> \
                mapWrg0(reduceLcl(…, repeat(m, repeat(c, e))) >> mapLcl0(reduceSeq(op, e) >> toGlobal(id))) >> join >> \
                reduceGlb(|t, (k, x)| update(k, op(at(k, t), x), t), z), for at most `groups` chunks of a multiple \
                of `items` elements; element `i` of a chunk updates entry `i % c` of its key",
    origin: "Henriksen et al., Compiling Generalized Histograms for GPU, SC 2020, sections 4.1 and 4.2",
    parameters: &[Kind::Size, Kind::Size, Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| {
        let [groups, items, entries] = constants(arguments)?;
        if groups < 1 || items < 1 || entries < 1 {
            let wanted = "there is a group, it has a work-item, and there is an entry for each key";
            return Err(Mismatch::condition(wanted, redex.expr));
        }
        let keyed = shared(redex)?;
        if length_of(keyed.initial).as_constant().is_none() {
            return Err(Mismatch::condition("the length of the table is a number", redex.expr));
        }
        let axioms = Axioms::of_place(build);
        let divided = build.prover().numbered(|next_id| {
            let mut builder = Builder { next_id: *next_id };
            let combined = Combined::of(&keyed.combination, axioms, &mut builder)?;
            let table = in_groups(&keyed, &combined, [groups, items, entries], &mut builder);
            *next_id = builder.next_id;
            table
        });
        divided.ok_or_else(|| Mismatch::condition(UPDATES, redex.expr))
    },
};

/// What the rules want of steps.
const UPDATES: &str = "each step updates the entry of a table that its element asks for, by `+`, `min`, `max`, `&`, `|` \
                       or `^` on `i32` or `u32`, and elements lie where a formula says";

/// The reduction by key, if work-items can update its table together.
fn shared<'e>(redex: &Redex<'e>) -> Result<KeyedReduction<'e>, Mismatch> {
    if !is_outside_functions(redex) {
        let wanted = "the whole device computes it, outside of all functions";
        return Err(Mismatch::condition(wanted, redex.expr));
    }
    updated_together(redex.expr).ok_or_else(|| Mismatch::condition(UPDATES, redex.expr))
}

fn updated_together(expr: &Expr) -> Option<KeyedReduction<'_>> {
    let is_updated = expr.ty.as_array().is_some_and(|table| is_updated_at_once(&table.element));
    divisible(expr).filter(|keyed| is_updated && SharedUpdate::of(keyed.step).is_some())
}

/// Whether work-items may update the table of a reduction together, and whether groups may have tables of
/// their own.
pub(in crate::middle) fn may_be_updated_together(
    reduction: &Expr,
    axioms: Axioms<'_>,
    next_id: u32,
) -> Option<Sharing> {
    let keyed = updated_together(reduction)?;
    let is_combined = || Combined::of(&keyed.combination, axioms, &mut Builder { next_id }).is_some();
    let bytes = table_bytes(&keyed).filter(|_| is_combined());
    Some(Sharing { bytes })
}

/// How work-items share a table.
pub(in crate::middle) struct Sharing {
    /// The size of the table of a group; `None` if groups can have none.
    pub(in crate::middle) bytes: Option<i128>,
}

fn table_bytes(keyed: &KeyedReduction<'_>) -> Option<i128> {
    let table = keyed.initial.ty.as_array()?;
    let components = match &table.element {
        Type::Tuple(components) => components.len(),
        Type::Scalar(_) => 1,
        Type::Vector(..) | Type::Array(_) | Type::Size => return None,
    };
    let bytes = i128::try_from(components).ok()?.checked_mul(4)?;
    table.length.as_constant()?.checked_mul(bytes)
}

fn in_groups(
    keyed: &KeyedReduction<'_>,
    combined: &Combined,
    [groups, items, entries_of_key]: [i128; 3],
    build: &mut Builder,
) -> Option<Rc<Expr>> {
    let elements = Read::of(keyed.elements, "elements", build);
    let before = Read::of(keyed.initial, "before", build);
    let (count, keys) = (length_of(keyed.elements), length_of(keyed.initial));
    let rounds = ceiling(&ceiling(&count, groups), items);
    let share = Nat::max(&rounds, &Nat::one()) * Nat::constant(items);

    let part = build.size("part");
    let start = Nat::variable(&part) * &share;
    let step = build.size("step");
    let element = build.at(&elements.read, &start + Nat::variable(&step));
    // No group begins behind the last element, which is not known to the algebra of sizes.
    let length = Nat::max(&Nat::zero(), &Nat::min(&share, &(&count - &start)));
    let piece = build.generate(step, length, element);
    let first = combined.first(keyed, &before.read, build);
    let of_group = match entries_of_key {
        1 => {
            let step = build.copy_of(keyed.step);
            let table = build.reduce_by(ReduceKind::Local, &step, first, piece);
            let entry = keyed.initial.ty.as_array().map_or(&keyed.initial.ty, |table| &table.element);
            let copy = build.identity_function(entry, table.source);
            let stored = build.stored(AddressSpace::Global, copy.body.clone());
            build.map_by(MapKind::Local(0), Lambda { body: stored, ..copy }, table)
        }
        _ => {
            Several { entries: Nat::constant(entries_of_key), first }.table(keyed, combined, piece, build)?
        }
    };
    let tables = build.distribute(MapKind::WorkGroup(0), Some(part), ceiling_of(&count, &share), of_group);

    let partial = build.variable("partial");
    let of_groups = build.read(&partial, &tables.ty, tables.source);
    let number = build.size("entry");
    let key = Nat::variable(&number).modulo(&keys);
    let entries = build.at(&of_groups, Nat::variable(&number).divide(&keys));
    let found = build.at(&entries, key.clone());
    let key = build.position(key, found.source);
    let pair = build.tuple(vec![key, found], tables.source);
    let pairs = build.generate(number, length_of(&of_groups) * &keys, pair);
    let step = added(combined, &keyed.initial.ty, &pairs, build);
    let total = build.reduce_by(ReduceKind::Global, &step, before.read.clone(), pairs);

    let result = build.bind(partial, tables, total);
    Some(build.bind_all([elements.bound, before.bound].into_iter().flatten().collect(), result))
}

/// A table of a group with several entries for each key.
struct Several {
    /// Their number.
    entries: Nat,
    /// The table that a group starts from, with one entry for each key.
    first: Rc<Expr>,
}

impl Several {
    /// What the group finds in its elements: an entry for each key.
    fn table(
        &self,
        keyed: &KeyedReduction<'_>,
        combined: &Combined,
        piece: Rc<Expr>,
        build: &mut Builder,
    ) -> Option<Rc<Expr>> {
        let start = self.start(build);
        let step = self.step(keyed, &start.ty, build)?;
        let table = build.reduce_by(ReduceKind::Local, &step, start, piece);
        let of_key = table.ty.as_array()?.element.clone();
        let (key, found) = (build.size("key"), build.variable("found"));
        let read = build.read(&found, &of_key, table.source);
        // Neighbours begin with different entries: those that they read at the same time lie in different banks.
        let turn = build.size("turn");
        let entry = (Nat::variable(&key) + Nat::variable(&turn)).modulo(&self.entries);
        let entry = build.at(&read, entry);
        let entries = build.generate(turn, self.entries.clone(), entry);
        let operator = build.copy_of(&combined.operator);
        let first = build.at(&self.first, Nat::variable(&key));
        let total = build.reduce_by(ReduceKind::Sequential, &operator, first, entries);
        let body = build.stored(AddressSpace::Global, total);
        let function = Lambda { parameters: vec![(found, of_key)], index: Some(key), body };
        Some(build.map_by(MapKind::Local(0), function, table))
    }

    /// The table before the elements.
    fn start(&self, build: &mut Builder) -> Rc<Expr> {
        let keys = length_of(&self.first);
        match &self.first.kind {
            ExprKind::Repeat(_, entry) => {
                let entries = build.repeat(self.entries.clone(), entry.clone());
                build.repeat(keys, entries)
            }
            _ => {
                let key = build.size("key");
                let entry = build.at(&self.first, Nat::variable(&key));
                let entries = build.repeat(self.entries.clone(), entry);
                build.generate(key, keys, entries)
            }
        }
    }

    /// The step of the reduction, for the entry that is next in turn.
    fn step(&self, keyed: &KeyedReduction<'_>, table: &Type, build: &mut Builder) -> Option<Lambda> {
        let SharedUpdate { bindings, positions, changes } = SharedUpdate::of(keyed.step)?;
        let [_, element] = keyed.step.parameters.as_slice() else { return None };
        let [key] = positions.as_slice() else { return None };
        let source = keyed.step.body.source;
        let (step, old) = (build.size("step"), build.variable("table"));
        let before = build.read(&old, table, source);
        let of_key = build.at_data(&before, key);
        let turn = Nat::variable(&step).modulo(&self.entries);
        let entry = build.at(&of_key, turn.clone());
        let new = build.changed(&entry, &changes);
        let turn = build.position(turn, source);
        let of_key = build.update(&turn, new, of_key);
        let key = build.cast(ScalarType::I64, key);
        let body = build.update(&key, of_key, before);
        let body = build.bind_all(bindings, body);
        let parameters = vec![(old, table.clone()), element.clone()];
        let copy = build.copy_of(&Lambda { parameters, index: None, body });
        Some(Lambda { index: Some(step), ..copy })
    }
}

impl Builder {
    /// An element of a table whose integers are changed.
    fn changed(&mut self, element: &Rc<Expr>, changes: &[Option<Change>]) -> Rc<Expr> {
        let change = |build: &mut Builder, old: Rc<Expr>, change: &Option<Change>| match change {
            None => old,
            Some(Change { operator: Combining::Operator(operator), value }) => {
                build.binary(*operator, &old, value)
            }
            Some(Change { operator: Combining::Function(function), value }) => {
                build.builtin(*function, [&old, value])
            }
        };
        let (Type::Tuple(types), source) = (&element.ty, element.source) else {
            let [of_scalar] = changes else { return element.clone() };
            return change(self, element.clone(), of_scalar);
        };
        let parts = types.iter().zip(changes).enumerate().map(|(position, (ty, of_part))| {
            let old = self.component(element, position, ty);
            change(self, old, of_part)
        });
        let parts = parts.collect();
        self.tuple(parts, source)
    }
}

/// `|table, (key, x)| update(key, op(at(key, table), x), table)`
fn added(combined: &Combined, table: &Type, pairs: &Rc<Expr>, build: &mut Builder) -> Lambda {
    let source = pairs.source;
    let pair = pairs.ty.as_array().map_or(&pairs.ty, |array| &array.element);
    let (old_table, found) = (build.variable("table"), build.variable("found"));
    let (of_table, of_pair) = (build.read(&old_table, table, source), build.read(&found, pair, source));
    let key = build.component(&of_pair, 0, &pair.component(0));
    let value = build.component(&of_pair, 1, &pair.component(1));
    let old = build.at_data(&of_table, &key);
    let operator = build.copy_of(&combined.operator);
    let operands = operator.parameters.iter().zip([&old, &value]);
    let new =
        operands.fold(operator.body.clone(), |body, ((operand, _), value)| body.replace(operand, value));
    let body = build.update(&key, new, of_table);
    Lambda { parameters: vec![(old_table, table.clone()), (found, pair.clone())], index: None, body }
}
