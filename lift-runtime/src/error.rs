//! What can go wrong between a call and its result.
//!
//! Every message names things as the user wrote them: arguments, sizes and devices. Nothing that a user does
//! makes this crate panic.

use std::fmt;

use thiserror::Error as ThisError;

use crate::program::Program;

/// A result with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed. Unless a variant says otherwise, the error was found before anything was launched.
#[derive(Clone, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// There is no device to compute on.
    #[error(
        "there is no OpenCL device: {reason}\nhelp: install a driver; on Debian or Ubuntu \
         `apt install pocl-opencl-icd` computes on the CPU, and a GPU needs its vendor's package \
         (`nvidia-opencl-icd`, `intel-opencl-icd`, `mesa-opencl-icd`); or build `lift` with its feature `host`"
    )]
    NoDevice {
        /// What was looked for and what was found instead.
        reason: String,
    },
    /// The environment variable `LIFT_DEVICE` names no device.
    #[error("`LIFT_DEVICE={wanted}` names no device: {}{}", listed(.available), because(.hidden_by))]
    DeviceNotFound {
        /// The value of the variable.
        wanted: String,
        /// The names of the devices there are.
        available: Vec<String>,
        /// Why there is no OpenCL device, if an environment variable is the cause.
        hidden_by: Option<String>,
    },
    /// The environment variable `LIFT_DEVICE` asks for the host backend.
    #[error(
        "`LIFT_DEVICE=host`: there is no host backend, because `lift` was built without its feature `host`\nhelp: \
         build it with the default features, or unset the variable"
    )]
    HostBackendMissing,
    /// The environment variable `LIFT_HOST_INSTRUCTIONS` names no instruction set that this processor has.
    #[error(
        "`LIFT_HOST_INSTRUCTIONS={wanted}` names no instruction set of this processor: there {}",
        chosen_from(.available)
    )]
    NoSuchInstructions {
        /// The value of the variable.
        wanted: String,
        /// The names of the sets there are.
        available: Vec<String>,
    },
    /// A kernel may not run on this device.
    #[error("`{program}` is restricted to {needed}, but {}", computed_on(.device, .chosen, .program))]
    RestrictedKernel {
        /// The kernel.
        program: String,
        /// The devices that it may run on.
        needed: String,
        /// The device.
        device: String,
        /// The value of `LIFT_DEVICE`, if that chose the device.
        chosen: Option<String>,
    },
    /// A kernel may run on none of the devices.
    #[error(
        "`{program}` is restricted to {needed}, and there is none{}\nhelp: `lift::doctor()` says what there is to compute with",
        because(.hidden_by)
    )]
    NoAllowedDevice {
        /// The kernel.
        program: String,
        /// The devices that it may run on.
        needed: String,
        /// Why there is no OpenCL device, if an environment variable is the cause.
        hidden_by: Option<String>,
    },
    /// A program has no code for the host.
    #[error(
        "`{program}` has code for OpenCL devices only, but the call computes on the device `{device}`\nhelp: \
         `LIFT_DEVICE` chooses another device; `lift::doctor()` says what is missing for OpenCL"
    )]
    NoHostCode {
        /// The program.
        program: String,
        /// The device.
        device: String,
    },
    /// A device array is on another device than the one that is to compute.
    #[error("`{argument}` is on the device `{found}`, but the call computes on `{expected}`")]
    OtherDevice {
        /// The argument.
        argument: String,
        /// The device of the call.
        expected: String,
        /// The device of the array.
        found: String,
    },
    /// An array has a different number of dimensions than its parameter.
    #[error(
        "`{argument}` has {}, but {expected} {} needed",
        counted(*.found as u64, "dimension"),
        if *.expected == 1 { "is" } else { "are" }
    )]
    Rank {
        /// The argument.
        argument: String,
        /// The number of dimensions of the parameter.
        expected: usize,
        /// The number of dimensions of the array.
        found: usize,
    },
    /// Two arrays whose elements are only moved hold rows of different shapes, although both may end up in
    /// one array.
    #[error(
        "`{argument}` holds {}, but `{other}` holds {}, and both may come to stand in one array",
        rows_of_shape(.found),
        rows_of_shape(.expected)
    )]
    RowShapes {
        /// The argument.
        argument: String,
        /// The lengths of a row of the array; empty for scalars.
        found: Vec<usize>,
        /// The argument that it is compared with.
        other: String,
        /// The lengths of a row of the other array.
        expected: Vec<usize>,
    },
    /// Arrays side by side, which were uploaded as one array of tuples, differ in their shape.
    #[error(
        "component {component} of an array of tuples has the shape {found:?}, but the array has the shape {expected:?}"
    )]
    ComponentShape {
        /// The position of the component among all that are not tuples themselves, from 0.
        component: usize,
        /// The shape of the array, which is that of its first component.
        expected: Vec<usize>,
        /// The shape of this component.
        found: Vec<usize>,
    },
    /// The elements of an argument or result have another type than the program's.
    #[error("`{argument}` holds elements of type {found}, but {expected} is needed")]
    ElementType {
        /// The argument.
        argument: String,
        /// The type that the program needs.
        expected: String,
        /// The type that was given.
        found: String,
    },
    /// The size of an argument is not what its type and the other arguments demand.
    #[error(transparent)]
    SizeMismatch(Box<SizeMismatch>),
    /// No natural number makes a size expression equal to the size of an argument.
    #[error(
        "{}, but no `{unknown}` makes `{size}` equal to that",
        place_of_size(.argument, *.dimension, *.rank, *.found)
    )]
    NoSuchSize {
        /// The argument.
        argument: String,
        /// Which of its dimensions, from 0; `None` where the argument is a size itself.
        dimension: Option<usize>,
        /// How many dimensions it has.
        rank: usize,
        /// The size there.
        found: u64,
        /// The size that the type demands.
        size: String,
        /// The variable that was to be found.
        unknown: String,
    },
    /// The arguments do not determine a size.
    #[error("`{name}` does not follow from the sizes of the arguments of `{program}`")]
    UndeterminedSize {
        /// The program.
        program: String,
        /// The size variable.
        name: String,
    },
    /// A size has no value: an overflow, a division by zero, a negative result.
    #[error("the size `{size}` in `{program}` {reason}")]
    Size {
        /// The program.
        program: String,
        /// The size.
        size: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A size is smaller than the program allows.
    #[error("`{name}` is {found}, but `{program}` needs at least {minimum}")]
    SizeTooSmall {
        /// The program.
        program: String,
        /// The size variable.
        name: String,
        /// Its value.
        found: u64,
        /// Its smallest admissible value.
        minimum: u64,
    },
    /// A constraint that could only be checked with actual sizes does not hold.
    #[error("{constraint}, but {actual}")]
    Obligation {
        /// The constraint, in the words of the program.
        constraint: String,
        /// The sizes that break it.
        actual: String,
    },
    /// The destination of a result has the wrong shape. It was not touched.
    #[error(
        "the destination has the shape {found:?}, but the result of `{program}` has the shape {expected:?}"
    )]
    DestinationShape {
        /// The program.
        program: String,
        /// The shape of the result.
        expected: Vec<usize>,
        /// The shape of the destination.
        found: Vec<usize>,
    },
    /// The destination of `enqueue_into` shares its memory with another device array. It was not touched.
    #[error(
        "the destination of `{program}` shares its memory with another device array, which would change with it\nhelp: \
         a clone shares memory, so do an array of tuples and its components, and what was uploaded from a device array: \
         let `upload` copy host data, or `enqueue` return an array"
    )]
    SharedDestination {
        /// The program.
        program: String,
    },
    /// A kernel needs more of a resource than the device has.
    #[error("`{kernel}` needs {needed} {resource}, but the device `{device}` has {available}")]
    DeviceLimit {
        /// The device.
        device: String,
        /// The kernel, the array, or the program for all its arrays.
        kernel: String,
        /// The resource, with its unit.
        resource: String,
        /// How much is needed.
        needed: u64,
        /// How much there is.
        available: u64,
    },
    /// A kernel cannot be launched with the chosen sizes.
    #[error(
        "`{kernel}` cannot be launched with the global size {global:?} and the local size {local:?}: {reason}"
    )]
    Launch {
        /// The kernel.
        kernel: String,
        /// The work-items of the launch, by dimension.
        global: Vec<usize>,
        /// The work-items of a group, by dimension.
        local: Vec<usize>,
        /// Why it cannot.
        reason: String,
    },
    /// A program has no kernel with this name.
    #[error("`{program}` has no kernel `{kernel}`: {}", listed(.kernels))]
    NoSuchKernel {
        /// The program.
        program: String,
        /// The name.
        kernel: String,
        /// The names of its kernels.
        kernels: Vec<String>,
    },
    /// A program has no form with this name.
    #[error("`{program}` has no form `{form}`: {}", listed_forms(.forms))]
    NoSuchForm {
        /// The program.
        program: String,
        /// The name.
        form: String,
        /// The names of its forms.
        forms: Vec<String>,
    },
    /// A form that was asked for cannot compute this call.
    #[error("the form `{form}` of `{program}` cannot compute this: {reason}")]
    Form {
        /// The program.
        program: String,
        /// The name of the form.
        form: String,
        /// Why it cannot.
        reason: String,
    },
    /// The device lacks an extension that an element type needs.
    #[error("`{program}` computes with {element}, which the device `{device}` does not have (`{extension}`)")]
    MissingExtension {
        /// The device.
        device: String,
        /// The program.
        program: String,
        /// The element type.
        element: String,
        /// The OpenCL extension.
        extension: String,
    },
    /// The program is strict, and the device would compute other bits than the other devices.
    #[error(
        "`{program}` is `#[strict]`, and the device `{device}` {lacks} ({element}), so that it may compute \
         other bits than other devices"
    )]
    Inexact {
        /// The device.
        device: String,
        /// The program.
        program: String,
        /// The element type.
        element: String,
        /// What the device does otherwise, in words.
        lacks: String,
    },
    /// The driver rejected the OpenCL program.
    #[error("the device `{device}` could not build `{program}`:\n{log}")]
    Build {
        /// The device.
        device: String,
        /// The program.
        program: String,
        /// What the driver's compiler said.
        log: String,
    },
    /// The device's memory does not suffice. Kernels may have been launched.
    #[error("the device `{device}` is out of memory ({call})")]
    OutOfDeviceMemory {
        /// The device.
        device: String,
        /// The OpenCL function that reported it.
        call: String,
    },
    /// The host's memory does not suffice. Kernels may have been launched.
    #[error("the host has no room for an array of {bytes} bytes")]
    OutOfHostMemory {
        /// How much was needed.
        bytes: u64,
    },
    /// An OpenCL function failed for another reason. Kernels may have been launched.
    #[error("{call} failed with {status} on the device `{device}`")]
    OpenCl {
        /// The device, or what else was asked.
        device: String,
        /// The OpenCL function.
        call: String,
        /// The name of its status.
        status: String,
    },
    /// The process was forked from one that had computed. Neither threads nor drivers live on in the child.
    #[error(
        "this process was forked from one that had used `lift`, whose threads and drivers do not exist here\nhelp: fork before the first use \
         of `lift`, or start a program of its own (`std::process::Command`)"
    )]
    Forked,
    /// Generated code and this crate do not agree.
    #[error("internal error in `{program}`: {message}\nhelp: this is a bug of `lift`, please report it")]
    Internal {
        /// The program.
        program: String,
        /// What is inconsistent.
        message: String,
    },
}

