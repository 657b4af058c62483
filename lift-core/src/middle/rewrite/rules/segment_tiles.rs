//! Neighbouring segments, tile by tile through local memory.
//!
//! The elements of neighbouring segments are neighbours, too. A group takes as many segments as it has
//! work-items and copies what their elements contribute to local memory, tile by tile: work-items read
//! neighbours, and as many as each other, however long the segments are. Then each work-item reduces what
//! the tile has of its own segment (CSR-Stream: Greathouse, Daga, *Efficient Sparse Matrix-Vector
//! Multiplication on GPUs Using the CSR Storage Format*, SC 2014). Where a segment covers a whole tile, it
//! takes the results of all work-items for their own elements of the tile instead, and a long segment holds
//! nobody up for long.
//!
//! The tiles of a group lie between the first element of its first segment and the last one of its last.
//! Where the ends of segments do not ascend, elements may lie outside of that: the work-item of a segment
//! reduces these first, and what the tiles have of it then. The result is right whatever the ends are.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Rule};
use super::long_segments::{Segments, first_of, has_type_with};
use super::parts::{constants, is_outside_functions};
use super::segments::operator;
use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::binders::{mentions, mentions_size, refreshed};
use crate::ir::typed::segment::Segment;
use crate::ir::typed::{
    AddressSpace, Binding, Expr, ExprKind, Lambda, MapKind, Program, ReduceKind, Variable,
};
use crate::ir::types::Type;
use crate::middle::laws::Axioms;
use crate::middle::stated::{Builder, ceiling};

/// Groups of `items` work-items reduce as many segments each, whose elements they read in tiles of `size`.
pub const SEGMENTS_IN_TILES: Rule = Rule {
    name: "segmentsInTiles",
    statement: "generate(n, |i| { let c = end(i) - first(i); reduceWhile(|k => acc, _| (k < c, op(acc, x(first(i) + \
                k))), z, repeat(m, 0)) }) = chunks of `items` positions >> mapWrg0(|is| the elements between first(the \
                first of is) and end(the last of is) >> chunks(size) >> reduceSeq(|accs, tile| { let ys = tile >> \
                toLocal(mapLcl0(x)); zip(accs, is) >> mapLcl0(|acc, i| the elements of segment i in ys >> \
                reduceSeq(op, acc)) }, the other elements of each segment >> reduceSeq(op, z))) >> join",
    origin: "Greathouse, Daga, Efficient Sparse Matrix-Vector Multiplication on GPUs Using the CSR Storage Format, \
             SC 2014",
    parameters: &[Kind::Size, Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| {
        let [items, size] = constants(arguments)?;
        if items < 1 || size < items || size % items != 0 {
            let wanted = "the elements of a tile are shared out evenly among the work-items";
            return Err(Mismatch::condition(wanted, redex.expr));
        }
        if !is_outside_functions(redex) {
            let wanted = "the whole device computes it, outside of all functions";
            return Err(Mismatch::condition(wanted, redex.expr));
        }
        let Some(segments) = Segments::of(redex.expr) else {
            let wanted = "an array that is computed from its positions, by reductions of segments that begin and end \
                          at positions from data";
            return Err(redex.is_not(wanted));
        };
        let axioms = Axioms::of_place(build);
        let tiled = build.prover().numbered(|next_id| {
            let mut builder = Builder { next_id: *next_id };
            let tiled = Tiles::of(&segments, [items, size], axioms, &mut builder)
                .and_then(|mut tiles| tiles.reduced(&segments));
            *next_id = builder.next_id;
            tiled
        });
        tiled.ok_or_else(|| {
            let wanted = "segments begin at positions `min(max(x, 0), n)`; what an element contributes depends on its \
                          position alone, and not on its segment, and is combined by an operator that is known to be \
                          associative and commutative, and to have an identity or to be idempotent";
            Mismatch::condition(wanted, redex.expr)
        })
    },
};

/// Whether the rule applies to an expression of a program that is in no function.
pub(crate) fn may_be_in_tiles(expr: &Expr, program: &Program) -> bool {
    let (axioms, mut builder) = (Axioms::of(program), Builder { next_id: program.next_id });
    Segments::of(expr).is_some_and(|segments| Tiles::of(&segments, [1, 1], axioms, &mut builder).is_some())
}

/// Builds the right side.
struct Tiles<'b> {
    items: i128,
    size: i128,
    /// How contributions of elements are combined.
    operator: Lambda,
    /// What a part of the elements starts from.
    start: Arc<Expr>,
    /// What the element at a position contributes.
    contribution: Arc<Expr>,
    /// The position in it.
    position: Variable,
    /// The most elements of a segment.
    most: Nat,
    source: Source,
    build: &'b mut Builder,
}

