//! Builds typed expressions whose types are stated, and not proved.
//!
//! Their types are written down here, form by form, for what lowering makes of each form, and nothing can
//! fail. It is for rules whose right sides have positions that lie in their arrays for reasons beyond the
//! algebra of sizes, and for rules of lowering that every expansion tries. Other rules use `typed::build`.
//! All types are those of the typing rules, which tests apply to the whole program after each step.

use std::borrow::Cow;
use std::sync::Arc;

use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::binders::{refreshed, without_atoms};
use crate::ir::typed::{
    AddressSpace, Binding, Expr, ExprKind, Lambda, Layout, MapKind, NodeId, Position, ReduceKind, ScanKind,
    Variable,
};
use crate::ir::types::Type;
use crate::middle::laws::{Identity, Start};

/// Builds expressions with new ids.
pub(super) struct Builder {
    pub(super) next_id: u32,
}

impl Builder {
    pub(super) fn fresh(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    pub(super) fn variable(&mut self, name: &str) -> Variable {
        Variable { id: self.fresh(), name: name.into() }
    }

    /// A new variable for the index of a function.
    pub(super) fn size(&mut self, name: &str) -> Var {
        Var::new(self.fresh(), name)
    }

    fn expr(&mut self, kind: ExprKind, ty: Type, source: Source) -> Arc<Expr> {
        Arc::new(Expr { id: NodeId(self.fresh()), ty, source, kind })
    }

    /// A read of a variable.
    pub(super) fn read(&mut self, variable: &Variable, ty: &Type, source: Source) -> Arc<Expr> {
        self.expr(ExprKind::Variable(variable.clone()), ty.clone(), source)
    }

    pub(super) fn literal(&mut self, literal: Literal, ty: &Type, source: Source) -> Arc<Expr> {
        self.expr(ExprKind::Literal(literal), ty.clone(), source)
    }

    /// `tuple.position`
    pub(super) fn component(&mut self, tuple: &Arc<Expr>, position: usize, ty: &Type) -> Arc<Expr> {
        self.expr(ExprKind::Component(tuple.clone(), position), ty.clone(), tuple.source)
    }

    pub(super) fn tuple(&mut self, parts: Vec<Arc<Expr>>, source: Source) -> Arc<Expr> {
        let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
        self.expr(ExprKind::Tuple(parts), ty, source)
    }

    /// Tuples of the elements of arrays of one length.
    pub(super) fn zip(&mut self, arrays: Vec<Arc<Expr>>) -> Arc<Expr> {
        let element = |array: &Arc<Expr>| array.ty.as_array().map(|of| of.element.clone());
        let tuple = Type::Tuple(arrays.iter().filter_map(element).collect());
        let length = arrays.first().map_or(Nat::zero(), |array| length_of(array));
        let source = arrays.first().map_or(Source::UNKNOWN, |array| array.source);
        self.expr(ExprKind::Zip(arrays), Type::array(tuple, length), source)
    }

    /// The identity element as a value of this type. That of an array has the identity in every element.
    pub(super) fn identity(&mut self, identity: &Identity, ty: &Type, source: Source) -> Arc<Expr> {
        if let Type::Array(array) = ty {
            if let Identity::Array(parts) = identity {
                let parts = parts.iter().map(|part| self.identity(part, &array.element, source)).collect();
                return self.expr(ExprKind::ArrayLiteral(parts), ty.clone(), source);
            }
            let element = self.identity(identity, &array.element, source);
            return self.repeat(array.length.clone(), element);
        }
        match identity {
            Identity::Literal(literal) => match ty {
                Type::Vector(scalar, _) => {
                    let number = self.literal(literal.clone(), &Type::Scalar(*scalar), source);
                    self.expr(ExprKind::Broadcast(number), ty.clone(), source)
                }
                _ => self.literal(literal.clone(), ty, source),
            },
            Identity::Tuple(parts) => {
                let component = |(position, part): (usize, &Identity)| {
                    let Type::Tuple(components) = ty else { return self.identity(part, ty, source) };
                    let component = components.get(position).unwrap_or(ty);
                    self.identity(part, component, source)
                };
                let parts = parts.iter().enumerate().map(component).collect();
                self.expr(ExprKind::Tuple(parts), ty.clone(), source)
            }
            // Only arrays have one.
            Identity::Array(parts) => {
                let parts = parts.iter().map(|part| self.identity(part, ty, source)).collect();
                self.expr(ExprKind::ArrayLiteral(parts), ty.clone(), source)
            }
        }
    }

    /// What a part of a reduction starts from, where the value before all elements is `before`.
    pub(super) fn start(&mut self, start: &Start, before: &Arc<Expr>) -> Arc<Expr> {
        let source = before.source;
        match start {
            Start::Identity(identity) => self.identity(identity, &before.ty, source),
            Start::Before => self.renumbered(before),
            Start::Tuple(starts) => {
                let component = |(position, start): (usize, &Start)| {
                    let before = self.component_of(before, position);
                    self.start(start, &before)
                };
                let parts = starts.iter().enumerate().map(component).collect();
                self.tuple(parts, source)
            }
            Start::Array(starts) => {
                let element = |(position, start): (usize, &Start)| {
                    let before = match &before.kind {
                        ExprKind::ArrayLiteral(elements) => elements[position].clone(),
                        _ => self.at(before, Nat::constant(position as i128)),
                    };
                    self.start(start, &before)
                };
                let elements = starts.iter().enumerate().map(element).collect();
                self.expr(ExprKind::ArrayLiteral(elements), before.ty.clone(), source)
            }
        }
    }

    /// A component of a tuple, which may be written out.
    fn component_of(&mut self, tuple: &Arc<Expr>, position: usize) -> Arc<Expr> {
        match (&tuple.kind, &tuple.ty) {
            (ExprKind::Tuple(parts), _) => parts[position].clone(),
            (_, Type::Tuple(types)) => self.component(tuple, position, &types[position]),
            _ => tuple.clone(),
        }
    }

    /// `{ let variable = value; body }`
    pub(super) fn bind(&mut self, variable: Variable, value: Arc<Expr>, body: Arc<Expr>) -> Arc<Expr> {
        self.bind_all(vec![Binding { variable, value }], body)
    }

    /// The same for any number of variables. Atomic values are written instead of names.
    pub(super) fn bind_all(&mut self, bindings: Vec<Binding>, body: Arc<Expr>) -> Arc<Expr> {
        let (bindings, body) = without_atoms(bindings, body);
        if bindings.is_empty() {
            return body;
        }
        let (ty, source) = (body.ty.clone(), body.source);
        self.expr(ExprKind::bound(bindings, body), ty, source)
    }

    /// The element of an array at a position inside it.
    pub(super) fn at(&mut self, array: &Arc<Expr>, position: Nat) -> Arc<Expr> {
        let ty = array.ty.as_array().map_or_else(|| array.ty.clone(), |of| of.element_at(&position));
        self.expr(ExprKind::At(Position::Size(position), array.clone()), ty, array.source)
    }

    /// A map that computes `value` in each of `count` workers of a kind; `index` is the number of the worker.
    pub(super) fn distribute(
        &mut self,
        kind: MapKind,
        index: Option<Var>,
        count: Nat,
        value: Arc<Expr>,
    ) -> Arc<Expr> {
        let ty = match &index {
            Some(index) => Type::array_at(index, value.ty.clone(), count.clone()),
            None => Type::array(value.ty.clone(), count.clone()),
        };
        let source = value.source;
        let nothing = Type::Scalar(ScalarType::I32);
        let zero = self.literal(Literal::Integer(0), &nothing, source);
        let many = Type::array(nothing.clone(), count.clone());
        let input = self.expr(ExprKind::Repeat(count, zero), many, source);
        let unused = self.variable("worker");
        let function = Lambda { parameters: vec![(unused, nothing)], index, body: value };
        self.expr(ExprKind::Map(kind, function, input), ty, source)
    }

    /// A delayed array, computed from its positions.
    pub(super) fn generate(&mut self, index: Var, count: Nat, element: Arc<Expr>) -> Arc<Expr> {
        let (ty, source) = (Type::array(element.ty.clone(), count.clone()), element.source);
        let function = Lambda { parameters: Vec::new(), index: Some(index), body: element };
        self.expr(ExprKind::Generate(count, function), ty, source)
    }

    /// An operator on two numbers of one type that gives a number of it.
    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Arc<Expr>,
        right: &Arc<Expr>,
    ) -> Arc<Expr> {
        self.expr(ExprKind::Binary(operator, left.clone(), right.clone()), left.ty.clone(), left.source)
    }

