//! Prints kernels as Rust functions, for the host.
//!
//! The text uses only the names that it declares, the primitive types of Rust, and `__lift_host`, the module
//! `host` of the runtime. All names of a kernel get an underscore at the end: no constant of the user's crate
//! has such a name, and a constant would change the meaning of a pattern.
//!
//! Two properties must hold. The text needs no `unsafe`, and every element is checked to lie in its array,
//! alone or with its row. Memory that a kernel declares belongs to one thread, and rustc checks that (`Cells`
//! is not `Sync`); only results and temporaries are `Shared`.

use std::ops::Range;
use std::sync::Arc;

use crate::flat::{FlatMap, FlatSet};
use crate::host::HostModule;
use crate::ir::kernel::{Module, ValueType, ranges_of_kernel};
use crate::ir::nat::Var;
use crate::ir::scalar::{ScalarClass, ScalarType, TypeParameter};
use crate::print::Interface;
use crate::print::extent::Extents;
use crate::print::problem::Problem;
use crate::print::text::{indented, joined};

mod accumulators;
mod bounds_checks;
mod expression;
mod from_data;
mod identical_code;
mod index;
mod kernel;
mod lane_scope;
mod lanes;
mod sliding_slices;
mod statement;
mod strip_context;

/// Rust functions that do what kernels do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostCode {
    /// The functions.
    pub text: String,
    /// The names of the functions that are kernels, in launch order; kernels that do the same share one
    /// function. Their type parameters are the open element types.
    pub entries: Vec<String>,
}

/// Prints the user functions and the kernels of a module as Rust. `extents` learn the magnitude of indices.
///
/// # Errors
/// Returns each thing that Rust cannot express.
pub(crate) fn print_rust(
    HostModule { module, kernels }: &HostModule,
    interface: &Interface<'_>,
    extents: &mut Extents,
) -> Result<HostCode, Vec<Problem>> {
    let names = Names::new(module, interface.type_parameters);
    let (problems, lines, from_data) = (Vec::new(), Vec::new(), FlatSet::new());
    let mut printer =
        Printer { module, names: &names, interface, extents, problems, lines, depth: 0, from_data };
    module.functions.iter().for_each(|function| printer.function(function));
    let mut entries = Vec::new();
    // The kernels that have a function, with the lines of its body, and what tells it from most others.
    let mut known: Vec<(String, Range<usize>, usize)> = Vec::new();
    for (position, kernel) in kernels.iter().enumerate() {
        let name = format!("__lift_kernel_{position}");
        let ranges = ranges_of_kernel(position, &module.repetitions, interface.ranges);
        printer.extents.enter_repetitions(position, &module.repetitions, interface.ranges);
        let before = printer.lines.len();
        let body = printer.kernel(kernel, &name, &ranges);
        let own = body..printer.lines.len();
        let lines = |range: &Range<usize>| printer.lines.get(range.clone()).unwrap_or_default();
        let count = identical_code::lines_of_code(lines(&own));
        let same = known.iter().find(|(_, other, lines_of_other)| {
            count == *lines_of_other && identical_code::are_alike(lines(other), lines(&own))
        });
        match same {
            Some((same, ..)) => {
                printer.lines.truncate(before);
                entries.push(same.clone());
            }
            None => {
                known.push((name.clone(), own, count));
                entries.push(name);
            }
        }
    }
    match printer.problems.is_empty() {
        true => Ok(HostCode { text: joined(&printer.lines), entries }),
        false => Err(printer.problems),
    }
}

/// The printed names of things.
struct Names<'m> {
    sizes: &'m FlatMap<Var, Arc<str>>,
    /// The type parameters with their bounds, in angle brackets.
    generics: String,
    /// The type parameters as arguments.
    turbofish: String,
}

impl<'m> Names<'m> {
    fn new(module: &'m Module, type_parameters: &[TypeParameter]) -> Names<'m> {
        let in_brackets = |parts: Vec<String>, before: &str| match parts.is_empty() {
            true => String::new(),
            false => format!("{before}<{}>", parts.join(", ")),
        };
        let bounded = type_parameters.iter().map(|parameter| {
            let class = match parameter.class {
                ScalarClass::Any => "Element",
                ScalarClass::Bits => "Bits",
                ScalarClass::Number => "Number",
                ScalarClass::Integer => "Integer",
                ScalarClass::Float => "Float",
            };
            format!("T{}: __lift_host::{class}", parameter.index)
        });
        let plain = type_parameters.iter().map(|parameter| format!("T{}", parameter.index));
        Names {
            sizes: &module.size_names,
            generics: in_brackets(bounded.collect(), ""),
            turbofish: in_brackets(plain.collect(), "::"),
        }
    }

    /// The name of a variable or a buffer.
    fn variable(&self, name: &str) -> String {
        format!("{name}_")
    }

    /// The name of an index or a size.
    fn index(&self, variable: &Var) -> String {
        format!("{}_", self.sizes.get(variable).map_or(variable.name(), AsRef::as_ref))
    }

    /// The name of a user function, where it is called.
    fn function(&self, name: &str) -> String {
        format!("{name}_{}", self.turbofish)
    }
}

struct Printer<'m> {
    module: &'m Module,
    names: &'m Names<'m>,
    interface: &'m Interface<'m>,
    extents: &'m mut Extents,
    problems: Vec<Problem>,
    lines: Vec<String>,
    depth: usize,
    /// The indices that are positions from data.
    from_data: FlatSet<Var>,
}

impl Printer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.line_at(self.lines.len(), text);
    }

    /// Inserts a line before an existing one.
    fn line_at(&mut self, position: usize, text: impl AsRef<str>) {
        self.lines.insert(position, indented(self.depth, text.as_ref()));
    }

    /// Prints lines between braces; the opening one ends the line of `head`.
    fn braced(&mut self, head: impl AsRef<str>, print: impl FnOnce(&mut Self)) {
        self.line(format!("{}{{", head.as_ref()));
        self.depth += 1;
        print(self);
        self.depth -= 1;
        self.line("}");
    }

    fn comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.line(format!("// {text}"));
        }
    }
}

/// Prints a scalar type in Rust.
fn scalar_type(ty: ScalarType) -> String {
    match ty {
        ScalarType::F16 => "__lift_host::f16".to_string(),
        ScalarType::Parameter(parameter) => format!("T{}", parameter.index),
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::F32
        | ScalarType::F64 => ty.to_string(),
    }
}

/// Prints a scalar type, or an array of the components of a vector.
fn value_type(ty: ValueType) -> String {
    match ty.lanes {
        1 => scalar_type(ty.scalar),
        lanes => format!("[{}; {lanes}]", scalar_type(ty.scalar)),
    }
}
