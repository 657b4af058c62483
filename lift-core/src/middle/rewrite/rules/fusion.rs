//! Fusion: two passes over an array become one. Fission: one becomes two.

use std::rc::Rc;

use super::super::failure::Mismatch;
use super::super::rule::{Argument, Redex, Rule};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, Lambda, MapKind};

/// Two maps become one.
pub const MAP_FUSION: Rule = Rule {
    name: "mapFusion",
    statement: "map(f) >> map(g) = map(|x| g(f(x)))",
    origin: "ICFP 2015, section 4.1",
    parameters: &[],
    regroups: false,
    apply: map_fusion,
};

fn map_fusion(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let ExprKind::Map(MapKind::Unspecified, second, input) = &redex.expr.kind else {
        return Err(redex.is_not("a `map`"));
    };
    let ExprKind::Map(MapKind::Unspecified, first, array) = &input.kind else {
        return Err(Mismatch::form("a `map` of a `map`", input, 1));
    };
    let index = match (&first.index, &second.index) {
        (None, None) => None,
        (Some(index), _) => Some(index.clone()),
        (None, Some(index)) => Some(index.clone()),
    };
    let position = index.as_ref().map(Nat::variable);
    let body = build.apply(second, position.as_ref(), vec![first.body.clone()])?;
    let function = Lambda { parameters: first.parameters.clone(), index, body };
    Ok(build.map(MapKind::Unspecified, function, array.clone())?)
}
