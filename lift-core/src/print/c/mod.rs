//! Kernels as C: OpenCL C, and whatever else a [`Dialect`] describes.
//!
//! Pure functions from the kernel tree to text: names and structure are decided before. What C-like languages
//! have in common is here: statements and loops, `expression`s and `vector`s with their precedence, `index`
//! arithmetic, `literal`s, and `helper` functions that settle what C leaves open (`promotion`; `strict`, for programs that
//! leave nothing open). What differs
//! is asked of the dialect, and of nothing else. `words` are the names that a kernel may not have.

mod bits;
mod dialect;
mod expression;
mod helper;
mod index;
mod literal;
mod opencl;
mod promotion;
mod strict;
mod vector;
mod words;

use std::cell::OnceCell;

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{
    self, Buffer, BufferId, BufferRole, Expression, Function, Kernel, KernelParameter, Launches, Loop,
    Module, Statement, Stored, Trip, Unrolling, ValueType, Variable, Workers, ranges_of_kernel,
};
use crate::ir::nat::{Nat, Ranges, Substitution, Var};
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::{AddressSpace, Rounding};
use crate::print::Interface;
use crate::print::extent::Extents;
use crate::print::index::IndexPrinter;
use crate::print::problem::Problem;
use crate::print::text::{Strength, indented, joined};
pub(crate) use dialect::Dialect;
use dialect::Memory;
use expression::ExpressionPrinter;
use helper::{Helper, type_definitions, vector_definitions};
use index::CIndexPrinter;
use literal::literal;
pub(crate) use opencl::OpenCl;
pub(crate) use words::RESERVED;
use words::{END, FIRST};

/// Longer formulas are not reassembled from their named parts. Reassembly serves to find vectors, and the
/// result would be as long as all formulas behind all names.
const LARGEST_WHOLE: u32 = 256;

/// Prints a module in a dialect of C. `extents` learn the magnitude of indices.
///
/// # Errors
/// Returns each thing that C cannot express.
pub(crate) fn print_c(
    dialect: &dyn Dialect,
    module: &Module,
    interface: &Interface<'_>,
    extents: &mut Extents,
) -> Result<String, Vec<Problem>> {
    let Interface { type_parameters, ranges } = *interface;
    let type_parameters = type_parameters.len();
    let mut printer = Printer {
        dialect,
        module,
        vectors: vectors_in_memory(module),
        values: Substitution::new(),
        helpers: FlatSet::new(),
        extents,
        rounds: FlatSet::new(),
        taken: OnceCell::new(),
        group: None,
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
    let body = joined(&printer.lines);
    let uses = |scalar| type_parameters > 0 || mentions_type(&body, &dialect.type_name(scalar));
    let mut text = dialect.header(&uses);
    if module.rounding == Rounding::Strict {
        text += dialect.no_contraction();
    }
    let definition = |helper: &Helper| format!("\n{}\n", helper.definition(dialect));
    let helpers: String = printer.helpers.iter().map(definition).collect();
    text += &round_definitions(dialect, &printer.rounds);
    let type_parameters: Vec<usize> = (0..type_parameters).collect();
    text += &type_definitions(&type_parameters);
    text += &vector_definitions(&type_parameters, &format!("{helpers}{body}"));
    for (position, buffer) in module.buffers.iter().enumerate() {
        if let BufferRole::Constant(values) = &buffer.role {
            text += &format!("\n{}\n", printer.constant_table(BufferId(position), buffer, values));
        }
    }
    Ok(text + &helpers + &body)
}

/// Whether a type, a vector of it or a conversion to it occurs in a kernel's text. A name that only begins
/// like it does not count.
fn mentions_type(text: &str, scalar: &str) -> bool {
    // Most texts do not contain it: this search is faster than the search for words.
    if !contains(text, scalar) {
        return false;
    }
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    let mut widths = words.filter_map(|word| word.strip_prefix(scalar));
    widths.any(|width| width.chars().all(|digit| digit.is_ascii_digit()))
}

/// Letters that are rare in kernels, the rarest first.
const RARE: [char; 6] = ['w', 'h', 'b', 'f', 'u', 'm'];

/// Whether a word occurs in a text. Without optimisation, to search for a letter takes a fraction of the time
/// of a search for a word.
fn contains(text: &str, word: &str) -> bool {
    let found = RARE.iter().find_map(|letter| Some((*letter, word.find(*letter)?)));
    let Some((letter, before)) = found else { return text.contains(word) };
    text.match_indices(letter).any(|(position, _)| {
        let occurrence = position.checked_sub(before).and_then(|start| text.as_bytes().get(start..));
        occurrence.is_some_and(|occurrence| occurrence.starts_with(word.as_bytes()))
    })
}

struct Printer<'m> {
    dialect: &'m dyn Dialect,
    module: &'m Module,
    /// The width of the widest vectors by which each buffer is accessed.
    vectors: FlatMap<BufferId, u8>,
    /// The values of variables that were declared by a value, where these are short.
    values: Substitution,
    helpers: FlatSet<Helper>,
    extents: &'m mut Extents,
    /// The numbers of work-items of a group of the kernel that is printed, where no other launch is possible.
    group: Option<[u64; 3]>,
    /// The unroll factors that compilers are asked for: NVIDIA's, if it is asked at all, and the others'.
    rounds: FlatSet<(Option<u64>, u64)>,
    /// The names of the module. The few names that only the text has, because they hold the results of
    /// functions that return several values, are none of these.
    taken: OnceCell<FlatSet<&'m str>>,
    problems: Vec<Problem>,
    lines: Vec<String>,
    depth: usize,
}

