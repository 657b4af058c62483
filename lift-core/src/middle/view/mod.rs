//! Views: how an element of an array expression is read, and where an element of a result is written.
//!
//! A view is an array that need not exist in memory (Steuwer et al., CGO 2017, section 5.3). Reading consumes
//! views from the outside in: every index given to [`View`] passes through the layouts until it reaches
//! memory or a computation that is not stored. Writing uses the same views of the destination, built with the
//! layouts' inverses. This module holds the data; consuming a view may need code (a delayed `map` computes
//! its elements), so the walk itself lives in code generation (`codegen::access`).
//!
//! Addresses of dense storage are closed forms of the types' sizes, also for position-dependent arrays, whose
//! rows start at the sum of the lengths before them (FHPNC 2019, section 5).

use std::sync::Arc;

use crate::ir::kernel::{BufferId, Expression};
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::{Boundary, IndexFunction, Lambda, Rows, Variable};
use crate::ir::types::ArrayType;

/// What an expression means during code generation.
#[derive(Debug, Clone)]
pub enum Value {
    /// A scalar or a vector.
    Scalar(Expression),
    /// A tuple.
    Tuple(Vec<Value>),
    /// An array.
    Array(View),
}

/// An array, by how its elements are found.
#[derive(Debug, Clone)]
pub enum View {
    /// Elements that lie in memory.
    Memory(Storage, Arc<ArrayType>),
    /// A part of another array: element `i` is the element `offset + i` of that array.
    Shifted {
        /// The other array.
        input: Arc<View>,
        /// Where it starts.
        offset: Nat,
    },
    /// Rows of the given length that start every `stride` elements of another array.
    Rows {
        /// The other array.
        input: Arc<View>,
        /// The distance between two starts.
        stride: Nat,
    },
    /// Rows of another array, one after the other, whose lengths depend on their positions.
    Partitioned {
        /// The other array.
        input: Arc<View>,
        /// The rows.
        rows: Rows,
    },
    /// The rows of another array, end to end.
    Joined {
        /// The other array.
        input: Arc<View>,
        /// The rows.
        rows: Rows,
    },
    /// Rows whose elements are taken in turn: the element at `k` is element `k / rows` of row `k % rows`.
    Interleaved {
        /// The array of rows.
        input: Arc<View>,
        /// The number of rows.
        rows: Nat,
    },
    /// Neighbouring scalars of another array, as vectors.
    Vectors {
        /// The other array.
        input: Arc<View>,
        /// The number of components.
        width: u8,
    },
    /// The components of the vectors of another array, one after the other.
    Components {
        /// The other array.
        input: Arc<View>,
        /// The number of components of each vector.
        width: u8,
    },
    /// Another array with rows and columns exchanged.
    Transposed(Arc<View>),
    /// One column of an array of rows.
    Column(Arc<View>, Nat),
    /// The elements of another array in another order.
    Reordered(Arc<View>, IndexFunction),
    /// An array with border elements that are taken from inside of it.
    Padded {
        /// The array without borders.
        input: Arc<View>,
        /// Its length.
        length: Nat,
        /// Elements added before the first.
        left: Nat,
        /// Which element stands at an added position.
        boundary: Boundary,
    },
    /// An array with border elements that all have one value.
    PaddedConstant {
        /// The array without borders.
        input: Arc<View>,
        /// Its length.
        length: Nat,
        /// Elements added before the first.
        left: Nat,
        /// The value of the others.
        value: Arc<Value>,
    },
    /// An array that exists only where a condition holds.
    Guarded {
        /// The condition under which it exists.
        condition: Condition,
        /// The array.
        input: Arc<View>,
        /// The array that replaces it elsewhere.
        otherwise: Arc<View>,
    },
    /// One value at every position.
    Constant(Arc<Value>),
    /// Several arrays side by side.
    Zipped(Vec<View>),
    /// One component of an array of tuples.
    Component(Arc<View>, usize),
    /// A delayed map: elements are computed when they are read.
    Mapped {
        /// The function.
        function: Arc<Lambda>,
        /// The environment of its free variables.
        environment: Environment,
        /// The input array.
        input: Arc<View>,
    },
    /// A delayed `generate`: elements are computed from their positions when they are read.
    Generated {
        /// The function; its `index` is the position.
        function: Arc<Lambda>,
        /// The environment of its free variables.
        environment: Environment,
    },
    /// Arrays one after the other, each with its length.
    Concatenated(Vec<(View, Nat)>),
    /// A delayed array that is read in several places. Each element is computed once in a scope.
    Shared {
        /// Its number.
        id: u32,
        /// The user's name for it.
        name: Arc<str>,
        /// The array.
        input: Arc<View>,
    },
    /// One of two arrays.
    Selected(Box<Expression>, Arc<View>, Arc<View>),
}

/// The places of the scalars of a value in memory. An array of tuples has a buffer for each scalar component
/// (structure of arrays), so that no struct layouts have to match.
#[derive(Debug, Clone)]
pub enum Storage {
    /// In a buffer, from an offset.
    Buffer(BufferId, Nat),
    /// The places of each component.
    Tuple(Vec<Storage>),
}

