//! Reductions whose function first computes something of an element, and then combines it with the
//! accumulator.

use std::sync::Arc;

use super::{Axioms, Operator, Part, is_part};
use crate::ir::nat::{Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, MapKind, NodeId, Position, Variable};
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
        let function = &Lambda { body: with_reads_written_out(&function.body), ..function.clone() };
        if is_known(function) {
            return Some(Accumulation { element: None, operator: function.clone() });
        }
        let [accumulator, element] = function.parameters.as_slice() else { return None };
        if accumulator.1 != function.body.ty {
            return None;
        }
        let combined = Variable { id: fresh(), name: "element".into() };
        let read = node(ExprKind::Variable(combined.clone()), &accumulator.1, function.body.source, fresh);
        let (bindings, rest) = bound_of_element(&function.body, &accumulator.0)?;
        let mut separation = Separation { accumulator: &accumulator.0, fresh };
        let (value, body) = separation.of(rest, &mut Vec::new(), &read)?;
        let value = match bindings {
            [] => value,
            _ => {
                let (ty, source) = (value.ty.clone(), function.body.source);
                node(ExprKind::Let { bindings: bindings.to_vec(), body: value }, &ty, source, fresh)
            }
        };
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

fn node(kind: ExprKind, ty: &Type, source: Source, fresh: &mut dyn FnMut() -> u32) -> Arc<Expr> {
    Arc::new(Expr { id: NodeId(fresh()), ty: ty.clone(), source, kind })
}

/// A body without the names that patterns give to parts of its parameters. To read a part twice is no work.
fn with_reads_written_out(body: &Arc<Expr>) -> Arc<Expr> {
    fn is_read(expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable(_) => true,
            ExprKind::Component(whole, _) | ExprKind::At(Position::Size(_), whole) => is_read(whole),
            _ => false,
        }
    }
    match &body.kind {
        ExprKind::Let { bindings, body: rest } if bindings.iter().all(|binding| is_read(&binding.value)) => {
            let names = bindings.iter().rev();
            names.fold(rest.clone(), |rest, name| rest.replace(&name.variable, &name.value))
        }
        _ => body.clone(),
    }
}

/// The `let`s at the beginning of a body, and what follows. `None` if they mention the accumulator.
fn bound_of_element<'e>(
    body: &'e Arc<Expr>,
    accumulator: &Variable,
) -> Option<(&'e [Binding], &'e Arc<Expr>)> {
    let ExprKind::Let { bindings, body: rest } = &body.kind else { return Some((&[], body)) };
    let is_of_element = |binding: &Binding| !mentions(&binding.value, accumulator);
    bindings.iter().all(is_of_element).then_some((bindings, rest))
}

/// Separates the function of a reduction into a function of the element and an operator.
struct Separation<'s> {
    accumulator: &'s Variable,
    fresh: &'s mut dyn FnMut() -> u32,
}

/// The function of an element, and the operator.
type Separated = (Arc<Expr>, Arc<Expr>);

