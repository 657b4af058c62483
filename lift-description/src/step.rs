//! The order in which the kernels of a program are launched, and how often.

use crate::{Argument, Notation};

/// What a launcher does next.
#[derive(Debug, Clone, PartialEq)]
pub enum Action<N: Notation> {
    /// It launches the kernel at this position.
    Launch(usize),
    /// It repeats actions.
    Repeat(Repetition<N>),
}

/// Actions that are repeated: for each application of an `iterate`, or for each portion of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Repetition<N: Notation> {
    /// The number of iterations.
    pub count: N::Size,
    /// The iteration counter, in the launch sizes and arguments of the kernels and in repetitions inside;
    /// `None` if all iterations are alike.
    pub step: Option<N::Variable>,
    /// The rows of each iteration; `None` if each iteration is for all rows.
    pub portion: Option<Portion<N::Size, N::Variable>>,
    /// The arrays that go from one iteration to the next.
    pub arrays: N::List<Alternation<Argument<N::Variable>>>,
    /// The actions of one iteration.
    pub body: N::List<Action<N>>,
}

/// The rows that one iteration handles: `most` of them, and the rest in the last iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portion<Size, Variable> {
    /// The first row of the portion.
    pub first: Variable,
    /// The number of rows of the portion.
    pub count: Variable,
    /// The number of all rows.
    pub rows: Size,
    /// The greatest number of rows of a portion, at least one.
    pub most: Size,
}

/// Two arrays that change places from one iteration to the next.
///
/// Kernels read `before` and write `after`. In every second iteration, counted back from the last, these two
/// are exchanged. The first iteration reads `input` instead, which nobody writes, and the last one writes
/// `output`, which may be `after`. All others are different arrays. Without any iteration, nothing is
/// written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternation<Array> {
    /// The array that the first iteration reads.
    pub input: Array,
    /// The array that kernels read.
    pub before: Array,
    /// The array that kernels write.
    pub after: Array,
    /// The array that the last iteration writes: `after`, unless that is for arrays of other lengths.
    pub output: Array,
}
