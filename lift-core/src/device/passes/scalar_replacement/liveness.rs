//! Which variables of arrays hold values that anything needs.
//!
//! A window that rolls through registers has a variable for each of its elements, also for those that its
//! function does not read: their values are copied to the next variable and never used. They are found
//! before loops are written out, so that nothing is written out for them and no index of what they load is
//! simplified. A variable is needed if its value is used for anything but a store in such a variable, or for
//! a store in a variable that is needed itself. `dead_code` does the same for all other variables.

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{BufferId, Expression, Statement, ValueType, Variable};
use crate::ir::nat::{Nat, Var};

use super::survey::known_steps;

/// One of the variables of an array, by its position among them.
type Place = (BufferId, usize);

/// The variables that something needs.
pub(super) struct Needed(FlatSet<Place>);

impl Needed {
    /// The needed ones of `registers`, the variables of a kernel's arrays, where `unrolled` loops are written
    /// out.
    pub(super) fn of(
        body: &[Statement],
        registers: &FlatMap<BufferId, Vec<Variable>>,
        unrolled: &FlatSet<Var>,
    ) -> Needed {
        let iterations = FlatMap::new();
        let mut reads = Reads { registers, unrolled, iterations, waiting: Vec::new(), needs: FlatMap::new() };
        reads.block(body);
        let mut needed = FlatSet::new();
        while let Some(place) = reads.waiting.pop() {
            if needed.insert(place) {
                reads.waiting.extend(reads.needs.get(&place).into_iter().flatten());
            }
        }
        Needed(needed)
    }

    /// Whether something needs one of these variables of an array.
    pub(super) fn any(&self, buffer: BufferId, mut positions: impl Iterator<Item = usize>) -> bool {
        positions.any(|position| self.0.contains(&(buffer, position)))
    }
}

/// Who reads which variables.
struct Reads<'k> {
    registers: &'k FlatMap<BufferId, Vec<Variable>>,
    unrolled: &'k FlatSet<Var>,
    /// The current iterations of the loops that are written out.
    iterations: FlatMap<Var, i128>,
    /// What is read by anything but a store in a variable.
    waiting: Vec<Place>,
    /// What is read by the stores in each variable.
    needs: FlatMap<Place, Vec<Place>>,
}

impl Reads<'_> {
    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let mut read = Vec::new();
        statement.each_part(&mut |part| {
            if let Expression::Load(buffer, index, ty) = part {
                read.extend(self.places(*buffer, index, *ty));
            }
        });
        match statement {
            Statement::Store(buffer, index, value) if self.registers.contains_key(buffer) => {
                for stored in self.places(*buffer, index, value.ty()) {
                    self.needs.get_or_default(stored).extend(&read);
                }
            }
            _ => {
                let updated = statement.stored();
                read.extend(
                    updated.into_iter().flat_map(|to| self.places(to.buffer, to.index, to.value.ty())),
                );
                self.waiting.append(&mut read);
            }
        }
        match statement {
            Statement::Loop(repetition) if self.unrolled.contains(&repetition.index) => {
                for step in 0..known_steps(repetition).unwrap_or(0) {
                    self.iterations.insert(repetition.index.clone(), i128::from(step));
                    self.block(&repetition.body);
                }
                self.iterations.remove(&repetition.index);
            }
            _ => statement.blocks().for_each(|block| self.block(block)),
        }
    }

    /// The variables that hold a value of this type at an index.
    fn places(&self, buffer: BufferId, index: &Nat, ty: ValueType) -> impl Iterator<Item = Place> + use<> {
        let variables = self.registers.get(&buffer).map_or(&[][..], Vec::as_slice);
        let positions =
            positions(variables, index.evaluate(&|index| self.iterations.get(index).copied()), ty);
        positions.map(move |position| (buffer, position))
    }
}

/// The positions of the variables of an array that hold a value of this type at an index; of all of them
/// where the index is not known.
pub(super) fn positions(
    variables: &[Variable],
    index: Option<i128>,
    ty: ValueType,
) -> impl Iterator<Item = usize> + use<> {
    let Some(last) = variables.len().checked_sub(1) else { return 0..0 };
    let lanes = variables.first().map_or(1, |variable| usize::from(variable.ty.lanes));
    match index {
        None => 0..last + 1,
        Some(index) => {
            let first = usize::try_from(index).unwrap_or(0);
            let end = first.saturating_add(usize::from(ty.lanes)).saturating_sub(1);
            (first / lanes).min(last)..(end / lanes).min(last) + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::examples::in_order;
    use crate::ir::scalar::ScalarType;

    const WINDOW: BufferId = BufferId(0);
    const RESULT: BufferId = BufferId(1);

    fn float(lanes: u8) -> ValueType {
        ValueType { scalar: ScalarType::F32, lanes }
    }

    fn load(index: Nat, lanes: u8) -> Expression {
        Expression::Load(WINDOW, index, float(lanes))
    }

    /// The positions of the needed ones of some variables with these lanes.
    fn needed(count: usize, lanes: u8, body: &[Statement], unrolled: &Var) -> Vec<usize> {
        let variable = |position| Variable { name: format!("w_{position}").into(), ty: float(lanes) };
        let registers = [(WINDOW, (0..count).map(variable).collect())].into_iter().collect();
        let needed = Needed::of(body, &registers, &[unrolled.clone()].into_iter().collect());
        (0..count).filter(|position| needed.any(WINDOW, [*position].into_iter())).collect()
    }

    /// `for i in 0..3 { w[i] = w[i + 1]; }`
    fn rolled(index: &Var) -> Statement {
        let i = Nat::variable(index);
        let next = load(&i + Nat::one(), 1);
        in_order(index, Nat::constant(3), vec![Statement::Store(WINDOW, i, next)])
    }

    fn stored(index: i128, lanes: u8) -> Statement {
        Statement::Store(RESULT, Nat::zero(), load(Nat::constant(index), lanes))
    }

    #[test]
    fn what_comes_after_a_read_element_is_carried_to_it() {
        let index = Var::new(7, "i");
        assert_eq!(needed(4, 1, &[rolled(&index), stored(1, 1)], &index), [1, 2, 3]);
        assert_eq!(needed(4, 1, &[stored(0, 1), rolled(&index)], &index), [0, 1, 2, 3]);
    }

    #[test]
    fn elements_that_are_only_carried_are_not_needed() {
        let index = Var::new(7, "i");
        assert_eq!(needed(4, 1, &[rolled(&index)], &index), [0; 0]);
    }

    #[test]
    fn a_vector_needs_all_variables_that_it_is_taken_from() {
        let index = Var::new(7, "i");
        assert_eq!(needed(3, 4, &[stored(2, 4)], &index), [0, 1]);
        assert_eq!(needed(3, 4, &[stored(8, 1)], &index), [2]);
        assert_eq!(needed(3, 1, &[stored(1, 2)], &index), [1, 2]);
    }

    #[test]
    fn an_index_outside_means_the_last_variable() {
        let index = Var::new(7, "i");
        assert_eq!(needed(3, 1, &[stored(9, 1)], &index), [2]);
    }
}
