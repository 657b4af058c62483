//! From a lowered program to kernels, by symbolic evaluation.
//!
//! Evaluating an expression gives a [`Value`]: a scalar expression, a tuple, or an array as a [`View`] that
//! need not exist in memory. Statements appear only where something happens: a producing map writes its elements into a
//! destination (`write`), a reduction runs a loop, a `let` keeps a scalar. Layouts never cause code.
//!
//! - `value`: what an expression means;
//! - `vector`: vectors from scalars and scalars from vectors;
//! - `access`: how an element of a view is found;
//! - `array`, `repeat`: arrays made from parts, single elements, unrolled code and scans;
//! - `reduce`, `iterate`: steps that depend on the ones before, in a loop or by launching kernels again, and `halves`, where they keep
//!   arrays;
//! - `write`: how the elements of a result reach their destination;
//! - `storage`: buffers for values that must be stored;
//! - `launch`: launch sizes, and how many steps of a parallel loop one work-item executes;
//! - `guard`: one writer for what lies outside the parallel loops of a dimension.
//!
//! Every address passes through the algebra of sizes with the ranges of the loops around it (CGO 2017, section 5.3:
//! array accesses are simplified because layouts compose into divisions and remainders that are mostly redundant).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::barrier;
use crate::diagnostic::Diagnostic;
use crate::host::{HostKernel, plan};
use crate::kernel::{
    Buffer, BufferId, BufferRole, Expression, Kernel, Launches, Loop, Module, Repetition, Statement, Trip,
    Unrolling, ValueType, Variable, Workers, ranges_of_kernel,
};
use crate::memory::Gap;
use crate::nat::{Nat, Ranges, Var};
use crate::options::{Borders, ControlFlow, Host, Indices, Options};
use crate::refine::{
    Resources, assign_in_branches, coalesce_copies, divide_private_arrays, join_branches, keep_in_registers,
    leave_gaps, load_behind_barriers, load_early, name_common_indices, reuse_local_memory,
    share_in_local_memory, share_temporaries, straighten, treat_interior_apart, unroll_innermost,
};
use crate::scalar::ScalarType;
use crate::source::Source;
use crate::typed::{Launch, ParameterType, Pinning, Program, SizeVariable};
use crate::types::Type;
use crate::view::{Environment, Storage, Value, View};

mod access;
mod array;
mod functions;
mod guard;
mod halves;
mod index_arithmetic;
mod iterate;
mod launch;
mod names;
mod parameters;
mod reduce;
mod repeat;
mod rows;
mod scalars;
mod sliding;
mod storage;
mod value;
mod vector;
mod work;
mod write;

pub(crate) use iterate::steps_of_launches;
pub(crate) use names::Names;

/// The outcome of a step of code generation; a failure is a message for the user.
type Generated<T> = Result<T, Diagnostic>;

