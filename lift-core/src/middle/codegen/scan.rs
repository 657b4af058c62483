//! Scans by one work-item, in order.

use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use crate::ir::kernel::Order;
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::{Expr, Lambda, ScanKind};
use crate::middle::view::{Environment, Value};

/// The parts of a scan.
pub(super) struct Scan<'e> {
    /// The prefixes that it returns.
    pub(super) kind: ScanKind,
    /// The function of an accumulator and an element.
    pub(super) function: &'e Lambda,
    /// The first accumulator.
    pub(super) initial: &'e Expr,
    /// The array.
    pub(super) input: &'e Expr,
}

impl Generator<'_> {
    /// Writes the prefixes of a reduction, in order.
    pub(super) fn write_scan(
        &mut self,
        scan: &Scan<'_>,
        expr: &Expr,
        environment: &Environment,
        destination: &Value,
    ) -> Generated<()> {
        let Scan { kind, function, initial, input } = *scan;
        let source = input.source;
        let Some(array) = input.ty.as_array() else {
            return Err(Error::internal(source, "a scan of a scalar"));
        };
        let Value::Array(places) = destination else {
            return Err(Error::internal(source, "an array destination was expected"));
        };
        if !array.element.is_element() || !initial.ty.is_element() {
            return Err(Error::new(source, Problem::ScanOfArrays));
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
        self.in_loop_over(
            &[&input, places],
            &array.length,
            Order::Stated,
            (origin, expr.source),
            |generator, index| {
                let element = generator.access(&input, &index, source)?;
                let place = generator.access(places, &index, source)?;
                let function = generator.positioned(function, &index)?;
                let apply = |generator: &mut Self, element: Value| {
                    let environment =
                        generator.bind(&function, vec![accumulator.clone(), element], environment, source)?;
                    generator.value(&function.body, &environment)
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
                        generator.assign(&accumulator, next, source)?;
                        generator.assign(&place, accumulator.clone(), source)
                    }
                }
            },
        )
    }
}
