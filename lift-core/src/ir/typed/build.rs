//! Typed constructors: how rules of rewriting write the expressions that they put in place of others.
//!
//! A type is never passed in where the typing rules ([`result`](super::result)) derive it, so an expression
//! with a wrong type cannot be built. What an expression needs of sizes, and what the ranges at its place do
//! not imply, is collected; what they refute is a [`Mismatch`]. New nodes, variables and positions have
//! numbers of their own, and stand, for messages, where the expression stood that they replace.
//!
//! A rewrite ends with [`Build::in_place_of`]: it proves that the new expression has the type of the old one
//! and then states that type. So nothing around the place changes, and nothing is typed again.

use std::cell::LazyCell;
use std::sync::Arc;

use super::binders::{is_atomic, mentions, refreshed, without_atoms};
use super::result::{Demand, Judge, Mismatch, Outside, Prover, Purpose};
use super::{
    AddressSpace, Binding, Expr, ExprKind, Function, Lambda, Layout, MapKind, NodeId, Position, Program,
    ReduceKind, Requirement, Rounding, ScanKind, Variable,
};
use crate::ir::nat::{Nat, Ranges, Substitution, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::types::{ArrayType, Type};

/// An expression, or why it has no type.
pub type Built = Result<Arc<Expr>, Mismatch>;

/// Builds expressions for one place in a program.
pub struct Build<'p> {
    functions: &'p [Function],
    rounding: Rounding,
    source: Source,
    /// Most rules find that they do not apply before they ask anything, and what is known at the place is
    /// found out only then.
    place: LazyCell<Place, Box<dyn FnOnce() -> Place + 'p>>,
}

/// What is known at the place.
struct Place {
    prover: Prover,
    /// The positions around the place, outermost first, each with the number of its values.
    around: Vec<(Var, Nat, Outside)>,
}

