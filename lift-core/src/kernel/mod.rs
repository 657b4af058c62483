//! The imperative kernel: what code generation produces and the printers print.
//!
//! Addresses and loop bounds stay symbolic ([`Nat`]), so that barrier placement can compare them and the printer can
//! decide, from the ranges of the loops around, whether C's `/` and `%` are right for them. Work-items appear as
//! loops over a level of the thread hierarchy; whether such a loop is printed as `for`, `if` or a straight line is its
//! [`Trip`].

use std::collections::BTreeMap;
use std::ops::Range;

use crate::nat::{Condition, Nat, Ranges, Var};
use crate::primitive::builtin::Builtin;
use crate::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::typed::AddressSpace;

pub mod rewrite;

/// Everything that is printed into one source text.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// User functions, callees first.
    pub functions: Vec<Function>,
    /// The kernels, in launch order.
    pub kernels: Vec<Kernel>,
    /// Which of them are launched repeatedly; a repetition comes after those inside it.
    pub repetitions: Vec<Repetition>,
    /// All buffers, by [`BufferId`].
    pub buffers: Vec<Buffer>,
    /// The names of the size variables in the kernel text; they may be called `len(a)` elsewhere.
    pub size_names: BTreeMap<Var, String>,
}

/// Kernels that are launched again and again: the applications of an `iterate`.
#[derive(Debug, Clone, PartialEq)]
pub struct Repetition {
    /// The kernels of one application, by position.
    pub kernels: Range<usize>,
    /// The number of applications.
    pub count: Nat,
    /// The number of applications before this one, which the kernels of one get; none where all applications are alike.
    pub step: Option<Var>,
    /// The arrays that go from one application to the next.
    pub arrays: Vec<Alternation>,
}

/// What is known in the kernel at this position: where an application has a number, that is below the number of applications.
pub fn ranges_of_kernel(position: usize, repetitions: &[Repetition], ranges: &Ranges) -> Ranges {
    let mut inside = ranges.clone();
    // Outer repetitions come last: how often an inner one is done may depend on them.
    for around in repetitions.iter().rev().filter(|around| around.kernels.contains(&position)) {
        if let Some(step) = &around.step {
            inside.declare(step, Nat::zero(), Some(around.count.clone()));
        }
    }
    inside
}

/// Two buffers that change places from one application to the next.
///
/// The kernels are generated to read `before` and to write `after`. Every second application, counted from the last, they get
/// the one for the other; the first application reads `input` instead of what it would read otherwise, and `input` is never
/// written; the last one writes `output`. Without any application nothing is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternation {
    /// What the first application reads.
    pub input: BufferId,
    /// What kernels read.
    pub before: BufferId,
    /// What kernels write.
    pub after: BufferId,
    /// What the last application writes: `after`, unless that is for arrays of other lengths.
    pub output: BufferId,
}

/// Names a buffer of a [`Module`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(pub usize);

/// Memory with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Its name in the kernel text; unique in the module.
    pub name: String,
    /// The type of one element.
    pub element: ScalarType,
    /// How many elements.
    pub length: Nat,
    /// Where it lies and who provides it.
    pub role: BufferRole,
}

/// Where a buffer lies and who provides it.
#[derive(Debug, Clone, PartialEq)]
pub enum BufferRole {
    /// The array parameter of the program at this position: global memory, only read.
    Parameter(usize),
    /// The result at this position: global memory.
    Result(usize),
    /// A temporary at this position: global memory that lives for one call.
    Temporary(usize),
    /// The same, but every work-item has a part of its own: nobody waits for it.
    Scratch(usize),
    /// Declared at the top of the kernel.
    Local,
    /// Declared where it is used; one per work-item.
    Private,
    /// A constant table at file scope.
    Constant(Vec<Literal>),
}

impl BufferRole {
    /// The position among the temporaries of the program.
    pub fn temporary(&self) -> Option<usize> {
        match self {
            BufferRole::Temporary(position) | BufferRole::Scratch(position) => Some(*position),
            BufferRole::Parameter(_)
            | BufferRole::Result(_)
            | BufferRole::Local
            | BufferRole::Private
            | BufferRole::Constant(_) => None,
        }
    }