/// Generates the kernels of a lowered, checked program, among whose sizes are the numbers of applications, `steps`, that a launcher counts.
///
/// # Errors
/// What the thread hierarchy or the memories cannot do, in the user's words.
pub fn generate(
    program: &Program,
    steps: BTreeSet<Var>,
    options: &Options,
) -> Result<Generation, Diagnostic> {
    let mut generator = Generator::new(program, steps, options);
    let environment = generator.bind_parameters()?;
    let functions = functions::generate_functions(&mut generator, program)?;
    let destination = generator.destination(&program.body.ty, program.body.source)?;
    generator.write(&program.body, &environment, &destination)?;
    generator.finish_kernel(program.body.source)?;
    let bodies = std::mem::take(&mut generator.bodies);
    let several = bodies.len() > 1;
    launch::check_count(program, bodies.len())?;
    let scalars = scalars::Scalars::of(&bodies, &generator.buffers);
    let bodies: Vec<Vec<Statement>> = bodies.into_iter().map(|body| scalars.declare_in(body)).collect();
    let host = match options.host {
        Host::Printed => Some(generator.host_kernels(&bodies)?),
        Host::Omitted => None,
    };
    let mut whole_buffers = generator.buffers.clone();
    let mut kernels = Vec::new();
    let names_of_bodies = std::mem::take(&mut generator.names_of_bodies);
    for (position, (body, names)) in bodies.into_iter().zip(names_of_bodies).enumerate() {
        generator.names = names;
        let wanted =
            if several { format!("{}_{}", program.name, position + 1) } else { program.name.clone() };
        let outside = generator.ranges.clone();
        generator.ranges = ranges_of_kernel(position, &generator.repetitions, &outside);
        kernels.push(generator.kernel(&wanted, body, program.launch(position))?);
        generator.ranges = outside;
    }
    share_temporaries(&kernels, &generator.repetitions, &mut generator.buffers, &program.ranges());
    // The launcher allocates temporaries once for both.
    for (whole, shared) in whole_buffers.iter_mut().zip(&generator.buffers) {
        if shared.role.temporary().is_some() {
            whole.clone_from(shared);
        }
    }
    let module = Module {
        functions,
        kernels,
        repetitions: generator.repetitions,
        buffers: generator.buffers,
        size_names: generator.size_names,
    };
    let host = host
        .map(|kernels| (Module { kernels: Vec::new(), buffers: whole_buffers, ..module.clone() }, kernels));
    Ok(Generation { module, host })
}

/// What is generated for a program.
pub struct Generation {
    /// The kernels, divided among work-items.
    pub module: Module,
    /// The kernels for the host, if they are wanted, and a module with their functions and buffers.
    pub host: Option<(Module, Vec<HostKernel>)>,
}

/// A loop around the statement being generated.
#[derive(Debug, Clone)]
struct Around {
    workers: Workers,
    index: Var,
    extent: Nat,
}

/// An element that was computed before.
struct SharedElement {
    array: u32,
    index: Nat,
    value: Value,
}

struct Generator<'p> {
    program: &'p Program,
    options: Options,
    ranges: Ranges,
    names: Names,
    next_variable: u32,
    /// The program's scalar parameters, with their positions.
    scalars: Vec<(usize, Variable)>,
    buffers: Vec<Buffer>,
    /// Where the values were written that private buffers hold.
    made_at: BTreeMap<BufferId, Source>,
    /// The private buffers that the steps of a loop make anew.
    accumulators: BTreeSet<BufferId>,
    /// The room between the rows of buffers.
    gaps: BTreeMap<BufferId, Vec<Gap>>,
    size_names: BTreeMap<Var, String>,
    /// The statements of the innermost open block.
    block: Vec<Statement>,
    /// The user's name for the array that is stored next.
    array_name: Option<Rc<str>>,
    /// The elements of shared arrays whose variables are in scope.
    shared: Vec<SharedElement>,
    /// How many blocks are open around it.
    open_blocks: usize,
    /// The loops around it, outermost first.
    around: Vec<Around>,
    /// The loops whose steps load early.
    pipelined: BTreeSet<Var>,
    /// Bodies of the kernels that are complete.
    bodies: Vec<Vec<Statement>>,
    /// The names that mean something in each of them.
    names_of_bodies: Vec<Names>,
    /// The variables of the program that a launcher counts: [`Repetition::step`].
    steps: BTreeSet<Var>,
    /// How often the kernels are launched that are being generated: the numbers of the repetitions around, outermost first.
    launches: Vec<Nat>,
    /// Which of them are launched repeatedly; a repetition comes after those inside it.
    repetitions: Vec<Repetition>,
}

