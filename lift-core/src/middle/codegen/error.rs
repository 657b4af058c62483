//! What code cannot be generated for, and what the user is told about it.

use crate::diagnostic::Diagnostic;
use crate::ir::kernel::parameters::Unavailable;
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, ReduceKind};
use crate::ir::types::Type;

/// Why there is no code for a part of a program.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Error {
    /// Where the part is.
    source: Source,
    problem: Problem,
}

/// What there is no code for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Problem {
    /// A parameter or result that is no scalar, no array of scalars and no tuple of these.
    Boundary(Type),
    /// A parameter of a user function that is no scalar.
    FunctionParameter(Type),
    /// Something that a kernel needs and that cannot be passed to it.
    Unavailable(Unavailable),
    /// An array that the whole device computes inside an `if`.
    DecidedOnDevice,
    /// The branches of an `if` are arrays that have to be computed.
    ArrayBranches,
    /// The work-items of the device compute an accumulator together.
    SharedAccumulator,
    /// The steps of a reduction that work-items share are no updates of single elements.
    NoSharedUpdate {
        /// The reduction.
        kind: ReduceKind,
    },
    /// The elements of the table of such a reduction are no integers that devices update.
    SharedElement {
        /// The reduction.
        kind: ReduceKind,
        /// The type of the table.
        ty: Type,
    },
    /// An unrolled loop has too many iterations, or their number is not known.
    Unrolled {
        /// The primitive.
        origin: &'static str,
        /// The number of iterations.
        extent: Nat,
        /// The largest number that may be unrolled.
        most: i128,
    },
    /// The device makes an array for every application of an `iterate` inside a loop or an `if`.
    IterateInKernel,
    /// An `iterate` of an array that may end early stands inside a loop or an `if`.
    EndInKernel,
    /// An element of joined rows is read at an arbitrary position, and no formula says which row it is in.
    JoinedRows,
    /// Local memory outside of a work-group.
    LocalOutsideGroup,
    /// An array in private memory that all work-items of the device compute together.
    PrivateOfDevice,
    /// An array that all work-items of the device compute, read in a loop of the same kernel.
    GlobalInLoop,
    /// `toGlobal` of what the surrounding expression stores elsewhere.
    GlobalElsewhere,
    /// `toLocal` of the result of a kernel.
    LocalResult,
    /// An array that has no form in memory.
    NotStorable(Type),
    /// An array whose length is no constant, in memory that needs constant lengths.
    OpenLength {
        /// The memory.
        memory: FixedMemory,
        /// The length.
        length: Nat,
        /// What it is for.
        purpose: Purpose,
    },
    /// The same, but only because of the room that `increase` makes.
    OpenRoom {
        /// The length with that room.
        length: Nat,
    },
    /// Rows of different lengths, where the longest length is not known.
    LongestRow {
        /// The type of the rows.
        ty: Type,
        /// What they are for.
        purpose: Purpose,
    },
    /// An inconsistency inside the compiler: never the user's fault.
    Internal(String),
}

/// A memory whose arrays have lengths that are known during compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FixedMemory {
    /// Memory of a work-group.
    Local,
    /// Memory of a work-item.
    Private,
}

/// What an array is stored for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is a value of the program.
    Value,
    /// It is, or belongs to, the accumulator of a reduction.
    Accumulator(Accumulator),
}

/// The accumulator of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accumulator {
    /// A tuple.
    Tuple,
    /// Anything else.
    One,
}

impl Error {
    /// A problem at a place.
    pub(super) fn new(source: Source, problem: Problem) -> Error {
        Error { source, problem }
    }

    /// An inconsistency inside the compiler.
    pub(super) fn internal(source: Source, what: impl Into<String>) -> Error {
        Error::new(source, Problem::Internal(what.into()))
    }

