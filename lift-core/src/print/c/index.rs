//! Symbolic indices and sizes in C.
//!
//! The division of sizes rounds like Euclid's, C's rounds towards zero. So `/` and `%` are printed only where
//! the ranges of the loops around prove that the numerator is not negative. Elsewhere,
//! [`helper`](super::helper)s compute what is meant.

use std::sync::Arc;

use super::dialect::Dialect;
use super::helper::Helper;
use crate::flat::{FlatMap, FlatSet};
use crate::ir::nat::{Atom, Nat, Ranges, Substitution, Var};
use crate::print::extent::Extents;
use crate::print::index::{Function, IndexPrinter};
use crate::print::problem::Problem;
use crate::print::text::{Strength, Text};

/// Prints indices within known ranges, and remembers which helpers they need.
pub(super) struct CIndexPrinter<'r> {
    pub(super) dialect: &'r dyn Dialect,
    pub(super) ranges: &'r Ranges,
    /// The values of variables that were declared by a value.
    pub(super) values: &'r Substitution,
    /// The printed names of variables that are not printed under their own.
    pub(super) size_names: &'r FlatMap<Var, Arc<str>>,
    pub(super) helpers: &'r mut FlatSet<Helper>,
    pub(super) extents: &'r mut Extents,
    /// The formulas that cannot be printed.
    pub(super) problems: &'r mut Vec<Problem>,
}

impl CIndexPrinter<'_> {
    fn helper(&mut self, helper: Helper, operands: &[&Nat]) -> Text {
        let name = helper.name(self.dialect);
        self.helpers.insert(helper);
        let operands: Vec<String> = operands.iter().map(|operand| self.nat(operand).bare()).collect();
        Text::new(format!("{name}({})", operands.join(", ")), Strength::Atom)
    }

    /// `min(a, b)`: both operands must have the index type, which neither a literal nor a choice between
    /// literals has.
    fn extremum(&mut self, name: &str, operands: &[&Nat]) -> Text {
        let operand = |nat: &&Nat| match nat.as_constant() {
            Some(constant) if constant < 0 => format!("(index_t)({constant})"),
            Some(constant) => format!("(index_t){constant}"),
            None if has_index_type(nat) => self.nat(nat).bare(),
            None => format!("(index_t)({})", self.nat(nat).bare()),
        };
        let mut operands: Vec<String> = operands.iter().map(operand).collect();
        // A literal bound reads better behind what it bounds.
        operands.sort_by_key(|operand| operand.starts_with("(index_t)"));
        Text::new(format!("{name}({})", operands.join(", ")), Strength::Atom)
    }
}

/// Whether a printed formula has the index type in C. Otherwise it consists of literals, and is an `int`.
fn has_index_type(nat: &Nat) -> bool {
    let mut atoms = nat.terms().iter().flat_map(|term| &term.factors).map(|(atom, _)| atom);
    atoms.any(|atom| match atom {
        Atom::Var(_) | Atom::Minimum(..) | Atom::Maximum(..) | Atom::Log2(_) | Atom::Sum { .. } => true,
        // The form in which the algebra leaves an expression unsimplified.
        Atom::Power(base, exponent) if exponent.as_constant() == Some(1) => has_index_type(base),
        Atom::Power(..) => true,
        Atom::Divide(left, right) | Atom::Modulo(left, right) | Atom::Select(_, left, right) => {
            has_index_type(left) || has_index_type(right)
        }
    })
}

impl IndexPrinter for CIndexPrinter<'_> {
    fn ranges(&self) -> &Ranges {
        self.ranges
    }

    fn variable(&self, variable: &Var) -> String {
        self.size_names.get(variable).map_or(variable.name(), AsRef::as_ref).to_owned()
    }

    fn divides_alike(&self, dividend: &Nat, divisor: &Nat) -> bool {
        self.ranges.is_non_negative(dividend) == Some(true)
            && self.ranges.is_less(&Nat::zero(), divisor) != Some(false)
            && self.ranges.is_non_negative(divisor) == Some(true)
    }

    fn call(&mut self, function: Function, operands: &[&Nat]) -> Text {
        match (function, operands) {
            (Function::FloorDivide, _) => self.helper(Helper::FloorDivide, operands),
            (Function::FloorModulo, _) => self.helper(Helper::FloorModulo, operands),
            (Function::Power, [base, exponent]) if base.as_constant() == Some(2) => {
                let exponent = self.nat(exponent).at(Strength::Atom);
                Text::new(format!("((index_t)1 << {exponent})"), Strength::Atom)
            }
            (Function::Power, _) => self.helper(Helper::Power, operands),
            (Function::Log2, _) => self.helper(Helper::Log2, operands),
            (Function::Minimum, _) => self.extremum("min", operands),
            (Function::Maximum, _) => self.extremum("max", operands),
        }
    }

    fn choice(&mut self, condition: Text, then: Text, otherwise: Text) -> Text {
        let (condition, then) = (condition.at(Strength::Or), then.at(Strength::Or));
        let otherwise = otherwise.at(Strength::Choice);
        Text::new(format!("{condition} ? {then} : {otherwise}"), Strength::Choice)
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn is_passed(&self, variable: &Var) -> bool {
        self.extents.is_passed(variable)
    }

    fn report(&mut self, nat: &Nat) {
        self.extents.report(nat, self.ranges);
    }
}