/// The message: it is what a `main` that returns a [`Result`] shows.
impl std::fmt::Debug for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, formatter)
    }
}

/// A size that differs from what the type of its argument and the other arguments demand.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
pub struct SizeMismatch {
    /// The argument.
    pub argument: String,
    /// Which of its dimensions, from 0; `None` where the argument is a size itself.
    pub dimension: Option<usize>,
    /// How many dimensions it has.
    pub rank: usize,
    /// The size there.
    pub found: u64,
    /// The size that its type demands, as written.
    pub size: String,
    /// The value of that size.
    pub expected: i64,
    /// The values that this follows from, and the origin of each.
    pub because: Vec<KnownSize>,
}

/// A size variable with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSize {
    /// The size as the user knows it.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// The argument that fixed it.
    pub argument: String,
}

impl fmt::Display for SizeMismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, ", place_of_size(&self.argument, self.dimension, self.rank, self.found))?;
        match self.because.as_slice() {
            [] => {
                let verb = if self.rank == 1 && self.expected != 1 { "are" } else { "is" };
                write!(formatter, "but {} {verb} needed", self.size)
            }
            known => write!(formatter, "but {}", value_of_size(&self.size, self.expected, known)),
        }
    }
}

impl fmt::Display for KnownSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KnownSize { name, value, argument } = self;
        // `len(a)` and `m: size` say themselves where they came from.
        match name == argument || name.contains(&format!("({argument}")) {
            true => write!(formatter, "`{name}` is {value}"),
            false => write!(formatter, "`{name}` is {value} because of `{argument}`"),
        }
    }
}

