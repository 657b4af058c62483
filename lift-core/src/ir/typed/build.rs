//! Builds typed expressions: the right sides of rewrite rules.
//!
//! Types are never passed in. They come from the typing rules ([`result`](super::result)), so that an expression
//! without a type cannot be built. What the typing rules need of sizes is proved from what is known at the place, or
//! collected as a need; what is refuted is a [`Mismatch`].

use std::rc::Rc;

use super::result::{Judge, Mismatch, Prover, Purpose};
use super::{
    AddressSpace, Binding, Expr, ExprKind, Function, Lambda, Layout, MapKind, NodeId, Position, ReduceKind,
    Requirement, Variable,
};
use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::scalar::Literal;
use crate::ir::source::Source;
use crate::ir::types::{ArrayType, Type};

/// Builds expressions at one place of a program.
pub struct Build<'p> {
    prover: Prover,
    functions: &'p [Function],
    /// The source of new expressions: that of the expression which they replace.
    source: Source,
}

impl<'p> Build<'p> {
    /// Builds for a program with these user functions, where the prover knows what is known at the place.
    pub fn new(prover: Prover, functions: &'p [Function], source: Source) -> Build<'p> {
        Build { prover, functions, source }
    }

    /// What was needed meanwhile.
    pub fn finish(self) -> Prover {
        self.prover
    }

    /// The user functions of the program.
    pub fn functions(&self) -> &'p [Function] {
        self.functions
    }

    /// Proves what is asked of sizes.
    pub fn prover(&mut self) -> &mut Prover {
        &mut self.prover
    }

    /// A size in its simplest form.
    pub fn simplified(&self, size: &Nat) -> Nat {
        self.prover.simplified(size)
    }

    /// Demands something of sizes that the types do not say.
    ///
    /// # Errors
    /// Where it never holds.
    pub fn need(&mut self, requirement: Requirement, purpose: Purpose) -> Result<(), Mismatch> {
        self.prover.need(requirement, purpose)
    }

    /// A new variable.
    pub fn variable(&mut self, name: &str) -> Variable {
        Variable { id: self.prover.fresh(), name: name.into() }
    }

    /// A new variable for a position.
    pub fn index(&mut self, name: &str) -> Var {
        Var::new(self.prover.fresh(), name)
    }

    fn node(&mut self, kind: ExprKind, ty: Type) -> Rc<Expr> {
        Rc::new(Expr { id: NodeId(self.prover.fresh()), ty, source: self.source, kind })
    }

    /// An expression of a form whose parts determine its type.
    ///
    /// # Errors
    /// Where it has no type.
    pub fn expr(&mut self, kind: ExprKind) -> Result<Rc<Expr>, Mismatch> {
        let ty = kind.result(&Type::Size, self.functions, &mut self.prover)?;
        Ok(self.node(kind, ty))
    }

    /// A read of a variable.
    pub fn read(&mut self, variable: &Variable, ty: &Type) -> Rc<Expr> {
        self.node(ExprKind::Variable(variable.clone()), ty.clone())
    }

    /// A number or truth value of a scalar type.
    ///
    /// # Errors
    /// Where the type has no such values.
    pub fn literal(&mut self, literal: Literal, ty: &Type) -> Result<Rc<Expr>, Mismatch> {
        let kind = ExprKind::Literal(literal);
        let ty = kind.result(ty, self.functions, &mut self.prover)?;
        Ok(self.node(kind, ty))
    }

    /// A scalar in every component of a vector of a width.
    ///
    /// # Errors
    /// Where it is no scalar, or there is no vector of the width.
    pub fn broadcast(&mut self, scalar: Rc<Expr>, width: u8) -> Result<Rc<Expr>, Mismatch> {
        let Type::Scalar(lane) = scalar.ty else {
            let wanted = super::result::Kind::Scalar(crate::ir::scalar::ScalarClass::Any);
            return Err(Mismatch::Kind { wanted, found: scalar.ty.clone() });
        };
        let kind = ExprKind::Broadcast(scalar);
        let ty = kind.result(&Type::Vector(lane, width), self.functions, &mut self.prover)?;
        Ok(self.node(kind, ty))
    }

    /// A function of one parameter, whose body is built from it.
    ///
    /// # Errors
    /// Where the body has no type.
    pub fn function<E>(
        &mut self,
        name: &str,
        ty: &Type,
        body: impl FnOnce(&mut Self, Rc<Expr>) -> Result<Rc<Expr>, E>,
    ) -> Result<Lambda, E> {
        let variable = self.variable(name);
        let read = self.read(&variable, ty);
        let body = body(self, read)?;
        Ok(Lambda { parameters: vec![(variable, ty.clone())], index: None, body })
    }

