//! Recognises what several rules are about: maps and layouts, also inside maps, and what a function mentions.
//!
//! A rule reads its left side from outside to inside. Each question here says what was wanted where the
//! answer is no, and how deep that is, so that a rule is a sequence of questions with `?`.
//!
//! All maps here are those whose workers are left to the compiler. A map that says who computes it is taken
//! at its word: no rule that moves elements about may change it.

use std::sync::Arc;

use super::mismatch::Mismatch;
use crate::ir::nat::{Nat, Substitution};
use crate::ir::typed::binders::{mentions, mentions_size};
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, Lambda, Layout, MapKind, Variable};
use crate::ir::types::Type;

/// A map whose workers are left to the compiler.
#[derive(Clone, Copy)]
pub(super) struct MapOf<'e> {
    /// Its function.
    pub(super) function: &'e Lambda,
    /// The parameter of the function.
    pub(super) parameter: &'e Variable,
    /// The array.
    pub(super) input: &'e Arc<Expr>,
}

impl<'e> MapOf<'e> {
    /// Reads a map, so deep inside the expression that a rule is applied to.
    pub(super) fn read(
        expr: &'e Arc<Expr>,
        wanted: &'static str,
        depth: usize,
    ) -> Result<MapOf<'e>, Mismatch> {
        match &expr.kind {
            ExprKind::Map(MapKind::Unspecified, function, input) => match function.parameters.as_slice() {
                [(parameter, _)] => Ok(MapOf { function, parameter, input }),
                _ => Err(Mismatch::form(wanted, expr, depth)),
            },
            _ => Err(Mismatch::form(wanted, expr, depth)),
        }
    }

    /// The body of the function.
    pub(super) fn body(&self) -> &'e Arc<Expr> {
        &self.function.body
    }

    /// Whether an expression inside the function depends on the element or on its position.
    pub(super) fn is_mentioned_in(&self, expr: &Expr) -> bool {
        mentions(expr, self.parameter) || self.is_position_mentioned_in(expr)
    }

    /// Whether an expression inside the function depends on the position of the element.
    pub(super) fn is_position_mentioned_in(&self, expr: &Expr) -> bool {
        self.function.index.as_ref().is_some_and(|index| mentions_size(expr, index))
    }

    /// An expression inside the function, where the element has another position.
    pub(super) fn at_position(&self, position: &Nat, expr: &Arc<Expr>) -> Arc<Expr> {
        match &self.function.index {
            Some(index) => expr.substitute(&Substitution::from([(index.clone(), position.clone())])),
            None => expr.clone(),
        }
    }

    /// The function applied to an element at a position.
    pub(super) fn apply(
        &self,
        build: &mut Build<'_>,
        position: &Nat,
        element: Arc<Expr>,
    ) -> Result<Arc<Expr>, Mismatch> {
        Ok(build.apply(self.function, Some(position), vec![element])?)
    }
}

/// A map of a map: a function of the elements of rows, which knows nothing else of a row.
#[derive(Clone, Copy)]
pub(super) struct MapMapOf<'e> {
    /// The map over rows.
    pub(super) rows: MapOf<'e>,
    /// The map over the elements of a row.
    pub(super) elements: MapOf<'e>,
}

impl<'e> MapMapOf<'e> {
    /// Reads a map of a map, so deep inside the expression that a rule is applied to. The inner map is over
    /// the rows as they are.
    pub(super) fn read(expr: &'e Arc<Expr>, depth: usize) -> Result<MapMapOf<'e>, Mismatch> {
        let map = MapMapOf::read_any(expr, depth)?;
        match map.is_of_rows() {
            true => Ok(map),
            false => Err(Mismatch::form(MapMapOf::WANTED, map.elements.input, depth + 2)),
        }
    }

    const WANTED: &'static str = "a `map` of a `map` over each row";

    /// The same, where the inner map may be over what something makes of a row.
    pub(super) fn read_any(expr: &'e Arc<Expr>, depth: usize) -> Result<MapMapOf<'e>, Mismatch> {
        let rows = MapOf::read(expr, MapMapOf::WANTED, depth)?;
        let elements = MapOf::read(rows.body(), MapMapOf::WANTED, depth + 1)?;
        if mentions(elements.body(), rows.parameter) {
            return Err(Mismatch::condition(
                "the function of the elements does not need their row",
                elements.body(),
            ));
        }
        Ok(MapMapOf { rows, elements })
    }

    /// The array of rows.
    pub(super) fn input(&self) -> &'e Arc<Expr> {
        self.rows.input
    }

    fn is_of_rows(&self) -> bool {
        is_variable(self.elements.input, self.rows.parameter)
    }

    /// The array that the inner maps are over: that of the rows, or of what something makes of each.
    pub(super) fn walked(&self, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
        if self.is_of_rows() {
            return Ok(self.rows.input.clone());
        }
        let (kind, array) = (MapKind::Unspecified, self.rows.input.clone());
        build.map_at(kind, array, &self.rows.parameter.name, |_, position, row| {
            let of_row = self.elements.input.replace(self.rows.parameter, &row);
            Ok(self.rows.at_position(position, &of_row))
        })
    }

    /// The function of the elements, applied to one that has these positions.
    pub(super) fn apply(
        &self,
        build: &mut Build<'_>,
        row: &Nat,
        position: &Nat,
        element: Arc<Expr>,
    ) -> Result<Arc<Expr>, Mismatch> {
        let applied = self.elements.apply(build, position, element)?;
        Ok(self.rows.at_position(row, &applied))
    }

    /// Whether the function of the elements depends on either position.
    pub(super) fn knows_positions(&self) -> bool {
        let body = self.elements.body();
        self.rows.is_position_mentioned_in(body) || self.elements.is_position_mentioned_in(body)
    }
}

/// A layout of an array, so deep inside the expression that a rule is applied to.
pub(super) fn layout_of<'e>(
    expr: &'e Arc<Expr>,
    wanted: &'static str,
    depth: usize,
) -> Result<(&'e Layout, &'e Arc<Expr>), Mismatch> {
    match &expr.kind {
        ExprKind::Layout(layout, input) => Ok((layout, input)),
        _ => Err(Mismatch::form(wanted, expr, depth)),
    }
}

