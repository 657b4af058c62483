//! Random programs: pipelines of layouts, maps and reductions within a thread hierarchy.

use std::fmt;

use lift_core::eval::Argument;

use super::arguments::{INPUT, argument};
use super::choices::Choices;
use super::layouts::{LARGEST, Wanted, layout, one_element};
use super::scalars::Variable;
use super::stage::{Pipeline, Stage};
use super::types::{Element, Length, Scalar, Type};

/// Lengths that arrays have: one, two, primes, powers of two, and such with many divisors.
const LENGTHS: [usize; 12] = [4, 1, 2, 3, 5, 6, 7, 8, 12, 13, 16, 30];
const SIZE_NAMES: [&str; 3] = ["N", "M", "K"];
/// Whatever the launch, the result is the same.
const LAUNCHES: [&str; 5] = [
    "",
    "",
    "#[launch(local = 4, global = 8)]",
    "#[launch(local = (2, 2, 2), global = (4, 2, 4))]",
    "#[launch(local = (8, 2))]",
];
const MOST_PARAMETERS: usize = 4;
/// One work-item keeps no more numbers than this for itself.
pub(super) const MOST_REGISTERS: usize = 64;
/// No more steps than these are written out.
pub(super) const MOST_UNROLLED: usize = 8;

/// A program with arguments for it.
#[derive(Clone)]
pub(crate) struct RandomProgram {
    /// A closure or a function item in the syntax of the language.
    pub(crate) text: String,
    /// An argument for each of its parameters.
    pub(crate) arguments: Vec<Argument>,
}

impl RandomProgram {
    /// The same program with `#[strict]`, if it calls nothing that each device rounds as it likes.
    pub(crate) fn strict(self) -> RandomProgram {
        let is_free = ["mad(", "native_"].iter().any(|call| self.text.contains(call));
        match is_free {
            true => self,
            false => {
                RandomProgram { text: self.text.replace("fn program<", "#[strict] fn program<"), ..self }
            }
        }
    }
}

/// The program alone: its arguments follow from the same choices, and are long.
impl fmt::Debug for RandomProgram {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Which primitives a program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Those that leave the computation to the compiler.
    HighLevel,
    /// Those that say who computes what, and where it is stored.
    LowLevel,
    /// Those of high-level programs, on numbers of half precision among others. Few devices have it.
    Halves,
}

/// Who evaluates an expression, with the dimensions that are taken, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Threads {
    /// To be decided by the compiler.
    Unspecified,
    /// The whole device.
    Device,
    /// Those of some dimensions.
    Global(u8),
    /// All groups of one dimension.
    Groups,
    /// The work-items of a group.
    Group,
    /// Those of some dimensions of a group.
    Local(u8),
    /// One work-item.
    One,
}

/// A program in the making.
pub(super) struct Generator<'a> {
    pub(super) choices: &'a mut Choices,
    pub(super) sizes: Vec<Length>,
    pub(super) parameters: Vec<Variable>,
    /// The variables of lambdas around the current expression, the newest last.
    pub(super) scope: Vec<Variable>,
    /// The number of names so far. It also decides where forms are generated that were added later: they take
    /// no choices, so that all other programs of a seed stay the same.
    pub(super) names: usize,
    style: Style,
}

/// A random well-typed program.
pub(crate) fn random_program(choices: &mut Choices, style: Style) -> RandomProgram {
    let mut generator = Generator { style, ..Generator::new(choices) };
    let rank = 1 + generator.choices.below(3);
    let head = generator.new_array(rank);
    if generator.choices.one_in(4) {
        generator.new_scalar();
    }
    let threads = match style {
        Style::HighLevel | Style::Halves => Threads::Unspecified,
        Style::LowLevel => Threads::Device,
    };
    let (body, result) = generator.array_body(&head, threads);
    let text = generator.program_text(&body, &result);
    let arguments = arguments_for(&mut generator);
    RandomProgram { text, arguments }
}

