//! The forms of a program: ways to compute the same, each with kernels of its own.
//!
//! Every program has a plain form, which is right for all sizes that the program accepts. Others may stand
//! before it, for some devices and some sizes. The first form whose device class, guards, thresholds and needs
//! of memory and groups are met computes a call. Compare the versions behind guards of Henriksen et al., *Incremental
//! flattening for nested data parallelism*, PPoPP 2019.

use std::fmt;

use crate::{Action, Kernel, Notation, ScalarType};

/// The name of the form that every program has.
pub const PLAIN: &str = "plain";

/// One way to compute a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Form<N: Notation> {
    /// Its name, by which a user asks for it: [`PLAIN`], or another one that no other form of the program
    /// has.
    pub name: N::Text,
    /// The devices that it is for.
    pub devices: DeviceClass,
    /// What sizes must satisfy, beyond what the program asks of them.
    pub guards: N::List<Guard<N>>,
    /// What sizes must satisfy for it to be worth taking. For others it is right as well, and computes a call
    /// that asks for it.
    pub thresholds: N::List<Guard<N>>,
    /// The steps of rewriting that made it of the program, a line for each: rule, arguments, place.
    pub derivation: N::Text,
    /// The OpenCL C of all its kernels. It reads the macros `index_t` and `T0`, `T1`, … and defines those
    /// that are not given.
    pub source: N::Text,
    /// Device buffers that live for one call.
    pub temporaries: N::List<Temporary<N>>,
    /// Element counts of everything that is indexed, and parts of the formulas of indices, from which a
    /// launcher chooses the type of indices.
    pub extents: N::List<N::Size>,
    /// Its kernels.
    pub kernels: N::List<Kernel<N>>,
    /// The actions of the launcher, in order.
    pub steps: N::List<Action<N>>,
}

/// A condition on sizes for which a form was compiled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guard<N: Notation> {
    /// The condition in the user's words: `N % 4 == 0`.
    pub text: N::Text,
    /// The condition.
    pub condition: N::Condition,
}

/// A device buffer between kernels of one form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temporary<N: Notation> {
    /// The type of one element.
    pub element: ScalarType,
    /// The number of its elements.
    pub length: N::Size,
}

/// The devices that a form is for. The host is none of them: it always computes the plain form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceClass {
    /// Every device.
    Any,
    /// GPUs, and whatever is neither a GPU nor a processor.
    Accelerator,
    /// Processors.
    Processor,
    /// Processors with fewer compute units than this.
    ProcessorBelow(u32),
}

impl fmt::Display for DeviceClass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceClass::Any => formatter.write_str("any device"),
            DeviceClass::Accelerator => formatter.write_str("GPUs and other accelerators"),
            DeviceClass::Processor => formatter.write_str("processors"),
            DeviceClass::ProcessorBelow(units) => {
                write!(formatter, "processors with fewer than {units} compute units")
            }
        }
    }
}
