//! Type annotations: the types that the user writes.

use super::environment::{Binding, Environment};
use super::error::{Error, NameMistake};
use super::inference::Inference;
use super::unknowns::Unknowns;
use crate::front::syntax::{SIZE_NAMES, TypeExpr, TypeExprKind};
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;
use crate::ir::types::{Type, VECTOR_WIDTHS};

impl<'a> Inference<'a> {
    /// The type that is written here.
    pub(super) fn written_type(&mut self, written: &'a TypeExpr, names: &Environment<'a>) -> Type {
        match &written.kind {
            TypeExprKind::Name(name) => self.named_type(name, written),
            TypeExprKind::Tuple(components) => {
                Type::Tuple(components.iter().map(|component| self.written_type(component, names)).collect())
            }
            TypeExprKind::Array { index: Some(index), element, length } => {
                let position = self.unknowns.vars.fresh(&index.name);
                let inside = names.with(&index.name, Binding::Size(Nat::variable(&position)));
                match self.written_length(length, names) {
                    Some(length) => {
                        let written =
                            self.under_index(&position, &length, |this| this.written_type(element, &inside));
                        Type::array_at(&position, written, length)
                    }
                    None => Unknowns::mistake(),
                }
            }
            TypeExprKind::Array { index: None, element, length } => {
                let element = self.written_type(element, names);
                // The length stays as written, because a launch finds the sizes by the types of the
                // parameters.
                match self.written_length(length, names) {
                    Some(length) => Type::array(element, length),
                    None => Unknowns::mistake(),
                }
            }
            TypeExprKind::Error => {
                self.poisoned = true;
                Unknowns::mistake()
            }
        }
    }

    fn named_type(&mut self, name: &str, written: &TypeExpr) -> Type {
        if let Some(declared) = self.declared_types.get(name) {
            return declared.clone();
        }
        if let Some(scalar) = ScalarType::from_name(name) {
            return Type::Scalar(scalar);
        }
        let widths = VECTOR_WIDTHS.iter();
        if let Some(lane) = vector_of(name)
            && let Some(width) = widths.copied().find(|width| name == format!("{lane}x{width}"))
        {
            return Type::Vector(lane, width);
        }
        let owned = name.to_owned();
        let mistake = if SIZE_NAMES.contains(&name) {
            NameMistake::SizeType(owned)
        } else if let Some(lane) = vector_of(name) {
            NameMistake::UnknownVector { name: owned, lane }
        } else {
            NameMistake::UnknownType(owned)
        };
        self.report(Error::new(written.source, mistake));
        Unknowns::mistake()
    }
}

/// Whether this is `size` or `usize`.
pub(super) fn is_size_name(written: &TypeExpr) -> bool {
    matches!(&written.kind, TypeExprKind::Name(name) if SIZE_NAMES.contains(&name.as_str()))
}

/// The type of the components in the name of a vector type such as `f32x4`, even if there is no vector of
/// that width.
pub(super) fn vector_of(name: &str) -> Option<ScalarType> {
    let (lane, width) = name.rsplit_once('x')?;
    width.parse::<u32>().ok()?;
    ScalarType::from_name(lane)
}