/// An argument for each parameter.
pub(super) fn arguments_for(generator: &mut Generator<'_>) -> Vec<Argument> {
    let salt = generator.choices.below(97);
    (salt..).zip(&generator.parameters).map(|(salt, parameter)| argument(&parameter.ty, salt)).collect()
}

impl<'a> Generator<'a> {
    pub(super) fn new(choices: &'a mut Choices) -> Generator<'a> {
        let (sizes, parameters, scope) = (Vec::new(), Vec::new(), Vec::new());
        Generator { choices, sizes, parameters, scope, names: 0, style: Style::HighLevel }
    }
}

impl Generator<'_> {
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    // Parameters.

    /// A literal length, or a size variable, new or used before.
    fn length(&mut self, largest: usize) -> Length {
        let lengths: Vec<_> = LENGTHS.into_iter().filter(|length| *length <= largest).collect();
        let value = self.choices.pick(&lengths);
        if self.choices.one_in(2) {
            return Length::Literal(value);
        }
        let known: Vec<_> = self.sizes.iter().filter(|size| size.value() <= largest).cloned().collect();
        match SIZE_NAMES.get(self.sizes.len()) {
            Some(name) if known.is_empty() || self.choices.one_in(2) => {
                let size = Length::Variable((*name).to_owned(), value);
                self.sizes.push(size.clone());
                size
            }
            Some(_) | None if !known.is_empty() => self.choices.pick(&known),
            Some(_) | None => Length::Literal(value),
        }
    }

    pub(super) fn element(&mut self) -> Type {
        let element = match self.choices.below(8) {
            0..6 if self.style == Style::Halves => Element::F16,
            0..4 => self.choices.pick(&[Element::F32, Element::I32]),
            4..7 => self.choices.pick(&Element::NUMBERS),
            _ => self.choices.pick(&[Element::Bool, Element::U8, Element::I16]),
        };
        let bound = if self.choices.one_in(6) { f64::INFINITY } else { INPUT };
        Type::Scalar(Scalar::new(element, bound))
    }

    fn new_parameter(&mut self, ty: Type) -> Variable {
        let name = ["a", "b", "c", "d"][self.parameters.len() % MOST_PARAMETERS].to_owned();
        let parameter = Variable { name, ty };
        self.parameters.push(parameter.clone());
        parameter
    }

    pub(super) fn new_array(&mut self, rank: usize) -> Variable {
        let mut ty = self.element();
        if let Some(scalar) = ty.as_scalar().filter(|scalar| scalar.element != Element::Bool)
            && self.choices.one_in(8)
        {
            ty = Type::Vector(scalar, self.choices.pick(&[2, 4, 8, 16]));
        }
        for _ in 0..rank {
            let length = self.length(LARGEST / 4 / ty.count());
            ty = Type::array(ty, length);
        }
        self.new_parameter(ty)
    }

    fn new_scalar(&mut self) {
        let ty = self.element();
        self.new_parameter(ty);
    }

    // The whole.

    /// A closure, or an item where the result's type can be written.
    fn program_text(&mut self, body: &str, result: &Type) -> String {
        let parameters: Vec<_> = self
            .parameters
            .iter()
            .map(|parameter| format!("{}: {}", parameter.name, parameter.ty.text()))
            .collect();
        let parameters = parameters.join(", ");
        if !result.is_writable() || result.has_tuples() || !self.choices.one_in(3) {
            return format!("|{parameters}| {body}");
        }
        let sizes = self.sizes.clone();
        let names: Vec<_> = sizes.iter().filter_map(Length::text).collect();
        let generics: Vec<_> = names.iter().map(|name| format!("const {name}: usize")).collect();
        let constraints: Vec<_> = sizes.iter().filter_map(|size| self.constraint(size)).collect();
        let clause =
            if constraints.is_empty() { String::new() } else { format!(" where {}", constraints.join(", ")) };
        let launch = self.choices.pick(&LAUNCHES);
        let (generics, result) = (generics.join(", "), result.text());
        format!("{launch} fn program<{generics}>({parameters}) -> {result}{clause} {{ {body} }}")
    }

