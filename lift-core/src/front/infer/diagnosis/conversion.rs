//! What would make a value have the type that is wanted: casts, layouts, borders.

use crate::front::infer::error::Remedy;
use crate::front::infer::inference::Inference;
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarType;
use crate::ir::typed::{self, ExprKind, Layout};
use crate::ir::types::Type;

impl Inference<'_> {
    /// What would make a value have another type.
    pub(in crate::front::infer) fn conversion_of(
        &self,
        value: &typed::Expr,
        wanted: &Type,
    ) -> Option<Remedy> {
        let bound = self.missing_bound(&value.ty, wanted);
        bound
            .or_else(|| self.earlier_conversion(value, wanted))
            .or_else(|| self.conversion(&value.ty, wanted))
    }

    /// A cast of the elements, if they are combined to one number: a cast of the number would come too late.
    fn earlier_conversion(&self, value: &typed::Expr, wanted: &Type) -> Option<Remedy> {
        let (given, wanted) = (self.unknowns.resolve(&value.ty), self.unknowns.resolve(wanted));
        let (Type::Scalar(from), Type::Scalar(to)) = (given.innermost(), wanted.innermost()) else {
            return None;
        };
        let are_numbers = |scalar: &ScalarType| scalar.is_integer() || scalar.is_float();
        let is_cast = from != to && given.rank() == wanted.rank() && are_numbers(from) && are_numbers(to);
        (is_cast && self.combines(value, *from)).then_some(Remedy::CastElements(*to))
    }

    /// Whether elements are combined to numbers of a type.
    fn combines(&self, expr: &typed::Expr, scalar: ScalarType) -> bool {
        let is_accumulated = matches!(expr.kind, ExprKind::Reduce(..) | ExprKind::Scan(..))
            && *self.unknowns.resolve(&expr.ty).innermost() == Type::Scalar(scalar);
        is_accumulated || expr.children().any(|child| self.combines(child, scalar))
    }

    /// A border, if the windows of an array are fewer than its elements and a border would give as many.
    pub(in crate::front::infer) fn missing_border(
        &self,
        value: &typed::Expr,
        wanted: &Type,
    ) -> Option<Remedy> {
        let (given, wanted) =
            (self.unknowns.resolve(&value.ty).shape(), self.unknowns.resolve(wanted).shape());
        let missing: Vec<i128> = given
            .iter()
            .zip(&wanted)
            .map(|(given, wanted)| self.facts.simplify(&(wanted - given)).as_constant())
            .collect::<Option<_>>()?;
        let first = *missing.first()?;
        let dimensions = missing.iter().take_while(|length| **length == first).count();
        let is_outermost = missing.iter().skip(dimensions).all(|length| *length == 0);
        if !is_outermost || dimensions > 3 || given.len() != wanted.len() {
            return None;
        }
        // `slide2` slides once in each dimension.
        let lost = self.lost_to_windows(value)?;
        if first <= 0 || i128::try_from(dimensions).ok()?.checked_mul(first) != Some(lost) {
            return None;
        }
        Some(Remedy::Pad { dimensions, left: first / 2, right: first - first / 2 })
    }

    /// How many fewer windows than elements there are, summed over all `slide(size, 1)` of an expression.
    /// `None` where that is no number.
    fn lost_to_windows(&self, expr: &typed::Expr) -> Option<i128> {
        let own = match &expr.kind {
            ExprKind::Layout(Layout::Slide { size, step }, _) => {
                let (size, step) =
                    (self.simplified(size).as_constant()?, self.simplified(step).as_constant()?);
                if step == 1 { size - 1 } else { return None }
            }
            _ => 0,
        };
        expr.children().try_fold(own, |lost, child| lost.checked_add(self.lost_to_windows(child)?))
    }

    /// What would convert one type to the other.
    fn conversion(&self, given: &Type, wanted: &Type) -> Option<Remedy> {
        let (given, wanted) = (self.unknowns.resolve(given), self.unknowns.resolve(wanted));
        let (from, to) = (given.shape(), wanted.shape());
        let same = |left: &Nat, right: &Nat| self.facts.is_equal(left, right) == Some(true);
        if !from.is_empty() && to.is_empty() {
            return matches!(given.innermost(), Type::Scalar(_)).then_some(Remedy::Map);
        }
        if given.innermost() != wanted.innermost() {
            return match (given.innermost(), wanted.innermost()) {
                (Type::Vector(given, _), Type::Scalar(wanted))
                    if given == wanted && from.len() == to.len() =>
                {
                    (!from.is_empty()).then_some(Remedy::AsScalar)
                }
                (Type::Scalar(given), Type::Vector(wanted, width))
                    if given == wanted && from.len() == to.len() =>
                {
                    Some(Remedy::AsVector(*width))
                }
                (_, Type::Scalar(ScalarType::Bool)) if from.len() == to.len() => Some(Remedy::Comparison),
                (Type::Scalar(ScalarType::Bool), _) if from.len() == to.len() => Some(Remedy::Choice),
                (Type::Scalar(_), Type::Scalar(target))
                    if from.len() == to.len() && !matches!(target, ScalarType::Parameter(_)) =>
                {
                    Some(Remedy::Cast(*target))
                }
                _ => None,
            };
        }
        match (from.as_slice(), to.as_slice()) {
            ([rows, columns], [height, width]) if same(rows, width) && same(columns, height) => {
                Some(Remedy::Transpose)
            }
            ([rows, columns], [length]) if same(&(rows * columns), length) => Some(Remedy::Join),
            ([length], [rows, columns]) if same(&(rows * columns), length) => {
                Some(Remedy::Split(columns.clone()))
            }
            _ => None,
        }
    }
}
