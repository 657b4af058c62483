//! Random tables: each step of a reduction replaces one entry, a number or a row, or chooses between that and
//! another entry or none; the reduction may end early, and the table may stand beside a number.

use super::program::{Generator, Threads};
use super::stage::{Pipeline, Stage};
use super::types::{Element, Length, Scalar, Type};

/// Longer tables than this are not kept in registers by the compiler.
const MOST_ENTRIES: usize = 12;

impl Generator<'_> {
    /// Reduces an array of numbers to a table with the primitive; says whether it did.
    pub(super) fn reduce_to_table(
        &mut self,
        pipeline: &mut Pipeline,
        primitive: &'static str,
        (scalar, length): (Scalar, usize),
        threads: Threads,
    ) -> bool {
        let element = scalar.element;
        // A step adds an element to an entry or takes it from one, so that none grows further.
        let grown = scalar.bound * length as f64 + 2.0;
        if !element.allows(grown) {
            return false;
        }
        let entries = 1 + self.choices.below(MOST_ENTRIES);
        let width = self.choices.below(4);
        let map = if threads == Threads::Unspecified { "map" } else { "mapSeq" };
        // Those of elements may lie outside; a table without positions may be made of those of parts.
        let (parameters, key) = self.choices.pick(&[
            ("|t, x|", "x as i32"),
            ("|t, x|", "x as i64 - 1"),
            ("|i => t, x|", "(i % 3) as i32"),
        ]);
        let read = self.choices.pick(&[key, key, "0"]);
        let entry = format!("at({read}, t)");
        let new = match (width, self.choices.below(3)) {
            (0, 0) => format!("{entry} + x"),
            (0, 1) => format!("max(x, {entry})"),
            (0, _) => format!("x - {entry}"),
            (_, 0) => format!("({entry} >> {map}(|y| y + x))"),
            (_, 1) => format!("({entry} >> reverse >> {map}(|y| max(x, y)))"),
            _ => format!("({entry} >> reverse >> {map}(|k => y| if k == 0 {{ x - y }} else {{ y }}))"),
        };
        let name = element.name();
        let result = Type::Scalar(Scalar::difference(element, grown));
        let (initial, result) = match width {
            0 => (format!("2{name}"), result),
            _ => {
                let row = format!("generate({width}, |i| (i % 3) as {name})");
                (row, Type::array(result, Length::Literal(width)))
            }
        };
        let table = Type::array(result, Length::Literal(entries));
        let initial = format!("repeat({entries}, {initial})");
        let updated = format!("update({key}, {new}, t)");
        let other = self.choices.pick(&["t".to_owned(), format!("update(1, {new}, t)")]);
        let is_beside = self.choices.one_in(4);
        let beside = |table: &str| match is_beside {
            true => format!("({table}, n + 1)"),
            false => table.to_owned(),
        };
        let (updated, other) = (beside(&updated), beside(&other));
        let (primitive, step) = match self.choices.below(8) {
            0 => (primitive, format!("if x > 1 {{ {updated} }} else {{ {other} }}")),
            1 => (primitive, format!("if x > 1 {{ {other} }} else {{ {updated} }}")),
            2 => ("reduceWhile", format!("(x < 4, {updated})")),
            3 => ("reduceWhile", format!("if x > 1 {{ (x < 5, {updated}) }} else {{ (true, {other}) }}")),
            _ => (primitive, updated),
        };
        if !is_beside {
            let function = format!("{parameters} {step}");
            pipeline.push(Stage::Primitive(primitive, vec![function, initial]), table);
            return true;
        }
        let function = format!("{} {step}", parameters.replace("t,", "(t, n),"));
        let count = Scalar::new(Element::I32, length as f64);
        let pair = Type::Tuple(vec![table.clone(), Type::Scalar(count)]);
        pipeline.push(Stage::Primitive(primitive, vec![function, format!("({initial}, 0i32)")]), pair);
        pipeline.push(Stage::Lambda("(|(t, _)| t)".to_owned()), table);
        true
    }
}
