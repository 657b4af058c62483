//! Repetition: straight-line code, scans, iterations.

use super::{Generated, Generator};
use crate::diagnostic::Diagnostic;
use crate::kernel::{Expression, Statement};
use crate::nat::{Condition, Nat};
use crate::scalar::{Literal, ScalarType};
use crate::source::Source;
use crate::typed::{Expr, Lambda, ScanKind, Variable};
use crate::view::{Environment, Value};

/// The steps that are written out at most; more would make kernels that nobody can read or compile.
const MOST_STEPS: i128 = 1024;

/// The applications of an `iterate` at most: each has code or a kernel of its own.
const MOST_APPLICATIONS: i128 = 64;

impl Generator<'_> {
    /// Emits the code of every step, one after the other.
    pub(super) fn unrolled(
        &mut self,
        extent: &Nat,
        origin: &str,
        source: Source,
        mut step: impl FnMut(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        let extent = self.ranges.simplify(extent);
        let Some(steps) = extent.as_constant().filter(|steps| *steps <= MOST_STEPS) else {
            return Err(Diagnostic::new(
                source,
                format!("`{origin}` writes out every step, but there are `{extent}`"),
            )
            .with_help(format!(
                "unroll at most {MOST_STEPS} steps of a known number: `split` the array first"
            )));
        };
        self.block.push(Statement::Comment(origin.to_string()));
        (0..steps).try_for_each(|position| step(self, Nat::constant(position)))
    }

    /// Writes all prefixes of a reduction, in order.
    pub(super) fn write_scan(
        &mut self,
        kind: ScanKind,
        function: &Lambda,
        initial: &Expr,
        input: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<()> {
        let source = input.source;
        let Some(array) = input.ty.as_array() else {
            return Err(Diagnostic::internal(source, "a scan of a scalar"));
        };
        let Value::Array(places) = destination else {
            return Err(Diagnostic::internal(source, "an array destination was expected"));
        };
        if !array.element.is_element() || !initial.ty.is_element() {
            return Err(Diagnostic::new(source, "a scan of arrays is not supported yet")
                .with_help("scan scalars or tuples of scalars, inside a `map`"));
        }
        let input = self.view(input, environment)?;
        let wanted =
            function.parameters.first().map_or("accumulator", |(variable, _)| &variable.name).to_string();
        let accumulator = self.accumulator(&wanted, initial, environment)?;
        let origin = match kind {
            ScanKind::Exclusive => "scan",
            ScanKind::ExclusiveSequential => "scanSeq",
            ScanKind::Inclusive => "scanInclusive",
        };
        self.in_loop_over(&[&input, places], &array.length, origin, |generator, index| {
            let element = generator.access(&input, &index, source)?;
            let place = generator.access(places, &index, source)?;
            let apply = |generator: &mut Self, element: Value| {
                let environment =
                    generator.bind(function, vec![accumulator.clone(), element], environment, source)?;
                let next = generator.value(&function.body, &environment)?;
                Ok(generator.keep(next, "next"))
            };
            match kind {
                ScanKind::Exclusive | ScanKind::ExclusiveSequential => {
                    generator.assign(&place, accumulator.clone(), source)?;
                    let next = apply(generator, element)?;
                    generator.assign(&accumulator, next, source)
                }
                ScanKind::Inclusive => {
                    let element = generator.keep(element, "element");
                    let is_first = Condition::Equal(index.clone(), Nat::zero());
                    let next = generator.choose_by(
                        &is_first,
                        |_| Ok(element.clone()),
                        |inner| apply(inner, element.clone()),
                        source,
                    )?;
                    let next = generator.keep(next, "next");
                    generator.assign(&accumulator, next, source)?;
                    generator.assign(&place, accumulator.clone(), source)
                }
            }
        })
    }

    /// The last application of an `iterate`, with the environment in which its parameter means the result of the ones before;
    /// nothing for no application.
    pub(super) fn iterations(
        &mut self,
        count: &Nat,
        function: &Lambda,
        input: &Expr,
        environment: &Environment,
        source: Source,
    ) -> Generated<(Option<Expr>, Environment)> {
        let count = self.ranges.simplify(count);
        let Some(applications) = count.as_constant().filter(|count| *count <= MOST_APPLICATIONS) else {
            return Err(Diagnostic::new(
                source,
                format!("`iterate` has code for every application, but there are `{count}`"),
            )
            .with_help(format!(
                "iterate a known number of times, at most {MOST_APPLICATIONS}; for more, call the kernel repeatedly on device arrays"
            )));
        };
        let parameter = parameter_of(function, source)?;
        let mut value = if applications == 0 { None } else { Some(self.value(input, environment)?) };
        let mut last = None;
        let mut inside = environment.clone();
        for application in 0..applications {
            if let Some(previous) = last.take() {
                value = Some(self.value(&previous, &inside)?);
            }
            let applied = self.at_index(function, &Nat::constant(application), source)?;
            if let Some(value) = value.take() {
                inside = environment.with(&parameter, value);
            }
            last = Some(*applied.body);
        }
        Ok((last, inside))
    }
}

fn parameter_of(function: &Lambda, source: Source) -> Generated<Variable> {
    match function.parameters.as_slice() {
        [(variable, _)] => Ok(variable.clone()),
        _ => Err(Diagnostic::internal(source, "an iterated function takes one argument")),
    }
}

/// A comparison of indices as a truth value, decided where the ranges decide it.
pub(super) fn compare(generator: &Generator<'_>, condition: &Condition) -> Expression {
    match generator.ranges.decide(condition) {
        Some(truth) => Expression::Literal(Literal::Bool(truth), ScalarType::Bool),
        None => Expression::Condition(generator.ranges.simplify_condition(condition)),
    }
}