    /// `left < right`, of two numbers of one type.
    pub(super) fn less(&mut self, left: &Arc<Expr>, right: &Arc<Expr>) -> Arc<Expr> {
        let kind = ExprKind::Binary(BinaryOperator::Less, left.clone(), right.clone());
        self.expr(kind, Type::Scalar(ScalarType::Bool), left.source)
    }

    /// A built-in function of two numbers of one type that gives a number of it.
    pub(super) fn builtin(&mut self, function: Builtin, operands: [&Arc<Expr>; 2]) -> Arc<Expr> {
        let (ty, source) = (operands[0].ty.clone(), operands[0].source);
        self.expr(ExprKind::Builtin(function, operands.map(Arc::clone).into()), ty, source)
    }

    /// Whether two numbers of one type are equal.
    pub(super) fn equal(&mut self, left: &Arc<Expr>, right: &Arc<Expr>) -> Arc<Expr> {
        let kind = ExprKind::Binary(BinaryOperator::Equal, left.clone(), right.clone());
        self.expr(kind, Type::Scalar(ScalarType::Bool), left.source)
    }

    /// `if condition { then } else { otherwise }`, between values of one type.
    pub(super) fn choose(
        &mut self,
        condition: Arc<Expr>,
        then: Arc<Expr>,
        otherwise: Arc<Expr>,
    ) -> Arc<Expr> {
        let (ty, source) = (then.ty.clone(), then.source);
        self.expr(ExprKind::If(condition, then, otherwise), ty, source)
    }