    /// Whether several work-items may access the same element.
    pub fn is_shared(&self) -> bool {
        match self {
            BufferRole::Parameter(_)
            | BufferRole::Result(_)
            | BufferRole::Temporary(_)
            | BufferRole::Local => true,
            BufferRole::Scratch(_) | BufferRole::Private | BufferRole::Constant(_) => false,
        }
    }
}

impl Buffer {
    /// The memory it lies in; constant tables count as private: nobody writes them.
    pub fn space(&self) -> AddressSpace {
        match self.role {
            BufferRole::Parameter(_)
            | BufferRole::Result(_)
            | BufferRole::Temporary(_)
            | BufferRole::Scratch(_) => AddressSpace::Global,
            BufferRole::Local => AddressSpace::Local,
            BufferRole::Private | BufferRole::Constant(_) => AddressSpace::Private,
        }
    }
}

/// A kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<KernelParameter>,
    /// Work-items needed per dimension, before rounding up to groups.
    pub global: [Nat; 3],
    /// Work-items per group and dimension, pinned.
    pub local: [u64; 3],
    /// The body.
    pub body: Vec<Statement>,
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub enum KernelParameter {
    /// A global buffer.
    Buffer(BufferId),
    /// A scalar parameter of the program at this position.
    Scalar(usize, Variable),
    /// A size variable.
    Size(Var),
}

/// A user function; tuples have been taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name in the kernel text.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// The types of its results; several for a function that gives a tuple.
    pub results: Vec<ValueType>,
    /// What it does before it returns.
    pub body: Vec<Statement>,
    /// What it returns.
    pub values: Vec<Expression>,
}

/// A C variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name; unique in the module.
    pub name: String,
    /// Its type.
    pub ty: ValueType,
}

/// The type of a value that an expression gives: a scalar, or an OpenCL vector of scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueType {
    /// The type of one lane.
    pub scalar: ScalarType,
    /// How many: 1 is a scalar, more are a vector. A vector in memory is as many scalars, one after the other.
    pub lanes: u8,
}

impl ValueType {
    /// A truth value.
    pub const BOOL: ValueType = ValueType { scalar: ScalarType::Bool, lanes: 1 };

    /// The same number of lanes of another type.
    #[must_use]
    pub fn of(self, scalar: ScalarType) -> ValueType {
        ValueType { scalar, ..self }
    }
}

impl From<ScalarType> for ValueType {
    fn from(scalar: ScalarType) -> ValueType {
        ValueType { scalar, lanes: 1 }
    }
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// `/* text */`
    Comment(String),
    /// `float x = value;`
    Declare(Variable, Option<Expression>),
    /// `float tile[16];` for a private buffer.
    DeclareBuffer(BufferId),
    /// `index_t index = value`, clamped into `0..length`.
    DeclareIndex {
        /// The index.
        index: Var,
        /// An integer computed from data.
        value: Expression,
        /// The length of the array that it indexes.
        length: Nat,
    },
    /// `index_t index = get_local_id(0)`: the number of the worker among its kind.
    DeclareWorker {
        /// The number.
        index: Var,
        /// The kind.
        workers: Workers,
        /// What it is below, where that is known.
        bound: Option<Nat>,
    },
    /// `index_t index = value;`
    DeclareValue {
        /// The index.
        index: Var,
        /// What it is.
        value: Nat,
    },
    /// `x = value;`
    Assign(Variable, Expression),
    /// `buffer[index] = value;`; a vector is stored in the scalars that start there.
    Store(BufferId, Nat, Expression),
    /// Calls a function that gives a tuple; its components go to fresh variables.
    CallFunction {
        /// The variables, declared here.
        results: Vec<Variable>,
        /// The position of the function in [`Module::functions`].
        function: usize,
        /// Its arguments.
        arguments: Vec<Expression>,
    },
    /// Repetition, in time or over work-items.
    Loop(Loop),
    /// A choice.
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// A work-group barrier.
    Barrier {
        /// The memories whose accesses it orders.
        spaces: Vec<AddressSpace>,
        /// Why it stands there.
        reason: String,
    },
}

