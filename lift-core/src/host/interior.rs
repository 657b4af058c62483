//! The positions of a loop for which borders do not matter.
//!
//! Between a few positions at the front and a few at the back, the comparisons in indices come out as in the
//! middle ([`crate::ir::nat::interior`]), and the indices are plain sums. A threshold is kept only where the
//! number of positions that it excludes has a constant bound. Otherwise the comparisons that it would decide
//! stay.

use crate::ir::kernel::Statement;
use crate::ir::kernel::comparisons::{ask_for_comparisons, declare_inside};
use crate::ir::nat::interior::{self, Threshold};
use crate::ir::nat::{Nat, Ranges, Var};

/// The positions for which every comparison is decided that can be.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Interior {
    /// The interior begins at the largest of these.
    pub first: Vec<Nat>,
    /// The interior ends before the smallest of these.
    pub end: Vec<Nat>,
}

impl Interior {
    /// Whether the interior may exclude positions.
    pub(super) fn has_borders(&self) -> bool {
        !self.first.is_empty() || !self.end.is_empty()
    }

    /// What is known about an index inside, added to what is known in the loop.
    pub(crate) fn within(&self, index: &Var, ranges: &Ranges) -> Ranges {
        let mut inside = ranges.clone();
        self.first.iter().for_each(|first| inside = inside.with_declared(index, first.clone(), None));
        self.end.iter().for_each(|end| inside = inside.in_steps(index, Some(end)));
        inside
    }
}

/// The interior of a loop over `0..extent` with this body; `ranges` do not know the index yet.
pub(super) fn interior(body: &[Statement], index: &Var, extent: &Nat, ranges: &Ranges) -> Interior {
    let (mut inside, mut inner) = (ranges.in_steps(index, Some(extent)), Vec::new());
    declare_inside(body, &mut inside, &mut inner);
    let mut asked = interior::Interior::new(std::slice::from_ref(index), &inner, &inside);
    ask_for_comparisons(body, &mut asked);
    let mut interior = Interior::default();
    let is_known = |lost: &Nat| ranges.upper_bound(lost).is_some_and(|lost| lost.as_constant().is_some());
    for threshold in asked.thresholds(index).into_iter().flatten() {
        match threshold {
            Threshold::First(first) if is_known(&first) => interior.first.push(ranges.simplify(&first)),
            Threshold::End(end) if is_known(&(extent - &end)) => interior.end.push(ranges.simplify(&end)),
            Threshold::First(_) | Threshold::End(_) => {}
        }
    }
    interior
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::{BufferId, Expression, ValueType};
    use crate::ir::nat::Condition;
    use crate::ir::scalar::ScalarType;

    /// The interior of a loop over `0..N` that loads from this place.
    fn of(place: impl Fn(&Nat, &Nat) -> Nat) -> Interior {
        let (i, n) = (Var::new(1, "i"), Var::new(2, "N"));
        let mut ranges = Ranges::new();
        ranges.declare(&n, Nat::constant(8), None);
        let place = place(&Nat::variable(&i), &Nat::variable(&n));
        let load = Expression::Load(BufferId(0), place, ValueType::from(ScalarType::F32));
        let body = [Statement::Store(BufferId(1), Nat::variable(&i), load)];
        interior(&body, &i, &Nat::variable(&n), &ranges)
    }

    fn bounds(interior: &Interior) -> (Vec<String>, Vec<String>) {
        let texts = |bounds: &[Nat]| bounds.iter().map(Nat::to_string).collect();
        (texts(&interior.first), texts(&interior.end))
    }

    #[test]
    fn clamped_and_wrapped_neighbours_leave_out_as_few_positions_as_possible() {
        let one = Nat::one();
        let clamped = of(|i, n| Nat::min(&Nat::max(&(i - &one), &Nat::zero()), &(n - &one)));
        assert_eq!(bounds(&clamped).0, ["1"]);
        let right = of(|i, n| Nat::min(&(i + &one), &(n - &one)));
        assert_eq!(bounds(&right), (vec![], vec!["N - 1".to_string()]));
        let wrapped = of(|i, n| (i + &one).modulo(n));
        assert_eq!(bounds(&wrapped), (vec![], vec!["N - 1".to_string()]));
    }

    #[test]
    fn mirrored_neighbours_leave_out_as_few_positions_as_clamped_ones() {
        let mirrored = of(|i, n| {
            let twice = Nat::constant(2) * n;
            let period = (i - Nat::constant(3)).modulo(&twice);
            Nat::min(&period, &(twice - Nat::one() - &period))
        });
        assert_eq!(bounds(&mirrored), (vec!["3".to_string()], vec![]));
    }

    #[test]
    fn halves_are_no_borders() {
        let halves = of(|i, n| {
            let half = n.divide(&Nat::constant(2));
            Nat::select(&Condition::Less(i.clone(), half.clone()), i, &(i + half))
        });
        assert_eq!(halves, Interior::default());
    }

    #[test]
    fn what_is_plain_has_no_border() {
        assert_eq!(of(|i, n| i * n), Interior::default());
    }
}