    /// Something true of a size.
    fn constraint(&mut self, size: &Length) -> Option<String> {
        let (name, value) = (size.text()?, size.value());
        match self.choices.below(4) {
            0 => None,
            1 => Some(format!("{name} >= {}", 1 + self.choices.below(value))),
            2 => {
                let divisors: Vec<_> = (1..=value).filter(|divisor| value.is_multiple_of(*divisor)).collect();
                Some(format!("{name} % {} == 0", self.choices.pick(&divisors)))
            }
            _ => Some(format!("{name} <= {}", value + self.choices.below(100))),
        }
    }

    // Bodies: what is computed from one array, down to scalars.

    /// An expression over an array in scope.
    pub(super) fn array_body(&mut self, head: &Variable, threads: Threads) -> (String, Type) {
        let mut bindings = Vec::new();
        let mut pipeline = Pipeline::new(&head.name, head.ty.clone());
        self.extend(&mut pipeline, &mut bindings, threads);
        let text = self.with_bindings(&bindings, &pipeline);
        (text, pipeline.ty)
    }

    pub(super) fn with_bindings(&mut self, bindings: &[(String, String)], pipeline: &Pipeline) -> String {
        let text = pipeline.text(self.choices);
        if bindings.is_empty() {
            return text;
        }
        let bindings: Vec<_> =
            bindings.iter().map(|(name, value)| format!("let {name} = {value};")).collect();
        format!("{{ {} {text} }}", bindings.join(" "))
    }

    /// Applies stages until the result is an array of scalars, or a scalar, that these threads may leave.
    pub(super) fn extend(
        &mut self,
        pipeline: &mut Pipeline,
        bindings: &mut Vec<(String, String)>,
        threads: Threads,
    ) {
        let threads = self.settle(threads);
        for _ in 0..self.choices.below(4) {
            match self.choices.below(13) {
                0..5 => self.lay_out(pipeline, Wanted::Any),
                5 => self.zip(pipeline, bindings),
                6 => self.bind(pipeline, bindings),
                7 => self.concat(pipeline, bindings),
                8 => self.scan_before(pipeline, threads),
                9 => self.iterate(pipeline, threads),
                10 if threads == Threads::Unspecified => {
                    self.reduce_rows(pipeline);
                }
                _ => self.compute_before(pipeline, threads),
            }
        }
        if self.names % 7 == 3 {
            self.choose(pipeline, bindings, threads);
        }
        // Where the threads are given, somebody has to compute every element of the result.
        if threads == Threads::Unspecified && !pipeline.ty.has_tuples() && self.choices.one_in(3) {
            return;
        }
        if !self.is_shared(threads) && self.choices.one_in(2) && self.conclude(pipeline, threads) {
            return;
        }
        self.compute_both(pipeline, threads);
        for _ in 0..self.choices.below(3) {
            self.lay_out(pipeline, Wanted::Permutations);
        }
    }

    /// Ends with something else than a map; says whether it did.
    fn conclude(&mut self, pipeline: &mut Pipeline, threads: Threads) -> bool {
        match self.choices.below(6) {
            0 => self.scan(pipeline, threads),
            1 => match pipeline.ty.as_array() {
                Some((Type::Scalar(scalar), length)) => {
                    let (scalar, stage) = (*scalar, one_element(self.choices, length));
                    pipeline.push(stage, Type::Scalar(scalar));
                    true
                }
                Some((Type::Vector(..) | Type::Tuple(_) | Type::Array(..), _)) | None => false,
            },
            _ => self.reduce(pipeline, threads),
        }
    }

