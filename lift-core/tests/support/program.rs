//! Random programs: pipelines of layouts, maps and reductions within a thread hierarchy.

use lift_core::eval::{Argument, Value};

use super::choices::Choices;
use super::layouts::{LARGEST, Wanted, layout};
use super::scalars::{Variable, scalar_expression};
use super::stage::{Pipeline, Stage};
use super::types::{Element, Length, Scalar, Type};

/// Lengths that arrays have: one, two, primes, powers of two, and such with many divisors.
const LENGTHS: [usize; 12] = [4, 1, 2, 3, 5, 6, 7, 8, 12, 13, 16, 30];
const SIZE_NAMES: [&str; 3] = ["N", "M", "K"];
const MOST_PARAMETERS: usize = 4;
/// One work-item keeps no more numbers than this for itself.
const MOST_REGISTERS: usize = 16;
/// Inputs are integers of at most this magnitude.
const INPUT: f64 = 6.0;

/// A program with arguments for it.
#[derive(Debug, Clone)]
pub(crate) struct RandomProgram {
    /// A closure in the syntax of the language.
    pub(crate) text: String,
    /// An argument for each of its parameters.
    pub(crate) arguments: Vec<Argument>,
}

/// Which primitives a program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Those that leave the computation to the compiler.
    HighLevel,
    /// Those that say who computes what, and where it is stored.
    LowLevel,
}

/// Who evaluates an expression, with the dimensions that are taken, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Threads {
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

/// What an array has to have gone through before it is a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Computed,
    Anything,
}

/// A reduction: its function, its initial value, and the type of its result.
struct Reduction {
    function: String,
    initial: String,
    result: Type,
}

/// A program in the making.
struct Generator<'a> {
    choices: &'a mut Choices,
    sizes: Vec<Length>,
    parameters: Vec<Variable>,
    /// The variables of lambdas around the current expression, the newest last.
    scope: Vec<Variable>,
    names: usize,
}

/// A random well-typed program.
pub(crate) fn random_program(choices: &mut Choices, style: Style) -> RandomProgram {
    let mut generator =
        Generator { choices, sizes: Vec::new(), parameters: Vec::new(), scope: Vec::new(), names: 0 };
    let rank = 1 + generator.choices.below(3);
    let head = generator.new_array(rank);
    if generator.choices.one_in(4) {
        generator.new_scalar();
    }
    let threads = match style {
        Style::HighLevel => Threads::Unspecified,
        Style::LowLevel => Threads::Device,
    };
    let (body, _) = generator.array_body(&head, threads);
    let parameters: Vec<_> = generator
        .parameters
        .iter()
        .map(|parameter| format!("{}: {}", parameter.name, parameter.ty.text()))
        .collect();
    let text = format!("|{}| {body}", parameters.join(", "));
    let salt = generator.choices.below(97);
    let arguments =
        (salt..).zip(&generator.parameters).map(|(salt, parameter)| argument(&parameter.ty, salt));
    RandomProgram { text, arguments: arguments.collect() }
}

/// Numbers that look random, for a type.
fn argument(ty: &Type, salt: usize) -> Argument {
    fn value(ty: &Type, state: &mut usize) -> Value {
        match ty {
            Type::Array(element, length) => {
                Value::Array((0..length.value()).map(|_| value(element, state)).collect())
            }
            Type::Tuple(components) => Value::Tuple(components.iter().map(|ty| value(ty, state)).collect()),
            Type::Scalar(scalar) => {
                *state = (*state * 1_103_515_245 + 12_345) % (1 << 31);
                let number = (*state >> 16) as i32 % (2 * INPUT as i32 + 1) - INPUT as i32;
                match scalar.element {
                    Element::I32 => Value::from(number),
                    Element::F32 => Value::from(number as f32),
                }
            }
        }
    }
    Argument::Value(value(ty, &mut (salt + 1)))
}

