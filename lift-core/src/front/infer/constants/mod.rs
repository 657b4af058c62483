//! Constants among items: `const RADIUS: usize = 2;`.
//!
//! A constant is computed here, from literals and other constants in any order, and with the types and the
//! rules of every other expression. A `usize` is a size; every other constant is a scalar. Items see a number
//! in its place, so that no later stage knows of constants. Unlike in a kernel, an integer must not overflow:
//! Rust would not compile the constant either.

use std::sync::Arc;

use super::annotation::is_size_name;
use super::dependencies::{Order, dependencies_first};
use super::environment::{Binding, Environment};
use super::error::{ConstantMistake, Error, Place};
use super::free_names::free_names;
use super::inference::Inference;
use super::item_table::ItemTable;
use crate::front::syntax::{self, Items};
use crate::ir::nat::{Nat, Vars};
use crate::ir::source::Source;
use crate::ir::typed::{self, Function, Laws};
use crate::ir::types::Type;

mod bits;
mod evaluate;
mod literal;
mod shadowing;

pub(super) use bits::{bits_of_sizes, is_count};
pub use evaluate::Value;
pub(super) use shadowing::shadowed_constants;

/// A constant that is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// Its type: a scalar, or [`Type::Size`].
    pub ty: Type,
    /// Its value, which its type holds.
    pub value: Value,
}

/// The constants among items.
pub(super) struct Constants<'a> {
    /// Their values, in the order of the text; `None` where one has a mistake.
    pub(super) values: Vec<Option<Constant>>,
    /// Their names. One with a mistake is there too, because a use of it is right.
    pub(super) names: Environment<'a>,
    /// The mistakes.
    pub(super) errors: Vec<Error>,
    /// The first id that no constant has.
    pub(super) next_id: u32,
}

/// Computes the constants among items.
pub(super) fn evaluate(items: &Items) -> Constants<'_> {
    let mut constants = Constants {
        values: vec![None; items.constants.len()],
        names: Environment::empty(),
        errors: Vec::new(),
        next_id: 0,
    };
    let Order { order, cycles } = dependencies_first(&uses(items));
    for (source, cycle) in &cycles {
        let names = cycle.iter().filter_map(|position| items.constants.get(*position));
        let names = names.map(|constant| constant.name.name.clone()).collect();
        constants.errors.push(Error::new(*source, ConstantMistake::Itself(names)));
    }
    let called = calls(items);
    for position in order {
        let Some(constant) = items.constants.get(position) else { continue };
        let is_wrong = cycles.iter().any(|(_, cycle)| cycle.contains(&position))
            || called.iter().any(|(caller, _)| *caller == position);
        let (value, binding) = constants.typed(constant, !is_wrong);
        constants.names = constants.names.with(&constant.name.name, binding);
        if let Some(place) = constants.values.get_mut(position) {
            *place = value;
        }
    }
    constants.errors.extend(called.into_iter().map(|(_, error)| error));
    constants
}

/// The constants that each constant is computed from.
fn uses(items: &Items) -> Vec<Vec<(usize, Source)>> {
    let constant = |name: &str| items.constants.iter().position(|constant| constant.name.name == name);
    let used = items.constants.iter().map(|user| free_names(&user.value, &[]));
    used.map(|names| names.into_iter().filter_map(|(name, source)| Some((constant(name)?, source))).collect())
        .collect()
}

/// The constants that call functions among the items, which are not computed yet.
fn calls(items: &Items) -> Vec<(usize, Error)> {
    let mut calls = Vec::new();
    for (position, constant) in items.constants.iter().enumerate() {
        for (name, source) in free_names(&constant.value, &[]) {
            if items.functions.iter().any(|function| function.name.name == name) {
                let mistake = ConstantMistake::Calls { function: name.to_owned() };
                calls.push((position, Error::new(source, mistake)));
            }
        }
    }
    calls
}

impl Constants<'_> {
    /// The value of a constant, and what its name means.
    fn typed(&mut self, constant: &syntax::Constant, is_sound: bool) -> (Option<Constant>, Binding<'static>) {
        let table = ItemTable { constants: self.names.clone(), ..ItemTable::default() };
        let mut inference = Inference::new(&table, None, Vars::default(), self.next_id);
        let computed = if is_sound { inference.constant(constant) } else { None };
        let binding = match &computed {
            Some(Constant { ty: Type::Size, value: Value::Integer(size) }) => {
                Binding::Size(Nat::constant(*size))
            }
            Some(Constant { ty, value }) => {
                Binding::Constant(inference.literal_of(*value, ty, constant.name.source))
            }
            None => Binding::Constant(inference.mistake(constant.name.source)),
        };
        self.next_id = inference.next_id;
        self.errors.extend(inference.errors);
        (computed, binding)
    }
}

impl<'a> Inference<'a> {
    /// A constant; `None` after a mistake.
    fn constant(&mut self, constant: &'a syntax::Constant) -> Option<Constant> {
        let names = self.items.constants.clone();
        if is_size_name(&constant.ty) {
            return self.size_constant(constant, &names);
        }
        let ty = self.written_type(&constant.ty, &names);
        if self.unknowns.is_mistake(&ty) {
            return None;
        }
        if !matches!(ty, Type::Scalar(_)) {
            let (name, ty) = (constant.name.name.clone(), self.known(&ty));
            self.report(Error::new(constant.ty.source, ConstantMistake::NoScalar { name, ty }));
            return None;
        }
        let value = self.in_frame(|this| this.value(&constant.value, &names));
        let value = self.expect(value, &ty, Place::Constant(constant.name.name.clone()));
        if self.unknowns.is_mistake(&value.ty) || self.poisoned || !self.errors.is_empty() {
            return None;
        }
        let value = self.finished(value);
        if !self.errors.is_empty() {
            return None;
        }
        match evaluate::evaluate(&value) {
            Ok(value) => Some(Constant { ty, value }),
            Err((source, mistake)) => {
                self.report(Error::new(source, mistake));
                None
            }
        }
    }

    fn size_constant(&mut self, constant: &'a syntax::Constant, names: &Environment<'a>) -> Option<Constant> {
        let size = self.size(&constant.value, names)?;
        let size = self.simplified(&size);
        if !self.errors.is_empty() {
            return None;
        }
        let mistake = match size.as_constant() {
            Some(number) if number >= 0 => {
                return Some(Constant { ty: Type::Size, value: Value::Integer(number) });
            }
            Some(number) => ConstantMistake::Negative { name: constant.name.name.clone(), number },
            None => ConstantMistake::Form,
        };
        self.report(Error::new(constant.value.source, mistake));
        None
    }

    /// A value with all types decided, and its literals compared with them.
    fn finished(&mut self, value: typed::Expr) -> typed::Expr {
        let body = Arc::new(value);
        let function = Function { name: String::new(), parameters: Vec::new(), body, laws: Laws::default() };
        Arc::unwrap_or_clone(self.finish_function(function).body)
    }
}
