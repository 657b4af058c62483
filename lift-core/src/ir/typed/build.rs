//! Typed constructors: how rules of rewriting write the expressions that they put in place of others.
//!
//! A type is never passed in where the typing rules ([`result`](super::result)) derive it, so an expression
//! with a wrong type cannot be built. What an expression needs of sizes, and what the ranges at its place do
//! not imply, is collected; what they refute is a [`Mismatch`]. New nodes, variables and positions have
//! numbers of their own, and stand, for messages, where the expression stood that they replace.
//!
//! A rewrite ends with [`Build::in_place_of`]: it proves that the new expression has the type of the old one
//! and then states that type. So nothing around the place changes, and nothing is typed again.

use std::rc::Rc;

use super::result::{Demand, Judge, Mismatch, Outside, Prover};
use super::{
    AddressSpace, Binding, Expr, ExprKind, Function, Lambda, Layout, MapKind, NodeId, Position, Program,
    ReduceKind, ScanKind, Variable,
};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::types::Type;

/// An expression, or why it has no type.
pub type Built = Result<Rc<Expr>, Mismatch>;

/// Builds expressions for one place in a program.
pub struct Build<'p> {
    functions: &'p [Function],
    prover: Prover,
    source: Source,
    /// The positions around the place, outermost first, each with the number of its values.
    around: Vec<(Var, Nat, Outside)>,
}

