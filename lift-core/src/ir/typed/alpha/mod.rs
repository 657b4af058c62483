//! Terms up to names: equality and fingerprints.
//!
//! Two terms are alpha-equal if one becomes the other when what they bind is renamed: variables, positions,
//! indices of layouts. Node ids, sources and names never count, and neither do types that follow from the
//! rest of the term. Sizes are compared as formulas: those of programs in their simplest form, given what a
//! launch checks, where positions are, and which branch is taken; those of other terms as they are.
//!
//! Equality and fingerprint read one and the same description of a term (tokens in the order of
//! evaluation), in which a bound variable is the number of binders around its own. So they agree by
//! construction, and the fingerprint is the same in every run and on every machine.

mod demands;
mod hash;

use std::sync::Arc;

use demands::{BINDERS, demand_the_same, known_sizes};
use hash::hash;

use super::binders::{bound_before, mentions_size, parted};
use super::{
    Binding, Boundary, Expr, ExprKind, Function, IndexFunction, IndexFunctionKind, Lambda, Layout,
    ParameterType, Position, Program, ScheduleTerm, ScheduleTermKind,
};
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};
use crate::ir::scalar::Literal;
use crate::ir::types::Type;

/// Whether two terms differ in names only. Variables that neither binds have to be the same.
pub fn alpha_eq(left: &Expr, right: &Expr) -> bool {
    description(left) == description(right)
}

/// A number that is equal for alpha-equal terms, and hardly ever for others.
pub fn fingerprint(expr: &Expr) -> u64 {
    hash(&description(expr))
}

/// Whether two programs differ in names only, those of the program and of its functions included. Sizes and
/// parameters correspond by their positions. What the launches have to check has to follow from each other.
pub fn alpha_eq_programs(left: &Program, right: &Program) -> bool {
    description_of_program(left) == description_of_program(right) && demand_the_same(left, right)
}

/// A number that is equal for programs that differ in names only, and hardly ever for others.
pub fn fingerprint_of_program(program: &Program) -> u64 {
    hash(&description_of_program(program))
}

/// A part of the description of a term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Token {
    /// The form of a node, or the beginning of something else.
    Form(&'static str),
    /// A number of parts, a component, a width.
    Number(usize),
    /// A variable that the term does not bind, by its id.
    Free(u32),
    /// A variable, by the number of binders around its own.
    Bound(usize),
    /// A size, with binders instead of the variables that they bind.
    Size(Nat),
    /// A scalar type, an operator, a literal.
    Text(String),
}

fn description(expr: &Expr) -> Vec<Token> {
    let mut describer = Describer::default();
    describer.expr(expr);
    describer.tokens
}

fn description_of_program(program: &Program) -> Vec<Token> {
    let mut describer = Describer::default();
    describer.program(program);
    describer.tokens
}

/// Writes the description of a term.
#[derive(Default)]
struct Describer {
    tokens: Vec<Token>,
    /// The ids of the variables bound around the current expression, outermost first.
    variables: Vec<u32>,
    /// The size variables bound around it, with their numbers.
    sizes: Substitution,
    /// The number of size variables bound around it.
    depth: u32,
    /// What is known of sizes and positions there, if it is a program.
    facts: Option<Ranges>,
}

impl Describer {
    fn form(&mut self, form: &'static str) {
        self.tokens.push(Token::Form(form));
    }

    fn number(&mut self, number: usize) {
        self.tokens.push(Token::Number(number));
    }

    fn text(&mut self, text: String) {
        self.tokens.push(Token::Text(text));
    }

    fn size(&mut self, size: &Nat) {
        self.tokens.push(Token::Size(self.simplified(size)));
    }

    /// A size in terms of binders, in its simplest form where something is known.
    fn simplified(&self, size: &Nat) -> Nat {
        let size = size.substitute(&self.sizes);
        self.facts.as_ref().map_or(size.clone(), |facts| facts.simplify(&size))
    }

