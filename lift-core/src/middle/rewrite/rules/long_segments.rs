//! Long segments, apart from the others.
//!
//! Where a few segments are much longer than all others, whoever reduces one of them works on alone when
//! everybody else is done. So long segments are reduced first, each by as many work-items as pays for it, and
//! the loop over all segments finds their results (rows in bins by their lengths: Greathouse, Daga, *Efficient
//! Sparse Matrix-Vector Multiplication on GPUs Using the CSR Storage Format*, SC 2014, section 4).
//!
//! A long segment needs a place among the long ones that work-items find without counting these. Segments with
//! more than `l` elements begin at positions `first` with different `first / l`, as long as no two overlap.
//! Where some do, the last of those that ask for a place has it, and the others are reduced like short ones:
//! the result is right whatever the ends of the segments are.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Rule};
use super::parts::constants;
use crate::flat::FlatSet;
use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::binders::{mentions_size, refreshed};
use crate::ir::typed::result::Purpose;
use crate::ir::typed::segment::Segment;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, Position, ReduceKind, Requirement, Variable};
use crate::ir::types::Type;
use crate::middle::stated::{Builder, length_of};

/// Segments with more than `l` elements are reduced first.
pub const LONG_SEGMENTS_APART: Rule = Rule {
    name: "longSegmentsApart",
    statement: "generate(n, |i| { let c = end(i) - first(i); reduceWhile(|k => acc, _| (k < c, f(i, k, acc)), z, \
                repeat(m, 0)) }) = { let owners = the last i with first(i) / l = s and c > l, or none, for each s \
                in 0..m / l + 1; let totals = the reduction for each of them; generate(n, |i| if owners(first(i) / \
                l) = i then totals(first(i) / l) else the reduction) }",
    origin: "Greathouse, Daga, Efficient Sparse Matrix-Vector Multiplication on GPUs Using the CSR Storage Format, \
             SC 2014, section 4",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| {
        let [longest] = constants(arguments)?;
        let Some(segments) = Segments::of(redex.expr) else {
            let wanted = "an array that is computed from its positions, by reductions of segments that begin and end \
                          at positions from data";
            return Err(redex.is_not(wanted));
        };
        let numbers = Nat::constant(i128::from(u32::MAX));
        let few = Requirement::Equal(segments.count.divide(&numbers), Nat::zero());
        build.need(few, Purpose::Numbered(segments.count.clone()))?;
        let (apart, read) = build.prover().numbered(|next_id| {
            let mut apart = Apart::new(longest, *next_id);
            let expr = apart.of(&segments);
            *next_id = apart.builder.next_id;
            (expr, apart.read)
        });
        // Positions from data are clamped into an array, which needs an element for that.
        for length in read {
            build.need(Requirement::AtMost(Nat::one(), length), Purpose::ElementExists)?;
        }
        apart.ok_or_else(|| {
            let wanted =
                "what a segment is computed from lies at its position, or as far behind it as in all others";
            Mismatch::condition(wanted, redex.expr)
        })
    },
};

/// Whether the rule applies to an expression.
pub(crate) fn has_long_segments(expr: &Expr, next_id: u32) -> bool {
    Segments::of(expr).is_some_and(|segments| Apart::new(1, next_id).of(&segments).is_some())
}

/// `generate(n, |i| …)` of reductions of segments.
pub(super) struct Segments<'e> {
    pub(super) count: &'e Nat,
    pub(super) index: &'e Var,
    pub(super) element: &'e Arc<Expr>,
}

impl<'e> Segments<'e> {
    pub(super) fn of(expr: &'e Expr) -> Option<Segments<'e>> {
        let ExprKind::Generate(count, function) = &expr.kind else { return None };
        first_of(&Segment::of(&function.body)?)?;
        Some(Segments { count, index: function.index.as_ref()?, element: &function.body })
    }
}

/// The position of the first element of a segment whose number of elements is `end - first`.
pub(super) fn first_of<'e>(segment: &Segment<'e>) -> Option<&'e Arc<Expr>> {
    let value_of = |variable: &Variable| {
        segment.bindings.iter().find(|binding| binding.variable.id == variable.id).map(|of| &of.value)
    };
    let ExprKind::Variable(count) = &segment.count.kind else { return None };
    let ExprKind::Binary(BinaryOperator::Subtract, _, first) = &value_of(count)?.kind else { return None };
    let ExprKind::Variable(variable) = &first.kind else { return None };
    value_of(variable).map(|_| first)
}

/// A position from data, bound to a variable.
struct Row {
    bound: [Binding; 1],
    read: Arc<Expr>,
}

/// Builds the right side.
struct Apart {
    /// The most elements of segments that are not long.
    longest: i128,
    builder: Builder,
    /// The lengths of arrays that are read at positions from data.
    read: FlatSet<Nat>,
}

impl Apart {
    fn new(longest: i128, next_id: u32) -> Apart {
        Apart { longest, builder: Builder { next_id }, read: FlatSet::new() }
    }