    /// A function of two parameters, as reductions take.
    ///
    /// # Errors
    /// Where the body has no type.
    pub fn function_of_two<E>(
        &mut self,
        names: [&str; 2],
        types: [&Type; 2],
        body: impl FnOnce(&mut Self, Rc<Expr>, Rc<Expr>) -> Result<Rc<Expr>, E>,
    ) -> Result<Lambda, E> {
        let [left, right] = names.map(|name| self.variable(name));
        let (read_left, read_right) = (self.read(&left, types[0]), self.read(&right, types[1]));
        let body = body(self, read_left, read_right)?;
        let parameters = vec![(left, types[0].clone()), (right, types[1].clone())];
        Ok(Lambda { parameters, index: None, body })
    }

    /// A map over an array, whose function is built from an element. Where the type of the elements depends on the
    /// position, the function knows its position.
    ///
    /// # Errors
    /// Where the body has no type, or the array is none.
    pub fn map_with<E: From<Mismatch>>(
        &mut self,
        kind: MapKind,
        array: Rc<Expr>,
        name: &str,
        body: impl FnOnce(&mut Self, Rc<Expr>) -> Result<Rc<Expr>, E>,
    ) -> Result<Rc<Expr>, E> {
        let of = self.array_type(&array)?;
        let function = match &of.index {
            None => self.function(name, &of.element, body)?,
            Some(named) => {
                let index = self.index(named.name());
                let element = of.element_at(&Nat::variable(&index));
                let outside = self.prover.enter_index(&index, &of.length);
                let function = self.function(name, &element, body);
                self.prover.leave_index(outside, &index, &of.length)?;
                Lambda { index: Some(index), ..function? }
            }
        };
        Ok(self.expr(ExprKind::Map(kind, function, array))?)
    }

    /// A map whose workers the compiler chooses, of a function that is built from an element.
    ///
    /// # Errors
    /// As [`map_with`](Self::map_with).
    pub fn map_over<E: From<Mismatch>>(
        &mut self,
        array: Rc<Expr>,
        name: &str,
        body: impl FnOnce(&mut Self, Rc<Expr>) -> Result<Rc<Expr>, E>,
    ) -> Result<Rc<Expr>, E> {
        self.map_with(MapKind::Unspecified, array, name, body)
    }