impl<'p> Generator<'p> {
    fn new(program: &'p Program, steps: BTreeSet<Var>, options: &Options) -> Generator<'p> {
        let mut names = Names::default();
        let name_of = |size: &SizeVariable, names: &mut Names| names.fresh(&size_name(&size.name));
        let size_names =
            program.sizes.iter().map(|size| (size.variable.clone(), name_of(size, &mut names))).collect();
        Generator {
            program,
            options: *options,
            ranges: program.ranges().with_indices(options.indices),
            names,
            next_variable: program.next_id,
            scalars: Vec::new(),
            buffers: Vec::new(),
            made_at: BTreeMap::new(),
            accumulators: BTreeSet::new(),
            gaps: BTreeMap::new(),
            size_names,
            block: Vec::new(),
            array_name: None,
            shared: Vec::new(),
            open_blocks: 0,
            around: Vec::new(),
            pipelined: BTreeSet::new(),
            bodies: Vec::new(),
            names_of_bodies: Vec::new(),
            steps,
            launches: Vec::new(),
            repetitions: Vec::new(),
        }
    }

    /// Buffers and variables for the program's parameters, and what their names mean.
    fn bind_parameters(&mut self) -> Generated<Environment> {
        let mut environment = Environment::default();
        for (position, parameter) in self.program.parameters.iter().enumerate() {
            let ParameterType::Value(ty) = &parameter.ty else { continue };
            let name = &parameter.variable.name;
            let value = match ty {
                Type::Scalar(_) | Type::Vector(..) => {
                    let Some(ty) = storage::value_type(ty) else {
                        return Err(unsupported_boundary(ty, parameter.source));
                    };
                    let variable = Variable { name: self.names.fresh(name), ty };
                    self.scalars.push((position, variable.clone()));
                    Value::Scalar(Expression::Variable(variable))
                }
                Type::Array(array) => {
                    let (Type::Scalar(element) | Type::Vector(element, _)) = *ty.innermost() else {
                        return Err(unsupported_boundary(ty, parameter.source));
                    };
                    let length = self.ranges.simplify(&ty.element_count());
                    let buffer = self.buffer(name, element, length, BufferRole::Parameter(position));
                    Value::Array(View::Memory(Storage::Buffer(buffer, Nat::zero()), array.clone()))
                }
                Type::Size | Type::Tuple(_) => {
                    return Err(unsupported_boundary(ty, parameter.source));
                }
            };
            environment = environment.with(&parameter.variable, value);
        }
        Ok(environment)
    }

    /// Where the program's result is written.
    fn destination(&mut self, ty: &Type, source: Source) -> Generated<Value> {
        let storage = self.result_storage(ty, "result", &mut 0, source)?;
        Ok(storage::value_in(&storage, ty))
    }

    /// One buffer per component of the result; `count` are made already.
    fn result_storage(
        &mut self,
        ty: &Type,
        name: &str,
        count: &mut usize,
        source: Source,
    ) -> Generated<Storage> {
        match ty.innermost() {
            Type::Tuple(components) => {
                let parts = (0..components.len())
                    .map(|position| {
                        let name = format!("{name}_{position}");
                        self.result_storage(&ty.component(position), &name, count, source)
                    })
                    .collect::<Generated<_>>()?;
                Ok(Storage::Tuple(parts))
            }
            Type::Scalar(element) | Type::Vector(element, _) => {
                let length = self.ranges.simplify(&ty.element_count());
                let buffer = self.buffer(name, *element, length, BufferRole::Result(*count));
                *count += 1;
                Ok(Storage::Buffer(buffer, Nat::zero()))
            }
            Type::Size | Type::Array(_) => Err(unsupported_boundary(ty, source)),
        }
    }

    /// Whether the kernel at hand relies on the sizes of its launch.
    fn pinning(&self) -> Pinning {
        self.program.launch(self.bodies.len()).map(|launch| launch.pinning).unwrap_or_default()
    }

    fn buffer(&mut self, wanted: &str, element: ScalarType, length: Nat, role: BufferRole) -> BufferId {
        let name = self.names.fresh(wanted);
        self.buffers.push(Buffer { name, element, length, role });
        BufferId(self.buffers.len() - 1)
    }

    fn fresh_variable(&mut self, wanted: &str, ty: ValueType) -> Variable {
        Variable { name: self.names.fresh(wanted), ty }
    }

    /// Declares a variable that holds a value.
    fn declare(&mut self, wanted: &str, value: Expression) -> Variable {
        let variable = self.fresh_variable(wanted, value.ty());
        self.block.push(Statement::Declare(variable.clone(), Some(value)));
        variable
    }

    /// Collects the statements that `generate` emits into a block of their own.
    fn in_block<T>(
        &mut self,
        generate: impl FnOnce(&mut Self) -> Generated<T>,
    ) -> Generated<(Vec<Statement>, T)> {
        let outer = std::mem::take(&mut self.block);
        let shared_outside = self.shared.len();
        self.open_blocks += 1;
        let result = generate(self);
        self.open_blocks -= 1;
        // The variables of the block end with it.
        self.shared.truncate(shared_outside);
        let inner = std::mem::replace(&mut self.block, outer);
        Ok((inner, result?))
    }

    /// Emits a loop over `0..extent`; `generate` emits its body for the given step. A sequential loop of one step is
    /// no loop.
    fn in_loop(
        &mut self,
        workers: Workers,
        extent: &Nat,
        origin: &str,
        generate: impl FnOnce(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        let extent = self.ranges.simplify(extent);
        if extent.as_constant() == Some(0) {
            return Ok(());
        }
        if workers == Workers::Sequential && extent.as_constant() == Some(1) {
            return generate(self, Nat::zero());
        }
        let index = self.loop_variable(workers);
        let ranges_outside = self.ranges.clone();
        self.ranges.declare(&index, Nat::zero(), Some(extent.clone()));
        self.around.push(Around { workers, index: index.clone(), extent: extent.clone() });
        let body = self.in_block(|generator| generate(generator, Nat::variable(&index)));
        self.around.pop();
        self.ranges = ranges_outside;
        let (body, ()) = body?;
        let (trip, unrolling, origin) = (Trip::Any, Unrolling::AsItLikes, origin.to_string());
        self.block.push(Statement::Loop(Loop { workers, index, extent, trip, unrolling, origin, body }));
        Ok(())
    }

    /// Emits a sequential loop over the positions of views. Over joined rows it is two loops, one over the rows and one
    /// over the elements of a row: no division is left to find the row.
    fn in_loop_over(
        &mut self,
        views: &[&View],
        extent: &Nat,
        origin: &str,
        mut generate: impl FnMut(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        if let Some(width) = views.iter().find_map(|view| view.components_of_computed()) {
            // Each component of a vector is taken by its name.
            let lanes = Nat::constant(i128::from(width));
            let vectors = extent.divide(&lanes);
            return self.in_loop(Workers::Sequential, &vectors, origin, |generator, vector| {
                let first = vector * &lanes;
                (0..width).try_for_each(|lane| generate(generator, &first + Nat::constant(i128::from(lane))))
            });
        }
        let Some(rows) = views.iter().find_map(|view| view.joined_rows()).cloned() else {
            return self.in_loop(Workers::Sequential, extent, origin, generate);
        };
        self.in_loop(Workers::Sequential, &rows.count, origin, |generator, outer| {
            let (start, length) = (generator.ranges.simplify(&rows.start(&outer)), rows.length_at(&outer));
            let elements = |generator: &mut Self, inner| generate(generator, start + inner);
            generator.in_loop(Workers::Sequential, &length, "", elements)
        })
    }

    /// A fresh loop variable, named as in the papers' kernels.
    fn loop_variable(&mut self, workers: Workers) -> Var {
        let wanted = match workers {
            Workers::Sequential => {
                let depth = self.around.iter().filter(|around| around.workers == Workers::Sequential).count();
                ["i", "j", "k", "l", "m", "n"]
                    .get(depth)
                    .map_or_else(|| format!("i{depth}"), |name| (*name).into())
            }
            Workers::Global(dimension) => format!("g_id{dimension}"),
            Workers::WorkGroup(dimension) => format!("wg_id{dimension}"),
            Workers::Local(dimension) => format!("l_id{dimension}"),
        };
        let name = self.names.fresh(&wanted);
        self.next_variable += 1;
        Var::new(self.next_variable, name)
    }

    /// Ends the kernel being generated: what follows starts after all its work-items are done.
    fn finish_kernel(&mut self, source: Source) -> Generated<()> {
        if self.open_blocks > 0 {
            return Err(Diagnostic::new(
                source,
                "this array is made by the whole device, but whether it is needed is decided on the device",
            )
            .with_help("compute it before the `if`, with a `let`"));
        }
        let body = std::mem::take(&mut self.block);
        self.shared.clear();
        if !body.is_empty() {
            let own = names::names_of_kernel(&body, &self.buffers);
            self.names_of_bodies.push(self.names.clone());
            self.names.release(own.iter().map(String::as_str));
            self.bodies.push(body);
        }
        Ok(())
    }

    /// The kernels as the host executes them.
    fn host_kernels(&mut self, bodies: &[Vec<Statement>]) -> Generated<Vec<HostKernel>> {
        let mut kernels = Vec::new();
        for (position, (body, names)) in bodies.iter().zip(self.names_of_bodies.clone()).enumerate() {
            self.names = names;
            let ranges = ranges_of_kernel(position, &self.repetitions, &self.ranges);
            let parameters = parameters::kernel_parameters(body, self.program, &self.scalars, &self.buffers)?;
            let mut fresh = |wanted: &str| {
                self.next_variable += 1;
                Var::new(self.next_variable, self.names.fresh(wanted))
            };
            let (memories, steps) = plan(body, &self.buffers, &ranges, &mut fresh);
            kernels.push(HostKernel { parameters, memories, steps });
        }
        Ok(kernels)
    }

    /// Completes a kernel: launch sizes, single writers, barriers, registers, parameters.
    fn kernel(
        &mut self,
        wanted: &str,
        mut body: Vec<Statement>,
        stated: Option<&Launch>,
    ) -> Generated<Kernel> {
        let sizes = launch::choose_sizes(&body, &self.ranges, self.program, stated);
        launch::set_trips(&mut body, &sizes, &self.ranges);
        self.check_levels(&body, &sizes)?;
        let body = match sizes.launches {
            Launches::Pinned => divide_private_arrays(body, &mut self.buffers, sizes.local, &self.ranges)
                .map_err(|buffer| self.shared_registers(buffer))?,
            Launches::Any(_) => share_in_local_memory(body, &mut self.buffers, &self.ranges)
                .map_err(|buffer| self.unbounded_shares(buffer))?,
        };
        let body = leave_gaps(body, &self.gaps, &self.ranges);
        let resources = Resources {
            buffers: &mut self.buffers,
            names: &mut self.names,
            next_variable: &mut self.next_variable,
        };
        let (body, pipelined) = load_early(body, &self.pipelined, sizes.local, &self.ranges, resources);
        let body = reuse_local_memory(body, &mut self.buffers, &pipelined.doubled);
        let body = guard::guard_stores(body, &sizes, &self.buffers);
        let dimensions = (0..3).filter(|dimension| sizes.has_several_items(*dimension)).collect();
        let group = barrier::Group { dimensions, ranges: &self.ranges, next_variable: self.next_variable };
        let body = barrier::place_barriers(body, &self.buffers, &group, self.options.barriers)
            .map_err(|message| Diagnostic { source: self.program.body.source, ..message })?;
        let body = load_behind_barriers(body, &pipelined);
        let body = guard::skip_idle_groups(body, &sizes);
        let body = match self.options.control_flow {
            ControlFlow::Simplified => {
                let ranges = self.ranges.clone();
                let mut fresh = || self.loop_variable(Workers::Sequential);
                straighten(body, &sizes.bounds(), &ranges, &mut fresh)
            }
            ControlFlow::Loops => body,
        };
        let body = match self.options.borders {
            Borders::Apart => {
                let resources = Resources {
                    buffers: &mut self.buffers,
                    names: &mut self.names,
                    next_variable: &mut self.next_variable,
                };
                treat_interior_apart(body, &self.ranges, resources)
            }
            Borders::Everywhere => body,
        };
        let body =
            keep_in_registers(body, &self.buffers, &self.ranges, &mut self.names, &mut self.next_variable);
        let mut body = join_branches(coalesce_copies(assign_in_branches(body)));
        let sizes_of_arrays = self.size_names.keys().cloned().collect();
        if self.options.control_flow == ControlFlow::Simplified {
            unroll_innermost(&mut body, &sizes_of_arrays);
        }
        let body = match self.options.indices {
            Indices::Simplified => name_common_indices(
                body,
                &self.buffers,
                &sizes_of_arrays,
                &mut self.names,
                &mut self.next_variable,
            ),
            Indices::AsComposed => body,
        };
        let parameters = parameters::kernel_parameters(&body, self.program, &self.scalars, &self.buffers)?;
        let name = self.names.fresh(wanted);
        let launch::Sizes { global, local, launches, .. } = sizes;
        Ok(Kernel { name, parameters, global, local, launches, body })
    }

    /// Refuses kernels that distribute their work in two ways at once.
    fn check_levels(&self, body: &[Statement], sizes: &launch::Sizes) -> Generated<()> {
        let source = self.program.body.source;
        if launch::mixes_levels(body, &self.ranges, self.program) {
            return Err(Diagnostic::new(
                source,
                "one kernel distributes work over work-groups with `mapWrg`, and elsewhere over the work-items of the \
                 device with `mapGlb`",
            )
            .with_help("use one of them throughout, or `let` the device make one array before the other"));
        }
        if guard::shared_scratch(body, &mut Vec::new(), sizes, &self.buffers).is_some() {
            return Err(Diagnostic::new(
                source,
                "an array that one work-item makes for itself is made outside the map that distributes a dimension: \
                 all work-items of that dimension would make it",
            )
            .with_help("use `mapSeq` instead of the inner `mapGlb`, or make the array short and of a known length"));
        }
        Ok(())
    }

    fn unbounded_shares(&self, buffer: BufferId) -> Diagnostic {
        let source = self.made_at.get(&buffer).copied().unwrap_or(self.program.body.source);
        Diagnostic::new(
            source,
            "with `#[launch(any)]` an array that the work-items of a group compute together lies in local memory, and this one is there \
             once for each step of a `mapLcl` around it, of which the number is not known during compilation",
        )
        .with_help("split the array of the outer `mapLcl` into chunks of a constant length, or leave `any` out: pinned, each \
                    work-item keeps its elements to itself")
    }

    fn shared_registers(&self, buffer: BufferId) -> Diagnostic {
        let source = self.made_at.get(&buffer).copied().unwrap_or(self.program.body.source);
        let help = match self.accumulators.contains(&buffer) {
            true => {
                "let each work-item read its own elements only, or store what the function makes with `toLocal`: what the steps make lies \
                 there then, where every work-item of the group can read it"
            }
            false => {
                "read it by the same work-items, as in `… >> mapLcl0(toGlobal(id))`, or store it with `toLocal`, where every \
                 work-item of the group can read it"
            }
        };
        Diagnostic::new(
            source,
            "the work-items of a group compute this array together, but private memory shows each of them only its own \
             elements, and another one reads them",
        )
        .with_help(help)
    }
}

/// The name in the kernel text of a size that the user knows by this name: `len(a, 1)` is `a_length_1`.
fn size_name(name: &str) -> String {
    let Some(inside) = name.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')) else {
        return name.to_string();
    };
    match inside.split_once(", ") {
        None => format!("{inside}_length"),
        Some((array, dimension)) => format!("{array}_length_{dimension}"),
    }
}

fn unsupported_boundary(ty: &Type, source: Source) -> Diagnostic {
    Diagnostic::new(source, format!("`{ty}` cannot cross the boundary of a kernel yet"))
        .with_help("pass and return scalars, arrays of scalars, and tuples of these")
}
