//! Executes the kernels of the host step by step and counts what they do: an independent count beside the
//! formulas. What depends on data is not known; there, the branch counts that does more.

use std::collections::BTreeMap;

use lift_core::host::{Bounds, HostKernel, Strips, Task};
use lift_core::ir::kernel::{Expression, Loop, Module, Repetition, Statement};
use lift_core::ir::nat::{Condition, Nat, Var};
use lift_core::ir::typed::Program;
use lift_core::options::Options;
use lift_core::{Stages, stages};

use crate::sizes::Sizes;

/// More statements are not executed.
const MOST_STATEMENTS: u64 = 100_000;

/// Loads and operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) loads: i128,
    pub(crate) operations: i128,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.loads += other.loads;
        self.operations += other.operations;
    }

    fn larger(self, other: Count) -> Count {
        Count { loads: self.loads.max(other.loads), operations: self.operations.max(other.operations) }
    }

    fn operation(lanes: u8) -> Count {
        Count { loads: 0, operations: i128::from(lanes) }
    }
}

/// What the kernels of a program do at these sizes; `None` where that takes long.
pub(crate) fn execute(program: &Program, sizes: &Sizes) -> Option<Count> {
    let Stages { module, planned, .. } = stages(program, &Options::default(), &mut |_| {}).ok()?;
    let kernels = planned?.kernels;
    let mut machine = Machine { variables: sizes.clone(), functions: Vec::new(), statements: 0 };
    for function in &module.functions {
        let mut count = machine.block(&function.body)?;
        for value in &function.values {
            count.add(machine.expression(value)?);
        }
        machine.functions.push(count);
    }
    let mut total = Count::default();
    for (position, kernel) in kernels.iter().enumerate() {
        total.add(machine.launched(position, kernel, &module)?);
    }
    Some(total)
}

struct Machine {
    variables: BTreeMap<Var, i128>,
    functions: Vec<Count>,
    statements: u64,
}

/// What was counted; `None` where too much is executed, or a number is not known.
type Executed = Option<Count>;

impl Machine {
    fn value(&self, nat: &Nat) -> Option<i128> {
        nat.evaluate(&|variable: &Var| self.variables.get(variable).copied())
    }

    fn holds(&self, condition: &Condition) -> Option<bool> {
        condition.evaluate(&|variable: &Var| self.variables.get(variable).copied())
    }

    fn launched(&mut self, position: usize, kernel: &HostKernel, module: &Module) -> Executed {
        let around: Vec<&Repetition> =
            module.repetitions.iter().rev().filter(|around| around.repeated().contains(&position)).collect();
        self.repeated(&around, kernel)
    }

    fn repeated(&mut self, around: &[&Repetition], kernel: &HostKernel) -> Executed {
        let [outer, inner @ ..] = around else { return self.tasks(&kernel.tasks) };
        let count = self.value(&outer.count)?;
        match &outer.step {
            Some(step) => self.for_each(step, count, &mut |machine| machine.repeated(inner, kernel)),
            None => {
                let mut total = Count::default();
                for _ in 0..count {
                    total.add(self.repeated(inner, kernel)?);
                }
                Some(total)
            }
        }
    }

    fn for_each(
        &mut self,
        index: &Var,
        end: i128,
        body: &mut dyn FnMut(&mut Machine) -> Executed,
    ) -> Executed {
        let mut total = Count::default();
        for position in 0..end {
            self.variables.insert(index.clone(), position);
            total.add(body(self)?);
        }
        Some(total)
    }

    fn positions(
        &mut self,
        index: &Var,
        bounds: &Bounds,
        body: &mut dyn FnMut(&mut Machine) -> Executed,
    ) -> Executed {
        match bounds {
            Bounds::Whole(extent) => {
                let end = self.value(extent)?;
                self.for_each(index, end, body)
            }
            Bounds::Part => body(self),
        }
    }

