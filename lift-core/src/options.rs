//! Which parts of code generation are at work.
//!
//! Everything is on but in experiments that show what a part is worth (Steuwer et al., CGO 2017, section 7.4 and figure 8).
//! The kernels compute the same without them.

/// What code generation does; the default is all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// How indices are printed.
    pub indices: Indices,
    /// Where barriers stand.
    pub barriers: Barriers,
    /// How loops over workers are printed.
    pub control_flow: ControlFlow,
    /// Where indices are compared with the edges of arrays.
    pub borders: Borders,
    /// Whether kernels are printed as Rust as well.
    pub host: Host,
    /// How much memory the arrays between kernels take.
    pub between_kernels: BetweenKernels,
}

impl Options {
    /// All of code generation, as a constant.
    pub const fn new() -> Options {
        Options {
            indices: Indices::Simplified,
            barriers: Barriers::WhereNeeded,
            control_flow: ControlFlow::Simplified,
            borders: Borders::Apart,
            host: Host::Printed,
            between_kernels: BetweenKernels::Bounded,
        }
    }
}

/// How much memory the arrays between kernels take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BetweenKernels {
    /// Those of kernels that are launched for some rows at a time: 512 MiB together, or a row. Kernels are launched
    /// so where an array between them may be much larger than all that the program takes and gives.
    #[default]
    Bounded,
    /// The same with so many bytes, wherever kernels can be launched so.
    Scarce(u32),
    /// For all elements at once, always.
    Whole,
}

/// Where indices are compared with the edges of arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Borders {
    /// By the groups at the border; those in the middle have code of their own.
    #[default]
    Apart,
    /// By all.
    Everywhere,
}

/// Whether kernels are printed as Rust as well, for the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Host {
    /// As OpenCL C and as Rust.
    #[default]
    Printed,
    /// As OpenCL C only.
    Omitted,
}

/// How indices are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Indices {
    /// In their simplest form, for what is known of sizes and loops (CGO 2017, section 5.3).
    #[default]
    Simplified,
    /// As the layouts compose.
    AsComposed,
}

/// Where barriers stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Barriers {
    /// Where work-items read what others wrote (CGO 2017, section 5.4).
    #[default]
    WhereNeeded,
    /// After every map over the work-items of a group as well.
    AfterEveryMap,
}

/// How loops over workers are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ControlFlow {
    /// As straight code or an `if` where every worker has one step at most (CGO 2017, section 5.5).
    #[default]
    Simplified,
    /// As loops, always.
    Loops,
}
