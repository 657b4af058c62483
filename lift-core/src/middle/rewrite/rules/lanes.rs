//! Reductions with an accumulator for each column: the rows are taken one after the other, and all columns
//! side by side.
//!
//! `reduce(|accs, x| zip(accs, r(x)) >> map(f), repeat(M, z))` is the reduction of `M` columns at once. Its
//! accumulators know nothing of each other, so that what holds for the reduction of one column holds for all.

use std::slice;
use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{is_variable, replace_all};
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{Reduction, bound_outside, names, operator_copy, reduction, size, start};
use super::split::uneven;
use crate::ir::nat::Nat;
use crate::ir::typed::build::{Build, Built, uses};
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, MapKind, ReduceKind, Variable};
use crate::ir::types::Type;
use crate::middle::laws::{Accumulation, Axioms, Operator};

/// Parts of the rows are reduced on their own, for all columns at once, and then the results of each column.
pub const PARTIAL_REDUCE_LANES: Rule = Rule {
    name: "partialReduceLanes",
    statement: "reduce(|accs, x| zip(accs, r(x)) >> map(|(acc, y)| op(acc, g(x, y))), repeat(M, z)) = chunks(n) >> \
                map(reduce(the same, repeat(M, e))) >> transpose >> map(reduce(op, z)), where op(e, x) = x, or e = z \
                where op(x, x) = x",
    origin: "ICFP 2015, section 4.1 (partial reduction), for all columns at once: new",
    parameters: &[Kind::Size],
    regroups: true,
    apply: partial_reduce_lanes,
};

fn partial_reduce_lanes(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let lanes = LaneReduction::read(redex)?;
    let Reduction { kind: ReduceKind::Unspecified, function, array, .. } = lanes.reduction else {
        return Err(redex.is_not("a `reduce`, whose order is open"));
    };
    if function.index.is_some() {
        return Err(Mismatch::condition("the function does not use its position", redex.expr));
    }
    let axioms = Axioms::of_place(build);
    let one = lanes.of_one_column(build)?;
    let separated = Accumulation::derived(&one, axioms, &mut || build.prover().fresh());
    let operator = separated.map(|separated| separated.operator);
    let known = operator.as_ref().and_then(|operator| Operator::derived(operator, axioms));
    let Some(Operator { function: operator, start: Some(first), .. }) = known else {
        let wanted = "an operator that is known to be associative, and from whose identity or initial value \
                      parts can start, combines each accumulator with a value that mentions none";
        return Err(Mismatch::condition(wanted, redex.expr));
    };
    let parts = uneven(size(arguments)?, array.clone(), build)?;
    let results = build.map_at(MapKind::Unspecified, parts, "part", |build, _, part| {
        let step = operator_copy(function, build)?;
        let first = start(&first, lanes.initial, build)?;
        let initial = build.repeat(lanes.count.clone(), first)?;
        Ok::<_, Mismatch>(build.reduce(ReduceKind::Unspecified, step, initial, part)?)
    })?;
    let columns = build.transpose(results)?;
    build.map_at(MapKind::Unspecified, columns, "column", |build, _, column| {
        let initial = build.copy(lanes.initial);
        Ok(build.reduce(ReduceKind::Unspecified, operator.clone(), initial, column)?)
    })
}

/// Each column is reduced on its own. The inverse of `mapReduceInterchange`: where nothing else is computed
/// of a row, work-items may take columns.
pub const REDUCE_MAP_INTERCHANGE: Rule = Rule {
    name: "reduceMapInterchange",
    statement: "reduce(|accs, x| zip(accs, x) >> map(|(acc, y)| f(acc, y)), repeat(M, z)) = transpose >> \
                map(reduce(f, z)); for an array of tuples, its rows become columns, and f may use its scalars",
    origin: "GPGPU 2016 (mapReduceInterchange), from right to left",
    parameters: &[],
    regroups: false,
    apply: reduce_map_interchange,
};

