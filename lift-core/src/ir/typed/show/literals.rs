//! Which literals must be written with their types.
//!
//! Inference gives a literal the type of what it is combined with, and guesses where that says nothing. This
//! is the part of inference that matters for it: which scalar types are equal, and which of them something
//! else than a literal decides. Where nothing decides, the first literal is written with its type, and
//! decides.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ir::primitive::builtin::{Builtin, Domain};
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::typed::{Expr, ExprKind, Function, Lambda, Position, ScanKind};
use crate::ir::types::Type;

/// The literals of a program that are written with their types.
#[derive(Debug, Default)]
pub(super) struct TypedLiterals(BTreeSet<*const Expr>);

impl TypedLiterals {
    /// Whether this very literal is one of them.
    pub(super) fn contains(&self, literal: &Expr) -> bool {
        self.0.contains(&std::ptr::from_ref(literal))
    }
}

/// What is known of the scalar types in a type. Sizes are known.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    Scalar(usize),
    Tuple(Vec<Shape>),
    Array(Box<Shape>),
}

/// Equations between scalar types.
#[derive(Default)]
pub(super) struct Survey {
    /// Of each scalar type one that is equal to it; the first of all is its own.
    equal: Vec<usize>,
    /// Whether something other than a literal decides it.
    decided: Vec<bool>,
    variables: BTreeMap<u32, Shape>,
    /// The literals that have a type of their own to be decided, in order of evaluation.
    literals: Vec<(*const Expr, usize)>,
}

impl Survey {
    /// Adds a variable whose type is written, or not.
    pub(super) fn add_variable(&mut self, id: u32, ty: &Type, is_written: bool) {
        let shape = self.shape(ty, is_written);
        self.variables.insert(id, shape);
    }

    /// Surveys a function, whose types are all written.
    pub(super) fn function(&mut self, function: &Function) {
        for (variable, ty) in &function.parameters {
            self.add_variable(variable.id, ty, true);
        }
        self.body(&function.body, true);
    }

    /// Surveys the body of an item, whose result is written, or of a closure.
    pub(super) fn body(&mut self, body: &Expr, is_written: bool) {
        let found = self.expr(body);
        let declared = self.shape(&body.ty, is_written);
        self.equate(&found, &declared);
    }

    /// The literals that must be written with their types.
    pub(super) fn typed_literals(mut self) -> TypedLiterals {
        let mut typed = TypedLiterals::default();
        for (literal, scalar) in std::mem::take(&mut self.literals) {
            let root = self.root(scalar);
            if !self.decided.get(root).copied().unwrap_or(true) {
                self.decide(root);
                typed.0.insert(literal);
            }
        }
        typed
    }

    fn fresh(&mut self, is_decided: bool) -> usize {
        self.equal.push(self.equal.len());
        self.decided.push(is_decided);
        self.equal.len() - 1
    }

    fn decide(&mut self, scalar: usize) {
        if let Some(decided) = self.decided.get_mut(scalar) {
            *decided = true;
        }
    }

    fn known(&mut self) -> Shape {
        Shape::Scalar(self.fresh(true))
    }

    /// The shape of a type. No literal can have an open type written behind it, so that it counts as known.
    fn shape(&mut self, ty: &Type, is_known: bool) -> Shape {
        match ty {
            Type::Size => self.known(),
            Type::Scalar(ScalarType::Parameter(_)) | Type::Vector(ScalarType::Parameter(_), _) => {
                self.known()
            }
            Type::Scalar(_) | Type::Vector(..) => Shape::Scalar(self.fresh(is_known)),
            Type::Tuple(components) => {
                Shape::Tuple(components.iter().map(|component| self.shape(component, is_known)).collect())
            }
            Type::Array(array) => Shape::Array(Box::new(self.shape(&array.element, is_known))),
        }
    }

    fn root(&self, scalar: usize) -> usize {
        let mut scalar = scalar;
        while let Some(next) = self.equal.get(scalar).copied().filter(|next| *next != scalar) {
            scalar = next;
        }
        scalar
    }