    /// The same error for an array that belongs to an accumulator of this type.
    pub(super) fn of_accumulator(self, accumulator: &Type) -> Error {
        let of = Purpose::Accumulator(match accumulator {
            Type::Tuple(_) => Accumulator::Tuple,
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => Accumulator::One,
        });
        match self.problem {
            Problem::OpenLength { memory, length, purpose: _ } => {
                Error { problem: Problem::OpenLength { memory, length, purpose: of }, ..self }
            }
            Problem::LongestRow { ty, purpose: _ } => {
                Error { problem: Problem::LongestRow { ty, purpose: of }, ..self }
            }
            problem => Error { problem, ..self },
        }
    }

    /// The message for the user. Where the position is unknown, it points to the whole `program`.
    pub(super) fn diagnostic(&self, program: Source) -> Diagnostic {
        let source = if self.source == Source::UNKNOWN { program } else { self.source };
        let says = |message: &str| Diagnostic::new(source, message);
        match &self.problem {
            Problem::Boundary(ty) => says(&format!("`{ty}` cannot cross the boundary of a kernel yet"))
                .with_help("pass and return scalars, arrays of scalars, and tuples of these"),
            Problem::FunctionParameter(ty) => says(&format!("a user function cannot take `{ty}` yet")),
            Problem::Unavailable(unavailable) => not_given(unavailable, source),
            Problem::DecidedOnDevice => says(
                "this array is made by the whole device, but whether it is needed is decided on the device",
            )
            .with_help("compute it before the `if`, with a `let`"),
            Problem::ArrayBranches => {
                says("the branches of this `if` are arrays that need code of their own to be computed")
                    .with_help("choose between elements instead, inside a `map`")
            }
            Problem::SharedAccumulator => says(
                "the work-items of the device compute this accumulator together, but each of them has an \
                 accumulator of its own and sees only its own elements of it",
            )
            .with_help("let one work-item reduce each element: put the reduction inside the parallel map"),
            Problem::NoSharedUpdate { kind } => says(&format!(
                "work-items share the steps of `{}` in any order, so each step must update one element of the \
                 table by `+`, `min`, `max`, `&`, `|` or `^`, and read nothing else of the table",
                kind.name(),
            ))
            .with_help(
                "write it as `|table, x| update(key, at(key, table) + value, table)`, where `key` and `value` are \
                 computed from `x`, or as a `reduceSeq` of such steps; or use `reduceSeq` instead",
            ),
            Problem::SharedElement { kind, ty } => says(&format!(
                "work-items update the table of `{}` at the same time, which devices can do with `i32` and `u32`, \
                 but it is `{ty}`",
                kind.name(),
            ))
            .with_help(
                "use `i32` or `u32`, tuples or arrays of them, for the table; `reduceByKey` takes elements of all types",
            ),
            Problem::Unrolled { origin, extent, most } => says(&format!(
                "`{origin}` writes out every step, but there are `{extent}`"
            ))
            .with_help(format!("unroll at most {most} steps of a known number: `split` the array first")),
            Problem::IterateInKernel => says(
                "every application of this `iterate` is computed by the whole device and must be complete \
                 before the next starts, but it stands inside a loop or an `if` of a kernel",
            )
            .with_help(
                "put it before what stands around it, with a `let`, or let a work-group iterate with \
                 `mapLcl`",
            ),
            Problem::EndInKernel => says(
                "`iterateWhile` of an array stands inside a function or an `if`, and the launcher decides \
                 whether there is another step",
            )
            .with_help(
                "put it outside of all functions; inside of a function, `iterateWhile` takes a number, a \
                 vector or a tuple of such",
            ),
            Problem::JoinedRows => says(
                "an element is read somewhere in joined rows of different lengths that are not stored, and \
                 no formula says which row it is in",
            )
            .with_help(
                "read the elements in order, row by row, or store the rows first: `let rows = toGlobal(…)` \
                 before this",
            ),
            Problem::LocalOutsideGroup => {
                says("local memory belongs to a work-group, but no `mapWrg` stands around this")
                    .with_help("put it inside a `mapWrg0`, or store it with `toPrivate` or `toGlobal`")
            }
            Problem::PrivateOfDevice => says(
                "the work-items of the device compute this array together, but private memory shows each of \
                 them only its own elements",
            )
            .with_help("store it with `toGlobal`, where every work-item can read it"),
            Problem::GlobalInLoop => says(
                "this array is complete only when all work-items of the device are done, but it is read \
                 inside a loop of the same kernel",
            )
            .with_help("compute it outside the surrounding map, with a `let` before it"),
            Problem::GlobalElsewhere => says(
                "`toGlobal` writes what the surrounding expression stores elsewhere",
            )
            .with_help("state one memory for a value: remove `toGlobal` here, or the other `to…` around it"),
            Problem::LocalResult => {
                says("the result of a kernel lies in global memory, but this value is stored with `toLocal`")
                    .with_help("write the result with `toGlobal`, as in `… >> mapLcl0(toGlobal(id))`")
            }
            Problem::NotStorable(ty) => says(&format!("an array of type `{ty}` cannot be stored yet")),
            Problem::OpenLength { memory, length, purpose } => says(&format!(
                "an array in {memory} memory needs a length that is known during compilation, but this has \
                 `{length}` elements",
                memory = memory.name()
            ))
            .with_help(purpose.help(
                "store it with `toGlobal`, or split the array into chunks of a constant length first, as in \
                 `split(64) >> mapWrg0(…) >> join`",
            )),
            Problem::OpenRoom { length } => says(&format!(
                "an array in local memory needs a length that is known during compilation, but with the room \
                 that `increase` makes this has `{length}` elements"
            ))
            .with_help("make room by numbers, as in `increase(0, 1)`"),
            Problem::LongestRow { ty, purpose } => says(&format!(
                "the elements of `{ty}` are stored here, and it is not known how many there are at most"
            ))
            .with_help(purpose.help("`padConstant` makes rows of one length")),
            Problem::Internal(what) => Diagnostic::internal(source, what),
        }
    }
}

