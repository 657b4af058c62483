//! Prints kernels: what they read of their arguments, and their tasks.

use super::lane_scope::LaneScope;
use super::{Printer, scalar_type};
use crate::host::{Bounds, HostKernel, Parallel, Task};
use crate::ir::kernel::{BufferRole, KernelParameter, Statement};
use crate::ir::nat::{Ranges, Var};

/// The lints of clippy that generated functions silence. Rustc and most of clippy do not report what a macro
/// of another crate wrote. Generated code computes as the program says, so hints to compute otherwise help
/// nobody:
///
/// - `x = x + y` (`assign_op_pattern`), loops without iterations at constant sizes (`reversed_empty_ranges`,
///   which is denied by default), variables that both branches of a choice assign (`useless_let_if_seq`),
/// - comparisons of floats (`float_cmp`), products and sums without `mul_add`, which would round differently
///   (`suboptimal_flops`), constants of Rust as numbers (`approx_constant`) and NaN as a quotient
///   (`zero_divided_by_zero`),
/// - divisions, remainders and floats at all, which a crate may forbid in its authors' code (the others).
pub(super) const ALLOWED: &str = "#[allow(clippy::assign_op_pattern, clippy::reversed_empty_ranges, clippy::useless_let_if_seq, clippy::float_cmp, \
    clippy::suboptimal_flops, clippy::float_arithmetic, clippy::integer_division, clippy::integer_division_remainder_used, \
    clippy::modulo_arithmetic, clippy::int_plus_one, clippy::approx_constant, clippy::zero_divided_by_zero, \
    reason = \"generated code computes as the program says\")]";

