//! Prints expressions in Rust. Operators are used where Rust's have the language's meaning. Everything else
//! is a function of the runtime (`number`), so that kernels with open element types read like all others.

use super::index::RustIndexPrinter;
use super::lane_scope::LaneScope;
use super::scalar_type;
use crate::ir::kernel::{BufferId, BufferRole, Expression, Module, ValueType, Variable};
use crate::ir::nat::Nat;
use crate::ir::primitive::builtin::{Builtin, Native};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::ir::typed::Rounding;
use crate::print::index::IndexPrinter;
use crate::print::problem::Problem;
use crate::print::text::{Strength, Text};

/// Prints expressions in a scope of a kernel.
pub(super) struct ExpressionPrinter<'p> {
    pub(super) module: &'p Module,
    pub(super) scope: &'p LaneScope,
    pub(super) index: RustIndexPrinter<'p>,
}

impl ExpressionPrinter<'_> {
    /// Prints an expression.
    pub(super) fn expression(&mut self, expression: &Expression) -> Text {
        match expression {
            Expression::Literal(literal, ty) => self.literal(literal, *ty),
            Expression::Variable(variable) => Text::new(self.variable(variable), Strength::Atom),
            Expression::Index(nat, ty) => {
                let index = self.index.nat(nat).bare();
                call(&format!("number::from_index::<{}>", scalar_type(*ty)), &[index])
            }
            Expression::Condition(condition) => self.index.condition(condition),
            Expression::WorkerId(_) => {
                let problem = "the number of a work-item has no meaning on the host".to_string();
                self.index.problems.push(Problem::Inconsistency(problem));
                Text::new("0", Strength::Atom)
            }
            Expression::Load(buffer, index, ty) => self.load(*buffer, index, *ty),
            Expression::Broadcast(operand, lanes) => {
                let operand = self.expression(operand).bare();
                Text::new(format!("[{operand}; {lanes}]"), Strength::Atom)
            }
            Expression::Components(components) => {
                Text::new(format!("[{}]", self.list(components).join(", ")), Strength::Atom)
            }
            Expression::Component(vector, lane) => {
                let vector = self.expression(vector).at(Strength::Atom);
                Text::new(format!("{vector}[{lane}]"), Strength::Atom)
            }
            Expression::Unary(operator, operand) => self.unary(*operator, operand),
            Expression::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expression::Builtin(builtin, arguments) => self.builtin(*builtin, arguments),
            Expression::Function(function, arguments, _) => self.call_function(*function, arguments),
            Expression::Select(condition, then, otherwise) if condition.ty().lanes > 1 => {
                let parts = [condition.as_ref(), then.as_ref(), otherwise.as_ref()];
                self.by_lanes(&parts, "__lift_host::number::select")
            }
            Expression::Select(condition, then, otherwise) => {
                let condition = self.expression(condition).bare();
                let (then, otherwise) = (self.expression(then).bare(), self.expression(otherwise).bare());
                Text::new(format!("(if {condition} {{ {then} }} else {{ {otherwise} }})"), Strength::Atom)
            }
            Expression::Cast(to, operand) => self.cast(*to, operand),
        }
    }

    /// The text that reads or writes a variable here.
    pub(super) fn variable(&self, variable: &Variable) -> String {
        let name = self.index.names.variable(&variable.name);
        if self.scope.varies(&variable.name) { self.scope.lane_of(&name) } else { name }
    }

    pub(super) fn list(&mut self, expressions: &[Expression]) -> Vec<String> {
        expressions.iter().map(|expression| self.expression(expression).bare()).collect()
    }

    /// Prints a call of a user function.
    pub(super) fn call_function(&mut self, function: usize, arguments: &[Expression]) -> Text {
        let name = self.module.functions.get(function).map_or("?", |function| &*function.name);
        let name = self.index.names.function(name);
        Text::new(format!("{name}({})", self.list(arguments).join(", ")), Strength::Atom)
    }

    /// Prints an element, or the vector that begins there.
    fn load(&mut self, buffer: BufferId, index: &Nat, ty: ValueType) -> Text {
        if let Some(text) = self.scope.load(buffer, index) {
            return Text::new(text, Strength::Atom);
        }
        let Some(described) = self.module.buffers.get(buffer.0) else {
            return Text::new("?", Strength::Atom);
        };
        let renamed = self.scope.array(buffer).map(str::to_owned);
        let name = renamed.unwrap_or_else(|| self.index.names.variable(&described.name));
        let index = self.index.nat(index);
        if self.scope.owns(buffer) {
            return Text::new(format!("{name}[({}) as usize][lane]", index.bare()), Strength::Atom);
        }
        let index = index.bare();
        let is_slice = matches!(described.role, BufferRole::Parameter(_) | BufferRole::Constant(_));
        let lanes = ty.lanes;
        Text::new(
            match (is_slice, lanes) {
                (true, 1) => format!("__lift_host::at({name}, {index})"),
                (true, _) => format!("*__lift_host::row::<_, {lanes}>({name}, {index})"),
                (false, 1) => format!("{name}.get({index})"),
                (false, _) => format!("__lift_host::number::lanes::load({name}.row::<{lanes}>({index}))"),
            },
            if is_slice && lanes > 1 { Strength::Unary } else { Strength::Atom },
        )
    }

    fn literal(&mut self, literal: &Literal, ty: ScalarType) -> Text {
        let name = scalar_type(ty);
        let has_literals = !matches!(ty, ScalarType::Parameter(_) | ScalarType::F16);
        let text = match literal {
            Literal::Bool(value) => value.to_string(),
            Literal::Integer(value) if ty == ScalarType::Bool => (*value != 0).to_string(),
            Literal::Integer(value) if has_literals => format!("{value}{name}"),
            Literal::Integer(value) => format!("__lift_host::number::integer::<{name}>({value})"),
            Literal::Float(digits) => match ty {
                ScalarType::F32 => digits.parse::<f32>().map_or_else(|_| digits.to_string(), single),
                ScalarType::F64 => digits.parse::<f64>().map_or_else(|_| digits.to_string(), double),
                _ => {
                    let (f32, f64) = (digits.parse::<f32>(), digits.parse::<f64>());
                    let (f32, f64) = (
                        f32.map_or_else(|_| "0.0".into(), single),
                        f64.map_or_else(|_| "0.0".into(), double),
                    );
                    format!("__lift_host::number::float::<{name}>({f32}, {f64})")
                }
            },
        };
        let strength = if text.starts_with('-') { Strength::Unary } else { Strength::Atom };
        Text::new(text, strength)
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expression) -> Text {
        let ValueType { scalar, lanes } = operand.ty();
        if lanes > 1 {
            let function = match operator {
                UnaryOperator::Negate => "__lift_host::number::negate",
                UnaryOperator::Not => "|x| !x",
            };
            return self.by_lanes(&[operand], function);
        }
        match operator {
            UnaryOperator::Negate if !has_operators(scalar) => {
                let operand = self.expression(operand).bare();
                call("number::negate", &[operand])
            }
            UnaryOperator::Negate => {
                Text::new(format!("-{}", self.expression(operand).at(Strength::Atom)), Strength::Unary)
            }
            UnaryOperator::Not => {
                Text::new(format!("!{}", self.expression(operand).at(Strength::Atom)), Strength::Unary)
            }
        }
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Expression, right: &Expression) -> Text {
        let ValueType { scalar, lanes } = left.ty();
        if lanes > 1 {
            let function = match operator.is_arithmetic() {
                true => format!("__lift_host::number::{}", operator.name()),
                false => format!("|x, y| x {} y", operator.symbol()),
            };
            return self.by_lanes(&[left, right], &function);
        }
        if operator.is_arithmetic() && !has_operators(scalar) {
            let operands = [self.expression(left).bare(), self.expression(right).bare()];
            return call(&format!("number::{}", operator.name()), &operands);
        }
        let strength = Strength::from(operator);
        let inner = match strength {
            Strength::Sum => Strength::Product,
            Strength::Equality | Strength::Comparison => Strength::Sum,
            Strength::Product
            | Strength::Bits
            | Strength::And
            | Strength::Or
            | Strength::Choice
            | Strength::Unary
            | Strength::Atom => Strength::Unary,
        };
        // `a - b - c` groups to the left; comparisons and logic are parenthesised.
        let repeats = strength == Strength::Bits
            && matches!(left, Expression::Binary(applied, ..) if *applied == operator);
        let outer = if strength >= Strength::Sum || repeats { strength } else { inner };
        let left = self.expression(left).at(outer);
        let right = self.expression(right).at(inner);
        Text::new(format!("{left} {} {right}", operator.symbol()), strength)
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &[Expression]) -> Text {
        let lanes = arguments.iter().map(|argument| argument.ty().lanes).max().unwrap_or(1);
        if builtin == Builtin::Dot && lanes > 1 {
            let arguments = self.list(arguments);
            return call("number::lanes::dot", &arguments);
        }
        let is_strict = self.module.rounding == Rounding::Strict;
        if let (true, Builtin::ClampValue, [value, low, high]) = (is_strict, builtin, arguments) {
            let lower = Expression::Builtin(Builtin::Max, vec![value.clone(), low.clone()]);
            return self.builtin(Builtin::Min, &[lower, high.clone()]);
        }
        let function = function(builtin, self.module.rounding);
        if lanes > 1 {
            let arguments: Vec<Expression> =
                arguments.iter().map(|argument| widened(argument, lanes)).collect();
            let parts: Vec<&Expression> = arguments.iter().collect();
            return self.by_lanes(&parts, &function);
        }
        Text::new(format!("{function}({})", self.list(arguments).join(", ")), Strength::Atom)
    }

    fn cast(&mut self, to: ScalarType, operand: &Expression) -> Text {
        let ValueType { scalar: from, lanes } = operand.ty();
        let function = format!("__lift_host::number::cast::<{}, {}>", scalar_type(to), scalar_type(from));
        if from == to {
            return self.expression(operand);
        }
        if lanes > 1 {
            return self.by_lanes(&[operand], &function);
        }
        let operand = self.expression(operand).bare();
        Text::new(format!("{function}({operand})"), Strength::Atom)
    }

    /// Prints a function of scalars, component by component.
    fn by_lanes(&mut self, operands: &[&Expression], function: &str) -> Text {
        let mut arguments: Vec<String> =
            operands.iter().map(|operand| self.expression(operand).bare()).collect();
        let name = match operands.len() {
            1 => "number::lanes::map",
            2 => "number::lanes::map2",
            _ => "number::lanes::map3",
        };
        arguments.push(function.to_string());
        call(name, &arguments)
    }
}

