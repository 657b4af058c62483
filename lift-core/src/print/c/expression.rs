//! Expressions in C: scalars here, vectors in [`super::vector`].

use super::dialect::Dialect;
use super::helper::{Helper, NumberHelper};
use super::index::CIndexPrinter;
use super::literal::literal;
use super::promotion::{cut, has_16_bits, is_promoted, overflows};
use crate::ir::kernel::{Expression, Module, ValueType};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::print::index::IndexPrinter;
use crate::print::text::{Strength, Text};

/// Prints scalar expressions within known ranges.
pub(super) struct ExpressionPrinter<'p> {
    pub(super) module: &'p Module,
    pub(super) index: CIndexPrinter<'p>,
}

impl<'p> ExpressionPrinter<'p> {
    pub(super) fn dialect(&self) -> &'p dyn Dialect {
        self.index.dialect
    }

    /// Prints an expression as C.
    pub(super) fn expression(&mut self, expression: &Expression) -> Text {
        match expression {
            Expression::Literal(value, ty) => {
                let text = literal(self.dialect(), value, *ty);
                let strength = if text.starts_with(['-', '(']) { Strength::Unary } else { Strength::Atom };
                Text::new(text, strength)
            }
            Expression::Variable(variable) => Text::new(&*variable.name, Strength::Atom),
            Expression::Index(nat, ty) => {
                let index = self.index.nat(nat).at(Strength::Atom);
                Text::new(format!("({}){index}", self.dialect().type_name(*ty)), Strength::Unary)
            }
            Expression::Condition(condition) => self.index.condition(condition),
            Expression::WorkerId(workers) => Text::new(self.dialect().worker(*workers), Strength::Atom),
            Expression::Load(buffer, index, ty) => self.load(*buffer, index, *ty),
            Expression::Broadcast(operand, lanes) => self.broadcast(operand, *lanes),
            Expression::Components(components) => {
                let (ty, components) = (expression.ty(), self.list(components));
                self.vector_of(ty, &components)
            }
            Expression::Component(vector, lane) => {
                let vector = self.expression(vector).at(Strength::Atom);
                Text::new(format!("{vector}.{}", self.dialect().components(*lane..*lane + 1)), Strength::Atom)
            }
            Expression::Unary(operator, operand) => self.unary(*operator, operand),
            Expression::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expression::Builtin(builtin, arguments) => self.builtin(*builtin, arguments),
            Expression::Function(function, arguments, _) => {
                let name = self.module.functions.get(*function).map_or("?", |function| &*function.name);
                let arguments = self.list(arguments);
                Text::new(format!("{name}({arguments})"), Strength::Atom)
            }
            Expression::Select(condition, then, otherwise) if condition.ty().lanes > 1 => {
                self.choose(condition, then, otherwise)
            }
            Expression::Select(condition, then, otherwise) => {
                let text = self.conditional(condition, then, otherwise);
                self.of_type(then.ty(), text)
            }
            Expression::Cast(ty, operand) => self.cast(*ty, operand),
        }
    }

    /// Arguments, separated by commas.
    pub(super) fn list(&mut self, expressions: &[Expression]) -> String {
        let texts: Vec<String> =
            expressions.iter().map(|expression| self.expression(expression).bare()).collect();
        texts.join(", ")
    }

    pub(super) fn call(&mut self, name: &str, arguments: &[Expression]) -> Text {
        let arguments = self.list(arguments);
        Text::new(format!("{name}({arguments})"), Strength::Atom)
    }

    pub(super) fn helper(&mut self, helper: Helper, arguments: &[&Expression]) -> Text {
        let name = helper.name(self.dialect());
        self.index.helpers.extend(helper.needs());
        self.index.helpers.insert(helper);
        let arguments: Vec<String> =
            arguments.iter().map(|argument| self.expression(argument).bare()).collect();
        Text::new(format!("{name}({})", arguments.join(", ")), Strength::Atom)
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expression) -> Text {
        let ValueType { scalar: ty, lanes } = operand.ty();
        if let Some(text) = self.strict_unary(operator, operand) {
            return text;
        }
        if lanes > 1 {
            return self.unary_of_vector(operator, operand);
        }
        match operator {
            UnaryOperator::Negate if overflows(ty) => {
                let zero = Expression::Literal(Literal::Integer(0), ty);
                self.helper(Helper::Arithmetic(BinaryOperator::Subtract, ty), &[&zero, operand])
            }
            UnaryOperator::Negate => {
                let negated = self.expression(operand).at(Strength::Atom);
                self.wrapped(operand.ty(), Text::new(format!("-{negated}"), Strength::Unary))
            }
            UnaryOperator::Not if ty == ScalarType::Bool => {
                let operand = self.expression(operand).at(Strength::Atom);
                Text::new(format!("!{operand}"), Strength::Unary)
            }
            UnaryOperator::Not => {
                let inverted = self.expression(operand).at(Strength::Atom);
                self.cut_to(ty, Text::new(format!("~{inverted}"), Strength::Unary))
            }
        }
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Expression, right: &Expression) -> Text {
        let ValueType { scalar: ty, lanes } = left.ty();
        if let Some(text) = self.strict_binary(operator, left, right) {
            return text;
        }
        if lanes > 1 {
            return self.binary_of_vectors(operator, left, right);
        }
        match operator {
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply if overflows(ty) => {
                return self.helper(Helper::Arithmetic(operator, ty), &[left, right]);
            }
            BinaryOperator::Divide | BinaryOperator::Remainder
                if !ty.is_float() && !is_safe_divisor(right) =>
            {
                return self.helper(Helper::Arithmetic(operator, ty), &[left, right]);
            }
            BinaryOperator::Remainder if ty.is_float() => {
                return self.call("fmod", &[left.clone(), right.clone()]);
            }
            _ => {}
        }
        self.operation(operator, left, right)
    }

    /// Prints `left operator right` in C.
    pub(super) fn operation(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Text {
        let ty = left.ty();
        let strength = Strength::from(operator);
        let stronger = match strength {
            Strength::Product | Strength::Bits => Strength::Unary,
            Strength::Sum => Strength::Product,
            _ => Strength::Sum,
        };
        // `a - b - c` groups to the left as in Rust; comparisons and logic are parenthesised for the reader.
        let left_strength = match strength {
            Strength::Product | Strength::Sum | Strength::And | Strength::Or => strength,
            Strength::Bits if applies(left, operator) => strength,
            _ => stronger,
        };
        let right_strength =
            if matches!(strength, Strength::And | Strength::Or) { Strength::Equality } else { stronger };
        let left_strength = if matches!(strength, Strength::Or) { Strength::Equality } else { left_strength };
        let (left, right) = beside_each_other(left, right);
        let left = self.expression(left).at(left_strength);
        let right = self.expression(right).at(right_strength);
        let text = Text::new(format!("{left} {} {right}", operator.symbol()), strength);
        match operator {
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
                self.wrapped(ty, text)
            }
            BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr => {
                self.of_any_type(ty, text)
            }
            BinaryOperator::Divide | BinaryOperator::Remainder => self.of_type(ty, text),
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::And
            | BinaryOperator::Or => text,
        }
    }

    /// Prints `condition ? then : otherwise`, which C promotes. Nested choices are promoted once.
    fn conditional(&mut self, condition: &Expression, then: &Expression, otherwise: &Expression) -> Text {
        let condition = self.expression(condition).at(Strength::Or);
        let then = self.chosen(then).at(Strength::Or);
        let otherwise = self.chosen(otherwise).at(Strength::Choice);
        Text::new(format!("{condition} ? {then} : {otherwise}"), Strength::Choice)
    }

    fn chosen(&mut self, chosen: &Expression) -> Text {
        match chosen {
            Expression::Select(condition, then, otherwise) if condition.ty().lanes == 1 => {
                self.conditional(condition, then, otherwise)
            }
            other => self.expression(other),
        }
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &[Expression]) -> Text {
        let of = builtin.operand(arguments).map_or(ValueType::from(ScalarType::F32), Expression::ty);
        if let Some(text) = self.strict_builtin(builtin, of, arguments) {
            return text;
        }
        if of.lanes > 1
            && let Some(text) = self.builtin_of_vectors(builtin, of, arguments)
        {
            return text;
        }
        if let Some(text) = self.bits(builtin, arguments) {
            return text;
        }
        let ty = of.scalar;
        let number = match builtin {
            Builtin::Min => Some(NumberHelper::Min),
            Builtin::Max => Some(NumberHelper::Max),
            Builtin::Abs => Some(NumberHelper::Abs),
            Builtin::Sign => Some(NumberHelper::Sign),
            _ => None,
        };
        if let Some(number) = number {
            return self.number(number, ty, arguments);
        }
        match (builtin, arguments) {
            (Builtin::ClampValue, [value, low, high]) => {
                let lower = Expression::Builtin(Builtin::Max, vec![value.clone(), low.clone()]);
                self.builtin(Builtin::Min, &[lower, high.clone()])
            }
            (Builtin::Mad, [x, y, z]) if !ty.is_float() => {
                let product =
                    Expression::Binary(BinaryOperator::Multiply, Box::new(x.clone()), Box::new(y.clone()));
                self.binary(BinaryOperator::Add, &product, z)
            }
            (Builtin::Select, [condition, then, otherwise]) => self.expression(&Expression::Select(
                Box::new(condition.clone()),
                Box::new(then.clone()),
                Box::new(otherwise.clone()),
            )),
            (Builtin::Powi, _) => self.call("pown", arguments),
            (Builtin::IsNan, _) => self.test_of_floats("isnan", of.lanes, arguments),
            (Builtin::IsFinite, _) => self.test_of_floats("isfinite", of.lanes, arguments),
            _ => self.call(builtin.name(), arguments),
        }
    }

    /// What floats are. Of a scalar, C says it by 0 or 1, and of vectors by masks, as comparisons of them do.
    fn test_of_floats(&mut self, name: &str, lanes: u8, arguments: &[Expression]) -> Text {
        let holds = self.call(name, arguments);
        if lanes == 1 {
            return holds;
        }
        let truth = self.dialect().value_type_name(ValueType { scalar: ScalarType::Bool, lanes });
        Text::new(self.dialect().convert(&truth, &format!("-{}", holds.bare())), Strength::Atom)
    }

    fn number(&mut self, number: NumberHelper, ty: ScalarType, arguments: &[Expression]) -> Text {
        match number {
            _ if matches!(ty, ScalarType::Parameter(_)) && !ty.is_float() => {
                let arguments: Vec<&Expression> = arguments.iter().collect();
                self.helper(Helper::Number(number, ty), &arguments)
            }
            NumberHelper::Min => self.call(if ty.is_float() { "fmin" } else { "min" }, arguments),
            NumberHelper::Max => self.call(if ty.is_float() { "fmax" } else { "max" }, arguments),
            NumberHelper::Abs if ty.is_float() => self.call("fabs", arguments),
            NumberHelper::Abs if overflows(ty) => {
                let arguments: Vec<&Expression> = arguments.iter().collect();
                self.helper(Helper::Number(number, ty), &arguments)
            }
            // `abs` returns the unsigned type.
            NumberHelper::Abs => {
                let magnitude = self.call("abs", arguments).at(Strength::Atom);
                Text::new(format!("({}){magnitude}", self.dialect().type_name(ty)), Strength::Unary)
            }
            NumberHelper::Sign if ty.is_float() => self.call("sign", arguments),
            NumberHelper::Sign | NumberHelper::Least | NumberHelper::Greatest | NumberHelper::Negate => {
                let arguments: Vec<&Expression> = arguments.iter().collect();
                self.helper(Helper::Number(number, ty), &arguments)
            }
        }
    }

    /// A vector with these components, or with one value in all components.
    pub(super) fn vector_of(&self, ty: ValueType, components: &str) -> Text {
        let vector = self.dialect().value_type_name(ty);
        Text::new(self.dialect().vector(&vector, components), Strength::Unary)
    }

    /// Converts the result of a C operator or choice to its type. C promotes 8 and 16 bits to `int`, where
    /// nothing overflows. No overload of `min` takes an `int` beside a `char`, or beside a vector of `char`s.
    /// Vectors are not promoted.
    pub(super) fn of_type(&self, ty: ValueType, promoted: Text) -> Text {
        if is_promoted(ty.scalar) && ty.lanes == 1 {
            let ty = self.dialect().type_name(ty.scalar);
            return Text::new(format!("({ty})({})", promoted.bare()), Strength::Unary);
        }
        promoted
    }

    /// The same where the type may also be open, and so one that C promotes.
    fn of_any_type(&self, ty: ValueType, promoted: Text) -> Text {
        match (ty.scalar, ty.lanes) {
            (ScalarType::Parameter(_), 1) => {
                Text::new(cut(self.dialect(), ty.scalar, &promoted.bare()), Strength::Unary)
            }
            _ => self.of_type(ty, promoted),
        }
    }

    /// Cuts the bits of a scalar that C may have promoted to those of its type, which may be open.
    fn cut_to(&self, ty: ScalarType, promoted: Text) -> Text {
        let ty = ValueType::from(ty);
        if has_16_bits(ty.scalar) { self.wrapped(ty, promoted) } else { self.of_any_type(ty, promoted) }
    }

    /// Cuts the result of an operator that may be too large for its type.
    fn wrapped(&self, ty: ValueType, promoted: Text) -> Text {
        if has_16_bits(ty.scalar) && ty.lanes == 1 {
            return Text::new(cut(self.dialect(), ty.scalar, &promoted.bare()), Strength::Atom);
        }
        self.of_type(ty, promoted)
    }

    fn cast(&mut self, to: ScalarType, operand: &Expression) -> Text {
        let ValueType { scalar: from, lanes } = operand.ty();
        if lanes > 1 {
            return self.cast_vector(to, operand);
        }
        let is_float = from.is_float() || matches!(from, ScalarType::Parameter(_));
        if to.is_integer() && is_float && from != to {
            return self.helper(Helper::Cast(from, to), &[operand]);
        }
        if from == to {
            return self.expression(operand);
        }
        // An index fits 64 bits: converting it to these before another conversion changes nothing.
        let operand = match operand {
            Expression::Index(index, ScalarType::I64) => self.index.nat(index).at(Strength::Atom),
            _ => self.expression(operand).at(Strength::Atom),
        };
        Text::new(format!("({}){operand}", self.dialect().type_name(to)), Strength::Unary)
    }
}

