//! `map`, `reduce`, `zip`, `get`, and the memories that a function's result is stored in.

use std::sync::Arc;

use super::super::application::no_position;
use super::super::environment::{Argument, Function};
use super::super::error::{ArrayMistake, Error, Remedy, SizeMistake, Taker};
use super::super::inference::{Inference, shared};
use super::super::unknowns::{Mismatch, Unknowns};
use super::call::Call;
use crate::ir::nat::{Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::result::{self, array};
use crate::ir::typed::{self, AddressSpace, ExprKind, Lambda, MapKind, ReduceKind};
use crate::ir::types::{ArrayType, Type};

impl<'a> Inference<'a> {
    pub(super) fn map(
        &mut self,
        call: &Call,
        kind: MapKind,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.array(call, &data);
        let Some(function) = given.into_iter().next().and_then(|argument| self.function_argument(argument))
        else {
            return self.mistake(call.source);
        };
        let Some(array) = array else {
            self.lambda(function.at(&Nat::zero()), &[("x", Unknowns::mistake())]);
            return self.mistake(call.source);
        };
        let mapped = match &data.kind {
            ExprKind::Variable(variable) if array.index.is_none() => {
                Some((variable.name.clone(), array.length.clone()))
            }
            _ => None,
        };
        if let Some(position) = function.position()
            && call.source == Source::UNKNOWN
            && position.source != Source::UNKNOWN
        {
            let taker = match self.written_name(call) {
                name @ "sortBy" => Taker::Ordering(name),
                name => Taker::Nested(name),
            };
            return self.fail(no_position(position, taker));
        }
        let lambda = self.at_position(&array, function, |this, index, function, element| {
            this.mapped = mapped;
            let mut lambda = Lambda { index, ..this.lambda(function, &[("x", element)]) };
            lambda.body = Arc::new(this.as_stored(Arc::unwrap_or_clone(lambda.body)));
            lambda
        });
        let (index, length) = (lambda.index.as_ref(), array.length.clone());
        let ty = array::of_results(index, &lambda.body.ty, length, &self.asked(call.row.name, call.source));
        self.node(ExprKind::Map(kind, lambda, Arc::new(data)), ty, call.source)
    }

    /// `mapSeqSlide(f, size, step)`: a map over the windows of a `slide`.
    pub(super) fn map_seq_slide(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let sizes = given.split_off(given.len().min(1));
        let windows = self.windows(call, &["…"], sizes, data);
        self.map(call, MapKind::Sliding, given, windows)
    }

    pub(super) fn reduce(
        &mut self,
        call: &Call,
        kind: ReduceKind,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.array(call, &data);
        let Some((lambda, initial)) = self.accumulation(call, given, array.as_deref()) else {
            return self.mistake(call.source);
        };
        let ty = initial.ty.clone();
        self.node(ExprKind::Reduce(kind, lambda, Arc::new(initial), Arc::new(data)), ty, call.source)
    }

    /// A function of an accumulator and an element, with the accumulator's initial value. `None` after a
    /// mistake.
    pub(super) fn accumulation(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: Option<&ArrayType>,
    ) -> Option<(Lambda, typed::Expr)> {
        let mistake = ArrayType { index: None, element: Unknowns::mistake(), length: Nat::zero() };
        let array = data.unwrap_or(&mistake);
        let mut given = given.into_iter();
        let (function, initial) = (given.next()?, given.next()?);
        let initial = self.argument_value(initial);
        let initial = self.size_as_integer(initial, &array.element);
        let initial = self.sized_integer(initial);
        let initial = self.as_stored(initial);
        let function = self.function_argument(function)?;
        let (lambda, initial) = self.at_position(array, function, |this, index, function, element| {
            this.accumulating(call, function, index, element, initial)
        })?;
        let is_mistake = data.is_none() || self.unknowns.is_mistake(&lambda.body.ty);
        (!is_mistake).then_some((lambda, initial))
    }

    /// A function that gives the next accumulator, with the initial one. `None` where their types differ.
    fn accumulating(
        &mut self,
        call: &Call,
        function: Function<'a>,
        index: Option<Var>,
        element: Type,
        initial: typed::Expr,
    ) -> Option<(Lambda, typed::Expr)> {
        let written = function.source;
        let (mut lambda, initial) = self.widening(function, initial, element, |accumulator| accumulator);
        lambda.index = index;
        let body = self.fit(Arc::unwrap_or_clone(lambda.body), &initial.ty);
        lambda.body = Arc::new(self.as_stored(body));
        let name = self.written_name(call);
        if let Err(mismatch) = self.unify(&lambda.body.ty, &initial.ty, name, call.source) {
            let mistake = ArrayMistake::Accumulator {
                name,
                found: self.known(&lambda.body.ty),
                accumulator: self.known(&initial.ty),
                mismatch: self.simplified_mismatch(&mismatch),
            };
            self.report(Error::new(written, mistake));
            return None;
        }
        Some((lambda, initial))
    }

    /// The remedy where a row is zipped with something that is as long as the columns of its matrix.
    fn missing_transpose(&self, values: &[typed::Expr]) -> Option<Remedy> {
        let lengths: Vec<Nat> =
            values.iter().filter_map(|value| value.ty.shape().into_iter().next()).collect();
        values.iter().find_map(|value| {
            let ExprKind::Variable(row) = &value.kind else { return None };
            let (matrix, height) = self.rows_of.get(row)?;
            let own = value.ty.shape().into_iter().next()?;
            let is = |left: &Nat, right: &Nat| self.facts.is_equal(left, right) == Some(true);
            let fits = lengths.iter().any(|length| !is(length, &own) && is(length, height));
            fits.then(|| Remedy::Columns { row: row.name.to_string(), matrix: matrix.to_string() })
        })
    }

    pub(super) fn zip(&mut self, call: &Call, values: Vec<typed::Expr>) -> typed::Expr {
        let mut arrays: Vec<Arc<ArrayType>> = Vec::new();
        let name = self.written_name(call);
        for value in &values {
            arrays.extend(self.array(call, value));
        }
        let zipped = array::zip(&arrays, &mut self.asked(name, call.source));
        if let Err(result::Mismatch::Sizes(left, right)) = &zipped {
            let mismatch = Mismatch::Size(left.clone(), right.clone());
            let mistake = ArrayMistake::Zipped {
                name,
                types: values.iter().map(|value| self.known(&value.ty)).collect(),
                remedy: self.missing_transpose(&values).or_else(|| self.clause_for(&mismatch)),
                mismatch: self.simplified_mismatch(&mismatch),
            };
            return self.fail(Error::new(call.source, mistake));
        }
        match zipped {
            Ok(ty) if arrays.len() == values.len() => {
                self.node(ExprKind::Zip(shared(values)), ty, call.source)
            }
            // What is no array was reported.
            Ok(_) | Err(_) => self.mistake(call.source),
        }
    }

    pub(super) fn get(&mut self, call: &Call, given: Vec<Argument<'a>>, tuple: typed::Expr) -> typed::Expr {
        let source = given.first().map_or(call.source, Argument::source);
        let Some(position) = self.sizes(call, given).and_then(|sizes| sizes.into_iter().next()) else {
            return self.mistake(call.source);
        };
        match position.as_constant().map(usize::try_from) {
            Some(Ok(position)) => self.component(tuple, position, call.source),
            Some(Err(_)) | None => self.fail(Error::new(source, SizeMistake::ComponentPosition)),
        }
    }

    pub(super) fn store(
        &mut self,
        call: &Call,
        space: AddressSpace,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let taker = Taker::Primitive(self.written_name(call));
        let function = given.into_iter().next();
        match function.and_then(|argument| self.function_without_position(argument, taker)) {
            Some(function) => {
                let stored = self.apply(function, vec![data], call.source);
                let ty = stored.ty.clone();
                self.node(ExprKind::Store(Some(space), Arc::new(stored)), ty, call.source)
            }
            None => self.mistake(call.source),
        }
    }

    /// `store(xs)`, of an array or of a tuple in which there is one.
    pub(super) fn stored(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        if !self.is_tuple_with_array(&data.ty) && self.array(call, &data).is_none() {
            return self.mistake(call.source);
        }
        let ty = data.ty.clone();
        self.node(ExprKind::Store(None, Arc::new(data)), ty, call.source)
    }

    fn is_tuple_with_array(&self, ty: &Type) -> bool {
        let is_array = |part: &Type| matches!(self.unknowns.outermost(part), Type::Array(_));
        match self.unknowns.outermost(ty) {
            Type::Tuple(parts) => parts.iter().any(|part| is_array(part) || self.is_tuple_with_array(part)),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => false,
        }
    }
}
