//! Finds the sizes of a program from the sizes of arguments.
//!
//! Every dimension of every array argument is an equation between a [`Size`] and a number. A dimension that
//! is a plain variable fixes that variable. An expression in one unknown is inverted by bisection, because
//! the compiler accepts such a type only if it is monotone. In the end all equations are verified, so that
//! what is returned satisfies every one of them whatever the expressions are.

use super::size::{self, Environment, NoValue};
use crate::error::{Error, KnownSize, Result, SizeMismatch};
use crate::program::{Condition, Program, Size};

/// A size that an argument has, and the one that its parameter's type demands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Equation {
    /// The position of the parameter.
    pub(crate) parameter: usize,
    /// Which dimension of it; `None` where the parameter is a size itself.
    pub(crate) dimension: Option<usize>,
    /// The number of its dimensions.
    pub(crate) rank: usize,
    /// What its type says.
    pub(crate) size: Size,
    /// What the argument has.
    pub(crate) found: u64,
}

/// The sizes of a program in one call.
#[derive(Debug)]
pub(crate) struct Sizes {
    program: &'static Program,
    environment: Environment,
    /// The parameter that fixed each size variable.
    origins: Vec<Option<usize>>,
}

/// The sizes that satisfy all equations, or what is wrong with an argument.
pub(crate) fn solve(program: &'static Program, equations: &[Equation]) -> Result<Sizes> {
    let mut sizes =
        Sizes { program, environment: Environment::default(), origins: vec![None; program.sizes.len()] };
    for equation in equations {
        let found = natural_of(program, equation)?;
        if let Size::Variable(slot) = equation.size
            && sizes.environment.get(slot).is_none()
        {
            sizes.fix(slot, found, equation.parameter);
        }
    }
    while sizes.invert_some(equations)? {}
    for (slot, variable) in program.sizes.iter().enumerate() {
        if sizes.environment.get(slot).is_none() {
            return Err(Error::UndeterminedSize {
                program: program.name.to_owned(),
                name: variable.name.to_owned(),
            });
        }
    }
    equations.iter().try_for_each(|equation| sizes.verify(equation))?;
    Ok(sizes)
}

/// A number as an `i64`; the largest one if it does not fit.
fn natural(found: u64) -> i64 {
    i64::try_from(found).unwrap_or(i64::MAX)
}

/// What an argument has, as an `i64`. No array is too long for that, but a size that is passed may be.
fn natural_of(program: &'static Program, equation: &Equation) -> Result<i64> {
    let found = equation.found;
    let name = program.parameters.get(equation.parameter).map_or("", |parameter| parameter.name);
    i64::try_from(found).map_err(|_| too_large(program, name, found))
}

/// The error for a number that is passed as a size and is larger than any size.
pub(crate) fn too_large(program: &'static Program, parameter: &str, found: u64) -> Error {
    Error::Size {
        program: program.name.to_owned(),
        size: parameter.to_owned(),
        reason: format!("is {found}, but sizes are at most {}", i64::MAX),
    }
}

impl Sizes {
    /// The value of a size, which must have one.
    pub(crate) fn value(&mut self, size: &Size) -> Result<i64> {
        self.environment.evaluate(size).map_err(|reason| {
            let culprit = self.environment.culprit(size);
            self.undefined(culprit, reason.reason(culprit))
        })
    }

    /// Whether a condition holds. One that compares sizes without values does not.
    pub(crate) fn holds(&mut self, condition: &Condition) -> bool {
        self.environment.holds(condition).unwrap_or(false)
    }

    /// The value of a size if the variable in a slot is `position`.
    pub(crate) fn value_at(&mut self, size: &Size, slot: usize, position: usize) -> Result<i64> {
        self.at(slot, position, |sizes| sizes.value(size))
    }

    /// Computes something while the variable in a slot is `position`.
    pub(crate) fn at<R>(&mut self, slot: usize, position: usize, compute: impl FnOnce(&mut Sizes) -> R) -> R {
        let outer = self.environment.get(slot);
        self.environment.set(slot, i64::try_from(position).ok());
        let result = compute(self);
        self.environment.set(slot, outer);
        result
    }