    fn all(&mut self, exprs: &[Arc<Expr>]) {
        self.number(exprs.len());
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    /// Describes something below a position, in an array of this length where it is known.
    fn under(&mut self, index: Option<&Var>, length: Option<&Nat>, describe: impl FnOnce(&mut Self)) {
        let (sizes, facts, depth) = (self.sizes.clone(), self.facts.clone(), self.depth);
        let length = length.map(|length| length.substitute(&sizes));
        let position = index.map(|index| self.bind_size(index));
        if let (Some(known), Some(length)) = (&facts, length) {
            self.facts = Some(match position {
                Some(position) => known.with_position(&position, &Nat::zero(), &length),
                None => known.with_assumed(&Condition::LessOrEqual(Nat::one(), length)),
            });
        }
        describe(self);
        (self.sizes, self.facts, self.depth) = (sizes, facts, depth);
    }

    /// Binds a size. Returns its number.
    fn bind_size(&mut self, size: &Var) -> Var {
        let number = Var::new(BINDERS + self.depth, "");
        self.depth += 1;
        self.sizes.insert(size.clone(), Nat::variable(&number));
        number
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(literal) => {
                self.form("literal");
                self.ty(&expr.ty);
                self.text(value(literal, &expr.ty));
            }
            ExprKind::Variable(variable) => {
                let binder = self.variables.iter().rposition(|id| *id == variable.id);
                self.tokens.push(binder.map_or(Token::Free(variable.id), Token::Bound));
            }
            ExprKind::Size(size) => {
                self.form("size");
                self.ty(&expr.ty);
                self.size(size);
            }
            ExprKind::Tuple(parts) => {
                self.form("tuple");
                self.all(parts);
            }
            ExprKind::Component(input, position) => {
                self.form("component");
                self.number(*position);
                self.expr(input);
            }
            ExprKind::ArrayLiteral(elements) => {
                self.form("array");
                self.all(elements);
            }
            ExprKind::Let { bindings, body } => match &body.kind {
                ExprKind::EndUnless(condition, value) => self.end_unless(bindings, condition, value),
                _ => {
                    let around = self.variables.len();
                    self.bindings(bindings);
                    self.expr(body);
                    self.variables.truncate(around);
                }
            },
            ExprKind::Unary(operator, operand) => {
                self.text(format!("{operator:?}"));
                self.expr(operand);
            }
            ExprKind::Binary(operator, left, right) => {
                self.form(operator.symbol());
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Builtin(builtin, arguments) => {
                self.form(builtin.name());
                self.all(arguments);
            }
            ExprKind::Function(function, arguments) => {
                self.form("function");
                self.number(*function);
                self.all(arguments);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.form("if");
                self.expr(condition);
                let chosen = condition.size_condition();
                self.branch(chosen.as_ref(), then);
                self.branch(chosen.map(Condition::negate).as_ref(), otherwise);
            }
            ExprKind::Cast(scalar, operand) => {
                self.form("as");
                self.text(scalar.to_string());
                self.expr(operand);
            }
            ExprKind::Broadcast(operand) => {
                self.form("broadcast");
                self.ty(&expr.ty);
                self.expr(operand);
            }
            ExprKind::Lanewise(function, arguments) => {
                self.form("lanewise");
                self.all(arguments);
                self.lambda(function, None);
            }
            ExprKind::Map(kind, function, input) => {
                self.form("map");
                self.text(format!("{kind:?}"));
                self.expr(input);
                self.lambda(function, length(input));
            }
            ExprKind::Reduce(kind, function, initial, input) => {
                self.form("reduce");
                self.text(format!("{kind:?}"));
                self.expr(initial);
                self.expr(input);
                self.lambda(function, length(input));
            }
            ExprKind::Zip(parts) => {
                self.form("zip");
                self.all(parts);
            }
            ExprKind::Layout(layout, input) => {
                self.layout(layout);
                self.expr(input);
            }
            ExprKind::PadConstant { left, right, value, input } => {
                self.form("padConstant");
                self.size(left);
                self.size(right);
                self.expr(value);
                self.expr(input);
            }
            ExprKind::Store(space, value) => {
                self.form("store");
                self.text(format!("{space:?}"));
                self.expr(value);
            }
            ExprKind::Concat(parts) => {
                self.form("concat");
                self.all(parts);
            }
            ExprKind::At(position, input) => {
                match position {
                    Position::Size(size) => {
                        self.form("at");
                        self.size(size);
                    }
                    Position::Clamped(index) => {
                        self.form("at clamped");
                        self.expr(index);
                    }
                    Position::OrDefault(index, default) => {
                        self.form("atOr");
                        self.expr(index);
                        self.expr(default);
                    }
                }
                self.expr(input);
            }
            ExprKind::Generate(length, function) => {
                self.form("generate");
                self.size(length);
                self.lambda(function, Some(length));
            }
            ExprKind::Repeat(length, value) => {
                self.form("repeat");
                self.size(length);
                self.expr(value);
            }
            ExprKind::Unzip(input) => {
                self.form("unzip");
                self.expr(input);
            }
            ExprKind::Scan(kind, function, initial, input) => {
                self.form("scan");
                self.text(format!("{kind:?}"));
                self.expr(initial);
                self.expr(input);
                self.lambda(function, length(input));
            }
            ExprKind::Iterate(count, function, input) => {
                self.form("iterate");
                self.size(count);
                self.expr(input);
                self.lambda(function, Some(count));
            }
            ExprKind::EndUnless(condition, value) => self.end_unless(&[], condition, value),
        }
    }

    /// The end of an `iterate`. It makes no difference whether what only the condition or only the next value
    /// needs stands inside of it or before the end.
    fn end_unless(&mut self, before: &[Binding], condition: &Arc<Expr>, value: &Arc<Expr>) {
        let around = self.variables.len();
        let (of_condition, of_value) = parted(before, condition);
        let (condition, value) = (bound_before(of_condition, condition), bound_before(of_value, value));
        let condition = match &condition.kind {
            ExprKind::Let { bindings, body } => {
                self.bindings(bindings);
                body
            }
            _ => &condition,
        };
        self.form("endUnless");
        self.expr(condition);
        self.expr(&value);
        self.variables.truncate(around);
    }

    /// The bindings of a `let`, which end where its caller says.
    fn bindings(&mut self, bindings: &[Binding]) {
        self.form("let");
        self.number(bindings.len());
        for binding in bindings {
            self.expr(&binding.value);
            self.variables.push(binding.variable.id);
        }
    }

    /// A branch of an `if`, where a condition may hold that compares sizes.
    fn branch(&mut self, chosen: Option<&Condition>, branch: &Expr) {
        let facts = self.facts.clone();
        if let (Some(known), Some(chosen)) = (&facts, chosen) {
            self.facts = Some(known.with_assumed(&chosen.substitute(&self.sizes)));
        }
        self.expr(branch);
        self.facts = facts;
    }

    /// A function that is applied at each position of an array. It makes no difference whether it names a
    /// position that its body does not mention, and the only position of an array is 0.
    fn lambda(&mut self, function: &Lambda, length: Option<&Nat>) {
        self.form("|");
        self.number(function.parameters.len());
        let around = self.variables.len();
        self.variables.extend(function.parameters.iter().map(|(variable, _)| variable.id));
        let mentioned = function.index.as_ref().filter(|index| mentions_size(&function.body, index));
        let is_only = length.is_some_and(|length| self.simplified(length).as_constant() == Some(1));
        match mentioned {
            Some(index) if is_only => {
                let sizes = self.sizes.clone();
                self.sizes.insert(index.clone(), Nat::zero());
                self.expr(&function.body);
                self.sizes = sizes;
            }
            _ => {
                if mentioned.is_some() {
                    self.form("=>");
                }
                self.under(mentioned, length, |this| this.expr(&function.body));
            }
        }
        self.variables.truncate(around);
    }

    fn layout(&mut self, layout: &Layout) {
        match layout {
            Layout::Split { chunk } => {
                self.form("split");
                self.size(chunk);
            }
            Layout::Partition(rows) => {
                self.form("partition");
                self.size(&rows.count);
                self.under(rows.index.as_ref(), Some(&rows.count), |this| this.size(&rows.length));
            }
            Layout::Join => self.form("join"),
            Layout::Transpose => self.form("transpose"),
            Layout::Deinterleave { rows } => {
                self.form("deinterleave");
                self.size(rows);
            }
            Layout::Interleave => self.form("interleave"),
            Layout::AsVector { width } => {
                self.form("asVector");
                self.number(usize::from(*width));
            }
            Layout::AsScalar => self.form("asScalar"),
            Layout::Gather(function) => {
                self.form("gather");
                self.index_function(function);
            }
            Layout::Scatter(function) => {
                self.form("scatter");
                self.index_function(function);
            }
            Layout::Slice { start, length } => {
                self.form("slice");
                self.size(start);
                self.size(length);
            }
            Layout::Increase { left, right } => {
                self.form("increase");
                self.size(left);
                self.size(right);
            }
            Layout::Slide { size, step } => {
                self.form("slide");
                self.size(size);
                self.size(step);
            }
            Layout::Pad { left, right, boundary } => {
                self.form("pad");
                self.size(left);
                self.size(right);
                match boundary {
                    Boundary::Clamp => self.form("clamp"),
                    Boundary::Mirror => self.form("mirror"),
                    Boundary::Wrap => self.form("wrap"),
                    Boundary::Custom(function) => self.index_function(function),
                }
            }
        }
    }

    /// A function on positions. A well-known one follows from its kind and the length of the array.
    fn index_function(&mut self, function: &IndexFunction) {
        match &function.kind {
            IndexFunctionKind::Reverse => self.form("reverse"),
            IndexFunctionKind::Stride(step) => {
                self.form("stride");
                self.size(step);
            }
            IndexFunctionKind::Rotate(distance) => {
                self.form("rotate");
                self.size(distance);
            }
            IndexFunctionKind::Custom => {
                self.form("positions");
                self.under(Some(&function.index), None, |this| this.size(&function.body));
            }
        }
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Scalar(scalar) => self.text(scalar.to_string()),
            Type::Vector(scalar, width) => {
                self.text(scalar.to_string());
                self.number(usize::from(*width));
            }
            Type::Size => self.form("size"),
            Type::Tuple(components) => {
                self.form("(");
                self.number(components.len());
                components.iter().for_each(|component| self.ty(component));
            }
            Type::Array(array) => {
                self.form("[");
                self.size(&array.length);
                if array.index.is_some() {
                    self.form("=>");
                }
                self.under(array.index.as_ref(), Some(&array.length), |this| this.ty(&array.element));
            }
        }
    }