/// The Rust function for a built-in one on scalars. The host has no faster ones where imprecise results are
/// allowed. In strict programs -0.0 is smaller than 0.0.
fn function(builtin: Builtin, rounding: Rounding) -> String {
    let name = match builtin {
        Builtin::Min if rounding == Rounding::Strict => "least",
        Builtin::Max if rounding == Rounding::Strict => "greatest",
        Builtin::Dot => "multiply",
        Builtin::Native(Native::Recip) => return "f32::recip".to_string(),
        Builtin::Native(native) => native.exact().map_or("divide", Builtin::host_name),
        exact => exact.host_name(),
    };
    format!("__lift_host::number::{name}")
}

fn call(function: &str, arguments: &[String]) -> Text {
    Text::new(format!("__lift_host::{function}({})", arguments.join(", ")), Strength::Atom)
}

/// A scalar beside vectors is the same in all components.
fn widened(expression: &Expression, lanes: u8) -> Expression {
    match expression.ty().lanes {
        1 => Expression::Broadcast(Box::new(expression.clone()), lanes),
        _ => expression.clone(),
    }
}

/// Whether Rust's arithmetic operators have the language's meaning for a type.
fn has_operators(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::F32 | ScalarType::F64)
}

fn single(value: f32) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "f32::INFINITY" } else { "f32::NEG_INFINITY" }.to_string();
    }
    format!("{value:?}f32")
}

fn double(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "f64::INFINITY" } else { "f64::NEG_INFINITY" }.to_string();
    }
    format!("{value:?}f64")
}
