//! Instances of the rules: programs in which a rule applies, and near misses.

use lift_core::middle::rewrite::Argument;

/// A program for a rule.
pub(crate) struct Instance {
    /// The name of the rule.
    pub(crate) rule: &'static str,
    /// Its arguments.
    pub(crate) arguments: fn() -> Vec<Argument>,
    /// The program.
    pub(crate) program: &'static str,
    /// The number of places where the rule applies.
    pub(crate) places: usize,
}

const fn instance(rule: &'static str, places: usize, program: &'static str) -> Instance {
    Instance { rule, arguments: Vec::new, program, places }
}

pub(crate) const INSTANCES: &[Instance] = &[
    instance("mapFusion", 1, "|a: [i32; N]| a >> map(|x| x + 1) >> map(|x| x * x)"),
    instance(
        "mapFusion",
        1,
        "|a: [[i32; M]; N]| a >> map(|r| r >> map(|x| x + 1)) >> map(|r| r >> map(|x| x * x))",
    ),
    instance("mapFusion", 0, "|a: [i32; N]| a >> map(|x| x + 1) >> reverse >> map(|x| x * x)"),
];
