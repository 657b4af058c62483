//! Lists, for the user, what is still computed more often than the program says.
//!
//! Lowering stores delayed arrays that are too expensive to recompute (`cost`), but not everywhere: a program
//! that uses the hierarchy is taken at its word, and some functions have no room for an array. The remaining
//! ones are found in the lowered program, by the same measure.

use std::fmt;

use super::context::ReadBy;
use super::cost::ElementCost;
use super::layout_reads::shown_by;
use super::multiplicity::Multiplicity;
use super::reads::Counting;
use crate::ir::nat::Ranges;
use crate::ir::typed::{Expr, ExprKind, Function, MapKind, Program};

/// A named array whose elements are computed wherever they are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// The name in the `let`.
    pub name: String,
    /// How often an element is computed; `None` if that depends on sizes.
    pub times: Option<i128>,
}

/// As the documentation of a program says it.
impl fmt::Display for Repeated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.times {
            Some(times) => write!(formatter, "each element of `{name}` {times} times"),
            None => write!(formatter, "each element of `{name}` wherever it is read"),
        }
    }
}

/// The delayed arrays of a lowered program that would be worth storing, in the order of their `let`s.
pub(crate) fn repeated(lowered: &Program, ranges: Ranges) -> Vec<Repeated> {
    let mut search =
        Search { functions: &lowered.functions, counting: Counting::new(ranges), found: Vec::new() };
    search.expression(&lowered.body);
    search.found
}

struct Search<'p> {
    functions: &'p [Function],
    counting: Counting,
    found: Vec<Repeated>,
}

impl Search<'_> {
    fn expression(&mut self, expr: &Expr) {
        if let ExprKind::Let { bindings, body } = &expr.kind {
            for (binding, times) in bindings.iter().zip(self.counting.times_of_bound(bindings, body)) {
                let element = delayed(&binding.value).map(|body| ElementCost::of(body, self.functions));
                if element.is_some_and(|element| element.is_worth_a_kernel(times, ReadBy::Row)) {
                    let times = match times {
                        Multiplicity::Known(times) => Some(times),
                        Multiplicity::Many => None,
                    };
                    self.found.push(Repeated { name: binding.variable.name.to_string(), times });
                }
            }
        }
        expr.children().for_each(|child| self.expression(child));
    }
}

/// The body of the function that computes an element of a delayed array.
fn delayed(array: &Expr) -> Option<&Expr> {
    if let Some(shown) = shown_by(array) {
        return delayed(shown);
    }
    match &array.kind {
        ExprKind::Map(MapKind::Unspecified, function, _) | ExprKind::Generate(_, function) => {
            match function.body.ty.is_element() {
                true => Some(&function.body),
                false => delayed(&function.body),
            }
        }
        ExprKind::PadConstant { input, .. } => delayed(input),
        _ => None,
    }
}
