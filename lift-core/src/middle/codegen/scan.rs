//! Scans by one work-item, in order.
//!
//! An accumulator that is an element is kept in registers. One that holds arrays is never moved: it is the
//! row of the result that was written last, from which the next row is computed.

use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use crate::ir::kernel::{Order, Workers};
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::{AddressSpace, Expr, Lambda, ScanKind};
use crate::middle::lower::is_shared_work;
use crate::middle::memory::workers_by_dimension;
use crate::middle::view::{Environment, Value, View};

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
        let input = self.view(input, environment)?;
        if !initial.ty.is_element() {
            return self.write_scan_of_arrays(scan, &input, expr, environment, places);
        }
        let wanted =
            function.parameters.first().map_or("accumulator", |(variable, _)| &variable.name).to_string();
        let accumulator = self.accumulator(&wanted, initial, environment)?;
        self.in_loop_over(
            &[&input, places],
            &array.length,
            Order::Stated,
            (name_of(kind), expr.source),
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

    /// Writes the prefixes of a reduction whose accumulators hold arrays: the first row, if there is one, and
    /// each next row from the one before.
    fn write_scan_of_arrays(
        &mut self,
        scan: &Scan<'_>,
        input: &View,
        expr: &Expr,
        environment: &Environment,
        rows: &View,
    ) -> Generated<()> {
        let Scan { kind, function, initial, .. } = *scan;
        let source = expr.source;
        let Some(array) = expr.ty.as_array() else {
            return Err(Error::internal(source, "a scan has an array as its result"));
        };
        if is_shared_work(initial) || is_shared_work(&function.body) {
            return Err(Error::new(source, Problem::SharedAccumulator));
        }
        let has_rows = Condition::Less(Nat::zero(), array.length.clone());
        self.where_holds(&has_rows, |generator| {
            let first = generator.access(rows, &Nat::zero(), source)?;
            match kind {
                ScanKind::Exclusive | ScanKind::ExclusiveSequential => {
                    let space = generator.space_of_place(&first).unwrap_or(AddressSpace::Global);
                    generator.store_initial(initial, &function.body, space, &first, environment)
                }
                ScanKind::Inclusive => {
                    let element = generator.access(input, &Nat::zero(), source)?;
                    let workers = workers_by_dimension(&function.body);
                    generator.copy_by(&workers, &element, &first, &array.element, source)
                }
            }
        })?;
        // Without rows it has no iterations. It stands outside of the condition, as it may need barriers.
        let others = &array.length - Nat::one();
        self.in_loop(Workers::Sequential, &others, name_of(kind), source, |generator, index| {
            let next = &index + Nat::one();
            let position = match kind {
                ScanKind::Exclusive | ScanKind::ExclusiveSequential => &index,
                ScanKind::Inclusive => &next,
            };
            let before = generator.access(rows, &index, source)?;
            let element = generator.access(input, position, source)?;
            let function = generator.positioned(function, position)?;
            let environment = generator.bind(&function, vec![before, element], environment, source)?;
            let place = generator.access(rows, &next, source)?;
            generator.write(&function.body, &environment, &place)
        })
    }
}

fn name_of(kind: ScanKind) -> &'static str {
    match kind {
        ScanKind::Exclusive => "scan",
        ScanKind::ExclusiveSequential => "scanSeq",
        ScanKind::Inclusive => "scanInclusive",
    }
}
