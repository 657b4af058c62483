//! The value and the text of a [`Size`].

use crate::program::{Condition, Size};

/// Why a size has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// It does not fit into 64 bits.
    Overflow,
    /// A division by zero, a negative exponent, or a logarithm of a number that is not positive.
    Undefined,
    /// The variable in this slot has no value yet.
    Unknown(usize),
}

impl NoValue {
    /// The end of a sentence that begins with the size. The parts of the size have values.
    pub(crate) fn reason(self, size: &Size) -> &'static str {
        match (self, size) {
            (NoValue::Overflow, _) => "is too large",
            (NoValue::Undefined, Size::Divide(..) | Size::Remainder(..)) => "divides by zero",
            (NoValue::Undefined, Size::Log2(_)) => "is the logarithm of a number below 1",
            (NoValue::Undefined, Size::Power(..)) => "has an exponent below 0",
            (NoValue::Undefined, _) => "is undefined",
            (NoValue::Unknown(_), _) => "contains a size that is not known",
        }
    }
}

/// The greatest number of terms of a sum. Longer ones have no closed form and would take minutes, so they
/// count as too large.
const LONGEST_SUM: i64 = 1 << 28;

/// The values of size variables and summation indices, by slot.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    values: Vec<Option<i64>>,
}

impl Environment {
    pub(crate) fn get(&self, slot: usize) -> Option<i64> {
        self.values.get(slot).copied().flatten()
    }

    pub(crate) fn set(&mut self, slot: usize, value: Option<i64>) {
        if slot >= self.values.len() {
            self.values.resize(slot.saturating_add(1), None);
        }
        if let Some(place) = self.values.get_mut(slot) {
            *place = value;
        }
    }

    /// The value of a size. Every operation is checked.
    pub(crate) fn evaluate(&mut self, size: &Size) -> Result<i64, NoValue> {
        match *size {
            Size::Constant(value) => Ok(value),
            Size::Variable(slot) => self.get(slot).ok_or(NoValue::Unknown(slot)),
            Size::Add(parts) => parts
                .iter()
                .try_fold(0i64, |sum, part| sum.checked_add(self.evaluate(part)?).ok_or(NoValue::Overflow)),
            Size::Multiply(factors) => factors.iter().try_fold(1i64, |product, factor| {
                product.checked_mul(self.evaluate(factor)?).ok_or(NoValue::Overflow)
            }),
            Size::Divide(left, right) => {
                self.evaluate(left)?.checked_div_euclid(self.evaluate(right)?).ok_or(NoValue::Undefined)
            }
            Size::Remainder(left, right) => {
                self.evaluate(left)?.checked_rem_euclid(self.evaluate(right)?).ok_or(NoValue::Undefined)
            }
            Size::Minimum(left, right) => Ok(self.evaluate(left)?.min(self.evaluate(right)?)),
            Size::Maximum(left, right) => Ok(self.evaluate(left)?.max(self.evaluate(right)?)),
            Size::Power(base, exponent) => {
                let exponent = self.evaluate(exponent)?;
                power(self.evaluate(base)?, exponent)
            }
            Size::Log2(size) => self.evaluate(size)?.checked_ilog2().map(i64::from).ok_or(NoValue::Undefined),
            Size::Sum { slot, from, to, body } => {
                let (from, to) = (self.evaluate(from)?, self.evaluate(to)?);
                self.sum(slot, from, to, body)
            }
            Size::If(condition, yes, no) => {
                if self.holds(condition)? {
                    self.evaluate(yes)
                } else {
                    self.evaluate(no)
                }
            }
        }
    }

