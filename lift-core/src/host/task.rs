//! What the host executes: tasks, for threads and for the lanes of their vector units.

use super::interior::Interior;
use crate::ir::kernel::{BufferId, Expression, Statement, Variable};
use crate::ir::nat::{Nat, Var};

/// A part of a kernel as the host executes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// A statement without statements inside.
    Plain(Statement),
    /// A loop of one thread, one position after the other.
    For {
        /// The position.
        index: Var,
        /// The positions.
        bounds: Bounds,
        /// Where it comes from.
        origin: String,
        /// What is done at each.
        body: Vec<Task>,
    },
    /// A choice.
    If(Expression, Vec<Task>, Vec<Task>),
    /// Work for several threads.
    Parallel(Parallel),
    /// A loop in strips.
    Strips(Strips),
    /// Two loops in blocks.
    Blocks(Box<Blocks>),
}

/// The positions of a loop.
#[derive(Debug, Clone, PartialEq)]
pub enum Bounds {
    /// From 0 up to this, the end excluded.
    Whole(Nat),
    /// Those that the thread was given.
    Part,
}

/// One or two loops whose positions are divided among threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Parallel {
    /// The loops, outermost first: positions and their numbers.
    pub loops: Vec<(Var, Nat)>,
    /// Where they come from.
    pub origin: String,
    /// Local memory: an array for each thread, used by one group after the other.
    pub memories: Vec<BufferId>,
    /// Private arrays of the code around the loops, which they read: each thread has a copy, so that no thread accesses memory of
    /// another.
    pub copies: Vec<BufferId>,
    /// The loops over the given parts.
    pub body: Vec<Task>,
}

/// A loop of independent steps, in strips of neighbouring positions; positions at borders, and those left over, are done in narrow strips
/// or one by one.
#[derive(Debug, Clone, PartialEq)]
pub struct Strips {
    /// The position.
    pub index: Var,
    /// The positions.
    pub bounds: Bounds,
    /// Where the loop comes from.
    pub origin: String,
    /// Positions in a strip.
    pub lanes: Lanes,
    /// The positions of whole strips.
    pub interior: Interior,
    /// Whether a position may be done twice: the last strip may then overlap the one before.
    pub repeatable: bool,
    /// What is done at one position.
    pub single: Vec<Statement>,
    /// Whether strips reach every position: no position is done alone then.
    pub reach_all: bool,
    /// What is done for a strip.
    pub strip: Strip,
    /// Shorter strips, where there are any.
    pub narrow: Option<Box<Narrow>>,
}

/// Strips for positions that fill no strip, and for those at borders.
#[derive(Debug, Clone, PartialEq)]
pub struct Narrow {
    /// Positions in a strip.
    pub lanes: usize,
    /// What is done for a strip, which may lie anywhere.
    pub strip: Strip,
}

/// How many positions are done together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// So many neighbours.
    Strip(usize),
    /// All of the interior, as one row: nothing has to be kept for a lane between two statements, and how many there are is
    /// known when the program runs only. Rows shorter than a strip are vectors, too.
    Whole,
}

impl Lanes {
    /// How many there are, in Rust: a number, or the variable that has it.
    pub(crate) fn number(self) -> String {
        match self {
            Lanes::Strip(lanes) => lanes.to_string(),
            Lanes::Whole => "lanes".to_string(),
        }
    }
}

/// Two loops of independent steps in blocks: strips of the inner one, for several positions of the outer one at once, which share what
/// they load. Positions of the outer loop that are left over have strips of their own. (Unroll and jam.)
#[derive(Debug, Clone, PartialEq)]
pub struct Blocks {
    /// The position of the outer loop, of which the thread has a part.
    pub outer: Var,
    /// Positions of the outer loop in a block.
    pub rows: usize,
    /// The inner loop for the rows of a block.
    pub together: Strips,
    /// The inner loop for one row.
    pub alone: Strips,
}

/// What is done for a strip.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// Variables with a value for each lane.
    pub variables: Vec<Variable>,
    /// Indices with a value for each lane.
    pub indices: Vec<Var>,
    /// Private arrays, with an element for each lane.
    pub memories: Vec<BufferId>,
    /// What is done.
    pub steps: Vec<LaneTask>,
}

/// The lane of a strip that has the fewest positions of an inner loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneOfLeast {
    /// The first one: later lanes have as many or more.
    First,
    /// The last one.
    Last,
}

/// A part of a strip.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneTask {
    /// For all lanes, one after the other.
    Lanes(Vec<Statement>),
    /// A loop with the same positions for all lanes.
    For {
        /// The position.
        index: Var,
        /// The number of positions.
        extent: Nat,
        /// Where it comes from.
        origin: String,
        /// What is done at each.
        body: Vec<LaneTask>,
    },
    /// Gives the number of positions that all lanes have a name, where lanes have different numbers.
    Least {
        /// The name.
        least: Var,
        /// The number of positions of a lane.
        extent: Nat,
        /// The lane that has fewest.
        lane: LaneOfLeast,
    },
    /// What is left for the lanes that have more, one lane after the other; mostly nothing.
    Rest {
        /// How many positions are left for a lane.
        left: Nat,
        /// The lane that has fewest. The one at the other end has most.
        lane: LaneOfLeast,
        /// A loop over these positions.
        statements: Vec<Statement>,
    },
    /// A choice that is the same for all lanes.
    If(Expression, Vec<LaneTask>, Vec<LaneTask>),
}
