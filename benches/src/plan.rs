//! Kernels that the harness itself launches: their text and their arguments.

/// The kernels of one call, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// OpenCL C.
    pub(crate) source: String,
    /// Options of the OpenCL compiler.
    pub(crate) options: String,
    /// The launches, in order.
    pub(crate) launches: Vec<Launch>,
    /// The number of elements of each buffer between the kernels; the buffers are zero before the first call.
    pub(crate) scratch: Vec<usize>,
}

/// One launch.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The kernel's name.
    pub(crate) entry: String,
    /// The number of work-items.
    pub(crate) global: [usize; 3],
    /// The number of work-items of a group.
    pub(crate) local: [usize; 3],
    /// The arguments, in the order of the kernel's parameters.
    pub(crate) arguments: Vec<Argument>,
}

/// What a parameter of a kernel is bound to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Argument {
    /// The case's input at this position.
    Input(usize),
    /// The case's result at this position.
    Output(usize),
    /// The buffer between kernels at this position.
    Scratch(usize),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
}

impl Plan {
    /// Kernels of this text.
    pub(crate) fn new(source: &str) -> Plan {
        Plan { source: source.to_owned(), ..Plan::default() }
    }

    /// Defines a macro for the text.
    pub(crate) fn define(mut self, name: &str, value: impl std::fmt::Display) -> Plan {
        let separator = if self.options.is_empty() { "" } else { " " };
        self.options += &format!("{separator}-D {name}={value}");
        self
    }

    /// A buffer between kernels.
    pub(crate) fn scratch(mut self, elements: usize) -> Plan {
        self.scratch.push(elements);
        self
    }

    /// The next launch, over `groups` work-groups of `local` work-items in each dimension.
    pub(crate) fn launch<const D: usize>(
        mut self,
        entry: &str,
        groups: [usize; D],
        local: [usize; D],
        arguments: &[Argument],
    ) -> Plan {
        let local = three(local);
        let groups = three(groups);
        let global = [groups[0] * local[0], groups[1] * local[1], groups[2] * local[2]];
        self.launches.push(Launch { entry: entry.to_owned(), global, local, arguments: arguments.to_vec() });
        self
    }
}

/// A size as an argument of a kernel.
pub(crate) fn int(size: usize) -> Argument {
    Argument::Int(i32::try_from(size).unwrap_or(i32::MAX))
}

/// A size as an argument of a kernel that computes indices with 64 bits.
pub(crate) fn long(size: usize) -> Argument {
    Argument::Long(i64::try_from(size).unwrap_or(i64::MAX))
}

fn three<const D: usize>(given: [usize; D]) -> [usize; 3] {
    let mut sizes = [1; 3];
    sizes.iter_mut().zip(given).for_each(|(size, given)| *size = given);
    sizes
}
