//! Kernels as a launcher sees them: their arguments, and the launches that they are correct for.

use crate::Notation;

/// A kernel and its launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kernel<N: Notation> {
    /// Its name in the source.
    pub entry: N::Text,
    /// What its parameters are bound to, in order.
    pub arguments: N::List<Argument<N::Variable>>,
    /// The same for its Rust function, which may need sizes that a device gets from the launch. Empty where
    /// there is no such function.
    pub host_arguments: N::List<Argument<N::Variable>>,
    /// The number of work-items that are needed per dimension; it is rounded up to multiples of `local`.
    pub global: [N::Size; 3],
    /// Work-items per group and dimension.
    pub local: [usize; 3],
    /// The launches for which it is correct.
    pub launches: Launches,
    /// Bytes of local memory that it declares.
    pub local_memory: N::Size,
}

/// What a parameter of a kernel is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument<Variable> {
    /// The program's parameter at this position: a buffer or a scalar.
    Parameter(usize),
    /// The program's result at this position (a tuple of arrays has several).
    Result(usize),
    /// The temporary at this position.
    Temporary(usize),
    /// A size variable, as `index_t`.
    Size(Variable),
    /// A variable of a repetition around the kernel, as `index_t`: the number of the iteration
    /// ([`Repetition::step`](crate::Repetition::step)), or the first row or the number of rows of its
    /// [`Repetition::portion`](crate::Repetition::portion).
    Counter(Variable),
}

/// The launches for which a kernel is correct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launches {
    /// Only the launch that is stated with the kernel: loops over work-items rely on their number.
    Pinned,
    /// Any launch with work-items wherever there is work. The launch that is stated with the kernel is the
    /// default.
    Any([Distribution; 3]),
}

/// The work that a kernel distributes over one dimension of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// Nothing: a launch has one work-item there.
    Nothing,
    /// Work over the work-items of the device, whatever groups they are in.
    Items,
    /// Work over groups, and none over their work-items: a group has one work-item.
    Groups,
    /// Work over the work-items of a group, and none over groups: there is one group.
    ItemsOfGroup,
    /// Work over groups, and in them over their work-items.
    GroupsAndItems,
}

impl Distribution {
    /// Whether a launch may have several work-items in a group.
    pub fn has_items(self) -> bool {
        match self {
            Distribution::Items | Distribution::ItemsOfGroup | Distribution::GroupsAndItems => true,
            Distribution::Nothing | Distribution::Groups => false,
        }
    }

    /// Whether a launch may have several groups.
    pub fn has_groups(self) -> bool {
        match self {
            Distribution::Items | Distribution::Groups | Distribution::GroupsAndItems => true,
            Distribution::Nothing | Distribution::ItemsOfGroup => false,
        }
    }
}
