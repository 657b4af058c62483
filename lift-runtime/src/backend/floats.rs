//! How exactly a device computes with floats, as far as strict programs ask.

use crate::program::ScalarType;

/// The arithmetic of a device, for each precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Floats {
    pub(crate) half: Arithmetic,
    pub(crate) single: Arithmetic,
    pub(crate) double: Arithmetic,
}

/// What a device does with numbers of one precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arithmetic {
    /// Whether results are rounded to the nearest number, and there are infinities and NaN.
    pub(crate) rounds_to_nearest: bool,
    /// Whether subnormal numbers are computed with. Otherwise they may be taken for zero.
    pub(crate) keeps_subnormals: bool,
    /// Whether quotients and square roots can be asked to be as exact as sums.
    pub(crate) divides_exactly: bool,
}

impl Floats {
    /// The arithmetic of IEEE 754 and of Rust.
    pub(crate) const EXACT: Floats = {
        let exact = Arithmetic { rounds_to_nearest: true, keeps_subnormals: true, divides_exactly: true };
        Floats { half: exact, single: exact, double: exact }
    };

    fn of(&self, scalar: ScalarType) -> Option<Arithmetic> {
        match scalar {
            ScalarType::F16 => Some(self.half),
            ScalarType::F32 => Some(self.single),
            ScalarType::F64 => Some(self.double),
            ScalarType::Bool
            | ScalarType::I8
            | ScalarType::U8
            | ScalarType::I16
            | ScalarType::U16
            | ScalarType::I32
            | ScalarType::U32
            | ScalarType::I64
            | ScalarType::U64
            | ScalarType::Parameter(_) => None,
        }
    }

    /// Why sums and products of a type may have other bits than elsewhere, in words; `None` if they have the
    /// same.
    pub(crate) fn is_inexact(&self, scalar: ScalarType) -> Option<&'static str> {
        match self.of(scalar)? {
            Arithmetic { rounds_to_nearest: false, .. } => Some("does not round to the nearest number"),
            Arithmetic { keeps_subnormals: false, .. } => Some("may take subnormal numbers for zero"),
            Arithmetic { rounds_to_nearest: true, keeps_subnormals: true, divides_exactly: _ } => None,
        }
    }

    /// The same for quotients and square roots.
    pub(crate) fn divides_inexactly(&self, scalar: ScalarType) -> Option<&'static str> {
        (!self.of(scalar)?.divides_exactly).then_some("rounds quotients and square roots as it likes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_device_lacks_is_told_for_the_type_that_lacks_it() {
        let single = Arithmetic { keeps_subnormals: false, ..Floats::EXACT.single };
        let half = Arithmetic { divides_exactly: false, ..Floats::EXACT.half };
        let floats = Floats { half, single, ..Floats::EXACT };
        assert_eq!(floats.is_inexact(ScalarType::F32), Some("may take subnormal numbers for zero"));
        assert_eq!(
            [ScalarType::F16, ScalarType::F64, ScalarType::I32].map(|ty| floats.is_inexact(ty)),
            [None; 3]
        );
        let rounds = Some("rounds quotients and square roots as it likes");
        assert_eq!([ScalarType::F16, ScalarType::F32].map(|ty| floats.divides_inexactly(ty)), [rounds, None]);
    }
}
