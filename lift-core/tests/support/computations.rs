//! Random maps, each computed by some work-items, and the functions that they apply.

use super::layouts::window;
use super::program::{Generator, MOST_REGISTERS, MOST_UNROLLED, Threads};
use super::scalars::{Variable, scalar_expression};
use super::stage::{Pipeline, Stage, mentions};
use super::types::{Element, Length, Scalar, Type};

const GLOBAL_MAPS: [&str; 3] = ["mapGlb0", "mapGlb1", "mapGlb2"];
const GROUP_MAPS: [&str; 3] = ["mapWrg0", "mapWrg1", "mapWrg2"];
const LOCAL_MAPS: [&str; 3] = ["mapLcl0", "mapLcl1", "mapLcl2"];

impl Generator<'_> {
    /// A map that is not the last stage.
    pub(super) fn compute_before(&mut self, pipeline: &mut Pipeline, threads: Threads) {
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

    /// A map by one work-item, which keeps the results for itself.
    fn compute_into_registers(&mut self, pipeline: &mut Pipeline) {
        let before = pipeline.clone();
        self.compute(pipeline, Threads::One);
        if !pipeline.ty.is_static() || pipeline.ty.count() > MOST_REGISTERS {
            *pipeline = before;
        } else if self.choices.one_in(3)
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
    pub(super) fn compute(&mut self, pipeline: &mut Pipeline, threads: Threads) {
        if self.choices.one_in(6) && self.compute_rows(pipeline, threads) {
            return;
        }
        match threads {
            Threads::Unspecified if pipeline.ty.rank() > 1 && self.choices.one_in(4) => self.map2(pipeline),
            Threads::Unspecified => self.map(pipeline, "map", Threads::Unspecified),
            Threads::One => self.compute_alone(pipeline),
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

    /// A map by one work-item: a loop, straight-line code, or a loop over windows.
    fn compute_alone(&mut self, pipeline: &mut Pipeline) {
        let Some((element, length)) = pipeline.ty.as_array() else { return };
        // Windows of arrays would nest without end.
        if element.as_scalar().is_some() && self.choices.one_in(6) {
            let (size, step) = window(self.choices, length.value());
            let windows = length.derived((length.value() - size) / step + 1);
            let window = Type::array(element.clone(), Length::Literal(size));
            let (function, result) = self.element_function(&window, Threads::One);
            let arguments = vec![function, size.to_string(), step.to_string()];
            pipeline.push(Stage::Primitive("mapSeqSlide", arguments), Type::array(result, windows));
            return;
        }
        let name = match length {
            Length::Literal(count) if *count <= MOST_UNROLLED => {
                self.choices.pick(&["mapSeq", "mapSeqUnroll", "map"])
            }
            Length::Literal(_) | Length::Variable(..) | Length::Computed(_) => {
                self.choices.pick(&["mapSeq", "mapSeq", "map"])
            }
        };
        self.map(pipeline, name, Threads::One);
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
        let (function, result) = self.element_function(&element, inner);
        pipeline.push(Stage::Primitive(name, vec![function]), Type::array(result, length));
    }

    /// A function on an element, which may know its position, also deep inside.
    fn element_function(&mut self, element: &Type, threads: Threads) -> (String, Type) {
        if !self.choices.one_in(5) {
            return self.function(element, threads);
        }
        let position = self.fresh("i");
        let number = self.choices.pick(&[Element::F32, Element::I32]);
        let name = format!("({position} % 8) as {}", number.name());
        let variable = Variable { name: format!("({name})"), ty: Type::Scalar(Scalar::new(number, 7.0)) };
        self.scope.push(variable);
        let (function, result) = self.function(element, threads);
        self.scope.pop();
        let text = match function.strip_prefix('|') {
            Some(lambda) => format!("|{position} => {lambda}"),
            None if !mentions(&function, &position) => function,
            None => {
                let whole = self.fresh("e");
                format!("|{position} => {whole}| {whole} >> {function}")
            }
        };
        (text, result)
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
            Type::Vector(scalar, width) => self.vector_function(*scalar, *width),
            Type::Tuple(components) => self.tuple_function(components, threads),
            Type::Array(..) => self.array_function(element, threads),
        }
    }

    fn scalar_function(&mut self, scalar: Scalar) -> (String, Type) {
        match self.choices.below(6) {
            0 => ("id".to_owned(), Type::Scalar(scalar)),
            1 if scalar.element.is_signed() => ("neg".to_owned(), Type::Scalar(scalar)),
            _ => self.scalar_lambda(scalar),
        }
    }

    /// A function on vectors: on every component, as arithmetic, or down to a scalar.
    pub(super) fn vector_function(&mut self, scalar: Scalar, width: usize) -> (String, Type) {
        let vector = |scalar| Type::Vector(scalar, width);
        let doubled = 2.0 * scalar.bound + 1.0;
        let squares = scalar.bound * scalar.bound * width as f64;
        match self.choices.below(6) {
            0 => ("id".to_owned(), vector(scalar)),
            1 if scalar.element.allows(doubled) => {
                ("|v| v * 2 - 1".to_owned(), vector(Scalar::difference(scalar.element, doubled)))
            }
            2 if scalar.element.is_signed() => {
                ("|v| if v > 1 && !(v == 3) { v } else { min(-v, 2) }".to_owned(), {
                    vector(Scalar::new(scalar.element, scalar.bound.max(2.0)))
                })
            }
            3 if scalar.element.allows(squares) => {
                ("|v| dot(v, v)".to_owned(), Type::Scalar(Scalar::new(scalar.element, squares)))
            }
            other => {
                let (function, result) = self.scalar_lambda(scalar);
                match result.as_scalar().filter(|result| result.element != Element::Bool) {
                    None => ("id".to_owned(), vector(scalar)),
                    Some(result) if other == 4 => (format!("vectorize({width}, {function})"), vector(result)),
                    Some(result) => (format!("mapVec({function})"), vector(result)),
                }
            }
        }
    }

    /// A function on two vectors of one type.
    fn vector_pair_function(&mut self, components: &[Type]) -> Option<(String, Type)> {
        let [Type::Vector(left, width), Type::Vector(right, other)] = components else { return None };
        let (sum, product) = (left.bound + right.bound, left.bound * right.bound * *width as f64);
        if left.element != right.element || width != other || !left.element.allows(sum) {
            return None;
        }
        let vector = Type::Vector(Scalar::new(left.element, sum), *width);
        match self.choices.below(4) {
            0 => Some(("add".to_owned(), vector)),
            1 if left.element.allows(product) => {
                Some(("dot".to_owned(), Type::Scalar(Scalar::new(left.element, product))))
            }
            2 => Some(("|v, w| select(v < w, w - v, v - w)".to_owned(), vector)),
            _ => {
                let vector = Type::Vector(Scalar::difference(left.element, sum), *width);
                Some((format!("vectorize({width}, sub)"), vector))
            }
        }
    }

    pub(super) fn scalar_lambda(&mut self, scalar: Scalar) -> (String, Type) {
        let name = self.fresh("x");
        if scalar.element.is_integer()
            && scalar.element.allows(scalar.bound.max(40.0) + 3.0)
            && self.names % 8 == 5
        {
            let limit = self.choices.pick(&["0", "1", "7", "40"]);
            let grown = Scalar::new(scalar.element, scalar.bound.max(40.0) + 3.0);
            let step = self.choices.pick(&["|y| y + 3", "|y| { let z = y + 1; z + 2 }"]);
            return (
                format!("|{name}| iterateWhile({limit}, |y| y < 37, {step}, {name})"),
                Type::Scalar(grown),
            );
        }
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
    pub(super) fn tuple_function(&mut self, components: &[Type], threads: Threads) -> (String, Type) {
        if let Some(function) = self.vector_pair_function(components) {
            return function;
        }
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
}