/// The array of a `transpose`, so deep inside the expression that a rule is applied to.
pub(super) fn transpose_of<'e>(
    expr: &'e Arc<Expr>,
    wanted: &'static str,
    depth: usize,
) -> Result<&'e Arc<Expr>, Mismatch> {
    match layout_of(expr, wanted, depth)? {
        (Layout::Transpose, array) => Ok(array),
        _ => Err(Mismatch::form(wanted, expr, depth)),
    }
}

/// The array of a `join`, so deep inside the expression that a rule is applied to.
pub(super) fn join_of<'e>(
    expr: &'e Arc<Expr>,
    wanted: &'static str,
    depth: usize,
) -> Result<&'e Arc<Expr>, Mismatch> {
    match layout_of(expr, wanted, depth)? {
        (Layout::Join, array) => Ok(array),
        _ => Err(Mismatch::form(wanted, expr, depth)),
    }
}

/// The length of a chunk and the array of a `split`, so deep inside the expression that a rule is applied to.
pub(super) fn split_of<'e>(
    expr: &'e Arc<Expr>,
    wanted: &'static str,
    depth: usize,
) -> Result<(&'e Nat, &'e Arc<Expr>), Mismatch> {
    match layout_of(expr, wanted, depth)? {
        (Layout::Split { chunk }, array) => Ok((chunk, array)),
        _ => Err(Mismatch::form(wanted, expr, depth)),
    }
}

/// A layout inside maps, and the array: `map(map(join))` is `join` inside two maps. `None` where the
/// expression is something else, or where the layout depends on the position of a row.
pub(super) fn layout_inside(expr: &Arc<Expr>, maps: usize) -> Option<(&Layout, &Arc<Expr>)> {
    if maps == 0 {
        return layout_of(expr, "", 0).ok();
    }
    let map = MapOf::read(expr, "", 0).ok()?;
    let (layout, input) = layout_inside(map.body(), maps - 1)?;
    (is_variable(input, map.parameter) && !map.is_position_mentioned_in(map.body()))
        .then_some((layout, input))?;
    Some((layout, map.input))
}

/// Whether an expression is a variable, and nothing else.
pub(super) fn is_variable(expr: &Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id)
}

/// Whether an expression is `zip(x.0, x.1, …)` of all components of a variable.
pub(super) fn is_zip_of_components(expr: &Expr, variable: &Variable) -> bool {
    let ExprKind::Zip(parts) = &expr.kind else { return false };
    let width = match &parts.first().map(|part| &part.kind) {
        Some(ExprKind::Component(tuple, _)) => match &tuple.ty {
            Type::Tuple(components) => components.len(),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => 0,
        },
        _ => 0,
    };
    parts.len() == width
        && parts.iter().enumerate().all(|(position, part)| is_component(part, variable, position))
}

/// Whether an expression is a component of a variable.
pub(super) fn is_component(expr: &Expr, variable: &Variable, position: usize) -> bool {
    match &expr.kind {
        ExprKind::Component(tuple, component) => *component == position && is_variable(tuple, variable),
        _ => false,
    }
}

/// The expression where all outermost expressions of a form are replaced.
pub(super) fn replace_all(
    expr: &Arc<Expr>,
    is: &dyn Fn(&Arc<Expr>) -> bool,
    replacement: &Arc<Expr>,
) -> Arc<Expr> {
    match is(expr) {
        true => replacement.clone(),
        false => expr.with_children(&mut |child| replace_all(child, is, replacement)),
    }
}

/// Whether an expression mentions a variable outside of all expressions of a form.
pub(super) fn mentions_besides(
    expr: &Arc<Expr>,
    is: &dyn Fn(&Arc<Expr>) -> bool,
    variable: &Variable,
) -> bool {
    match &expr.kind {
        _ if is(expr) => false,
        ExprKind::Variable(read) => read.id == variable.id,
        _ => expr.children().any(|child| mentions_besides(child, is, variable)),
    }
}

/// Whether an expression is a name: a variable, or a component of one.
pub(super) fn is_name(expr: &Expr) -> bool {
    is_same_name(expr, expr)
}

/// Whether two expressions name the same value.
pub(super) fn is_same_name(left: &Expr, right: &Expr) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Variable(left), ExprKind::Variable(right)) => left.id == right.id,
        (ExprKind::Component(left, i), ExprKind::Component(right, k)) => i == k && is_same_name(left, right),
        _ => false,
    }
}
