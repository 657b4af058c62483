//! Applies [array contraction](crate::middle::memory::contraction): kernels are launched for one portion of
//! their rows after the other, so that the arrays between them take little memory.

use super::generator::Generator;
use crate::ir::kernel::Statement;
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::SizeVariable;
use crate::middle::memory::contraction::{Budget, Group, contract, groups};

impl Generator<'_> {
    /// The kernels in launch order, and the size variables that the launcher sets for each portion.
    pub(super) fn in_portions(
        &mut self,
        mut bodies: Vec<Vec<Statement>>,
    ) -> (Vec<Vec<Statement>>, Vec<SizeVariable>) {
        let mut given = Vec::new();
        let Some(budget) = Budget::of(self.options.between_kernels) else { return (bodies, given) };
        // Launches that the user states refer to the kernels in the order of the program.
        if !self.program.launches.is_empty() {
            return (bodies, given);
        }
        for group in groups(&bodies, &self.buffers, &self.done.repetitions, &self.ranges, budget) {
            let variables = ["first", "count"].map(|wanted| self.size_of_portion(wanted, &group));
            let repetition =
                contract(&group, &mut bodies, &mut self.buffers, variables.clone(), budget, &self.ranges);
            group.reorder(&mut bodies);
            group.reorder(&mut self.done.names);
            // Inner repetitions come first in the list.
            let kernels = &repetition.kernels;
            let is_around = |around: &crate::ir::kernel::Repetition| {
                around.kernels.start <= kernels.start && kernels.end <= around.kernels.end
            };
            let place =
                self.done.repetitions.iter().position(is_around).unwrap_or(self.done.repetitions.len());
            self.done.repetitions.insert(place, repetition);
            given.extend(variables.into_iter().map(|variable| {
                let name = variable.name().to_owned();
                SizeVariable::new(variable, name)
            }));
        }
        (bodies, given)
    }

    /// A new size variable for the kernels of a group, whose name is free in all of them.
    fn size_of_portion(&mut self, wanted: &str, group: &Group) -> Var {
        let members = || group.members().filter_map(|position| self.done.names.get(position));
        let names = (1..).map(|number| match number {
            1 => wanted.to_owned(),
            number => format!("{wanted}_{number}"),
        });
        let is_free =
            |name: &String| !self.fresh.names().has(name) && members().all(|names| !names.has(name));
        let name = names.into_iter().find(is_free).unwrap_or_default();
        for position in group.members() {
            if let Some(names) = self.done.names.get_mut(position) {
                names.reserve(&name);
            }
        }
        let variable = self.fresh.unprinted(&name);
        self.ranges.declare(&variable, Nat::zero(), None);
        self.size_names.insert(variable.clone(), name.into());
        variable
    }
}
