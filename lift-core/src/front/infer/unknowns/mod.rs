//! Unknown types and sizes: what is not known yet, and how two types are made equal.
//!
//! An unknown type is a [`Type::Scalar`] of a [`ScalarType::Parameter`] whose index names an entry of this
//! table; the type parameters of the finished program are numbered anew at the end. An unknown size is a
//! variable of the algebra. Entry 0 is the type of an expression with a reported mistake: it equals every
//! type, so that one mistake gives one message.
//!
//! - Here: the table, and types as far as they are known;
//! - `unify`: types made equal;
//! - `sizes`: sizes made equal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ir::nat::{Nat, Ranges, Substitution, Var, Vars};
use crate::ir::scalar::{ScalarClass, ScalarType, TypeParameter};
use crate::ir::typed::Requirement;
use crate::ir::types::{ArrayType, Type};

mod sizes;
mod unify;

pub(super) use sizes::length_name;
pub(super) use unify::meet;

/// Which part of a parameter an unknown belongs to: the elements below `depth` dimensions of `parameter`.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    /// The parameter's name.
    pub(super) parameter: Arc<str>,
    /// The number of dimensions around it.
    pub(super) depth: usize,
}

#[derive(Debug, Clone)]
enum Entry {
    Mistake,
    Open { class: Option<ScalarClass>, origin: Option<Origin> },
    Solved(Type),
}

/// Why two types cannot be equal.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mismatch {
    /// Their shapes differ: an array and a scalar, `f32` and `i32`.
    Shape,
    /// These two sizes differ.
    Size(Nat, Nat),
}

/// What is known of the unknowns.
#[derive(Clone)]
pub(super) struct Unknowns {
    types: Vec<Entry>,
    /// The names of the types that an item declares: `T`. Nothing may be learnt about them.
    declared: BTreeMap<usize, Arc<str>>,
    /// Solved sizes; no solution mentions a solved size.
    sizes: Substitution,
    /// Open sizes, and whether each has a name that the user understands.
    open: BTreeMap<Var, bool>,
    /// Sizes that a Rust variable holds: equations on them are checked at the launch.
    pub(super) passed: Vec<Var>,
    /// What must hold so that the equations solved so far are right.
    pub(super) deferred: Vec<Requirement>,
    /// The source of fresh sizes.
    pub(super) vars: Vars,
    /// The positions of the arrays whose elements are being made equal.
    bound: Vec<Var>,
    /// The variables that are positions, not sizes of the program.
    pub(super) positions: BTreeSet<Var>,
}

/// A type seen as an array.
pub(super) enum ArrayView {
    /// An array.
    Array(Arc<ArrayType>),
    /// An expression with a reported mistake.
    Mistake,
    /// Anything else.
    Other,
}

impl Unknowns {
    pub(super) fn new(vars: Vars) -> Unknowns {
        Unknowns {
            types: vec![Entry::Mistake],
            declared: BTreeMap::new(),
            sizes: Substitution::new(),
            open: BTreeMap::new(),
            passed: Vec::new(),
            deferred: Vec::new(),
            vars,
            bound: Vec::new(),
            positions: BTreeSet::new(),
        }
    }

    /// The type of an expression with a reported mistake.
    pub(super) fn mistake() -> Type {
        unknown(0)
    }

    /// A type about which nothing is known.
    pub(super) fn fresh(&mut self) -> Type {
        self.push(Entry::Open { class: None, origin: None })
    }

    /// The type of a part of a parameter.
    pub(super) fn fresh_of(&mut self, origin: Origin) -> Type {
        self.push(Entry::Open { class: None, origin: Some(origin) })
    }

    /// A scalar type of a class.
    pub(super) fn fresh_scalar(&mut self, class: ScalarClass) -> Type {
        self.push(Entry::Open { class: Some(class), origin: None })
    }

    /// A scalar type that an item declares, of which nothing is known but its class.
    pub(super) fn declared_scalar(&mut self, name: &str, class: ScalarClass) -> Type {
        self.declared.insert(self.types.len(), Arc::from(name));
        self.fresh_scalar(class)
    }

    /// The name of a declared type.
    pub(super) fn declared_name(&self, ty: &Type) -> Option<&Arc<str>> {
        self.declared.get(&self.index(ty)?)
    }

    /// The names of the declared types, by their positions in the table.
    pub(super) fn declared_names(&self) -> Vec<(usize, Arc<str>)> {
        self.declared.iter().map(|(index, name)| (*index, name.clone())).collect()
    }

    fn push(&mut self, entry: Entry) -> Type {
        self.types.push(entry);
        unknown(self.types.len() - 1)
    }