    /// The smallest part without a value in a size without a value: the one to report.
    pub(crate) fn culprit<'s>(&mut self, size: &'s Size) -> &'s Size {
        let found = match *size {
            Size::Constant(_) | Size::Variable(_) => None,
            Size::Add(parts) | Size::Multiply(parts) => self.first_culprit(parts),
            Size::Divide(left, right)
            | Size::Remainder(left, right)
            | Size::Minimum(left, right)
            | Size::Maximum(left, right)
            | Size::Power(left, right) => self.first_culprit([left, right]),
            Size::Log2(operand) => self.first_culprit([operand]),
            // Without an index, nothing in its body has a value.
            Size::Sum { from, to, .. } => self.first_culprit([from, to]),
            Size::If(condition, yes, no) => self.culprit_of_condition(condition).or_else(|| {
                let holds = self.holds(condition).ok()?;
                self.first_culprit([if holds { yes } else { no }])
            }),
        };
        found.unwrap_or(size)
    }

    fn first_culprit<'s>(&mut self, parts: impl IntoIterator<Item = &'s Size>) -> Option<&'s Size> {
        let part = parts.into_iter().find(|part| self.evaluate(part).is_err())?;
        Some(self.culprit(part))
    }

    fn culprit_of_condition(&mut self, condition: &'static Condition) -> Option<&'static Size> {
        match *condition {
            Condition::Less(left, right)
            | Condition::LessOrEqual(left, right)
            | Condition::Equal(left, right) => self.first_culprit([left, right]),
            Condition::And(left, right) | Condition::Or(left, right) => {
                let left = self.culprit_of_condition(left);
                left.or_else(|| self.culprit_of_condition(right))
            }
            Condition::Not(condition) => self.culprit_of_condition(condition),
        }
    }

    fn sum(&mut self, slot: usize, from: i64, to: i64, body: &Size) -> Result<i64, NoValue> {
        if to.saturating_sub(from) > LONGEST_SUM {
            return Err(NoValue::Overflow);
        }
        let outer = self.get(slot);
        let sum = (from..to).try_fold(0i64, |sum, index| {
            self.set(slot, Some(index));
            sum.checked_add(self.evaluate(body)?).ok_or(NoValue::Overflow)
        });
        self.set(slot, outer);
        sum
    }

    pub(crate) fn holds(&mut self, condition: &Condition) -> Result<bool, NoValue> {
        match *condition {
            Condition::Less(left, right) => Ok(self.evaluate(left)? < self.evaluate(right)?),
            Condition::LessOrEqual(left, right) => Ok(self.evaluate(left)? <= self.evaluate(right)?),
            Condition::Equal(left, right) => Ok(self.evaluate(left)? == self.evaluate(right)?),
            Condition::And(left, right) => Ok(self.holds(left)? && self.holds(right)?),
            Condition::Or(left, right) => Ok(self.holds(left)? || self.holds(right)?),
            Condition::Not(condition) => Ok(!self.holds(condition)?),
        }
    }
}

fn power(base: i64, exponent: i64) -> Result<i64, NoValue> {
    if exponent < 0 {
        return Err(NoValue::Undefined);
    }
    match (base, u32::try_from(exponent)) {
        (_, Ok(exponent)) => base.checked_pow(exponent).ok_or(NoValue::Overflow),
        (0 | 1, Err(_)) => Ok(base),
        (-1, Err(_)) => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        (_, Err(_)) => Err(NoValue::Overflow),
    }
}

/// Whether a size reads as a formula: it neither chooses nor repeats.
pub(crate) fn is_formula(size: &Size) -> bool {
    match *size {
        Size::Constant(_) | Size::Variable(_) => true,
        Size::Add(parts) | Size::Multiply(parts) => parts.iter().all(is_formula),
        Size::Divide(left, right)
        | Size::Remainder(left, right)
        | Size::Minimum(left, right)
        | Size::Maximum(left, right)
        | Size::Power(left, right) => is_formula(left) && is_formula(right),
        Size::Log2(operand) => is_formula(operand),
        Size::Sum { .. } | Size::If(..) => false,
    }
}

