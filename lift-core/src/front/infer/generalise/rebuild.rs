//! Rebuilds a typed tree with every unknown decided.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::outline::Slot;
use crate::front::flatten::Delimited;
use crate::front::infer::error::{Error, ProgramMistake};
use crate::front::infer::inference::Inference;
use crate::ir::nat::{Nat, Ranges, Substitution, Var};
use crate::ir::scalar::{Literal, ScalarClass, ScalarType, TypeParameter, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::{
    Binding, Boundary, Expr, ExprKind, IndexFunction, IndexFunctionKind, Lambda, Launch, Layout, MapKind,
    Parameter, ParameterType, Position, ReduceKind, Rows, ScheduleTerm, Variable,
};
use crate::ir::types::Type;

/// A walk that decides unknowns.
pub(super) struct Rebuild<'r, 'a> {
    inference: &'r Inference<'a>,
    facts: Ranges,
    renamed: &'r Substitution,
    type_parameters: &'r BTreeMap<usize, TypeParameter>,
    /// The bound variables that were met.
    used: BTreeSet<Variable>,
    /// Sizes that were simplified already.
    simplified: BTreeMap<Nat, Nat>,
    /// Mistakes that only final types show.
    pub(super) errors: Vec<Error>,
}

impl<'r, 'a> Rebuild<'r, 'a> {
    pub(super) fn new(
        inference: &'r Inference<'a>,
        facts: &'r Ranges,
        renamed: &'r Substitution,
        type_parameters: &'r BTreeMap<usize, TypeParameter>,
    ) -> Rebuild<'r, 'a> {
        Rebuild {
            inference,
            facts: facts.clone(),
            renamed,
            type_parameters,
            used: BTreeSet::new(),
            simplified: BTreeMap::new(),
            errors: Vec::new(),
        }
    }

    pub(super) fn parameter(&mut self, slot: Slot) -> Parameter {
        match slot {
            Slot::Size { variable, size, source } => {
                Parameter { variable, ty: ParameterType::Size(size), source }
            }
            Slot::Value { variable, ty, source } => {
                Parameter { variable, ty: ParameterType::Value(self.ty(&ty)), source }
            }
        }
    }

    /// The lengths of rows that data delimits, and where the rows stand.
    pub(super) fn delimited(&mut self) -> BTreeMap<Var, Delimited> {
        let mut found = BTreeMap::new();
        for (length, of) in &self.inference.delimited {
            let offsets = self.part(of.offsets.clone());
            let (count, total) = (self.size(&of.count), self.size(&of.total));
            found.entry(length.clone()).or_insert(Delimited { offsets, count, total });
        }
        found
    }

    pub(super) fn launch(&mut self, launch: Launch) -> Launch {
        let global = launch.global.map(|global| global.map(|size| self.size(&size)));
        Launch { global, ..launch }
    }

    pub(super) fn schedule(&mut self, term: ScheduleTerm) -> ScheduleTerm {
        term.with_sizes(&mut |size| self.size(size))
    }

    pub(super) fn ty(&mut self, ty: &Type) -> Type {
        match self.inference.unknowns.outermost(ty) {
            Type::Scalar(scalar) => Type::Scalar(self.scalar(scalar)),
            Type::Vector(lane, width) => Type::Vector(self.scalar(lane), width),
            Type::Size => Type::Size,
            Type::Tuple(components) => {
                Type::Tuple(components.iter().map(|component| self.ty(component)).collect())
            }
            Type::Array(array) => {
                let length = self.size(&array.length);
                match &array.index {
                    None => Type::array(self.ty(&array.element), length),
                    Some(index) => {
                        let element = self.at_positions(index, &length, |rebuild| rebuild.ty(&array.element));
                        Type::array_at(index, element, length)
                    }
                }
            }
        }
    }

    fn scalar(&self, scalar: ScalarType) -> ScalarType {
        let ScalarType::Parameter(unknown) = scalar else { return scalar };
        if let Some(parameter) = self.type_parameters.get(&unknown.index) {
            return ScalarType::Parameter(*parameter);
        }
        match self.inference.unknowns.class(&Type::Scalar(scalar)) {
            Some(ScalarClass::Integer | ScalarClass::Bits) => ScalarType::I32,
            Some(ScalarClass::Any | ScalarClass::Number | ScalarClass::Float) | None => ScalarType::F32,
        }
    }

    fn size(&mut self, size: &Nat) -> Nat {
        let known = self.inference.unknowns.resolve_size(size).substitute(self.renamed);
        if known.as_constant().is_some() || known.as_variable().is_some() {
            return known;
        }
        if let Some(simplified) = self.simplified.get(&known) {
            return simplified.clone();
        }
        let simplified = self.facts.simplify(&known);
        self.simplified.insert(known, simplified.clone());
        simplified
    }

    pub(super) fn expr(&mut self, expr: Expr) -> Expr {
        let ty = self.ty(&expr.ty);
        let kind = self.kind(expr.kind, &ty, expr.source);
        Expr { ty, kind, ..expr }
    }

    /// `let`s without those that nothing uses. An array may be used for its type only, as in `len(a)`.
    fn bound(&mut self, bindings: Vec<Binding>, body: Arc<Expr>) -> ExprKind {
        let body = self.part(body);
        let mut used = Vec::new();
        for Binding { variable, value } in bindings.into_iter().rev() {
            if self.used.contains(&variable) {
                used.push(Binding { variable, value: self.part(value) });
                continue;
            }
            // It is rebuilt to find the mistakes in it.
            let used = self.used.clone();
            self.part(value);
            self.used = used;
        }
        used.reverse();
        ExprKind::bound(used, body)
    }

    pub(super) fn part(&mut self, expr: Arc<Expr>) -> Arc<Expr> {
        Arc::new(self.expr(Arc::unwrap_or_clone(expr)))
    }

    fn all(&mut self, exprs: Vec<Arc<Expr>>) -> Vec<Arc<Expr>> {
        exprs.into_iter().map(|expr| self.part(expr)).collect()
    }

    fn kind(&mut self, kind: ExprKind, ty: &Type, source: Source) -> ExprKind {
        match kind {
            // The zero of an open type that turned out to be `bool`.
            ExprKind::Literal(Literal::Integer(0)) if *ty == Type::Scalar(ScalarType::Bool) => {
                ExprKind::Literal(Literal::Bool(false))
            }
            ExprKind::Literal(literal) => {
                self.check_literal(&literal, ty, source);
                ExprKind::Literal(literal)
            }
            ExprKind::Variable(variable) => {
                self.used.insert(variable.clone());
                ExprKind::Variable(variable)
            }
            ExprKind::Size(size) => ExprKind::Size(self.size(&size)),
            ExprKind::Tuple(parts) => ExprKind::Tuple(self.all(parts)),
            ExprKind::Component(tuple, position) => ExprKind::Component(self.part(tuple), position),
            ExprKind::ArrayLiteral(elements) => ExprKind::ArrayLiteral(self.all(elements)),
            ExprKind::Let { bindings, body } => self.bound(bindings, body),
            ExprKind::Unary(operator, operand) => {
                let operand = self.part(operand);
                self.check_sign(operator, &operand.ty, source);
                ExprKind::Unary(operator, operand)
            }
            ExprKind::Binary(operator, left, right) => {
                ExprKind::Binary(operator, self.part(left), self.part(right))
            }
            ExprKind::Builtin(builtin, arguments) => ExprKind::Builtin(builtin, self.all(arguments)),
            ExprKind::Function(function, arguments) => ExprKind::Function(function, self.all(arguments)),
            ExprKind::If(condition, then, otherwise) => {
                ExprKind::If(self.part(condition), self.part(then), self.part(otherwise))
            }
            ExprKind::Cast(scalar, operand) => ExprKind::Cast(self.scalar(scalar), self.part(operand)),
            ExprKind::Broadcast(operand) => ExprKind::Broadcast(self.part(operand)),
            ExprKind::Lanewise(lambda, arguments) => {
                ExprKind::Lanewise(self.lambda(lambda), self.all(arguments))
            }
            ExprKind::Map(kind, lambda, input) => {
                let count = self.length(&input.ty);
                let (lambda, input) = (self.indexed_lambda(lambda, &count), self.part(input));
                if kind == MapKind::Unrolled {
                    self.check_constant_length("mapSeqUnroll", "mapSeq", &input.ty, source);
                }
                ExprKind::Map(kind, lambda, input)
            }
            ExprKind::Reduce(kind, lambda, initial, input) => {
                let count = self.length(&input.ty);
                let (lambda, initial) = (self.indexed_lambda(lambda, &count), self.part(initial));
                let input = self.part(input);
                if kind == ReduceKind::Unrolled {
                    self.check_constant_length("reduceSeqUnroll", "reduceSeq", &input.ty, source);
                }
                ExprKind::Reduce(kind, lambda, initial, input)
            }
            ExprKind::Zip(arrays) => ExprKind::Zip(self.all(arrays)),
            ExprKind::Layout(layout, input) => ExprKind::Layout(self.layout(layout), self.part(input)),
            ExprKind::PadConstant { left, right, value, input } => ExprKind::PadConstant {
                left: self.size(&left),
                right: self.size(&right),
                value: self.part(value),
                input: self.part(input),
            },
            ExprKind::Store(space, value) => ExprKind::Store(space, self.part(value)),
            ExprKind::Concat(arrays) => ExprKind::Concat(self.all(arrays)),
            ExprKind::At(position, input) => ExprKind::At(self.position(position), self.part(input)),
            ExprKind::Generate(length, lambda) => {
                let length = self.size(&length);
                ExprKind::Generate(length.clone(), self.indexed_lambda(lambda, &length))
            }
            ExprKind::Repeat(length, value) => ExprKind::Repeat(self.size(&length), self.part(value)),
            ExprKind::Unzip(input) => ExprKind::Unzip(self.part(input)),
            ExprKind::Scan(kind, lambda, initial, input) => {
                let count = self.length(&input.ty);
                let lambda = self.indexed_lambda(lambda, &count);
                ExprKind::Scan(kind, lambda, self.part(initial), self.part(input))
            }
            ExprKind::Iterate(count, lambda, input) => {
                let count = self.size(&count);
                let lambda = self.indexed_lambda(lambda, &count);
                ExprKind::Iterate(count, lambda, self.part(input))
            }
            ExprKind::EndUnless(condition, value) => {
                ExprKind::EndUnless(self.part(condition), self.part(value))
            }
        }
    }

    fn lambda(&mut self, lambda: Lambda) -> Lambda {
        let parameters =
            lambda.parameters.into_iter().map(|(variable, ty)| (variable, self.ty(&ty))).collect();
        Lambda { parameters, index: lambda.index, body: self.part(lambda.body) }
    }

    /// The number of elements of an array.
    fn length(&mut self, ty: &Type) -> Nat {
        match self.inference.unknowns.outermost(ty) {
            Type::Array(array) => self.size(&array.length),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => Nat::one(),
        }
    }

    /// A lambda whose index lies in `0..count`.
    fn indexed_lambda(&mut self, lambda: Lambda, count: &Nat) -> Lambda {
        match lambda.index.clone() {
            None => self.lambda(lambda),
            Some(index) => self.at_positions(&index, count, |rebuild| rebuild.lambda(lambda)),
        }
    }

    /// Rebuilds where `index` lies in `0..count`.
    fn at_positions<T>(&mut self, index: &Var, count: &Nat, rebuild: impl FnOnce(&mut Self) -> T) -> T {
        let mut inside = self.facts.clone();
        inside.declare(index, Nat::zero(), Some(count.clone()));
        let outside = std::mem::replace(&mut self.facts, inside);
        let simplified = std::mem::take(&mut self.simplified);
        let rebuilt = rebuild(self);
        self.facts = outside;
        self.simplified = simplified;
        rebuilt
    }

    fn position(&mut self, position: Position) -> Position {
        match position {
            Position::Size(size) => Position::Size(self.size(&size)),
            Position::Clamped(index) => Position::Clamped(self.part(index)),
            Position::OrDefault(index, default) => Position::OrDefault(self.part(index), self.part(default)),
        }
    }

    fn layout(&mut self, layout: Layout) -> Layout {
        match layout {
            Layout::Split { chunk } => Layout::Split { chunk: self.size(&chunk) },
            Layout::Partition(rows) => Layout::Partition(self.rows(rows)),
            Layout::Join => Layout::Join,
            Layout::Transpose => Layout::Transpose,
            Layout::Deinterleave { rows } => Layout::Deinterleave { rows: self.size(&rows) },
            Layout::Interleave => Layout::Interleave,
            Layout::AsVector { width } => Layout::AsVector { width },
            Layout::AsScalar => Layout::AsScalar,
            Layout::Gather(function) => Layout::Gather(self.index_function(function)),
            Layout::Scatter(function) => Layout::Scatter(self.index_function(function)),
            Layout::Slice { start, length } => {
                Layout::Slice { start: self.size(&start), length: self.size(&length) }
            }
            Layout::Increase { left, right } => {
                Layout::Increase { left: self.size(&left), right: self.size(&right) }
            }
            Layout::Slide { size, step } => Layout::Slide { size: self.size(&size), step: self.size(&step) },
            Layout::Pad { left, right, boundary } => Layout::Pad {
                left: self.size(&left),
                right: self.size(&right),
                boundary: match boundary {
                    Boundary::Clamp => Boundary::Clamp,
                    Boundary::Mirror => Boundary::Mirror,
                    Boundary::Wrap => Boundary::Wrap,
                    Boundary::Custom(function) => Boundary::Custom(self.index_function(function)),
                },
            },
        }
    }

    fn rows(&mut self, rows: Rows) -> Rows {
        let count = self.size(&rows.count);
        let length = match &rows.index {
            None => self.size(&rows.length),
            Some(index) => self.at_positions(index, &count, |rebuild| rebuild.size(&rows.length)),
        };
        Rows { length, count, ..rows }
    }

    fn index_function(&mut self, function: IndexFunction) -> IndexFunction {
        let kind = match function.kind {
            IndexFunctionKind::Reverse => IndexFunctionKind::Reverse,
            IndexFunctionKind::Stride(step) => IndexFunctionKind::Stride(self.size(&step)),
            IndexFunctionKind::Rotate(distance) => IndexFunctionKind::Rotate(self.size(&distance)),
            IndexFunctionKind::Custom => IndexFunctionKind::Custom,
        };
        // The body is simplified already: only where it was elaborated is the range of the position known.
        let body = self.inference.unknowns.resolve_size(&function.body).substitute(self.renamed);
        IndexFunction { kind, index: function.index, body }
    }

    fn check_literal(&mut self, literal: &Literal, ty: &Type, source: Source) {
        let Type::Scalar(scalar) = ty else { return };
        let is_outside = match literal {
            Literal::Bool(_) => false,
            Literal::Integer(value) => match scalar.integer_limits() {
                Some((least, greatest)) => !(least..=greatest).contains(value),
                None => is_infinite(*scalar, &value.to_string()),
            },
            Literal::Float(digits) => is_infinite(*scalar, digits),
        };
        if is_outside {
            let literal = literal.clone();
            self.errors.push(Error::new(source, ProgramMistake::Literal { literal, ty: *scalar }));
        }
    }

    /// Reports an array whose length is no number, where straight-line code is made for its elements.
    fn check_constant_length(
        &mut self,
        primitive: &'static str,
        of_loops: &'static str,
        input: &Type,
        source: Source,
    ) {
        let Some(array) = input.as_array() else { return };
        if array.length.as_constant().is_none() {
            let length = array.length.clone();
            self.errors.push(Error::new(source, ProgramMistake::Unrolled { primitive, of_loops, length }));
        }
    }

    fn check_sign(&mut self, operator: UnaryOperator, ty: &Type, source: Source) {
        if let (UnaryOperator::Negate, Type::Scalar(scalar) | Type::Vector(scalar, _)) = (operator, ty)
            && scalar.integer_limits().is_some_and(|(least, _)| least == 0)
        {
            self.errors.push(Error::new(source, ProgramMistake::Unsigned { ty: ty.clone() }));
        }
    }
}

/// Adds the user functions that an expression calls.
pub(super) fn called(expr: &Expr, used: &mut BTreeSet<usize>) {
    if let ExprKind::Function(function, _) = &expr.kind {
        used.insert(*function);
    }
    for part in expr.children() {
        called(part, used);
    }
}

/// The same expression with its calls of user functions renumbered.
pub(super) fn renumber(expr: &Arc<Expr>, numbers: &BTreeMap<usize, usize>) -> Arc<Expr> {
    let renumbered = expr.with_children(&mut |part| renumber(part, numbers));
    match &renumbered.kind {
        ExprKind::Function(function, arguments) => match numbers.get(function) {
            Some(number) if number != function => {
                renumbered.with_kind(ExprKind::Function(*number, arguments.clone()))
            }
            Some(_) | None => renumbered,
        },
        _ => renumbered,
    }
}

/// Whether a number is infinite in a type of floats.
fn is_infinite(scalar: ScalarType, digits: &str) -> bool {
    // The digits were read as a number before.
    let Ok(value) = digits.parse::<f64>() else { return false };
    match scalar {
        // Infinity begins halfway between the largest number and what would be the next one.
        ScalarType::F16 => value.abs() >= 65520.0,
        ScalarType::F32 => (value as f32).is_infinite(),
        ScalarType::F64 => value.is_infinite(),
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::Parameter(_) => false,
    }
}