    fn program(&mut self, program: &Program) {
        self.number(program.sizes.len());
        for size in &program.sizes {
            self.bind_size(&size.variable);
        }
        self.number(program.type_parameters.len());
        for parameter in &program.type_parameters {
            self.text(format!("{parameter:?}"));
        }
        self.text(format!("{:?}", program.open_ranks));
        self.number(program.functions.len());
        program.functions.iter().for_each(|function| self.function(function));
        self.number(program.parameters.len());
        for parameter in &program.parameters {
            match &parameter.ty {
                ParameterType::Value(ty) => self.ty(ty),
                ParameterType::Size(size) => self.size(&Nat::variable(size)),
            }
            self.variables.push(parameter.variable.id);
        }
        self.number(program.launches.len());
        for launch in &program.launches {
            self.text(format!("{:?} {:?}", launch.local, launch.pinning));
            self.number(launch.global.iter().flatten().count());
            launch.global.iter().flatten().for_each(|size| self.size(size));
        }
        let Program { strategy, backend, rounding, tunables, .. } = program;
        self.text(format!("{strategy:?} {backend:?} {rounding:?} {tunables:?}"));
        self.schedule(&program.schedule);
        self.facts = Some(known_sizes(program));
        self.ty(&program.body.ty);
        self.expr(&program.body);
    }