    fn equate(&mut self, left: &Shape, right: &Shape) {
        match (left, right) {
            (Shape::Scalar(left), Shape::Scalar(right)) => {
                let (left, right) = (self.root(*left), self.root(*right));
                let is_decided = [left, right].iter().any(|root| self.decided.get(*root) == Some(&true));
                if let Some(equal) = self.equal.get_mut(right) {
                    *equal = left;
                }
                if is_decided {
                    self.decide(left);
                }
            }
            (Shape::Tuple(left), Shape::Tuple(right)) => {
                left.iter().zip(right).for_each(|(left, right)| self.equate(left, right));
            }
            (Shape::Array(left), Shape::Array(right)) => self.equate(left, right),
            // Sizes among numbers have no parts.
            (Shape::Scalar(_) | Shape::Tuple(_) | Shape::Array(_), _) => {}
        }
    }

    fn equal(&mut self, exprs: &[Arc<Expr>]) -> Shape {
        let mut first = None;
        for expr in exprs {
            let shape = self.expr(expr);
            match &first {
                None => first = Some(shape),
                Some(first) => self.equate(first, &shape),
            }
        }
        first.unwrap_or_else(|| self.known())
    }

    fn expr(&mut self, expr: &Expr) -> Shape {
        match &expr.kind {
            ExprKind::Literal(_) => {
                let shape = self.shape(&expr.ty, matches!(expr.ty, Type::Scalar(ScalarType::Bool)));
                if let Shape::Scalar(scalar) = &shape {
                    self.literals.push((std::ptr::from_ref(expr), *scalar));
                }
                shape
            }
            ExprKind::Variable(variable) => {
                let known = self.variables.get(&variable.id).cloned();
                known.unwrap_or_else(|| self.shape(&expr.ty, true))
            }
            ExprKind::Size(_) => self.known(),
            ExprKind::Tuple(parts) => Shape::Tuple(parts.iter().map(|part| self.expr(part)).collect()),
            ExprKind::Component(input, position) => match self.expr(input) {
                Shape::Tuple(mut parts) if *position < parts.len() => parts.swap_remove(*position),
                _ => self.known(),
            },
            ExprKind::ArrayLiteral(elements) => Shape::Array(Box::new(self.equal(elements))),
            ExprKind::Let { bindings, body } => {
                for binding in bindings {
                    let shape = self.expr(&binding.value);
                    self.variables.insert(binding.variable.id, shape);
                }
                self.expr(body)
            }
            ExprKind::Unary(_, operand) | ExprKind::Broadcast(operand) | ExprKind::Store(_, operand) => {
                self.expr(operand)
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.equate(&left, &right);
                self.result_of(*operator, left)
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments),
            ExprKind::Function(_, arguments) => {
                for argument in arguments {
                    let (found, declared) = (self.expr(argument), self.shape(&argument.ty, true));
                    self.equate(&found, &declared);
                }
                self.shape(&expr.ty, true)
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let (then, otherwise) = (self.expr(then), self.expr(otherwise));
                self.equate(&then, &otherwise);
                then
            }
            ExprKind::Cast(_, operand) => {
                self.expr(operand);
                self.known()
            }
            ExprKind::Lanewise(function, arguments) => {
                let shapes: Vec<Shape> = arguments.iter().map(|argument| self.expr(argument)).collect();
                self.apply(function, shapes)
            }
            ExprKind::Map(_, function, input) => {
                let element = self.element(input);
                Shape::Array(Box::new(self.apply(function, vec![element])))
            }
            ExprKind::Reduce(_, function, initial, input) => {
                let element = self.element(input);
                self.accumulate(function, initial, element)
            }
            ExprKind::Scan(kind, function, initial, input) => {
                let element = self.element(input);
                let accumulator = match kind {
                    // Its initial value is not written.
                    ScanKind::Inclusive => {
                        let result = self.apply(function, vec![element.clone(), element.clone()]);
                        self.equate(&result, &element);
                        element
                    }
                    ScanKind::Exclusive | ScanKind::ExclusiveSequential => {
                        self.accumulate(function, initial, element)
                    }
                };
                Shape::Array(Box::new(accumulator))
            }
            ExprKind::Zip(parts) => {
                let elements = parts.iter().map(|part| self.element(part)).collect();
                Shape::Array(Box::new(Shape::Tuple(elements)))
            }
            ExprKind::Unzip(input) => match self.element(input) {
                Shape::Tuple(parts) => {
                    Shape::Tuple(parts.into_iter().map(|part| Shape::Array(Box::new(part))).collect())
                }
                other @ (Shape::Scalar(_) | Shape::Array(_)) => other,
            },
            ExprKind::Layout(_, input) => {
                let found = self.expr(input);
                self.rearranged(&found, &expr.ty)
            }
            ExprKind::PadConstant { value, input, .. } => {
                let (array, value) = (self.expr(input), self.expr(value));
                if let Shape::Array(element) = &array {
                    self.equate(element, &value);
                }
                array
            }
            ExprKind::Concat(parts) => self.equal(parts),
            ExprKind::At(position, input) => {
                let element = self.element(input);
                match position {
                    Position::Size(_) => {}
                    Position::Clamped(index) => drop(self.expr(index)),
                    Position::OrDefault(index, default) => {
                        self.expr(index);
                        let default = self.expr(default);
                        self.equate(&element, &default);
                    }
                }
                element
            }
            ExprKind::Generate(_, function) => Shape::Array(Box::new(self.expr(&function.body))),
            ExprKind::Repeat(_, value) => Shape::Array(Box::new(self.expr(value))),
            ExprKind::EndUnless(condition, value) => {
                self.expr(condition);
                self.expr(value)
            }
            ExprKind::Iterate(_, function, input) => {
                let array = self.expr(input);
                let result = self.apply(function, vec![array.clone()]);
                self.equate(&array, &result);
                array
            }
        }
    }