fn reduce_map_interchange(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let lanes = LaneReduction::read(redex)?;
    let Reduction { kind, function, .. } = lanes.reduction;
    if !lanes.bindings.is_empty() || function.index.is_some() {
        let wanted = "a step computes nothing but its accumulators, and does not use its position";
        return Err(Mismatch::condition(wanted, &function.body));
    }
    let arrays = Arrays::of(&lanes);
    let mut columns = Vec::new();
    for part in lanes.beside() {
        let rows = arrays.position(part).and_then(|position| arrays.all.get(position));
        let rows = rows.ok_or_else(|| Mismatch::form("an array of the element that is reduced", part, 2))?;
        columns.push(build.transpose(rows.clone())?);
    }
    let shared = arrays.mentioned(&lanes.lane.body)?;
    let (width, columns) = (columns.len(), zipped(columns, build)?);
    build.map_at(MapKind::Unspecified, columns, "column", |build, _, column| {
        let mut parts = Vec::new();
        for position in 0..width {
            parts.push(component(&column, position, width, build)?);
        }
        parts.extend(shared.iter().filter_map(|position| arrays.all.get(*position)).cloned());
        let (count, input) = (parts.len(), zipped(parts, build)?);
        let names = ["acc", names(function)[1]];
        let step = build.accumulation_at(names, &lanes.initial.ty, &input, |build, _, acc, element| {
            let mut values = Vec::new();
            for position in 0..count {
                values.push(component(&element, position, count, build)?);
            }
            let own = lanes.with_values(&acc, &values)?;
            let of_row = |body, (position, value): (&usize, &Arc<Expr>)| {
                replace_all(&body, &|expr| arrays.position(expr) == Some(*position), value)
            };
            let others = values.get(width..).unwrap_or_default();
            Ok::<_, Mismatch>(shared.iter().zip(others).fold(own, of_row))
        })?;
        let initial = build.copy(lanes.initial);
        Ok(build.reduce(kind, step, initial, input)?)
    })
}

/// The arrays that a reduction takes its elements of.
struct Arrays<'e> {
    all: &'e [Arc<Expr>],
    /// Whether they are zipped.
    is_zip: bool,
    /// The element.
    element: &'e Variable,
}

impl<'e> Arrays<'e> {
    fn of(lanes: &LaneReduction<'e>) -> Arrays<'e> {
        let (array, element) = (lanes.reduction.array, lanes.element);
        match &array.kind {
            ExprKind::Zip(all) => Arrays { all, is_zip: true, element },
            _ => Arrays { all: slice::from_ref(array), is_zip: false, element },
        }
    }

    /// The position of the array that an expression is an element of.
    fn position(&self, expr: &Expr) -> Option<usize> {
        match &expr.kind {
            ExprKind::Component(of, position) if self.is_zip && is_variable(of, self.element) => {
                Some(*position)
            }
            ExprKind::Variable(_) if !self.is_zip && is_variable(expr, self.element) => Some(0),
            _ => None,
        }
    }

    /// The positions of the arrays whose elements an expression mentions: single values.
    fn mentioned(&self, expr: &Expr) -> Result<Vec<usize>, Mismatch> {
        let wanted = "a lane uses nothing of a row but single values beside it";
        match self.position(expr) {
            Some(position) if expr.ty.is_element() => Ok(vec![position]),
            Some(_) => Err(Mismatch::condition(wanted, expr)),
            None if is_variable(expr, self.element) => Err(Mismatch::condition(wanted, expr)),
            None => {
                let mut positions = Vec::new();
                for child in expr.children() {
                    positions.extend(self.mentioned(child)?);
                }
                positions.sort_unstable();
                positions.dedup();
                Ok(positions)
            }
        }
    }
}

/// Arrays side by side, or the one array.
fn zipped(mut arrays: Vec<Arc<Expr>>, build: &mut Build<'_>) -> Built {
    match (arrays.len(), arrays.pop()) {
        (1, Some(array)) => Ok(array),
        (_, last) => build.zip(arrays.into_iter().chain(last).collect()),
    }
}

/// An element of arrays that are [`zipped`]: what is of the one at a position.
fn component(element: &Arc<Expr>, position: usize, count: usize, build: &mut Build<'_>) -> Built {
    if count == 1 { Ok(element.clone()) } else { build.component(element, position) }
}

/// A reduction with an accumulator for each column, all of which start from one value.
pub(super) struct LaneReduction<'e> {
    pub(super) reduction: Reduction<'e>,
    /// The number of columns.
    pub(super) count: Nat,
    /// What each accumulator starts from.
    pub(super) initial: &'e Arc<Expr>,
    /// The element that a step takes.
    element: &'e Variable,
    /// What a step binds before it goes on with the accumulators.
    bindings: Vec<&'e [Binding]>,
    /// The function of an accumulator and what stands beside it.
    lane: &'e Lambda,
    /// The arrays that a step zips.
    zipped: &'e [Arc<Expr>],
    /// The position of the accumulators among them.
    own: usize,
}

