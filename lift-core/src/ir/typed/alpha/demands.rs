//! What launches of two programs check: whether it is the same, and what follows from it.

use super::super::{Program, Requirement};
use crate::ir::nat::{Nat, Ranges, Substitution, Var};

/// Size variables with numbers from here on are binders of the described term. No program has as many
/// variables.
pub(super) const BINDERS: u32 = 0x4000_0000;

/// What holds for sizes where a launch of the program computes something. Whether a formula was simplified
/// before or after that was known makes no difference.
pub(super) fn known_sizes(program: &Program) -> Ranges {
    let mut facts = Ranges::default();
    for (number, _) in (BINDERS..).zip(&program.sizes) {
        facts.declare(&Var::new(number, ""), Nat::zero(), None);
    }
    assume_all(&demands(program), &mut facts);
    facts
}

/// Learns requirements, equations first: what else is said of a size is then said of its value.
fn assume_all(requirements: &[Requirement], facts: &mut Ranges) {
    let is_equation = |requirement: &&Requirement| matches!(requirement, Requirement::Equal(..));
    let (equations, others): (Vec<_>, Vec<_>) = requirements.iter().partition(is_equation);
    equations.into_iter().chain(others).for_each(|requirement| requirement.assume(facts));
}

/// Whether what the launches of two programs check follows from each other.
pub(super) fn demand_the_same(left: &Program, right: &Program) -> bool {
    let (left_demands, right_demands) = (demands(left), demands(right));
    implies(&left_demands, &right_demands, left) && implies(&right_demands, &left_demands, right)
}

/// What a launch checks, with the numbers of sizes instead of these.
fn demands(program: &Program) -> Vec<Requirement> {
    let mut numbers = (BINDERS..).map(|number| Var::new(number, ""));
    let sizes = program.sizes.iter().map(|size| size.variable.clone());
    let numbered: Substitution =
        sizes.zip(numbers.by_ref()).map(|(size, number)| (size, Nat::variable(&number))).collect();
    let position = numbers.next();
    let renamed = |size: &Nat| size.substitute(&numbered);
    let requirements = program.obligations.iter().map(|obligation| match &obligation.requirement {
        Requirement::Equal(left, right) => Requirement::Equal(renamed(left), renamed(right)),
        Requirement::AtMost(left, right) => Requirement::AtMost(renamed(left), renamed(right)),
        Requirement::Divides(divisor, size) => Requirement::Divides(renamed(divisor), renamed(size)),
        Requirement::Holds(condition) => Requirement::Holds(condition.substitute(&numbered)),
        Requirement::Permutation { index, image, length } => {
            let number = position.clone().unwrap_or_else(|| index.clone());
            let image = image.substitute(&[(index.clone(), Nat::variable(&number))].into());
            Requirement::Permutation { index: number, image: renamed(&image), length: renamed(length) }
        }
    });
    requirements.collect()
}

/// Whether demands on the sizes of a program follow from others.
fn implies(known: &[Requirement], demanded: &[Requirement], program: &Program) -> bool {
    let mut facts = Ranges::default();
    for (number, _) in (BINDERS..).zip(&program.sizes) {
        facts.declare(&Var::new(number, ""), Nat::zero(), None);
    }
    assume_all(known, &mut facts);
    let follows = |requirement: &Requirement| match requirement {
        Requirement::Equal(left, right) => facts.is_equal(left, right) == Some(true),
        Requirement::AtMost(left, right) => facts.is_at_most(left, right) == Some(true),
        Requirement::Divides(divisor, size) => facts.divides(divisor, size) == Some(true),
        Requirement::Holds(condition) => facts.decide(condition) == Some(true),
        Requirement::Permutation { .. } => false,
    };
    demanded.iter().all(|requirement| known.contains(requirement) || follows(requirement))
}
