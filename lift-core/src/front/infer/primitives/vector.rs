//! `asVector`, `asScalar`, `vectorize` and `mapVec` (CGO 2017, section 3.2).

use std::sync::Arc;

use super::super::environment::{Argument, Function};
use super::super::error::{Error, Taker, VectorMistake};
use super::super::inference::{Inference, shared};
use super::super::unknowns::Unknowns;
use super::call::Call;
use crate::ir::primitive::Primitive;
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::typed::{self, ExprKind, Lambda, Layout};
use crate::ir::types::{Type, VECTOR_WIDTHS};

impl<'a> Inference<'a> {
    /// `[T; n * k] -> [Txn; k]`
    pub(super) fn as_vector(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let dimensions = self.dimensions(call, &data, 1);
        let width = given.into_iter().next().and_then(|width| self.vector_width(call, width));
        let (Some((element, _)), Some(width)) = (dimensions, width) else {
            return self.mistake(call.source);
        };
        if self.lane_of_elements(call, &element, &data).is_none() {
            return self.mistake(call.source);
        }
        let Some(array) = self.array(call, &data) else { return self.mistake(call.source) };
        let written = self.written_call(call, &[width.to_string()]);
        self.layout(call, &written, Layout::AsVector { width }, &array, data)
    }

    /// The width that a call names. `None` after a mistake.
    fn vector_width(&mut self, call: &Call, width: Argument<'a>) -> Option<u8> {
        let source = width.source();
        let name = self.written_name(call);
        let written = self.natural_argument(width, name)?;
        let known = written.as_constant().and_then(|width| u8::try_from(width).ok());
        if let Some(width) = known.filter(|width| VECTOR_WIDTHS.contains(width)) {
            return Some(width);
        }
        self.report(Error::new(source, VectorMistake::Width { name, width: written }));
        None
    }

    /// The scalar type of elements that become components of vectors. `None` after a mistake.
    fn lane_of_elements(&mut self, call: &Call, element: &Type, data: &typed::Expr) -> Option<ScalarType> {
        if self.unknowns.is_mistake(element) {
            return None;
        }
        let scalar = self.unknowns.fresh_scalar(ScalarClass::Any);
        let unified = self.unify(element, &scalar, call.row.name, data.source);
        if let (Ok(()), Type::Scalar(lane)) = (unified, self.unknowns.outermost(element)) {
            return Some(lane);
        }
        let (name, element) = (self.written_name(call), self.known(element));
        self.report(Error::new(data.source, VectorMistake::Components { name, element }));
        None
    }

    /// `[Txn; k] -> [T; n * k]`
    pub(super) fn as_scalar(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        let Some(array) = self.array(call, &data) else { return self.mistake(call.source) };
        if self.unknowns.is_mistake(&array.element) {
            return self.mistake(call.source);
        }
        let Type::Vector(..) = self.unknowns.outermost(&array.element) else {
            let name = self.written_name(call);
            let mistake = match self.unknowns.is_open(&array.element) {
                true => VectorMistake::UnknownWidth { name },
                false => VectorMistake::NoVectors { name, ty: self.known(&data.ty) },
            };
            return self.fail(Error::new(data.source, mistake));
        };
        self.satisfied_layout(call, Layout::AsScalar, &array, data)
    }

    /// `vectorize(n, f, vectors)`, `mapVec(f, vectors)`: one vector for each parameter of `f`, or a tuple of
    /// them.
    pub(super) fn lanewise_call(&mut self, call: &Call, given: Vec<Argument<'a>>) -> typed::Expr {
        let mut given = given.into_iter();
        let stated = if call.row.primitive == Primitive::Vectorize {
            let Some(width) = given.next().and_then(|width| self.vector_width(call, width)) else {
                return self.mistake(call.source);
            };
            Some(width)
        } else {
            None
        };
        let Some(function) = given.next() else { return self.mistake(call.source) };
        let values: Vec<typed::Expr> = given.map(|value| self.argument_value(value)).collect();
        let values = self.vectors(values);
        if values.iter().any(|value| self.unknowns.is_mistake(&value.ty)) {
            return self.mistake(call.source);
        }
        let Some(width) = stated.or_else(|| values.iter().find_map(|value| self.width(&value.ty))) else {
            let types = values.iter().map(|value| self.known(&value.ty)).collect();
            let source = values.first().map_or(call.source, |value| value.source);
            let mistake = VectorMistake::NoVector { name: self.written_name(call), types };
            return self.fail(Error::new(source, mistake));
        };
        let Some(values) = self.of_width(call, values, width) else { return self.mistake(call.source) };
        let taker = Taker::Primitive(self.written_name(call));
        let Some(function) = self.function_without_position(function, taker) else {
            return self.mistake(call.source);
        };
        self.lanewise(call, function, values, width)
    }

