//! Prints statements of one position, or of one lane.

use std::borrow::Cow;

use super::expression::ExpressionPrinter;
use super::index::RustIndexPrinter;
use super::lane_scope::LaneScope;
use super::{Printer, scalar_type, value_type};
use crate::ir::kernel::{BufferId, Expression, Function, Statement, ValueType, Variable};
use crate::ir::nat::{Nat, Ranges};
use crate::ir::scalar::ScalarType;
use crate::print::index::IndexPrinter;
use crate::print::problem::Problem;

/// The largest number of elements of an array on the stack.
const MOST_ON_STACK: i128 = 2048;

impl Printer<'_> {
    /// Runs a printer of expressions with the ranges that hold here.
    pub(super) fn with_printer<T>(
        &mut self,
        scope: &LaneScope,
        ranges: &Ranges,
        print: impl FnOnce(&mut ExpressionPrinter<'_>) -> T,
    ) -> T {
        let (names, problems) = (self.names, &mut self.problems);
        let index = RustIndexPrinter { names, ranges, extents: self.extents, problems };
        print(&mut ExpressionPrinter { module: self.module, scope, index })
    }

    pub(super) fn expression(
        &mut self,
        expression: &Expression,
        scope: &LaneScope,
        ranges: &Ranges,
    ) -> String {
        self.with_printer(scope, ranges, |printer| printer.expression(expression).bare())
    }

    pub(super) fn nat(&mut self, nat: &Nat, ranges: &Ranges) -> String {
        self.with_printer(&LaneScope::default(), ranges, |printer| printer.index.nat(nat).bare())
    }

    /// Prints statements in a block of their own.
    pub(super) fn statements(&mut self, statements: &[Statement], scope: &LaneScope, ranges: &Ranges) {
        let (mut ranges, mut scope) = (ranges.clone(), Cow::Borrowed(scope));
        for (position, statement) in statements.iter().enumerate() {
            self.note_data(statement);
            match statement {
                Statement::DeclareIndex { index, value, length }
                    if let Some(array) =
                        self.looked_up(index, length, &statements[position + 1..], &scope) =>
                {
                    let (_, value) = self.position_from_data(value, &scope, &ranges);
                    let text = self.nearest_element(array, &value, &scope);
                    scope.to_mut().read_by(array, Nat::variable(index), text);
                    self.extents.declare(index, length, &ranges);
                }
                _ => self.statement(statement, &scope, &ranges),
            }
            ranges.learn(statement);
        }
    }

    /// A value as a position, and the function that clamps it into an array.
    fn position_from_data(
        &mut self,
        value: &Expression,
        scope: &LaneScope,
        ranges: &Ranges,
    ) -> (&'static str, String) {
        let of_type = value.ty().scalar;
        match of_type {
            // Not every value of these types is an `i64`.
            ScalarType::U64 | ScalarType::Parameter(_) => {
                let value = self.expression(value, scope, ranges);
                ("clamped", format!("__lift_host::index::position({value})"))
            }
            ScalarType::Bool
            | ScalarType::I8
            | ScalarType::U8
            | ScalarType::I16
            | ScalarType::U16
            | ScalarType::I32
            | ScalarType::U32
            | ScalarType::I64
            | ScalarType::F16
            | ScalarType::F32
            | ScalarType::F64 => {
                let value = Expression::Cast(ScalarType::I64, Box::new(value.clone()));
                let is_natural = of_type.integer_limits().is_some_and(|(least, _)| least == 0);
                let function = if is_natural { "at_most_last" } else { "clamped" };
                (function, self.expression(&value, scope, ranges))
            }
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement, scope: &LaneScope, ranges: &Ranges) {
        match statement {
            Statement::Comment(text) => self.comment(text),
            Statement::Declare(variable, value) => self.declare(variable, value.as_ref(), scope, ranges),
            // A strip declares the arrays of its lanes, before all its loops.
            Statement::DeclareBuffer(buffer) if scope.owns(*buffer) => {}
            Statement::DeclareBuffer(buffer) => self.memory(*buffer),
            Statement::DeclareIndex { index, value, length } => {
                let length_text = self.nat(length, ranges);
                let (function, value) = self.position_from_data(value, scope, ranges);
                let name = self.names.index(index);
                self.line(format!("let {name} = __lift_host::index::{function}({value}, {length_text});"));
                self.extents.declare(index, length, ranges);
                if scope.index_varies(index) {
                    self.line(format!("{name}lanes[lane] = {name};"));
                }
            }
            Statement::DeclareValue { index, value, bound } => {
                self.extents.declare_value(index, value, bound.as_ref(), ranges);
                let (name, value) = (self.names.index(index), self.nat(value, ranges));
                self.line(format!("let {name} = {value};"));
                if scope.index_varies(index) {
                    self.line(format!("{name}lanes[lane] = {name};"));
                }
            }
            Statement::DeclareWorker { .. } | Statement::Barrier { .. } | Statement::Update { .. } => {
                let problem = "work-items have no numbers on the host, and share nothing".to_string();
                self.problems.push(Problem::Inconsistency(problem));
            }
            Statement::Assign(variable, value) => {
                let value = self.expression(value, scope, ranges);
                let name = self.with_printer(scope, ranges, |printer| printer.variable(variable));
                self.line(format!("{name} = {value};"));
            }
            Statement::Store(buffer, index, value) => self.store(*buffer, index, value, scope, ranges),
            Statement::CallFunction { results, function, arguments } => {
                let call = self.with_printer(scope, ranges, |printer| {
                    printer.call_function(*function, arguments).bare()
                });
                let fresh: Vec<String> =
                    (0..results.len()).map(|position| format!("part{position}")).collect();
                self.line(format!("let ({}) = {call};", fresh.join(", ")));
                for (variable, part) in results.iter().zip(fresh) {
                    self.bind(variable, &part, scope);
                }
            }
            Statement::Loop(repetition) => self.repetition(repetition, scope, ranges),
            Statement::BreakUnless(condition) => {
                let ends = self.expression(&condition.negated(), scope, ranges);
                self.braced(format!("if {ends} "), |printer| printer.line("break;"));
            }
            Statement::If(condition, then, otherwise) => {
                let inside = ranges.where_holds(condition);
                let condition = self.expression(condition, scope, ranges);
                self.braced(format!("if {condition} "), |printer| printer.statements(then, scope, &inside));
                if !otherwise.is_empty() {
                    self.braced("else ", |printer| printer.statements(otherwise, scope, ranges));
                }
            }
        }
    }

    fn declare(
        &mut self,
        variable: &Variable,
        value: Option<&Expression>,
        scope: &LaneScope,
        ranges: &Ranges,
    ) {
        let value = match value {
            Some(value) => self.expression(value, scope, ranges),
            None => zero(variable.ty),
        };
        self.bind(variable, &value, scope);
    }

    /// Gives a variable its first value.
    fn bind(&mut self, variable: &Variable, value: &str, scope: &LaneScope) {
        let name = self.names.variable(&variable.name);
        if scope.varies(&variable.name) {
            self.line(format!("{} = {value};", scope.lane_of(&name)));
        } else {
            self.line(format!("let mut {name}: {} = {value};", value_type(variable.ty)));
        }
    }

    fn store(
        &mut self,
        buffer: BufferId,
        index: &Nat,
        value: &Expression,
        scope: &LaneScope,
        ranges: &Ranges,
    ) {
        let Some(described) = self.module.buffers.get(buffer.0) else { return };
        let name = self.names.variable(&described.name);
        let lanes = value.ty().lanes;
        let value = self.expression(value, scope, ranges);
        if let Some(row) = scope.store(buffer, index) {
            return self.line(format!("{row}[lane].set({value});"));
        }
        let index = self.nat(index, ranges);
        if scope.owns(buffer) {
            self.line(format!("{name}[({index}) as usize][lane] = {value};"));
        } else if lanes > 1 {
            self.line(format!("__lift_host::number::lanes::store({name}.row::<{lanes}>({index}), {value});"));
        } else {
            self.line(format!("{name}.set({index}, {value});"));
        }
    }

    /// Declares an array that several parts of the code share.
    pub(super) fn memory(&mut self, buffer: BufferId) {
        let Some(described) = self.module.buffers.get(buffer.0) else { return };
        let Some(length) = described.length.as_constant() else {
            let problem = format!("the length of `{}` is not known during the build", described.name);
            self.problems.push(Problem::Inconsistency(problem));
            return;
        };
        let (name, element) = (self.names.variable(&described.name), scalar_type(described.element));
        let memory = match length <= MOST_ON_STACK {
            true => format!("[__lift_host::zero::<{element}>(); {length}]"),
            false => format!("__lift_host::memory::<{element}>({length})"),
        };
        self.memory_over(&name, &memory);
    }

    /// Declares an array whose elements lie in a variable of its own.
    pub(super) fn memory_over(&mut self, name: &str, elements: &str) {
        self.line(format!("let mut {name}memory = {elements};"));
        self.line(format!("let {name} = __lift_host::Cells::over(&mut {name}memory);"));
    }

    /// Prints a user function.
    pub(super) fn function(&mut self, function: &Function) {
        let types: Vec<String> = function.results.iter().map(|ty| value_type(*ty)).collect();
        let result = match types.as_slice() {
            [single] => single.clone(),
            several => format!("({})", several.join(", ")),
        };
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|parameter| {
                format!("mut {}: {}", self.names.variable(&parameter.name), value_type(parameter.ty))
            })
            .collect();
        let head =
            format!("fn {}_{}({}) -> {result} ", function.name, self.names.generics, parameters.join(", "));
        let (scope, ranges) = (LaneScope::default(), self.interface.ranges);
        self.line("#[inline(always)]");
        self.line(super::kernel::ALLOWED);
        self.braced(head, |printer| {
            printer.statements(&function.body, &scope, ranges);
            let values: Vec<String> =
                function.values.iter().map(|value| printer.expression(value, &scope, ranges)).collect();
            match values.as_slice() {
                [single] => printer.line(single),
                several => printer.line(format!("({})", several.join(", "))),
            }
        });
    }
}

/// The value of a variable before its first assignment.
pub(super) fn zero(ty: ValueType) -> String {
    let zero = format!("__lift_host::zero::<{}>()", scalar_type(ty.scalar));
    match ty.lanes {
        1 => zero,
        lanes => format!("[{zero}; {lanes}]"),
    }
}
