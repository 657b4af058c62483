//! Random detours over position-dependent rows: an array is taken apart into rows of different lengths,
//! something is done to each, and what comes out is an ordinary array again.

use super::choices::Choices;
use super::program::{Generator, Threads};
use super::stage::{Pipeline, Stage};
use super::types::{Length, Scalar, Type};

/// No more rows than a kernel tells apart by comparisons.
const MOST_ROWS: usize = 8;

/// An array as rows, and the array of all of them.
#[derive(Clone)]
struct Partition {
    text: String,
    /// The number of rows.
    rows: Length,
    /// What puts the rows together.
    together: &'static str,
    /// The length of the array that is put together, as the compiler knows it.
    joined: Length,
}

impl Partition {
    /// What may be done to the rows before they are put together. Only rows of any lengths may be exchanged.
    fn rearrangements(&self) -> &'static [&'static str] {
        match self.text.starts_with("partition") {
            true => &["", "reverse >> ", "map(reverse) >> ", "map(gather(|i| i / 2)) >> "],
            false => &["", "map(reverse) >> ", "map(gather(|i| i / 2)) >> "],
        }
    }
}

/// Chunks of `length` elements, or rows that take them in turn: as many as there are, also fewer than rows.
fn distribution(choices: &mut Choices, length: &Length) -> Partition {
    let count = length.value();
    let joined = match length {
        Length::Literal(_) | Length::Variable(..) => length.clone(),
        Length::Computed(_) => Length::Computed(count),
    };
    if choices.one_in(2) {
        let chunk = count.div_ceil(MOST_ROWS).max(1) + choices.below(4);
        let rows = length.derived(count.div_ceil(chunk));
        Partition { text: format!("chunks({chunk})"), rows, together: "join", joined }
    } else {
        let rows = 1 + choices.below(MOST_ROWS);
        let text = format!("deinterleave({rows})");
        Partition { text, rows: Length::Literal(rows), together: "interleave", joined }
    }
}

/// A `partition` of `length` elements.
fn partition(choices: &mut Choices, length: &Length) -> Partition {
    if choices.one_in(3) {
        return distribution(choices, length);
    }
    let count = length.value();
    // Where the lengths of all rows are numbers, the length of the array must be their sum.
    let of = |text: String, rows: usize, joined: Length| {
        let rows = Length::Literal(rows);
        Partition { text, rows, together: "join", joined }
    };
    let constant = |text: String, rows: usize| of(text, rows, Length::Literal(count));
    let growing = |rows: usize| {
        let triangle = rows * (rows - 1) / 2;
        (count >= triangle && (count - triangle).is_multiple_of(rows)).then(|| {
            let least = (count - triangle) / rows;
            constant(format!("partition({rows}, |i| i + {least})"), rows)
        })
    };
    let falling = |rows: usize| {
        let triangle = rows * (rows - 1) / 2;
        ((count + triangle).is_multiple_of(rows) && (count + triangle) / rows + 1 >= rows).then(|| {
            let most = (count + triangle) / rows;
            constant(format!("partition({rows}, |i| {most} - i)"), rows)
        })
    };
    let mut rows: Vec<_> =
        (2..=MOST_ROWS).flat_map(|rows| [growing(rows), falling(rows)]).flatten().collect();
    let first = choices.below(count + 1);
    let last = choices.below(count - first + 1);
    let sections = match length {
        Length::Variable(name, _) => {
            let text = format!("partition(3, caseSplit({first}, {name} - {}, {last}))", first + last);
            of(text, 3, length.clone())
        }
        Length::Literal(_) | Length::Computed(_) => {
            constant(format!("partition(3, caseSplit({first}, {}, {last}))", count - first - last), 3)
        }
    };
    rows.extend([sections.clone(), sections]);
    choices.pick(&rows)
}

/// What is done to every row, or to all; the length of the joined rows.
pub(crate) fn rearranged_rows(choices: &mut Choices, length: &Length) -> (Stage, Length) {
    let partition = partition(choices, length);
    let inside = choices.pick(partition.rearrangements());
    let Partition { text, together, joined, .. } = partition;
    (Stage::Lambda(format!("({text} >> {inside}{together})")), joined)
}

/// The same, where elements can be written through it.
pub(crate) fn permuted_rows(choices: &mut Choices, length: &Length) -> (Stage, Length) {
    let partition = partition(choices, length);
    let inside = choices.pick(&["", "map(reverse) >> "]);
    let Partition { text, together, joined, .. } = partition;
    (Stage::Lambda(format!("({text} >> {inside}{together})")), joined)
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
        let Partition { text, rows, together, joined } = partition(self.choices, &length);
        let (outer, inner) = match self.choices.pick(pairs) {
            // Only a known number of rows is straight-line code.
            ("mapSeqUnroll", inner) if !matches!(rows, Length::Literal(_)) => ("mapSeq", inner),
            pair => pair,
        };
        let (function, result) = self.scalar_lambda(scalar);
        // Rows that a group stores, and reads backwards, lie in memory of their own.
        let stored = outer == "mapWrg0" && self.choices.one_in(2);
        let rows = if stored {
            format!("toGlobal({inner}(id)) >> reverse >> {inner}({function}) >> reverse")
        } else {
            format!("{inner}({function})")
        };
        let text = format!("({text} >> {outer}({rows}) >> {together})");
        pipeline.push(Stage::Lambda(text), Type::array(result, joined));
        true
    }

    /// The largest element of every row, or of all elements up to each position.
    pub(super) fn reduce_rows(&mut self, pipeline: &mut Pipeline) -> bool {
        let Some((scalar, length)) = pipeline.ty.as_numbers() else { return false };
        let length = length.clone();
        let largest = Type::Scalar(Scalar::new(scalar.element, scalar.bound));
        if self.choices.one_in(3) {
            let count = 1 + self.choices.below(length.value().min(6));
            let rows = self.fresh("t");
            let text =
                format!("(|{rows}| generate({count}, |i| slice(0, i + 1, {rows})) >> map(reduce(max, 0)))");
            pipeline.push(Stage::Lambda(text), Type::array(largest, Length::Literal(count)));
        } else {
            let Partition { text, rows, .. } = partition(self.choices, &length);
            let text = format!("({text} >> map(reduce(max, 0)))");
            pipeline.push(Stage::Lambda(text), Type::array(largest, rows));
        }
        true
    }
}