    fn result_of(&mut self, operator: BinaryOperator, operand: Shape) -> Shape {
        if operator.is_arithmetic() || operator.is_bitwise() { operand } else { self.known() }
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &[Arc<Expr>]) -> Shape {
        let operands = match (builtin, arguments.split_first()) {
            (Builtin::Select, Some((condition, choices))) => {
                self.expr(condition);
                choices
            }
            _ => arguments,
        };
        let operands = match (builtin.exponent(), operands.split_last()) {
            (Some(_), Some((exponent, numbers))) => {
                let (exponent, known) = (self.expr(exponent), self.known());
                self.equate(&exponent, &known);
                numbers
            }
            _ => operands,
        };
        let shape = self.equal(operands);
        let is_single = |row: &&(Builtin, &str, usize, Domain)| row.0 == builtin && row.3 == Domain::Single;
        if Builtin::ALL.iter().any(|row| is_single(&row)) {
            let single = self.known();
            self.equate(&shape, &single);
        }
        if matches!(builtin, Builtin::ToBits | Builtin::FromBits | Builtin::IsNan | Builtin::IsFinite) {
            return self.known();
        }
        shape
    }

    fn element(&mut self, array: &Expr) -> Shape {
        match self.expr(array) {
            Shape::Array(element) => *element,
            other @ (Shape::Scalar(_) | Shape::Tuple(_)) => other,
        }
    }

    fn apply(&mut self, function: &Lambda, arguments: Vec<Shape>) -> Shape {
        for ((parameter, _), argument) in function.parameters.iter().zip(arguments) {
            self.variables.insert(parameter.id, argument);
        }
        self.expr(&function.body)
    }

    fn accumulate(&mut self, function: &Lambda, initial: &Expr, element: Shape) -> Shape {
        let accumulator = self.expr(initial);
        let result = self.apply(function, vec![accumulator.clone(), element]);
        self.equate(&accumulator, &result);
        accumulator
    }

    /// The shape of an array of this type that has the elements of another one.
    fn rearranged(&mut self, found: &Shape, ty: &Type) -> Shape {
        // Tuples stay as they are, with the arrays in them.
        let element = innermost(found).clone();
        (0..ty.rank()).fold(element, |shape, _| Shape::Array(Box::new(shape)))
    }
}

fn innermost(shape: &Shape) -> &Shape {
    match shape {
        Shape::Array(element) => innermost(element),
        Shape::Scalar(_) | Shape::Tuple(_) => shape,
    }
}
