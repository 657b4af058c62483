//! The work of kernels, counted in the kernels that the host executes.

use super::{Work, positions};
use crate::compile::code_of;
use crate::diagnostic::Diagnostic;
use crate::host::{self, Bounds, HostKernel, Strips, Task};
use crate::ir::code::Code;
use crate::ir::kernel::{Expression, Function, Statement};
use crate::ir::nat::{Nat, Ranges, Substitution, Var};
use crate::ir::typed::Program;
use crate::middle::tuples::take_apart;
use crate::options::{BetweenKernels, Options};

/// The work of all work-items of a program's kernels together; see the [module](super).
///
/// # Errors
/// As [`compile`](crate::compile()): a program without kernels has no work.
pub fn of_kernels(program: &Program) -> Result<Work, Vec<Diagnostic>> {
    // Kernels that are launched in portions do the same for the rows of each portion.
    let options = Options { between_kernels: BetweenKernels::Whole, ..Options::default() };
    let code = code_of(&take_apart(program), &options)?;
    let kernels = host::kernels(&code).map_err(|unavailable| {
        let problem = format!("a kernel for the host lacks something: {unavailable:?}");
        vec![Diagnostic::internal(program.body.source, &problem)]
    })?;
    let ranges = program.ranges();
    let mut count = Count { functions: Vec::new() };
    for function in &code.functions {
        let work = count.function(function, &ranges);
        count.functions.push(work);
    }
    let work: Work = kernels
        .iter()
        .enumerate()
        .map(|(position, kernel)| count.launched(position, kernel, &code, &ranges))
        .sum();
    Ok(work.simplified(&ranges))
}

struct Count {
    /// The work of the user functions counted so far; callees come first.
    functions: Vec<Work>,
}

impl Count {
    /// The work of a kernel in all its launches.
    fn launched(&self, position: usize, kernel: &HostKernel, code: &Code, ranges: &Ranges) -> Work {
        let inside = crate::ir::kernel::ranges_of_kernel(position, &code.repetitions, ranges);
        let once = self.tasks(&kernel.tasks, &inside);
        // Repetitions come after those inside them.
        let around = code.repetitions.iter().filter(|around| around.repeated().contains(&position));
        around.fold(once, |work, around| match &around.step {
            Some(step) => positions::over(ranges, step, [&Nat::zero(), &around.count], &work),
            None => work.times(&around.count),
        })
    }

    fn function(&self, function: &Function, ranges: &Ranges) -> Work {
        self.block(&function.body, ranges).and(&self.expressions(&function.values))
    }