/// A segment. Positions of elements are of type `i64`.
struct Row {
    bindings: Vec<Binding>,
    first: Arc<Expr>,
    /// The number of its elements, if it is at least 0.
    count: Arc<Expr>,
    initial: Arc<Expr>,
    step: Lambda,
    /// The position in the segment that the step knows.
    position: Var,
}

/// The tiles of a group.
struct Range {
    begin: Arc<Expr>,
    /// The number of tiles.
    count: Arc<Expr>,
    /// The position behind the last one.
    end: Arc<Expr>,
}

impl<'b> Tiles<'b> {
    /// The parts that are the same for all groups. `None` where an element's contribution depends on its
    /// segment.
    fn of(
        segments: &Segments<'_>,
        [items, size]: [i128; 2],
        axioms: Axioms<'_>,
        build: &'b mut Builder,
    ) -> Option<Tiles<'b>> {
        let index = build.size("i");
        let element = copy(segments, &Nat::variable(&index), build);
        let segment = Segment::of(&element)?;
        let (source, most) = (segment.reduction.source, segment.most.clone());
        let (operator, start) = operator(&segment, axioms, build)?;
        let start = build.start(&start, segment.initial);
        let position = build.variable("p");
        let read = build.read(&position, &wide(), source);
        let first = first_of(&segment).filter(|first| is_clamped(first, segment.bindings))?;
        let next = moved(next_of(segment.step)?, first, segment.position, &read);
        let (accumulator, _) = segment.step.parameters.first()?;
        let contribution = next.replace(accumulator, &start);
        let depends = |expr: &Arc<Expr>| {
            mentions_size(expr, &index)
                || has_type_with(expr, &index)
                || mentions_size(expr, segment.position)
                || segment.bindings.iter().any(|binding| mentions(expr, &binding.variable))
        };
        let is_of_element = !depends(&contribution) && !depends(&start) && !most.mentions(&index);
        is_of_element.then_some(Tiles {
            items,
            size,
            operator,
            start,
            contribution,
            position,
            most,
            source,
            build,
        })
    }

    fn reduced(&mut self, segments: &Segments<'_>) -> Option<Arc<Expr>> {
        let group = self.build.size("group");
        let before = Nat::constant(self.items) * Nat::variable(&group);
        let length = Nat::min(&Nat::constant(self.items), &(segments.count - &before));
        let (bindings, range) = self.range(segments, &before, &length)?;
        let sums = self.outside(segments, &before, &length, &range)?;
        let sums = self.in_tiles(segments, &before, sums, range)?;
        let copied = self.build.identity_function(&self.start.ty, self.source);
        let body = self.build.stored(AddressSpace::Global, copied.body.clone());
        let sums = self.build.map_by(MapKind::Local(0), Lambda { body, ..copied }, sums);
        let of_group = bind_used(bindings, sums, self.build);
        let groups = ceiling(segments.count, self.items);
        let of_groups = self.build.distribute(MapKind::WorkGroup(0), Some(group), groups, of_group);
        Some(self.build.join_to(segments.count.clone(), of_groups))
    }

    /// The segment at a position.
    fn row(&mut self, segments: &Segments<'_>, index: &Nat) -> Option<Row> {
        let element = copy(segments, index, self.build);
        let segment = Segment::of(&element)?;
        let first = first_of(&segment)?.clone();
        let most = self.build.position(self.most.clone(), self.source);
        let count = self.build.builtin(Builtin::Min, [segment.count, &most]);
        let (step, position) = (segment.step.clone(), segment.position.clone());
        let (bindings, initial) = (segment.bindings.to_vec(), segment.initial.clone());
        Some(Row { bindings, first, count, initial, step, position })
    }

    /// The position behind the last element of a segment, which has no more than `most`.
    fn last(&mut self, row: &mut Row) -> Arc<Expr> {
        let zero = self.integer(0, &wide());
        let count = self.build.builtin(Builtin::Max, [&row.count, &zero]);
        let end = self.build.binary(BinaryOperator::Add, &row.first, &count);
        let (bound, last) = self.named("last", end);
        row.bindings.push(bound);
        last
    }

    /// The tiles from the first element of the first segment of a group to the last one of its last. They
    /// are for no more elements than one segment may have: where the ends do not ascend, others lie outside.
    fn range(
        &mut self,
        segments: &Segments<'_>,
        before: &Nat,
        length: &Nat,
    ) -> Option<(Vec<Binding>, Range)> {
        let first = self.row(segments, before)?;
        let mut last = self.row(segments, &(before + length - Nat::one()))?;
        let end = self.last(&mut last);
        let begin = first.first;
        let (most, zero) = (self.build.position(self.most.clone(), self.source), self.integer(0, &wide()));
        let elements = self.build.binary(BinaryOperator::Subtract, &end, &begin);
        let elements = self.build.builtin(Builtin::Max, [&elements, &zero]);
        let elements = self.build.builtin(Builtin::Min, [&elements, &most]);
        let (size, rounding) = (self.integer(self.size, &wide()), self.integer(self.size - 1, &wide()));
        let rounded = self.build.binary(BinaryOperator::Add, &elements, &rounding);
        let count = self.build.binary(BinaryOperator::Divide, &rounded, &size);
        let (count_bound, count) = self.named("tiles", count);
        let distance = self.build.binary(BinaryOperator::Multiply, &size, &count);
        let end = self.build.binary(BinaryOperator::Add, &begin, &distance);
        let (end_bound, end) = self.named("end", end);
        let bindings = first.bindings.into_iter().chain(last.bindings).chain([count_bound, end_bound]);
        Some((bindings.collect(), Range { begin, count, end }))
    }

    /// The reductions of the elements of each segment that are before or behind the tiles.
    fn outside(
        &mut self,
        segments: &Segments<'_>,
        before: &Nat,
        length: &Nat,
        range: &Range,
    ) -> Option<Arc<Expr>> {
        let item = self.build.size("item");
        let mut row = self.row(segments, &(before + Nat::variable(&item)))?;
        let last = self.last(&mut row);
        let Row { bindings, first, initial, step, position, .. } = row;
        let (zero, subtract) = (self.integer(0, &wide()), BinaryOperator::Subtract);
        let end_before = self.build.builtin(Builtin::Min, [&last, &range.begin]);
        let below = self.build.binary(subtract, &end_before, &first);
        let below = self.build.builtin(Builtin::Max, [&below, &zero]);
        let (below_bound, below) = self.named("below", below);
        let first_behind = self.build.builtin(Builtin::Max, [&first, &range.end]);
        let above = self.build.binary(subtract, &last, &first_behind);
        let above = self.build.builtin(Builtin::Max, [&above, &zero]);
        let number = self.build.binary(BinaryOperator::Add, &below, &above);
        let (number_bound, number) = self.named("outside", number);

        let counter = self.build.position(Nat::variable(&position), self.source);
        let is_below = self.build.less(&counter, &below);
        let from_first = self.build.binary(BinaryOperator::Add, &first, &counter);
        let rest = self.build.binary(subtract, &number, &counter);
        let to_last = self.build.binary(subtract, &last, &rest);
        let place = self.build.choose(is_below, from_first, to_last);
        let goes_on = self.build.less(&counter, &number);
        let next = moved(next_of(&step)?, &first, &position, &place);
        let body = self.build.tuple(vec![goes_on, next], self.source);
        let steps = self.steps(self.most.clone());
        let step = Lambda { body, ..step };
        let total = self.build.reduce_by(ReduceKind::While, &step, initial, steps);
        let bindings = bindings.into_iter().chain([below_bound, number_bound]).collect();
        let total = self.build.bind_all(bindings, total);
        Some(self.build.distribute(MapKind::Local(0), Some(item), length.clone(), total))
    }

    /// The reductions of segments after all tiles.
    fn in_tiles(
        &mut self,
        segments: &Segments<'_>,
        before: &Nat,
        sums: Arc<Expr>,
        range: Range,
    ) -> Option<Arc<Expr>> {
        let size = self.integer(self.size, &wide());
        let (number, old) = (self.build.size("tile"), self.build.variable("sums"));
        let counter = self.build.position(Nat::variable(&number), self.source);
        let goes_on = self.build.less(&counter, &range.count);
        let distance = self.build.binary(BinaryOperator::Multiply, &size, &counter);
        let from = self.build.binary(BinaryOperator::Add, &range.begin, &distance);
        let (from_bound, from) = self.named("from", from);
        let (own_bound, own) = self.own(&from);
        let (tile_bound, tile) = self.tile(&own);
        let (parts_bound, parts) = self.parts(&own);
        let read = self.build.read(&old, &sums.ty, self.source);
        let next = self.after_tile(segments, before, &read, &from, [&tile, &parts])?;
        let next = self.build.bind_all(vec![from_bound, own_bound, tile_bound, parts_bound], next);
        let body = self.build.tuple(vec![goes_on, next], self.source);
        let steps = self.steps(ceiling(&self.most.clone(), self.size));
        let unused = (self.build.variable("step"), Type::Scalar(ScalarType::I32));
        let parameters = vec![(old, sums.ty.clone()), unused];
        let step = Lambda { parameters, index: Some(number), body };
        Some(self.build.reduce_by(ReduceKind::While, &step, sums, steps))
    }

    /// What the elements from a position on contribute: each work-item keeps every `items`-th one in
    /// registers.
    fn own(&mut self, from: &Arc<Expr>) -> (Binding, Arc<Expr>) {
        let (item, turn) = (self.build.size("item"), self.build.size("k"));
        let place = Nat::constant(self.items) * Nat::variable(&turn) + Nat::variable(&item);
        let place = self.build.position(place, self.source);
        let place = self.build.binary(BinaryOperator::Add, from, &place);
        let contribution = refreshed(&self.contribution, &mut self.build.next_id);
        let element = contribution.replace(&self.position, &place);
        let of_item = self.build.generate(turn, Nat::constant(self.size / self.items), element);
        let (ty, row) = (of_item.ty.clone(), self.build.variable("row"));
        let same = self.build.identity_function(&self.start.ty, self.source);
        let read = self.build.read(&row, &ty, self.source);
        let copied = self.build.map_by(MapKind::Sequential, same, read);
        let body = self.build.stored(AddressSpace::Private, copied);
        let of_items = self.build.generate(item, Nat::constant(self.items), of_item);
        let kept = Lambda { parameters: vec![(row, ty)], index: None, body };
        let kept = self.build.map_by(MapKind::Local(0), kept, of_items);
        self.named("own", kept)
    }

    /// The contributions that work-items keep, in order and in local memory.
    fn tile(&mut self, own: &Arc<Expr>) -> (Binding, Arc<Expr>) {
        let turns = self.build.transpose(own.clone());
        let row = self.build.variable("row");
        let ty = turns.ty.as_array().map_or_else(|| turns.ty.clone(), |turns| turns.element.clone());
        let same = self.build.identity_function(&self.start.ty, self.source);
        let read = self.build.read(&row, &ty, self.source);
        let body = self.build.map_by(MapKind::Local(0), same, read);
        let copied = Lambda { parameters: vec![(row, ty)], index: None, body };
        let copied = self.build.map_by(MapKind::Sequential, copied, turns);
        let stored = self.build.stored(AddressSpace::Local, copied);
        let tile = self.build.join(stored);
        self.named("tile", tile)
    }

    /// What each work-item keeps, combined, in local memory.
    fn parts(&mut self, own: &Arc<Expr>) -> (Binding, Arc<Expr>) {
        let item = self.build.size("item");
        let of_item = self.build.at(own, Nat::variable(&item));
        let start = self.build.renumbered(&self.start);
        let operator = self.build.copy_of(&self.operator);
        let part = self.build.reduce_by(ReduceKind::Sequential, &operator, start, of_item);
        let parts = self.build.generate(item, Nat::constant(self.items), part);
        self.by_group("parts", parts)
    }

    /// The reductions of segments, continued with what a tile has of them.
    fn after_tile(
        &mut self,
        segments: &Segments<'_>,
        before: &Nat,
        sums: &Arc<Expr>,
        from: &Arc<Expr>,
        [tile, parts]: [&Arc<Expr>; 2],
    ) -> Option<Arc<Expr>> {
        let (item, old) = (self.build.size("item"), self.build.variable("sum"));
        let mut row = self.row(segments, &(before + Nat::variable(&item)))?;
        let last = self.last(&mut row);
        let sum = self.build.read(&old, &self.start.ty, self.source);
        let [low, high] = [&row.first, &last].map(|end| self.in_tile(end, from));
        let (low_bound, low) = self.named("low", low);
        let (high_bound, high) = self.named("high", high);
        let count = self.build.binary(BinaryOperator::Subtract, &high, &low);
        let (count_bound, count) = self.named("inside", count);

        let operator = self.build.copy_of(&self.operator);
        let whole = self.build.reduce_by(ReduceKind::Sequential, &operator, sum.clone(), parts.clone());
        let part = self.part_of_tile(tile, sum, &low, &count)?;
        let size = self.integer(self.size, &wide());
        let is_part = self.build.less(&count, &size);
        let total = self.build.choose(is_part, part, whole);
        let bindings = row.bindings.into_iter().chain([low_bound, high_bound, count_bound]).collect();
        let body = self.build.bind_all(bindings, total);
        let function = Lambda { parameters: vec![(old, self.start.ty.clone())], index: Some(item), body };
        Some(self.build.map_by(MapKind::Local(0), function, sums.clone()))
    }

    /// The reduction of `count` elements of a tile, from `low` on.
    fn part_of_tile(
        &mut self,
        tile: &Arc<Expr>,
        sum: Arc<Expr>,
        low: &Arc<Expr>,
        count: &Arc<Expr>,
    ) -> Option<Arc<Expr>> {
        let position = self.build.size("k");
        let counter = self.build.position(Nat::variable(&position), self.source);
        let goes_on = self.build.less(&counter, count);
        let place = self.build.binary(BinaryOperator::Add, low, &counter);
        let element = self.build.at_data(tile, &place);
        let operator = self.build.copy_of(&self.operator);
        let [accumulator, (contribution, _)] = operator.parameters.as_slice() else { return None };
        let next = operator.body.replace(contribution, &element);
        let body = self.build.tuple(vec![goes_on, next], self.source);
        let unused = (self.build.variable("step"), Type::Scalar(ScalarType::I32));
        let parameters = vec![accumulator.clone(), unused];
        let step = Lambda { parameters, index: Some(position), body };
        let steps = self.steps(Nat::constant(self.size));
        Some(self.build.reduce_by(ReduceKind::While, &step, sum, steps))
    }

    /// Where a position lies in the tile that begins at `from`: 0 if before it, and the number of its
    /// elements if behind it.
    fn in_tile(&mut self, position: &Arc<Expr>, from: &Arc<Expr>) -> Arc<Expr> {
        let (zero, size) = (self.integer(0, &wide()), self.integer(self.size, &wide()));
        let distance = self.build.binary(BinaryOperator::Subtract, position, from);
        let distance = self.build.builtin(Builtin::Max, [&distance, &zero]);
        self.build.builtin(Builtin::Min, [&distance, &size])
    }

    /// An array that the work-items of a group compute and keep in local memory.
    fn by_group(&mut self, name: &str, elements: Arc<Expr>) -> (Binding, Arc<Expr>) {
        let same = self.build.identity_function(&self.start.ty, self.source);
        let computed = self.build.map_by(MapKind::Local(0), same, elements);
        let stored = self.build.stored(AddressSpace::Local, computed);
        self.named(name, stored)
    }

    /// The steps of a loop of at most `most`.
    fn steps(&mut self, most: Nat) -> Arc<Expr> {
        let zero = self.integer(0, &Type::Scalar(ScalarType::I32));
        self.build.repeat(most, zero)
    }

    fn named(&mut self, name: &str, value: Arc<Expr>) -> (Binding, Arc<Expr>) {
        let variable = self.build.variable(name);
        let read = self.build.read(&variable, &value.ty, self.source);
        (Binding { variable, value }, read)
    }

    fn integer(&mut self, value: i128, ty: &Type) -> Arc<Expr> {
        self.build.literal(Literal::Integer(value), ty, self.source)
    }
}