impl<'p> Build<'p> {
    /// Builds what replaces `place`, an expression of a program, where the positions `around` are known: each
    /// is below its count, outermost first. `ranges` is what is known outside of them. New numbers start at
    /// `next_id`.
    pub fn new(
        program: &'p Program,
        ranges: Ranges,
        place: &Expr,
        around: impl Iterator<Item = (Var, Nat)> + 'p,
        next_id: u32,
    ) -> Build<'p> {
        let source = place.source;
        let entered = move || {
            let mut prover = Prover::new(ranges, next_id);
            prover.judge_at(source);
            let enter = |(index, count)| {
                let outside = prover.enter_index(&index, &count);
                (index, count, outside)
            };
            let around = around.map(enter).collect();
            Place { prover, around }
        };
        let Program { functions, rounding, .. } = program;
        Build { functions, rounding: *rounding, source, place: LazyCell::new(Box::new(entered)) }
    }

    /// From now on, new expressions stand for messages where `source` is.
    pub fn stand_at(&mut self, source: Source) {
        self.source = source;
    }

    /// The new expression, as it stands in place of the old one: both have one type, which is proved or
    /// needed.
    pub fn in_place_of(&mut self, old: &Expr, new: &Arc<Expr>) -> Built {
        self.prover().equal_types(&old.ty, &new.ty)?;
        Ok(Arc::new(Expr { ty: old.ty.clone(), ..new.as_ref().clone() }))
    }

    /// What the expressions need, for all positions around the place, and the next number that is free.
    pub fn finish(mut self) -> Result<(Vec<Demand>, u32), Mismatch> {
        let Place { prover, around } = LazyCell::force_mut(&mut self.place);
        for (index, count, outside) in around.drain(..).rev() {
            prover.leave_index(outside, &index, &count)?;
        }
        Ok((prover.needs().to_vec(), prover.next_id()))
    }

    /// What is known of sizes at the place, with everything that has been needed so far.
    pub fn ranges(&self) -> &Ranges {
        self.place.prover.ranges()
    }

    /// A new variable.
    pub fn variable(&mut self, name: &str) -> Variable {
        Variable { id: self.prover().fresh(), name: name.into() }
    }

    /// A new variable for a position.
    pub fn index(&mut self, name: &str) -> Var {
        self.prover().position(name)
    }

    /// An expression of a form whose parts determine its type.
    pub fn expr(&mut self, kind: ExprKind) -> Built {
        self.stated(kind, &Type::Size)
    }

    /// An expression of a form that does not determine its own type.
    fn stated(&mut self, kind: ExprKind, stated: &Type) -> Built {
        let ty = kind.result(stated, self.functions, self.prover())?;
        Ok(Arc::new(Expr { id: NodeId(self.prover().fresh()), ty, source: self.source, kind }))
    }

    /// A literal of a scalar type.
    pub fn literal(&mut self, literal: Literal, ty: &Type) -> Built {
        self.stated(ExprKind::Literal(literal), ty)
    }

    /// A read of a variable of this type.
    pub fn read(&mut self, variable: &Variable, ty: &Type) -> Arc<Expr> {
        let (id, kind) = (NodeId(self.prover().fresh()), ExprKind::Variable(variable.clone()));
        Arc::new(Expr { id, ty: ty.clone(), source: self.source, kind })
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
    pub fn tuple(&mut self, parts: Vec<Arc<Expr>>) -> Built {
        self.expr(ExprKind::Tuple(parts))
    }

    /// `tuple.position`; of a tuple that is written out, the part itself.
    pub fn component(&mut self, tuple: &Arc<Expr>, position: usize) -> Built {
        match &tuple.kind {
            ExprKind::Tuple(parts) if position < parts.len() => Ok(parts[position].clone()),
            _ => self.expr(ExprKind::Component(tuple.clone(), position)),
        }
    }

    /// `[a, b, …]`
    pub fn array_literal(&mut self, elements: Vec<Arc<Expr>>) -> Built {
        self.expr(ExprKind::ArrayLiteral(elements))
    }

    /// `{ let variable = value; body }`
    pub fn bind(&mut self, variable: Variable, value: Arc<Expr>, body: Arc<Expr>) -> Built {
        self.bind_all(vec![Binding { variable, value }], body)
    }

    /// `{ let variable = value; …; body }`, where atomic values are written instead of names.
    pub fn bind_all(&mut self, bindings: Vec<Binding>, body: Arc<Expr>) -> Built {
        let (bindings, body) = without_atoms(bindings, body);
        match bindings.is_empty() {
            true => Ok(body),
            false => self.expr(ExprKind::bound(bindings, body)),
        }
    }

    /// `-x`, `!x`
    pub fn unary(&mut self, operator: UnaryOperator, operand: Arc<Expr>) -> Built {
        self.expr(ExprKind::Unary(operator, operand))
    }

    /// `left operator right`
    pub fn binary(&mut self, operator: BinaryOperator, left: Arc<Expr>, right: Arc<Expr>) -> Built {
        self.expr(ExprKind::Binary(operator, left, right))
    }

    /// A built-in function of its arguments.
    pub fn builtin(&mut self, builtin: Builtin, arguments: Vec<Arc<Expr>>) -> Built {
        self.expr(ExprKind::Builtin(builtin, arguments))
    }

    /// A user function of its arguments.
    pub fn call(&mut self, position: usize, arguments: Vec<Arc<Expr>>) -> Built {
        self.expr(ExprKind::Function(position, arguments))
    }

    /// `if condition { then } else { otherwise }`
    pub fn choice(&mut self, condition: Arc<Expr>, then: Arc<Expr>, otherwise: Arc<Expr>) -> Built {
        self.expr(ExprKind::If(condition, then, otherwise))
    }

    /// `value as scalar`
    pub fn cast(&mut self, scalar: ScalarType, value: Arc<Expr>) -> Built {
        self.expr(ExprKind::Cast(scalar, value))
    }

    /// A vector with a scalar in each of `width` components.
    pub fn broadcast(&mut self, value: Arc<Expr>, width: u8) -> Built {
        let stated = match &value.ty {
            Type::Scalar(lane) => Type::Vector(*lane, width),
            // The rule refuses it.
            other => other.clone(),
        };
        self.stated(ExprKind::Broadcast(value), &stated)
    }

    /// `vectorize(n, function)(vectors…)`
    pub fn lanewise(&mut self, function: Lambda, vectors: Vec<Arc<Expr>>) -> Built {
        self.expr(ExprKind::Lanewise(function, vectors))
    }

    /// A map by workers of a kind.
    pub fn map(&mut self, kind: MapKind, function: Lambda, array: Arc<Expr>) -> Built {
        self.expr(ExprKind::Map(kind, function, array))
    }

    /// A reduction of a kind.
    pub fn reduce(
        &mut self,
        kind: ReduceKind,
        function: Lambda,
        initial: Arc<Expr>,
        array: Arc<Expr>,
    ) -> Built {
        self.expr(ExprKind::Reduce(kind, function, initial, array))
    }

    /// A scan of a kind.
    pub fn scan(&mut self, kind: ScanKind, function: Lambda, initial: Arc<Expr>, array: Arc<Expr>) -> Built {
        self.expr(ExprKind::Scan(kind, function, initial, array))
    }

    /// `iterate(count, function)`
    pub fn iterate(&mut self, count: Nat, function: Lambda, array: Arc<Expr>) -> Built {
        self.expr(ExprKind::Iterate(count, function, array))
    }

    /// `zip(a, b, …)`
    pub fn zip(&mut self, arrays: Vec<Arc<Expr>>) -> Built {
        self.expr(ExprKind::Zip(arrays))
    }

    /// `unzip(array)`
    pub fn unzip(&mut self, array: Arc<Expr>) -> Built {
        self.expr(ExprKind::Unzip(array))
    }

    /// An array under a layout.
    pub fn layout(&mut self, layout: Layout, array: Arc<Expr>) -> Built {
        self.expr(ExprKind::Layout(layout, array))
    }

    /// `split(chunk)`
    pub fn split(&mut self, chunk: &Nat, array: Arc<Expr>) -> Built {
        self.layout(Layout::Split { chunk: chunk.clone() }, array)
    }

    /// `join`
    pub fn join(&mut self, rows: Arc<Expr>) -> Built {
        self.layout(Layout::Join, rows)
    }

    /// `transpose`
    pub fn transpose(&mut self, rows: Arc<Expr>) -> Built {
        self.layout(Layout::Transpose, rows)
    }

    /// `slide(size, step)`
    pub fn slide(&mut self, size: &Nat, step: &Nat, array: Arc<Expr>) -> Built {
        self.layout(Layout::Slide { size: size.clone(), step: step.clone() }, array)
    }

    /// `padConstant(left, right, value)`
    pub fn pad_constant(&mut self, left: Nat, right: Nat, value: Arc<Expr>, input: Arc<Expr>) -> Built {
        self.expr(ExprKind::PadConstant { left, right, value, input })
    }

    /// A value that is stored in a memory.
    pub fn store(&mut self, space: AddressSpace, value: Arc<Expr>) -> Built {
        self.expr(ExprKind::Store(Some(space), value))
    }

    /// A value that is stored where the compiler chooses.
    pub fn keep(&mut self, value: Arc<Expr>) -> Built {
        self.expr(ExprKind::Store(None, value))
    }

    /// `concat(a, b, …)`
    pub fn concat(&mut self, arrays: Vec<Arc<Expr>>) -> Built {
        self.expr(ExprKind::Concat(arrays))
    }

    /// The element at a position inside an array.
    pub fn at(&mut self, position: Nat, array: Arc<Expr>) -> Built {
        self.element(Position::Size(position), array)
    }

    /// One element of an array.
    pub fn element(&mut self, position: Position, array: Arc<Expr>) -> Built {
        self.expr(ExprKind::At(position, array))
    }

    /// `generate(length, function)`
    pub fn generate(&mut self, length: Nat, function: Lambda) -> Built {
        self.expr(ExprKind::Generate(length, function))
    }

    /// `repeat(length, value)`
    pub fn repeat(&mut self, length: Nat, value: Arc<Expr>) -> Built {
        self.expr(ExprKind::Repeat(length, value))
    }

    /// A function of parameters with these names and types. `body` builds what it gives from reads of them.
    pub fn lambda<const N: usize, E>(
        &mut self,
        parameters: [(&str, Type); N],
        body: impl FnOnce(&mut Self, [Arc<Expr>; N]) -> Result<Arc<Expr>, E>,
    ) -> Result<Lambda, E> {
        let parameters = parameters.map(|(name, ty)| (self.variable(name), ty));
        let reads = parameters.each_ref().map(|(variable, ty)| self.read(variable, ty));
        let body = body(self, reads)?;
        Ok(Lambda { parameters: parameters.into(), index: None, body })
    }

    /// A function that is applied at every position below `count`. `parameters` says their types at the
    /// position.
    pub fn lambda_at<'n, const N: usize, E: From<Mismatch>>(
        &mut self,
        name: &str,
        count: &Nat,
        parameters: impl FnOnce(&Nat) -> [(&'n str, Type); N],
        body: impl FnOnce(&mut Self, &Nat, [Arc<Expr>; N]) -> Result<Arc<Expr>, E>,
    ) -> Result<Lambda, E> {
        let index = self.index(name);
        let position = Nat::variable(&index);
        let outside = self.prover().enter_index(&index, count);
        let lambda = self.lambda(parameters(&position), |build, reads| body(build, &position, reads));
        self.prover().leave_index(outside, &index, count)?;
        Ok(Lambda { index: Some(index), ..lambda? })
    }

    /// A function of one parameter, whose body is built from it.
    pub fn function<E>(
        &mut self,
        name: &str,
        ty: &Type,
        body: impl FnOnce(&mut Self, Arc<Expr>) -> Result<Arc<Expr>, E>,
    ) -> Result<Lambda, E> {
        self.lambda([(name, ty.clone())], |build, [parameter]| body(build, parameter))
    }

    /// A function of two parameters, as reductions take.
    pub fn function_of_two<E>(
        &mut self,
        names: [&str; 2],
        types: [&Type; 2],
        body: impl FnOnce(&mut Self, Arc<Expr>, Arc<Expr>) -> Result<Arc<Expr>, E>,
    ) -> Result<Lambda, E> {
        let parameters = [(names[0], types[0].clone()), (names[1], types[1].clone())];
        self.lambda(parameters, |build, [left, right]| body(build, left, right))
    }

    /// A map over an array, whose function is built from an element. It knows its position where the type of
    /// the elements depends on it.
    pub fn map_with<E: From<Mismatch>>(
        &mut self,
        kind: MapKind,
        array: Arc<Expr>,
        name: &str,
        body: impl FnOnce(&mut Self, Arc<Expr>) -> Result<Arc<Expr>, E>,
    ) -> Result<Arc<Expr>, E> {
        let of = self.array_type(&array)?;
        let function = match &of.index {
            None => self.function(name, &of.element, body)?,
            Some(index) => self.lambda_at(
                index.name(),
                &of.length,
                |position| [(name, of.element_at(position))],
                |build, _, [element]| body(build, element),
            )?,
        };
        Ok(self.map(kind, function, array)?)
    }

    /// The same; the compiler chooses the workers.
    pub fn map_over<E: From<Mismatch>>(
        &mut self,
        array: Arc<Expr>,
        name: &str,
        body: impl FnOnce(&mut Self, Arc<Expr>) -> Result<Arc<Expr>, E>,
    ) -> Result<Arc<Expr>, E> {
        self.map_with(MapKind::Unspecified, array, name, body)
    }

    /// The body of a function for these arguments. An argument that the body mentions more than once is
    /// computed once: it is bound by a `let`, unless it is a name already. So is one that is no array and is
    /// mentioned inside of a function, which may be applied many times. `position` is where the function is
    /// applied, for one that knows its position.
    pub fn apply(&mut self, function: &Lambda, position: Option<&Nat>, arguments: Vec<Arc<Expr>>) -> Built {
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
            let is_repeated = argument.ty.is_element() && is_read_in_function(&body, parameter);
            if is_atomic(&argument) || uses(&body, parameter) <= 1 && !is_repeated {
                body = body.replace(parameter, &argument);
            } else {
                let variable = self.variable(&parameter.name);
                let read = self.read(&variable, &argument.ty);
                body = body.replace(parameter, &read);
                bindings.push(Binding { variable, value: argument });
            }
        }
        self.bind_all(bindings, body)
    }

    /// A copy of an expression, for a second place in the program: what it binds and its nodes have new
    /// numbers.
    pub fn copy(&mut self, expr: &Arc<Expr>) -> Arc<Expr> {
        self.prover().numbered(|next_id| refreshed(expr, next_id))
    }

    /// The body of a function for these arguments, as [`apply`](Self::apply) gives it, to stand beside the
    /// function itself.
    pub fn apply_copy(
        &mut self,
        function: &Lambda,
        position: Option<&Nat>,
        arguments: Vec<Arc<Expr>>,
    ) -> Built {
        let copy = function.with_body(&mut |body| self.copy(body));
        self.apply(&copy, position, arguments)
    }

    /// Builds where the index of a function that stays, if it has one, is a position below a count.
    pub fn under_index<T, E: From<Mismatch>>(
        &mut self,
        index: Option<&Var>,
        count: &Nat,
        build: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(index) = index else { return build(self) };
        let outside = self.prover().enter_index(index, count);
        let built = build(self);
        self.prover().leave_index(outside, index, count)?;
        built
    }

    /// An expression built from a value, which is computed once: it is bound by a `let`, unless it is a name.
    pub fn shared<E: From<Mismatch>>(
        &mut self,
        name: &str,
        value: Arc<Expr>,
        body: impl FnOnce(&mut Self, Arc<Expr>) -> Result<Arc<Expr>, E>,
    ) -> Result<Arc<Expr>, E> {
        if is_atomic(&value) {
            return body(self, value);
        }
        let variable = self.variable(name);
        let read = self.read(&variable, &value.ty);
        let body = body(self, read)?;
        Ok(self.bind(variable, value, body)?)
    }

    /// A map over an array, whose function is built from a position and the element there. It knows its
    /// position where it mentions it.
    pub fn map_at<E: From<Mismatch>>(
        &mut self,
        kind: MapKind,
        array: Arc<Expr>,
        name: &str,
        body: impl FnOnce(&mut Self, &Nat, Arc<Expr>) -> Result<Arc<Expr>, E>,
    ) -> Result<Arc<Expr>, E> {
        let of = self.array_type(&array)?;
        let function = self.lambda_at(
            name_of_position(&of),
            &of.length,
            |position| [(name, of.element_at(position))],
            |build, position, [element]| body(build, position, element),
        )?;
        Ok(self.map(kind, function.without_unused_index(), array)?)
    }

    /// A function for a reduction or a scan of an array. It is built from a position, the accumulator and the
    /// element there, and knows its position where it mentions it.
    pub fn accumulation_at<E: From<Mismatch>>(
        &mut self,
        names: [&str; 2],
        accumulator: &Type,
        array: &Expr,
        body: impl FnOnce(&mut Self, &Nat, Arc<Expr>, Arc<Expr>) -> Result<Arc<Expr>, E>,
    ) -> Result<Lambda, E> {
        let of = self.array_type(array)?;
        let function = self.lambda_at(
            name_of_position(&of),
            &of.length,
            |position| [(names[0], accumulator.clone()), (names[1], of.element_at(position))],
            |build, position, [accumulator, element]| body(build, position, accumulator, element),
        )?;
        Ok(function.without_unused_index())
    }

    /// Demands again what an expression needs of sizes: it is to stand where less is known, or where it is
    /// always computed.
    pub fn demand(&mut self, expr: &Expr) -> Result<(), Mismatch> {
        for (position, child) in expr.children().enumerate() {
            match expr.index_around(position) {
                None => self.demand(child)?,
                Some((index, count)) => {
                    let outside = self.prover().enter_index(index, &count);
                    let demanded = self.demand(child);
                    self.prover().leave_index(outside, index, &count)?;
                    demanded?;
                }
            }
        }
        expr.kind.result(&expr.ty, self.functions, self.prover()).map(drop)
    }

    /// Whether an expression needs nothing of sizes that is not known here, wherever it stands now.
    pub fn needs_nothing(&mut self, expr: &Expr) -> bool {
        let outside = self.prover().enter();
        let demanded = self.demand(expr);
        let needs = self.prover().leave(outside);
        demanded.is_ok() && needs.is_empty()
    }

    /// The type of an array.
    pub fn array_type(&mut self, array: &Expr) -> Result<Arc<ArrayType>, Mismatch> {
        self.prover().array(&array.ty)
    }

    /// A size in its simplest form.
    pub fn simplified(&self, size: &Nat) -> Nat {
        self.place.prover.simplified(size)
    }

    /// Demands something of sizes that the types do not say.
    pub fn need(&mut self, requirement: Requirement, purpose: Purpose) -> Result<(), Mismatch> {
        self.prover().need(requirement, purpose)
    }

    /// Proves what is asked of sizes.
    pub fn prover(&mut self) -> &mut Prover {
        &mut LazyCell::force_mut(&mut self.place).prover
    }

    /// The user functions of the program.
    pub fn functions(&self) -> &'p [Function] {
        self.functions
    }

    /// How the program rounds.
    pub fn rounding(&self) -> Rounding {
        self.rounding
    }
}

/// The user's name for the position in an array.
fn name_of_position(array: &ArrayType) -> &str {
    array.index.as_ref().map_or("i", Var::name)
}

impl Lambda {
    fn without_unused_index(self) -> Lambda {
        let index = self.index.clone().filter(|index| self.mentions_index(index));
        Lambda { index, ..self }
    }
}

/// Whether a function that is applied inside of an expression mentions a variable.
pub fn is_read_in_function(expr: &Expr, variable: &Variable) -> bool {
    expr.function_body().is_some_and(|body| mentions(body, variable))
        || expr.children().any(|child| is_read_in_function(child, variable))
}

/// How often an expression mentions a variable.
pub fn uses(expr: &Expr, variable: &Variable) -> usize {
    match &expr.kind {
        ExprKind::Variable(read) => usize::from(read.id == variable.id),
        _ => expr.children().map(|child| uses(child, variable)).sum(),
    }
}