    /// A map of a given function.
    ///
    /// # Errors
    /// Where the function does not take the elements of the array.
    pub fn map(&mut self, kind: MapKind, function: Lambda, array: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::Map(kind, function, array))
    }

    /// A reduction.
    ///
    /// # Errors
    /// Where the function does not take an accumulator and an element.
    pub fn reduce(
        &mut self,
        kind: ReduceKind,
        function: Lambda,
        initial: Rc<Expr>,
        array: Rc<Expr>,
    ) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::Reduce(kind, function, initial, array))
    }

    /// A layout of an array.
    ///
    /// # Errors
    /// Where the array or its length does not fit.
    pub fn layout(&mut self, layout: Layout, array: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::Layout(layout, array))
    }

    /// `split(chunk)`
    ///
    /// # Errors
    /// Where the chunk never divides the length.
    pub fn split(&mut self, chunk: &Nat, array: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.layout(Layout::Split { chunk: chunk.clone() }, array)
    }

    /// `join`
    ///
    /// # Errors
    /// Where the elements are no arrays.
    pub fn join(&mut self, rows: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.layout(Layout::Join, rows)
    }

    /// `transpose`
    ///
    /// # Errors
    /// Where the elements are no arrays, or have lengths of their own.
    pub fn transpose(&mut self, rows: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.layout(Layout::Transpose, rows)
    }

    /// `slide(size, step)`
    ///
    /// # Errors
    /// Where the windows never fit.
    pub fn slide(&mut self, size: &Nat, step: &Nat, array: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.layout(Layout::Slide { size: size.clone(), step: step.clone() }, array)
    }

    /// `zip`
    ///
    /// # Errors
    /// Where the lengths never are the same.
    pub fn zip(&mut self, arrays: Vec<Rc<Expr>>) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::Zip(arrays))
    }

    /// A tuple.
    ///
    /// # Errors
    /// None for two parts or more.
    pub fn tuple(&mut self, parts: Vec<Rc<Expr>>) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::Tuple(parts))
    }

    /// `tuple.position`; of a tuple that is written out, the part itself.
    ///
    /// # Errors
    /// Where it is no tuple, or has no such component.
    pub fn component(&mut self, tuple: &Rc<Expr>, position: usize) -> Result<Rc<Expr>, Mismatch> {
        match &tuple.kind {
            ExprKind::Tuple(parts) if position < parts.len() => Ok(parts[position].clone()),
            _ => self.expr(ExprKind::Component(tuple.clone(), position)),
        }
    }

    /// The element at a position inside an array.
    ///
    /// # Errors
    /// Where it is never inside.
    pub fn at(&mut self, position: Nat, array: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::At(Position::Size(position), array))
    }

    /// A value stored in a memory.
    ///
    /// # Errors
    /// None.
    pub fn store(&mut self, space: AddressSpace, value: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::Store(Some(space), value))
    }

    /// `repeat(length, value)`
    ///
    /// # Errors
    /// Where the length is never a natural number.
    pub fn repeat(&mut self, length: Nat, value: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::Repeat(length, value))
    }

    /// `{ let variable = value; body }`
    ///
    /// # Errors
    /// None.
    pub fn bind(
        &mut self,
        variable: Variable,
        value: Rc<Expr>,
        body: Rc<Expr>,
    ) -> Result<Rc<Expr>, Mismatch> {
        self.expr(ExprKind::bound(vec![Binding { variable, value }], body))
    }

    /// The body of a function for these arguments. An argument that the body mentions more than once is computed
    /// once: it is bound by a `let`, unless it is a name already. `position` is where the function is applied, for
    /// one that knows its position.
    ///
    /// # Errors
    /// Where the function takes another number of arguments, or has an index and is applied at no position.
    pub fn apply(
        &mut self,
        function: &Lambda,
        position: Option<&Nat>,
        arguments: Vec<Rc<Expr>>,
    ) -> Result<Rc<Expr>, Mismatch> {
        let (wanted, found) = (function.parameters.len(), arguments.len());
        if wanted != found {
            return Err(Mismatch::Count { wanted, found });
        }
        let mut body = match (&function.index, position) {
            (Some(index), Some(position)) => {
                function.body.substitute(&Substitution::from([(index.clone(), position.clone())]))
            }
            (Some(_), None) => return Err(Mismatch::NoIndex),
            (None, _) => function.body.clone(),
        };
        let mut bindings = Vec::new();
        for ((parameter, _), argument) in function.parameters.iter().zip(arguments) {
            if is_name(&argument) || uses(&body, parameter) <= 1 {
                body = body.replace(parameter, &argument);
            } else {
                let variable = self.variable(&parameter.name);
                let read = self.read(&variable, &argument.ty);
                body = body.replace(parameter, &read);
                bindings.push(Binding { variable, value: argument });
            }
        }
        match bindings.is_empty() {
            true => Ok(body),
            false => self.expr(ExprKind::bound(bindings, body)),
        }
    }

    /// The type of an array.
    ///
    /// # Errors
    /// Where it is none.
    pub fn array_type(&mut self, array: &Expr) -> Result<Rc<ArrayType>, Mismatch> {
        self.prover.array(&array.ty)
    }

    /// The new expression, to stand where the old one stood: it has the type that this one has. The types have to be
    /// equal; what is needed for that and not known is a need.
    ///
    /// # Errors
    /// Where the types never are equal.
    pub fn in_place_of(&mut self, old: &Expr, new: Rc<Expr>) -> Result<Rc<Expr>, Mismatch> {
        self.prover.equal_types(&old.ty, &new.ty)?;
        if old.ty == new.ty {
            return Ok(new);
        }
        Ok(Rc::new(Expr { ty: old.ty.clone(), ..new.as_ref().clone() }))
    }
}

/// Whether an expression only names a value: to mention it twice computes nothing twice.
fn is_name(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) | ExprKind::Literal(_) | ExprKind::Size(_) => true,
        ExprKind::Component(tuple, _) => is_name(tuple),
        _ => false,
    }
}

/// How often an expression mentions a variable.
pub fn uses(expr: &Expr, variable: &Variable) -> usize {
    match &expr.kind {
        ExprKind::Variable(read) => usize::from(read.id == variable.id),
        _ => expr.children().into_iter().map(|child| uses(child, variable)).sum(),
    }
}
