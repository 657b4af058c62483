//! Laws that follow from others: of functions that combine large values part by part.
//!
//! A function whose result is a tuple, a vector or an array, each part of it computed from the same parts of
//! the operands by an operator with laws, has these laws too: the sum of complex numbers, of the
//! accelerations of bodies, of the columns of a matrix. A user function has the laws of its body.
//!
//! [`Operator::of`] does not know this, because it says what scans are divided by: their elements are single
//! values.

use std::sync::Arc;

use super::{Axioms, Identity, Known, Operand, Operands, Operator, Part, Start, identity_of_bits, known};
use crate::ir::scalar::{BinaryOperator, Literal};
use crate::ir::typed::{Expr, ExprKind, Lambda, Laws};
use crate::ir::types::Type;

impl<'e> Operator<'e> {
    /// The operator of a function, with the laws that follow from those of the operators that it applies to
    /// the parts of its operands. `None` if the function is not known to be associative.
    pub(in crate::middle) fn derived(function: &'e Lambda, axioms: Axioms<'_>) -> Option<Operator<'e>> {
        let [(left, left_type), (right, right_type)] = function.parameters.as_slice() else { return None };
        if left_type != right_type || *left_type != function.body.ty || function.index.is_some() {
            return None;
        }
        let known = derived(&function.body, &Operands::new(left, right), axioms)?;
        Some(known.operator(function))
    }
}

fn derived(body: &Expr, operands: &Operands<'_>, axioms: Axioms<'_>) -> Option<Known> {
    match &body.kind {
        ExprKind::Tuple(parts) => {
            let components = of_parts(parts, Part::Component, operands, axioms)?;
            Some(Known::of_parts(components, Start::of_tuple))
        }
        ExprKind::ArrayLiteral(parts) => {
            let elements = of_parts(parts, Part::Element, operands, axioms)?;
            Some(Known::of_parts(elements, Start::of_array))
        }
        ExprKind::Map(_, function, input) => {
            let (ExprKind::Zip(arrays), [(pair, _)]) = (&input.kind, function.parameters.as_slice()) else {
                return None;
            };
            let [a, b] = arrays.as_slice() else { return None };
            let element = |position| Operand { variable: pair, path: vec![Part::Component(position)] };
            let elements = Operands { left: element(0), right: element(1) };
            operands.are(a, b).then(|| derived(&function.body, &elements, axioms))?.map(of_all_elements)
        }
        ExprKind::Lanewise(function, arguments) => {
            let ([a, b], [(left, _), (right, _)]) = (arguments.as_slice(), function.parameters.as_slice())
            else {
                return None;
            };
            let lanes = Operands::new(left, right);
            operands.are(a, b).then(|| derived(&function.body, &lanes, axioms))?
        }
        ExprKind::Function(called, arguments) => {
            let stated = known(body, operands, axioms);
            let (called, [a, b]) = (axioms.functions.get(*called)?, arguments.as_slice()) else {
                return stated;
            };
            let [(left, _), (right, _)] = called.parameters.as_slice() else { return stated };
            if !operands.are(a, b) {
                return stated;
            }
            let found = derived(&called.body, &Operands::new(left, right), axioms);
            match (stated, found) {
                (Some(stated), Some(found)) => {
                    let commutative = stated.laws.commutative || found.laws.commutative;
                    let laws = Laws { associative: true, commutative };
                    Some(Known { laws, start: found.start })
                }
                (stated, found) => stated.or(found),
            }
        }
        ExprKind::Binary(operator, ..) => {
            let Known { laws, start } = known(body, operands, axioms)?;
            let identity = identity_of_components(*operator, &body.ty).map(Start::Identity);
            Some(Known { laws, start: identity.or(start) })
        }
        _ => known(body, operands, axioms),
    }
}

/// What is known about the operators on the parts of a tuple or of a small array.
fn of_parts(
    parts: &[Arc<Expr>],
    part_at: fn(usize) -> Part,
    operands: &Operands<'_>,
    axioms: Axioms<'_>,
) -> Option<Vec<Known>> {
    let known =
        |(position, part): (usize, &Arc<Expr>)| derived(part, &operands.part(part_at(position)), axioms);
    parts.iter().enumerate().map(known).collect()
}

