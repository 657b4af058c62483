//! Types that are complete, judged: an equation is proved, refuted, or collected as a need.

use std::sync::Arc;

use super::judge::{Arguments, Judge, Mismatch, Need, Purpose};
use crate::ir::nat::{Condition, Nat, Ranges, Var};
use crate::ir::source::Source;
use crate::ir::typed::Requirement;
use crate::ir::types::{ArrayType, Type};

/// Judges complete types. What is neither proved nor refuted is a need, and assumed from then on: whoever
/// uses the types checks it first.
pub struct Prover {
    ranges: Ranges,
    needs: Vec<Demand>,
    source: Source,
    next_id: u32,
}

/// A need, with the source of the expression that has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// The need.
    pub need: Need,
    /// The source.
    pub source: Source,
}

/// What is restored when an assumption ends.
pub struct Outside {
    ranges: Ranges,
    needs: usize,
}

impl Prover {
    /// A prover that knows these ranges. New variables are numbered from `next_id` on.
    pub fn new(ranges: Ranges, next_id: u32) -> Prover {
        Prover { ranges, needs: Vec::new(), source: Source::UNKNOWN, next_id }
    }

    /// What was needed and could not be proved.
    pub fn needs(&self) -> &[Demand] {
        &self.needs
    }

    /// What follows is about an expression that stands there.
    pub fn judge_at(&mut self, source: Source) {
        self.source = source;
    }

    /// A number that no node and no variable has.
    pub fn fresh(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Lets `give` give out numbers, from the one that it is handed, which it leaves at one past the largest.
    pub fn numbered<T>(&mut self, give: impl FnOnce(&mut u32) -> T) -> T {
        give(&mut self.next_id)
    }

    /// One past the largest number given out.
    pub fn next_id(&self) -> u32 {
        self.next_id
    }

    /// Begins an assumption: `index` is a position in `0..count`.
    pub fn enter_index(&mut self, index: &Var, count: &Nat) -> Outside {
        let outside = self.outside();
        self.ranges = self.ranges.with_position(index, &Nat::zero(), count);
        outside
    }

    /// Ends it. What was needed meanwhile is needed for every position.
    pub fn leave_index(&mut self, outside: Outside, index: &Var, count: &Nat) -> Result<(), Mismatch> {
        for Demand { need, source } in self.restore(outside) {
            self.source = source;
            let requirement = self.everywhere(need.requirement, index, count);
            self.need(requirement, need.purpose)?;
        }
        Ok(())
    }

    /// Ends it where `index` numbers the applications of a function: what was needed meanwhile is needed only
    /// if there is an application.
    pub fn leave_applications(&mut self, outside: Outside, index: &Var, count: &Nat) -> Result<(), Mismatch> {
        let applied = Condition::LessOrEqual(Nat::one(), count.clone());
        for Demand { need, source } in self.restore(outside) {
            self.source = source;
            let is_applied = need.requirement.mentions(index) || self.ranges.decide(&applied) == Some(true);
            let requirement = match is_applied {
                true => self.everywhere(need.requirement, index, count),
                false => where_holds(&applied, need.requirement),
            };
            self.need(requirement, need.purpose)?;
        }
        Ok(())
    }

    /// A requirement, for every position below `count`.
    fn everywhere(&self, requirement: Requirement, index: &Var, count: &Nat) -> Requirement {
        if !requirement.mentions(index) {
            return requirement;
        }
        let divisions = requirement.every_division(index, count);
        divisions.unwrap_or_else(|| requirement.for_every(index, &Nat::zero(), count, &self.ranges))
    }

    /// Begins to judge what is perhaps not there: what it needs is given back.
    pub fn enter(&self) -> Outside {
        self.outside()
    }

    /// Ends it, and returns what was needed meanwhile, which is no longer needed.
    pub fn leave(&mut self, outside: Outside) -> Vec<Demand> {
        self.restore(outside)
    }

    /// Begins an assumption: a condition holds.
    pub fn enter_condition(&mut self, condition: &Condition) -> Outside {
        let outside = self.outside();
        self.ranges.assume(condition);
        outside
    }

    /// Ends it. What was needed meanwhile is needed where the condition holds.
    pub fn leave_condition(&mut self, outside: Outside, condition: &Condition) -> Result<(), Mismatch> {
        for Demand { need, source } in self.restore(outside) {
            self.source = source;
            let requirement = where_holds(condition, need.requirement);
            self.need(requirement, need.purpose)?;
        }
        Ok(())
    }

    /// Judges what is computed for the elements of an array. Where the length follows from other sizes, an
    /// element says something about these. Most often that is not needed, and every assumption costs the
    /// answers that are remembered without it.
    pub fn for_elements<T>(
        &mut self,
        length: &Nat,
        judge: impl Fn(&mut Prover) -> Result<T, Mismatch>,
    ) -> Result<T, Mismatch> {
        let outside = self.outside();
        let judged = judge(self);
        if judged.is_ok() && self.needs.len() == outside.needs {
            return judged;
        }
        self.restore(outside);
        let Some(outside) = self.enter_elements(length) else { return judge(self) };
        let judged = judge(self);
        self.leave_elements(outside)?;
        judged
    }

    /// Begins the assumption that an array has elements, where that says something about sizes.
    pub fn enter_elements(&mut self, length: &Nat) -> Option<Outside> {
        let length = self.ranges.simplify(length);
        length.has_operations().then(|| self.enter_condition(&Condition::LessOrEqual(Nat::one(), length)))
    }

    /// Ends it. What was needed for them is needed.
    pub fn leave_elements(&mut self, outside: Outside) -> Result<(), Mismatch> {
        for Demand { need, source } in self.restore(outside) {
            self.source = source;
            self.need(need.requirement, need.purpose)?;
        }
        Ok(())
    }

    /// Judges where a condition holds.
    pub fn under_condition<T>(
        &mut self,
        condition: &Condition,
        judge: impl FnOnce(&mut Prover) -> Result<T, Mismatch>,
    ) -> Result<T, Mismatch> {
        let outside = self.enter_condition(condition);
        let result = judge(self);
        self.leave_condition(outside, condition)?;
        result
    }

    /// Judges where `index` is a position in `0..count`.
    pub fn under_index<T>(
        &mut self,
        index: &Var,
        count: &Nat,
        judge: impl FnOnce(&mut Prover) -> Result<T, Mismatch>,
    ) -> Result<T, Mismatch> {
        let outside = self.enter_index(index, count);
        let result = judge(self);
        self.leave_index(outside, index, count)?;
        result
    }

    fn outside(&self) -> Outside {
        Outside { ranges: self.ranges.clone(), needs: self.needs.len() }
    }

    fn restore(&mut self, outside: Outside) -> Vec<Demand> {
        self.ranges = outside.ranges;
        self.needs.split_off(outside.needs.min(self.needs.len()))
    }

    /// Makes two types equal. The error says which sizes differ, if it is that.
    fn compare(&mut self, wanted: &Type, found: &Type) -> Result<(), Option<(Nat, Nat)>> {
        match (wanted, found) {
            (Type::Tuple(wanted), Type::Tuple(found)) if wanted.len() == found.len() => {
                wanted.iter().zip(found).try_for_each(|(wanted, found)| self.compare(wanted, found))
            }
            (Type::Array(wanted), Type::Array(found)) => {
                if wanted == found {
                    return Ok(());
                }
                self.equal_sizes(&wanted.length, &found.length, Purpose::SameSize)
                    .map_err(|_| Some((wanted.length.clone(), found.length.clone())))?;
                self.compare_elements(wanted, found)
            }
            (Type::Scalar(wanted), Type::Scalar(found)) if wanted == found => Ok(()),
            (Type::Vector(wanted, m), Type::Vector(found, n)) if wanted == found && m == n => Ok(()),
            (Type::Size, Type::Size) => Ok(()),
            (
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
                Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_),
            ) => Err(None),
        }
    }

