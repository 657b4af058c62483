//! Decides what the applications of an `iterate` become: code for each of them, a loop in a kernel, or
//! kernels that are launched repeatedly.

use crate::ir::types::Type;

use super::error::{Error, Problem};
use super::generator::{Generated, Generator};
use crate::flat::FlatSet;
use crate::ir::nat::{Atom, Nat, Substitution, Var};
use crate::ir::source::Source;
use crate::ir::typed::binders::mentions_size;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, Variable};
use crate::middle::lower::{Boundaries, FEW_APPLICATIONS, is_producer, uses_device};
use crate::middle::memory::space_of;

/// At most this many applications have code of their own where the function changes the length of the array.
const MOST_APPLICATIONS: i128 = 64;

/// At most this many statements are written out for such applications if a loop would do as well.
const MOST_STATEMENTS: i128 = 512;

/// The estimated number of statements for an array that is not in registers: its loops.
const STATEMENTS_OF_LOOPS: i128 = 32;

/// Arrays of at most this many elements count as arrays in registers.
const MOST_REGISTERS: i128 = 128;

/// An `iterate`.
#[derive(Clone, Copy)]
pub(super) struct Iterate<'e> {
    pub(super) count: &'e Nat,
    pub(super) function: &'e Lambda,
    pub(super) input: &'e Expr,
}

/// The form of the code for all applications.
pub(super) enum Form {
    /// Code for each application; this is their number.
    WrittenOut(i128),
    /// A loop in a kernel.
    Loop,
    /// Kernels that are launched repeatedly.
    Launches,
}

impl Iterate<'_> {
    /// The parameter of the function, and its type.
    pub(super) fn parameter(&self, source: Source) -> Generated<(&Variable, &Type)> {
        match self.function.parameters.as_slice() {
            [(variable, ty)] => Ok((variable, ty)),
            _ => Err(Error::internal(source, "an iterated function takes one argument")),
        }
    }

    /// Whether the arrays that applications take and make all have the same type.
    pub(super) fn keeps_type(&self, generator: &Generator<'_>) -> bool {
        let [(_, parameter)] = self.function.parameters.as_slice() else { return false };
        let result = &self.function.body.ty;
        let moves = self.function.index.as_ref().is_some_and(|index| parameter.variables().contains(index));
        let same = match (parameter.as_array(), result.as_array()) {
            (Some(before), Some(after)) => {
                before.index.is_none()
                    && after.index.is_none()
                    && before.element == after.element
                    && generator.ranges.is_equal(&before.length, &after.length) == Some(true)
            }
            _ => parameter == result,
        };
        same && !moves
    }

    /// Whether the length of the array before an application is a formula in the number of the application,
    /// and not chosen from a list.
    fn has_formula(&self) -> bool {
        let [(_, parameter)] = self.function.parameters.as_slice() else { return false };
        let (Some(array), Some(counter)) = (parameter.as_array(), &self.function.index) else { return true };
        !chooses_by(&array.length, counter)
    }
}

/// The variables that number applications and that a launcher may have to count: the whole device applies the
/// function, which mentions the number, or whose parameter's type depends on it.
pub(super) fn application_counters(expr: &Expr) -> FlatSet<Var> {
    let mut counters: FlatSet<Var> = expr.children().flat_map(|child| application_counters(child)).collect();
    if let ExprKind::Iterate(_, function, _) = &expr.kind
        && let Some(counter) = &function.index
        && (function.parameters.iter().any(|(_, ty)| ty.variables().contains(counter))
            || mentions_size(&function.body, counter))
        && uses_device(&function.body)
    {
        counters.insert(counter.clone());
    }
    counters
}

/// Whether a size contains a choice that depends on a variable.
fn chooses_by(size: &Nat, variable: &Var) -> bool {
    size.terms().iter().flat_map(|term| &term.factors).any(|(atom, _)| match atom {
        Atom::Select(condition, ..) => condition.variables().contains(variable),
        Atom::Var(_)
        | Atom::Divide(..)
        | Atom::Modulo(..)
        | Atom::Minimum(..)
        | Atom::Maximum(..)
        | Atom::Power(..)
        | Atom::Log2(_)
        | Atom::Sum { .. } => false,
    })
}

impl Generator<'_> {
    /// The form of the applications at this point of the program.
    pub(super) fn form(&self, iterate: &Iterate<'_>, source: Source) -> Generated<Form> {
        let count = self.ranges.simplify(iterate.count);
        let body = &iterate.function.body;
        let in_kernel = !self.around.is_empty() || self.open_blocks > 0;
        if iterate.function.may_end() {
            // Only the launcher knows when to end.
            return match in_kernel {
                true => Err(Error::new(source, Problem::EndInKernel)),
                false => Ok(Form::Launches),
            };
        }
        let one_by_one =
            !iterate.keeps_type(self) && (in_kernel || !uses_device(body) || !iterate.has_formula());
        // Inside a kernel, applications of the whole device can only be written out; so can those whose
        // lengths have no formula.
        let has_other_form = iterate.has_formula() && (!in_kernel || !uses_device(body));
        let is_few = |count: &i128| match one_by_one {
            true if *count > FEW_APPLICATIONS && has_other_form => {
                *count <= MOST_APPLICATIONS && self.is_short_written_out(iterate, *count)
            }
            true => *count <= MOST_APPLICATIONS,
            // Where an application ends kernels, code for several applications would repeat those kernels,
            // and nothing fuses across them.
            false if Boundaries::of(self.program).ends_kernels(body) => *count <= 1,
            false => *count <= FEW_APPLICATIONS,
        };
        if let Some(few) = count.as_constant().filter(is_few) {
            return Ok(Form::WrittenOut(few));
        }
        if !uses_device(body) {
            return Ok(Form::Loop);
        }
        if in_kernel {
            return Err(Error::new(source, Problem::IterateInKernel));
        }
        Ok(Form::Launches)
    }

    /// Whether code for each of `count` applications is short. An array in registers takes a statement for
    /// each element, another array takes loops, and a view takes no statements.
    fn is_short_written_out(&self, iterate: &Iterate<'_>, count: i128) -> bool {
        let Lambda { body, index, .. } = iterate.function;
        if !is_producer(body) {
            return true;
        }
        let elements = body.ty.element_count();
        let is_private = space_of(body) == AddressSpace::Private;
        let statements = (0..count).map(|application| {
            let elements = match index {
                Some(counter) => {
                    elements.substitute(&Substitution::from([(counter.clone(), Nat::constant(application))]))
                }
                None => elements.clone(),
            };
            let elements = self.ranges.simplify(&elements).as_constant();
            elements
                .filter(|elements| is_private && *elements <= MOST_REGISTERS)
                .unwrap_or(STATEMENTS_OF_LOOPS)
        });
        statements.fold(0, i128::saturating_add) <= MOST_STATEMENTS
    }
}