fn not_given(unavailable: &Unavailable, source: Source) -> Diagnostic {
    match unavailable {
        Unavailable::Scalar => Diagnostic::new(
            source,
            "a scalar is computed before work that the whole device does, and used after it",
        )
        .with_help("this needs several kernels that pass scalars on, which is not supported yet"),
        Unavailable::PrivateArray => Diagnostic::new(
            source,
            "an array in private memory is made before work that the whole device does, and used after it",
        )
        .with_help("store it with `toGlobal`, or make it again inside the map that reads it"),
        Unavailable::Position(unknown) => Diagnostic::internal(
            source,
            &format!("nothing says what the position `{unknown}` is in a kernel"),
        ),
    }
}

impl FixedMemory {
    /// The memory, where it has a fixed size.
    pub(super) fn of(space: AddressSpace) -> Option<FixedMemory> {
        match space {
            AddressSpace::Global => None,
            AddressSpace::Local => Some(FixedMemory::Local),
            AddressSpace::Private => Some(FixedMemory::Private),
        }
    }

    fn name(self) -> &'static str {
        match self {
            FixedMemory::Local => "local",
            FixedMemory::Private => "private",
        }
    }
}

impl Purpose {
    /// The help text. Splitting the input, as for other values, would not help an accumulator.
    fn help(self, of_value: &'static str) -> &'static str {
        match self {
            Purpose::Value => of_value,
            Purpose::Accumulator(Accumulator::Tuple) => {
                "make the length of the array in the accumulator a number, or compute its components by a \
                 reduction each: an accumulator that is an array of scalars may have any length where no map \
                 is around the reduction"
            }
            Purpose::Accumulator(Accumulator::One) => {
                "make the length of the accumulator a number; without a map around the reduction, it may \
                 have any"
            }
        }
    }
}