    /// The value of a size as a length or a count, which is not negative.
    pub(crate) fn count(&mut self, size: &Size) -> Result<usize> {
        let value = self.value(size)?;
        usize::try_from(value).map_err(|_| self.undefined(size, &format!("is {value}")))
    }

    /// The largest of these extents. A size of 0 counts as 1, so that parts of a product are no larger than
    /// the product.
    ///
    /// # Errors
    /// Returns the first extent that is larger than `most`.
    pub(crate) fn largest_extent(&self, extents: &[Size], most: i64) -> Result<i64> {
        let mut environment = self.environment.clone();
        for slot in 0..self.program.sizes.len() {
            environment.set(slot, environment.get(slot).map(|value| value.max(1)));
        }
        let mut largest = 0;
        for extent in extents {
            match environment.evaluate(extent) {
                Ok(value) if value <= most => largest = value.max(largest),
                Ok(_) | Err(NoValue::Overflow) => {
                    let reason = "is computed for an index and is too large for 64 bits";
                    return Err(self.undefined(extent, reason));
                }
                Err(reason) => {
                    let culprit = environment.culprit(extent);
                    return Err(self.undefined(culprit, reason.reason(culprit)));
                }
            }
        }
        Ok(largest)
    }

    /// The value of a size variable.
    pub(crate) fn variable(&self, slot: usize) -> Option<i64> {
        self.environment.get(slot)
    }

    /// A size as the user writes it.
    pub(crate) fn text(&self, size: &Size) -> String {
        let names: Vec<_> = self.program.sizes.iter().map(|variable| variable.name).collect();
        size::text(size, &names)
    }

    /// The error for a size without a valid value, with the sizes that it is made of.
    pub(crate) fn undefined(&self, size: &Size, reason: &str) -> Error {
        let known = self.known_sizes(size);
        let facts: Vec<String> = known.iter().map(KnownSize::to_string).collect();
        Error::Size {
            program: self.program.name.to_owned(),
            size: self.text(size),
            reason: match facts.as_slice() {
                [] => reason.to_owned(),
                facts => format!("{reason}: {}", facts.join(", ")),
            },
        }
    }

    fn fix(&mut self, slot: usize, value: i64, parameter: usize) {
        self.environment.set(slot, Some(value));
        if let Some(origin) = self.origins.get_mut(slot) {
            *origin = Some(parameter);
        }
    }

    /// Fixes the variables of all equations that have become equations in one unknown. Returns whether there
    /// was one.
    fn invert_some(&mut self, equations: &[Equation]) -> Result<bool> {
        let mut progress = false;
        for equation in equations {
            let Some(slot) = self.only_unknown(&equation.size) else { continue };
            match self.invert(equation, slot) {
                Inverse::One(value) => {
                    self.fix(slot, value, equation.parameter);
                    progress = true;
                }
                // Another equation may decide between several solutions.
                Inverse::Several => {}
                Inverse::None => return Err(self.no_such_size(equation, slot)),
            }
        }
        Ok(progress)
    }

    fn only_unknown(&self, size: &Size) -> Option<usize> {
        let (mut unknown, mut several) = (None, false);
        size::for_each_variable(size, &mut |slot| {
            if self.environment.get(slot).is_none() {
                several |= unknown.is_some_and(|other| other != slot);
                unknown = Some(slot);
            }
        });
        if several { None } else { unknown }
    }

    /// The natural numbers that satisfy an equation in one unknown. Numbers below the program's minimum are
    /// found as well: an error about the minimum says more than one that there is no size.
    fn invert(&mut self, equation: &Equation, slot: usize) -> Inverse {
        let minimum = self.program.sizes.get(slot).map_or(0, |variable| natural(variable.minimum));
        match self.invert_from(minimum, equation, slot) {
            Inverse::None if minimum > 0 => self.invert_from(0, equation, slot),
            found => found,
        }
    }