    /// Makes the elements of two arrays equal at every position, whatever name either has for it.
    fn compare_elements(&mut self, wanted: &ArrayType, found: &ArrayType) -> Result<(), Option<(Nat, Nat)>> {
        let Some(named) = wanted.index.as_ref().or(found.index.as_ref()) else {
            return self.compare(&wanted.element, &found.element);
        };
        let index = self.position(named.name());
        let position = Nat::variable(&index);
        let outside = self.enter_index(&index, &wanted.length);
        let compared = self.compare(&wanted.element_at(&position), &found.element_at(&position));
        let everywhere = self.leave_index(outside, &index, &wanted.length);
        compared.and(everywhere.map_err(|_| None))
    }
}

/// A requirement, only where a condition holds.
fn where_holds(condition: &Condition, requirement: Requirement) -> Requirement {
    match requirement.condition() {
        Some(held) => Requirement::Holds(condition.clone().negate().or(held)),
        // It is no condition, so it is demanded even where `condition` does not hold.
        None => requirement,
    }
}

impl Judge for Prover {
    fn position(&mut self, name: &str) -> Var {
        Var::new(self.fresh(), name)
    }

    fn simplified(&self, size: &Nat) -> Nat {
        self.ranges.simplify(size)
    }

    fn ranges(&self) -> &Ranges {
        &self.ranges
    }

    fn resolved(&self, ty: &Type) -> Type {
        ty.clone()
    }

    fn array(&mut self, ty: &Type) -> Result<Arc<ArrayType>, Mismatch> {
        match ty {
            Type::Array(array) => Ok(array.clone()),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => {
                Err(Mismatch::NoArray(ty.clone()))
            }
        }
    }

    fn need(&mut self, requirement: Requirement, purpose: Purpose) -> Result<(), Mismatch> {
        let requirement = requirement.map(|size| self.ranges.simplify(size), Clone::clone);
        match requirement.decide(&self.ranges) {
            Some(true) => Ok(()),
            Some(false) => Err(Mismatch::Refuted(Need { requirement, purpose })),
            None => {
                requirement.assume(&mut self.ranges);
                self.needs.push(Demand { need: Need { requirement, purpose }, source: self.source });
                Ok(())
            }
        }
    }

    fn equal_sizes(&mut self, left: &Nat, right: &Nat, purpose: Purpose) -> Result<(), Mismatch> {
        if left == right {
            return Ok(());
        }
        self.need(Requirement::Equal(left.clone(), right.clone()), purpose)
            .map_err(|_| Mismatch::Sizes(left.clone(), right.clone()))
    }

    fn equal_types(&mut self, wanted: &Type, found: &Type) -> Result<(), Mismatch> {
        self.compare(wanted, found).map_err(|sizes| Mismatch::Types {
            wanted: wanted.clone(),
            found: found.clone(),
            sizes,
        })
    }

    fn are_equal(&self, left: &Type, right: &Type, ranges: &Ranges) -> bool {
        let mut prover = Prover::new(ranges.clone(), self.next_id);
        prover.compare(left, right).is_ok() && prover.needs.is_empty()
    }

    fn arguments(&self) -> Arguments {
        Arguments::Unchecked
    }
}
