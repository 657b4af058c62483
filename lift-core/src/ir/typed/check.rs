//! The checker of whole typed programs.
//!
//! Every node has the type that the typing rules ([`result`](super::result)) derive for it from the types of
//! its parts. Every variable is read where it is bound, with the type of what it is bound to; so is every
//! position that a size or a type mentions. What the forms need of sizes follows from the obligations of the
//! program and from the ranges of positions.
//!
//! Inference binds every variable and every position once in a program ([`Binders::Unique`]). Lowering copies
//! functions, and their binders with them: there, a variable may be bound several times, and the innermost
//! binding counts ([`Binders::Repeated`]). Ids of nodes may be shared in both.

use std::collections::{BTreeMap, BTreeSet};

use super::result::{Demand, Judge, Mismatch, Need, Outside, Prover};
use super::{
    Application, Boundary, Expr, ExprKind, IndexFunction, Lambda, Layout, NodeId, ParameterType, Position,
    Program, Requirement, Rows, Variable,
};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::scalar::{ScalarType, TypeParameter};
use crate::ir::source::Source;
use crate::ir::types::Type;

/// How often a program may bind a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binders {
    /// Once.
    Unique,
    /// Again and again.
    Repeated,
}

/// What is wrong with a typed program.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The node.
    pub node: NodeId,
    /// Its source.
    pub source: Source,
    /// What is wrong there.
    pub kind: FaultKind,
}

/// The faults of typed programs.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    /// The form has no type, or another one than the node states.
    Mismatch(Mismatch),
    /// A variable is read where it is not bound.
    Unbound(Variable),
    /// A size or a type mentions a size or a position that is not known there.
    UnknownSize(Var),
    /// A type mentions an element type that the program does not leave open.
    UnknownElement(TypeParameter),
    /// An obligation is not about the sizes of the program alone.
    Obligation(Requirement),
    /// A variable is bound a second time.
    BoundTwice(Variable),
    /// A position is bound a second time.
    PositionBoundTwice(Var),
    /// The body of a `let` is a `let`.
    NestedLet,
    /// A user function calls itself or a later one.
    CalledBeforeDefined(usize),
    /// This does not follow from the obligations of the program.
    Unproved(Need),
}

/// Checks a program.
///
/// # Errors
/// The first fault, innermost expressions first.
pub fn check(program: &Program, binders: Binders) -> Result<(), Fault> {
    let checker = checked_body(program, binders)?;
    checker.obligations()?;
    checker.all_needs_are_obligations()
}

/// What the body of a program needs of sizes beyond its obligations.
///
/// # Errors
/// The first fault, innermost expressions first.
pub fn further_needs(program: &Program, binders: Binders) -> Result<Vec<Requirement>, Fault> {
    let checker = checked_body(program, binders)?;
    Ok(checker.prover.needs().iter().map(|demand| demand.need.requirement.clone()).collect())
}

fn checked_body(program: &Program, binders: Binders) -> Result<Checker<'_>, Fault> {
    let mut checker = Checker {
        program,
        prover: Prover::new(program.ranges(), program.next_id),
        variables: BTreeMap::new(),
        positions: program.sizes.iter().map(|size| (size.variable.clone(), 1)).collect(),
        bound: BTreeSet::new(),
        bound_positions: BTreeSet::new(),
        binders,
        defined: 0,
    };
    for (position, function) in program.functions.iter().enumerate() {
        checker.defined = position;
        checker.with_bound(&function.parameters, &function.body, |checker| checker.expr(&function.body))?;
    }
    checker.defined = program.functions.len();
    let parameters: Vec<(Variable, Type)> = program
        .parameters
        .iter()
        .filter_map(|parameter| match &parameter.ty {
            ParameterType::Value(ty) => Some((parameter.variable.clone(), ty.clone())),
            ParameterType::Size(_) => None,
        })
        .collect();
    checker.with_bound(&parameters, &program.body, |checker| checker.expr(&program.body))?;
    Ok(checker)
}