    fn schedule(&mut self, terms: &[ScheduleTerm]) {
        self.number(terms.len());
        for term in terms {
            match &term.kind {
                ScheduleTermKind::Size(size) => self.size(size),
                ScheduleTermKind::Name(name, arguments) => {
                    self.text(name.clone());
                    self.schedule(arguments);
                }
            }
        }
    }

    fn function(&mut self, function: &Function) {
        self.form("fn");
        self.text(format!("{:?}", function.laws));
        self.number(function.parameters.len());
        let around = self.variables.len();
        for (variable, ty) in &function.parameters {
            self.ty(ty);
            self.variables.push(variable.id);
        }
        self.ty(&function.body.ty);
        self.expr(&function.body);
        self.variables.truncate(around);
    }
}

/// The length of an array.
fn length(array: &Expr) -> Option<&Nat> {
    array.ty.as_array().map(|array| &array.length)
}

/// The value of a literal of a type: `1`, `1.0` and `10e-1` are one float.
fn value(literal: &Literal, ty: &Type) -> String {
    let is_integer = matches!(ty, Type::Scalar(scalar) if scalar.is_integer());
    match literal {
        Literal::Bool(truth) => truth.to_string(),
        Literal::Integer(number) if is_integer => number.to_string(),
        Literal::Integer(number) => decimal(&number.to_string()),
        Literal::Float(digits) => decimal(digits),
    }
}

/// A decimal number without zeros at its ends: its digits and the power of ten behind them.
fn decimal(digits: &str) -> String {
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let all = format!("{whole}{fraction}");
    let shortened = all.trim_end_matches('0');
    let Ok(exponent) = exponent.parse::<i64>() else { return digits.to_owned() };
    let dropped = all.len() as i64 - shortened.len() as i64;
    let exponent = exponent.saturating_add(dropped).saturating_sub(fraction.len() as i64);
    match shortened.trim_start_matches('0') {
        "" => "0".to_owned(),
        significant => format!("{sign}{significant}e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::scalar::ScalarType;

    #[test]
    fn numbers_are_compared_by_their_values() {
        let f32 = Type::Scalar(ScalarType::F32);
        let float = |digits: &str| value(&Literal::Float(digits.to_owned()), &f32);
        for same in ["1", "1.", "1.0", "10e-1", "0.1e1"] {
            assert_eq!(float(same), value(&Literal::Integer(1), &f32), "{same}");
        }
        assert_eq!(float("0.0"), float("0e7"));
        assert_ne!(float("0.1"), float("0.01"));
        assert_ne!(value(&Literal::Integer(-1), &f32), value(&Literal::Integer(1), &f32));
    }
}