/// Calls `visit` with every free variable slot of a size. Summation indices are bound.
pub(crate) fn for_each_variable(size: &Size, visit: &mut dyn FnMut(usize)) {
    match *size {
        Size::Constant(_) => {}
        Size::Variable(slot) => visit(slot),
        Size::Add(parts) | Size::Multiply(parts) => {
            parts.iter().for_each(|part| for_each_variable(part, visit));
        }
        Size::Divide(left, right)
        | Size::Remainder(left, right)
        | Size::Minimum(left, right)
        | Size::Maximum(left, right)
        | Size::Power(left, right) => {
            for_each_variable(left, visit);
            for_each_variable(right, visit);
        }
        Size::Log2(size) => for_each_variable(size, visit),
        Size::Sum { slot, from, to, body } => {
            for_each_variable(from, visit);
            for_each_variable(to, visit);
            for_each_variable(body, &mut |free| {
                if free != slot {
                    visit(free);
                }
            });
        }
        Size::If(condition, yes, no) => {
            for_each_variable_of_condition(condition, visit);
            for_each_variable(yes, visit);
            for_each_variable(no, visit);
        }
    }
}

fn for_each_variable_of_condition(condition: &Condition, visit: &mut dyn FnMut(usize)) {
    match *condition {
        Condition::Less(left, right)
        | Condition::LessOrEqual(left, right)
        | Condition::Equal(left, right) => {
            for_each_variable(left, visit);
            for_each_variable(right, visit);
        }
        Condition::And(left, right) | Condition::Or(left, right) => {
            for_each_variable_of_condition(left, visit);
            for_each_variable_of_condition(right, visit);
        }
        Condition::Not(condition) => for_each_variable_of_condition(condition, visit),
    }
}

/// A size as the user would write it, given the names of the variables.
pub(crate) fn text(size: &Size, names: &[&str]) -> String {
    write_size(size, names, Binding::Loosest)
}

/// How tightly the surrounding operator binds its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Loosest,
    Sum,
    Product,
    Operand,
}

fn write_size(size: &Size, names: &[&str], outer: Binding) -> String {
    let inner = |size: &Size, binding| write_size(size, names, binding);
    let call = |name: &str, left: &Size, right: &Size| {
        format!("{name}({}, {})", inner(left, Binding::Loosest), inner(right, Binding::Loosest))
    };
    let (text, binding) = match *size {
        Size::Constant(value) if value < 0 => (value.to_string(), Binding::Sum),
        Size::Constant(value) => (value.to_string(), Binding::Operand),
        Size::Variable(slot) => (variable_name(slot, names), Binding::Operand),
        Size::Add([only]) | Size::Multiply([only]) => return inner(only, outer),
        Size::Add(parts) => (sum_text(parts, names), Binding::Sum),
        Size::Multiply(factors) => (product_text(factors, names), Binding::Product),
        Size::Divide(left, right) => (
            format!("{} / {}", inner(left, Binding::Product), inner(right, Binding::Operand)),
            Binding::Product,
        ),
        Size::Remainder(left, right) => (
            format!("{} % {}", inner(left, Binding::Product), inner(right, Binding::Operand)),
            Binding::Product,
        ),
        Size::Minimum(left, right) => (call("min", left, right), Binding::Operand),
        Size::Maximum(left, right) => (call("max", left, right), Binding::Operand),
        Size::Power(base, &Size::Constant(2)) => {
            let factor = inner(base, Binding::Operand);
            (format!("{factor} * {factor}"), Binding::Product)
        }
        Size::Power(base, exponent) => (call("pow", base, exponent), Binding::Operand),
        Size::Log2(size) => (format!("log2({})", inner(size, Binding::Loosest)), Binding::Operand),
        Size::Sum { slot, from, to, body } => {
            let index = variable_name(slot, names);
            let to = inner(to, Binding::Loosest);
            let body = inner(body, Binding::Loosest);
            let text = match from {
                Size::Constant(0) => format!("sum({to}, |{index}| {body})"),
                _ => format!("sum({index} in {}..{to}, {body})", inner(from, Binding::Loosest)),
            };
            (text, Binding::Operand)
        }
        Size::If(condition, yes, no) => (
            format!(
                "if {} {{ {} }} else {{ {} }}",
                condition_text(condition, names),
                inner(yes, Binding::Loosest),
                inner(no, Binding::Loosest)
            ),
            Binding::Loosest,
        ),
    };
    if binding < outer { format!("({text})") } else { text }
}