    /// Whether a mistake was reported for what has this type.
    pub(super) fn is_mistake(&self, ty: &Type) -> bool {
        match self.outermost(ty) {
            Type::Scalar(ScalarType::Parameter(parameter)) => parameter.index == 0,
            Type::Tuple(components) => components.iter().any(|component| self.is_mistake(component)),
            Type::Array(array) => self.is_mistake(&array.element),
            Type::Vector(lane, _) => self.is_mistake(&Type::Scalar(lane)),
            Type::Scalar(_) | Type::Size => false,
        }
    }

    /// The class of an unknown type; `None` when the type is known, or may also be no scalar.
    pub(super) fn class(&self, ty: &Type) -> Option<ScalarClass> {
        match self.open_entry(ty) {
            Some((_, Entry::Open { class, .. })) => *class,
            _ => None,
        }
    }

    /// Whether nothing at all is known about this type.
    pub(super) fn is_open(&self, ty: &Type) -> bool {
        matches!(self.open_entry(ty), Some((_, Entry::Open { class: None, .. })))
    }

    /// The unknown at a position of the table.
    pub(super) fn at_index(index: usize) -> Type {
        unknown(index)
    }

    /// The position of an unsolved type in the table.
    pub(super) fn index(&self, ty: &Type) -> Option<usize> {
        self.open_entry(ty).map(|(index, _)| index)
    }

    fn open_entry(&self, ty: &Type) -> Option<(usize, &Entry)> {
        let Type::Scalar(ScalarType::Parameter(parameter)) = self.outermost(ty) else { return None };
        let entry = self.types.get(parameter.index)?;
        matches!(entry, Entry::Open { .. }).then_some((parameter.index, entry))
    }

    /// The type with its outermost constructor resolved, if that is known.
    pub(super) fn outermost(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Scalar(ScalarType::Parameter(parameter)) = ty {
            match self.types.get(parameter.index) {
                Some(Entry::Solved(solution)) => ty = solution,
                Some(Entry::Mistake | Entry::Open { .. }) | None => break,
            }
        }
        match ty {
            Type::Vector(lane @ ScalarType::Parameter(_), width) => {
                match self.outermost(&Type::Scalar(*lane)) {
                    Type::Scalar(lane) => Type::Vector(lane, *width),
                    Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => ty.clone(),
                }
            }
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => ty.clone(),
        }
    }

    /// The type with all solutions substituted.
    pub(super) fn resolve(&self, ty: &Type) -> Type {
        match self.outermost(ty) {
            known @ (Type::Scalar(_) | Type::Vector(..) | Type::Size) => known,
            Type::Tuple(components) => {
                Type::Tuple(components.iter().map(|component| self.resolve(component)).collect())
            }
            Type::Array(array) => {
                let (element, length) = (self.resolve(&array.element), self.resolve_size(&array.length));
                match &array.index {
                    None => Type::array(element, length),
                    Some(index) => Type::array_at(index, element, length),
                }
            }
        }
    }

    /// The type as an array. An unknown type becomes one with a length of its own, which is `len(a)` if it
    /// belongs to the parameter `a`.
    pub(super) fn as_array(&mut self, ty: &Type, facts: &mut Ranges) -> ArrayView {
        match self.outermost(ty) {
            Type::Array(array) => ArrayView::Array(array),
            Type::Scalar(ScalarType::Parameter(parameter)) => match self.types.get(parameter.index) {
                Some(Entry::Open { class: None, origin }) => {
                    let (element, length) = self.expand(origin.clone(), facts);
                    let array = Arc::new(ArrayType { index: None, element, length });
                    self.set(parameter.index, Entry::Solved(Type::Array(array.clone())));
                    ArrayView::Array(array)
                }
                Some(Entry::Mistake) => ArrayView::Mistake,
                Some(Entry::Open { class: Some(_), .. } | Entry::Solved(_)) | None => ArrayView::Other,
            },
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => ArrayView::Other,
        }
    }

    fn expand(&mut self, origin: Option<Origin>, facts: &mut Ranges) -> (Type, Nat) {
        match origin {
            None => (self.fresh(), self.fresh_size(facts)),
            Some(Origin { parameter, depth }) => {
                let name = length_name(&parameter, depth);
                let length = self.declare_size(&name, true, facts);
                (self.fresh_of(Origin { parameter, depth: depth + 1 }), length)
            }
        }
    }

    fn set(&mut self, index: usize, entry: Entry) {
        if let Some(place) = self.types.get_mut(index) {
            *place = entry;
        }
    }
}

fn unknown(index: usize) -> Type {
    Type::Scalar(ScalarType::Parameter(TypeParameter { index, class: ScalarClass::Any }))
}

fn unknown_index(ty: &Type) -> Option<usize> {
    match ty {
        Type::Scalar(ScalarType::Parameter(parameter)) => Some(parameter.index),
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => None,
    }
}

#[cfg(test)]
mod tests;