/// The meaning of variables; cheap to clone, because a delayed computation keeps it.
#[derive(Debug, Clone, Default)]
pub struct Environment(Option<Arc<Frame>>);

#[derive(Debug)]
struct Frame {
    variable: Variable,
    value: Value,
    parent: Environment,
}

impl Drop for Environment {
    /// An environment is a linked list, which may be long.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut frame) = next.and_then(Arc::into_inner) {
            next = frame.parent.0.take();
        }
    }
}

impl Environment {
    /// The environment in which `variable` means `value`.
    #[must_use]
    pub fn with(&self, variable: &Variable, value: Value) -> Environment {
        Environment(Some(Arc::new(Frame { variable: variable.clone(), value, parent: self.clone() })))
    }

    /// What a variable means.
    pub fn get(&self, variable: &Variable) -> Option<&Value> {
        let mut environment = self;
        while let Some(frame) = &environment.0 {
            if frame.variable.id == variable.id {
                return Some(&frame.value);
            }
            environment = &frame.parent;
        }
        None
    }
}

impl View {
    /// The views whose elements this view shows.
    pub fn inputs(&self) -> Vec<&View> {
        match self {
            View::Memory(..) | View::Constant(_) | View::Generated { .. } => Vec::new(),
            View::Shifted { input, .. }
            | View::Rows { input, .. }
            | View::Partitioned { input, .. }
            | View::Joined { input, .. }
            | View::Interleaved { input, .. }
            | View::Vectors { input, .. }
            | View::Components { input, .. }
            | View::Transposed(input)
            | View::Column(input, _)
            | View::Reordered(input, _)
            | View::Padded { input, .. }
            | View::PaddedConstant { input, .. }
            | View::Component(input, _)
            | View::Mapped { input, .. }
            | View::Shared { input, .. } => vec![input],
            View::Guarded { input, otherwise, .. } => vec![input, otherwise],
            View::Selected(_, then, otherwise) => vec![then, otherwise],
            View::Zipped(parts) => parts.iter().collect(),
            View::Concatenated(parts) => parts.iter().map(|(part, _)| part).collect(),
        }
    }

    /// The [`inputs`](View::inputs) whose elements this view shows at their own positions.
    fn inputs_in_step(&self) -> Vec<&View> {
        match self {
            View::Zipped(_) | View::Component(..) | View::Mapped { .. } | View::Shared { .. } => {
                self.inputs()
            }
            _ => Vec::new(),
        }
    }

    /// Whether reading an element computes something.
    pub fn is_computed(&self) -> bool {
        match self {
            // A function that only rearranges is a layout, also for destinations.
            View::Mapped { function, .. } if function.inverse_layout().is_none() => true,
            View::Generated { .. } => true,
            View::Shared { .. } => false,
            _ => self.inputs().into_iter().any(View::is_computed),
        }
    }

    /// The rows that a loop over this view crosses one after the other, if it shows joined rows.
    pub fn joined_rows(&self) -> Option<&Rows> {
        match self {
            View::Joined { rows, .. } => Some(rows),
            _ => self.inputs_in_step().into_iter().find_map(View::joined_rows),
        }
    }

    /// The width of the vectors that a loop over this view takes apart one after the other, if it shows
    /// components of computed vectors.
    pub fn components_of_computed(&self) -> Option<u8> {
        match self {
            View::Components { input, width } => (!input.is_memory()).then_some(*width),
            _ => self.inputs_in_step().into_iter().find_map(View::components_of_computed),
        }
    }

    /// Whether every element is loaded from memory, without computation.
    fn is_memory(&self) -> bool {
        match self {
            View::Memory(..) => true,
            View::Shifted { .. }
            | View::Rows { .. }
            | View::Partitioned { .. }
            | View::Joined { .. }
            | View::Interleaved { .. }
            | View::Transposed(_)
            | View::Column(..)
            | View::Reordered(..)
            | View::Padded { .. }
            | View::Component(..)
            | View::Zipped(_) => self.inputs().into_iter().all(View::is_memory),
            View::Vectors { .. }
            | View::Components { .. }
            | View::PaddedConstant { .. }
            | View::Guarded { .. }
            | View::Constant(_)
            | View::Mapped { .. }
            | View::Generated { .. }
            | View::Concatenated(_)
            | View::Shared { .. }
            | View::Selected(..) => false,
        }
    }
}

impl Storage {
    /// The storage of the element at `index` of an array of this type that lies here.
    pub fn element(&self, array: &ArrayType, index: &Nat) -> Storage {
        match self {
            Storage::Buffer(buffer, offset) => {
                Storage::Buffer(*buffer, offset + elements_before(array, index))
            }
            Storage::Tuple(parts) => Storage::Tuple(
                parts
                    .iter()
                    .enumerate()
                    .map(|(position, part)| {
                        let component = ArrayType {
                            index: array.index.clone(),
                            element: array.element.component(position),
                            length: array.length.clone(),
                        };
                        part.element(&component, index)
                    })
                    .collect(),
            ),
        }
    }
}

/// The number of scalars before the element at `index`.
fn elements_before(array: &ArrayType, index: &Nat) -> Nat {
    let count = array.element.element_count();
    match &array.index {
        None => count * index,
        Some(position) => Nat::sum(position, &Nat::zero(), index, &count),
    }
}