/// The type of positions from data.
fn wide() -> Type {
    Type::Scalar(ScalarType::I64)
}

/// Whether a position lies between 0 and a size, as `min(max(x, 0), size)`: the sum of two such does not wrap.
fn is_clamped(position: &Expr, bindings: &[Binding]) -> bool {
    let value = match &position.kind {
        ExprKind::Variable(variable) => {
            bindings.iter().find(|binding| binding.variable.id == variable.id).map(|of| &*of.value)
        }
        _ => Some(position),
    };
    let Some(ExprKind::Builtin(Builtin::Min, least)) = value.map(|value| &value.kind) else { return false };
    let [natural, size] = least.as_slice() else { return false };
    let ExprKind::Builtin(Builtin::Max, greatest) = &natural.kind else { return false };
    let is_zero = |part: &Arc<Expr>| matches!(part.kind, ExprKind::Literal(Literal::Integer(0)));
    matches!(size.kind, ExprKind::Size(_)) && greatest.iter().any(is_zero)
}

/// `{ let …; body }` with those bindings that something needs.
fn bind_used(bindings: Vec<Binding>, body: Arc<Expr>, build: &mut Builder) -> Arc<Expr> {
    let mut used: Vec<Binding> = Vec::new();
    for binding in bindings.into_iter().rev() {
        let needs = |part: &Arc<Expr>| mentions(part, &binding.variable);
        if needs(&body) || used.iter().any(|later| needs(&later.value)) {
            used.push(binding);
        }
    }
    used.reverse();
    build.bind_all(used, body)
}

