//! Prints symbolic indices and sizes in Rust. All of them are `isize`.

use super::Names;
use crate::ir::nat::{Nat, Ranges, Var};
use crate::print::extent::Extents;
use crate::print::index::{Function, IndexPrinter};
use crate::print::problem::Problem;
use crate::print::text::{Strength, Text};

/// Prints indices within known ranges.
pub(super) struct RustIndexPrinter<'r> {
    pub(super) names: &'r Names<'r>,
    pub(super) ranges: &'r Ranges,
    pub(super) extents: &'r mut Extents,
    /// The formulas that cannot be printed.
    pub(super) problems: &'r mut Vec<Problem>,
}

impl IndexPrinter for RustIndexPrinter<'_> {
    fn ranges(&self) -> &Ranges {
        self.ranges
    }

    fn variable(&self, variable: &Var) -> String {
        self.names.index(variable)
    }

    fn divides_alike(&self, dividend: &Nat, divisor: &Nat) -> bool {
        self.ranges.is_non_negative(dividend) == Some(true)
            && self.ranges.is_less(&Nat::zero(), divisor) == Some(true)
    }

    fn call(&mut self, function: Function, operands: &[&Nat]) -> Text {
        let name = match function {
            Function::FloorDivide => "floor_divide",
            Function::FloorModulo => "floor_modulo",
            Function::Power => "power",
            Function::Log2 => "log2",
            Function::Minimum => "least",
            Function::Maximum => "greatest",
        };
        let operands: Vec<String> = operands.iter().map(|operand| self.nat(operand).bare()).collect();
        Text::new(format!("__lift_host::index::{name}({})", operands.join(", ")), Strength::Atom)
    }

    fn choice(&mut self, condition: Text, then: Text, otherwise: Text) -> Text {
        let (condition, then, otherwise) = (condition.bare(), then.bare(), otherwise.bare());
        Text::new(format!("(if {condition} {{ {then} }} else {{ {otherwise} }})"), Strength::Atom)
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
