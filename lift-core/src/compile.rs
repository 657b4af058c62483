//! The stages after type inference, in order: a typed program in, kernel text and launch facts out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::boundary::{components, take_apart};
use crate::check::check;
use crate::codegen::{Generation, generate, steps_of_launches};
use crate::compiled::{Alternation, Argument, Compiled, Launch, Repetition, Step, Temporary};
use crate::diagnostic::Diagnostic;
use crate::extent::{Extents, Unbounded};
use crate::kernel::{self, Buffer, BufferId, BufferRole, Kernel, KernelParameter, Module, Statement};
use crate::lower::{lower, repeated, uses_hierarchy};
use crate::nat::{Atom, Nat, Ranges, Var};
use crate::options::{BetweenKernels, Host, Options};
use crate::print::{Interface, Problem, print_opencl, print_rust};
use crate::representable::{long_arrays, unlaunchable};
use crate::source::Source;
use crate::typed::{Backend, Expr, ExprKind, Layout, Parameter, ParameterType, Program, Rows, SizeVariable};
use crate::types::Type;

/// Compiles a typed program.
///
/// # Errors
/// What the thread hierarchy, the memories or OpenCL C cannot do, in the user's words.
pub fn compile(program: &Program) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(program, &Options::default())
}

/// Compiles a typed program with parts of code generation switched off.
///
/// # Errors
/// As [`compile`].
pub fn compile_with(program: &Program, options: &Options) -> Result<Compiled, Vec<Diagnostic>> {
    let interface = program;
    let program = &take_apart(interface);
    let long = long_arrays(program);
    if !long.is_empty() {
        return Err(long);
    }
    let mut lowered = lower(program);
    let violations = check(&lowered);
    if !violations.is_empty() {
        return Err(violations);
    }
    let counted = steps_of_launches(&lowered.body);
    lowered.sizes.extend(counted.iter().map(step_as_size));
    let lowered = &lowered;
    let host = if program.backend == Some(Backend::OpenCl) { Host::Omitted } else { options.host };
    let between_kernels = match uses_hierarchy(&program.body) {
        // Who says who computes what, says how much memory it takes.
        true => BetweenKernels::Whole,
        false => options.between_kernels,
    };
    let options = &Options { host, between_kernels, ..*options };
    let Generation { module, host } =
        generate(lowered, counted, options).map_err(|diagnostic| vec![diagnostic])?;
    let ranges = lowered.ranges();
    let unprintable = |problems: Vec<Problem>| {
        let mut diagnostics: Vec<Diagnostic> =
            problems.into_iter().map(|problem| unprintable(problem, program)).collect();
        diagnostics.dedup();
        diagnostics
    };
    let mut extents = Extents::new(program);
    module.buffers.iter().for_each(|buffer| extents.add_array(&buffer.length));
    let source =
        print_opencl(&module, program.type_parameters.len(), &ranges, &mut extents).map_err(unprintable)?;
    let interface_of_kernels = Interface { type_parameters: &program.type_parameters, ranges: &ranges };
    let mut kernels: Vec<Launch> = module.kernels.iter().map(|kernel| launch(kernel, &module)).collect();
    let host = match host {
        None => None,
        Some((module, on_host)) => {
            for (launch, kernel) in kernels.iter_mut().zip(&on_host) {
                launch.host_arguments = arguments(&kernel.parameters, &module);
            }
            Some(print_rust(&module, &on_host, &interface_of_kernels, &mut extents).map_err(unprintable)?)
        }
    };
    let compiled = Compiled {
        name: program.name.clone(),
        source,
        host,
        backend: program.backend,
        type_parameters: program.type_parameters.len(),
        open_ranks: program.open_ranks.clone(),
        sizes: program.sizes.clone(),
        interface: interface
            .parameters
            .iter()
            .map(|parameter| packed_parameter(parameter, program))
            .collect(),
        parameters: program.parameters.iter().map(|parameter| packed_parameter(parameter, program)).collect(),
        result: packed(&program.body.ty, program),
        results: components(&packed(&program.body.ty, program)),
        obligations: program.obligations.clone(),
        temporaries: temporaries(&module),
        extents: extents.finish(&program.ranges()).map_err(|Unbounded(variable)| {
            let problem = format!("nothing says how large `{}` becomes in a kernel", variable.name());
            vec![Diagnostic::internal(program.body.source, &problem)]
        })?,
        kernels,
        steps: steps(0..module.kernels.len(), &module.repetitions, &module),
        repeated: repeated(lowered),
    };
    match unlaunchable(&compiled, program) {
        Some(diagnostic) => Err(vec![diagnostic]),
        None => Ok(compiled),
    }
}

/// What the user is told about code that cannot be printed.
fn unprintable(problem: Problem, program: &Program) -> Diagnostic {
    match problem {
        Problem::Inconsistency(problem) => Diagnostic::internal(program.body.source, &problem),
        Problem::OpenSum { index, body } => {
            let unknown =
                format!("no formula is known for the sum of `{body}` over every `{}`", index.name());
            let (source, message) = match rows_of(&program.body, &body) {
                Some(source) => (source, format!("rows start at sums of their lengths, and {unknown}")),
                None => (program.body.source, format!("an index is computed from a sum, and {unknown}")),
            };
            Diagnostic::new(source, message).with_help(
                "there are formulas for sums of polynomials up to the third power, of their quotients by a number, of powers of a number, \
                 of choices by the position, and for up to 8 rows of any lengths",
            )
        }
    }
}

