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
        /// The loop's index.
        index: Var,
        /// The positions.
        bounds: Bounds,
        /// The pattern that it comes from.
        origin: String,
        /// The tasks of each position.
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
    /// The positions that the thread was given.
    Part,
}

/// One or two loops whose positions are divided among threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Parallel {
    /// The loops, outermost first: indices and extents.
    pub loops: Vec<(Var, Nat)>,
    /// The pattern that they come from.
    pub origin: String,
    /// Local memories: each thread has its own, which one group uses after the other.
    pub memories: Vec<BufferId>,
    /// Private arrays of the code around the loops that the loops read. Each thread has a copy, so that no
    /// thread accesses memory of another one.
    pub copies: Vec<BufferId>,
    /// The loops over the parts of the threads.
    pub body: Vec<Task>,
}

/// A loop of independent iterations, in strips of neighbouring positions. Positions at borders, and those
/// left over, are done in narrow strips or one by one.
#[derive(Debug, Clone, PartialEq)]
pub struct Strips {
    /// The loop's index.
    pub index: Var,
    /// The positions.
    pub bounds: Bounds,
    /// The pattern that the loop comes from.
    pub origin: String,
    /// The positions of a strip.
    pub lanes: Lanes,
    /// The positions of whole strips.
    pub interior: Interior,
    /// Whether a position may be done twice: the last strip may then overlap the one before.
    pub repeatable: bool,
    /// The code of one position.
    pub single: Vec<Statement>,
    /// Whether strips reach every position, so that no position is done alone.
    pub reach_all: bool,
    /// The code of a strip.
    pub strip: Strip,
    /// Shorter strips, if there are any.
    pub narrow: Option<Box<Narrow>>,
}

/// Strips for positions that fill no strip, and for those at borders.
#[derive(Debug, Clone, PartialEq)]
pub struct Narrow {
    /// The number of positions in a strip.
    pub lanes: usize,
    /// The code of a strip, which may lie anywhere.
    pub strip: Strip,
}

/// The positions that are done together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// This many neighbours.
    Strip(usize),
    /// All of the interior, as one row. Then nothing is kept for a lane between two statements, and the
    /// number of positions is known only when the program runs. Rows shorter than a strip are vectors, too.
    Whole,
}

impl Lanes {
    /// The number of lanes, in Rust: a literal, or the variable that holds it.
    pub(crate) fn number(self) -> String {
        match self {
            Lanes::Strip(lanes) => lanes.to_string(),
            Lanes::Whole => "lanes".to_string(),
        }
    }
}

/// Two loops of independent iterations in blocks (unroll and jam): strips of the inner one, for several
/// positions of the outer one at once, which share loads. Positions of the outer loop that are left over have
/// strips of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocks {
    /// The index of the outer loop; the thread has a part of its positions.
    pub outer: Var,
    /// The number of positions of the outer loop in a block.
    pub rows: usize,
    /// The inner loop for the rows of a block.
    pub together: Strips,
    /// The inner loop for one row.
    pub alone: Strips,
}

/// The code of a strip.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// Variables with a value for each lane.
    pub variables: Vec<Variable>,
    /// Indices with a value for each lane.
    pub indices: Vec<Var>,
    /// Private arrays, with an element for each lane.
    pub memories: Vec<BufferId>,
    /// The tasks for all lanes.
    pub tasks: Vec<LaneTask>,
}

/// The lane of a strip that has the fewest positions of an inner loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneOfLeast {
    /// The first lane: the number of positions does not shrink along the strip.
    First,
    /// The last lane: the number of positions does not grow along the strip.
    Last,
}

/// A part of a strip.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneTask {
    /// Statements for all lanes, one lane after the other.
    Lanes(Vec<Statement>),
    /// A loop with the same positions for all lanes.
    For {
        /// The loop's index.
        index: Var,
        /// The number of positions.
        extent: Nat,
        /// The pattern that it comes from.
        origin: String,
        /// The tasks of each position.
        body: Vec<LaneTask>,
    },
    /// Names the number of positions that all lanes have, where lanes have different numbers.
    Least {
        /// The name.
        least: Var,
        /// The number of positions of a lane.
        extent: Nat,
        /// The lane with the fewest positions.
        lane: LaneOfLeast,
    },
    /// The remaining positions of the lanes that have more, one lane after the other; mostly there are none.
    Rest {
        /// The number of remaining positions of a lane.
        left: Nat,
        /// The lane with the fewest positions. The lane at the other end has the most.
        lane: LaneOfLeast,
        /// A loop over these positions.
        statements: Vec<Statement>,
    },
    /// A choice that is the same for all lanes.
    If(Expression, Vec<LaneTask>, Vec<LaneTask>),
}