struct Checker<'p> {
    program: &'p Program,
    prover: Prover,
    /// The types of the variables in scope. A variable that is bound again hides itself.
    variables: BTreeMap<Variable, Type>,
    /// How often each size and position in scope is bound.
    positions: BTreeMap<Var, usize>,
    /// All variables that have been bound so far.
    bound: BTreeSet<Variable>,
    /// All positions that have been bound so far. They are numbered apart from variables.
    bound_positions: BTreeSet<Var>,
    binders: Binders,
    /// The number of user functions that may be called.
    defined: usize,
}

impl Checker<'_> {
    /// Checks an expression, parts first.
    fn expr(&mut self, expr: &Expr) -> Result<(), Fault> {
        self.parts(expr)?;
        let known = |checker: &Checker<'_>, variable: &Var| checker.positions.contains_key(variable);
        let mentioned = expr.ty.variables().into_iter().chain(sizes_of(&expr.kind));
        if let Some(unknown) = mentioned.into_iter().find(|variable| !known(self, variable)) {
            return Err(fault(expr, FaultKind::UnknownSize(unknown)));
        }
        if let Some(unknown) = unknown_element(&expr.ty, &self.program.type_parameters) {
            return Err(fault(expr, FaultKind::UnknownElement(unknown)));
        }
        self.prover.judge_at(expr.source);
        let derived = expr.kind.result(&expr.ty, &self.program.functions, &mut self.prover);
        let derived = derived.map_err(|mismatch| fault(expr, FaultKind::Mismatch(mismatch)))?;
        self.equal(&derived, &expr.ty, expr)
    }

    fn equal(&mut self, wanted: &Type, found: &Type, expr: &Expr) -> Result<(), Fault> {
        let equal = self.prover.equal_types(wanted, found);
        equal.map_err(|mismatch| fault(expr, FaultKind::Mismatch(mismatch)))
    }

    /// Checks the expressions inside an expression, each in its scope.
    fn parts(&mut self, expr: &Expr) -> Result<(), Fault> {
        match &expr.kind {
            ExprKind::Variable(variable) => match self.variables.get(variable).cloned() {
                Some(ty) => self.equal(&ty, &expr.ty, expr),
                None => Err(fault(expr, FaultKind::Unbound(variable.clone()))),
            },
            ExprKind::Let { bindings, body } => {
                if matches!(body.kind, ExprKind::Let { .. }) {
                    return Err(fault(expr, FaultKind::NestedLet));
                }
                let outside = self.variables.clone();
                for binding in bindings {
                    self.expr(&binding.value)?;
                    self.bind(&binding.variable, &binding.value.ty, expr)?;
                }
                self.expr(body)?;
                self.variables = outside;
                Ok(())
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition)?;
                let chosen = condition.size_condition();
                self.branch(chosen.as_ref(), then)?;
                self.branch(chosen.map(Condition::negate).as_ref(), otherwise)
            }
            ExprKind::Function(position, _) if *position >= self.defined => {
                Err(fault(expr, FaultKind::CalledBeforeDefined(*position)))
            }
            // All other forms bind something only for a function that they apply.
            _ => {
                expr.children_outside_functions().into_iter().try_for_each(|child| self.expr(child))?;
                self.applied_function(expr)
            }
        }
    }

    /// Checks the function that an expression applies, if it applies one.
    fn applied_function(&mut self, expr: &Expr) -> Result<(), Fault> {
        let Some(application) = expr.application() else { return Ok(()) };
        let count = expr.index_count().unwrap_or_else(Nat::one);
        let function = application.function();
        match application {
            Application::Iterate(..) => self.indexed(function, &count, Prover::leave_applications),
            Application::Map(..)
            | Application::Reduce(..)
            | Application::Scan(..)
            | Application::Generate(_)
            | Application::Lanewise(..) => self.for_elements(function, &count),
        }
    }

    /// Checks a branch, where a condition holds.
    fn branch(&mut self, condition: Option<&Condition>, branch: &Expr) -> Result<(), Fault> {
        let Some(condition) = condition else { return self.expr(branch) };
        let outside = self.prover.enter_condition(condition);
        self.expr(branch)?;
        let left = self.prover.leave_condition(outside, condition);
        left.map_err(|mismatch| fault(branch, FaultKind::Mismatch(mismatch)))
    }

    /// Checks a function of the elements of an array, where there are any.
    fn for_elements(&mut self, function: &Lambda, length: &Nat) -> Result<(), Fault> {
        let outside = if function.index.is_none() { self.prover.enter_elements(length) } else { None };
        self.indexed(function, length, Prover::leave_index)?;
        let left = outside.map_or(Ok(()), |outside| self.prover.leave_elements(outside));
        left.map_err(|mismatch| fault(&function.body, FaultKind::Mismatch(mismatch)))
    }

    /// Checks a function whose index is below `count`; `leave` says what follows from its needs.
    fn indexed(
        &mut self,
        function: &Lambda,
        count: &Nat,
        leave: fn(&mut Prover, Outside, &Var, &Nat) -> Result<(), Mismatch>,
    ) -> Result<(), Fault> {
        let body = &function.body;
        let Some(index) = &function.index else {
            return self.with_bound(&function.parameters, body, |checker| checker.expr(body));
        };
        if !self.bound_positions.insert(index.clone()) && self.binders == Binders::Unique {
            return Err(fault(body, FaultKind::PositionBoundTwice(index.clone())));
        }
        *self.positions.entry(index.clone()).or_default() += 1;
        let outside = self.prover.enter_index(index, count);
        self.with_bound(&function.parameters, body, |checker| checker.expr(body))?;
        let left = leave(&mut self.prover, outside, index, count);
        if let Some(times) = self.positions.get_mut(index) {
            *times -= 1;
            if *times == 0 {
                self.positions.remove(index);
            }
        }
        left.map_err(|mismatch| fault(body, FaultKind::Mismatch(mismatch)))
    }

    /// Checks the scope of parameters.
    fn with_bound(
        &mut self,
        parameters: &[(Variable, Type)],
        scope: &Expr,
        check: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let outside = self.variables.clone();
        for (variable, ty) in parameters {
            self.bind(variable, ty, scope)?;
        }
        check(self)?;
        self.variables = outside;
        Ok(())
    }

    fn bind(&mut self, variable: &Variable, ty: &Type, around: &Expr) -> Result<(), Fault> {
        if !self.bound.insert(variable.clone()) && self.binders == Binders::Unique {
            return Err(fault(around, FaultKind::BoundTwice(variable.clone())));
        }
        if let Some(unknown) = ty.variables().into_iter().find(|size| !self.positions.contains_key(size)) {
            return Err(fault(around, FaultKind::UnknownSize(unknown)));
        }
        self.variables.insert(variable.clone(), ty.clone());
        Ok(())
    }

    /// A launch can check the obligations, because it knows everything that they mention.
    fn obligations(&self) -> Result<(), Fault> {
        for known in &self.program.obligations {
            if !known.requirement.mentions_only(&|size| self.positions.contains_key(size)) {
                let kind = FaultKind::Obligation(known.requirement.clone());
                return Err(Fault { node: self.program.body.id, source: known.source, kind });
            }
        }
        Ok(())
    }

    /// What could not be proved where it was needed is an obligation, or follows from one.
    fn all_needs_are_obligations(&self) -> Result<(), Fault> {
        for Demand { need, source } in self.prover.needs() {
            let is_known = self.program.obligations.iter().any(|known| known.requirement == need.requirement);
            if !is_known && !self.follows(&need.requirement) {
                let kind = FaultKind::Unproved(need.clone());
                return Err(Fault { node: self.program.body.id, source: *source, kind });
            }
        }
        Ok(())
    }

    /// Whether a need of a branch, or of a function that may never be applied, follows from the obligations:
    /// where the branch is taken, alternatives among these have become facts.
    fn follows(&self, requirement: &Requirement) -> bool {
        let Requirement::Holds(Condition::Or(never, held)) = requirement else { return false };
        let mut ranges = self.program.ranges();
        ranges.assume(&never.as_ref().clone().negate());
        for known in &self.program.obligations {
            known.requirement.assume(&mut ranges);
        }
        ranges.decide(held) == Some(true)
    }
}

