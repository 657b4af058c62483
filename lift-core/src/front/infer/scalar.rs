//! Operators, built-in functions, casts and `if`: the scalar forms.

use super::environment::Environment;
use super::error::{Difference, Error, Place, ScalarMistake, TypeMistake};
use super::inference::Inference;
use super::need::Reason;
use super::unknowns::Unknowns;
use super::vector::with_lane;
use crate::front::syntax::{Expr, TypeExpr};
use crate::ir::nat::too_large;
use crate::ir::nat::{Condition, Nat};
use crate::ir::primitive::builtin::{Builtin, Domain, Native};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarClass, ScalarType, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::{self, ExprKind};
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// `-x`, `!x`
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &'a Expr,
        source: Source,
        names: &Environment<'a>,
    ) -> typed::Expr {
        let operand = self.value(operand, names);
        match operator {
            UnaryOperator::Negate => self.negate(operand, source),
            UnaryOperator::Not => {
                if let Some(error) = self.inversion(&operand) {
                    return self.fail(error);
                }
                let operand = self.truth(operand, Place::Inverted);
                let ty = operand.ty.clone();
                self.node(ExprKind::Unary(UnaryOperator::Not, Box::new(operand)), ty, source)
            }
        }
    }

    /// `-x`; a negative number is one literal, so that the smallest integer can be written.
    pub(super) fn negate(&mut self, operand: typed::Expr, source: Source) -> typed::Expr {
        let operand = match &operand.kind {
            ExprKind::Literal(Literal::Integer(value)) if *value > 0 => {
                let kind = ExprKind::Literal(Literal::Integer(-value));
                return self.node(kind, operand.ty.clone(), source);
            }
            ExprKind::Size(size) if operand.ty == Type::Size => {
                let size = Nat::zero() - size;
                return self.size_value(size, source);
            }
            _ => operand,
        };
        let Some(operand) = self.number(operand, ScalarClass::Number, "-") else {
            return self.mistake(source);
        };
        let ty = operand.ty.clone();
        self.node(ExprKind::Unary(UnaryOperator::Negate, Box::new(operand)), ty, source)
    }

    /// A value that must be a scalar of a class, or a vector of such scalars. `operation` is what needs it.
    pub(super) fn number(
        &mut self,
        value: typed::Expr,
        class: ScalarClass,
        operation: &'static str,
    ) -> Option<typed::Expr> {
        if self.unknowns.is_mistake(&value.ty) {
            return None;
        }
        let wanted = self.unknowns.fresh_scalar(class);
        let value = self.size_as_integer(value, &wanted);
        let lane = self.lane(&value.ty);
        if self.unify(&lane, &wanted, operation, value.source).is_ok() {
            return Some(value);
        }
        let ty = self.known(&value.ty);
        self.report(Error::new(value.source, ScalarMistake::Operand { operation, class, ty }));
        None
    }

    /// A size in a computation becomes an integer of the expected type, if that is a type of integers.
    pub(super) fn size_as_integer(&mut self, value: typed::Expr, expected: &Type) -> typed::Expr {
        if !is_size(&value) {
            return value;
        }
        match self.unknowns.outermost(expected) {
            Type::Scalar(scalar @ ScalarType::Parameter(_)) => {
                let ty = Type::Scalar(scalar);
                let class = self.unknowns.class(&ty);
                if class.is_none() {
                    return value;
                }
                let integer = self.unknowns.fresh_scalar(ScalarClass::Integer);
                match self.unknowns.unify(&ty, &integer, &mut self.facts) {
                    Ok(()) => retyped(value, &ty),
                    Err(_) => value,
                }
            }
            integer @ Type::Scalar(scalar) if scalar.is_integer() => retyped(value, &integer),
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => value,
        }
    }

    /// A size whose type nothing decides becomes an `i64`, as wide as sizes are.
    pub(super) fn sized_integer(&mut self, value: typed::Expr) -> typed::Expr {
        self.size_as_integer(value, &Type::Scalar(ScalarType::I64))
    }

    /// `left operator right`
    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: typed::Expr,
        right: typed::Expr,
        source: Source,
    ) -> typed::Expr {
        if let Some(size) = self.size_arithmetic(operator, &left, &right) {
            return self.size_value(size, source);
        }
        if let (Type::Array(_), Type::Array(_)) =
            (self.unknowns.outermost(&left.ty), self.unknowns.outermost(&right.ty))
        {
            let mistake = ScalarMistake::Arrays {
                operation: operator.symbol(),
                left: self.known(&left.ty),
                right: self.known(&right.ty),
            };
            return self.fail(Error::new(source, mistake));
        }
        let (class, result) = match operator {
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder => (ScalarClass::Number, None),
            BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => (ScalarClass::Number, Some(ScalarType::Bool)),
            BinaryOperator::Equal | BinaryOperator::NotEqual => (ScalarClass::Any, Some(ScalarType::Bool)),
            BinaryOperator::And | BinaryOperator::Or => {
                let place = Place::Operand(operator.symbol());
                let (left, right) = (self.truth(left, place.clone()), self.truth(right, place));
                let Some((left, right)) = self.same_width(left, right, operator.symbol(), source) else {
                    return self.mistake(source);
                };
                let ty = left.ty.clone();
                let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
                return self.node(kind, ty, source);
            }
        };
        let Some(operands) = self.operands(vec![left, right], class, operator.symbol(), source) else {
            return self.mistake(source);
        };
        let mut operands = operands.into_iter();
        let (Some(left), Some(right)) = (operands.next(), operands.next()) else {
            return self.mistake(source);
        };
        let ty = match result {
            None => left.ty.clone(),
            Some(result) => with_lane(&self.unknowns.outermost(&left.ty), result),
        };
        self.node(ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty, source)
    }

    /// Arithmetic of sizes and numbers stays a size.
    fn size_arithmetic(
        &self,
        operator: BinaryOperator,
        left: &typed::Expr,
        right: &typed::Expr,
    ) -> Option<Nat> {
        if left.ty != Type::Size && right.ty != Type::Size {
            return None;
        }
        let (left, right) = (self.constant_size(left)?, self.constant_size(right)?);
        let divides = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
        if divides && right.as_constant() == Some(0) {
            return None;
        }
        match operator {
            BinaryOperator::Add => Some(left + right),
            BinaryOperator::Subtract => Some(left - right),
            BinaryOperator::Multiply => Some(left * right),
            BinaryOperator::Divide => Some(left.divide(&right)),
            BinaryOperator::Remainder => Some(left.modulo(&right)),
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::And
            | BinaryOperator::Or => None,
        }
    }

    /// A function of sizes and numbers is a size, if the algebra has the function.
    fn size_function(&self, builtin: Builtin, values: &[typed::Expr]) -> Option<Nat> {
        if values.iter().all(|value| value.ty != Type::Size) {
            return None;
        }
        let sizes: Vec<Nat> = values.iter().map(|value| self.constant_size(value)).collect::<Option<_>>()?;
        match (builtin, sizes.as_slice()) {
            (Builtin::Min, [left, right]) => Some(left.min(right)),
            (Builtin::Max, [left, right]) => Some(left.max(right)),
            (Builtin::Pow, [base, exponent]) => Some(base.pow(exponent)),
            (Builtin::Log2, [size]) => Some(size.log2()),
            _ => None,
        }
    }

    /// Demands that a function of sizes has a value. `None` where it never has, which is reported.
    fn has_value(&mut self, builtin: Builtin, values: &[typed::Expr], source: Source) -> Option<()> {
        let Some(last) = values.last().and_then(|value| self.constant_size(value)) else { return Some(()) };
        match builtin {
            Builtin::Pow => self.not_negative(&last, Reason::NotNegative, builtin.name(), source),
            Builtin::Log2 => self.positive(&last, &format!("log2({last})"), source),
            _ => Some(()),
        }
    }

    /// A condition as a comparison of sizes; `None` where it compares anything else.
    fn size_condition(&self, condition: &typed::Expr) -> Option<Condition> {
        let both = |left, right| Some((self.size_condition(left)?, self.size_condition(right)?));
        let sizes = |left, right| Some((self.compared_size(left)?, self.compared_size(right)?));
        match &condition.kind {
            ExprKind::Unary(UnaryOperator::Not, operand) => {
                self.size_condition(operand).map(Condition::negate)
            }
            ExprKind::Binary(BinaryOperator::And, left, right) => {
                both(left, right).map(|(left, right)| left.and(right))
            }
            ExprKind::Binary(BinaryOperator::Or, left, right) => {
                both(left, right).map(|(left, right)| left.or(right))
            }
            ExprKind::Binary(operator, left, right) if operator.is_comparison() => {
                sizes(left, right).and_then(|(left, right)| super::size::compare(*operator, left, right))
            }
            _ => None,
        }
    }

    /// A size in a comparison, or a number beside one.
    fn compared_size(&self, value: &typed::Expr) -> Option<Nat> {
        match &value.kind {
            ExprKind::Size(size) => Some(size.clone()),
            // A number that is too large for a size has another type.
            ExprKind::Literal(Literal::Integer(number)) => {
                Some(Nat::constant(*number)).filter(|size| too_large(size).is_none())
            }
            _ => None,
        }
    }

    fn constant_size(&self, value: &typed::Expr) -> Option<Nat> {
        match &value.kind {
            ExprKind::Size(size) if value.ty == Type::Size => Some(size.clone()),
            ExprKind::Literal(Literal::Integer(number)) if self.unknowns.class(&value.ty).is_some() => {
                Some(Nat::constant(*number)).filter(|size| too_large(size).is_none())
            }
            _ => None,
        }
    }

    /// Operands of one scalar type of a class. `None` after a mistake.
    pub(super) fn operands(
        &mut self,
        values: Vec<typed::Expr>,
        class: ScalarClass,
        operation: &'static str,
        source: Source,
    ) -> Option<Vec<typed::Expr>> {
        let vector = values.iter().find(|value| self.width(&value.ty).is_some());
        let common = vector
            .or_else(|| values.iter().find(|value| value.ty != Type::Size))
            .map_or(Type::Scalar(ScalarType::I64), |value| self.lane(&value.ty));
        let width = vector.and_then(|value| self.width(&value.ty));
        self.widen_beside_size(&values);
        let mut operands = Vec::new();
        let mut sound = true;
        for value in values {
            let value = self.size_as_integer(value, &common);
            if value.ty == Type::Size && self.is_float(&common) {
                let mistake = ScalarMistake::SizeBesideFloats { operation, float: self.float(&common) };
                self.report(Error::new(value.source, mistake));
                return None;
            }
            let is_mistake = self.unknowns.is_mistake(&value.ty);
            match self.number(value, class, operation) {
                Some(operand) => operands.push(self.broadcast_beside(operand, &common, width)),
                None if is_mistake => sound = false,
                // The other operands are most often wrong in the same way.
                None => return None,
            }
        }
        if !sound {
            return None;
        }
        let first = operands.first()?.ty.clone();
        for operand in &operands {
            if self.unify(&first, &operand.ty, operation, source).is_err() {
                let types = operands.iter().map(|operand| self.known(&operand.ty)).collect();
                let difference = match self.different_widths(&first, &operand.ty) {
                    true => Difference::Widths,
                    false => Difference::Types,
                };
                self.report(Error::new(source, ScalarMistake::Operands { operation, types, difference }));
                return None;
            }
        }
        Some(operands)
    }

    /// Makes literals beside a size `i64`, as wide as sizes are.
    fn widen_beside_size(&mut self, values: &[typed::Expr]) {
        if values.iter().all(|value| value.ty != Type::Size) {
            return;
        }
        for value in values {
            if matches!(value.kind, ExprKind::Literal(Literal::Integer(_))) {
                // A literal that has a type already keeps it: the types of all operands are compared
                // afterwards.
                let _ = self.unknowns.unify(&value.ty, &Type::Scalar(ScalarType::I64), &mut self.facts);
            }
        }
    }

    fn is_float(&self, ty: &Type) -> bool {
        let known = matches!(self.unknowns.outermost(ty), Type::Scalar(scalar) if scalar.is_float());
        known || self.unknowns.class(ty) == Some(ScalarClass::Float)
    }

    /// The type of floats that this is, or may become.
    fn float(&self, ty: &Type) -> ScalarType {
        match self.unknowns.outermost(ty) {
            Type::Scalar(scalar) if scalar.is_float() => scalar,
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
                ScalarType::F32
            }
        }
    }

    /// A built-in function with all its arguments.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        values: Vec<typed::Expr>,
        source: Source,
    ) -> typed::Expr {
        if let Some(size) = self.size_function(builtin, &values) {
            return match self.has_value(builtin, &values, source) {
                Some(()) => self.size_value(size, source),
                None => self.mistake(source),
            };
        }
        let class = match Builtin::ALL.iter().find(|row| row.0 == builtin).map(|row| row.3) {
            Some(Domain::Float | Domain::Single) => ScalarClass::Float,
            Some(Domain::Number) | None => ScalarClass::Number,
        };
        let mut values = values.into_iter();
        let condition = match builtin {
            Builtin::Select => {
                values.next().map(|condition| self.truth(condition, Place::Condition("select")))
            }
            _ => None,
        };
        let class = if builtin == Builtin::Select { ScalarClass::Any } else { class };
        let mut values: Vec<typed::Expr> = values.collect();
        let no_vector = values.iter().all(|value| self.width(&value.ty).is_none());
        if builtin == Builtin::Dot
            && (no_vector || values.iter().any(|value| self.unknowns.resolve(&value.ty).rank() > 0))
        {
            if let Some(error) = values.iter().find_map(|value| self.no_vector_for_dot(value)) {
                self.report(error);
            }
            return self.mistake(source);
        }
        if let Some(width) = condition.as_ref().and_then(|condition| self.width(&condition.ty)) {
            values = self.broadcast_all(values, width);
        }
        let Some(mut operands) = self.operands(values, class, builtin.name(), source) else {
            return self.mistake(source);
        };
        if let (Builtin::Native(native), Some(first)) = (builtin, operands.first())
            && let Some(error) = self.no_single(native, builtin.name(), first)
        {
            return self.fail(error);
        }
        if let Some(condition) = &condition
            && let Some(first) = operands.first()
            && self.different_widths(&condition.ty, &first.ty)
        {
            let (condition, chosen) = (self.known(&condition.ty), self.known(&first.ty));
            return self.fail(Error::new(source, ScalarMistake::SelectedWidth { condition, chosen }));
        }
        let ty = operands.first().map_or_else(Unknowns::mistake, |operand| operand.ty.clone());
        let ty = if builtin == Builtin::Dot { self.lane(&ty) } else { ty };
        if let Some(condition) = condition {
            operands.insert(0, condition);
        }
        self.node(ExprKind::Builtin(builtin, operands), ty, source)
    }

    /// What is wrong with the operand of a function that devices have for `f32` only. An open type becomes
    /// `f32`.
    fn no_single(&mut self, native: Native, name: &'static str, operand: &typed::Expr) -> Option<Error> {
        let (lane, single) = (self.lane(&operand.ty), Type::Scalar(ScalarType::F32));
        self.unify(&lane, &single, name, operand.source).err()?;
        let ty = self.known(&operand.ty);
        Some(Error::new(operand.source, ScalarMistake::SingleOnly { native, name, ty }))
    }

    /// `if condition { then } else { otherwise }`
    pub(super) fn conditional(
        &mut self,
        condition: &'a Expr,
        then: &'a Expr,
        otherwise: &'a Expr,
        source: Source,
        names: &Environment<'a>,
    ) -> typed::Expr {
        let condition = self.value(condition, names);
        let condition = self.truth(condition, Place::Condition("if"));
        let chosen = self.size_condition(&condition);
        let then =
            self.under_condition(chosen.as_ref(), |this| this.in_frame(|this| this.value(then, names)));
        let chosen = chosen.map(Condition::negate);
        let otherwise =
            self.under_condition(chosen.as_ref(), |this| this.in_frame(|this| this.value(otherwise, names)));
        if self.width(&condition.ty).is_some() {
            return self.builtin(Builtin::Select, vec![condition, then, otherwise], source);
        }
        let then = self.fit(then, &otherwise.ty);
        let otherwise = self.fit(otherwise, &then.ty);
        let (then, otherwise) = (self.sized_integer(then), self.sized_integer(otherwise));
        if let Err(mismatch) = self.unify(&then.ty, &otherwise.ty, "if", source) {
            let mistake = TypeMistake::Branches {
                then: self.known(&then.ty),
                otherwise: self.known(&otherwise.ty),
                mismatch: self.settled(&mismatch),
            };
            return self.fail(Error::new(otherwise.source, mistake));
        }
        if self.unknowns.resolve(&then.ty).rank() > 0 {
            let ty = self.known(&then.ty);
            return self.fail(Error::new(source, TypeMistake::ArrayBranches { ty }));
        }
        let ty = then.ty.clone();
        self.node(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)), ty, source)
    }

    /// `value as T`
    pub(super) fn cast(
        &mut self,
        value: &'a Expr,
        written: &'a TypeExpr,
        source: Source,
        names: &Environment<'a>,
    ) -> typed::Expr {
        let value = self.value(value, names);
        let target = self.written_type(written, names);
        if self.unknowns.is_mistake(&target) || self.unknowns.is_mistake(&value.ty) {
            return self.mistake(source);
        }
        if let Type::Vector(lane, width) = target {
            return self.cast_vector(value, lane, width, source);
        }
        if let Some(width) = self.width(&value.ty)
            && let Type::Scalar(lane) = target
        {
            let ty = self.known(&value.ty);
            return self.fail(Error::new(source, ScalarMistake::CastOfVector { lane, width, ty }));
        }
        let Type::Scalar(scalar) = target else {
            let target = self.known(&target);
            return self.fail(Error::new(written.source, ScalarMistake::CastTarget { target }));
        };
        if value.ty == Type::Size && scalar.is_integer() {
            return typed::Expr { ty: Type::Scalar(scalar), ..value };
        }
        let bool = Type::Scalar(ScalarType::Bool);
        if self.unknowns.outermost(&value.ty) == bool && !scalar.is_float() {
            return self.node(ExprKind::Cast(scalar, Box::new(value)), Type::Scalar(scalar), source);
        }
        if scalar == ScalarType::Bool {
            let ty = self.known(&value.ty);
            return self.fail(Error::new(source, ScalarMistake::CastToTruth { target: bool, ty }));
        }
        if value.ty != Type::Size {
            return match self.number(value, ScalarClass::Number, "as") {
                Some(value) => {
                    self.node(ExprKind::Cast(scalar, Box::new(value)), Type::Scalar(scalar), source)
                }
                None => self.mistake(source),
            };
        }
        self.node(ExprKind::Cast(scalar, Box::new(value)), Type::Scalar(scalar), source)
    }
}

/// Whether a value is a size, perhaps below `let`s.
pub(super) fn is_size(value: &typed::Expr) -> bool {
    match &value.kind {
        ExprKind::Size(_) => value.ty == Type::Size,
        ExprKind::Let { body, .. } => value.ty == Type::Size && is_size(body),
        _ => false,
    }
}

/// A size as an integer of a type.
fn retyped(value: typed::Expr, ty: &Type) -> typed::Expr {
    let kind = match value.kind {
        ExprKind::Let { bindings, body } => ExprKind::Let { bindings, body: Box::new(retyped(*body, ty)) },
        other => other,
    };
    typed::Expr { ty: ty.clone(), kind, ..value }
}
