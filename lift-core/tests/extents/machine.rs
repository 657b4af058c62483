//! Computes the formulas of kernels as printed code does, operation by operation, with numbers of 128 bits,
//! at some of the steps of all loops: the largest number on the way is what an index type must hold.

use std::collections::{BTreeMap, BTreeSet};

use lift_core::host::{Bounds, HostKernel, LaneTask, Strips, Task};
use lift_core::ir::kernel::{Expression, Kernel, Loop, Statement, Workers};
use lift_core::ir::nat::{Atom, Condition, Nat, Term, Var};
use lift_core::ir::typed::{ParameterType, Program};

/// More statements of a kernel are not executed.
const MOST_STATEMENTS: u32 = 20_000;

/// The numbers of one call.
pub(crate) struct Machine<'c> {
    pub(crate) variables: BTreeMap<Var, i128>,
    /// Those of them that are passed as such.
    passed: BTreeSet<Var>,
    /// The largest distance from 0 of everything that was computed.
    pub(crate) largest: u128,
    /// A number below another one.
    choose: &'c mut dyn FnMut(u128) -> u128,
    /// The work-items of the kernel at hand, and of its groups.
    launch: [(i128, i128); 3],
    statements: u32,
}

impl<'c> Machine<'c> {
    pub(crate) fn new(
        program: &Program,
        variables: BTreeMap<Var, i128>,
        choose: &'c mut dyn FnMut(u128) -> u128,
    ) -> Self {
        // What a result is as long as is no number that is reduced.
        let lengths = program.body.ty.variables();
        let passed = program.parameters.iter().filter_map(|parameter| match &parameter.ty {
            ParameterType::Size(size) => Some(size.clone()).filter(|size| !lengths.contains(size)),
            ParameterType::Value(_) => None,
        });
        Machine {
            variables,
            passed: passed.collect(),
            largest: 0,
            choose,
            launch: [(1, 1); 3],
            statements: 0,
        }
    }

    /// The value of a formula; `None` where it has none, or where it leaves 128 bits.
    pub(crate) fn value(&mut self, nat: &Nat) -> Option<i128> {
        let mut terms = nat.terms().to_vec();
        terms.sort_by_key(|term| (term.coefficient < 0, term.factors.is_empty()));
        let mut sum = 0i128;
        for term in &terms {
            let value = self.product(term)?;
            sum = self.noted(sum.checked_add(value))?;
        }
        Some(sum)
    }

    fn noted(&mut self, value: Option<i128>) -> Option<i128> {
        self.largest = self.largest.max(value.map_or(u128::MAX, i128::unsigned_abs));
        value
    }

    fn product(&mut self, term: &Term) -> Option<i128> {
        let mut product = self.noted(Some(term.coefficient))?;
        for (atom, power) in &term.factors {
            for _ in 0..*power {
                let factor = self.atom(atom)?;
                product = self.noted(product.checked_mul(factor))?;
            }
        }
        Some(product)
    }

    fn atom(&mut self, atom: &Atom) -> Option<i128> {
        let value = match atom {
            Atom::Var(variable) => self.variables.get(variable).copied(),
            Atom::Divide(left, right) => self.value(left)?.checked_div_euclid(self.value(right)?),
            Atom::Modulo(left, right) => {
                let divisor = self.value(right)?;
                self.dividend(left, divisor)?.checked_rem_euclid(divisor)
            }
            Atom::Minimum(left, right) => Some(self.value(left)?.min(self.value(right)?)),
            Atom::Maximum(left, right) => Some(self.value(left)?.max(self.value(right)?)),
            Atom::Power(base, exponent) => {
                let exponent = u32::try_from(self.value(exponent)?).ok()?;
                let base = self.value(base)?;
                return self.noted(base.checked_pow(exponent));
            }
            Atom::Log2(operand) => self.value(operand)?.checked_ilog2().map(i128::from),
            // Printed is a closed form of it, which is another formula.
            Atom::Sum { .. } => {
                return nat_of(atom).evaluate(&|variable| self.variables.get(variable).copied());
            }
            Atom::Select(condition, then, otherwise) => {
                return match self.holds(condition)? {
                    true => self.value(then),
                    false => self.value(otherwise),
                };
            }
        };
        self.noted(Some(value?))
    }