/// Where rows are made or joined whose lengths have this term.
fn rows_of(expr: &Expr, length: &Nat) -> Option<Source> {
    let inside = expr.children().into_iter().find_map(|child| rows_of(child, length));
    inside.or_else(|| {
        let rows = match &expr.kind {
            ExprKind::Layout(Layout::Partition(rows), _) => rows.clone(),
            ExprKind::Layout(Layout::Join, input) => Rows::of(input.ty.as_array()?)?,
            _ => Rows::of(expr.ty.as_array()?)?,
        };
        let place = rows.index.as_ref().map_or(Nat::zero(), Nat::variable);
        // The index of a sum has a name of its own.
        let start = rows.start(&place);
        let mentions = |atom: &Atom| matches!(atom, Atom::Sum { body, .. } if body == length);
        let mut factors = start.terms().iter().flat_map(|term| &term.factors);
        factors.any(|(atom, _)| mentions(atom)).then_some(expr.source)
    })
}

/// Kernels know a number of applications as they know a size.
pub(crate) fn step_as_size(step: &Var) -> SizeVariable {
    SizeVariable { variable: step.clone(), name: "application".to_owned(), minimum: 0 }
}

/// A parameter as data: a position-dependent array is one array of all its elements.
fn packed_parameter(parameter: &Parameter, program: &Program) -> Parameter {
    let ty = match &parameter.ty {
        ParameterType::Value(ty) => ParameterType::Value(packed(ty, program)),
        ParameterType::Size(size) => ParameterType::Size(size.clone()),
    };
    Parameter { ty, ..parameter.clone() }
}

/// A type as data. A launch finds the sizes by it, before it checks what is known of them.
fn packed(ty: &Type, program: &Program) -> Type {
    if !ty.is_position_dependent() {
        return ty.clone();
    }
    let mut sizes = Ranges::default();
    program.sizes.iter().for_each(|size| sizes.declare(&size.variable, Nat::zero(), None));
    packed_with(ty, &sizes)
}

fn packed_with(ty: &Type, sizes: &Ranges) -> Type {
    match ty {
        Type::Tuple(components) => {
            Type::Tuple(components.iter().map(|component| packed_with(component, sizes)).collect())
        }
        Type::Array(_) if ty.is_position_dependent() => {
            let width = match ty.innermost() {
                Type::Vector(_, width) => Nat::constant(i128::from(*width)),
                Type::Scalar(_) | Type::Size | Type::Tuple(_) | Type::Array(_) => Nat::one(),
            };
            Type::array(ty.innermost().clone(), sizes.simplify(&ty.element_count().divide(&width)))
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => ty.clone(),
    }
}

fn temporaries(module: &Module) -> Vec<Temporary> {
    // Several buffers may be one temporary; they agree on what it is.
    let temporary = |buffer: &Buffer| {
        let position = buffer.role.temporary()?;
        Some((position, Temporary { element: buffer.element, length: buffer.length.clone() }))
    };
    let by_position: BTreeMap<usize, Temporary> = module.buffers.iter().filter_map(temporary).collect();
    by_position.into_values().collect()
}

fn launch(kernel: &Kernel, module: &Module) -> Launch {
    Launch {
        entry: kernel.name.clone(),
        arguments: arguments(&kernel.parameters, module),
        host_arguments: Vec::new(),
        global: kernel.global.clone(),
        local: kernel.local,
        launches: kernel.launches,
        local_memory: local_memory(kernel, module),
    }
}

fn arguments(parameters: &[KernelParameter], module: &Module) -> Vec<Argument> {
    parameters.iter().filter_map(|parameter| parameter.argument(module)).collect()
}

/// The launches of these kernels; `repetitions` are those that may lie there, inner ones first.
fn steps(kernels: Range<usize>, repetitions: &[kernel::Repetition], module: &Module) -> Vec<Step> {
    let mut found = Vec::new();
    let mut next = kernels.start;
    while next < kernels.end {
        let is_here = |repetition: &kernel::Repetition| {
            let inside = &repetition.kernels;
            inside.start == next && !inside.is_empty() && inside.end <= kernels.end
        };
        let Some(position) = repetitions.iter().rposition(is_here) else {
            found.push(Step::Launch(next));
            next += 1;
            continue;
        };
        let (inner, outer) = repetitions.split_at(position);
        let Some(repetition) = outer.first() else { break };
        let arrays = repetition.arrays.iter().filter_map(|array| alternation(array, module)).collect();
        let body = steps(repetition.kernels.clone(), inner, module);
        let (count, step) = (repetition.count.clone(), repetition.step.clone());
        let portion = repetition.portion.clone();
        found.push(Step::Repeat(Repetition { count, step, portion, arrays, body }));
        next = repetition.kernels.end;
    }
    found
}

fn alternation(array: &kernel::Alternation, module: &Module) -> Option<Alternation> {
    Some(Alternation {
        input: array.input.argument(module)?,
        before: array.before.argument(module)?,
        after: array.after.argument(module)?,
        output: array.output.argument(module)?,
    })
}

/// The bytes of local memory that a kernel declares; an open element type counts as the largest one.
fn local_memory(kernel: &Kernel, module: &Module) -> Nat {
    let used: BTreeSet<BufferId> =
        kernel::nested(&kernel.body).filter_map(Statement::stored_buffer).collect();
    let used = used.into_iter().filter_map(|id| module.buffers.get(id.0));
    let local = used.filter(|buffer| buffer.role == BufferRole::Local);
    local.fold(Nat::zero(), |bytes, buffer| bytes + &buffer.length * &Nat::constant(buffer.element.bytes()))
}
