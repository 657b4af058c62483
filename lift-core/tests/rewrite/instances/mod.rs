//! Instances of the rules: programs in which a rule applies, and near misses. A file for each family.

mod accumulators;
mod axes;
mod choices;
mod division;
mod fission;
mod fusion;
mod identity;
mod interchange;
mod kernels;
mod lanes;
mod layouts;
mod lengths;
mod lets;
mod lowering;
mod memories;
mod movement;
mod pads;
mod passes;
mod reduction;
mod registers;
mod sections;
mod segments;
mod separation;
mod singles;
mod split;
mod stencils;
mod tiling;
mod transposition;
mod vectors;
mod zips;

use lift_core::ir::nat::Nat;
use lift_core::ir::typed::Path;
use lift_core::middle::rewrite::{Argument, Strategy};

/// A program for a rule.
pub(crate) struct Instance {
    /// The name of the rule.
    pub(crate) rule: &'static str,
    /// Its arguments.
    pub(crate) arguments: fn() -> Vec<Argument>,
    /// The program.
    pub(crate) program: &'static str,
    /// What is applied to the program before, for rules about expressions that inference does not make.
    pub(crate) before: fn() -> Vec<Strategy>,
    /// The number of places where the rule applies.
    pub(crate) places: usize,
}

/// An instance of a rule without arguments.
const fn instance(rule: &'static str, places: usize, program: &'static str) -> Instance {
    with(rule, Vec::new, places, program)
}

/// An instance of a rule with arguments.
const fn with(
    rule: &'static str,
    arguments: fn() -> Vec<Argument>,
    places: usize,
    program: &'static str,
) -> Instance {
    Instance { rule, arguments, program, before: Vec::new, places }
}

/// An instance that other rules make of its program.
const fn after(before: fn() -> Vec<Strategy>, instance: Instance) -> Instance {
    Instance { before, ..instance }
}

fn size(size: i128) -> Argument {
    Argument::Size(Nat::constant(size))
}

fn place(positions: &[usize]) -> Argument {
    Argument::Place(Path::from(positions.to_vec()))
}

/// All instances.
pub(crate) fn instances() -> impl Iterator<Item = &'static Instance> {
    let families = [
        accumulators::INSTANCES,
        axes::INSTANCES,
        choices::INSTANCES,
        division::INSTANCES,
        fission::INSTANCES,
        fusion::INSTANCES,
        identity::INSTANCES,
        interchange::INSTANCES,
        kernels::INSTANCES,
        lanes::INSTANCES,
        layouts::INSTANCES,
        lengths::INSTANCES,
        registers::INSTANCES,
        lets::INSTANCES,
        lowering::INSTANCES,
        memories::INSTANCES,
        movement::INSTANCES,
        pads::INSTANCES,
        passes::INSTANCES,
        reduction::INSTANCES,
        singles::INSTANCES,
        sections::INSTANCES,
        segments::INSTANCES,
        separation::INSTANCES,
        split::INSTANCES,
        stencils::INSTANCES,
        tiling::INSTANCES,
        transposition::INSTANCES,
        vectors::INSTANCES,
        zips::INSTANCES,
    ];
    families.into_iter().flatten()
}
