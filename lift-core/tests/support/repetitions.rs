//! Random scans, and functions applied again and again.

use super::layouts::LARGEST;
use super::program::{Generator, MOST_REGISTERS, Threads};
use super::reductions::Reduction;
use super::scalars::Variable;
use super::stage::{Pipeline, Stage};
use super::types::{Element, Length, Scalar, Type};

/// The greatest number of applications of a function: each takes a simulator as long as the program.
const MOST_APPLICATIONS: usize = 9;

impl Generator<'_> {
    /// All prefixes of a reduction, where one work-item may compute them or the compiler decides; says
    /// whether it did.
    pub(super) fn scan(&mut self, pipeline: &mut Pipeline, threads: Threads) -> bool {
        if self.choices.one_in(4) && self.scan_to_tuples(pipeline, threads) {
            return true;
        }
        if self.choices.one_in(5) && self.scan_to_rows(pipeline, threads) {
            return true;
        }
        let names: &[&str] = match threads {
            Threads::Unspecified => &["scan", "scanInclusive"],
            Threads::One => &["scanSeq", "scanSeq", "scan", "scanInclusive"],
            Threads::Device | Threads::Global(_) | Threads::Groups | Threads::Group | Threads::Local(_) => {
                return false;
            }
        };
        let Some((Type::Scalar(scalar), length)) = pipeline.ty.as_array() else { return false };
        let (scalar, length) = (*scalar, length.clone());
        let name = self.choices.pick(names);
        if scalar.element == Element::Bool {
            let Reduction { function, initial, result } = self.truth_reduction(scalar);
            let initial = (name != "scanInclusive").then_some(initial);
            let arguments = [function].into_iter().chain(initial).collect();
            pipeline.push(Stage::Primitive(name, arguments), Type::array(result, length));
            return true;
        }
        let initial = self.choices.below(4);
        let sum = scalar.bound * length.value() as f64 + initial as f64;
        let largest = Scalar::new(scalar.element, scalar.bound.max(initial as f64));
        let exact = scalar.element.allows(sum);
        let sum = Scalar::new(scalar.element, sum);
        let (function, result) = match self.choices.below(5) {
            0 if exact => ("add", sum),
            1 if exact => ("|acc, x| x - acc", Scalar::difference(scalar.element, sum.bound)),
            2 => ("max", largest),
            4 => ("|i => acc, x| if i % 3 == 1 { x } else { max(acc, x) }", largest),
            _ => ("|acc, x| min(acc, x)", largest),
        };
        let mut arguments = vec![function.to_owned()];
        if name != "scanInclusive" {
            arguments.push(initial.to_string());
        }
        pipeline.push(Stage::Primitive(name, arguments), Type::array(Type::Scalar(result), length));
        true
    }

    /// A scan whose accumulator is a row; says whether there is one.
    fn scan_to_rows(&mut self, pipeline: &mut Pipeline, threads: Threads) -> bool {
        let (scan, map) = match threads {
            Threads::Unspecified => ("scan", "map"),
            Threads::One => (self.choices.pick(&["scan", "scanSeq"]), "mapSeq"),
            Threads::Device | Threads::Global(_) | Threads::Groups | Threads::Group | Threads::Local(_) => {
                return false;
            }
        };
        let Some((scalar, length)) = pipeline.ty.as_numbers() else { return false };
        let (element, width) = (scalar.element, 1 + self.choices.below(3));
        let count = width * pipeline.ty.count();
        let fits = match threads {
            Threads::One => pipeline.ty.is_static() && count <= MOST_REGISTERS,
            _ => count <= LARGEST,
        };
        let grown = scalar.bound * length.value() as f64 + 3.0;
        if !fits || !element.allows(grown) {
            return false;
        }
        let before =
            self.choices.pick(&["row", "row >> reverse", "row >> pad(1, 0, clamp) >> slice(0, len(row))"]);
        let step = match self.choices.below(3) {
            0 => format!("|row, x| {before} >> {map}(|y| x - y)"),
            1 => format!("|row, x| {before} >> {map}(|i => y| if i == 1 {{ x }} else {{ max(y, x) }})"),
            _ => {
                format!("|i => row, x| {before} >> {map}(|y| if i % 2 == 0 {{ min(x, y) }} else {{ x + y }})")
            }
        };
        let initial = self.choices.pick(&[
            format!("repeat({width}, 3{})", element.name()),
            format!("generate({width}, |i| i as {})", element.name()),
        ]);
        let row = Type::array(Type::Scalar(Scalar::difference(element, grown)), Length::Literal(width));
        let ty = Type::array(row, length.clone());
        pipeline.push(Stage::Primitive(scan, vec![step, initial]), ty);
        true
    }

    /// A scan that is not the last stage.
    pub(super) fn scan_before(&mut self, pipeline: &mut Pipeline, threads: Threads) {
        let kept = pipeline.ty.is_static() && pipeline.ty.count() <= MOST_REGISTERS;
        if threads == Threads::Unspecified || kept {
            self.scan(pipeline, threads);
        }
    }

    /// A function applied a few times: one that halves the length, or one that keeps it.
    pub(super) fn iterate(&mut self, pipeline: &mut Pipeline, threads: Threads) {
        let (map, reduce, kept) = match threads {
            Threads::Unspecified => ("map", "reduce", true),
            Threads::One => {
                let few = pipeline.ty.is_static() && pipeline.ty.count() <= MOST_REGISTERS;
                ("mapSeq", "reduceSeq", few)
            }
            Threads::Group => ("mapLcl0", "reduceSeq", pipeline.ty.is_static()),
            Threads::Device => ("mapGlb0", "reduceSeq", true),
            Threads::Global(_) | Threads::Groups | Threads::Local(_) => return,
        };
        let Some((scalar, length)) = pipeline.ty.as_numbers() else { return };
        if !kept {
            return;
        }
        let length = length.clone();
        let stored = |function: String| {
            let map = format!("{map}({function})");
            if threads == Threads::Group { format!("toLocal({map})") } else { map }
        };
        let halvings = length.value().trailing_zeros() as usize;
        let most = scalar.bound * length.value() as f64;
        let (count, repeated) = self.applications();
        if matches!(threads, Threads::Unspecified | Threads::One | Threads::Device) && self.choices.one_in(5)
        {
            // A work-item keeps all components.
            if threads != Threads::One || pipeline.ty.count() <= MOST_REGISTERS / 4 {
                self.iterate_tuples(pipeline, map, (count, repeated));
            }
            return;
        }
        let (steps, function, ty) = match self.choices.below(4) {
            0 | 1 if halvings > 0 && scalar.element.allows(most) => {
                let (steps, halved) = self.halvings(&length, halvings);
                let sum = Type::array(Type::Scalar(Scalar::new(scalar.element, most)), halved);
                (steps, format!("split(2) >> {}", stored(format!("{reduce}(add, 0)"))), sum)
            }
            2 => {
                let largest = Scalar::new(scalar.element, scalar.bound);
                let step = stored(format!("{reduce}(max, 0)"));
                let ty = Type::array(Type::Scalar(largest), length);
                (count, format!("pad(1, 1, clamp) >> slide(3, 1) >> {step}"), ty)
            }
            _ => {
                let grown = scalar.bound + repeated as f64;
                let ty = Type::array(Type::Scalar(Scalar::new(scalar.element, grown)), length);
                if !scalar.element.allows(grown) {
                    return;
                }
                (count, format!("|t| t >> reverse >> {}", stored("|x| x + 1".to_owned())), ty)
            }
        };
        pipeline.push(Stage::Primitive("iterate", vec![steps, function]), ty);
    }

    /// How often a length is halved (at most `most` times), as a number or as a size, and what is left of it.
    fn halvings(&mut self, length: &Length, most: usize) -> (String, Length) {
        let sizes = self.sizes.iter().filter(|size| size.value() <= most);
        let sizes: Vec<_> = sizes.filter_map(|size| Some((size.text()?, size.value()))).collect();
        if !sizes.is_empty() && self.choices.below(2) == 0 {
            let (text, steps) = self.choices.pick(&sizes);
            return (text, Length::Computed(length.value() >> steps));
        }
        let steps = 1 + self.choices.below(most);
        (steps.to_string(), length.derived(length.value() >> steps))
    }

    /// A number of applications, few or more, as a number or as a size, and its value.
    fn applications(&mut self) -> (String, usize) {
        let sizes = self.sizes.iter().filter(|size| size.value() <= MOST_APPLICATIONS);
        let sizes: Vec<_> = sizes.filter_map(|size| Some((size.text()?, size.value()))).collect();
        match self.choices.below(4) {
            0 if !sizes.is_empty() => self.choices.pick(&sizes),
            1 | 2 => {
                let many = 4 + self.choices.below(MOST_APPLICATIONS - 3);
                (many.to_string(), many)
            }
            _ => {
                let few = self.choices.below(4);
                (few.to_string(), few)
            }
        }
    }

    /// An array that is computed from positions, or is the same everywhere; its length has a text.
    pub(super) fn made_up(&mut self, length: &Length) -> Option<(String, Type)> {
        let text = length.text()?;
        let element = self.element().as_scalar()?.element;
        let name = element.name();
        if element == Element::Bool {
            let array = self
                .choices
                .pick(&[format!("repeat({text}, true)"), format!("generate({text}, |i| i % 3 == 0)")]);
            return Some((array, Type::Scalar(Scalar::new(element, 1.0))));
        }
        let (array, bound) = match self.choices.below(4) {
            0 => (format!("generate({text}, |i| i as {name})"), length.value() as f64),
            1 => {
                (format!("generate({text}, |i| ({text} - 1 - i) as {name} * 2)"), 2.0 * length.value() as f64)
            }
            2 => (format!("generate({text}, |i| (i % 3) as {name})"), 2.0),
            _ => (format!("repeat({text}, 3{name})"), 3.0),
        };
        Some((array, Type::Scalar(Scalar::new(element, bound))))
    }

    /// The array with something before or behind it.
    pub(super) fn concat(&mut self, pipeline: &mut Pipeline, bindings: &mut Vec<(String, String)>) {
        self.bind(pipeline, bindings);
        let Some((element, length)) = pipeline.ty.as_array() else { return };
        let (element, length) = (element.clone(), length.clone());
        let is_name = pipeline.head.chars().all(|letter| letter.is_ascii_alphanumeric());
        if !is_name || 2 * pipeline.ty.count() > LARGEST {
            return;
        }
        let head = pipeline.head.clone();
        let (other, other_element, other_length) = match self.choices.below(4) {
            0 => (format!("{head} >> reverse"), element.clone(), length.clone()),
            1 => {
                let count = 1 + self.choices.below(length.value());
                let start = self.choices.below(length.value() - count + 1);
                (format!("slice({start}, {count}, {head})"), element.clone(), Length::Literal(count))
            }
            2 => {
                let fits = |parameter: &&Variable| {
                    let other = parameter.ty.as_array();
                    other.is_some_and(|(other, _)| other.merged(&element).is_some())
                };
                let known: Vec<_> = self.parameters.iter().filter(fits).cloned().collect();
                let Some(parameter) = (!known.is_empty()).then(|| self.choices.pick(&known)) else { return };
                let Some((other, length)) = parameter.ty.as_array() else { return };
                (parameter.name.clone(), other.clone(), length.clone())
            }
            _ => {
                let count = Length::Literal(1 + self.choices.below(3));
                let Some((text, made)) = self.made_up(&count) else { return };
                (text, made, count)
            }
        };
        let Some(merged) = element.merged(&other_element).or((element == other_element).then_some(element))
        else {
            return;
        };
        let sum = length.derived_with(&other_length, length.value() + other_length.value());
        let text = match self.choices.below(3) {
            0 => format!("concat({head}, {other})"),
            1 => format!("concat({other}, {head})"),
            _ => format!("({other}) >> concat({head})"),
        };
        let ty = Type::array(merged, sum);
        if ty.count() <= LARGEST {
            *pipeline = Pipeline::new(&text, ty);
        }
    }

    /// Two arrays computed from one and put together.
    pub(super) fn compute_both(&mut self, pipeline: &mut Pipeline, threads: Threads) {
        let is_name = pipeline.head.chars().all(|letter| letter.is_ascii_alphanumeric());
        let (mut first, mut second) = (pipeline.clone(), pipeline.clone());
        self.compute(&mut first, threads);
        if !is_name || !pipeline.stages.is_empty() || !self.choices.one_in(6) {
            *pipeline = first;
            return;
        }
        self.compute(&mut second, threads);
        let both = match (first.ty.as_array(), second.ty.as_array()) {
            (Some((first, length)), Some((second, other))) => first.merged(second).map(|element| {
                Type::array(element, length.derived_with(other, length.value() + other.value()))
            }),
            _ => None,
        };
        let Some(both) = both else {
            *pipeline = first;
            return;
        };
        let (first, second) = (first.text(self.choices), second.text(self.choices));
        *pipeline = Pipeline::new(&format!("concat({first}, {second})"), both);
    }
}