    fn of(&mut self, segments: &Segments<'_>) -> Option<Arc<Expr>> {
        let source = Segment::of(segments.element)?.reduction.source;
        let owners = self.owners(segments, source)?;
        let [own, found] = ["owners", "totals"].map(|name| self.builder.variable(name));
        let read_owners = self.builder.read(&own, &owners.ty, source);
        let totals = self.totals(segments, &read_owners, source)?;
        let read_totals = self.builder.read(&found, &totals.ty, source);
        let all = self.all(segments, &read_owners, &read_totals, source)?;
        let bindings = [(own, owners), (found, totals)];
        let bindings = bindings.map(|(variable, value)| Binding { variable, value });
        Some(self.builder.bind_all(bindings.into(), all))
    }

    /// The reduction of a segment with names of its own, at another position.
    fn copy(&mut self, segments: &Segments<'_>, index: &Var) -> Arc<Expr> {
        let position = Substitution::from([(segments.index.clone(), Nat::variable(index))]);
        refreshed(segments.element, &mut self.builder.next_id).substitute(&position)
    }

    /// The position of a segment whose number, counted from 1, is data.
    fn row(&mut self, number: &Arc<Expr>) -> Row {
        let wide = Type::Scalar(ScalarType::I64);
        let number = self.builder.cast(ScalarType::I64, number);
        let one = self.integer(1, &wide, number.source);
        let value = self.builder.binary(BinaryOperator::Subtract, &number, &one);
        let variable = self.builder.variable("row");
        let read = self.builder.read(&variable, &wide, number.source);
        Row { bound: [Binding { variable, value }], read }
    }

    /// For each place the number of the last long segment that asks for it, counted from 1; 0 if there is none.
    fn owners(&mut self, segments: &Segments<'_>, source: Source) -> Option<Arc<Expr>> {
        let number = Type::Scalar(ScalarType::U32);
        let index = self.builder.size("i");
        let own = self.builder.size_as(Nat::variable(&index) + Nat::one(), ScalarType::U32, source);
        let numbers = self.builder.generate(index, segments.count.clone(), own);

        let (table, own) = (self.builder.variable("owners"), self.builder.variable("number"));
        let asking = self.builder.read(&own, &number, source);
        let row = self.row(&asking);
        let element = self.at_row(segments, &row)?;
        let segment = Segment::of(&element)?;
        let place = self.place(&segment)?;
        let is_long = self.is_long(&segment);
        let none = self.integer(-1, &place.ty, source);
        let asked = Binding {
            variable: self.builder.variable("place"),
            value: self.builder.choose(is_long, place, none),
        };
        let place = self.builder.read(&asked.variable, &asked.value.ty, source);

        let places = segment.most.divide(&Nat::constant(self.longest)) + Nat::one();
        let zero = self.integer(0, &number, source);
        let nobody = self.builder.repeat(places, zero);
        let before = self.builder.read(&table, &nobody.ty, source);
        let old = self.builder.at_data(&before, &place);
        let last = self.builder.builtin(Builtin::Max, [&old, &asking]);
        let updated = self.builder.update(&place, last, before);
        let bindings = row.bound.into_iter().chain(segment.bindings.iter().cloned()).chain([asked]);
        let body = self.builder.bind_all(bindings.collect(), updated);
        let step = Lambda { parameters: vec![(table, nobody.ty.clone()), (own, number)], index: None, body };
        Some(self.builder.reduce(&step, nobody, numbers))
    }

    /// The reduction of the segment that owns each place; of no elements where nobody does.
    fn totals(&mut self, segments: &Segments<'_>, owners: &Arc<Expr>, source: Source) -> Option<Arc<Expr>> {
        let place = self.builder.size("place");
        let owner = self.builder.at(owners, Nat::variable(&place));
        let row = self.row(&owner);
        let element = self.at_row(segments, &row)?;
        let segment = Segment::of(&element)?;
        let zero = self.integer(0, &row.read.ty, source);
        let is_none = self.builder.less(&row.read, &zero);
        let count = self.builder.choose(is_none, zero, segment.count.clone());
        let initial = segment.initial.clone();
        let total = self.with_count(&segment, row.bound.into(), count, Vec::new(), initial, source)?;
        let places = owners.ty.as_array()?.length.clone();
        Some(self.builder.generate(place, places, total))
    }

