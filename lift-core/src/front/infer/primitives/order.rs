//! `sort`, `argsort` and what numbers elements: calls of the prelude whose definitions depend on the type of
//! the elements, or whose positions must fit into `u32`.

use super::super::environment::{Argument, Binding, Environment};
use super::super::error::{ArrayMistake, Error, Place};
use super::super::inference::Inference;
use super::super::prelude::key_of;
use super::call::Call;
use crate::ir::nat::Nat;
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::typed::result::{Judge, Purpose};
use crate::ir::typed::{self, ExprKind, Requirement};
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// A derived primitive that numbers the elements of its data by `u32`, with 1 more for each.
    pub(super) fn numbered(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        if let Some(array) = self.array(call, &data) {
            self.need_numbers(call, &array.length);
        }
        self.derived_call(call, given, data)
    }

    /// Demands that `u32` holds the positions of all elements, counted from 1. It is a quotient that must be 0,
    /// and no upper limit: nobody should take it for the number of elements that there is room for.
    fn need_numbers(&mut self, call: &Call, length: &Nat) {
        let written = self.written_call(call, &[]);
        let numbers = Nat::constant(i128::from(u32::MAX));
        let few = Requirement::Equal(length.divide(&numbers), Nat::zero());
        // A length that is known to be larger is reported there.
        let _ = self.asked(&written, call.source).need(few, Purpose::Numbered(length.clone()));
    }

    /// `[A; n] -> [A; n]` or `[A; n] -> [u32; n]`, for elements whose order is that of some bits.
    pub(super) fn in_order(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(array) = self.array(call, &data) else {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        };
        self.need_numbers(call, &array.length);
        let element = self.unknowns.resolve(&array.element);
        if self.unknowns.is_mistake(&element) {
            return self.mistake(call.source);
        }
        let Type::Scalar(scalar) = element else { return self.unsortable(call, &data) };
        let Some(key) = key_of(scalar) else { return self.unsortable(call, &data) };
        let names = Environment::empty()
            .with("bits", Binding::Alias(Argument::Syntax(&key.bits, Environment::empty())))
            .with("value", Binding::Alias(Argument::Syntax(&key.value, Environment::empty())))
            .with("in_order", Binding::Alias(Argument::Syntax(&key.in_order, Environment::empty())))
            .with("order_of", Binding::Alias(Argument::Syntax(&key.order_of, Environment::empty())));
        self.derived_call_with(call, given, data, names)
    }

    /// `[number; n] -> u32`
    pub(super) fn position_of_extreme(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(array) = self.array(call, &data) else { return self.mistake(call.source) };
        if self.unknowns.is_mistake(&array.element) {
            return self.mistake(call.source);
        }
        let number = self.unknowns.fresh_scalar(ScalarClass::Number);
        if self.unify(&array.element, &number, call.row.name, data.source).is_err() {
            let are_truths = self.unknowns.resolve(&array.element) == Type::Scalar(ScalarType::Bool);
            let (name, ty) = (self.written_name(call), self.known(&data.ty));
            return self.fail(Error::new(data.source, ArrayMistake::Unordered { name, ty, are_truths }));
        }
        self.numbered(call, given, data)
    }

    /// `size -> A -> [integer; m] -> [A; m] -> [A; n]`
    pub(super) fn scatter_to(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(positions) = given.pop() else { return self.mistake(call.source) };
        let positions = self.argument_value(positions);
        if !self.are_keys(call, &positions) {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        }
        if let (Some(default), Some(array)) = (given.get_mut(1), self.array(call, &data)) {
            let value = self.argument_value(default.clone());
            *default = Argument::value(self.expect(value, &array.element, Place::Element));
        }
        given.push(Argument::value(positions));
        self.numbered(call, given, data)
    }

    fn unsortable(&mut self, call: &Call, data: &typed::Expr) -> typed::Expr {
        if self.written_name(call) == "sortBy" {
            return self.unsortable_keys(data);
        }
        let mistake = ArrayMistake::Unsortable { name: self.written_name(call), ty: self.known(&data.ty) };
        self.fail(Error::new(data.source, mistake))
    }

    /// The keys of `sortBy` are an array that its definition makes with the function of the user.
    fn unsortable_keys(&mut self, keys: &typed::Expr) -> typed::Expr {
        let source = match &keys.kind {
            ExprKind::Map(_, key, _) => key.body.source,
            _ => keys.source,
        };
        let key = keys.ty.as_array().map_or(&keys.ty, |array| &array.element);
        let is_number = self.unknowns.class(key).is_some();
        let mistake = ArrayMistake::UnsortableKeys { ty: self.known(key), is_number };
        self.fail(Error::new(source, mistake))
    }
}