impl Printer<'_> {
    /// The attribute of an array in local, private or constant memory that is accessed by vectors: pointers
    /// to vectors need it. Memory that the launcher allocates is aligned anyway.
    fn alignment(&self, id: BufferId) -> String {
        match (self.vectors.get(&id), self.module.buffers.get(id.0)) {
            (Some(lanes), Some(buffer)) => self.dialect.aligned(i128::from(*lanes) * buffer.element.bytes()),
            _ => String::new(),
        }
    }

    fn constant_table(&self, id: BufferId, buffer: &Buffer, values: &[Literal]) -> String {
        let values: Vec<String> =
            values.iter().map(|value| literal(self.dialect, value, buffer.element)).collect();
        let array = self.array(id, buffer, Memory::Constant, &values.len().to_string());
        format!("{array} = {{{}}};", values.join(", "))
    }

    /// The declaration of an array.
    fn array(&self, id: BufferId, buffer: &Buffer, memory: Memory, length: &str) -> String {
        let (memory, element) = (self.dialect.array(memory), self.dialect.storage_name(buffer.element));
        format!("{memory}{element} {}[{length}]{}", buffer.name, self.alignment(id))
    }

    /// The type in which a position that is computed from data is compared with the length of an array: the
    /// type of indices, if it holds every number of `scalar` whether indices have 32 or 64 bits.
    fn type_of_positions(&self, scalar: ScalarType) -> String {
        match scalar {
            ScalarType::I8 | ScalarType::U8 | ScalarType::I16 | ScalarType::U16 | ScalarType::I32 => {
                "index_t".to_owned()
            }
            ScalarType::U32 | ScalarType::U64 => self.dialect.type_name(ScalarType::U64),
            ScalarType::I64
            | ScalarType::Bool
            | ScalarType::F16
            | ScalarType::F32
            | ScalarType::F64
            | ScalarType::Parameter(_) => self.dialect.type_name(ScalarType::I64),
        }
    }

    /// The wanted name, or one like it that nothing else has.
    fn untaken(&self, mut wanted: String) -> String {
        let taken = self.taken.get_or_init(|| names_of(self.module));
        while taken.contains(wanted.as_str()) {
            wanted.push('_');
        }
        wanted
    }

    /// The name of the type of what a function with several results returns.
    fn struct_name(&self, function: &str) -> String {
        self.untaken(format!("{function}_result"))
    }

    fn declaration(&self, variable: &Variable) -> String {
        format!("{} {}", self.dialect.value_type_name(variable.ty), variable.name)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let depth = if text.is_empty() { 0 } else { self.depth };
        self.lines.push(indented(depth, text));
    }

    /// Runs a printer of expressions with the ranges that hold here.
    fn with_printer<T>(&mut self, ranges: &Ranges, print: impl FnOnce(&mut ExpressionPrinter<'_>) -> T) -> T {
        let size_names = &self.module.size_names;
        let index = CIndexPrinter {
            dialect: self.dialect,
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
            [single] => self.dialect.value_type_name(*single),
            several => self.result_struct(&function.name, several),
        };
        let parameters: Vec<String> =
            function.parameters.iter().map(|parameter| self.declaration(parameter)).collect();
        self.line("");
        // Without `void`, C would know nothing about the parameters of the function.
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        self.line(format!("{}{result} {}({parameters}) {{", self.dialect.function(), function.name));
        self.depth += 1;
        self.block(&function.body, ranges);
        match function.values.as_slice() {
            [single] => {
                let value = self.expression(single, ranges);
                self.line(format!("return {value};"));
            }
            several => {
                let all = self.untaken("result".to_owned());
                self.line(format!("{result} {all};"));
                for (position, value) in several.iter().enumerate() {
                    let value = self.expression(value, ranges);
                    self.line(format!("{all}._{position} = {value};"));
                }
                self.line(format!("return {all};"));
            }
        }
        self.depth -= 1;
        self.line("}");
    }

    /// Declares the struct that a function with several results returns.
    fn result_struct(&mut self, function: &str, results: &[ValueType]) -> String {
        let name = self.struct_name(function);
        let fields: Vec<String> = results
            .iter()
            .enumerate()
            .map(|(position, ty)| format!("{} _{position};", self.dialect.value_type_name(*ty)))
            .collect();
        self.line("");
        self.line(format!("typedef struct {{ {} }} {name};", fields.join(" ")));
        name
    }

    fn kernel(&mut self, kernel: &Kernel, ranges: &Ranges) {
        let (written, read) = kernel::written_and_read(&kernel.body);
        let parameters: Vec<String> =
            kernel.parameters.iter().map(|parameter| self.parameter(parameter, &written, &read)).collect();
        self.group = match kernel.launches {
            Launches::Pinned => Some(kernel.local),
            Launches::Any(_) => None,
        };
        self.line("");
        for line in self.dialect.kernel(&kernel.name, &parameters, self.group).lines() {
            self.line(line);
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
    /// stored it. A `Scratch` buffer is `restrict`, because each work-item has a part of its own.
    fn parameter(
        &self,
        parameter: &KernelParameter,
        written: &FlatSet<BufferId>,
        read: &FlatSet<BufferId>,
    ) -> String {
        match parameter {
            KernelParameter::Buffer(id) => match self.module.buffers.get(id.0) {
                Some(buffer) => {
                    let constant = if written.contains(id) { "" } else { "const " };
                    let is_passed_on = written.contains(id) && read.contains(id) && buffer.role.is_shared();
                    let restrict = if is_passed_on { "" } else { self.dialect.restrict() };
                    let (memory, element) =
                        (self.dialect.pointer(Memory::Global), self.dialect.storage_name(buffer.element));
                    format!("{memory}{constant}{element}*{restrict} {}", buffer.name)
                }
                None => String::new(),
            },
            KernelParameter::Scalar(_, variable) => {
                let ty = match variable.ty.lanes {
                    1 => self.dialect.storage_name(variable.ty.scalar),
                    _ => self.dialect.value_type_name(variable.ty),
                };
                self.dialect.value_parameter(&ty, &variable.name)
            }
            KernelParameter::Size(variable) => {
                let name = self.name_of(variable);
                self.dialect.value_parameter("index_t", name)
            }
        }
    }

    /// The name of a size or of an index in the kernel.
    fn name_of<'v>(&'v self, variable: &'v Var) -> &'v str {
        self.module.size_names.get(variable).map_or(variable.name(), AsRef::as_ref)
    }

    /// Declares the local buffers that a kernel uses; OpenCL allows that only at the top of the kernel.
    fn local_buffers(&mut self, body: &[Statement]) {
        let used: FlatSet<BufferId> = kernel::nested(body).filter_map(Statement::stored_buffer).collect();
        for id in used {
            let Some(buffer) = self.module.buffers.get(id.0) else { continue };
            if buffer.role == BufferRole::Local {
                let array = self.array(id, buffer, Memory::Local, &buffer.length.to_string());
                self.line(format!("{array};"));
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
            Statement::Declare(variable, None) => self.line(format!("{};", self.declaration(variable))),
            Statement::Declare(variable, Some(value)) => {
                let value = self.expression(value, ranges);
                self.line(format!("{} = {value};", self.declaration(variable)));
            }
            Statement::DeclareBuffer(id) => {
                if let Some(buffer) = self.module.buffers.get(id.0) {
                    let array = self.array(*id, buffer, Memory::Private, &buffer.length.to_string());
                    self.line(format!("{array};"));
                }
            }
            Statement::DeclareIndex { index, value, length } => {
                let scalar = value.ty().scalar;
                let wide = self.type_of_positions(scalar);
                let value = self.expression(value, ranges);
                let value = match scalar {
                    ScalarType::Parameter(_) => {
                        let position = Helper::Position(scalar);
                        let value = format!("{}({value})", position.name(self.dialect));
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
                self.line(format!("const index_t {} = {value};", self.name_of(index)));
            }
            Statement::DeclareWorker { index, workers, bound } => {
                self.extents.declare_worker(index, *workers, bound.as_ref(), ranges);
                let number = self.dialect.worker(*workers);
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
            Statement::Update { buffer, index, operator, value } => {
                let update =
                    self.with_printer(ranges, |printer| printer.update(*buffer, index, *operator, value));
                self.line(update);
            }
            Statement::CallFunction { results, function, arguments } => {
                self.call_function(results, *function, arguments, ranges);
            }
            Statement::Loop(repetition) => self.repetition(repetition, ranges),
            Statement::If(condition, then, otherwise) => self.choice(condition, then, otherwise, ranges),
            Statement::BreakUnless(condition) => {
                let ends = self.expression(&condition.negated(), ranges);
                self.line(format!("if ({ends}) break;"));
            }
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
        let name = self.module.functions.get(function).map_or("?", |function| function.name.as_ref());
        let arguments = self.with_printer(ranges, |printer| printer.list(arguments));
        let first = results.first().map_or("result", |variable| variable.name.as_ref());
        let (ty, all) = (self.struct_name(name), self.untaken(format!("{first}_all")));
        self.line(format!("{ty} {all} = {name}({arguments});"));
        for (position, variable) in results.iter().enumerate() {
            self.line(format!("{} = {all}._{position};", self.declaration(variable)));
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

    /// The number of these workers. Compilers unroll a loop with a constant step, but they ask the launch for
    /// the size of a group even where the kernel states it.
    fn workers(&self, workers: Workers) -> String {
        match (workers, self.group) {
            (Workers::Local(dimension), Some(group)) => group[usize::from(dimension)].to_string(),
            _ => self.dialect.workers(workers),
        }
    }

    fn repetition(&mut self, repetition: &Loop, ranges: &Ranges) {
        let inside = ranges.in_loop(repetition);
        let index = repetition.index.name();
        let extent = self.nat(&repetition.extent, Strength::Sum, ranges);
        let start = self.dialect.worker(repetition.workers);
        let step = self.workers(repetition.workers);
        if !repetition.origin.is_empty() {
            self.line(format!("/* {} */", repetition.origin));
        }
        match repetition.unrolling {
            Unrolling::AsItLikes => {}
            Unrolling::By(steps) => self.line(self.dialect.unroll(Some(steps))),
            Unrolling::ByCompiler { nvidia: Some(steps), others } if steps == others => {
                self.line(self.dialect.unroll(Some(steps)));
            }
            Unrolling::ByCompiler { nvidia, others } => {
                self.rounds.insert((nvidia, others));
                self.line(round_name(nvidia, others));
            }
            Unrolling::Whole => self.line(self.dialect.unroll(None)),
        }
        // PoCL 3.1 takes some loops whose condition compares (`i < min((max(3 - l, 0) + 255) / 256, 1)`) for
        // uniform loops, in which all work-items have the same number of iterations. Work-items without an
        // iteration then execute the iterations of others.
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
        let barrier = self.dialect.barrier(spaces);
        self.line(format!("{barrier}; /* {reason} */"));
    }
}

/// Defines macros that ask for these unroll factors, of NVIDIA's compiler and of others.
fn round_definitions(dialect: &dyn Dialect, rounds: &FlatSet<(Option<u64>, u64)>) -> String {
    if rounds.is_empty() {
        return String::new();
    }
    let define = |name: String, steps: Option<u64>| match steps {
        Some(steps) => format!("#define {name} {}\n", dialect.unroll_in_macro(steps)),
        None => format!("#define {name}\n"),
    };
    let lines = |steps: fn(&(Option<u64>, u64)) -> Option<u64>| -> String {
        rounds.iter().map(|round| define(round_name(round.0, round.1), steps(round))).collect()
    };
    let (nvidia, others) = (lines(|round| round.0), lines(|round| Some(round.1)));
    let is_nvidia = dialect.macro_of_nvidia();
    format!("/* How far loops are unrolled. */\n#ifdef {is_nvidia}\n{nvidia}#else\n{others}#endif\n")
}

/// The macro that asks for these unroll factors.
fn round_name(nvidia: Option<u64>, others: u64) -> String {
    match nvidia {
        Some(steps) => format!("UNROLL_BY_{steps}_OR_{others}"),
        None => format!("UNROLL_AS_IT_LIKES_OR_BY_{others}"),
    }
}

/// The names that a module gives to what it declares.
fn names_of(module: &Module) -> FlatSet<&str> {
    let blocks = module.functions.iter().map(|function| &function.body);
    let blocks = blocks.chain(module.kernels.iter().map(|kernel| &kernel.body));
    let declared = blocks.flat_map(|block| kernel::nested(block)).flat_map(|statement| {
        let index = statement.declared_index().map(Var::name);
        statement.declared_variables().iter().map(|variable| variable.name.as_ref()).chain(index)
    });
    let of_functions = module.functions.iter().flat_map(|function| {
        function.parameters.iter().map(|parameter| parameter.name.as_ref()).chain([function.name.as_ref()])
    });
    let of_kernels = module.kernels.iter().flat_map(|kernel| {
        let scalars = kernel.parameters.iter().filter_map(|parameter| match parameter {
            KernelParameter::Scalar(_, variable) => Some(variable.name.as_ref()),
            KernelParameter::Size(variable) => Some(variable.name()),
            KernelParameter::Buffer(_) => None,
        });
        scalars.chain([kernel.name.as_ref()])
    });
    let buffers = module.buffers.iter().map(|buffer| buffer.name.as_ref());
    let sizes = module.size_names.values().map(AsRef::as_ref);
    declared.chain(of_functions).chain(of_kernels).chain(buffers).chain(sizes).collect()
}

/// The width of the widest vectors by which buffers are accessed, for buffers that are accessed by vectors.
fn vectors_in_memory(module: &Module) -> FlatMap<BufferId, u8> {
    let mut widths = FlatMap::new();
    let functions = module.functions.iter();
    functions.for_each(|function| {
        collect_vectors(&function.body, &mut widths);
        function.values.iter().for_each(|value| loaded_vectors(value, &mut widths));
    });
    module.kernels.iter().for_each(|kernel| collect_vectors(&kernel.body, &mut widths));
    widths
}

fn collect_vectors(body: &[Statement], widths: &mut FlatMap<BufferId, u8>) {
    kernel::any(body, &mut |statement| {
        if let Some(Stored { buffer, value, .. }) = statement.stored() {
            accessed(buffer, value.ty().lanes, widths);
        }
        statement.expressions().iter().for_each(|expression| loaded_vectors(expression, widths));
        false
    });
}

fn loaded_vectors(expression: &Expression, widths: &mut FlatMap<BufferId, u8>) {
    expression.each_part(&mut |part| {
        if let Expression::Load(buffer, _, ty) = part {
            accessed(*buffer, ty.lanes, widths);
        }
    });
}

fn accessed(buffer: BufferId, lanes: u8, widths: &mut FlatMap<BufferId, u8>) {
    if lanes > 1 {
        let widest = widths.get_or_default(buffer);
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