    /// The numbers from `minimum` on that satisfy an equation in one unknown.
    fn invert_from(&mut self, minimum: i64, equation: &Equation, slot: usize) -> Inverse {
        let target = natural(equation.found);
        let mut at = |value: i64| {
            self.environment.set(slot, Some(value));
            let result = self.environment.evaluate(&equation.size);
            self.environment.set(slot, None);
            result
        };
        // A division by the unknown has no value at zero.
        let low = if at(minimum) == Err(NoValue::Undefined) { minimum.saturating_add(1) } else { minimum };
        let Ok(first) = at(low) else { return Inverse::None };
        let rising = first <= target;
        let reached = |value: Result<i64, NoValue>| match value {
            Ok(value) => (if rising { value >= target } else { value <= target }, value == target),
            Err(NoValue::Overflow) => (rising, false),
            Err(NoValue::Undefined | NoValue::Unknown(_)) => (false, false),
        };
        // A falling size that contains a sum would be summed over huge ranges in vain.
        if !rising && contains_sum(&equation.size) {
            return Inverse::None;
        }
        let Some(least) = least_where(low, |value| reached(at(value)).0) else { return Inverse::None };
        match (reached(at(least)).1, least.checked_add(1).is_some_and(|next| reached(at(next)).1)) {
            (false, _) => Inverse::None,
            (true, false) => Inverse::One(least),
            (true, true) => Inverse::Several,
        }
    }

    fn verify(&mut self, equation: &Equation) -> Result<()> {
        let expected = self.value(&equation.size)?;
        if u64::try_from(expected) == Ok(equation.found) {
            return Ok(());
        }
        Err(Error::SizeMismatch(Box::new(SizeMismatch {
            argument: self.argument(equation.parameter),
            dimension: equation.dimension,
            rank: equation.rank,
            found: equation.found,
            size: self.text(&equation.size),
            expected,
            because: self.known_sizes(&equation.size),
        })))
    }

    /// Checks that every size is as large as the program needs it. Obligations say why, and are checked
    /// before.
    pub(crate) fn verify_minimums(&self) -> Result<()> {
        for (slot, variable) in self.program.sizes.iter().enumerate() {
            let found = self.environment.get(slot).and_then(|value| u64::try_from(value).ok()).unwrap_or(0);
            if found < variable.minimum {
                return Err(Error::SizeTooSmall {
                    program: self.program.name.to_owned(),
                    name: variable.name.to_owned(),
                    found,
                    minimum: variable.minimum,
                });
            }
        }
        Ok(())
    }

    /// The variables of a size with their values and origins, each once.
    pub(crate) fn known_sizes(&self, size: &Size) -> Vec<KnownSize> {
        let mut known: Vec<KnownSize> = Vec::new();
        size::for_each_variable(size, &mut |slot| {
            let variable = self.program.sizes.get(slot);
            let origin = self.origins.get(slot).copied().flatten();
            if let (Some(variable), Some(origin), Some(value)) =
                (variable, origin, self.environment.get(slot))
                && known.iter().all(|known| known.name != variable.name)
            {
                let argument = self.argument(origin);
                known.push(KnownSize { name: variable.name.to_owned(), value, argument });
            }
        });
        known
    }

    fn no_such_size(&self, equation: &Equation, slot: usize) -> Error {
        let unknown = self.program.sizes.get(slot).map_or("size", |variable| variable.name);
        Error::NoSuchSize {
            argument: self.argument(equation.parameter),
            dimension: equation.dimension,
            rank: equation.rank,
            found: equation.found,
            size: self.text(&equation.size),
            unknown: unknown.to_owned(),
        }
    }

    fn argument(&self, parameter: usize) -> String {
        self.program.parameters.get(parameter).map_or("an argument", |parameter| parameter.name).to_owned()
    }
}

/// How many natural numbers satisfy an equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inverse {
    None,
    One(i64),
    Several,
}

/// The least value from `low` on for which a predicate holds. It must hold for all greater values, too.
fn least_where(low: i64, mut holds: impl FnMut(i64) -> bool) -> Option<i64> {
    let mut below = low;
    let mut step = 1i64;
    let mut above = low;
    while !holds(above) {
        below = above.saturating_add(1);
        above = low.checked_add(step)?;
        step = step.checked_mul(2)?;
    }
    while below < above {
        let middle = below + (above - below) / 2;
        if holds(middle) { above = middle } else { below = middle + 1 }
    }
    Some(above)
}

