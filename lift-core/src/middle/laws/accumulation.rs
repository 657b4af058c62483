//! Reductions whose function first computes something of an element, and then combines it with the
//! accumulator.

use std::rc::Rc;

use super::{Axioms, Operator, is_component};
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Lambda, NodeId, Variable};
use crate::ir::types::Type;

/// The function of a reduction, separated into a function of each element and an operator: `|s, x| s + f(x)`
/// is `f` and `+`.
pub(in crate::middle) struct Accumulation {
    /// The function of an element; `None` if it is the identity.
    pub(in crate::middle) element: Option<Lambda>,
    /// The operator that combines its results with the accumulator.
    pub(in crate::middle) operator: Lambda,
}

impl Accumulation {
    /// Separates the function of a reduction. The position of an element, which the function may know,
    /// belongs to the function of the element. `None` if no known operator combines the accumulator with
    /// something else. `fresh` gives ids that nothing has.
    pub(in crate::middle) fn of(
        function: &Lambda,
        axioms: Axioms<'_>,
        fresh: &mut dyn FnMut() -> u32,
    ) -> Option<Accumulation> {
        let is_known = |operator: &Lambda| Operator::of(operator, axioms).is_some();
        Accumulation::separated(function, &is_known, fresh)
    }

    /// The same, for an operator whose laws are [derived](Operator::derived).
    pub(in crate::middle) fn derived(
        function: &Lambda,
        axioms: Axioms<'_>,
        fresh: &mut dyn FnMut() -> u32,
    ) -> Option<Accumulation> {
        let is_known = |operator: &Lambda| Operator::derived(operator, axioms).is_some();
        Accumulation::separated(function, &is_known, fresh)
    }

    fn separated(
        function: &Lambda,
        is_known: &dyn Fn(&Lambda) -> bool,
        fresh: &mut dyn FnMut() -> u32,
    ) -> Option<Accumulation> {
        if is_known(function) {
            return Some(Accumulation { element: None, operator: function.clone() });
        }
        let [accumulator, element] = function.parameters.as_slice() else { return None };
        if accumulator.1 != function.body.ty {
            return None;
        }
        let combined = Variable { id: fresh(), name: "element".into() };
        let read = node(ExprKind::Variable(combined.clone()), &accumulator.1, function.body.source, fresh);
        let mut separation = Separation { accumulator: &accumulator.0, fresh };
        let (value, body) = separation.of(&function.body, &mut Vec::new(), &read)?;
        let parameters = vec![accumulator.clone(), (combined, accumulator.1.clone())];
        let operator = Lambda { parameters, index: None, body };
        if !is_known(&operator) {
            return None;
        }
        let element =
            Lambda { parameters: vec![element.clone()], index: function.index.clone(), body: value };
        Some(Accumulation { element: Some(element), operator })
    }
}

fn node(kind: ExprKind, ty: &Type, source: Source, fresh: &mut dyn FnMut() -> u32) -> Rc<Expr> {
    Rc::new(Expr { id: NodeId(fresh()), ty: ty.clone(), source, kind })
}

/// Separates the function of a reduction into a function of the element and an operator.
struct Separation<'s> {
    accumulator: &'s Variable,
    fresh: &'s mut dyn FnMut() -> u32,
}

impl Separation<'_> {
    /// Both parts for a component of the accumulator. `combined` is that component of the element function's
    /// result.
    fn of(
        &mut self,
        body: &Rc<Expr>,
        path: &mut Vec<usize>,
        combined: &Rc<Expr>,
    ) -> Option<(Rc<Expr>, Rc<Expr>)> {
        if let ExprKind::Tuple(parts) = &body.kind {
            let mut elements = Vec::new();
            let mut operators = Vec::new();
            for (position, part) in parts.iter().enumerate() {
                path.push(position);
                let component = ExprKind::Component(combined.clone(), position);
                let component = node(component, &part.ty, combined.source, self.fresh);
                let (element, operator) = self.of(part, path, &component)?;
                path.pop();
                elements.push(element);
                operators.push(operator);
            }
            let tuple = |parts| body.with_kind(ExprKind::Tuple(parts));
            return Some((tuple(elements), tuple(operators)));
        }
        let (a, b) = match &body.kind {
            ExprKind::Binary(_, a, b) => (a, b),
            ExprKind::Builtin(_, arguments) | ExprKind::Function(_, arguments) => {
                match arguments.as_slice() {
                    [a, b] => (a, b),
                    _ => return None,
                }
            }
            // An array that is combined element by element.
            ExprKind::Map(_, _, input) => match &input.kind {
                ExprKind::Zip(arrays) => match arrays.as_slice() {
                    [a, b] => (a, b),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let is_accumulator = |expr: &Rc<Expr>| is_component(expr, self.accumulator, path);
        let element = match (is_accumulator(a), is_accumulator(b)) {
            (true, false) => b,
            (false, true) => a,
            (true, true) | (false, false) => return None,
        };
        if element.ty != body.ty || reads(element, self.accumulator) {
            return None;
        }
        let with_combined = |operation: &Rc<Expr>| {
            operation.with_children(&mut |child| match is_accumulator(child) {
                true => child.clone(),
                false => combined.clone(),
            })
        };
        let operator = match &body.kind {
            ExprKind::Map(kind, function, input) => {
                body.with_kind(ExprKind::Map(*kind, function.clone(), with_combined(input)))
            }
            _ => with_combined(body),
        };
        Some((element.clone(), operator))
    }
}

fn reads(expr: &Expr, variable: &Variable) -> bool {
    match &expr.kind {
        ExprKind::Variable(read) => read.id == variable.id,
        _ => expr.children().any(|child| reads(child, variable)),
    }
}