    fn tasks(&mut self, tasks: &[Task]) -> Executed {
        let mut total = Count::default();
        for task in tasks {
            total.add(match task {
                Task::Plain(statement) => self.statement(statement)?,
                Task::For { index, bounds, body, .. } => {
                    self.positions(index, bounds, &mut |machine| machine.tasks(body))?
                }
                Task::If(Expression::Condition(condition), then, otherwise) => {
                    self.tasks(if self.holds(condition)? { then } else { otherwise })?
                }
                Task::If(condition, then, otherwise) => {
                    let mut count = self.expression(condition)?;
                    count.add(self.tasks(then)?.larger(self.tasks(otherwise)?));
                    count
                }
                Task::Parallel(parallel) => self.parallel(&parallel.loops, &parallel.body)?,
                Task::Strips(strips) => self.strips(strips)?,
                Task::Blocks(blocks) => self.strips(&blocks.alone)?,
            });
        }
        Some(total)
    }

    fn parallel(&mut self, loops: &[(Var, Nat)], body: &[Task]) -> Executed {
        let [(index, extent), rest @ ..] = loops else { return self.tasks(body) };
        let end = self.value(extent)?;
        self.for_each(index, end, &mut |machine| machine.parallel(rest, body))
    }

    fn strips(&mut self, strips: &Strips) -> Executed {
        self.positions(&strips.index, &strips.bounds, &mut |machine| machine.block(&strips.single))
    }

    fn block(&mut self, block: &[Statement]) -> Executed {
        let mut total = Count::default();
        for statement in block {
            total.add(self.statement(statement)?);
        }
        Some(total)
    }

    fn statement(&mut self, statement: &Statement) -> Executed {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS {
            return None;
        }
        match statement {
            Statement::Comment(_)
            | Statement::Declare(_, None)
            | Statement::DeclareBuffer(_)
            | Statement::Barrier { .. } => Some(Count::default()),
            Statement::Declare(_, Some(value))
            | Statement::Assign(_, value)
            | Statement::BreakUnless(value)
            | Statement::Store(_, _, value)
            | Statement::Update { value, .. } => self.expression(value),
            Statement::CallFunction { function, arguments, .. } => {
                let mut count = self.expressions(arguments)?;
                count.add(*self.functions.get(*function)?);
                Some(count)
            }
            Statement::DeclareIndex { index, value, length } => {
                // Any position may be read.
                let last = self.value(length)? - 1;
                self.variables.insert(index.clone(), last.max(0));
                self.expression(value)
            }
            Statement::DeclareValue { index, value, .. } => {
                let value = self.value(value)?;
                self.variables.insert(index.clone(), value);
                Some(Count::default())
            }
            // There is none in a kernel of the host.
            Statement::DeclareWorker { .. } => None,
            Statement::Loop(Loop { index, extent, body, .. }) => {
                let end = self.value(extent)?;
                self.for_each(index, end, &mut |machine| machine.block(body))
            }
            Statement::If(Expression::Condition(condition), then, otherwise) => {
                self.block(if self.holds(condition)? { then } else { otherwise })
            }
            Statement::If(condition, then, otherwise) => {
                let mut count = self.expression(condition)?;
                count.add(self.block(then)?.larger(self.block(otherwise)?));
                Some(count)
            }
        }
    }

    fn expressions(&mut self, expressions: &[Expression]) -> Executed {
        let mut total = Count::default();
        for expression in expressions {
            total.add(self.expression(expression)?);
        }
        Some(total)
    }

    fn expression(&mut self, expression: &Expression) -> Executed {
        let mut total = match expression {
            Expression::Select(condition, then, otherwise) => {
                return match condition.as_ref() {
                    Expression::Condition(condition) => match self.holds(condition)? {
                        true => self.expression(then),
                        false => self.expression(otherwise),
                    },
                    condition => {
                        let mut count = self.expression(condition)?;
                        count.add(self.expression(then)?.larger(self.expression(otherwise)?));
                        Some(count)
                    }
                };
            }
            Expression::Load(_, _, ty) => Count { loads: i128::from(ty.lanes), operations: 0 },
            Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
                Count::operation(operand.ty().lanes)
            }
            Expression::Binary(_, left, _) => Count::operation(left.ty().lanes),
            Expression::Builtin(_, arguments) => {
                Count::operation(arguments.iter().map(|argument| argument.ty().lanes).max().unwrap_or(1))
            }
            Expression::Function(function, ..) => *self.functions.get(*function)?,
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Broadcast(..)
            | Expression::Components(_)
            | Expression::Component(..) => Count::default(),
        };
        for part in expression.children() {
            total.add(self.expression(part)?);
        }
        Some(total)
    }
}
