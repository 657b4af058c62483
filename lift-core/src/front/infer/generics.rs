//! Element types that an item declares: `fn axpy<T: Float, …>(k: T, …)`.
//!
//! In the item that declares it, such a type is an unknown that inference must not solve, so that the item is
//! right for all types with the bound. Where the item is inlined, it is an unknown like others.

use std::collections::BTreeMap;
use std::mem;

use super::error::{Error, GenericMistake, Remedy};
use super::inference::Inference;
use super::unknowns::{Unknowns, meet};
use crate::front::syntax::{GenericType, Item, TypeExpr, TypeExprKind};
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::source::Source;
use crate::ir::types::Type;

/// The traits that bound element types, with what they offer.
pub(super) const BOUNDS: [(&str, ScalarClass); 4] = [
    ("Number", ScalarClass::Number),
    ("Float", ScalarClass::Float),
    ("Integer", ScalarClass::Integer),
    ("Element", ScalarClass::Any),
];

/// Where the types of an item are declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    /// In the item that is typed.
    Here,
    /// In an item that is inlined here.
    Elsewhere,
}

impl<'a> Inference<'a> {
    /// The types that an item declares, by their names.
    pub(super) fn declared_types(&mut self, item: &'a Item, place: Declared) -> BTreeMap<&'a str, Type> {
        let mut types = BTreeMap::new();
        for generic in &item.types {
            let name = generic.name.name.as_str();
            let class = class_of(generic);
            let class = match class {
                Ok(class) => class,
                Err((source, mistake)) => {
                    if place == Declared::Here {
                        self.report(Error::new(source, mistake));
                    }
                    // It is not reported again where the type is used.
                    types.insert(name, Unknowns::mistake());
                    continue;
                }
            };
            if place == Declared::Elsewhere {
                types.insert(name, self.unknowns.fresh_scalar(class));
                continue;
            }
            let is_used = item.parameters.iter().any(|parameter| mentions_type(&parameter.ty, name));
            if !is_used {
                let mistake = GenericMistake::Unused(name.to_owned());
                self.report(Error::new(generic.name.source, mistake));
            }
            let ty = self.unknowns.declared_scalar(name, class);
            if types.insert(name, ty).is_some() || item.generics.iter().any(|size| size.name == name) {
                let mistake = GenericMistake::Twice(name.to_owned());
                self.report(Error::new(generic.name.source, mistake));
            }
        }
        types
    }

    /// Elaborates something with the types of an item.
    pub(super) fn with_types<T>(
        &mut self,
        types: &BTreeMap<&'a str, Type>,
        elaborate: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = mem::replace(&mut self.declared_types, types.clone());
        let result = elaborate(self);
        self.declared_types = outer;
        result
    }

    /// The bound that would make a declared type one of a class.
    pub(super) fn missing_bound_for(&self, ty: &Type, class: ScalarClass) -> Option<Remedy> {
        let name = self.unknowns.declared_name(ty)?;
        let needed = meet(self.unknowns.class(ty), Some(class))??;
        // Of all types with operators on bits, numbers are integers.
        let needed = if needed == ScalarClass::Bits { ScalarClass::Integer } else { needed };
        let (bound, _) = BOUNDS.iter().find(|(_, offered)| *offered == needed)?;
        Some(Remedy::Bound { name: name.to_string(), bound })
    }

    /// What would make a number of a declared type one of a class: a bound or, where no type has both, a cast.
    pub(super) fn declared_as(&self, ty: &Type, class: ScalarClass) -> Option<Remedy> {
        self.unknowns.declared_name(ty)?;
        let target = if class == ScalarClass::Float { ScalarType::F32 } else { ScalarType::I32 };
        Some(self.missing_bound_for(ty, class).unwrap_or(Remedy::Cast(target)))
    }

    /// The bound that would make two types equal: of a declared type, beside a scalar of a class.
    pub(super) fn missing_bound(&self, left: &Type, right: &Type) -> Option<Remedy> {
        let (left, right) = (self.unknowns.outermost(left), self.unknowns.outermost(right));
        match (&left, &right) {
            (Type::Tuple(lefts), Type::Tuple(rights)) => {
                lefts.iter().zip(rights).find_map(|(left, right)| self.missing_bound(left, right))
            }
            (Type::Array(left), Type::Array(right)) => self.missing_bound(&left.element, &right.element),
            (Type::Scalar(_), Type::Scalar(_)) => {
                let of = |declared: &Type, other: &Type| {
                    let class = self.unknowns.class(other)?;
                    let is_other = self.unknowns.declared_name(other).is_none();
                    is_other.then(|| self.missing_bound_for(declared, class))?
                };
                of(&left, &right).or_else(|| of(&right, &left))
            }
            _ => None,
        }
    }
}

/// What all bounds of a type offer together.
fn class_of(generic: &GenericType) -> Result<ScalarClass, (Source, GenericMistake)> {
    let mut class: Option<ScalarClass> = None;
    for bound in &generic.bounds {
        let name = bound.name.strip_prefix("lift::").unwrap_or(&bound.name);
        let Some((_, offered)) = BOUNDS.iter().find(|(known, _)| *known == name) else {
            let mistake = GenericMistake::UnknownBound(bound.name.clone());
            return Err((bound.source, mistake));
        };
        class = meet(class, Some(*offered))
            .ok_or_else(|| (bound.source, GenericMistake::NoSuchType(generic.name.name.clone())))?;
    }
    let unbounded = || (generic.name.source, GenericMistake::Unbounded(generic.name.name.clone()));
    class.ok_or_else(unbounded)
}

/// Whether a type mentions another one by its name.
fn mentions_type(ty: &TypeExpr, name: &str) -> bool {
    match &ty.kind {
        TypeExprKind::Name(found) => found == name,
        TypeExprKind::Tuple(components) => components.iter().any(|component| mentions_type(component, name)),
        TypeExprKind::Array { element, .. } => mentions_type(element, name),
        TypeExprKind::Error => true,
    }
}
