//! What the whole device must have computed before anything that needs it can start.
//!
//! A reduction of a whole array whose value other work-items need (`a >> map(|x| x / reduce(add, 0, a))`) is computed once, by kernels
//! of its own, and lies in global memory for what comes after. Computed where it is read, every work-item would repeat
//! it. A reduction moves out of all functions whose parameters and positions it does not mention; what is short and of a known
//! length stays where it is.

use std::collections::BTreeSet;

use super::build::Builder;
use super::reduction::divide;
use super::{takes_a_loop, uses_hierarchy};
use crate::nat::{Nat, Substitution, Var};
use crate::typed::{AddressSpace, Expr, ExprKind, Lambda, Program, ReduceKind, Variable};

/// A reduction of this many elements is repeated rather than given a kernel of its own.
const QUICKLY_REPEATED: i128 = 64;

/// Gives reductions of whole arrays stages of their own; see the module documentation.
pub(super) fn separate_stages(program: &Program) -> (Expr, u32) {
    let mut stages = Stages {
        program,
        taken_at_its_word: uses_hierarchy(&program.body),
        build: Builder { next_id: program.next_id },
    };
    let body = stages.whole(&program.body);
    (body, stages.build.next_id)
}

struct Stages<'p> {
    program: &'p Program,
    taken_at_its_word: bool,
    build: Builder,
}

/// A value that has a stage of its own: a variable for it, as an array of one element, and how to compute it.
type Lifted = Vec<(Variable, Expr)>;

/// What is bound inside the functions around an expression.
#[derive(Default, Clone)]
struct Inside {
    variables: BTreeSet<u32>,
    positions: Vec<Var>,
}

impl Stages<'_> {
    /// An expression that stands inside no function.
    fn whole(&mut self, expr: &Expr) -> Expr {
        let mut lifted = Lifted::new();
        let staged = match &expr.kind {
            ExprKind::Let { variable, value, body } => {
                let value = self.lift(value, &Inside::default(), &mut lifted);
                let body = self.whole(body);
                self.build.bind(variable.clone(), value, body)
            }
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.whole(part)).collect();
                Expr { kind: ExprKind::Tuple(parts), ..expr.clone() }
            }
            ExprKind::Reduce(..) => {
                let inner = self.lift_inside(expr, &Inside::default(), &mut lifted);
                match divide(&inner, &self.program.functions, &mut self.build) {
                    Some(total) => self.build.at(&total, Nat::zero()),
                    None => inner,
                }
            }
            _ => self.lift(expr, &Inside::default(), &mut lifted),
        };
        lifted
            .into_iter()
            .rev()
            .fold(staged, |body, (variable, value)| self.build.bind(variable, value, body))
    }

    /// Whether a value takes long to compute.
    fn is_long(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Reduce(kind, function, _, input) => {
                let length = input.ty.as_array().and_then(|array| array.length.as_constant());
                let is_quick = length.is_some_and(|length| length <= QUICKLY_REPEATED)
                    && !takes_a_loop(&function.body)
                    && !takes_a_loop(input);
                !is_quick && (*kind == ReduceKind::Unspecified || !self.taken_at_its_word)
            }
            _ => expr.children().into_iter().any(|child| self.is_long(child)),
        }
    }

    /// An expression in which the long reductions that depend on nothing inside the functions around it are read from
    /// where their stages left them.
    fn lift(&mut self, expr: &Expr, inside: &Inside, lifted: &mut Lifted) -> Expr {
        let is_reduction = matches!(expr.kind, ExprKind::Reduce(..));
        if is_reduction && expr.ty.is_element() && self.is_long(expr) && is_closed(expr, inside) {
            let complete = self.complete(expr, lifted);
            let variable = self.build.variable("reduced");
            let array = self.build.read(&variable, &complete.ty, expr.source);
            lifted.push((variable, complete));
            return self.build.at(&array, Nat::zero());
        }
        self.lift_inside(expr, inside, lifted)
    }

    /// The same for the parts of an expression.
    fn lift_inside(&mut self, expr: &Expr, inside: &Inside, lifted: &mut Lifted) -> Expr {
        let inner = bound_by(expr, inside);
        expr.with_children(&mut |child| self.lift(child, &inner, lifted))
    }

    /// The array of one element that kernels of their own leave for others to read.
    fn complete(&mut self, reduction: &Expr, lifted: &mut Lifted) -> Expr {
        let inner = self.lift_inside(reduction, &Inside::default(), lifted);
        match divide(&inner, &self.program.functions, &mut self.build) {
            Some(total) => total,
            None => {
                let value = self.build.array_of_one(inner);
                self.build.stored(AddressSpace::Global, value)
            }
        }
    }
}

/// What is bound inside an expression for the expressions in it.
fn bound_by(expr: &Expr, inside: &Inside) -> Inside {
    let mut inner = inside.clone();
    let function: Option<&Lambda> = match &expr.kind {
        ExprKind::Map(_, function, _)
        | ExprKind::Reduce(_, function, _, _)
        | ExprKind::Generate(_, function)
        | ExprKind::Scan(_, function, _, _)
        | ExprKind::Iterate(_, function, _)
        | ExprKind::Lanewise(function, _) => Some(function),
        ExprKind::Let { variable, .. } => {
            inner.variables.insert(variable.id);
            None
        }
        _ => None,
    };
    if let Some(function) = function {
        inner.variables.extend(function.parameters.iter().map(|(variable, _)| variable.id));
        inner.positions.extend(function.index.clone());
    }
    inner
}

/// Whether an expression mentions nothing that is bound inside the functions around it.
fn is_closed(expr: &Expr, inside: &Inside) -> bool {
    let positions: Substitution =
        inside.positions.iter().map(|position| (position.clone(), Nat::constant(-1))).collect();
    !reads(expr, &inside.variables) && (positions.is_empty() || expr.substitute(&positions) == *expr)
}

fn reads(expr: &Expr, variables: &BTreeSet<u32>) -> bool {
    match &expr.kind {
        ExprKind::Variable(read) => variables.contains(&read.id),
        _ => expr.children().into_iter().any(|child| reads(child, variables)),
    }
}
