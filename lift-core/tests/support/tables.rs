//! Random tables: each step of a reduction replaces one entry, a number or a row.

use super::program::{Generator, Threads};
use super::stage::{Pipeline, Stage};
use super::types::{Length, Scalar, Type};

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
        let function = format!("{parameters} update({key}, {new}, t)");
        let arguments = vec![function, format!("repeat({entries}, {initial})")];
        pipeline.push(Stage::Primitive(primitive, arguments), Type::array(result, Length::Literal(entries)));
        true
    }
}