    /// A number as one of another type.
    pub(super) fn cast(&mut self, scalar: ScalarType, number: &Arc<Expr>) -> Arc<Expr> {
        self.expr(ExprKind::Cast(scalar, number.clone()), Type::Scalar(scalar), number.source)
    }

    /// A size as a number of a type.
    pub(super) fn size_as(&mut self, size: Nat, scalar: ScalarType, source: Source) -> Arc<Expr> {
        self.expr(ExprKind::Size(size), Type::Scalar(scalar), source)
    }

    /// A position as a number.
    pub(super) fn position(&mut self, position: Nat, source: Source) -> Arc<Expr> {
        self.size_as(position, ScalarType::I64, source)
    }

    /// The element of an array at a position from data, which is clamped into the array.
    pub(super) fn at_data(&mut self, array: &Arc<Expr>, position: &Arc<Expr>) -> Arc<Expr> {
        let ty = array.ty.as_array().map_or_else(|| array.ty.clone(), |of| of.element.clone());
        self.expr(ExprKind::At(Position::Clamped(position.clone()), array.clone()), ty, array.source)
    }

    /// `update(position, new, array)`, as the prelude defines it; the position is an `i64`.
    pub(super) fn update(&mut self, position: &Arc<Expr>, new: Arc<Expr>, array: Arc<Expr>) -> Arc<Expr> {
        let (ty, source) = (array.ty.clone(), array.source);
        let (index, old) = (self.size("k"), self.variable("old"));
        let counted = self.position(Nat::variable(&index), source);
        let condition = ExprKind::Binary(BinaryOperator::Equal, position.clone(), counted);
        let condition = self.expr(condition, Type::Scalar(ScalarType::Bool), source);
        let element = new.ty.clone();
        let kept = self.read(&old, &element, source);
        let chosen = self.expr(ExprKind::If(condition, new, kept), element.clone(), source);
        let function = Lambda { parameters: vec![(old, element)], index: Some(index), body: chosen };
        self.expr(ExprKind::Map(MapKind::Unspecified, function, array), ty, source)
    }

    /// An array of one value.
    pub(super) fn repeat(&mut self, count: Nat, value: Arc<Expr>) -> Arc<Expr> {
        let (ty, source) = (Type::array(value.ty.clone(), count.clone()), value.source);
        self.expr(ExprKind::Repeat(count, value), ty, source)
    }

    /// A delayed map.
    pub(super) fn map(&mut self, function: Lambda, array: Arc<Expr>) -> Arc<Expr> {
        self.map_by(MapKind::Unspecified, function, array)
    }

    /// A map by workers.
    pub(super) fn map_by(&mut self, kind: MapKind, function: Lambda, array: Arc<Expr>) -> Arc<Expr> {
        let (ty, source) = (Type::array(function.body.ty.clone(), length_of(&array)), array.source);
        self.expr(ExprKind::Map(kind, function, array), ty, source)
    }