impl Separation<'_> {
    /// Both for a part of the accumulator. `combined` is that part of the element function's result.
    fn of(&mut self, body: &Arc<Expr>, path: &mut Vec<Part>, combined: &Arc<Expr>) -> Option<Separated> {
        match &body.kind {
            ExprKind::Tuple(parts) => {
                let component = |position| ExprKind::Component(combined.clone(), position);
                let parts = self.parts(parts, path, combined, Part::Component, &component)?;
                let (elements, operators) = parts.into_iter().unzip();
                let tuple = |parts| body.with_kind(ExprKind::Tuple(parts));
                Some((tuple(elements), tuple(operators)))
            }
            ExprKind::ArrayLiteral(parts) => {
                let element = |position| {
                    ExprKind::At(Position::Size(Nat::constant(position as i128)), combined.clone())
                };
                let parts = self.parts(parts, path, combined, Part::Element, &element)?;
                let (elements, operators) = parts.into_iter().unzip();
                let array = |parts| body.with_kind(ExprKind::ArrayLiteral(parts));
                Some((array(elements), array(operators)))
            }
            ExprKind::Map(_, _, input) => match &input.kind {
                ExprKind::Zip(arrays) => self.element_by_element(body, arrays, path, combined),
                _ => None,
            },
            ExprKind::Binary(_, a, b) => {
                self.operation(body, [a, b], path, combined).or_else(|| self.chain(body, path, combined))
            }
            ExprKind::Builtin(_, arguments) | ExprKind::Function(_, arguments) => {
                match arguments.as_slice() {
                    [a, b] => self.operation(body, [a, b], path, combined),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Both for each part of a tuple or of a small array.
    fn parts(
        &mut self,
        parts: &[Arc<Expr>],
        path: &mut Vec<Part>,
        combined: &Arc<Expr>,
        part_at: fn(usize) -> Part,
        read: &dyn Fn(usize) -> ExprKind,
    ) -> Option<Vec<Separated>> {
        let mut separated = Vec::new();
        for (position, part) in parts.iter().enumerate() {
            path.push(part_at(position));
            let combined = node(read(position), &part.ty, combined.source, self.fresh);
            separated.push(self.of(part, path, &combined)?);
            path.pop();
        }
        Some(separated)
    }

    /// `s + x + y` is `s + (x + y)`: the operator that is left has to be associative.
    fn chain(&mut self, body: &Arc<Expr>, path: &mut Vec<Part>, combined: &Arc<Expr>) -> Option<Separated> {
        let ExprKind::Binary(operator, first, last) = &body.kind else { return None };
        let ExprKind::Binary(inner, ..) = &first.kind else { return None };
        if inner != operator || last.ty != body.ty || mentions(last, self.accumulator) {
            return None;
        }
        let (element, combination) = self.of(first, path, combined)?;
        Some((body.with_kind(ExprKind::Binary(*operator, element, last.clone())), combination))
    }

    /// Both for an operation on the accumulator and a value that does not depend on it.
    fn operation(
        &mut self,
        body: &Arc<Expr>,
        operands: [&Arc<Expr>; 2],
        path: &[Part],
        combined: &Arc<Expr>,
    ) -> Option<Separated> {
        let is_accumulator = |expr: &Arc<Expr>| is_part(expr, self.accumulator, path);
        let element = match operands.map(is_accumulator) {
            [true, false] => operands[1],
            [false, true] => operands[0],
            [true, true] | [false, false] => return None,
        };
        if element.ty != body.ty || mentions(element, self.accumulator) {
            return None;
        }
        let operator = body.with_children(&mut |child| match is_accumulator(child) {
            true => child.clone(),
            false => combined.clone(),
        });
        Some((element.clone(), operator))
    }

    /// Both for an accumulator that is one of the arrays which a function takes element by element:
    /// `zip(s, x) >> map(|s, x| s + f(x))` is `map(f)` and the sum of arrays.
    fn element_by_element(
        &mut self,
        body: &Arc<Expr>,
        arrays: &[Arc<Expr>],
        path: &[Part],
        combined: &Arc<Expr>,
    ) -> Option<Separated> {
        let ExprKind::Map(_, function, _) = &body.kind else { return None };
        let [(tuple, Type::Tuple(types))] = function.parameters.as_slice() else { return None };
        let own = arrays.iter().position(|array| is_part(array, self.accumulator, path))?;
        let others: Vec<usize> = (0..arrays.len()).filter(|position| *position != own).collect();
        if others.iter().any(|other| mentions(&arrays[*other], self.accumulator)) {
            return None;
        }
        let parts: Vec<Named> = types.iter().map(|ty| self.named("part", ty, body.source)).collect();
        let reads: Vec<Arc<Expr>> = parts.iter().map(|part| part.read.clone()).collect();
        let written = function.body.replace_components(tuple, &reads);
        if mentions(&written, tuple) {
            return None;
        }
        let value = self.named("value", &types[own], body.source);
        let mut of_elements = Separation { accumulator: &parts[own].variable, fresh: self.fresh };
        let (element, operator) = of_elements.of(&written, &mut Vec::new(), &value.read)?;

        let inputs = others.iter().map(|other| (arrays[*other].clone(), &parts[*other])).collect();
        let elements = self.map_over(body, function.index.clone(), inputs, &element);
        if mentions(&elements, self.accumulator) {
            return None;
        }
        let inputs = vec![(arrays[own].clone(), &parts[own]), (combined.clone(), &value)];
        Some((elements, self.map_over(body, None, inputs, &operator)))
    }

    /// The map like `body` of a function over one array, or over several: over their elements, by which names
    /// `value` computes something.
    fn map_over(
        &mut self,
        body: &Arc<Expr>,
        index: Option<Var>,
        inputs: Vec<(Arc<Expr>, &Named)>,
        value: &Arc<Expr>,
    ) -> Arc<Expr> {
        let kind = match &body.kind {
            ExprKind::Map(kind, ..) => *kind,
            _ => MapKind::Unspecified,
        };
        if let [(array, part)] = inputs.as_slice() {
            if matches!(&value.kind, ExprKind::Variable(read) if read.id == part.variable.id) {
                return array.clone();
            }
            let parameters = vec![(part.variable.clone(), part.read.ty.clone())];
            let function = Lambda { parameters, index, body: value.clone() };
            return body.with_kind(ExprKind::Map(kind, function, array.clone()));
        }
        let types = Type::Tuple(inputs.iter().map(|(_, part)| part.read.ty.clone()).collect());
        let tuple = self.named("parts", &types, body.source);
        let mut value = value.clone();
        for (position, (_, part)) in inputs.iter().enumerate() {
            let component = ExprKind::Component(tuple.read.clone(), position);
            let component = node(component, &part.read.ty, body.source, self.fresh);
            value = value.replace(&part.variable, &component);
        }
        let length = body.ty.as_array().map_or_else(Nat::zero, |array| array.length.clone());
        let zip = ExprKind::Zip(inputs.into_iter().map(|(array, _)| array).collect());
        let zip = node(zip, &Type::array(types.clone(), length), body.source, self.fresh);
        let function = Lambda { parameters: vec![(tuple.variable, types)], index, body: value };
        body.with_kind(ExprKind::Map(kind, function, zip))
    }

    fn named(&mut self, name: &str, ty: &Type, source: Source) -> Named {
        let variable = Variable { id: (self.fresh)(), name: name.into() };
        let read = node(ExprKind::Variable(variable.clone()), ty, source, self.fresh);
        Named { variable, read }
    }
}

/// A variable and an expression that reads it.
struct Named {
    variable: Variable,
    read: Arc<Expr>,
}