/// The operator on arrays that applies this one to each pair of elements.
fn of_all_elements(element: Known) -> Known {
    // A start says of an array what it says of each element, but not where it differs between components.
    let start = element.start.filter(|start| matches!(start, Start::Identity(_) | Start::Before));
    Known { start, ..element }
}

/// The number in every component of the vector that changes no vector.
fn identity_of_components(operator: BinaryOperator, ty: &Type) -> Option<Identity> {
    match (operator, ty) {
        (BinaryOperator::Add, Type::Vector(..)) => Some(Identity::Literal(Literal::Integer(0))),
        (BinaryOperator::Multiply, Type::Vector(..)) => Some(Identity::Literal(Literal::Integer(1))),
        (BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr, Type::Vector(..)) => {
            identity_of_bits(operator, ty).map(Identity::Literal)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::nat::Nat;
    use crate::ir::primitive::builtin::Builtin;
    use crate::ir::scalar::ScalarType;
    use crate::ir::source::Source;
    use crate::ir::typed::{Function, MapKind, NodeId, Position, Rounding, Variable};

    const FLOAT: Type = Type::Scalar(ScalarType::F32);

    fn expr(kind: ExprKind, ty: &Type) -> Arc<Expr> {
        Arc::new(Expr { id: NodeId(0), ty: ty.clone(), source: Source::UNKNOWN, kind })
    }

    fn component(tuple: &Arc<Expr>, position: usize, ty: &Type) -> Arc<Expr> {
        expr(ExprKind::Component(tuple.clone(), position), ty)
    }

    fn binary(operator: BinaryOperator, left: Arc<Expr>, right: Arc<Expr>) -> Arc<Expr> {
        let ty = left.ty.clone();
        expr(ExprKind::Binary(operator, left, right), &ty)
    }

    /// A function whose parameters are numbered from an id on.
    fn function<const N: usize>(
        first: u32,
        types: [&Type; N],
        body: impl FnOnce([Arc<Expr>; N]) -> Arc<Expr>,
    ) -> Lambda {
        let mut id = first;
        let parameters = types.map(|ty| {
            id += 1;
            (Variable { id, name: "operand".into() }, ty.clone())
        });
        let reads = parameters.clone().map(|(variable, ty)| expr(ExprKind::Variable(variable), &ty));
        Lambda { parameters: parameters.to_vec(), index: None, body: body(reads) }
    }

    fn laws(function: &Lambda, functions: &[Function]) -> Option<(bool, Option<Identity>)> {
        let Operator { laws, identity, .. } = Operator::derived(function, free(functions))?;
        Some((laws.commutative, identity))
    }

    fn free(functions: &[Function]) -> Axioms<'_> {
        Axioms { functions, rounding: Rounding::Free }
    }

    fn number(number: i128) -> Identity {
        Identity::Literal(Literal::Integer(number))
    }

    #[test]
    fn sums_of_vectors_start_from_zero_in_every_component() {
        let vector = Type::Vector(ScalarType::F32, 4);
        let sum = function(0, [&vector; 2], |[a, b]| binary(BinaryOperator::Add, b, a));
        assert_eq!(laws(&sum, &[]), Some((true, Some(number(0)))));
        let product = function(2, [&FLOAT; 2], |[a, b]| binary(BinaryOperator::Multiply, a, b));
        let lanes = |[a, b]: [Arc<Expr>; 2]| expr(ExprKind::Lanewise(product, vec![a, b]), &vector);
        assert_eq!(laws(&function(0, [&vector; 2], lanes), &[]), Some((true, Some(number(1)))));
    }

    #[test]
    fn arrays_that_are_combined_element_by_element_have_the_laws_of_their_elements() {
        let array = Type::array(FLOAT, Nat::constant(3));
        let pair = Type::Tuple(vec![FLOAT, FLOAT]);
        let combined = |operator, exchanged: bool| {
            function(0, [&array; 2], |[a, b]| {
                let of_pair = function(2, [&pair], |[pair]| {
                    binary(operator, component(&pair, 0, &FLOAT), component(&pair, 1, &FLOAT))
                });
                let arrays = if exchanged { vec![b, a] } else { vec![a, b] };
                let zip = expr(ExprKind::Zip(arrays), &Type::array(pair.clone(), Nat::constant(3)));
                expr(ExprKind::Map(MapKind::Unspecified, of_pair, zip), &array)
            })
        };
        for exchanged in [false, true] {
            let sum = combined(BinaryOperator::Add, exchanged);
            assert_eq!(laws(&sum, &[]), Some((true, Some(number(0)))));
            assert_eq!(laws(&combined(BinaryOperator::Subtract, exchanged), &[]), None);
            // Scans are asked by `of`, and have no such elements.
            assert!(Operator::of(&sum, free(&[])).is_none());
        }
    }

    #[test]
    fn elements_of_a_small_array_may_have_operators_of_their_own() {
        let array = Type::array(FLOAT, Nat::constant(2));
        let combined = |operators: [BinaryOperator; 2], positions: [i128; 2]| {
            function(0, [&array; 2], |[a, b]| {
                let at = |array: &Arc<Expr>, position| {
                    expr(ExprKind::At(Position::Size(Nat::constant(position)), array.clone()), &FLOAT)
                };
                let part = |own: usize| binary(operators[own], at(&a, own as i128), at(&b, positions[own]));
                expr(ExprKind::ArrayLiteral(vec![part(0), part(1)]), &array)
            })
        };
        let (add, multiply) = (BinaryOperator::Add, BinaryOperator::Multiply);
        assert_eq!(laws(&combined([add, add], [0, 1]), &[]), Some((true, Some(number(0)))));
        let both = Identity::Array(vec![number(0), number(1)]);
        assert_eq!(laws(&combined([add, multiply], [0, 1]), &[]), Some((true, Some(both))));
        assert_eq!(laws(&combined([add, add], [1, 0]), &[]), None);
        assert_eq!(laws(&combined([add, BinaryOperator::Subtract], [0, 1]), &[]), None);
    }

    #[test]
    fn components_without_an_identity_start_from_the_value_before() {
        let pair = Type::Tuple(vec![FLOAT, FLOAT]);
        let sum_and_largest = function(0, [&pair; 2], |[a, b]| {
            let sum = binary(BinaryOperator::Add, component(&a, 0, &FLOAT), component(&b, 0, &FLOAT));
            let operands = vec![component(&a, 1, &FLOAT), component(&b, 1, &FLOAT)];
            let largest = expr(ExprKind::Builtin(Builtin::Max, operands), &FLOAT);
            expr(ExprKind::Tuple(vec![sum, largest]), &pair)
        });
        assert_eq!(laws(&sum_and_largest, &[]), Some((true, None)));
        let operator = Operator::derived(&sum_and_largest, free(&[]));
        let start = operator.and_then(|operator| operator.start);
        assert_eq!(start, Some(Start::Tuple(vec![Start::Identity(number(0)), Start::Before])));
    }

    #[test]
    fn a_function_has_the_laws_of_its_body_and_those_that_are_stated() {
        let pair = Type::Tuple(vec![FLOAT, FLOAT]);
        let sums = |positions: [usize; 2]| {
            let part = move |position: usize, a: &Arc<Expr>, b: &Arc<Expr>| {
                let left = component(a, position, &FLOAT);
                binary(BinaryOperator::Add, left, component(b, positions[position], &FLOAT))
            };
            function(2, [&pair; 2], |[a, b]| {
                expr(ExprKind::Tuple(vec![part(0, &a, &b), part(1, &a, &b)]), &pair)
            })
        };
        let user_function = |body: Lambda, laws| Function {
            name: "sum".to_owned(),
            parameters: body.parameters,
            body: body.body,
            laws,
        };
        let call = function(0, [&pair; 2], |[a, b]| expr(ExprKind::Function(0, vec![a, b]), &pair));
        let nothing = Laws::default();
        let zeros = Some(Identity::Tuple(vec![number(0), number(0)]));
        assert_eq!(laws(&call, &[user_function(sums([0, 1]), nothing)]), Some((true, zeros)));
        // The components are exchanged.
        assert_eq!(laws(&call, &[user_function(sums([1, 0]), nothing)]), None);
        let stated = Laws { associative: true, commutative: false };
        assert_eq!(laws(&call, &[user_function(sums([1, 0]), stated)]), Some((false, None)));
    }
}
