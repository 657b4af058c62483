//! How inference answers the typing rules (`typed::result`): it solves equations for unknowns, and demands
//! what they need in the name of a call.

use std::sync::Arc;

use super::inference::Inference;
use super::need::{Need, Reason};
use super::unknowns::{self, ArrayView};
use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::source::Source;
use crate::ir::typed::Requirement;
use crate::ir::typed::result::{self, Arguments, Judge, Mismatch, Purpose};
use crate::ir::types::{ArrayType, Type};

/// Inference, asked about a call. What never holds is reported at once, as [`Mismatch::Refuted`] says.
pub(super) struct Asked<'i, 'a> {
    inference: &'i mut Inference<'a>,
    /// The call, as messages write it.
    call: &'i str,
    /// Where messages point.
    source: Source,
}

impl<'a> Inference<'a> {
    /// The judge of a call, for the typing rules.
    pub(super) fn asked<'i>(&'i mut self, call: &'i str, source: Source) -> Asked<'i, 'a> {
        Asked { inference: self, call, source }
    }
}

impl Judge for Asked<'_, '_> {
    fn position(&mut self, name: &str) -> Var {
        self.inference.unknowns.vars.fresh(name)
    }

    fn simplified(&self, size: &Nat) -> Nat {
        self.inference.simplified(size)
    }

    fn ranges(&self) -> &Ranges {
        &self.inference.facts
    }

    fn resolved(&self, ty: &Type) -> Type {
        self.inference.unknowns.resolve(ty)
    }

    fn array(&mut self, ty: &Type) -> Result<Arc<ArrayType>, Mismatch> {
        match self.inference.as_array(ty) {
            ArrayView::Array(array) => Ok(array),
            ArrayView::Mistake | ArrayView::Other => Err(Mismatch::NoArray(ty.clone())),
        }
    }

    fn need(&mut self, requirement: Requirement, purpose: Purpose) -> Result<(), Mismatch> {
        let (reason, call) = (Reason::Primitive(purpose.clone()), self.call.to_owned());
        let need = Need { requirement: requirement.clone(), reason, call, source: self.source };
        let refuted = || Mismatch::Refuted(result::Need { requirement, purpose });
        self.inference.need(need).ok_or_else(refuted)
    }

    fn equal_sizes(&mut self, left: &Nat, right: &Nat, purpose: Purpose) -> Result<(), Mismatch> {
        let Err(mismatch) = self.inference.unify_sizes(left, right, self.call, self.source) else {
            return Ok(());
        };
        let (left, right) = match mismatch {
            unknowns::Mismatch::Size(left, right) => (left, right),
            unknowns::Mismatch::Shape => (left.clone(), right.clone()),
        };
        match purpose {
            Purpose::SameSize => Err(Mismatch::Sizes(left, right)),
            _ => self.need(Requirement::Equal(left, right), purpose),
        }
    }

    fn equal_types(&mut self, wanted: &Type, found: &Type) -> Result<(), Mismatch> {
        let unified = self.inference.unify(wanted, found, self.call, self.source);
        unified.map_err(|mismatch| Mismatch::Types {
            wanted: wanted.clone(),
            found: found.clone(),
            sizes: match mismatch {
                unknowns::Mismatch::Size(left, right) => Some((left, right)),
                unknowns::Mismatch::Shape => None,
            },
        })
    }

    fn are_equal(&self, left: &Type, right: &Type, ranges: &Ranges) -> bool {
        self.inference.unknowns.clone().unify(left, right, &mut ranges.clone()).is_ok()
    }

    fn arguments(&self) -> Arguments {
        match self.inference.unreached {
            0 => Arguments::Natural,
            _ => Arguments::Unreached,
        }
    }
}