impl<'e> LaneReduction<'e> {
    /// Reads a reduction that is computed in any way.
    pub(super) fn read(redex: &Redex<'e>) -> Result<LaneReduction<'e>, Mismatch> {
        const WANTED: &str = "a reduction whose step maps its accumulators, zipped with other arrays";
        let reduction = reduction(redex)?;
        let [(accumulators, _), (element, _)] = reduction.function.parameters.as_slice() else {
            return Err(Mismatch::form(WANTED, redex.expr, 0));
        };
        let (bindings, body) = bound_outside(&reduction.function.body);
        let ExprKind::Map(MapKind::Unspecified, lane, input) = &body.kind else {
            return Err(Mismatch::form(WANTED, body, 1));
        };
        let ExprKind::Zip(zipped) = &input.kind else { return Err(Mismatch::form(WANTED, input, 2)) };
        let own = zipped.iter().position(|part| is_variable(part, accumulators));
        let Some(own) = own.filter(|_| uses(&reduction.function.body, accumulators) == 1) else {
            return Err(Mismatch::condition("a step uses its accumulators once, side by side", input));
        };
        if lane.index.is_some() {
            return Err(Mismatch::condition("the accumulators do not use their position", body));
        }
        let ExprKind::Repeat(count, initial) = &reduction.initial.kind else {
            return Err(Mismatch::form("a reduction that starts from `repeat`", reduction.initial, 1));
        };
        let count = count.clone();
        Ok(LaneReduction { count, initial, reduction, element, bindings, lane, zipped, own })
    }

    /// The names of the accumulators and the element.
    pub(super) fn names(&self) -> [&'e str; 2] {
        names(self.reduction.function)
    }

    /// A step for other accumulators, where the arrays beside them have become what `beside` makes of them.
    pub(super) fn step(
        &self,
        accumulators: Arc<Expr>,
        element: Arc<Expr>,
        position: &Nat,
        beside: &dyn Fn(Arc<Expr>, &mut Build<'_>) -> Built,
        build: &mut Build<'_>,
    ) -> Result<Arc<Expr>, Mismatch> {
        let mut zipped = self.zipped.to_vec();
        for (place, part) in zipped.iter_mut().enumerate() {
            *part = if place == self.own { accumulators.clone() } else { beside(part.clone(), build)? };
        }
        let zipped = build.zip(zipped)?;
        let mut body = build.map(MapKind::Unspecified, self.lane.clone(), zipped)?;
        for bindings in self.bindings.iter().rev() {
            body = build.bind_all(bindings.to_vec(), body)?;
        }
        let Lambda { parameters, index, .. } = self.reduction.function;
        let parameters = parameters.iter().skip(1).cloned().collect();
        let step = Lambda { parameters, index: index.clone(), body };
        Ok(build.apply(&step, Some(position), vec![element])?)
    }

    /// The arrays that a step zips with its accumulators.
    fn beside(&self) -> impl Iterator<Item = &'e Arc<Expr>> {
        let own = self.own;
        self.zipped.iter().enumerate().filter(move |(place, _)| *place != own).map(|(_, part)| part)
    }

    /// What a step does with an accumulator and what stands beside it.
    fn of_one_column(&self, build: &mut Build<'_>) -> Result<Lambda, Mismatch> {
        let (lane, ty) = self.lane_parameter()?;
        let accumulator = build.variable("acc");
        let read = build.read(&accumulator, &self.initial.ty);
        let body = self.with_component(&self.lane.body, self.own, &read)?;
        self.demand_components(&body)?;
        let parameters = vec![(accumulator, self.initial.ty.clone()), (lane.clone(), ty.clone())];
        Ok(Lambda { parameters, index: None, body })
    }

    /// The same for this accumulator and these values beside it; more of them may follow.
    fn with_values(&self, accumulator: &Arc<Expr>, beside: &[Arc<Expr>]) -> Result<Arc<Expr>, Mismatch> {
        let mut body = self.with_component(&self.lane.body, self.own, accumulator)?;
        let places = (0..self.zipped.len()).filter(|place| *place != self.own);
        for (place, value) in places.zip(beside) {
            body = self.with_component(&body, place, value)?;
        }
        self.demand_components(&body)?;
        Ok(body)
    }

    fn lane_parameter(&self) -> Result<&'e (Variable, Type), Mismatch> {
        match self.lane.parameters.as_slice() {
            [parameter] => Ok(parameter),
            _ => Err(Mismatch::form("a function of one lane", &self.lane.body, 1)),
        }
    }

    /// An expression of a lane, where one of its components is this value.
    fn with_component(
        &self,
        body: &Arc<Expr>,
        place: usize,
        value: &Arc<Expr>,
    ) -> Result<Arc<Expr>, Mismatch> {
        let (lane, _) = self.lane_parameter()?;
        let is_component = |expr: &Arc<Expr>| match &expr.kind {
            ExprKind::Component(tuple, position) => *position == place && is_variable(tuple, lane),
            _ => false,
        };
        Ok(replace_all(body, &is_component, value))
    }

    /// Demands that no expression uses a lane as a whole.
    fn demand_components(&self, body: &Expr) -> Result<(), Mismatch> {
        let (lane, _) = self.lane_parameter()?;
        match has_whole(body, lane) {
            true => Err(Mismatch::condition("each component of a lane is used for itself", body)),
            false => Ok(()),
        }
    }
}

/// Whether an expression uses a tuple other than by its components.
fn has_whole(expr: &Expr, tuple: &Variable) -> bool {
    match &expr.kind {
        ExprKind::Component(of, _) if is_variable(of, tuple) => false,
        _ => is_variable(expr, tuple) || expr.children().any(|child| has_whole(child, tuple)),
    }
}
