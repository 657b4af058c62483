//! Accumulators of two to four components, nested or not, whose steps move, swap, drop and mix them: every
//! step is a parallel assignment, which whoever assigns one component after the other gets wrong.

use super::choices::Choices;
use super::conversions::converted;
use super::program::{Generator, MOST_REGISTERS, Threads};
use super::scalars::Number;
use super::stage::{Pipeline, Stage};
use super::types::{Element, Scalar, Type};

/// How components are nested. A `_` is a component.
const SHAPES: [&str; 7] =
    ["(_, _)", "(_, _)", "(_, _, _)", "((_, _), _)", "(_, (_, _))", "(_, _, _, _)", "((_, _), (_, _))"];

/// A component of an accumulator.
#[derive(Debug, Clone)]
struct Component {
    /// How the function reads it: `s.0.1`, or the name that a pattern gives it.
    name: String,
    scalar: Scalar,
}

/// An accumulator with a step: all that a reduction, a scan or an iteration needs.
struct Accumulator {
    shape: &'static str,
    /// The parameter of functions on it.
    parameter: String,
    components: Vec<Component>,
}

/// The positions of the components of a shape: `0.1`.
fn paths(shape: &str) -> Vec<String> {
    let (mut path, mut paths) = (Vec::new(), Vec::new());
    for letter in shape.chars() {
        match letter {
            '(' => path.push(0),
            ')' => drop(path.pop()),
            ',' => path.iter_mut().next_back().into_iter().for_each(|position| *position += 1),
            '_' => paths.push(path.iter().map(usize::to_string).collect::<Vec<_>>().join(".")),
            _ => {}
        }
    }
    paths
}

/// The shape with a text for each component.
fn filled(shape: &str, texts: impl IntoIterator<Item = String>) -> String {
    let mut parts = shape.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.zip(texts).fold(first, |text, (part, component)| text + &component + part)
}

impl Accumulator {
    /// The type of the whole.
    fn ty(&self) -> Type {
        let mut open: Vec<Vec<Type>> = vec![Vec::new()];
        let mut components = self.components.iter();
        for letter in self.shape.chars() {
            match letter {
                '(' => open.push(Vec::new()),
                ')' => {
                    let tuple = Type::Tuple(open.pop().unwrap_or_default());
                    open.last_mut().into_iter().for_each(|outer| outer.push(tuple.clone()));
                }
                '_' => {
                    let scalar = components.next().map(|component| Type::Scalar(component.scalar));
                    open.last_mut().into_iter().for_each(|outer| outer.extend(scalar.clone()));
                }
                _ => {}
            }
        }
        open.pop().and_then(|mut whole| whole.pop()).unwrap_or(Type::Tuple(Vec::new()))
    }

    /// Constants to begin with, whose types are written: nothing else may say them.
    fn initial(&self, choices: &mut Choices) -> String {
        let constant = |component: &Component| {
            let element = component.scalar.element;
            let suffix = if element == Element::Bool { "" } else { element.name() };
            element.constant(choices.below(4)) + suffix
        };
        filled(self.shape, self.components.iter().map(constant).collect::<Vec<_>>())
    }
}

