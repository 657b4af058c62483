//! The parts of the compiler that can be switched off.
//!
//! All of them are on except in experiments that show what a part is worth (Steuwer et al., CGO 2017, section
//! 7.4 and figure 8). Kernels compute the same without them.

pub use crate::ir::nat::Indices;
use lift_description::DeviceClass;

/// The parts of the compiler that are used; by default all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The form in which indices are computed.
    pub indices: Indices,
    /// The places of barriers.
    pub barriers: Barriers,
    /// The optimisations of kernels that are left out.
    pub without: Optimisations,
    /// Whether kernels are printed as Rust as well.
    pub host: Host,
    /// The amount of memory that the arrays between kernels take.
    pub between_kernels: BetweenKernels,
    /// The number of elements that a work-item computes.
    pub coarsening: Coarsening,
    /// The order in which the groups of a kernel begin.
    pub group_order: GroupOrder,
    /// The devices that kernels are for.
    pub devices: DeviceClass,
}

impl Options {
    /// All parts of the compiler, as a constant.
    pub const fn new() -> Options {
        Options {
            indices: Indices::Simplified,
            barriers: Barriers::WhereNeeded,
            without: Optimisations::NONE,
            host: Host::Printed,
            between_kernels: BetweenKernels::Bounded,
            coarsening: Coarsening::Off,
            group_order: GroupOrder::AsNumbered,
            devices: DeviceClass::Any,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

/// A pass over the code of a kernel that can be left out: see [`device::passes`](crate::device::passes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimisation {
    /// Padding: gaps between rows in memory, where the program asks for them.
    Padding,
    /// The next iteration's loads come before this iteration's computation, where the program asks for it.
    SoftwarePipelining,
    /// Local buffers whose lives do not overlap share memory.
    BufferReuse,
    /// Loops in which every worker has one iteration, or at most one, become straight code.
    UnitTripCounts,
    /// The interior of an array has its own code, apart from its border.
    IndexSetSplitting,
    /// Elements of private arrays are variables.
    ScalarReplacement,
    /// Values that nothing needs are not computed.
    DeadCode,
    /// Branches assign the final place of their value.
    IfConversion,
    /// Variables that only carry a value to another variable vanish.
    CopyCoalescing,
    /// Values that only one branch needs are computed in it.
    Sinking,
    /// Loops over elements that work-items take in turn are done in strips, the last one under conditions.
    PredicatedRemainder,
    /// The OpenCL compiler is asked to unroll innermost loops.
    Unrolling,
    /// Neighbouring scalars are loaded and stored as vectors.
    VectorAccesses,
    /// Parts of indices are computed before the loops that do not change them.
    InvariantIndices,
    /// Common parts of indices are computed once.
    CommonSubexpressions,
}

impl Optimisation {
    /// All of them. Tests and ablations leave out these.
    pub const ALL: [Optimisation; 15] = [
        Optimisation::Padding,
        Optimisation::SoftwarePipelining,
        Optimisation::BufferReuse,
        Optimisation::UnitTripCounts,
        Optimisation::IndexSetSplitting,
        Optimisation::ScalarReplacement,
        Optimisation::DeadCode,
        Optimisation::IfConversion,
        Optimisation::CopyCoalescing,
        Optimisation::Sinking,
        Optimisation::PredicatedRemainder,
        Optimisation::Unrolling,
        Optimisation::VectorAccesses,
        Optimisation::InvariantIndices,
        Optimisation::CommonSubexpressions,
    ];
}

/// A set of optimisations: a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Optimisations(u16);

const _: () = assert!(Optimisation::ALL.len() <= u16::BITS as usize, "there is a bit for each");

impl Optimisations {
    /// None of them.
    pub const NONE: Optimisations = Optimisations(0);

    /// The set of these optimisations.
    pub const fn of(members: &[Optimisation]) -> Optimisations {
        let mut bits = 0;
        let mut position = 0;
        while position < members.len() {
            bits |= 1 << members[position] as u16;
            position += 1;
        }
        Optimisations(bits)
    }

    /// The optimisations of both sets.
    pub const fn with(self, other: Optimisations) -> Optimisations {
        Optimisations(self.0 | other.0)
    }

    /// Whether the set contains this optimisation.
    pub const fn contains(self, optimisation: Optimisation) -> bool {
        self.0 & (1 << optimisation as u16) != 0
    }
}

/// The amount of memory that the arrays between kernels take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BetweenKernels {
    /// 512 MiB together, or one row, for the arrays of kernels that are launched for some rows at a time.
    /// Kernels are launched so where an array between them may be much larger than all arguments and results
    /// of the program.
    #[default]
    Bounded,
    /// The same with this many bytes, wherever kernels can be launched for some rows at a time.
    Scarce(u32),
    /// Arrays for all elements at once, always.
    Whole,
}

/// The number of elements that a work-item of a kernel computes, where the program leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coarsening {
    /// One.
    #[default]
    Off,
    /// Several, in kernels that do little for each.
    LightKernels,
}

/// The order in which the groups of a kernel begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GroupOrder {
    /// That of their numbers.
    #[default]
    AsNumbered,
    /// Those that take long first, where groups read from memory how many steps they take. A kernel before
    /// finds them.
    LongFirst,
}

/// Whether kernels are also printed as Rust, for the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Host {
    /// As OpenCL C and as Rust.
    #[default]
    Printed,
    /// As OpenCL C only.
    Omitted,
}

/// The places of barriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Barriers {
    /// Where work-items read what others wrote (CGO 2017, section 5.4).
    #[default]
    WhereNeeded,
    /// After every map over the work-items of a group as well.
    AfterEveryMap,
}
