//! Maps that the plain form computes in the kernel of another one become part of a stencil's function: what
//! computes something of single results, or of the elements beside windows.

use std::sync::Arc;

use super::super::inlining::inlined;
use super::found::Found;
use crate::ir::typed::{Expr, ExprKind, Layout, Program, Variable};
use crate::middle::rewrite::rules::{
    MAP_2_FUSION, MAP_3_FUSION, MAP_FUSION, MAP_FUSION_IN_ZIP, arrays_of_nest,
};
use crate::middle::rewrite::{Rewriter, Rule, Strategy};

/// The program, if it has windows, with nests of maps that are one where they can be.
pub(super) fn fused(program: &Program) -> Rewriter<'_> {
    let mut rewriter = Rewriter::new(program);
    if makes_windows(&program.body) {
        while let Some(step) = next(&rewriter) {
            if rewriter.run(&step).is_err() {
                break;
            }
        }
    }
    rewriter
}

/// The next step: a nest that has a name is written where another one reads it, element by element, or two
/// nests become one.
fn next(rewriter: &Rewriter<'_>) -> Option<Strategy> {
    let is_nest = |value: &Arc<Expr>, reads| reads == 1 && arrays_of_nest(value).is_some();
    inlined(rewriter.body(), &is_nest, &read_by_nest).or_else(|| {
        let maps = Found::in_body(rewriter.body()).maps;
        maps.into_iter().find_map(|place| {
            let rules = fusions(rewriter.body().at_path(&place)?);
            let rule = rules.iter().find(|rule| rewriter.applies(rule, &[], &place))?;
            Some(Strategy::At(place, Strategy::rule(rule).into()))
        })
    })
}

/// The rules that may fuse a nest with one that it is applied to.
fn fusions(nest: &Arc<Expr>) -> &'static [&'static Rule] {
    let is_line = |array: &Arc<Expr>| matches!(array.kind, ExprKind::Map(..)) && array.ty.rank() == 1;
    match nest.ty.rank() {
        1 if arrays_of_nest(nest).is_some_and(|arrays| arrays.iter().any(is_line)) => {
            &[&MAP_FUSION, &MAP_FUSION_IN_ZIP]
        }
        2 => &[&MAP_2_FUSION],
        3 => &[&MAP_3_FUSION],
        _ => &[],
    }
}

/// How often a nest of maps takes the elements of a variable. Those in the function of an `iterate` take them
/// again in every application, for which they would be computed again.
fn read_by_nest(expr: &Arc<Expr>, variable: &Variable) -> usize {
    let is_variable =
        |array: &&Arc<Expr>| matches!(&array.kind, ExprKind::Variable(read) if read.id == variable.id);
    let own = arrays_of_nest(expr).map_or(0, |arrays| arrays.iter().filter(is_variable).count());
    let parts = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    own + parts.map(|(_, part)| read_by_nest(part, variable)).sum::<usize>()
}

fn makes_windows(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Layout(Layout::Slide { .. }, _))
        || expr.children().any(|child| makes_windows(child))
}
