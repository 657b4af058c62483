//! Random detours over position-dependent rows: an array is taken apart into rows of different lengths, something is done
//! to each, and what comes out is an ordinary array again.

use super::choices::Choices;
use super::program::{Generator, Threads};
use super::stage::{Pipeline, Stage};
use super::types::{Length, Scalar, Type};

/// No more rows than a kernel tells apart by comparisons.
const MOST_ROWS: usize = 8;

/// The arguments of a `partition` of `length` elements, and the number of rows.
fn partition(choices: &mut Choices, length: &Length) -> (String, usize) {
    let count = length.value();
    let growing = |rows: usize| {
        let triangle = rows * (rows - 1) / 2;
        (count >= triangle && (count - triangle).is_multiple_of(rows)).then(|| {
            let least = (count - triangle) / rows;
            (format!("partition({rows}, |i| i + {least})"), rows)
        })
    };
    let falling = |rows: usize| {
        let triangle = rows * (rows - 1) / 2;
        ((count + triangle).is_multiple_of(rows) && (count + triangle) / rows + 1 >= rows).then(|| {
            let most = (count + triangle) / rows;
            (format!("partition({rows}, |i| {most} - i)"), rows)
        })
    };
    let mut rows: Vec<_> =
        (2..=MOST_ROWS).flat_map(|rows| [growing(rows), falling(rows)]).flatten().collect();
    let first = choices.below(count + 1);
    let last = choices.below(count - first + 1);
    let middle = match length {
        Length::Variable(name, _) => format!("{name} - {}", first + last),
        Length::Literal(_) | Length::Computed(_) => (count - first - last).to_string(),
    };
    let sections = (format!("partition(3, caseSplit({first}, {middle}, {last}))"), 3);
    rows.extend([sections.clone(), sections]);
    choices.pick(&rows)
}

/// A permutation of the elements of every row.
pub(crate) fn rearranged_rows(choices: &mut Choices, length: &Length) -> Stage {
    let (partition, _) = partition(choices, length);
    match choices.below(4) {
        0 => Stage::Lambda(format!("({partition} >> join)")),
        1 => Stage::Lambda(format!("({partition} >> reverse >> join)")),
        2 => Stage::Lambda(format!("({partition} >> map(reverse) >> join)")),
        _ => Stage::Lambda(format!("({partition} >> map(gather(|i| i / 2)) >> join)")),
    }
}

/// A permutation of the elements of every row that can be written through.
pub(crate) fn permuted_rows(choices: &mut Choices, length: &Length) -> Stage {
    let (partition, _) = partition(choices, length);
    match choices.below(2) {
        0 => Stage::Lambda(format!("({partition} >> join)")),
        _ => Stage::Lambda(format!("({partition} >> map(reverse) >> join)")),
    }
}

impl Generator<'_> {
    /// A map over all elements, row by row; says whether there was one.
    pub(super) fn compute_rows(&mut self, pipeline: &mut Pipeline, threads: Threads) -> bool {
        let Some((Type::Scalar(scalar), length)) = pipeline.ty.as_array() else { return false };
        let (scalar, length) = (*scalar, length.clone());
        let pairs: &[(&str, &str)] = match threads {
            Threads::Unspecified => &[("map", "map")],
            Threads::One => &[("mapSeq", "mapSeq"), ("mapSeqUnroll", "mapSeq")],
            Threads::Device => &[
                ("mapSeqUnroll", "mapGlb0"),
                ("mapGlb1", "mapGlb0"),
                ("mapGlb0", "mapSeq"),
                ("mapWrg0", "mapLcl0"),
            ],
            Threads::Global(_) | Threads::Groups | Threads::Group | Threads::Local(_) => return false,
        };
        let (outer, inner) = self.choices.pick(pairs);
        let (partition, _) = partition(self.choices, &length);
        let (function, result) = self.scalar_lambda(scalar);
        let text = format!("({partition} >> {outer}({inner}({function})) >> join)");
        pipeline.push(Stage::Lambda(text), Type::array(result, length));
        true
    }

    /// The largest element of every row, or of all elements up to each position.
    pub(super) fn reduce_rows(&mut self, pipeline: &mut Pipeline) -> bool {
        let Some((Type::Scalar(scalar), length)) = pipeline.ty.as_array() else { return false };
        let (scalar, length) = (*scalar, length.clone());
        let largest = Type::Scalar(Scalar::new(scalar.element, scalar.bound));
        if self.choices.one_in(3) {
            let count = 1 + self.choices.below(length.value().min(6));
            let rows = self.fresh("t");
            let text =
                format!("(|{rows}| generate({count}, |i| slice(0, i + 1, {rows})) >> map(reduce(max, 0)))");
            pipeline.push(Stage::Lambda(text), Type::array(largest, Length::Literal(count)));
        } else {
            let (partition, rows) = partition(self.choices, &length);
            let text = format!("({partition} >> map(reduce(max, 0)))");
            pipeline.push(Stage::Lambda(text), Type::array(largest, Length::Literal(rows)));
        }
        true
    }
}