    /// Decides whether work-items that could be shared out further are.
    fn settle(&mut self, threads: Threads) -> Threads {
        match threads {
            Threads::Global(taken) | Threads::Local(taken)
                if taken.count_ones() >= 3 || self.choices.one_in(2) =>
            {
                Threads::One
            }
            Threads::Unspecified
            | Threads::Device
            | Threads::Global(_)
            | Threads::Groups
            | Threads::Group
            | Threads::Local(_)
            | Threads::One => threads,
        }
    }

    /// Whether the last stage is to be a map, which is shared between work-items.
    fn is_shared(&mut self, threads: Threads) -> bool {
        match threads {
            Threads::Device => !self.choices.one_in(8),
            Threads::Group => !self.choices.one_in(4),
            Threads::Global(_) | Threads::Groups | Threads::Local(_) => true,
            Threads::Unspecified | Threads::One => false,
        }
    }

    fn lay_out(&mut self, pipeline: &mut Pipeline, wanted: Wanted) {
        if let Some((stage, ty)) = layout(self.choices, &pipeline.ty, wanted) {
            pipeline.push(stage, ty);
        }
    }

    /// Gives the value so far a name.
    pub(super) fn bind(&mut self, pipeline: &mut Pipeline, bindings: &mut Vec<(String, String)>) {
        if pipeline.stages.is_empty() {
            return;
        }
        let name = self.fresh("v");
        let value = pipeline.text(self.choices);
        bindings.push((name.clone(), value));
        *pipeline = Pipeline::new(&name, pipeline.ty.clone());
    }

    /// Pairs the elements with those of another array, or of the same one in another order.
    fn zip(&mut self, pipeline: &mut Pipeline, bindings: &mut Vec<(String, String)>) {
        let Some((element, length)) =
            pipeline.ty.as_array().map(|(element, length)| (element.clone(), length.clone()))
        else {
            return;
        };
        if 2 * pipeline.ty.count() > LARGEST || pipeline.ty.has_tuples() {
            return;
        }
        let (other, other_element) = match self.partner(&length) {
            Some(partner) => partner,
            None => {
                self.bind(pipeline, bindings);
                if let Some((inner, columns)) = element.as_array()
                    && self.choices.one_in(3)
                {
                    let pair = Type::Tuple(vec![inner.clone(), inner.clone()]);
                    let ty = Type::array(Type::array(pair, columns.clone()), length);
                    let zip2 = format!("zip2({0}, {0} >> map(reverse))", pipeline.head);
                    *pipeline = Pipeline::new(&zip2, ty);
                    return;
                }
                let mut same = Pipeline::new(&pipeline.head, pipeline.ty.clone());
                same.push(Stage::Primitive("reverse", Vec::new()), pipeline.ty.clone());
                (same.text(self.choices), element.clone())
            }
        };
        let first = pipeline.text(self.choices);
        let ty = Type::array(Type::Tuple(vec![element, other_element]), length);
        *pipeline = Pipeline::new(&format!("zip({first}, {other})"), ty);
    }

    /// An array with as many elements: one in scope, or a new parameter.
    fn partner(&mut self, length: &Length) -> Option<(String, Type)> {
        length.text()?;
        if self.choices.one_in(4) {
            return self.made_up(length);
        }
        let fits = |variable: &&Variable| {
            variable.ty.as_array().is_some_and(|(element, other)| other == length && !element.has_tuples())
        };
        let known: Vec<_> = self.scope.iter().rev().chain(&self.parameters).filter(fits).cloned().collect();
        let variable = if !known.is_empty() && self.choices.one_in(2) {
            self.choices.pick(&known)
        } else if self.parameters.len() < MOST_PARAMETERS && self.choices.one_in(2) {
            let mut element = self.element();
            if self.choices.one_in(3) {
                let inner = self.length(LARGEST / 4 / length.value());
                element = Type::array(element, inner);
            }
            self.new_parameter(Type::array(element, length.clone()))
        } else {
            return None;
        };
        let element = variable.ty.as_array().map(|(element, _)| element.clone())?;
        Some((variable.name, element))
    }
}