impl<'p> Build<'p> {
    /// Builds what replaces `place`, an expression of a program, where the positions `around` are known: each
    /// is below its count, outermost first. New numbers start at `next_id`.
    pub fn new(program: &'p Program, place: &Expr, around: &[(Var, Nat)], next_id: u32) -> Build<'p> {
        let mut prover = Prover::new(program.ranges(), next_id);
        prover.judge_at(place.source);
        let around = around
            .iter()
            .map(|(index, count)| (index.clone(), count.clone(), prover.enter_index(index, count)))
            .collect();
        Build { functions: &program.functions, prover, source: place.source, around }
    }

    /// The new expression, as it stands in place of the old one: both have one type, which is proved or
    /// needed.
    pub fn in_place_of(&mut self, old: &Expr, new: &Rc<Expr>) -> Built {
        self.prover.equal_types(&old.ty, &new.ty)?;
        Ok(Rc::new(Expr { ty: old.ty.clone(), ..new.as_ref().clone() }))
    }

    /// What the expressions need, for all positions around the place, and the next number that is free.
    pub fn finish(mut self) -> Result<(Vec<Demand>, u32), Mismatch> {
        for (index, count, outside) in self.around.into_iter().rev() {
            self.prover.leave_index(outside, &index, &count)?;
        }
        Ok((self.prover.needs().to_vec(), self.prover.next_id()))
    }

    /// What is known of sizes at the place, with everything that has been needed so far.
    pub fn ranges(&self) -> &Ranges {
        self.prover.ranges()
    }

    /// A new variable.
    pub fn variable(&mut self, name: &str) -> Variable {
        Variable { id: self.prover.fresh(), name: name.into() }
    }

    /// A new variable for a position.
    pub fn position(&mut self, name: &str) -> Var {
        self.prover.position(name)
    }

    fn expr(&mut self, kind: ExprKind) -> Built {
        self.stated(kind, &Type::Size)
    }

    /// An expression of a form that does not determine its own type.
    fn stated(&mut self, kind: ExprKind, stated: &Type) -> Built {
        let ty = kind.result(stated, self.functions, &mut self.prover)?;
        Ok(Rc::new(Expr { id: NodeId(self.prover.fresh()), ty, source: self.source, kind }))
    }

    /// A literal of a scalar type.
    pub fn literal(&mut self, literal: Literal, scalar: ScalarType) -> Built {
        self.stated(ExprKind::Literal(literal), &Type::Scalar(scalar))
    }

    /// A read of a variable of this type.
    pub fn read(&mut self, variable: &Variable, ty: &Type) -> Built {
        self.stated(ExprKind::Variable(variable.clone()), ty)
    }

    /// A size as a value.
    pub fn size(&mut self, size: Nat) -> Built {
        self.stated(ExprKind::Size(size), &Type::Size)
    }

    /// A size as an integer.
    pub fn integer(&mut self, size: Nat, scalar: ScalarType) -> Built {
        self.stated(ExprKind::Size(size), &Type::Scalar(scalar))
    }

    /// `(a, b, …)`
    pub fn tuple(&mut self, parts: Vec<Rc<Expr>>) -> Built {
        self.expr(ExprKind::Tuple(parts))
    }

    /// `tuple.position`
    pub fn component(&mut self, tuple: Rc<Expr>, position: usize) -> Built {
        self.expr(ExprKind::Component(tuple, position))
    }

    /// `[a, b, …]`
    pub fn array_literal(&mut self, elements: Vec<Rc<Expr>>) -> Built {
        self.expr(ExprKind::ArrayLiteral(elements))
    }

    /// `{ let variable = value; …; body }`
    pub fn bind(&mut self, bindings: Vec<Binding>, body: Rc<Expr>) -> Built {
        match bindings.is_empty() {
            true => Ok(body),
            false => self.expr(ExprKind::bound(bindings, body)),
        }
    }

    /// `-x`, `!x`
    pub fn unary(&mut self, operator: UnaryOperator, operand: Rc<Expr>) -> Built {
        self.expr(ExprKind::Unary(operator, operand))
    }

    /// `left operator right`
    pub fn binary(&mut self, operator: BinaryOperator, left: Rc<Expr>, right: Rc<Expr>) -> Built {
        self.expr(ExprKind::Binary(operator, left, right))
    }

    /// A built-in function of its arguments.
    pub fn builtin(&mut self, builtin: Builtin, arguments: Vec<Rc<Expr>>) -> Built {
        self.expr(ExprKind::Builtin(builtin, arguments))
    }

    /// A user function of its arguments.
    pub fn function(&mut self, position: usize, arguments: Vec<Rc<Expr>>) -> Built {
        self.expr(ExprKind::Function(position, arguments))
    }

    /// `if condition { then } else { otherwise }`
    pub fn choice(&mut self, condition: Rc<Expr>, then: Rc<Expr>, otherwise: Rc<Expr>) -> Built {
        self.expr(ExprKind::If(condition, then, otherwise))
    }

    /// `value as scalar`
    pub fn cast(&mut self, scalar: ScalarType, value: Rc<Expr>) -> Built {
        self.expr(ExprKind::Cast(scalar, value))
    }

    /// A vector with a scalar in each of `width` components.
    pub fn broadcast(&mut self, value: Rc<Expr>, width: u8) -> Built {
        let stated = match &value.ty {
            Type::Scalar(lane) => Type::Vector(*lane, width),
            // The rule refuses it.
            other => other.clone(),
        };
        self.stated(ExprKind::Broadcast(value), &stated)
    }

    /// `vectorize(n, function)(vectors…)`
    pub fn lanewise(&mut self, function: Lambda, vectors: Vec<Rc<Expr>>) -> Built {
        self.expr(ExprKind::Lanewise(function, vectors))
    }

    /// A map by workers of a kind.
    pub fn map(&mut self, kind: MapKind, function: Lambda, array: Rc<Expr>) -> Built {
        self.expr(ExprKind::Map(kind, function, array))
    }

    /// A reduction of a kind.
    pub fn reduce(
        &mut self,
        kind: ReduceKind,
        function: Lambda,
        initial: Rc<Expr>,
        array: Rc<Expr>,
    ) -> Built {
        self.expr(ExprKind::Reduce(kind, function, initial, array))
    }

    /// A scan of a kind.
    pub fn scan(&mut self, kind: ScanKind, function: Lambda, initial: Rc<Expr>, array: Rc<Expr>) -> Built {
        self.expr(ExprKind::Scan(kind, function, initial, array))
    }

    /// `iterate(count, function)`
    pub fn iterate(&mut self, count: Nat, function: Lambda, array: Rc<Expr>) -> Built {
        self.expr(ExprKind::Iterate(count, function, array))
    }

    /// `zip(a, b, …)`
    pub fn zip(&mut self, arrays: Vec<Rc<Expr>>) -> Built {
        self.expr(ExprKind::Zip(arrays))
    }

    /// `unzip(array)`
    pub fn unzip(&mut self, array: Rc<Expr>) -> Built {
        self.expr(ExprKind::Unzip(array))
    }

    /// An array under a layout.
    pub fn layout(&mut self, layout: Layout, array: Rc<Expr>) -> Built {
        self.expr(ExprKind::Layout(layout, array))
    }

    /// `padConstant(left, right, value)`
    pub fn pad_constant(&mut self, left: Nat, right: Nat, value: Rc<Expr>, input: Rc<Expr>) -> Built {
        self.expr(ExprKind::PadConstant { left, right, value, input })
    }

    /// A value that is stored in a memory, or where the compiler chooses.
    pub fn store(&mut self, space: Option<AddressSpace>, value: Rc<Expr>) -> Built {
        self.expr(ExprKind::Store(space, value))
    }

    /// `concat(a, b, …)`
    pub fn concat(&mut self, arrays: Vec<Rc<Expr>>) -> Built {
        self.expr(ExprKind::Concat(arrays))
    }

    /// One element of an array.
    pub fn at(&mut self, position: Position, array: Rc<Expr>) -> Built {
        self.expr(ExprKind::At(position, array))
    }

    /// `generate(length, function)`
    pub fn generate(&mut self, length: Nat, function: Lambda) -> Built {
        self.expr(ExprKind::Generate(length, function))
    }

    /// `repeat(length, value)`
    pub fn repeat(&mut self, length: Nat, value: Rc<Expr>) -> Built {
        self.expr(ExprKind::Repeat(length, value))
    }

    /// A function of parameters with these names and types. `body` builds what it gives from reads of them.
    pub fn lambda<const N: usize>(
        &mut self,
        parameters: [(&str, Type); N],
        body: impl FnOnce(&mut Self, [Rc<Expr>; N]) -> Built,
    ) -> Result<Lambda, Mismatch> {
        let parameters = parameters.map(|(name, ty)| (self.variable(name), ty));
        let reads = parameters.clone().map(|(variable, ty)| self.read_of(variable, ty));
        let body = body(self, reads)?;
        Ok(Lambda { parameters: parameters.into(), index: None, body })
    }

    /// A function that is applied at every position below `count`. `parameters` says their types at the
    /// position.
    pub fn lambda_at<'n, const N: usize>(
        &mut self,
        name: &str,
        count: &Nat,
        parameters: impl FnOnce(&Nat) -> [(&'n str, Type); N],
        body: impl FnOnce(&mut Self, &Nat, [Rc<Expr>; N]) -> Built,
    ) -> Result<Lambda, Mismatch> {
        let index = self.position(name);
        let position = Nat::variable(&index);
        let outside = self.prover.enter_index(&index, count);
        let lambda = self.lambda(parameters(&position), |build, reads| body(build, &position, reads));
        self.prover.leave_index(outside, &index, count)?;
        Ok(Lambda { index: Some(index), ..lambda? })
    }

    /// A map over an array, whose function is built from an element. It knows its position where the type of
    /// the elements depends on it.
    pub fn map_elements(
        &mut self,
        kind: MapKind,
        array: Rc<Expr>,
        name: &str,
        body: impl FnOnce(&mut Self, Rc<Expr>) -> Built,
    ) -> Built {
        let of = self.prover.array(&array.ty)?;
        let function = match &of.index {
            None => self.lambda([(name, of.element.clone())], |build, [element]| body(build, element))?,
            Some(index) => self.lambda_at(
                index.name(),
                &of.length,
                |position| [(name, of.element_at(position))],
                |build, _, [element]| body(build, element),
            )?,
        };
        self.map(kind, function, array)
    }

    /// A read, whose form demands nothing.
    fn read_of(&mut self, variable: Variable, ty: Type) -> Rc<Expr> {
        let id = NodeId(self.prover.fresh());
        Rc::new(Expr { id, ty, source: self.source, kind: ExprKind::Variable(variable) })
    }
}