    /// A dividend as printers print it: sizes that are passed are reduced before they are added.
    fn dividend(&mut self, dividend: &Nat, divisor: i128) -> Option<i128> {
        let is_passed = |variable: &Var| self.passed.contains(variable);
        let passed = |term: &Term| match term.factors.as_slice() {
            [(Atom::Var(variable), 1)] if is_passed(variable) => Some(variable.clone()),
            _ => None,
        };
        let (all, rest): (Vec<Term>, Vec<Term>) =
            dividend.terms().iter().cloned().partition(|term| passed(term).is_some());
        if dividend.as_variable().is_some() {
            return self.value(dividend);
        }
        let reduced: Vec<(i128, Var)> =
            all.iter().filter_map(|term| Some((term.coefficient, passed(term)?))).collect();
        let mut sum = 0i128;
        for (coefficient, variable) in reduced {
            let remainder = self.variables.get(&variable)?.checked_rem_euclid(divisor)?;
            let product = self.noted(coefficient.checked_mul(remainder))?;
            sum = self.noted(sum.checked_add(product))?;
        }
        for term in &rest {
            let product = self.product(term)?;
            sum = self.noted(sum.checked_add(product))?;
        }
        Some(sum)
    }

    /// Whether a comparison holds; `None` where an operand has no value.
    pub(crate) fn holds(&mut self, condition: &Condition) -> Option<bool> {
        Some(match condition {
            Condition::Less(left, right) => self.value(left)? < self.value(right)?,
            Condition::LessOrEqual(left, right) => self.value(left)? <= self.value(right)?,
            Condition::Equal(left, right) => self.value(left)? == self.value(right)?,
            Condition::And(left, right) => self.holds(left)? && self.holds(right)?,
            Condition::Or(left, right) => self.holds(left)? || self.holds(right)?,
            Condition::Not(inner) => !self.holds(inner)?,
        })
    }

    /// A kernel of a device.
    pub(crate) fn kernel(&mut self, kernel: &Kernel) {
        self.statements = 0;
        for (dimension, place) in (0..).zip(kernel.local) {
            // A launcher computes it.
            let known = |variable: &Var| self.variables.get(variable).copied();
            let items: Option<i128> =
                kernel.global.get::<usize>(dimension).and_then(|items| items.evaluate(&known));
            let local = i128::from(place).max(1);
            let groups = (items.unwrap_or(0) + local - 1).div_euclid(local);
            if groups <= 0 {
                return;
            }
            self.launch[dimension] = (groups * local, local);
        }
        self.block(&kernel.body);
    }

    fn workers(&self, workers: Workers) -> i128 {
        let of = |dimension: u8| self.launch[usize::from(dimension)];
        match workers {
            Workers::Sequential => 1,
            Workers::Global(dimension) => of(dimension).0,
            Workers::WorkGroup(dimension) => of(dimension).0 / of(dimension).1,
            Workers::Local(dimension) => of(dimension).1,
        }
    }