impl Generator<'_> {
    fn fresh(&mut self, prefix: &str) -> String {
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

    fn element(&mut self) -> Type {
        let element = self.choices.pick(&[Element::F32, Element::I32]);
        Type::Scalar(Scalar::new(element, INPUT))
    }

    fn new_parameter(&mut self, ty: Type) -> Variable {
        let name = ["a", "b", "c", "d"][self.parameters.len() % MOST_PARAMETERS].to_owned();
        let parameter = Variable { name, ty };
        self.parameters.push(parameter.clone());
        parameter
    }

    fn new_array(&mut self, rank: usize) -> Variable {
        let mut ty = self.element();
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

    // Bodies: what is computed from one array, down to scalars.

    /// An expression over an array in scope.
    fn array_body(&mut self, head: &Variable, threads: Threads) -> (String, Type) {
        let mut bindings = Vec::new();
        let mut pipeline = Pipeline::new(&head.name, head.ty.clone());
        self.extend(&mut pipeline, &mut bindings, threads);
        let text = self.with_bindings(&bindings, &pipeline);
        (text, pipeline.ty)
    }

    fn with_bindings(&mut self, bindings: &[(String, String)], pipeline: &Pipeline) -> String {
        let text = pipeline.text(self.choices);
        if bindings.is_empty() {
            return text;
        }
        let bindings: Vec<_> =
            bindings.iter().map(|(name, value)| format!("let {name} = {value};")).collect();
        format!("{{ {} {text} }}", bindings.join(" "))
    }

    /// Applies stages until the result is an array of scalars, or a scalar, that these threads may leave.
    fn extend(&mut self, pipeline: &mut Pipeline, bindings: &mut Vec<(String, String)>, threads: Threads) {
        let rest = if threads == Threads::Unspecified { Rest::Anything } else { Rest::Computed };
        let threads = self.settle(threads);
        for _ in 0..self.choices.below(4) {
            match self.choices.below(8) {
                0..4 => self.lay_out(pipeline, Wanted::Any),
                4 => self.zip(pipeline, bindings),
                5 => self.bind(pipeline, bindings),
                _ => self.compute_before(pipeline, threads),
            }
        }
        if rest == Rest::Anything && !pipeline.ty.has_tuples() && self.choices.one_in(3) {
            return;
        }
        if !self.is_shared(threads) && self.choices.one_in(2) && self.reduce(pipeline, threads) {
            return;
        }
        self.compute(pipeline, threads);
        for _ in 0..self.choices.below(3) {
            self.lay_out(pipeline, Wanted::Permutations);
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
    fn bind(&mut self, pipeline: &mut Pipeline, bindings: &mut Vec<(String, String)>) {
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

    // Computations.

    /// A map that is not the last stage.
    fn compute_before(&mut self, pipeline: &mut Pipeline, threads: Threads) {
        match threads {
            Threads::Unspecified => self.compute(pipeline, threads),
            Threads::One => self.compute_into_registers(pipeline),
            Threads::Device => {
                // The next stage needs the results of all work-items: another kernel.
                if self.choices.one_in(3) {
                    self.compute(pipeline, threads);
                }
            }
            Threads::Group => self.compute_into_memory(pipeline),
            // Work-items of one kernel cannot wait for those of other groups.
            Threads::Global(_) | Threads::Groups | Threads::Local(_) => {}
        }
    }

    /// A map by the work-items of a group whose results all of them may read.
    fn compute_into_memory(&mut self, pipeline: &mut Pipeline) {
        let before = pipeline.clone();
        self.compute(pipeline, Threads::Group);
        // Local memory has a size that the kernel's text states.
        if !pipeline.ty.is_static() {
            *pipeline = before;
        } else if let Some(map) = pipeline.stages.pop() {
            let memory = self.choices.pick(&["toLocal", "toLocal", "toLocal", "toGlobal"]);
            pipeline.stages.push(Stage::Primitive(memory, vec![map.function()]));
        }
    }

    /// A map by one work-item, which may keep a few results for itself.
    fn compute_into_registers(&mut self, pipeline: &mut Pipeline) {
        self.compute(pipeline, Threads::One);
        if pipeline.ty.is_static()
            && pipeline.ty.count() <= MOST_REGISTERS
            && self.choices.one_in(3)
            && let Some(map) = pipeline.stages.pop()
        {
            pipeline.stages.push(Stage::Primitive("toPrivate", vec![map.function()]));
        }
    }

    /// A dimension that is not taken.
    fn free_dimension(&mut self, taken: u8) -> usize {
        let free: Vec<_> = (0..GLOBAL_MAPS.len()).filter(|dimension| taken & (1 << dimension) == 0).collect();
        let near = free.len().clamp(1, 2);
        free.get(self.choices.below(near)).copied().unwrap_or(0)
    }

    /// A map that computes every element, by the threads given.
    fn compute(&mut self, pipeline: &mut Pipeline, threads: Threads) {
        match threads {
            Threads::Unspecified if pipeline.ty.rank() > 1 && self.choices.one_in(4) => self.map2(pipeline),
            Threads::Unspecified => self.map(pipeline, "map", Threads::Unspecified),
            Threads::One => {
                let name = self.choices.pick(&["mapSeq", "mapSeq", "map"]);
                self.map(pipeline, name, Threads::One);
            }
            Threads::Device if pipeline.ty.rank() > 2 && self.choices.one_in(3) => {
                self.map(pipeline, "mapWrg1", Threads::Groups);
            }
            Threads::Device if pipeline.ty.rank() > 1 && self.choices.one_in(2) => {
                let dimension = self.free_dimension(0);
                self.map(pipeline, GROUP_MAPS[dimension], Threads::Group);
            }
            Threads::Device => self.compute_global(pipeline, 0),
            Threads::Global(taken) => self.compute_global(pipeline, taken),
            Threads::Groups => self.map(pipeline, "mapWrg0", Threads::Group),
            Threads::Group => self.compute_local(pipeline, 0),
            Threads::Local(taken) => self.compute_local(pipeline, taken),
        }
    }

    fn compute_global(&mut self, pipeline: &mut Pipeline, taken: u8) {
        let dimension = self.free_dimension(taken);
        self.map(pipeline, GLOBAL_MAPS[dimension], Threads::Global(taken | 1 << dimension));
    }

    fn compute_local(&mut self, pipeline: &mut Pipeline, taken: u8) {
        let dimension = self.free_dimension(taken);
        self.map(pipeline, LOCAL_MAPS[dimension], Threads::Local(taken | 1 << dimension));
    }

    fn map(&mut self, pipeline: &mut Pipeline, name: &'static str, inner: Threads) {
        let Some((element, length)) =
            pipeline.ty.as_array().map(|(element, length)| (element.clone(), length.clone()))
        else {
            return;
        };
        let (function, result) = self.function(&element, inner);
        pipeline.push(Stage::Primitive(name, vec![function]), Type::array(result, length));
    }

    fn map2(&mut self, pipeline: &mut Pipeline) {
        let Some((row, rows)) = pipeline.ty.as_array().map(|(row, rows)| (row.clone(), rows.clone())) else {
            return;
        };
        let Some((element, columns)) = row.as_array() else { return };
        let (function, result) = self.function(element, Threads::Unspecified);
        let ty = Type::array(Type::array(result, columns.clone()), rows);
        pipeline.push(Stage::Primitive("map2", vec![function]), ty);
    }

    /// A function on an element, and the type of its result.
    fn function(&mut self, element: &Type, threads: Threads) -> (String, Type) {
        match element {
            Type::Scalar(scalar) => self.scalar_function(*scalar),
            Type::Tuple(components) => self.tuple_function(components, threads),
            Type::Array(..) => self.array_function(element, threads),
        }
    }

    fn scalar_function(&mut self, scalar: Scalar) -> (String, Type) {
        match self.choices.below(6) {
            0 => ("id".to_owned(), Type::Scalar(scalar)),
            1 => ("neg".to_owned(), Type::Scalar(scalar)),
            _ => self.scalar_lambda(scalar),
        }
    }

    fn scalar_lambda(&mut self, scalar: Scalar) -> (String, Type) {
        let name = self.fresh("x");
        self.scope.push(Variable { name: name.clone(), ty: Type::Scalar(scalar) });
        let (body, result) = self.scalar_expression();
        self.scope.pop();
        (format!("|{name}| {body}"), Type::Scalar(result))
    }

    /// A scalar expression over everything in scope.
    fn scalar_expression(&mut self) -> (String, Scalar) {
        let scope: Vec<_> = self.parameters.iter().chain(&self.scope).cloned().collect();
        scalar_expression(self.choices, &scope)
    }

    /// A function on tuples, with a pattern or with components.
    fn tuple_function(&mut self, components: &[Type], threads: Threads) -> (String, Type) {
        let position = self.choices.below(components.len());
        if let Type::Scalar(scalar) = components[position]
            && self.choices.one_in(8)
        {
            return (format!("get({position})"), Type::Scalar(scalar));
        }
        let whole = self.fresh("t");
        let names: Vec<_> = match self.choices.below(3) {
            0 => (0..components.len()).map(|position| format!("{whole}.{position}")).collect(),
            _ => components.iter().map(|_| self.fresh("x")).collect(),
        };
        let parameter = match names.first() {
            Some(name) if name.starts_with(&whole) => whole,
            Some(_) | None if self.choices.one_in(2) => names.join(", "),
            Some(_) | None => format!("({})", names.join(", ")),
        };
        let variables: Vec<_> =
            names.into_iter().zip(components).map(|(name, ty)| Variable { name, ty: ty.clone() }).collect();
        self.scope.extend(variables.iter().cloned());
        let array = variables.iter().find(|variable| variable.ty.rank() > 0);
        let (body, result) = match array {
            Some(array) => self.array_body(array, threads),
            None => {
                let (body, scalar) = self.scalar_expression();
                (body, Type::Scalar(scalar))
            }
        };
        self.scope.truncate(self.scope.len() - variables.len());
        (format!("|{parameter}| {body}"), result)
    }

    /// A function on arrays: a lambda, or a composition of stages.
    fn array_function(&mut self, element: &Type, threads: Threads) -> (String, Type) {
        let name = self.fresh("r");
        let variable = Variable { name: name.clone(), ty: element.clone() };
        self.scope.push(variable);
        let mut bindings = Vec::new();
        let mut pipeline = Pipeline::new(&name, element.clone());
        self.extend(&mut pipeline, &mut bindings, threads);
        self.scope.pop();
        let composition =
            pipeline.composition(&name).filter(|_| bindings.is_empty() && self.choices.one_in(2));
        let text = match composition {
            Some(composition) => composition,
            None => format!("|{name}| {}", self.with_bindings(&bindings, &pipeline)),
        };
        (text, pipeline.ty)
    }

    // Reductions.

    /// Reduces an array; says whether it did.
    fn reduce(&mut self, pipeline: &mut Pipeline, threads: Threads) -> bool {
        let Some((element, length)) = pipeline.ty.as_array() else { return false };
        let (element, length) = (element.clone(), length.value());
        let name = match threads {
            Threads::Unspecified => "reduce",
            Threads::Device
            | Threads::Global(_)
            | Threads::Groups
            | Threads::Group
            | Threads::Local(_)
            | Threads::One => self.choices.pick(&["reduceSeq", "reduceSeq", "reduce"]),
        };
        let reduction = match &element {
            Type::Scalar(scalar) if self.choices.one_in(5) => extremes_reduction(*scalar, length),
            Type::Scalar(scalar) => Some(self.scalar_reduction(*scalar, length)),
            Type::Tuple(components) => product_reduction(components, length),
            Type::Array(row, columns) => row_reduction(row, columns, length, threads),
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
            Type::Scalar(_) | Type::Array(..) => {}
        }
        true
    }

    fn scalar_reduction(&mut self, scalar: Scalar, length: usize) -> Reduction {
        let initial = self.choices.below(4);
        let sum = scalar.bound * length as f64 + initial as f64;
        let largest = Scalar::new(scalar.element, scalar.bound.max(initial as f64));
        let exact = scalar.element.allows(sum);
        let sum = Scalar::new(scalar.element, sum);
        let (accumulator, x) = (self.fresh("acc"), self.fresh("x"));
        let (function, result) = match self.choices.below(5) {
            0 | 1 if exact => ("add".to_owned(), sum),
            2 if exact => (format!("|{accumulator}, {x}| {accumulator} - {x}"), sum),
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

/// The sum of short rows: the accumulator is an array.
fn row_reduction(row: &Type, columns: &Length, length: usize, threads: Threads) -> Option<Reduction> {
    let Length::Literal(count) = *columns else { return None };
    let scalar = row.as_scalar()?;
    let sum = scalar.bound * length as f64;
    if count > MOST_REGISTERS || !scalar.element.allows(sum) {
        return None;
    }
    let map = if threads == Threads::Unspecified { "map" } else { "mapSeq" };
    let function = format!("|acc, row| zip(acc, row) >> {map}(add)");
    let initial = format!("[{}]", vec!["0"; count].join(", "));
    let result = Type::array(Type::Scalar(Scalar::new(scalar.element, sum)), columns.clone());
    Some(Reduction { function, initial, result })
}

const GLOBAL_MAPS: [&str; 3] = ["mapGlb0", "mapGlb1", "mapGlb2"];
const GROUP_MAPS: [&str; 3] = ["mapWrg0", "mapWrg1", "mapWrg2"];
const LOCAL_MAPS: [&str; 3] = ["mapLcl0", "mapLcl1", "mapLcl2"];
