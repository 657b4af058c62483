//! Kernels as OpenCL C.
//!
//! Pure functions from the kernel AST to text: names and structure are decided before.

mod c_index;
mod expression;
mod literal;
mod preamble;
mod vector;

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::kernel::{
    self, Buffer, BufferId, BufferRole, Expression, Function, Kernel, KernelParameter, Launches, Loop,
    Module, Statement, Trip, Unrolling, ValueType, Variable, Workers, ranges_of_kernel,
};
use crate::ir::names::{END, FIRST};
use crate::ir::nat::{Nat, Ranges, Substitution};
use crate::ir::scalar::ScalarType;
use crate::ir::typed::AddressSpace;
use crate::print::Interface;
use crate::print::extent::Extents;
use crate::print::index::IndexPrinter;
use crate::print::problem::Problem;
use crate::print::text::Strength;
use c_index::CIndexPrinter;
use expression::{ExpressionPrinter, worker_id};
use literal::literal;
use preamble::{Helper, storage_name, type_definitions, value_type_name, vector_definitions};

/// Longer formulas are not reassembled from their named parts. Reassembly serves to find vectors, and the
/// result would be as long as all formulas behind all names.
const LARGEST_WHOLE: u32 = 256;

/// Prints a module as OpenCL C. `extents` learn the magnitude of indices.
///
/// # Errors
/// Returns each thing that OpenCL C cannot express.
pub(crate) fn print_opencl(
    module: &Module,
    interface: &Interface<'_>,
    extents: &mut Extents,
) -> Result<String, Vec<Problem>> {
    let Interface { type_parameters, ranges } = *interface;
    let type_parameters = type_parameters.len();
    let mut printer = Printer {
        module,
        vectors: vectors_in_memory(module),
        values: Substitution::new(),
        helpers: BTreeSet::new(),
        extents,
        rounds: BTreeSet::new(),
        problems: Vec::new(),
        lines: Vec::new(),
        depth: 0,
    };
    module.functions.iter().for_each(|function| printer.function(function, ranges));
    for (position, kernel) in module.kernels.iter().enumerate() {
        printer.extents.enter_repetitions(position, &module.repetitions, ranges);
        printer.extents.enter_launch(kernel);
        printer.kernel(kernel, &ranges_of_kernel(position, &module.repetitions, ranges));
    }
    if !printer.problems.is_empty() {
        return Err(printer.problems);
    }
    let mut text = String::new();
    let body = printer.lines.join("\n");
    if mentions_type(&body, "double") || type_parameters > 0 {
        text += "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n";
    }
    if mentions_type(&body, "half") || type_parameters > 0 {
        text += "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n";
    }
    let helpers: String =
        printer.helpers.iter().map(|helper| format!("\n{}\n", helper.definition())).collect();
    text += &round_definitions(&printer.rounds);
    let type_parameters: Vec<usize> = (0..type_parameters).collect();
    text += &type_definitions(&type_parameters);
    text += &vector_definitions(&type_parameters, &format!("{helpers}{body}"));
    for (position, buffer) in module.buffers.iter().enumerate() {
        if let BufferRole::Constant(values) = &buffer.role {
            text +=
                &format!("\n{}\n", constant_table(buffer, values, &printer.alignment(BufferId(position))));
        }
    }
    Ok(text + &helpers + &body + "\n")
}

/// Whether a type, a vector of it or a conversion to it occurs in a kernel's text. A name that only begins
/// like it does not count.
fn mentions_type(text: &str, scalar: &str) -> bool {
    // Most texts do not contain it: this search is faster than the search for words.
    if !text.contains(scalar) {
        return false;
    }
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    let mut widths = words.filter_map(|word| word.strip_prefix(scalar));
    widths.any(|width| width.chars().all(|digit| digit.is_ascii_digit()))
}

/// The type in which a position that is computed from data is compared with the length of an array. It is
/// that of indices if this type holds every number of `scalar`, whether indices have 32 or 64 bits.
fn type_of_positions(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::I8 | ScalarType::U8 | ScalarType::I16 | ScalarType::U16 | ScalarType::I32 => "index_t",
        ScalarType::U32 | ScalarType::U64 => "ulong",
        ScalarType::I64
        | ScalarType::Bool
        | ScalarType::F16
        | ScalarType::F32
        | ScalarType::F64
        | ScalarType::Parameter(_) => "long",
    }
}

