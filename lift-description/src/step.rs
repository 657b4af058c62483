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
    /// How it may end before it has done all iterations; `None` where it does not.
    pub end: Option<End<N>>,
}

impl<N: Notation> Repetition<N> {
    /// All actions inside of it, in order: those that find out whether there is an iteration, those of the
    /// iteration, and those behind the last one.
    pub fn actions(&self) -> impl Iterator<Item = &Action<N>> {
        let (condition, copies) = match &self.end {
            Some(end) => (end.condition.as_ref(), end.copies.as_ref()),
            None => Default::default(),
        };
        condition.iter().chain(self.body.as_ref()).chain(copies)
    }
}

/// How a repetition ends early.
#[derive(Debug, Clone, PartialEq)]
pub struct End<N: Notation> {
    /// What comes first in each iteration, and finds out whether there is this iteration.
    pub condition: N::List<Action<N>>,
    /// Where that is stored: an array of one truth value.
    pub goes_on: Argument<N::Variable>,
    /// What copies `before` to `after` behind the last iteration, unless its result lies in `after` already.
    pub copies: N::List<Action<N>>,
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
/// written. A repetition that may end early does not know its last iteration: it exchanges them in every
/// second iteration, counted from the first, and `output` is `after`.
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
