//! Reductions by key whose tables work-items update together, by atomic operations on integers.
//!
//! Where a table is short, each group has one in local memory, which fast updates of many work-items at once
//! fill from consecutive elements; the tables of all groups are put together key by key. Where a table is long,
//! few updates meet in an element, and all go to global memory (Henriksen et al., *Compiling Generalized
//! Histograms for GPU*, SC 2020, sections 4.1 and 4.2). A short one may have several entries for each key, which
//! neighbouring work-items take in turn: they do not wait for each other, whatever their keys are, because the
//! entries lie in different banks of local memory. Integers are combined by operators whose order makes no
//! difference, so that results are the same each time.
//!
//! A load of one byte takes as long as one of four. So work-items read four neighbours at once where elements
//! are narrower than that, and update the table for one after the other.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Redex, Rule};
use super::keyed::{Combined, Read, ceiling_of, divisible};
use super::parts::{constants, is_outside_functions};
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;
use crate::ir::typed::keyed::KeyedReduction;
use crate::ir::typed::shared_update::{Change, Combining, SharedUpdate, is_updated_at_once};
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, Layout, MapKind, ReduceKind};
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
                mapWrg0(reduceLcl(…, repeat(m, repeat(c, e))) >> mapLcl0(reduceSeq(op, e) >> toGlobal(id))) >> \
                transpose >> (zip with z) >> split(w) >> mapWrg0(mapLcl0(deinterleave(p) >> \
                mapLcl1(reduceSeq(op, e)) >> reduceSeq(op))) >> join, for at most `groups` chunks of a multiple of \
                `items` elements; element `i` of a chunk updates entry `i % c` of its key",
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

/// Whether an expression is a reduction whose steps update a table so that work-items can do that together.
pub(crate) fn is_updated_together(expr: &Expr) -> bool {
    updated_together(expr).is_some()
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
) -> Option<Arc<Expr>> {
    let elements = Read::of(keyed.elements, "elements", build);
    let before = Read::of(keyed.initial, "before", build);
    let count = length_of(keyed.elements);
    let rounds = Nat::max(&ceiling(&ceiling(&count, groups), items), &Nat::one());
    let share = &rounds * Nat::constant(items);

    let part = build.size("part");
    let start = Nat::variable(&part) * &share;
    // No group begins behind the last element, which is not known to the algebra of sizes.
    let length = Nat::max(&Nat::zero(), &Nat::min(&share, &(&count - &start)));
    let lie_in_memory = lie_in_memory(keyed.elements);
    let piece = Piece { elements: &elements.read, lie_in_memory, start, length };
    let first = combined.first(keyed, &before.read, build);
    let of_group = match entries_of_key {
        1 => {
            let table = piece.reduced(keyed.step, first.clone(), build);
            let entry = keyed.initial.ty.as_array().map_or(&keyed.initial.ty, |table| &table.element);
            let copy = build.identity_function(entry, table.source);
            let stored = build.stored(AddressSpace::Global, copy.body.clone());
            build.map_by(MapKind::Local(0), Lambda { body: stored, ..copy }, table)
        }
        _ => Several { entries: Nat::constant(entries_of_key), first: &first }
            .table(keyed, combined, &piece, build)?,
    };
    let tables = build.distribute(MapKind::WorkGroup(0), Some(part), ceiling_of(&count, &share), of_group);

    let partial = build.variable("partial");
    let of_groups = build.read(&partial, &tables.ty, tables.source);
    let total =
        Together { tables: &of_groups, first: &first, before: &before.read }.combined(combined, build);
    let result = build.bind(partial, tables, total);
    Some(build.bind_all([elements.bound, before.bound].into_iter().flatten().collect(), result))
}

/// The elements of a group.
struct Piece<'e> {
    /// Those of all groups.
    elements: &'e Arc<Expr>,
    /// Whether they are read, not computed.
    lie_in_memory: bool,
    start: Nat,
    length: Nat,
}

/// The elements that a work-item reads at once, where they are narrow.
const NEIGHBOURS: u8 = 4;