/// Repetition over `0..extent`.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Who executes the steps.
    pub workers: Workers,
    /// The step; it lies in `0..extent`.
    pub index: Var,
    /// The number of steps.
    pub extent: Nat,
    /// How many steps one worker executes.
    pub trip: Trip,
    /// What the OpenCL compiler is asked to do with it.
    pub unrolling: Unrolling,
    /// Where it comes from, printed as a comment; empty for a part of the loop around it.
    pub origin: String,
    /// What each step does.
    pub body: Vec<Statement>,
}

/// What the OpenCL compiler is asked to do with a loop. Other than code that is written out in the kernel text, this is a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrolling {
    /// Nothing.
    AsItLikes,
    /// To execute this many steps per round.
    By(u64),
    /// The same, but only of compilers that do not unroll such loops as they like already.
    Otherwise(u64),
    /// To leave no loop.
    Whole,
}

/// Who executes the steps of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Workers {
    /// The one at hand, in order.
    Sequential,
    /// Global work-items of a dimension.
    Global(u8),
    /// Work-groups of a dimension.
    WorkGroup(u8),
    /// Work-items of the group, of a dimension.
    Local(u8),
}

/// How many steps of a loop one worker executes (control-flow simplification, CGO 2017, section 5.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trip {
    /// Exactly one: no control flow is printed.
    One,
    /// One or none: an `if`.
    AtMostOne,
    /// Any number: a `for`.
    Any,
    /// Any number, and the same number for every worker.
    AnyUniform,
}

/// An expression on scalars or, lane by lane, on vectors.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A literal of a type.
    Literal(Literal, ScalarType),
    /// A variable.
    Variable(Variable),
    /// A size or an index as a number of a type.
    Index(Nat, ScalarType),
    /// A comparison of indices.
    Condition(Condition),
    /// The number of the worker among its kind.
    WorkerId(Workers),
    /// `buffer[index]`; a vector is the scalars that start there.
    Load(BufferId, Nat, ValueType),
    /// An operator.
    Unary(UnaryOperator, Box<Expression>),
    /// An operator; the result is `bool` for comparisons, else of the operands' type.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// A built-in function; the result has the type of the last argument, or of its components for `dot`.
    Builtin(Builtin, Vec<Expression>),
    /// The function at this position in [`Module::functions`], which gives one scalar or vector.
    Function(usize, Vec<Expression>, ValueType),
    /// A scalar in every component of a vector of this many.
    Broadcast(Box<Expression>, u8),
    /// A vector of these components.
    Components(Vec<Expression>),
    /// One component of a vector.
    Component(Box<Expression>, u8),
    /// `condition ? then : otherwise`; component by component where the condition is a vector.
    Select(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A conversion with the meaning of Rust's `as`, lane by lane.
    Cast(ScalarType, Box<Expression>),
}

impl Expression {
    /// The type of its value.
    pub fn ty(&self) -> ValueType {
        match self {
            Expression::Literal(_, ty) | Expression::Index(_, ty) => ValueType::from(*ty),
            Expression::Load(_, _, ty) | Expression::Function(_, _, ty) => *ty,
            Expression::Cast(ty, operand) => operand.ty().of(*ty),
            Expression::Variable(variable) => variable.ty,
            Expression::Condition(_) => ValueType::BOOL,
            Expression::WorkerId(_) => ValueType::from(ScalarType::I32),
            Expression::Unary(_, operand) => operand.ty(),
            Expression::Binary(operator, left, _) => match operator {
                BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Remainder => left.ty(),
                BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual
                | BinaryOperator::And
                | BinaryOperator::Or => left.ty().of(ScalarType::Bool),
            },
            Expression::Broadcast(operand, lanes) => ValueType { lanes: *lanes, ..operand.ty() },
            Expression::Components(components) => {
                let first = components.first().map_or(ValueType::BOOL, Expression::ty);
                ValueType { lanes: u8::try_from(components.len()).unwrap_or(u8::MAX), ..first }
            }
            Expression::Component(vector, _) => ValueType { lanes: 1, ..vector.ty() },
            Expression::Builtin(Builtin::Dot, arguments) => {
                let vector = arguments.last().map_or(ValueType::BOOL, Expression::ty);
                ValueType { lanes: 1, ..vector }
            }
            Expression::Builtin(_, arguments) => arguments.last().map_or(ValueType::BOOL, Expression::ty),
            Expression::Select(_, then, _) => then.ty(),
        }
    }

