//! The reasons why a device cannot execute a program, and the messages for the user.

use super::barrier;
use crate::diagnostic::Diagnostic;
use crate::ir::code::Notes;
use crate::ir::kernel::BufferId;
use crate::ir::kernel::parameters::Unavailable;
use crate::ir::source::Source;
use crate::ir::typed::Program;

/// Why the code of a kernel cannot be divided among work-items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Error {
    /// The program states a number of launches that is neither one nor the number of kernels.
    LaunchCount {
        /// The source of the first superfluous launch or, if there are too few, of the last one.
        source: Source,
        /// The number of launches stated.
        stated: usize,
        /// The number of kernels.
        kernels: usize,
    },
    /// One kernel distributes work over groups and, elsewhere, over the work-items of the device.
    MixedLevels,
    /// An array private to each work-item is computed by all work-items of a dimension.
    SharedScratch,
    /// A work-item reads an element of a private array that another one makes.
    SharedRegisters(BufferId),
    /// For any launch, an array in local memory would have an unknown number of copies.
    UnboundedCopies(BufferId),
    /// A barrier would stand where not all work-items of a group arrive.
    Unreachable(barrier::Unreachable),
    /// A pass lost something that a kernel uses: never the user's fault.
    Unavailable(Unavailable),
}

impl Error {
    /// The message for the user.
    pub(super) fn diagnostic(&self, program: &Program, notes: &Notes) -> Diagnostic {
        let source = program.body.source;
        let made_at = |buffer: &BufferId| notes.made_at.get(buffer).copied().unwrap_or(source);
        match self {
            Error::LaunchCount { source, stated, kernels } => {
                let kernels = match kernels {
                    1 => "1 kernel".to_owned(),
                    several => format!("{several} kernels"),
                };
                let message =
                    format!("`{}` runs as {kernels}, and `launch` is given {stated} times", program.name);
                Diagnostic::new(*source, message).with_help(
                    "give it once, for all kernels, or once for each, in the order in which they run; \
                     `#[launch()]` leaves one to the compiler",
                )
            }
            Error::MixedLevels => Diagnostic::new(
                source,
                "one kernel distributes work over work-groups with `mapWrg`, and elsewhere over the \
                 work-items of the device with `mapGlb`",
            )
            .with_help("use one of them throughout, or `let` the device make one array before the other"),
            Error::SharedScratch => Diagnostic::new(
                source,
                "an array that one work-item makes for itself is made outside the map that distributes a \
                 dimension: all work-items of that dimension would make it",
            )
            .with_help(
                "use `mapSeq` instead of the inner `mapGlb`, or make the array short and of a known length",
            ),
            Error::SharedRegisters(buffer) => {
                let help = match notes.accumulators.contains(buffer) {
                    true => {
                        "let each work-item read its own elements only, or store what the function makes \
                         with `toLocal`: what the steps make lies there then, where every work-item of the \
                         group can read it"
                    }
                    false => {
                        "read it by the same work-items, as in `… >> mapLcl0(toGlobal(id))`, or store it \
                         with `toLocal`, where every work-item of the group can read it"
                    }
                };
                Diagnostic::new(
                    made_at(buffer),
                    "the work-items of a group compute this array together, but private memory shows each of \
                     them only its own elements, and another one reads them",
                )
                .with_help(help)
            }
            Error::UnboundedCopies(buffer) => Diagnostic::new(
                made_at(buffer),
                "with `#[launch(any)]` an array that the work-items of a group compute together lies in \
                 local memory, and there is one for each step of a `mapLcl` around it, whose number of \
                 steps is not known during compilation",
            )
            .with_help(
                "split the array of the outer `mapLcl` into chunks of a constant length, or leave `any` out: \
                 pinned, each work-item keeps its elements to itself",
            ),
            Error::Unreachable(barrier) => {
                let source = if barrier.source == Source::UNKNOWN { source } else { barrier.source };
                let message = format!(
                    "{}, but the barrier that this needs would stand where not all work-items of the group \
                     arrive",
                    barrier.reason
                );
                Diagnostic::new(source, message).with_help(match barrier.ends_early {
                    true => {
                        "some work-items may be done with this earlier than others: put it outside of the \
                         surrounding `mapLcl`, or let it store nothing that others read"
                    }
                    false => {
                        "make the length of the surrounding `mapLcl` the number of work-items, or store less \
                         often"
                    }
                })
            }
            Error::Unavailable(what) => {
                Diagnostic::internal(source, &format!("the passes for a device lost something: {what:?}"))
            }
        }
    }
}