    /// `|x| x`
    pub(super) fn identity_function(&mut self, ty: &Type, source: Source) -> Lambda {
        let variable = self.variable("x");
        let body = self.read(&variable, ty, source);
        Lambda { parameters: vec![(variable, ty.clone())], index: None, body }
    }

    /// `|x| second(first(x))`, at one position.
    pub(super) fn after(&mut self, first: &Lambda, second: &Lambda) -> Option<Lambda> {
        let index = first.index.clone().or_else(|| second.index.clone());
        let second = &at_position(second, index.as_ref());
        let [(parameter, _)] = second.parameters.as_slice() else { return None };
        let body = match &first.body.kind {
            ExprKind::Variable(_) => second.body.replace(parameter, &first.body),
            _ => {
                let variable = self.variable(&parameter.name);
                let read = self.read(&variable, &first.body.ty, first.body.source);
                let body = second.body.replace(parameter, &read);
                self.bind(variable, first.body.clone(), body)
            }
        };
        Some(Lambda { index, body, ..first.clone() })
    }

    /// `|x| (f(x), g(x), …)`, for functions of one parameter type, at one position.
    pub(super) fn side_by_side<'l>(&mut self, functions: impl Iterator<Item = &'l Lambda>) -> Lambda {
        let mut parameters: Vec<(Variable, Type)> = Vec::new();
        let mut index: Option<Var> = None;
        let mut parts = Vec::new();
        for function in functions {
            index = index.or_else(|| function.index.clone());
            let function = &at_position(function, index.as_ref());
            let Some((parameter, ty)) = function.parameters.first() else { continue };
            let part = match parameters.first() {
                None => {
                    parameters.push((parameter.clone(), ty.clone()));
                    function.body.clone()
                }
                Some((first, _)) => {
                    let read = self.read(first, ty, function.body.source);
                    function.body.replace(parameter, &read)
                }
            };
            parts.push(part);
        }
        let source = parts.first().map_or(Source::UNKNOWN, |part| part.source);
        Lambda { parameters, index, body: self.tuple(parts, source) }
    }

    /// `|a, b| (f(a.0, b.0), g(a.1, b.1), …)`
    pub(super) fn by_component<'l>(
        &mut self,
        operators: impl Iterator<Item = &'l Lambda>,
        ty: &Type,
        source: Source,
    ) -> Lambda {
        let parameters = ["left", "right"].map(|name| (self.variable(name), ty.clone()));
        let mut parts = Vec::new();
        for (position, operator) in operators.enumerate() {
            let mut part = operator.body.clone();
            for ((tuple, _), (operand, of_operand)) in parameters.iter().zip(&operator.parameters) {
                let read = self.read(tuple, ty, source);
                let component = self.component(&read, position, of_operand);
                part = part.replace(operand, &component);
            }
            parts.push(part);
        }
        Lambda { parameters: parameters.to_vec(), index: None, body: self.tuple(parts, source) }
    }

    /// A copy of an expression, with new ids.
    pub(super) fn renumbered(&mut self, expr: &Arc<Expr>) -> Arc<Expr> {
        let changed = expr.with_children(&mut |child| self.renumbered(child));
        let Expr { ty, source, kind, .. } = Arc::unwrap_or_clone(changed);
        self.expr(kind, ty, source)
    }

    /// A function for one more place, with names of its own.
    pub(super) fn copy_of(&mut self, function: &Lambda) -> Lambda {
        let mut body = refreshed(&function.body, &mut self.next_id);
        let mut parameters = Vec::new();
        for (parameter, ty) in &function.parameters {
            let own = self.variable(&parameter.name);
            let read = self.read(&own, ty, function.body.source);
            body = body.replace(parameter, &read);
            parameters.push((own, ty.clone()));
        }
        Lambda { parameters, index: None, body }
    }

    /// The same for a function that may know its position.
    pub(super) fn copy_with_position(&mut self, function: &Lambda) -> Lambda {
        let index = function.index.as_ref().map(|index| self.size(index.name()));
        let own = at_position(function, index.as_ref());
        Lambda { index, ..self.copy_of(&own) }
    }

    /// A reduction whose order the compiler may choose.
    pub(super) fn reduce(&mut self, function: &Lambda, initial: Arc<Expr>, elements: Arc<Expr>) -> Arc<Expr> {
        self.reduce_by(ReduceKind::Unspecified, function, initial, elements)
    }

    pub(super) fn reduce_in_order(
        &mut self,
        function: &Lambda,
        initial: Arc<Expr>,
        elements: Arc<Expr>,
    ) -> Arc<Expr> {
        self.reduce_by(ReduceKind::Sequential, function, initial, elements)
    }

    /// A reduction of a kind.
    pub(super) fn reduce_by(
        &mut self,
        kind: ReduceKind,
        function: &Lambda,
        initial: Arc<Expr>,
        elements: Arc<Expr>,
    ) -> Arc<Expr> {
        let (ty, source) = (initial.ty.clone(), elements.source);
        let kind = ExprKind::Reduce(kind, function.clone(), initial, elements);
        self.expr(kind, ty, source)
    }

    /// An exclusive scan in order: the accumulator before each element.
    pub(super) fn scan_in_order(
        &mut self,
        function: &Lambda,
        initial: Arc<Expr>,
        elements: Arc<Expr>,
    ) -> Arc<Expr> {
        let length = length_of(&elements);
        let (ty, source) = (Type::array(initial.ty.clone(), length), elements.source);
        let kind = ScanKind::ExclusiveSequential;
        let kind = ExprKind::Scan(kind, function.clone(), initial, elements);
        self.expr(kind, ty, source)
    }

    /// An array that is filled up to a length with a value.
    pub(super) fn filled(&mut self, array: Arc<Expr>, value: &Arc<Expr>, length: &Nat) -> Arc<Expr> {
        let (ty, source) = (Type::array(value.ty.clone(), length.clone()), array.source);
        let right = length - length_of(&array);
        let (left, value) = (Nat::zero(), value.clone());
        self.expr(ExprKind::PadConstant { left, right, value, input: array }, ty, source)
    }

    /// `if least <= size { then } else { otherwise }`, for arrays whose lengths are equal where the first one
    /// is chosen. The choice has the second type.
    pub(super) fn where_at_least(
        &mut self,
        size: &Nat,
        least: &Nat,
        then: Arc<Expr>,
        otherwise: Arc<Expr>,
    ) -> Arc<Expr> {
        let (ty, source) = (otherwise.ty.clone(), otherwise.source);
        let [least, size] = [least, size]
            .map(|size| self.expr(ExprKind::Size(size.clone()), Type::Scalar(ScalarType::I64), source));
        let condition = ExprKind::Binary(BinaryOperator::LessOrEqual, least, size);
        let condition = self.expr(condition, Type::Scalar(ScalarType::Bool), source);
        let choice = ExprKind::If(condition, then, otherwise);
        self.expr(choice, ty, source)
    }

    pub(super) fn stored(&mut self, space: AddressSpace, value: Arc<Expr>) -> Arc<Expr> {
        let (ty, source) = (value.ty.clone(), value.source);
        self.expr(ExprKind::Store(Some(space), value), ty, source)
    }

    /// A kept array, `Store(None, …)`: computed once, in memory that the compiler chooses.
    pub(super) fn kept(&mut self, value: Arc<Expr>) -> Arc<Expr> {
        let (ty, source) = (value.ty.clone(), value.source);
        self.expr(ExprKind::Store(None, value), ty, source)
    }

    pub(super) fn array_of_one(&mut self, value: Arc<Expr>) -> Arc<Expr> {
        let (ty, source) = (Type::array(value.ty.clone(), Nat::one()), value.source);
        self.expr(ExprKind::ArrayLiteral(vec![value]), ty, source)
    }

    /// The rows of an array of rows of one length, one after the other.
    pub(super) fn join(&mut self, rows: Arc<Expr>) -> Arc<Expr> {
        let lengths = rows.ty.as_array().and_then(|of| Some(&of.length * &of.element.as_array()?.length));
        let length = lengths.unwrap_or(Nat::zero());
        self.join_to(length, rows)
    }

    /// The rows of an array, joined; `length` is the number of elements, to which the lengths of the rows add
    /// up.
    pub(super) fn join_to(&mut self, length: Nat, rows: Arc<Expr>) -> Arc<Expr> {
        let source = rows.source;
        let element = rows.ty.as_array().and_then(|of| Some(of.element.as_array()?.element.clone()));
        let ty = element.map_or_else(|| rows.ty.clone(), |element| Type::array(element, length));
        self.expr(ExprKind::Layout(Layout::Join, rows), ty, source)
    }

    /// `length` elements of an array from `start` on.
    pub(super) fn slice(&mut self, start: Nat, length: Nat, array: Arc<Expr>) -> Arc<Expr> {
        let element = array.ty.as_array().map_or(&array.ty, |of| &of.element).clone();
        let (ty, source) = (Type::array(element, length.clone()), array.source);
        self.expr(ExprKind::Layout(Layout::Slice { start, length }, array), ty, source)
    }

    /// Neighbouring scalars as vectors; `width` divides their number.
    pub(super) fn as_vector(&mut self, width: u8, array: Arc<Expr>) -> Arc<Expr> {
        let source = array.source;
        let ty = match array.ty.as_array().map(|of| (&of.element, &of.length)) {
            Some((Type::Scalar(scalar), length)) => {
                Type::array(Type::Vector(*scalar, width), length.divide(&Nat::constant(i128::from(width))))
            }
            _ => array.ty.clone(),
        };
        self.expr(ExprKind::Layout(Layout::AsVector { width }, array), ty, source)
    }

    /// The components of vectors, one after the other.
    pub(super) fn as_scalar(&mut self, array: Arc<Expr>) -> Arc<Expr> {
        let source = array.source;
        let ty = match array.ty.as_array().map(|of| (&of.element, &of.length)) {
            Some((Type::Vector(scalar, width), length)) => {
                Type::array(Type::Scalar(*scalar), length * Nat::constant(i128::from(*width)))
            }
            _ => array.ty.clone(),
        };
        self.expr(ExprKind::Layout(Layout::AsScalar, array), ty, source)
    }

    /// The columns of an array of rows of one length.
    /// The rows of this length of an array that has a multiple of it.
    pub(super) fn split(&mut self, length: Nat, array: Arc<Expr>) -> Arc<Expr> {
        let source = array.source;
        let ty = match array.ty.as_array() {
            Some(of) => {
                Type::array(Type::array(of.element.clone(), length.clone()), of.length.divide(&length))
            }
            None => array.ty.clone(),
        };
        self.expr(ExprKind::Layout(Layout::Split { chunk: length }, array), ty, source)
    }

    /// The rows of a matrix, with a gap of this number of elements after each where they are stored.
    pub(super) fn increase_rows(&mut self, rows: Arc<Expr>, gap: Nat) -> Arc<Expr> {
        let Some(of) = rows.ty.as_array().cloned() else { return rows };
        let row = self.variable("row");
        let read = self.read(&row, &of.element, rows.source);
        let increase = Layout::Increase { left: Nat::zero(), right: gap };
        let body = self.expr(ExprKind::Layout(increase, read), of.element.clone(), rows.source);
        let function = Lambda { parameters: vec![(row, of.element.clone())], index: None, body };
        self.map(function, rows)
    }

    pub(super) fn transpose(&mut self, rows: Arc<Expr>) -> Arc<Expr> {
        let source = rows.source;
        let ty = match rows.ty.as_array().and_then(|of| Some((of, of.element.as_array()?))) {
            Some((of, row)) => {
                Type::array(Type::array(row.element.clone(), of.length.clone()), row.length.clone())
            }
            None => rows.ty.clone(),
        };
        self.expr(ExprKind::Layout(Layout::Transpose, rows), ty, source)
    }
}

/// The same function, with another variable for the position that it knows.
fn at_position<'l>(function: &'l Lambda, index: Option<&Var>) -> Cow<'l, Lambda> {
    match (&function.index, index) {
        (Some(own), Some(index)) if own != index => {
            let renamed = Substitution::from([(own.clone(), Nat::variable(index))]);
            Cow::Owned(Lambda { index: Some(index.clone()), ..function.substitute(&renamed) })
        }
        (Some(_) | None, Some(_) | None) => Cow::Borrowed(function),
    }
}

/// The length of an array.
pub(super) fn length_of(array: &Expr) -> Nat {
    array.ty.as_array().map_or(Nat::zero(), |of| of.length.clone())
}

/// `length / divisor`, rounded up.
pub(super) fn ceiling(length: &Nat, divisor: i128) -> Nat {
    (length + Nat::constant(divisor - 1)).divide(&Nat::constant(divisor))
}