fn fault(expr: &Expr, kind: FaultKind) -> Fault {
    Fault { node: expr.id, source: expr.source, kind }
}

/// An open element type in a type that is none of these.
fn unknown_element(ty: &Type, known: &[TypeParameter]) -> Option<TypeParameter> {
    match ty {
        Type::Scalar(ScalarType::Parameter(element)) | Type::Vector(ScalarType::Parameter(element), _) => {
            (!known.contains(element)).then_some(*element)
        }
        Type::Tuple(components) => components.iter().find_map(|component| unknown_element(component, known)),
        Type::Array(array) => unknown_element(&array.element, known),
        Type::Scalar(_) | Type::Vector(..) | Type::Size => None,
    }
}

/// The sizes and positions that a form mentions, without those that it binds.
fn sizes_of(kind: &ExprKind) -> BTreeSet<Var> {
    match kind {
        ExprKind::Size(size)
        | ExprKind::At(Position::Size(size), _)
        | ExprKind::Generate(size, _)
        | ExprKind::Repeat(size, _)
        | ExprKind::Iterate(size, _, _) => size.variables().into_iter().collect(),
        ExprKind::PadConstant { left, right, .. } => mentioned(&[left, right]),
        ExprKind::Layout(layout, _) => match layout {
            Layout::Split { chunk: size } | Layout::Deinterleave { rows: size } => mentioned(&[size]),
            Layout::Partition(Rows { index, length, count }) => {
                let mut lengths = mentioned(&[length]);
                if let Some(index) = index {
                    lengths.remove(index);
                }
                lengths.extend(mentioned(&[count]));
                lengths
            }
            Layout::Gather(function) | Layout::Scatter(function) => sizes_of_function(function),
            Layout::Slice { start, length } => mentioned(&[start, length]),
            Layout::Increase { left, right } => mentioned(&[left, right]),
            Layout::Slide { size, step } => mentioned(&[size, step]),
            Layout::Pad { left, right, boundary } => {
                let mut sizes = mentioned(&[left, right]);
                if let Boundary::Custom(function) = boundary {
                    sizes.extend(sizes_of_function(function));
                }
                sizes
            }
            Layout::Join
            | Layout::Transpose
            | Layout::Interleave
            | Layout::AsVector { .. }
            | Layout::AsScalar => BTreeSet::new(),
        },
        ExprKind::At(Position::Clamped(_) | Position::OrDefault(..), _)
        | ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Tuple(_)
        | ExprKind::Component(..)
        | ExprKind::ArrayLiteral(_)
        | ExprKind::Let { .. }
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Builtin(..)
        | ExprKind::Function(..)
        | ExprKind::If(..)
        | ExprKind::Cast(..)
        | ExprKind::Broadcast(_)
        | ExprKind::Lanewise(..)
        | ExprKind::Map(..)
        | ExprKind::Reduce(..)
        | ExprKind::Zip(_)
        | ExprKind::Store(..)
        | ExprKind::Concat(_)
        | ExprKind::Unzip(_)
        | ExprKind::EndUnless(..)
        | ExprKind::Scan(..) => BTreeSet::new(),
    }
}

fn sizes_of_function(function: &IndexFunction) -> BTreeSet<Var> {
    let mut sizes = mentioned(&[&function.body]);
    sizes.remove(&function.index);
    sizes
}

fn mentioned(sizes: &[&Nat]) -> BTreeSet<Var> {
    sizes.iter().flat_map(|size| size.variables()).collect()
}