fn constant_table(buffer: &Buffer, values: &[crate::ir::scalar::Literal], alignment: &str) -> String {
    let values: Vec<String> = values.iter().map(|value| literal(value, buffer.element)).collect();
    let (element, name) = (storage_name(buffer.element), &buffer.name);
    format!("constant {element} {name}[{}]{alignment} = {{{}}};", values.len(), values.join(", "))
}

struct Printer<'m> {
    module: &'m Module,
    /// The width of the widest vectors by which each buffer is accessed.
    vectors: BTreeMap<BufferId, u8>,
    /// The values of variables that were declared by a value, where these are short.
    values: Substitution,
    helpers: BTreeSet<Helper>,
    extents: &'m mut Extents,
    /// The unroll factors that compilers are asked for: NVIDIA's, if it is asked at all, and the others'.
    rounds: BTreeSet<(Option<u64>, u64)>,
    problems: Vec<Problem>,
    lines: Vec<String>,
    depth: usize,
}

impl Printer<'_> {
    /// The attribute of an array in local, private or constant memory that is accessed by vectors: pointers
    /// to vectors need it. Memory that the launcher allocates is aligned anyway.
    fn alignment(&self, id: BufferId) -> String {
        match (self.vectors.get(&id), self.module.buffers.get(id.0)) {
            (Some(lanes), Some(buffer)) => {
                format!(" __attribute__((aligned({})))", i128::from(*lanes) * buffer.element.bytes())
            }
            _ => String::new(),
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let indentation = if text.is_empty() { 0 } else { 4 * self.depth };
        self.lines.push(format!("{:indentation$}{text}", ""));
    }

    /// Runs a printer of expressions with the ranges that hold here.
    fn with_printer<T>(&mut self, ranges: &Ranges, print: impl FnOnce(&mut ExpressionPrinter<'_>) -> T) -> T {
        let size_names = &self.module.size_names;
        let index = CIndexPrinter {
            ranges,
            values: &self.values,
            size_names,
            helpers: &mut self.helpers,
            extents: self.extents,
            problems: &mut self.problems,
        };
        print(&mut ExpressionPrinter { module: self.module, index })
    }

    fn expression(&mut self, expression: &Expression, ranges: &Ranges) -> String {
        self.with_printer(ranges, |printer| printer.expression(expression).bare())
    }

    fn nat(&mut self, nat: &Nat, strength: Strength, ranges: &Ranges) -> String {
        self.with_printer(ranges, |printer| printer.index.nat(nat).at(strength))
    }

    fn function(&mut self, function: &Function, ranges: &Ranges) {
        let result = match function.results.as_slice() {
            [single] => value_type_name(*single),
            several => self.result_struct(&function.name, several),
        };
        let parameters: Vec<String> = function.parameters.iter().map(declaration).collect();
        self.line("");
        // Without `void`, C would know nothing about the parameters of the function.
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        self.line(format!("{result} {}({parameters}) {{", function.name));
        self.depth += 1;
        self.block(&function.body, ranges);
        match function.values.as_slice() {
            [single] => {
                let value = self.expression(single, ranges);
                self.line(format!("return {value};"));
            }
            several => {
                self.line(format!("{result} result;"));
                for (position, value) in several.iter().enumerate() {
                    let value = self.expression(value, ranges);
                    self.line(format!("result._{position} = {value};"));
                }
                self.line("return result;");
            }
        }
        self.depth -= 1;
        self.line("}");
    }

    /// Declares the struct that a function with several results returns.
    fn result_struct(&mut self, function: &str, results: &[ValueType]) -> String {
        let name = struct_name(function);
        let fields: Vec<String> = results
            .iter()
            .enumerate()
            .map(|(position, ty)| format!("{} _{position};", value_type_name(*ty)))
            .collect();
        self.line("");
        self.line(format!("typedef struct {{ {} }} {name};", fields.join(" ")));
        name
    }

    fn kernel(&mut self, kernel: &Kernel, ranges: &Ranges) {
        let written = kernel::nested(&kernel.body).filter_map(Statement::stored_buffer).collect();
        let read = kernel::nested(&kernel.body).flat_map(Statement::loaded_buffers).collect();
        let parameters: Vec<String> =
            kernel.parameters.iter().map(|parameter| self.parameter(parameter, &written, &read)).collect();
        let function = format!("void {}({}) {{", kernel.name, parameters.join(", "));
        self.line("");
        match kernel.launches {
            Launches::Pinned => {
                let [x, y, z] = kernel.local;
                self.line(format!("kernel __attribute__((reqd_work_group_size({x}, {y}, {z})))"));
                self.line(function);
            }
            Launches::Any(_) => self.line(format!("kernel {function}")),
        }
        self.depth += 1;
        self.local_buffers(&kernel.body);
        self.block(&kernel.body, ranges);
        self.depth -= 1;
        self.line("}");
    }

    /// Prints a parameter. An array that the kernel does not write is constant, so that compilers may load it
    /// through caches for constant data.
    ///
    /// An array that the kernel writes and reads is not `restrict`. That would say that nothing else changes
    /// it, so that compilers could load an element before the barrier behind which another work-item has
    /// stored it. A part of one's own is `restrict`.
    fn parameter(
        &self,
        parameter: &KernelParameter,
        written: &BTreeSet<BufferId>,
        read: &BTreeSet<BufferId>,
    ) -> String {
        match parameter {
            KernelParameter::Buffer(id) => match self.module.buffers.get(id.0) {
                Some(buffer) => {
                    let constant = if written.contains(id) { "" } else { "const " };
                    let is_passed_on = written.contains(id) && read.contains(id) && buffer.role.is_shared();
                    let restrict = if is_passed_on { "" } else { " restrict" };
                    format!("global {constant}{}*{restrict} {}", storage_name(buffer.element), buffer.name)
                }
                None => String::new(),
            },
            KernelParameter::Scalar(_, variable) => {
                let ty = match variable.ty.lanes {
                    1 => storage_name(variable.ty.scalar),
                    _ => value_type_name(variable.ty),
                };
                format!("const {ty} {}", variable.name)
            }
            KernelParameter::Size(variable) => {
                let name = self.module.size_names.get(variable).map_or(variable.name(), String::as_str);
                format!("const index_t {name}")
            }
        }
    }

    /// Declares the local buffers that a kernel uses; OpenCL allows that only at the top of the kernel.
    fn local_buffers(&mut self, body: &[Statement]) {
        let used: BTreeSet<BufferId> = kernel::nested(body).filter_map(Statement::stored_buffer).collect();
        for id in used {
            let Some(buffer) = self.module.buffers.get(id.0) else { continue };
            if buffer.role == BufferRole::Local {
                self.line(format!(
                    "local {} {}[{}]{};",
                    storage_name(buffer.element),
                    buffer.name,
                    buffer.length,
                    self.alignment(id)
                ));
            }
        }
    }

    fn block(&mut self, block: &[Statement], ranges: &Ranges) {
        let mut ranges = ranges.clone();
        for statement in block {
            self.statement(statement, &ranges);
            ranges.learn(statement);
        }
    }

    fn statement(&mut self, statement: &Statement, ranges: &Ranges) {
        match statement {
            Statement::Comment(text) => self.line(format!("/* {text} */")),
            Statement::Declare(variable, None) => self.line(format!("{};", declaration(variable))),
            Statement::Declare(variable, Some(value)) => {
                let value = self.expression(value, ranges);
                self.line(format!("{} = {value};", declaration(variable)));
            }
            Statement::DeclareBuffer(id) => {
                if let Some(buffer) = self.module.buffers.get(id.0) {
                    self.line(format!(
                        "{} {}[{}]{};",
                        storage_name(buffer.element),
                        buffer.name,
                        buffer.length,
                        self.alignment(*id)
                    ));
                }
            }
            Statement::DeclareIndex { index, value, length } => {
                let scalar = value.ty().scalar;
                let wide = type_of_positions(scalar);
                let value = self.expression(value, ranges);
                let value = match scalar {
                    ScalarType::Parameter(_) => {
                        let position = Helper::Position(scalar);
                        let value = format!("{}({value})", position.name());
                        self.helpers.insert(position);
                        value
                    }
                    ScalarType::Bool
                    | ScalarType::I8
                    | ScalarType::U8
                    | ScalarType::I16
                    | ScalarType::U16
                    | ScalarType::I32
                    | ScalarType::U32
                    | ScalarType::I64
                    | ScalarType::U64
                    | ScalarType::F16
                    | ScalarType::F32
                    | ScalarType::F64 => format!("({wide})({value})"),
                };
                let last = self.nat(&(length - Nat::one()), Strength::Choice, ranges);
                let clamped = format!("clamp({value}, ({wide})0, ({wide})({last}))");
                let cast = if wide == "index_t" { "" } else { "(index_t)" };
                self.line(format!("index_t {} = {cast}{clamped};", index.name()));
                self.extents.declare(index, length, ranges);
            }
            Statement::DeclareValue { index, value, bound } => {
                let whole = value.substitute(&self.values);
                if !whole.is_larger_than(LARGEST_WHOLE) {
                    self.values.insert(index.clone(), whole);
                }
                self.extents.declare_value(index, value, bound.as_ref(), ranges);
                let value = self.nat(value, Strength::Choice, ranges);
                self.line(format!("const index_t {} = {value};", index.name()));
            }
            Statement::DeclareWorker { index, workers, bound } => {
                self.extents.declare_worker(index, *workers, bound.as_ref(), ranges);
                let (number, _) = start_and_step(*workers);
                self.line(format!("const index_t {} = {number};", index.name()));
            }
            Statement::Assign(variable, value) => {
                let value = self.expression(value, ranges);
                self.line(format!("{} = {value};", variable.name));
            }
            Statement::Store(id, index, value) => {
                let store = self.with_printer(ranges, |printer| printer.store(*id, index, value));
                self.line(store);
            }
            Statement::CallFunction { results, function, arguments } => {
                self.call_function(results, *function, arguments, ranges);
            }
            Statement::Loop(repetition) => self.repetition(repetition, ranges),
            Statement::If(condition, then, otherwise) => self.choice(condition, then, otherwise, ranges),
            Statement::Barrier { spaces, reason } => self.barrier(spaces, reason),
        }
    }

    fn call_function(
        &mut self,
        results: &[Variable],
        function: usize,
        arguments: &[Expression],
        ranges: &Ranges,
    ) {
        let name = self.module.functions.get(function).map_or("?", |function| function.name.as_str());
        let arguments = self.with_printer(ranges, |printer| printer.list(arguments));
        let first = results.first().map_or("result", |variable| variable.name.as_str());
        let all = format!("{first}_all");
        self.line(format!("{} {all} = {name}({arguments});", struct_name(name)));
        for (position, variable) in results.iter().enumerate() {
            self.line(format!("{} = {all}._{position};", declaration(variable)));
        }
    }

    fn choice(
        &mut self,
        condition: &Expression,
        then: &[Statement],
        otherwise: &[Statement],
        ranges: &Ranges,
    ) {
        let text = self.expression(condition, ranges);
        let inside = ranges.where_holds(condition);
        self.line(format!("if ({text}) {{"));
        self.depth += 1;
        let before = self.extents.assume_holds(condition, ranges);
        self.block(then, &inside);
        self.extents.restore(before);
        self.depth -= 1;
        if !otherwise.is_empty() {
            self.line("} else {");
            self.depth += 1;
            self.block(otherwise, ranges);
            self.depth -= 1;
        }
        self.line("}");
    }

    fn repetition(&mut self, repetition: &Loop, ranges: &Ranges) {
        let inside = ranges.in_loop(repetition);
        let index = repetition.index.name();
        let extent = self.nat(&repetition.extent, Strength::Sum, ranges);
        let (start, step) = start_and_step(repetition.workers);
        if !repetition.origin.is_empty() {
            self.line(format!("/* {} */", repetition.origin));
        }
        match repetition.unrolling {
            Unrolling::AsItLikes => {}
            Unrolling::By(steps) => self.line(format!("#pragma unroll {steps}")),
            Unrolling::ByCompiler { nvidia: Some(steps), others } if steps == others => {
                self.line(format!("#pragma unroll {steps}"));
            }
            Unrolling::ByCompiler { nvidia, others } => {
                self.rounds.insert((nvidia, others));
                self.line(round_name(nvidia, others));
            }
            Unrolling::Whole => self.line("#pragma unroll"),
        }
        // PoCL 3.1 takes some loops whose condition compares (`i < min((max(3 - l, 0) + 255) / 256, 1)`) for
        // uniform loops, in which all work-items have the same number of iterations. It then lets those
        // without an iteration execute those of the others.
        let (end, bound) = match repetition.trip {
            Trip::Any | Trip::Rounds if repetition.extent.compares() => {
                (format!(", {index}{END} = {extent}"), format!("{index}{END}"))
            }
            Trip::One | Trip::AtMostOne | Trip::Any | Trip::AnyUniform | Trip::Rounds => {
                (String::new(), extent)
            }
        };
        // All work-items go along until the first of them has no iteration left.
        let goes_along = repetition.trip == Trip::Rounds;
        let (counter, from) = match goes_along {
            true => (format!("{index}{FIRST}"), "0".to_string()),
            false => (index.to_string(), start.clone()),
        };
        self.line(format!(
            "for (index_t {counter} = {from}{end}; {counter} < {bound}; {counter} += {step}) {{"
        ));
        if goes_along {
            self.depth += 1;
            self.line(format!("const index_t {index} = {counter} + {start};"));
            self.depth -= 1;
        }
        self.depth += 1;
        self.extents.declare_step(repetition, ranges);
        self.block(&repetition.body, &inside);
        self.depth -= 1;
        self.line("}");
    }

    fn barrier(&mut self, spaces: &[AddressSpace], reason: &str) {
        let fences: Vec<&str> = spaces
            .iter()
            .map(|space| match space {
                AddressSpace::Local => "CLK_LOCAL_MEM_FENCE",
                AddressSpace::Global | AddressSpace::Private => "CLK_GLOBAL_MEM_FENCE",
            })
            .collect();
        self.line(format!("barrier({}); /* {reason} */", fences.join(" | ")));
    }
}

/// Defines macros that ask for these unroll factors, of NVIDIA's compiler and of others.
fn round_definitions(rounds: &BTreeSet<(Option<u64>, u64)>) -> String {
    if rounds.is_empty() {
        return String::new();
    }
    let define = |name: String, steps: Option<u64>| match steps {
        Some(steps) => format!("#define {name} _Pragma(\"unroll {steps}\")\n"),
        None => format!("#define {name}\n"),
    };
    let lines = |steps: fn(&(Option<u64>, u64)) -> Option<u64>| -> String {
        rounds.iter().map(|round| define(round_name(round.0, round.1), steps(round))).collect()
    };
    let (nvidia, others) = (lines(|round| round.0), lines(|round| Some(round.1)));
    format!("/* How far loops are unrolled. */\n#ifdef __NV_CL_C_VERSION\n{nvidia}#else\n{others}#endif\n")
}

/// The macro that asks for these unroll factors.
fn round_name(nvidia: Option<u64>, others: u64) -> String {
    match nvidia {
        Some(steps) => format!("UNROLL_BY_{steps}_OR_{others}"),
        None => format!("UNROLL_AS_IT_LIKES_OR_BY_{others}"),
    }
}

/// The first iteration of a worker, and the distance to its next one.
fn start_and_step(workers: Workers) -> (String, String) {
    let start = worker_id(workers);
    let step = match workers {
        Workers::Sequential => "1".to_string(),
        Workers::Global(dimension) => format!("get_global_size({dimension})"),
        Workers::WorkGroup(dimension) => format!("get_num_groups({dimension})"),
        Workers::Local(dimension) => format!("get_local_size({dimension})"),
    };
    (start, step)
}

fn declaration(variable: &Variable) -> String {
    format!("{} {}", value_type_name(variable.ty), variable.name)
}

fn struct_name(function: &str) -> String {
    format!("{function}_result")
}

/// The width of the widest vectors by which buffers are accessed, for buffers that are accessed by vectors.
fn vectors_in_memory(module: &Module) -> BTreeMap<BufferId, u8> {
    let mut widths = BTreeMap::new();
    let functions = module.functions.iter();
    functions.for_each(|function| {
        collect_vectors(&function.body, &mut widths);
        function.values.iter().for_each(|value| loaded_vectors(value, &mut widths));
    });
    module.kernels.iter().for_each(|kernel| collect_vectors(&kernel.body, &mut widths));
    widths
}

fn collect_vectors(body: &[Statement], widths: &mut BTreeMap<BufferId, u8>) {
    for statement in kernel::nested(body) {
        if let Statement::Store(buffer, _, value) = statement {
            accessed(*buffer, value.ty().lanes, widths);
        }
        statement.expressions().iter().for_each(|expression| loaded_vectors(expression, widths));
    }
}

fn loaded_vectors(expression: &Expression, widths: &mut BTreeMap<BufferId, u8>) {
    for part in expression.nested() {
        if let Expression::Load(buffer, _, ty) = part {
            accessed(*buffer, ty.lanes, widths);
        }
    }
}

fn accessed(buffer: BufferId, lanes: u8, widths: &mut BTreeMap<BufferId, u8>) {
    if lanes > 1 {
        let widest = widths.entry(buffer).or_default();
        *widest = lanes.max(*widest);
    }
}

#[cfg(test)]
mod tests {
    use super::mentions_type;

    #[test]
    fn a_type_is_a_word_with_or_without_a_width() {
        for text in ["double x;", "(global const double4*)a", "convert_double2(v)", "f((double)x)"] {
            assert!(mentions_type(text, "double"), "{text}");
        }
        for text in ["void doubled_triangle(", "float x = half_way;", "doubles[3]"] {
            assert!(!mentions_type(text, "double"), "{text}");
        }
    }
}