impl Piece<'_> {
    /// The table of the group: it starts from `first`, and each element is a step.
    fn reduced(&self, step: &Lambda, first: Arc<Expr>, build: &mut Builder) -> Arc<Expr> {
        let vector = self.vectors(build);
        let Some(vectors) = vector else {
            let step = build.copy_with_position(step);
            let elements = self.elements_from(&Nat::zero(), &self.length, build);
            return build.reduce_by(ReduceKind::Local, &step, first, elements);
        };
        let width = Nat::constant(i128::from(NEIGHBOURS));
        let number = build.size("step");
        let vector = build.at(&vectors, self.start.divide(&width) + Nat::variable(&number));
        let vectors = build.generate(number, self.length.divide(&width), vector);
        let of_vector = of_vector(step, &vectors, build);
        let table = build.reduce_by(ReduceKind::Local, &of_vector, first, vectors);
        // A few elements behind the last vector.
        let rest = self.length.modulo(&width);
        let rest = self.elements_from(&(&self.length - &rest), &rest, build);
        let step = build.copy_with_position(step);
        build.reduce_by(ReduceKind::Local, &step, table, rest)
    }

    fn elements_from(&self, from: &Nat, count: &Nat, build: &mut Builder) -> Arc<Expr> {
        let step = build.size("step");
        let element = build.at(self.elements, &self.start + from + Nat::variable(&step));
        build.generate(step, count.clone(), element)
    }

    /// The elements of all groups as vectors, if they are narrow integers that lie in memory, and groups begin
    /// with a vector.
    fn vectors(&self, build: &mut Builder) -> Option<Arc<Expr>> {
        let Type::Scalar(scalar) = &self.elements.ty.as_array()?.element else { return None };
        let is_narrow = scalar.is_integer() && scalar.bytes() < i128::from(NEIGHBOURS);
        let width = Nat::constant(i128::from(NEIGHBOURS));
        let is_vector = self.start.terms().iter().all(|term| term.coefficient % i128::from(NEIGHBOURS) == 0);
        (is_narrow && self.lie_in_memory && is_vector).then(|| {
            let whole = length_of(self.elements).divide(&width);
            let elements = build.slice(Nat::zero(), &whole * &width, self.elements.clone());
            build.as_vector(NEIGHBOURS, elements)
        })
    }
}

/// Whether elements are those of a variable, in their order.
fn lie_in_memory(elements: &Expr) -> bool {
    match &elements.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Layout(Layout::Join | Layout::Split { .. } | Layout::Slice { .. }, input) => {
            lie_in_memory(input)
        }
        _ => false,
    }
}

/// `|table, vector| reduceSeq(step, table, asScalar([vector]))`
fn of_vector(step: &Lambda, vectors: &Arc<Expr>, build: &mut Builder) -> Lambda {
    let source = step.body.source;
    let vector_type = vectors.ty.as_array().map_or(&vectors.ty, |array| &array.element);
    let step = build.copy_with_position(step);
    let table_type = step.body.ty.clone();
    let (table, vector) = (build.variable("table"), build.variable("neighbours"));
    let before = build.read(&table, &table_type, source);
    let read = build.read(&vector, vector_type, source);
    let one = build.array_of_one(read);
    let neighbours = build.as_scalar(one);
    // The step knows the number of the vector.
    let inner = Lambda { index: None, ..step.clone() };
    let body = build.reduce_in_order(&inner, before, neighbours);
    let parameters = vec![(table, table_type), (vector, vector_type.clone())];
    Lambda { parameters, index: step.index, body }
}

/// The tables of all groups.
struct Together<'e> {
    tables: &'e Arc<Expr>,
    /// The table that a group starts from.
    first: &'e Arc<Expr>,
    /// The table that all elements together start from.
    before: &'e Arc<Expr>,
}

/// The most keys of a group that puts tables together: as many words as memory is read at once.
const KEYS: i128 = 8;

/// The work-items for each of these keys. One alone would wait for one load after the other.
const ITEMS_OF_KEY: i128 = 32;