/// The reduction of the segment at a position, with names of its own.
fn copy(segments: &Segments<'_>, index: &Nat, build: &mut Builder) -> Arc<Expr> {
    let position = Substitution::from([(segments.index.clone(), index.clone())]);
    refreshed(segments.element, &mut build.next_id).substitute(&position)
}

/// What a step makes of the accumulator.
fn next_of(step: &Lambda) -> Option<&Arc<Expr>> {
    let ExprKind::Tuple(parts) = &step.body.kind else { return None };
    parts.get(1)
}

/// An expression about the element at `first + position`, about that at another place.
fn moved(expr: &Arc<Expr>, first: &Expr, position: &Var, place: &Arc<Expr>) -> Arc<Expr> {
    let is_first = |part: &Expr| match (&part.kind, &first.kind) {
        (ExprKind::Variable(read), ExprKind::Variable(first)) => read.id == first.id,
        _ => false,
    };
    let is_position =
        |part: &Expr| matches!(&part.kind, ExprKind::Size(size) if size.as_variable() == Some(position));
    match &expr.kind {
        ExprKind::Binary(BinaryOperator::Add, left, right) if is_first(left) && is_position(right) => {
            place.clone()
        }
        _ => expr.with_children(&mut |part| moved(part, first, position, place)),
    }
}