    /// The work of tasks one after the other. They are counted from the last one on, because an index that a
    /// task declares is in scope of later tasks.
    fn tasks(&self, tasks: &[Task], ranges: &Ranges) -> Work {
        tasks.iter().rev().fold(Work::none(), |rest, task| match task {
            Task::Plain(statement) => self.before(statement, &rest, ranges),
            Task::For { index, bounds, body, .. } => {
                self.at_positions(index, bounds, ranges, |inside| self.tasks(body, inside)).and(&rest)
            }
            Task::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.tasks(then, ranges), self.tasks(otherwise, ranges));
                self.choice(condition, &then, &otherwise).and(&rest)
            }
            Task::Parallel(parallel) => self.parallel(&parallel.loops, &parallel.body, ranges).and(&rest),
            Task::Strips(strips) => self.strips(strips, ranges).and(&rest),
            // Rows in a block are computed like single rows.
            Task::Blocks(blocks) => self.strips(&blocks.alone, ranges).and(&rest),
        })
    }

    fn parallel(&self, loops: &[(Var, Nat)], body: &[Task], ranges: &Ranges) -> Work {
        match loops {
            [] => self.tasks(body, ranges),
            [(index, extent), rest @ ..] => {
                let extent = Bounds::Whole(extent.clone());
                self.at_positions(index, &extent, ranges, |inside| self.parallel(rest, body, inside))
            }
        }
    }

    /// The work of strips: a strip does for each lane the work of one position.
    fn strips(&self, strips: &Strips, ranges: &Ranges) -> Work {
        self.at_positions(&strips.index, &strips.bounds, ranges, |inside| self.block(&strips.single, inside))
    }

    /// The work of all positions of a loop. Where a thread gets a part of them, the loop that divides them
    /// counts all.
    fn at_positions(
        &self,
        index: &Var,
        bounds: &Bounds,
        ranges: &Ranges,
        body: impl FnOnce(&Ranges) -> Work,
    ) -> Work {
        match bounds {
            Bounds::Part => body(ranges),
            Bounds::Whole(extent) => {
                let mut inside = ranges.clone();
                inside.declare(index, Nat::zero(), Some(extent.clone()));
                positions::over(ranges, index, [&Nat::zero(), extent], &body(&inside))
            }
        }
    }

    fn block(&self, block: &[Statement], ranges: &Ranges) -> Work {
        block.iter().rev().fold(Work::none(), |rest, statement| self.before(statement, &rest, ranges))
    }

    /// The work of a statement and of the rest of its block, which is given.
    fn before(&self, statement: &Statement, rest: &Work, ranges: &Ranges) -> Work {
        match statement {
            Statement::Comment(_)
            | Statement::Declare(_, None)
            | Statement::DeclareBuffer(_)
            | Statement::Barrier { .. } => rest.clone(),
            Statement::Declare(_, Some(value))
            | Statement::BreakUnless(value)
            | Statement::Assign(_, value)
            | Statement::Store(_, _, value)
            | Statement::Update { value, .. } => self.expression(value).and(rest),
            Statement::CallFunction { function, arguments, .. } => {
                self.expressions(arguments).and(&self.of_function(*function)).and(rest)
            }
            Statement::DeclareIndex { index, value, length } => {
                self.expression(value).and(&positions::at_most(ranges, index, length, rest))
            }
            Statement::DeclareValue { index, value, .. } => {
                rest.substitute(&Substitution::from([(index.clone(), value.clone())]))
            }
            // The host has no such statement: its loops have all their iterations.
            Statement::DeclareWorker { index, bound, .. } => match bound {
                Some(bound) => positions::over(ranges, index, [&Nat::zero(), bound], rest),
                None => rest.clone(),
            },
            Statement::Loop(repetition) => {
                let bounds = Bounds::Whole(repetition.extent.clone());
                let iterations = self.at_positions(&repetition.index, &bounds, ranges, |inside| {
                    self.block(&repetition.body, inside)
                });
                iterations.and(rest)
            }
            Statement::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.block(then, ranges), self.block(otherwise, ranges));
                self.choice(condition, &then, &otherwise).and(rest)
            }
        }
    }

    /// The work of a choice; exact where positions decide it.
    fn choice(&self, condition: &Expression, then: &Work, otherwise: &Work) -> Work {
        match condition {
            Expression::Condition(condition) => then.where_holds(condition, otherwise),
            condition => self.expression(condition).and(&then.or(otherwise)),
        }
    }

    fn of_function(&self, position: usize) -> Work {
        self.functions.get(position).cloned().unwrap_or_else(Work::none)
    }

    fn expressions(&self, expressions: &[Expression]) -> Work {
        expressions.iter().map(|expression| self.expression(expression)).sum()
    }

    fn expression(&self, expression: &Expression) -> Work {
        match expression {
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_) => Work::none(),
            Expression::Load(_, _, ty) => Work::of_loads(u64::from(ty.lanes)),
            Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
                self.expression(operand).and(&Work::of_operations(u64::from(operand.ty().lanes)))
            }
            Expression::Binary(_, left, right) => {
                let operation = Work::of_operations(u64::from(left.ty().lanes));
                self.expression(left).and(&self.expression(right)).and(&operation)
            }
            Expression::Builtin(_, arguments) => {
                let most = arguments.iter().map(|argument| u64::from(argument.ty().lanes)).max();
                self.expressions(arguments).and(&Work::of_operations(most.unwrap_or(1)))
            }
            Expression::Function(function, arguments, _) => {
                self.expressions(arguments).and(&self.of_function(*function))
            }
            Expression::Broadcast(operand, _) | Expression::Component(operand, _) => self.expression(operand),
            Expression::Components(components) => self.expressions(components),
            Expression::Select(condition, then, otherwise) => {
                let branches = self.expression(then).or(&self.expression(otherwise));
                self.expression(condition).and(&branches)
            }
        }
    }
}