/// "`N` is 5 because of `a`", "`N - 1` is 4 (`N` is 5 because of `a`)".
pub(crate) fn value_of_size(size: &str, value: i64, known: &[KnownSize]) -> String {
    match known {
        [known] if known.name == size => known.to_string(),
        known => {
            let reasons: Vec<String> = known.iter().map(KnownSize::to_string).collect();
            format!("`{size}` is {value} ({})", reasons.join(", "))
        }
    }
}

/// "`a` has 5 elements", "`a` has size 5 in dimension 1", "`n` is 5".
pub(crate) fn place_of_size(argument: &str, dimension: Option<usize>, rank: usize, found: u64) -> String {
    match dimension {
        None => format!("`{argument}` is {found}"),
        Some(_) if rank == 1 => format!("`{argument}` has {}", counted(found, "element")),
        Some(dimension) => format!("`{argument}` has size {found} in dimension {dimension}"),
    }
}

/// What stands at the positions of an array.
fn rows_of_shape(lengths: &[usize]) -> String {
    if lengths.is_empty() { "scalars".to_owned() } else { format!("rows of shape {lengths:?}") }
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Says where a call computes, and who chose that device.
fn computed_on(device: &str, chosen: &Option<String>, program: &str) -> String {
    match chosen {
        None => format!("the call computes on the device `{device}`"),
        Some(value) => format!(
            "`LIFT_DEVICE={value}` chooses the device `{device}`\nhelp: unset the variable, or let it name another device; \
             `{program}::on(&device)?` takes no notice of it"
        ),
    }
}

/// "is only `compiled`", "are `compiled`, `avx2`".
fn chosen_from(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{} {}", if names.len() == 1 { "is only" } else { "are" }, quoted.join(", "))
}

/// A line about the variable that hides OpenCL devices.
fn because(hidden_by: &Option<String>) -> String {
    hidden_by.as_ref().map_or(String::new(), |reason| format!("\nnote: {reason}"))
}

fn listed_forms(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "it has none".to_owned(),
        [only] => format!("its only form is {only}"),
        [first @ .., last] => format!("its forms are {} and {last}", first.join(", ")),
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "there is none".to_owned(),
        [only] => format!(
            "there is only `{only}`\nhelp: `lift::doctor()` says what there is to compute with, and what is missing"
        ),
        names => {
            let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("there are {}", quoted.join(", "))
        }
    }
}
/// A mistake of this crate or of the compiler, found in a call of a program.
pub(crate) fn internal(program: &Program, message: String) -> Error {
    Error::Internal { program: program.name.to_owned(), message }
}