impl Together<'_> {
    /// Their entries, combined for each key.
    fn combined(&self, combined: &Combined, build: &mut Builder) -> Arc<Expr> {
        let keys = length_of(self.before);
        // Groups have equally many.
        let is_divisor = |width: &i128| keys.as_constant().is_some_and(|keys| keys % width == 0);
        let width = Nat::constant([KEYS, KEYS / 2, KEYS / 4].into_iter().find(is_divisor).unwrap_or(1));
        let (group, key, lane) = (build.size("group"), build.size("key"), build.size("lane"));
        let of_key = Nat::variable(&group) * &width + Nat::variable(&key);

        let items = Nat::constant(ITEMS_OF_KEY);
        let (step, tables) = (build.size("step"), length_of(self.tables));
        let table = build.at(self.tables, Nat::variable(&lane) + &items * Nat::variable(&step));
        let entry = build.at(&table, of_key.clone());
        let left = Nat::max(&(&tables - Nat::variable(&lane)), &Nat::zero());
        let entries = build.generate(step, ceiling(&left, ITEMS_OF_KEY), entry);
        let operator = build.copy_of(&combined.operator);
        let first = build.renumbered(self.first);
        let first = build.at(&first, of_key.clone());
        let share = build.reduce_in_order(&operator, first, entries);
        let share = build.stored(AddressSpace::Local, share);
        let shares = build.distribute(MapKind::Local(0), Some(key), width.clone(), share);
        let shares = build.distribute(MapKind::Local(1), Some(lane), items.clone(), shares);

        let sums = build.variable("sums");
        let read = build.read(&sums, &shares.ty, shares.source);
        let (key, lane) = (build.size("key"), build.size("lane"));
        let share = build.at(&read, Nat::variable(&lane));
        let share = build.at(&share, Nat::variable(&key));
        let of_lanes = build.generate(lane, items, share);
        let operator = build.copy_of(&combined.operator);
        let first = build.at(self.before, Nat::variable(&group) * &width + Nat::variable(&key));
        let total = build.reduce_in_order(&operator, first, of_lanes);
        let total = build.stored(AddressSpace::Global, total);
        let totals = build.distribute(MapKind::Local(0), Some(key), width.clone(), total);

        let of_group = build.bind(sums, shares, totals);
        let groups = build.distribute(MapKind::WorkGroup(0), Some(group), keys.divide(&width), of_group);
        build.join_to(keys, groups)
    }
}

/// A table of a group with several entries for each key.
struct Several<'e> {
    /// Their number.
    entries: Nat,
    /// The table that a group starts from, with one entry for each key.
    first: &'e Arc<Expr>,
}

impl Several<'_> {
    /// What the group finds in its elements: an entry for each key.
    fn table(
        &self,
        keyed: &KeyedReduction<'_>,
        combined: &Combined,
        piece: &Piece<'_>,
        build: &mut Builder,
    ) -> Option<Arc<Expr>> {
        let start = self.start(build);
        let step = self.step(keyed, &start.ty, build)?;
        let table = piece.reduced(&step, start, build);
        let of_key = table.ty.as_array()?.element.clone();
        let (key, found) = (build.size("key"), build.variable("found"));
        let read = build.read(&found, &of_key, table.source);
        // Neighbours begin with different entries: those that they read at the same time lie in different banks.
        let turn = build.size("turn");
        let entry = (Nat::variable(&key) + Nat::variable(&turn)).modulo(&self.entries);
        let entry = build.at(&read, entry);
        let entries = build.generate(turn, self.entries.clone(), entry);
        let operator = build.copy_of(&combined.operator);
        let first = build.at(self.first, Nat::variable(&key));
        let total = build.reduce_by(ReduceKind::Sequential, &operator, first, entries);
        let body = build.stored(AddressSpace::Global, total);
        let function = Lambda { parameters: vec![(found, of_key)], index: Some(key), body };
        Some(build.map_by(MapKind::Local(0), function, table))
    }

    /// The table before the elements.
    fn start(&self, build: &mut Builder) -> Arc<Expr> {
        let keys = length_of(self.first);
        match &self.first.kind {
            ExprKind::Repeat(_, entry) => {
                let entries = build.repeat(self.entries.clone(), entry.clone());
                build.repeat(keys, entries)
            }
            _ => {
                let key = build.size("key");
                let entry = build.at(self.first, Nat::variable(&key));
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
    fn changed(&mut self, element: &Arc<Expr>, changes: &[Option<Change>]) -> Arc<Expr> {
        let change = |build: &mut Builder, old: Arc<Expr>, change: &Option<Change>| match change {
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