impl Generator<'_> {
    /// An accumulator for `steps` steps, each with an `x` of this type.
    fn accumulator(&mut self, x: Scalar, steps: usize) -> Accumulator {
        let shape = self.choices.pick(&SHAPES);
        let whole = self.fresh("s");
        let is_pattern = self.choices.one_in(3);
        let paths = paths(shape);
        let names: Vec<_> = paths
            .iter()
            .map(|path| if is_pattern { self.fresh("p") } else { format!("{whole}.{path}") })
            .collect();
        let parameter = if is_pattern { filled(shape, names.clone()) } else { whole };
        let last = names.len() - 1;
        let components = names.into_iter().enumerate().map(|(position, name)| {
            // Three components of one type can be mixed up in more ways than one.
            let element = if position == last && self.choices.one_in(4) {
                self.choices.pick(&Element::NUMBERS)
            } else {
                x.element
            };
            let begun = converted(Number { text: String::new(), bound: x.bound }, x.element, element).bound;
            let grown = (begun + 4.0) * (steps + 1) as f64;
            let bound = match (element, element.allows(grown)) {
                (Element::Bool, _) => 1.0,
                (_, true) if element.is_float() => grown,
                (_, true) => f64::INFINITY,
                (_, false) => begun.max(4.0),
            };
            Component { name, scalar: Scalar::new(element, bound) }
        });
        let components = components.collect();
        Accumulator { shape, parameter, components }
    }

    /// The body of a step, with an expression for the element.
    fn step(&mut self, accumulator: &Accumulator, x: &Number, element: Element) -> String {
        let components = &accumulator.components;
        let texts = components.iter().map(|component| {
            let own = component.scalar.element;
            let x = converted(x.clone(), element, own);
            let same: Vec<_> = components
                .iter()
                .filter(|other| other.scalar.element == own)
                .map(|other| &other.name)
                .collect();
            moved(self.choices, component.scalar, &x, &same)
        });
        let texts: Vec<_> = texts.collect();
        filled(accumulator.shape, texts)
    }

    /// A function to one number that depends on all components where that is exact, or to an array of them.
    fn observation(&mut self, accumulator: &Accumulator, element: Element) -> (String, Type) {
        let parameter = &accumulator.parameter;
        let of = |component: &Component| {
            let number = Number { text: component.name.clone(), bound: component.scalar.bound };
            converted(number, component.scalar.element, element)
        };
        let numbers: Vec<_> = accumulator.components.iter().map(of).collect();
        let weights = [7.0, 5.0, 3.0, 1.0];
        let sum: f64 = numbers.iter().zip(weights).map(|(number, weight)| number.bound * weight).sum();
        let (text, bound) = if element.allows(sum) {
            let terms: Vec<_> = numbers
                .iter()
                .zip(weights)
                .map(|(number, weight)| format!("{} * {weight}", number.text))
                .collect();
            (terms.join(" + "), if element.is_integer() { f64::INFINITY } else { sum })
        } else {
            let number = self.choices.pick(&numbers);
            (number.text, number.bound)
        };
        (format!("(|{parameter}| {text})"), Type::Scalar(Scalar::new(element, bound)))
    }

    /// Reduces an array of scalars to several components, and those to one number.
    pub(super) fn reduce_to_tuple(
        &mut self,
        pipeline: &mut Pipeline,
        name: &'static str,
        scalar: Scalar,
        length: usize,
    ) {
        let accumulator = self.accumulator(scalar, length);
        let (function, initial) = self.accumulation(&accumulator, scalar);
        pipeline.push(Stage::Primitive(name, vec![function, initial]), accumulator.ty());
        let (observation, ty) = self.observation(&accumulator, scalar.element);
        pipeline.push(Stage::Lambda(observation), ty);
    }

    /// The function of a reduction or a scan, and what it begins with.
    fn accumulation(&mut self, accumulator: &Accumulator, scalar: Scalar) -> (String, String) {
        let name = self.fresh("x");
        let x = Number { text: name.clone(), bound: scalar.bound };
        let step = self.step(accumulator, &x, scalar.element);
        let function = format!("|{}, {name}| {step}", accumulator.parameter);
        (function, accumulator.initial(self.choices))
    }

    /// All prefixes of such a reduction; says whether there are any.
    pub(super) fn scan_to_tuples(&mut self, pipeline: &mut Pipeline, threads: Threads) -> bool {
        let kept = pipeline.ty.is_static() && pipeline.ty.count() <= MOST_REGISTERS / 4;
        let (scan, map) = match threads {
            Threads::Unspecified => ("scan", "map"),
            Threads::One if kept => (self.choices.pick(&["scan", "scanSeq"]), "mapSeq"),
            Threads::One
            | Threads::Device
            | Threads::Global(_)
            | Threads::Groups
            | Threads::Group
            | Threads::Local(_) => return false,
        };
        let Some((Type::Scalar(scalar), length)) = pipeline.ty.as_array() else { return false };
        let (scalar, length) = (*scalar, length.clone());
        let accumulator = self.accumulator(scalar, length.value());
        let (function, initial) = self.accumulation(&accumulator, scalar);
        let ty = Type::array(accumulator.ty(), length.clone());
        pipeline.push(Stage::Primitive(scan, vec![function, initial]), ty);
        let (observation, ty) = self.observation(&accumulator, scalar.element);
        pipeline.push(Stage::Primitive(map, vec![observation]), Type::array(ty, length));
        true
    }

    /// An `iterate` over tuples that are made of the elements, by maps of this name.
    pub(super) fn iterate_tuples(
        &mut self,
        pipeline: &mut Pipeline,
        map: &'static str,
        (count, applications): (String, usize),
    ) {
        let Some((Type::Scalar(scalar), length)) = pipeline.ty.as_array() else { return };
        let (scalar, length) = (*scalar, length.clone());
        let accumulator = self.accumulator(scalar, applications);
        let x = self.fresh("x");
        let made = accumulator.components.iter().map(|component| {
            let number = Number { text: x.clone(), bound: scalar.bound };
            converted(number, scalar.element, component.scalar.element).text
        });
        let first = format!("|{x}| {}", filled(accumulator.shape, made));
        let tuples = Type::array(accumulator.ty(), length.clone());
        pipeline.push(Stage::Primitive(map, vec![first]), tuples.clone());
        let text = match scalar.element {
            Element::Bool => "true".to_owned(),
            element => format!("1{}", element.name()),
        };
        let step = self.step(&accumulator, &Number { text, bound: 1.0 }, scalar.element);
        let function = format!("{map}(|{}| {step})", accumulator.parameter);
        pipeline.push(Stage::Primitive("iterate", vec![count, function]), tuples);
        let (observation, ty) = self.observation(&accumulator, scalar.element);
        pipeline.push(Stage::Primitive(map, vec![observation]), Type::array(ty, length));
    }
}

/// The next value of a component: another one, the element, or a mixture.
fn moved(choices: &mut Choices, own: Scalar, x: &Number, same: &[&String]) -> String {
    let (left, right) = (choices.pick(same), choices.pick(same));
    let x = &x.text;
    if own.element == Element::Bool {
        return match choices.below(5) {
            0 | 1 => left.clone(),
            2 => x.clone(),
            3 => format!("{left} != {x}"),
            _ => format!("!{left} && ({right} || {x})"),
        };
    }
    // Sums of components grow with a power of two.
    let (sums, mixtures) = (own.element.is_integer() || own.bound.is_finite(), own.element.is_integer());
    match choices.below(8) {
        0..3 => left.clone(),
        3 => x.clone(),
        4 if sums => format!("{left} + {x}"),
        5 if mixtures => format!("{left} * 3 - {right}"),
        6 => format!("max({left}, {x})"),
        7 => format!("if {left} < {x} {{ {right} }} else {{ {x} }}"),
        _ => right.clone(),
    }
}
