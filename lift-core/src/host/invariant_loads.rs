//! Loop-invariant loads move before their loop.
//!
//! A load in a sequential loop may be the same in each iteration, but far apart for neighbouring lanes. Such
//! a load is expensive: a vector of these elements has to be gathered, once for each iteration if the load
//! stays in the loop.

use crate::ir::kernel::accesses::computed_indices;
use crate::ir::kernel::accesses::{Access, Accesses, Certainty, coefficient};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{
    self, Buffer, BufferId, BufferRole, Expression, Loop, Statement, ValueType, Variable,
};
use crate::ir::nat::{Nat, Var};

/// Moves such loads before their loops; `index` tells the lanes apart.
pub(super) fn hoist_loads(body: Vec<Statement>, index: &Var, buffers: &[Buffer]) -> Vec<Statement> {
    let mut count = 0;
    let mut result = Vec::new();
    for statement in body {
        let Statement::Loop(repetition) = &statement else {
            result.push(statement);
            continue;
        };
        let mut advance = Advance { advanced: Vec::new() };
        for (load, buffer) in loads_to_advance(repetition, index, buffers) {
            let variable =
                Variable { name: format!("{}_of_{}_{count}", buffer.name, index.name()).into(), ty: load.ty };
            count += 1;
            let value = Expression::Load(load.buffer, load.index.clone(), load.ty);
            result.push(Statement::Declare(variable.clone(), Some(value)));
            advance.advanced.push((load.buffer, load.index, variable));
        }
        result.extend(advance.statement(&statement));
    }
    result
}

/// The loads that may and should happen before a loop, each once, with the buffers that they load from.
fn loads_to_advance<'b>(repetition: &Loop, index: &Var, buffers: &'b [Buffer]) -> Vec<(Access, &'b Buffer)> {
    let mut varying = computed_indices(&repetition.body);
    varying.insert(repetition.index.clone());
    varying.extend(kernel::nested(&repetition.body).filter_map(|statement| match statement {
        Statement::Loop(inner) => Some(inner.index.clone()),
        _ => None,
    }));
    let mut found: Vec<(Access, &Buffer)> = Vec::new();
    for load in Accesses::of(&repetition.body).loads {
        let Some(buffer) = buffers.get(load.buffer.0) else { continue };
        let is_input = matches!(buffer.role, BufferRole::Parameter(_));
        let is_apart = !matches!(coefficient(&load.index, index), Some(0 | 1));
        let is_certain = load.certainty == Certainty::Always;
        let stays = !varying.iter().any(|variable| load.index.mentions(variable));
        let is_known = found.iter().any(|(known, _)| known.is_of_same_elements(&load));
        if is_input && is_apart && is_certain && stays && !is_known {
            found.push((load, buffer));
        }
    }
    found
}

/// Replaces loads by variables.
struct Advance {
    advanced: Vec<(BufferId, Nat, Variable)>,
}

impl Fold for Advance {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        let advanced = self.advanced.iter().find(|(b, place, v)| (*b, place, v.ty) == (buffer, &index, ty));
        match advanced {
            Some((_, _, variable)) => Expression::Variable(variable.clone()),
            None => Expression::Load(buffer, index, ty),
        }
    }
}