/// Two operands as they are written. C widens a scalar beside a vector, unless the scalar has more bits than
/// an element of the vector. Every comparison has, because it is an `int`.
fn beside_each_other<'e>(left: &'e Expression, right: &'e Expression) -> (&'e Expression, &'e Expression) {
    let fills = |scalar: &Expression| scalar.ty().scalar != ScalarType::Bool;
    match (left, right) {
        (Expression::Broadcast(..), Expression::Broadcast(..)) => (left, right),
        (Expression::Broadcast(scalar, _), _) if fills(scalar) => (scalar, right),
        (_, Expression::Broadcast(scalar, _)) if fills(scalar) => (left, scalar),
        _ => (left, right),
    }
}

/// Whether an expression applies this operator.
fn applies(expression: &Expression, operator: BinaryOperator) -> bool {
    matches!(expression, Expression::Binary(applied, ..) if *applied == operator)
}

/// Whether division by this expression is defined for every dividend.
pub(super) fn is_safe_divisor(divisor: &Expression) -> bool {
    if let Expression::Broadcast(divisor, _) = divisor {
        return is_safe_divisor(divisor);
    }
    matches!(divisor, Expression::Literal(Literal::Integer(value), ty)
        if *value > 0 && !matches!(ty, ScalarType::Parameter(_)))
}
