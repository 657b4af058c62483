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
    /// Whether kernels are printed as Rust as well.
    pub host: Host,
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
