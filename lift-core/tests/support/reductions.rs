//! Random reductions.

use super::program::{Generator, MOST_REGISTERS, MOST_UNROLLED, Threads};
use super::stage::{Pipeline, Stage};
use super::types::{Element, Length, Scalar, Type};

/// A reduction: its function, its initial value, and the type of its result.
pub(super) struct Reduction {
    pub(super) function: String,
    pub(super) initial: String,
    pub(super) result: Type,
}

impl Generator<'_> {
    /// Reduces an array; says whether it did.
    pub(super) fn reduce(&mut self, pipeline: &mut Pipeline, threads: Threads) -> bool {
        let Some((element, length)) = pipeline.ty.as_array() else { return false };
        let unrolled = matches!(length, Length::Literal(count) if *count <= MOST_UNROLLED);
        let (element, length) = (element.clone(), length.value());
        let name = match threads {
            Threads::Unspecified => "reduce",
            Threads::One if unrolled => {
                self.choices.pick(&["reduceSeq", "reduceSeqUnroll", "reduceSeqPipelined", "reduce"])
            }
            Threads::Device
            | Threads::Global(_)
            | Threads::Groups
            | Threads::Group
            | Threads::Local(_)
            | Threads::One => self.choices.pick(&["reduceSeq", "reduceSeqPipelined", "reduce"]),
        };
        if let Type::Scalar(scalar) = element
            && self.choices.one_in(3)
        {
            self.reduce_to_tuple(pipeline, name, scalar, length);
            return true;
        }
        if let Type::Scalar(scalar) = element
            && scalar.element != Element::Bool
            && matches!(threads, Threads::Unspecified | Threads::One)
            && self.names % 5 == 2
        {
            return self.reduce_while(pipeline, scalar, length);
        }
        if let Type::Scalar(scalar) = element
            && scalar.element != Element::Bool
            && matches!(threads, Threads::Unspecified | Threads::One)
            && self.names % 5 == 4
            && self.reduce_to_table(pipeline, name, (scalar, length), threads)
        {
            return true;
        }
        let reduction = match &element {
            Type::Scalar(scalar) if scalar.element == Element::Bool => Some(self.truth_reduction(*scalar)),
            Type::Scalar(scalar) if self.choices.one_in(5) => extremes_reduction(*scalar, length),
            Type::Scalar(scalar) => Some(self.scalar_reduction(*scalar, length)),
            Type::Vector(scalar, width) => self.vector_reduction(*scalar, *width, length),
            Type::Tuple(components) => product_reduction(components, length),
            Type::Array(row, columns) => self.row_reduction(row, columns, length, threads),
        };
        let Some(Reduction { function, initial, result }) = reduction else { return false };
        pipeline.push(Stage::Primitive(name, vec![function, initial]), result);
        match &pipeline.ty {
            Type::Tuple(components) => {
                let (function, result) = self.tuple_function(&components.clone(), threads);
                pipeline.push(Stage::Lambda(format!("({function})")), result);
            }
            Type::Scalar(scalar) if self.choices.one_in(3) => {
                let (function, result) = self.scalar_lambda(*scalar);
                pipeline.push(Stage::Lambda(format!("({function})")), result);
            }
            Type::Scalar(_) | Type::Vector(..) | Type::Array(..) => {}
        }
        true
    }

    /// A reduction that ends at an element, or when the accumulator has grown enough; says whether there is
    /// one.
    fn reduce_while(&mut self, pipeline: &mut Pipeline, scalar: Scalar, length: usize) -> bool {
        let sum = Scalar::new(scalar.element, scalar.bound * length as f64);
        if !scalar.element.allows(sum.bound) || !scalar.element.allows(length as f64) {
            return false;
        }
        let count = Scalar::new(scalar.element, length as f64);
        let (function, initial, result) = match self.choices.below(4) {
            0 => ("|acc, x| (acc < 5, acc + x)", "0", Type::Scalar(sum)),
            1 => ("|acc, x| (x != 3, max(acc, x))", "0", Type::Scalar(scalar)),
            2 => {
                let pair = Type::Tuple(vec![Type::Scalar(sum), Type::Scalar(count)]);
                ("|(sum, k), x| (sum + x < 20, (sum + x, k + 1))", "(0, 0)", pair)
            }
            _ => (
                "|acc, x| { let next = acc + x; if next > 9 { (false, acc) } else { (true, next) } }",
                "0",
                Type::Scalar(sum),
            ),
        };
        pipeline.push(Stage::Primitive("reduceWhile", vec![function.to_owned(), initial.to_owned()]), result);
        if let Type::Tuple(components) = &pipeline.ty {
            let (function, result) = self.tuple_function(&components.clone(), Threads::One);
            pipeline.push(Stage::Lambda(format!("({function})")), result);
        }
        true
    }

    /// The sums of the components, their products summed up, or their extremes.
    fn vector_reduction(&mut self, scalar: Scalar, width: usize, length: usize) -> Option<Reduction> {
        let sum = scalar.bound * length as f64;
        let squares = scalar.bound * scalar.bound * (length * width) as f64;
        let allows = |bound| scalar.element.allows(bound);
        let (function, result) = match self.choices.below(4) {
            0 if allows(sum) => ("add", Type::Vector(Scalar::new(scalar.element, sum), width)),
            1 if allows(squares) => {
                ("|acc, v| acc + dot(v, v)", Type::Scalar(Scalar::new(scalar.element, squares)))
            }
            2 => ("|acc, v| if v < acc { v } else { acc }", Type::Vector(scalar, width)),
            _ => ("max", Type::Vector(scalar, width)),
        };
        Some(Reduction { function: function.to_owned(), initial: "0".to_owned(), result })
    }

    /// The sum of rows: the accumulator is an array, in registers, shared out or not, in local memory, or,
    /// where it is long, in global memory. A step may need other elements than the one that it makes.
    fn row_reduction(
        &mut self,
        row: &Type,
        columns: &Length,
        length: usize,
        threads: Threads,
    ) -> Option<Reduction> {
        let scalar = row.as_scalar()?;
        let sum = scalar.bound * length as f64;
        let text = columns.text()?;
        let is_short = matches!(columns, Length::Literal(count) if *count <= MOST_REGISTERS);
        if !scalar.element.allows(sum) || (!is_short && threads != Threads::Unspecified) {
            return None;
        }
        let accumulator = if self.choices.one_in(2) { "acc" } else { "acc >> reverse" };
        let step = match threads {
            Threads::Unspecified => "map(add)",
            Threads::Group if self.choices.one_in(2) => "toLocal(mapLcl0(add))",
            Threads::Device
            | Threads::Global(_)
            | Threads::Groups
            | Threads::Group
            | Threads::Local(_)
            | Threads::One => "mapSeq(add)",
        };
        let function = format!("|acc, row| zip({accumulator}, row) >> {step}");
        let initial = match columns {
            Length::Literal(count) if is_short => format!("[{}]", vec!["0"; *count].join(", ")),
            Length::Literal(_) | Length::Variable(..) | Length::Computed(_) => format!("repeat({text}, 0)"),
        };
        let result = Type::array(Type::Scalar(Scalar::new(scalar.element, sum)), columns.clone());
        Some(Reduction { function, initial, result })
    }

    /// Whether all hold, one, or an odd number of them.
    pub(super) fn truth_reduction(&mut self, scalar: Scalar) -> Reduction {
        let (operator, initial) = self.choices.pick(&[
            ("&&", "true"),
            ("||", "false"),
            ("!=", "false"),
            ("&", "true"),
            ("|", "false"),
            ("^", "false"),
        ]);
        let (accumulator, x) = (self.fresh("acc"), self.fresh("x"));
        let function = format!("|{accumulator}, {x}| {accumulator} {operator} {x}");
        Reduction { function, initial: initial.to_owned(), result: Type::Scalar(scalar) }
    }

    fn scalar_reduction(&mut self, scalar: Scalar, length: usize) -> Reduction {
        let initial = self.choices.below(4);
        let sum = scalar.bound * length as f64 + initial as f64;
        let largest = Scalar::new(scalar.element, scalar.bound.max(initial as f64));
        let exact = scalar.element.allows(sum);
        let sum = Scalar::new(scalar.element, sum);
        let (accumulator, x) = (self.fresh("acc"), self.fresh("x"));
        let (function, result) = match self.choices.below(7) {
            0 | 1 if exact => ("add".to_owned(), sum),
            5 if exact => {
                let element = format!("if i % 3 == 1 {{ 0 }} else {{ {x} }}");
                (format!("|i => {accumulator}, {x}| {accumulator} + ({element})"), sum)
            }
            6 => (format!("|i => {accumulator}, {x}| if i < 2 {{ {x} }} else {{ {accumulator} }}"), largest),
            2 if exact => {
                let difference = Scalar::difference(scalar.element, sum.bound);
                (format!("|{accumulator}, {x}| {accumulator} - {x}"), difference)
            }
            3 => ("max".to_owned(), largest),
            _ => (format!("|{accumulator}, {x}| min({accumulator}, {x})"), largest),
        };
        Reduction { function, initial: initial.to_string(), result: Type::Scalar(result) }
    }
}

/// `acc + x * y` over pairs of one type, if the sum stays exact.
fn product_reduction(components: &[Type], length: usize) -> Option<Reduction> {
    let [left, right] = components else { return None };
    let (left, right) = (left.as_scalar()?, right.as_scalar()?);
    let sum = left.bound * right.bound * length as f64;
    if left.element != right.element || !left.element.allows(sum) {
        return None;
    }
    let function = "|acc, (x, y)| acc + x * y".to_owned();
    let result = Type::Scalar(Scalar::new(left.element, sum));
    Some(Reduction { function, initial: "0".to_owned(), result })
}

/// The sum and the largest number: the accumulator is a tuple.
fn extremes_reduction(scalar: Scalar, length: usize) -> Option<Reduction> {
    let sum = scalar.bound * length as f64;
    let result = Type::Tuple(vec![Type::Scalar(Scalar::new(scalar.element, sum)), Type::Scalar(scalar)]);
    let function = "|(sum, most), x| (sum + x, max(most, x))".to_owned();
    scalar.element.allows(sum).then(|| Reduction { function, initial: "(0, 0)".to_owned(), result })
}