/// `N - 2` instead of `N + -2`.
fn sum_text(parts: &[Size], names: &[&str]) -> String {
    let mut text = String::new();
    for part in parts {
        let part = write_size(part, names, Binding::Sum);
        match (text.is_empty(), part.strip_prefix('-')) {
            (true, _) => text = part,
            (false, Some(positive)) => text = format!("{text} - {positive}"),
            (false, None) => text = format!("{text} + {part}"),
        }
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// `-N` instead of `-1 * N`.
fn product_text(factors: &[Size], names: &[&str]) -> String {
    let (sign, factors) = match factors {
        [Size::Constant(-1), rest @ ..] if !rest.is_empty() => ("-", rest),
        factors => ("", factors),
    };
    let texts: Vec<_> = factors.iter().map(|factor| write_size(factor, names, Binding::Operand)).collect();
    if texts.is_empty() { "1".to_owned() } else { format!("{sign}{}", texts.join(" * ")) }
}

fn variable_name(slot: usize, names: &[&str]) -> String {
    match (names.get(slot), slot.saturating_sub(names.len())) {
        (Some(name), _) => (*name).to_owned(),
        (None, 0) => "i".to_owned(),
        (None, 1) => "j".to_owned(),
        (None, 2) => "k".to_owned(),
        (None, further) => format!("i{further}"),
    }
}

fn condition_text(condition: &Condition, names: &[&str]) -> String {
    let compare = |left: &Size, operator: &str, right: &Size| {
        format!(
            "{} {operator} {}",
            write_size(left, names, Binding::Sum),
            write_size(right, names, Binding::Sum)
        )
    };
    match *condition {
        Condition::Less(left, right) => compare(left, "<", right),
        Condition::LessOrEqual(left, right) => compare(left, "<=", right),
        Condition::Equal(left, right) => compare(left, "==", right),
        Condition::And(left, right) => {
            format!("({}) && ({})", condition_text(left, names), condition_text(right, names))
        }
        Condition::Or(left, right) => {
            format!("({}) || ({})", condition_text(left, names), condition_text(right, names))
        }
        Condition::Not(condition) => format!("!({})", condition_text(condition, names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: Size = Size::Variable(0);
    const M: Size = Size::Variable(1);

    fn value(size: &Size, n: i64, m: i64) -> Result<i64, NoValue> {
        let mut environment = Environment::default();
        environment.set(0, Some(n));
        environment.set(1, Some(m));
        environment.evaluate(size)
    }

    #[test]
    fn operations_have_their_usual_values() {
        let triangle =
            Size::Divide(&Size::Multiply(&[N, Size::Add(&[N, Size::Constant(1)])]), &Size::Constant(2));
        let sum = Size::Sum {
            slot: 2,
            from: &Size::Constant(0),
            to: &N,
            body: &Size::Add(&[Size::Variable(2), Size::Constant(1)]),
        };
        let smaller = Size::If(&Condition::Less(&N, &M), &N, &M);
        for n in 0..20 {
            assert_eq!(value(&triangle, n, 7), Ok(n * (n + 1) / 2));
            assert_eq!(value(&sum, n, 7), Ok(n * (n + 1) / 2));
            assert_eq!(value(&smaller, n, 7), Ok(n.min(7)));
            assert_eq!(value(&Size::Minimum(&N, &M), n, 7), Ok(n.min(7)));
            assert_eq!(value(&Size::Power(&Size::Constant(2), &N), n, 7), Ok(1 << n));
        }
        assert_eq!(value(&Size::Log2(&N), 9, 0), Ok(3));
        assert_eq!(value(&Size::Divide(&Size::Constant(-1), &N), 4, 0), Ok(-1));
        assert_eq!(value(&Size::Remainder(&Size::Constant(-1), &N), 4, 0), Ok(3));
    }

    #[test]
    fn overflow_and_division_by_zero_have_no_value() {
        assert_eq!(value(&Size::Multiply(&[N, M]), i64::MAX, 2), Err(NoValue::Overflow));
        assert_eq!(value(&Size::Add(&[N, M]), i64::MAX, 1), Err(NoValue::Overflow));
        assert_eq!(value(&Size::Divide(&N, &M), 1, 0), Err(NoValue::Undefined));
        assert_eq!(value(&Size::Remainder(&N, &M), 1, 0), Err(NoValue::Undefined));
        assert_eq!(value(&Size::Power(&N, &M), 3, 41), Err(NoValue::Overflow));
        assert_eq!(value(&Size::Log2(&N), 0, 0), Err(NoValue::Undefined));
        assert_eq!(Environment::default().evaluate(&N), Err(NoValue::Unknown(0)));
    }

    #[test]
    fn a_sum_of_too_many_terms_has_no_value() {
        let sum = Size::Sum { slot: 2, from: &Size::Constant(0), to: &N, body: &Size::Constant(0) };
        assert_eq!(value(&sum, 1000, 0), Ok(0));
        assert_eq!(value(&sum, i64::MAX, 0), Err(NoValue::Overflow));
    }

    #[test]
    fn the_smallest_part_without_a_value_is_to_blame() {
        const PRODUCT: Size = Size::Multiply(&[N, M]);
        const LOG: Size = Size::Log2(&N);
        const ROUNDED: Size = Size::Divide(&Size::Add(&[PRODUCT, Size::Constant(255)]), &Size::Constant(256));
        const CHOICE: Size = Size::If(
            &Condition::Or(&Condition::LessOrEqual(&LOG, &Size::Constant(0)), &Condition::Less(&N, &M)),
            &ROUNDED,
            &Size::Constant(0),
        );
        let culprit = |size: &Size, n: i64, m: i64| {
            let mut environment = Environment::default();
            environment.set(0, Some(n));
            environment.set(1, Some(m));
            let reason = environment.evaluate(size).unwrap_err();
            let culprit = environment.culprit(size);
            format!("{} {}", text(culprit, &["N", "M"]), reason.reason(culprit))
        };
        assert_eq!(culprit(&Size::Minimum(&N, &ROUNDED), i64::MAX, 2), "N * M is too large");
        assert_eq!(culprit(&CHOICE, 0, 2), "log2(N) is the logarithm of a number below 1");
        assert_eq!(culprit(&CHOICE, 4, i64::MAX), "N * M is too large");
        assert_eq!(culprit(&Size::Add(&[N, Size::Remainder(&N, &M)]), 4, 0), "N % M divides by zero");
        assert_eq!(
            culprit(&Size::Multiply(&[N, Size::Power(&N, &M)]), 4, -1),
            "pow(N, M) has an exponent below 0"
        );
    }

    #[test]
    fn a_size_is_shown_as_a_user_writes_it() {
        let names = ["N", "M"];
        const PLUS_ONE: Size = Size::Add(&[N, Size::Constant(1)]);
        let shown = |size: &Size| text(size, &names);
        assert_eq!(shown(&Size::Multiply(&[Size::Constant(3), N])), "3 * N");
        assert_eq!(shown(&Size::Add(&[N, Size::Constant(-2)])), "N - 2");
        assert_eq!(shown(&Size::Add(&[M, Size::Multiply(&[Size::Constant(-1), N])])), "M - N");
        assert_eq!(
            shown(&Size::Divide(&Size::Multiply(&[N, PLUS_ONE]), &Size::Constant(2))),
            "N * (N + 1) / 2"
        );
        assert_eq!(shown(&Size::Minimum(&N, &M)), "min(N, M)");
        let sum = Size::Sum { slot: 2, from: &Size::Constant(0), to: &N, body: &Size::Variable(2) };
        assert_eq!(shown(&sum), "sum(N, |i| i)");
    }

    #[test]
    fn a_summation_index_is_not_a_free_variable() {
        let sum = Size::Sum {
            slot: 2,
            from: &Size::Constant(0),
            to: &N,
            body: &Size::Multiply(&[Size::Variable(2), M]),
        };
        let mut free = Vec::new();
        for_each_variable(&sum, &mut |slot| free.push(slot));
        assert_eq!(free, [0, 1]);
    }
}