    /// The reduction of each segment. One that owns a place starts from its total, and has no elements left.
    fn all(
        &mut self,
        segments: &Segments<'_>,
        owners: &Arc<Expr>,
        totals: &Arc<Expr>,
        source: Source,
    ) -> Option<Arc<Expr>> {
        let index = self.builder.size("i");
        let element = self.copy(segments, &index);
        let segment = Segment::of(&element)?;
        let place = self.place(&segment)?;
        let own = self.builder.size_as(Nat::variable(&index) + Nat::one(), ScalarType::U32, source);
        let owner = self.builder.at_data(owners, &place);
        let is_owner = self.builder.equal(&owner, &own);
        let is_long = self.is_long(&segment);
        let no = self.builder.literal(Literal::Bool(false), &Type::Scalar(ScalarType::Bool), source);
        let is_apart = self.builder.choose(is_long, is_owner, no);
        let (apart, start) = (self.builder.variable("apart"), self.builder.variable("start"));
        let read_apart = self.builder.read(&apart, &is_apart.ty, source);
        let total = self.builder.at_data(totals, &place);
        let begin = self.builder.choose(read_apart.clone(), total, segment.initial.clone());
        let zero = self.integer(0, &Type::Scalar(ScalarType::I64), source);
        let count = self.builder.choose(read_apart, zero, segment.count.clone());
        let initial = self.builder.read(&start, &segment.initial.ty, source);
        let behind =
            vec![Binding { variable: apart, value: is_apart }, Binding { variable: start, value: begin }];
        let reduced = self.with_count(&segment, Vec::new(), count, behind, initial, source)?;
        Some(self.builder.generate(index, segments.count.clone(), reduced))
    }

    /// A reduction of a segment with another number of elements, and another start. `before` and `behind` are
    /// bound before and behind what it binds.
    fn with_count(
        &mut self,
        segment: &Segment<'_>,
        before: Vec<Binding>,
        count: Arc<Expr>,
        behind: Vec<Binding>,
        initial: Arc<Expr>,
        source: Source,
    ) -> Option<Arc<Expr>> {
        let ExprKind::Tuple(parts) = &segment.step.body.kind else { return None };
        let ExprKind::Reduce(ReduceKind::While, _, _, steps) = &segment.reduction.kind else { return None };
        let own = self.builder.variable("elements");
        let read = self.builder.read(&own, &count.ty, source);
        let counter = self.builder.position(Nat::variable(segment.position), source);
        let goes_on = self.builder.less(&counter, &read);
        let body = self.builder.tuple(vec![goes_on, parts.get(1)?.clone()], source);
        let step = Lambda { body, ..segment.step.clone() };
        let reduced = self.builder.reduce_by(ReduceKind::While, &step, initial, steps.clone());
        let mut bindings = before;
        bindings.extend(segment.bindings.iter().cloned());
        bindings.extend(behind);
        bindings.push(Binding { variable: own, value: count });
        Some(self.builder.bind_all(bindings, reduced))
    }

    /// The place that a long segment asks for.
    fn place(&mut self, segment: &Segment<'_>) -> Option<Arc<Expr>> {
        let first = first_of(segment)?;
        let longest = self.integer(self.longest, &first.ty, first.source);
        Some(self.builder.binary(BinaryOperator::Divide, first, &longest))
    }

    fn is_long(&mut self, segment: &Segment<'_>) -> Arc<Expr> {
        let longest = self.integer(self.longest, &segment.count.ty, segment.count.source);
        self.builder.less(&longest, segment.count)
    }

    fn integer(&mut self, value: i128, ty: &Type, source: Source) -> Arc<Expr> {
        self.builder.literal(Literal::Integer(value), ty, source)
    }

    /// The reduction of a segment at a position from data. `None` if it needs its index for more than positions
    /// in arrays, and as a number.
    fn at_row(&mut self, segments: &Segments<'_>, row: &Row) -> Option<Arc<Expr>> {
        let index = self.builder.size("i");
        let element = self.copy(segments, &index);
        let moved = self.moved(&element, &index, &row.read);
        let is_moved = !mentions_size(&moved, &index) && !has_type_with(&moved, &index);
        is_moved.then_some(moved)
    }

    fn moved(&mut self, expr: &Arc<Expr>, index: &Var, row: &Arc<Expr>) -> Arc<Expr> {
        let data = match &expr.kind {
            ExprKind::Size(position) | ExprKind::At(Position::Size(position), _) => {
                self.position_at(position, index, row)
            }
            _ => None,
        };
        match (&expr.kind, data) {
            (ExprKind::Size(_), Some(data)) => match expr.ty {
                Type::Scalar(ScalarType::I64) => data,
                Type::Scalar(scalar) => self.builder.cast(scalar, &data),
                _ => expr.clone(),
            },
            (ExprKind::At(_, array), Some(data)) => {
                let array = self.moved(array, index, row);
                self.read.insert(length_of(&array));
                self.builder.at_data(&array, &data)
            }
            _ => expr.with_children(&mut |child| self.moved(child, index, row)),
        }
    }

    /// `row + n` for the position `index + n`.
    fn position_at(&mut self, position: &Nat, index: &Var, row: &Arc<Expr>) -> Option<Arc<Expr>> {
        let (slope, behind) = position.linear_in(index)?;
        match (slope.as_constant(), behind.as_constant()) {
            (Some(1), Some(0)) => Some(row.clone()),
            (Some(1), _) => {
                let behind = self.builder.position(behind, row.source);
                Some(self.builder.binary(BinaryOperator::Add, row, &behind))
            }
            _ => None,
        }
    }
}

/// Whether the type of an expression, or of a part of it, depends on an index.
pub(super) fn has_type_with(expr: &Expr, index: &Var) -> bool {
    expr.ty.mentions(index) || expr.children().any(|child| has_type_with(child, index))
}