impl Printer<'_> {
    /// Prints the function of a kernel, and returns the line at which its body begins.
    pub(super) fn kernel(&mut self, kernel: &HostKernel, entry: &str, ranges: &Ranges) -> usize {
        let head = format!(
            "fn {entry}{}(arguments: &__lift_host::Arguments<'_>) -> ::core::result::Result<(), __lift_host::Mismatch> ",
            self.names.generics
        );
        self.line(ALLOWED);
        let body = self.lines.len() + 1;
        self.braced(head, |printer| {
            for (position, parameter) in kernel.parameters.iter().enumerate() {
                printer.parameter(position, parameter);
            }
            printer.tables();
            kernel.memories.iter().for_each(|memory| printer.memory(*memory));
            printer.tasks(&kernel.tasks, ranges);
            printer.line("::core::result::Result::Ok(())");
        });
        body
    }

    fn parameter(&mut self, position: usize, parameter: &KernelParameter) {
        match parameter {
            KernelParameter::Buffer(id) => {
                let Some(buffer) = self.module.buffers.get(id.0) else { return };
                let (name, element) = (self.names.variable(&buffer.name), scalar_type(buffer.element));
                let method = if matches!(buffer.role, BufferRole::Parameter(_)) { "read" } else { "shared" };
                self.line(format!("let {name} = arguments.{method}::<{element}>({position})?;"));
            }
            KernelParameter::Scalar(_, variable) => {
                let (name, element) = (self.names.variable(&variable.name), scalar_type(variable.ty.scalar));
                self.line(match variable.ty.lanes {
                    1 => format!("let {name} = arguments.scalar::<{element}>({position})?;"),
                    lanes => format!("let {name} = arguments.vector::<{element}, {lanes}>({position})?;"),
                });
            }
            KernelParameter::Size(size) => {
                self.line(format!("let {} = arguments.size({position})?;", self.names.index(size)));
            }
        }
    }

    /// Prints constant tables.
    fn tables(&mut self) {
        for buffer in &self.module.buffers {
            let BufferRole::Constant(values) = &buffer.role else { continue };
            let (scope, ranges) = (LaneScope::default(), self.interface.ranges);
            let values: Vec<String> = values
                .iter()
                .map(|value| {
                    let literal = crate::ir::kernel::Expression::Literal(value.clone(), buffer.element);
                    self.expression(&literal, &scope, ranges)
                })
                .collect();
            let (name, element) = (self.names.variable(&buffer.name), scalar_type(buffer.element));
            self.line(format!("let {name}: &[{element}] = &[{}];", values.join(", ")));
        }
    }

    pub(super) fn tasks(&mut self, tasks: &[Task], ranges: &Ranges) {
        let mut ranges = ranges.clone();
        for task in tasks {
            match task {
                Task::Plain(statement) => {
                    self.note_data(statement);
                    self.statement(statement, &LaneScope::default(), &ranges);
                    ranges.learn(statement);
                }
                Task::For { index, bounds, origin, body } => {
                    self.comment(origin);
                    let (from, to) = self.bounds(index, bounds, &ranges);
                    self.declare_position(index, bounds, &ranges);
                    let inside = inside(index, bounds, &ranges);
                    let head = format!("for {} in {from}..{to} ", self.names.index(index));
                    match (self.statements_over_data(bounds, body), bounds) {
                        (Some(body), Bounds::Whole(extent)) => {
                            let scope = LaneScope::default();
                            let scope = self.slices_of_data((index, extent), &body, &scope, &ranges);
                            self.braced(head, |printer| printer.statements(&body, &scope, &inside));
                        }
                        _ => self.braced(head, |printer| printer.tasks(body, &inside)),
                    }
                }
                Task::If(condition, then, otherwise) => {
                    let condition = self.expression(condition, &LaneScope::default(), &ranges);
                    self.braced(format!("if {condition} "), |printer| printer.tasks(then, &ranges));
                    if !otherwise.is_empty() {
                        self.braced("else ", |printer| printer.tasks(otherwise, &ranges));
                    }
                }
                Task::Parallel(parallel) => self.parallel(parallel, &ranges),
                Task::Strips(strips) => self.strips(strips, None, &ranges),
                Task::Blocks(blocks) => self.blocks(blocks, &ranges),
            }
        }
    }

    /// Declares the reach of the index of a loop to the extents; indices of parts were declared with the loop
    /// that is divided.
    pub(super) fn declare_position(&mut self, index: &Var, bounds: &Bounds, ranges: &Ranges) {
        if let Bounds::Whole(extent) = bounds {
            self.extents.declare(index, extent, ranges);
        }
    }

    /// The first position of a loop, and the one after its last.
    pub(super) fn bounds(&mut self, index: &Var, bounds: &Bounds, ranges: &Ranges) -> (String, String) {
        match bounds {
            Bounds::Whole(extent) => {
                let extent = self.nat(extent, ranges);
                ("0".to_string(), extent)
            }
            Bounds::Part => {
                let name = self.names.index(index);
                (format!("{name}part.start"), format!("{name}part.end"))
            }
        }
    }

    fn parallel(&mut self, parallel: &Parallel, ranges: &Ranges) {
        self.comment(&parallel.origin);
        let mut inside = ranges.clone();
        let extents: Vec<String> =
            parallel.loops.iter().map(|(_, extent)| self.nat(extent, ranges)).collect();
        let parts: Vec<String> = parallel
            .loops
            .iter()
            .map(|(index, extent)| {
                self.extents.declare(index, extent, ranges);
                inside = inside.in_steps(index, Some(extent));
                format!("{}part: __lift_host::Part", self.names.index(index))
            })
            .collect();
        for buffer in &parallel.copies {
            let Some(described) = self.module.buffers.get(buffer.0) else { continue };
            let name = self.names.variable(&described.name);
            self.line(format!("let {name}kept = {name}.to_vec();"));
        }
        let function = if extents.len() > 1 { "parallel2" } else { "parallel" };
        self.line(format!(
            "__lift_host::{function}({}, #[inline(always)] |{}| {{",
            extents.join(", "),
            parts.join(", ")
        ));
        self.depth += 1;
        for buffer in &parallel.copies {
            let Some(described) = self.module.buffers.get(buffer.0) else { continue };
            let name = self.names.variable(&described.name);
            self.memory_over(&name, &format!("{name}kept.clone()"));
        }
        parallel.memories.iter().for_each(|memory| self.memory(*memory));
        self.tasks(&parallel.body, &inside);
        self.depth -= 1;
        self.line("});");
    }

    /// Prints statements outside of all strips.
    pub(super) fn plain(&mut self, statements: &[Statement], ranges: &Ranges) {
        self.statements(statements, &LaneScope::default(), ranges);
    }
}

/// What is known inside a loop. The indices of parts are declared already.
fn inside(index: &Var, bounds: &Bounds, ranges: &Ranges) -> Ranges {
    match bounds {
        Bounds::Whole(extent) => ranges.in_steps(index, Some(extent)),
        Bounds::Part => ranges.clone(),
    }
}