    /// The components of one tuple, or the values themselves.
    fn vectors(&mut self, mut values: Vec<typed::Expr>) -> Vec<typed::Expr> {
        let [single] = values.as_slice() else { return values };
        match (self.unknowns.outermost(&single.ty), values.pop()) {
            (Type::Tuple(types), Some(tuple)) => self.spread(tuple, types),
            (_, value) => value.into_iter().collect(),
        }
    }

    /// The values as vectors of a width; a scalar fills one. `None` after a mistake.
    fn of_width(&mut self, call: &Call, values: Vec<typed::Expr>, width: u8) -> Option<Vec<typed::Expr>> {
        let mut vectors = Vec::new();
        for value in values {
            // Nothing is known of the value: it is a vector of the width that the call states.
            if self.unknowns.is_open(&value.ty)
                && let Type::Scalar(lane) = self.unknowns.fresh_scalar(ScalarClass::Any)
            {
                self.unify(&value.ty, &Type::Vector(lane, width), call.row.name, value.source).ok()?;
            }
            let vector = self.broadcast_all(vec![value], width).pop()?;
            if self.width(&vector.ty) != Some(width) {
                let (name, ty) = (self.written_name(call), self.known(&vector.ty));
                self.report(Error::new(vector.source, VectorMistake::OtherWidth { name, width, ty }));
                return None;
            }
            vectors.push(vector);
        }
        Some(vectors)
    }

    fn lanewise(
        &mut self,
        call: &Call,
        function: Function<'a>,
        vectors: Vec<typed::Expr>,
        width: u8,
    ) -> typed::Expr {
        let lanes: Vec<(&str, Type)> = vectors.iter().map(|vector| ("x", self.lane(&vector.ty))).collect();
        let written = function.source;
        let mut lambda = self.lambda(function, &lanes);
        lambda.body = Arc::new(self.sized_integer(Arc::unwrap_or_clone(lambda.body)));
        if self.unknowns.is_mistake(&lambda.body.ty) {
            return self.mistake(call.source);
        }
        match self.unknowns.outermost(&lambda.body.ty) {
            Type::Scalar(lane) => {
                let ty = Type::Vector(lane, width);
                self.node(ExprKind::Lanewise(lambda, shared(vectors)), ty, call.source)
            }
            Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
                let (name, ty) = (self.written_name(call), self.known(&lambda.body.ty));
                self.fail(Error::new(written, VectorMistake::Result { name, ty }))
            }
        }
    }

    /// The lambda of a reduction with the initial value. Where the function makes vectors of an initial value
    /// that is a scalar, as `reduceSeq(add, 0)` of vectors does, the accumulator is a vector from the start.
    /// `next` takes the type that the function returns, and gives the type of the accumulator in it.
    pub(super) fn widening(
        &mut self,
        function: Function<'a>,
        initial: typed::Expr,
        element: Type,
        next: impl Fn(Type) -> Type,
    ) -> (Lambda, typed::Expr) {
        let parameters = [("acc", initial.ty.clone()), ("x", element.clone())];
        let lambda = self.lambda(function.clone(), &parameters);
        let accumulated = next(self.unknowns.resolve(&lambda.body.ty));
        if !self.may_be_wider(&initial.ty, &accumulated) {
            return (lambda, initial);
        }
        // What the first attempt found out about sizes and scalars also holds for the second one.
        let Some(initial) = self.widened(&initial, &accumulated) else { return (lambda, initial) };
        let parameters = [("acc", initial.ty.clone()), ("x", element)];
        (self.lambda(function, &parameters), initial)
    }

    /// Whether one type has scalars where the other has vectors.
    fn may_be_wider(&self, initial: &Type, accumulated: &Type) -> bool {
        match (self.unknowns.outermost(initial), accumulated) {
            (Type::Tuple(parts), Type::Tuple(types)) => {
                parts.iter().zip(types).any(|(part, ty)| self.may_be_wider(part, ty))
            }
            (Type::Array(initial), Type::Array(accumulated)) => {
                self.may_be_wider(&initial.element, &accumulated.element)
            }
            (Type::Scalar(_) | Type::Size, Type::Vector(..)) => initial != &Unknowns::mistake(),
            (
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
            ) => false,
        }
    }
}