    /// Scalars that lie one after the other in one buffer, as a vector there.
    pub(crate) fn neighbours(components: &[Expression], ranges: &Ranges) -> Option<Expression> {
        let (Expression::Load(buffer, first, ty), lanes) =
            (components.first()?, u8::try_from(components.len()).ok()?)
        else {
            return None;
        };
        let follows = |(lane, component): (i128, &Expression)| match component {
            Expression::Load(same, index, same_ty) => {
                let distance = ranges.simplify(&(index - first));
                same == buffer && same_ty == ty && distance.as_constant() == Some(lane)
            }
            _ => false,
        };
        let all = ty.lanes == 1 && (0..).zip(components).all(follows);
        let index = ranges.simplify(first);
        all.then_some(Expression::Load(*buffer, index, ValueType { scalar: ty.scalar, lanes }))
    }

    /// Whether evaluating it twice costs no more than reading a variable.
    pub fn is_trivial(&self) -> bool {
        match self {
            Expression::Literal(..) | Expression::Variable(_) => true,
            Expression::Index(nat, _) => nat.as_constant().is_some() || nat.as_variable().is_some(),
            Expression::Broadcast(operand, _) | Expression::Component(operand, _) => operand.is_trivial(),
            Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Load(..)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Components(_)
            | Expression::Select(..)
            | Expression::Cast(..) => false,
        }
    }

    /// One component of a vector; a scalar is its own.
    #[must_use]
    pub fn component(&self, lane: u8) -> Expression {
        let lanes = self.ty().lanes;
        match self {
            _ if lanes == 1 => self.clone(),
            Expression::Broadcast(operand, _) => operand.as_ref().clone(),
            Expression::Components(components) => components
                .get(usize::from(lane))
                .cloned()
                .unwrap_or_else(|| Expression::Component(Box::new(self.clone()), lane)),
            Expression::Load(buffer, index, ty) => {
                let index = index + Nat::constant(i128::from(lane));
                Expression::Load(*buffer, index, ValueType::from(ty.scalar))
            }
            Expression::Select(condition, then, otherwise) => Expression::Select(
                Box::new(condition.component(lane)),
                Box::new(then.component(lane)),
                Box::new(otherwise.component(lane)),
            ),
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Builtin(..)
            | Expression::Function(..)
            | Expression::Component(..)
            | Expression::Cast(..) => Expression::Component(Box::new(self.clone()), lane),
        }
    }

    /// The parts of an expression, for walks.
    pub fn children(&self) -> Vec<&Expression> {
        match self {
            Expression::Literal(..)
            | Expression::Variable(_)
            | Expression::Index(..)
            | Expression::Condition(_)
            | Expression::WorkerId(_)
            | Expression::Load(..) => Vec::new(),
            Expression::Unary(_, operand)
            | Expression::Cast(_, operand)
            | Expression::Broadcast(operand, _)
            | Expression::Component(operand, _) => vec![operand],
            Expression::Binary(_, left, right) => vec![left, right],
            Expression::Builtin(_, arguments)
            | Expression::Function(_, arguments, _)
            | Expression::Components(arguments) => arguments.iter().collect(),
            Expression::Select(condition, then, otherwise) => vec![condition, then, otherwise],
        }
    }
}

impl Statement {
    /// The expressions that stand directly in this statement.
    pub fn expressions(&self) -> Vec<&Expression> {
        match self {
            Statement::Declare(_, Some(value))
            | Statement::Assign(_, value)
            | Statement::Store(_, _, value)
            | Statement::DeclareIndex { value, .. } => vec![value],
            Statement::CallFunction { arguments, .. } => arguments.iter().collect(),
            Statement::If(condition, _, _) => vec![condition],
            Statement::Declare(_, None)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Comment(_)
            | Statement::Loop(_)
            | Statement::Barrier { .. } => Vec::new(),
        }
    }

    /// The statement lists inside this statement.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match self {
            Statement::Loop(repetition) => vec![&repetition.body],
            Statement::If(_, then, otherwise) => vec![then, otherwise],
            Statement::Comment(_)
            | Statement::Declare(..)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareIndex { .. }
            | Statement::DeclareWorker { .. }
            | Statement::DeclareValue { .. }
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::CallFunction { .. }
            | Statement::Barrier { .. } => Vec::new(),
        }
    }
}