    /// The first, the last and some other of the numbers below one.
    fn some_below(&mut self, end: i128) -> Vec<i128> {
        let Ok(count) = u128::try_from(end) else { return Vec::new() };
        if count == 0 {
            return Vec::new();
        }
        let other = (self.choose)(count);
        let mut chosen = vec![0, end - 1, i128::try_from(other).unwrap_or(0)];
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    fn block(&mut self, block: &[Statement]) {
        for (position, statement) in block.iter().enumerate() {
            self.statements += 1;
            if self.statements > MOST_STATEMENTS {
                return;
            }
            if let Statement::DeclareWorker { index, workers, .. } = statement {
                let rest = block.get(position + 1..).unwrap_or_default();
                let count = self.workers(*workers);
                return self.for_each(index, count, &mut |machine| machine.block(rest));
            }
            if let Statement::DeclareIndex { index, length, value } = statement {
                self.expression(value);
                let rest = block.get(position + 1..).unwrap_or_default();
                let count = self.value(length).unwrap_or(0);
                return self.for_each(index, count, &mut |machine| machine.block(rest));
            }
            self.statement(statement);
        }
    }

    fn for_each(&mut self, index: &Var, end: i128, body: &mut dyn FnMut(&mut Self)) {
        for step in self.some_below(end) {
            let before = self.variables.insert(index.clone(), step);
            body(self);
            match before {
                Some(before) => self.variables.insert(index.clone(), before),
                None => self.variables.remove(index),
            };
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Store(_, index, value) | Statement::Update { index, value, .. } => {
                self.value(index);
                self.expression(value);
            }
            Statement::DeclareValue { index, value, .. } => {
                match self.value(value) {
                    Some(value) => self.variables.insert(index.clone(), value),
                    None => self.variables.remove(index),
                };
            }
            Statement::Loop(Loop { index, extent, body, .. }) => {
                if let Some(extent) = self.value(extent) {
                    self.for_each(index, extent, &mut |machine| machine.block(body));
                }
            }
            Statement::If(Expression::Condition(condition), then, otherwise) => match self.holds(condition) {
                Some(true) => self.block(then),
                Some(false) => self.block(otherwise),
                None => {}
            },
            Statement::If(condition, then, otherwise) => {
                self.expression(condition);
                self.block(then);
                self.block(otherwise);
            }
            Statement::Declare(_, value) => value.iter().for_each(|value| self.expression(value)),
            Statement::Assign(_, value) | Statement::BreakUnless(value) => self.expression(value),
            Statement::CallFunction { arguments, .. } => {
                arguments.iter().for_each(|argument| self.expression(argument));
            }
            Statement::Comment(_)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::Barrier { .. } => {}
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Index(nat, _) | Expression::Load(_, nat, _) => {
                self.value(nat);
            }
            Expression::Condition(condition) => {
                self.holds(condition);
            }
            Expression::Select(condition, then, otherwise) => {
                if let Expression::Condition(condition) = condition.as_ref() {
                    match self.holds(condition) {
                        Some(true) => self.expression(then),
                        Some(false) => self.expression(otherwise),
                        None => {}
                    }
                    return;
                }
                [condition, then, otherwise].into_iter().for_each(|part| self.expression(part));
            }
            other => other.children().into_iter().for_each(|part| self.expression(part)),
        }
    }

    /// A kernel of the host.
    pub(crate) fn host_kernel(&mut self, kernel: &HostKernel) {
        self.statements = 0;
        self.tasks(&kernel.tasks);
    }

    fn tasks(&mut self, tasks: &[Task]) {
        for (position, task) in tasks.iter().enumerate() {
            match task {
                Task::Plain(statement) => match statement {
                    Statement::DeclareIndex { index, length, .. } => {
                        let rest = tasks.get(position + 1..).unwrap_or_default();
                        let count = self.value(length).unwrap_or(0);
                        return self.for_each(index, count, &mut |machine| machine.tasks(rest));
                    }
                    statement => self.statement(statement),
                },
                Task::For { index, bounds, body, .. } => {
                    self.positions(index, bounds, &mut |machine| machine.tasks(body));
                }
                Task::If(condition, then, otherwise) => {
                    self.expression(condition);
                    self.tasks(then);
                    self.tasks(otherwise);
                }
                Task::Parallel(parallel) => self.parallel(&parallel.loops, &parallel.body),
                Task::Strips(strips) => self.strips(strips),
                Task::Blocks(blocks) => {
                    self.strips(&blocks.together);
                    self.strips(&blocks.alone);
                }
            }
        }
    }

    fn parallel(&mut self, loops: &[(Var, Nat)], body: &[Task]) {
        match loops {
            [] => self.tasks(body),
            [(index, extent), rest @ ..] => {
                if let Some(extent) = self.value(extent) {
                    self.for_each(index, extent, &mut |machine| machine.parallel(rest, body));
                }
            }
        }
    }

    fn positions(&mut self, index: &Var, bounds: &Bounds, body: &mut dyn FnMut(&mut Self)) {
        match bounds {
            Bounds::Whole(extent) => {
                if let Some(extent) = self.value(extent) {
                    self.for_each(index, extent, body);
                }
            }
            // The loop that is divided has chosen one.
            Bounds::Part => body(self),
        }
    }

    fn strips(&mut self, strips: &Strips) {
        for bound in strips.interior.first.iter().chain(&strips.interior.end) {
            self.value(bound);
        }
        self.positions(&strips.index, &strips.bounds, &mut |machine| {
            if !strips.reach_all {
                machine.block(&strips.single);
            }
            machine.lane_tasks(&strips.strip.tasks);
            if let Some(narrow) = &strips.narrow {
                machine.lane_tasks(&narrow.strip.tasks);
            }
        });
    }

    fn lane_tasks(&mut self, tasks: &[LaneTask]) {
        for task in tasks {
            match task {
                LaneTask::Lanes(statements) => self.block(statements),
                LaneTask::For { index, extent, body, .. } => {
                    if let Some(extent) = self.value(extent) {
                        self.for_each(index, extent, &mut |machine| machine.lane_tasks(body));
                    }
                }
                LaneTask::Least { least, extent, .. } => {
                    match self.value(extent) {
                        Some(extent) => self.variables.insert(least.clone(), extent),
                        None => self.variables.remove(least),
                    };
                }
                LaneTask::Rest { left, statements, .. } => {
                    if self.value(left).is_some_and(|left| left > 0) {
                        self.block(statements);
                    }
                }
                LaneTask::If(condition, then, otherwise) => {
                    self.expression(condition);
                    self.lane_tasks(then);
                    self.lane_tasks(otherwise);
                }
            }
        }
    }
}

fn nat_of(atom: &Atom) -> Nat {
    match atom {
        Atom::Sum { index, from, to, body } => Nat::sum(index, from, to, body),
        _ => Nat::zero(),
    }
}