fn contains_sum(size: &Size) -> bool {
    match *size {
        Size::Constant(_) | Size::Variable(_) => false,
        Size::Add(parts) | Size::Multiply(parts) => parts.iter().any(contains_sum),
        Size::Divide(left, right)
        | Size::Remainder(left, right)
        | Size::Minimum(left, right)
        | Size::Maximum(left, right)
        | Size::Power(left, right)
        | Size::If(_, left, right) => contains_sum(left) || contains_sum(right),
        Size::Log2(size) => contains_sum(size),
        Size::Sum { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::program::{NO_KERNELS, Parameter, ParameterType, ScalarType, SizeVariable};

    const N: Size = Size::Variable(0);
    const M: Size = Size::Variable(1);
    const ONE: Size = Size::Constant(1);
    const TWO: Size = Size::Constant(2);

    const fn array(name: &'static str) -> Parameter {
        Parameter { name, ty: ParameterType::Array { element: ScalarType::F32, shape: &[] } }
    }

    /// A program whose parameters have the sizes that the equations of each test say.
    const PROGRAM: Program = Program {
        name: "example",
        type_parameters: 0,
        sizes: &[SizeVariable { name: "N", minimum: 0 }, SizeVariable { name: "M", minimum: 1 }],
        parameters: &[array("a"), array("b"), array("c")],
        results: &[],
        obligations: &[],
        plain: NO_KERNELS,
        others: &[],
        exact: crate::program::ROUNDED_FREELY,
        repeated: &[],
    };
    static EXAMPLE: Program = PROGRAM;
    static ONE_SIZE: Program = Program { sizes: &[SizeVariable { name: "N", minimum: 0 }], ..PROGRAM };
    static UNNAMED: Program = Program { sizes: &[SizeVariable { name: "len(a)", minimum: 0 }], ..PROGRAM };

    fn equation(parameter: usize, size: Size, found: u64) -> Equation {
        Equation { parameter, dimension: Some(0), rank: 1, size, found }
    }

    fn solved(program: &'static Program, equations: &[Equation]) -> Result<Vec<i64>, String> {
        let sizes = solve(program, equations)
            .and_then(|sizes| sizes.verify_minimums().map(|()| sizes))
            .map_err(|error| error.to_string())?;
        Ok((0..program.sizes.len()).filter_map(|slot| sizes.variable(slot)).collect())
    }

    #[test]
    fn plain_dimensions_fix_their_variables() {
        assert_eq!(
            solved(&EXAMPLE, &[equation(0, N, 4), equation(1, M, 7), equation(2, N, 4)]),
            Ok(vec![4, 7])
        );
    }

    #[test]
    fn a_mismatch_names_both_arguments_and_sizes() {
        assert_eq!(
            solved(&ONE_SIZE, &[equation(0, N, 4), equation(1, N, 5)]),
            Err("`b` has 5 elements, but `N` is 4 because of `a`".to_owned())
        );
        assert_eq!(
            solved(&ONE_SIZE, &[equation(0, N, 4), equation(1, Size::Multiply(&[Size::Constant(3), N]), 5)]),
            Err("`b` has 5 elements, but `3 * N` is 12 (`N` is 4 because of `a`)".to_owned())
        );
        assert_eq!(
            solved(&UNNAMED, &[equation(0, N, 4), equation(1, N, 5)]),
            Err("`b` has 5 elements, but `len(a)` is 4".to_owned())
        );
        let second = Equation { dimension: Some(1), rank: 2, ..equation(1, Size::Constant(3), 5) };
        assert_eq!(
            solved(&ONE_SIZE, &[equation(0, N, 4), second]),
            Err("`b` has size 5 in dimension 1, but 3 is needed".to_owned())
        );
    }

    #[test]
    fn a_monotone_expression_is_inverted() {
        let triangle = Size::Divide(&Size::Multiply(&[N, Size::Add(&[N, ONE])]), &TWO);
        for n in [0u64, 1, 2, 3, 100, 99_999, 2_000_000_000] {
            assert_eq!(solved(&ONE_SIZE, &[equation(0, triangle, n * (n + 1) / 2)]), Ok(vec![n as i64]));
            let tripled = Size::Multiply(&[Size::Constant(3), N]);
            assert_eq!(solved(&ONE_SIZE, &[equation(0, tripled, 3 * n)]), Ok(vec![n as i64]));
        }
        let falling = Size::Add(&[Size::Constant(10), Size::Multiply(&[Size::Constant(-1), N])]);
        assert_eq!(solved(&ONE_SIZE, &[equation(0, falling, 3)]), Ok(vec![7]));
        let summed = Size::Sum { slot: 1, from: &Size::Constant(0), to: &N, body: &Size::Variable(1) };
        assert_eq!(solved(&ONE_SIZE, &[equation(0, summed, 45)]), Ok(vec![10]));
    }

    /// `factor * N^power + offset`, with lifetimes as in generated code.
    fn polynomial(factor: i64, power: usize, offset: i64) -> Size {
        let factors =
            [Size::Constant(factor)].into_iter().chain(std::iter::repeat_n(N, power)).collect::<Vec<_>>();
        Size::Add(vec![Size::Multiply(factors.leak()), Size::Constant(offset)].leak())
    }

    proptest! {
        #[test]
        fn the_inverse_of_a_polynomial_is_found(
            factor in 1i64..9, power in 1usize..4, offset in 0i64..9, n in 0i64..1_000_000,
        ) {
            let size = polynomial(factor, power, offset);
            let found = factor * n.pow(power as u32) + offset;
            prop_assert_eq!(solved(&ONE_SIZE, &[equation(0, size, found as u64)]), Ok(vec![n]));
        }

        #[test]
        fn a_solution_satisfies_its_equation(factor in 1i64..9, power in 1usize..4, offset in 0i64..9, found in 0u64..10_000) {
            let size = polynomial(factor, power, offset);
            let value = |n: i64| (factor * n.pow(power as u32) + offset) as u64;
            match solved(&ONE_SIZE, &[equation(0, size, found)]) {
                Ok(sizes) => prop_assert!(sizes.iter().all(|&n| value(n) == found)),
                Err(_) => prop_assert!((0..=10_000).all(|n| value(n) != found)),
            }
        }
    }

    #[test]
    fn an_equation_without_a_solution_is_an_error() {
        let triangle = Size::Divide(&Size::Multiply(&[N, Size::Add(&[N, ONE])]), &TWO);
        assert_eq!(
            solved(&ONE_SIZE, &[equation(0, triangle, 7)]),
            Err("`a` has 7 elements, but no `N` makes `N * (N + 1) / 2` equal to that".to_owned())
        );
        assert!(solved(&ONE_SIZE, &[equation(0, Size::Add(&[N, Size::Constant(5)]), 3)]).is_err());
        assert!(solved(&ONE_SIZE, &[equation(0, Size::Multiply(&[N, N]), u64::MAX)]).is_err());
    }

    #[test]
    fn a_size_that_is_too_large_to_compute_with_is_said_to_be() {
        let passed = Equation { dimension: None, rank: 0, ..equation(1, M, u64::MAX) };
        assert_eq!(
            solved(&EXAMPLE, &[equation(0, N, 4), passed]),
            Err("the size `b` in `example` is 18446744073709551615, but sizes are at most 9223372036854775807"
                .to_owned())
        );
    }

    #[test]
    fn one_element_is_no_plural() {
        let message = solved(&ONE_SIZE, &[equation(0, N, 4), equation(1, N, 1)]);
        assert_eq!(message, Err("`b` has 1 element, but `N` is 4 because of `a`".to_owned()));
    }

    #[test]
    fn an_ambiguous_expression_is_decided_by_another_argument_or_an_error() {
        let half = Size::Divide(&N, &TWO);
        assert_eq!(solved(&ONE_SIZE, &[equation(0, half, 3), equation(1, N, 7)]), Ok(vec![7]));
        assert!(solved(&ONE_SIZE, &[equation(0, half, 3)]).unwrap_err().contains("`N` does not follow"));
    }

    #[test]
    fn unknowns_are_found_one_after_the_other() {
        let product = Size::Multiply(&[N, M]);
        let next = Size::Add(&[N, ONE]);
        assert_eq!(solved(&EXAMPLE, &[equation(0, product, 12), equation(1, next, 4)]), Ok(vec![3, 4]));
        assert!(solved(&EXAMPLE, &[equation(0, product, 12)]).is_err());
    }

    #[test]
    fn a_size_below_the_minimum_is_an_error() {
        assert_eq!(
            solved(&EXAMPLE, &[equation(0, N, 4), equation(1, M, 0)]),
            Err("`M` is 0, but `example` needs at least 1".to_owned())
        );
    }
}
