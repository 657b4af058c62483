//! Conditions on sizes: what must hold in the user's words, and what is said where it never does.

use super::{elements, enumerated, quoted};
use crate::diagnostic::Diagnostic;
use crate::front::infer::need::{Need, Reason};
use crate::ir::nat::{Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::Requirement;
use crate::ir::typed::result::Purpose;
use crate::ir::types::VECTOR_WIDTHS;

/// A condition on sizes that does not hold.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum NeedMistake {
    /// It never holds.
    Refuted(Need),
    /// It must hold for every value of an index, and fails for one.
    RefutedAt {
        /// What must hold.
        need: Need,
        /// The index.
        index: Var,
        /// A value for which it does not hold.
        position: Nat,
    },
    /// It is about the length of a row that data delimits, which may be any number.
    OfAnyRow {
        /// What must hold, in words.
        text: String,
    },
    /// It is about positions, which no launch can check, and could not be proved.
    Unproved {
        /// What must hold, in words.
        text: String,
    },
}

impl NeedMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        match self {
            NeedMistake::Refuted(need) => need.refutation(source),
            NeedMistake::RefutedAt { need, index, position } => {
                Diagnostic::new(source, format!("{}; that fails where `{index}` is {position}", need.text()))
            }
            NeedMistake::OfAnyRow { text } => {
                let reads = ["`at(", "`head`", "`last`"].iter().any(|read| text.starts_with(read));
                let help = match reads {
                    true => "`atOr(0, default, row)` has a default for a row without this element",
                    false => "rows of `segments` can be mapped, zipped, reduced, and joined",
                };
                Diagnostic::new(source, format!("{text}, and a row that data delimits may have any length"))
                    .with_help(help)
            }
            NeedMistake::Unproved { text } => {
                Diagnostic::new(source, format!("{text}, which could not be proved")).with_help(
                    "a condition on positions must hold by itself: it cannot be checked before the launch",
                )
            }
        }
    }
}

impl Need {
    /// What must hold, in the user's words.
    pub(in crate::front::infer) fn text(&self) -> String {
        let call = &self.call;
        match (&self.reason, &self.requirement) {
            (Reason::Where(condition, need), _) => format!("{}, where `{condition}`", need.text()),
            (Reason::ForEvery { index, count, need }, _) => {
                format!("{}, for every `{index}` below {}", need.text(), quoted(count))
            }
            (Reason::Clause(clause), _) => format!("`{call}` is only for `{clause}`"),
            (Reason::LengthNotNegative, Requirement::AtMost(_, size)) => {
                format!("the length {} of an array must not be negative", quoted(size))
            }
            (Reason::Primitive(purpose), requirement) => purpose_of_a_call(call, purpose, requirement),
            (Reason::LengthNotNegative | Reason::WholeGroups, requirement) => of_a_call(call, requirement),
        }
    }

    /// The message if it never holds.
    fn refutation(&self, source: Source) -> Diagnostic {
        let call = &self.call;
        let says = |message: String| Diagnostic::new(source, message);
        match (&self.reason, &self.requirement) {
            (Reason::Primitive(purpose), requirement) => {
                refuted_purpose(call, purpose, requirement, says).unwrap_or_else(|| says(self.never_holds()))
            }
            (Reason::LengthNotNegative, Requirement::AtMost(_, size)) => {
                says(format!("the length of an array cannot be negative, and this is {}", quoted(size)))
            }
            (Reason::Clause(clause), requirement) => says(refuted_clause(clause, requirement)),
            (Reason::WholeGroups, Requirement::Divides(local, global)) => says(format!(
                "`{call}`: groups of {} work-items do not fill {}",
                quoted(local),
                quoted(global)
            )),
            (
                Reason::LengthNotNegative | Reason::WholeGroups | Reason::Where(..) | Reason::ForEvery { .. },
                Requirement::Equal(..)
                | Requirement::AtMost(..)
                | Requirement::Divides(..)
                | Requirement::Holds(_)
                | Requirement::Permutation { .. },
            ) => says(self.never_holds()),
        }
    }

    fn never_holds(&self) -> String {
        format!("{}, which never holds", self.text())
    }
}

/// What a call needs, in the words of its purpose.
fn purpose_of_a_call(call: &str, purpose: &Purpose, requirement: &Requirement) -> String {
    match (purpose, requirement) {
        (Purpose::IndexInside(index, length), _) => {
            format!("`{call}` needs every index `{index}` inside the array of {} elements", quoted(length))
        }
        (Purpose::WindowsFill(..), Requirement::Divides(step, length)) => format!(
            "`{call}` needs its last window to end with the array: {} divides {}",
            quoted(step),
            quoted(length)
        ),
        (
            Purpose::WindowFits | Purpose::SliceFits(..) | Purpose::ElementExists,
            Requirement::AtMost(window, length),
        ) => {
            format!("`{call}` needs at least {}, and its input has {}", elements(window), quoted(length))
        }
        (Purpose::NotEmpty, Requirement::AtMost(_, length)) => {
            format!(
                "`{call}` needs an array that is not empty, and its input has {} elements",
                quoted(length)
            )
        }
        (Purpose::Numbered(length), _) => format!(
            "`{call}` numbers elements by `u32`, so that there are fewer than {}, and its input has {}",
            u32::MAX,
            quoted(length)
        ),
        (Purpose::RowsFill, Requirement::Equal(total, length)) => {
            format!("`{call}` makes rows of {} in all, and its input has {}", elements(total), quoted(length))
        }
        (Purpose::Positive, Requirement::AtMost(_, size)) => {
            format!("`{call}` needs {} to be positive", quoted(size))
        }
        (Purpose::NotNegative, Requirement::AtMost(_, size)) => {
            format!("`{call}` needs {} not to be negative", quoted(size))
        }
        (
            Purpose::ChunksFill
            | Purpose::VectorsFill
            | Purpose::RowsFill
            | Purpose::WindowFits
            | Purpose::WindowsFill(..)
            | Purpose::NotEmpty
            | Purpose::StrideFills
            | Purpose::NotNegative
            | Purpose::Positive
            | Purpose::SameSize
            | Purpose::ElementExists
            | Purpose::SliceFits(..)
            | Purpose::OnePlaceEach
            | Purpose::RoomSuffices,
            requirement,
        ) => of_a_call(call, requirement),
    }
}

/// What is said where a call never has what it needs; `None` for purposes without words of their own for
/// that.
fn refuted_purpose(
    call: &str,
    purpose: &Purpose,
    requirement: &Requirement,
    says: impl Fn(String) -> Diagnostic,
) -> Option<Diagnostic> {
    Some(match (purpose, requirement) {
        (Purpose::ChunksFill | Purpose::StrideFills, Requirement::Divides(divisor, size)) => {
            let help = size.as_constant().and_then(divisors).map(|known| format!("{known} would"));
            let message =
                format!("`{call}`: {} does not divide the length {}", quoted(divisor), quoted(size));
            Diagnostic { help, ..says(message) }
        }
        (Purpose::VectorsFill, Requirement::Divides(width, size)) => {
            let message = format!("`{call}`: {} does not divide the length {}", quoted(width), quoted(size));
            says(message).with_help(match widths(size) {
                Some(known) => format!("{known} would; `padConstant` makes an array longer"),
                None => "`padConstant` makes an array longer".to_owned(),
            })
        }
        (Purpose::WindowsFill(window, length), Requirement::Divides(step, _)) => {
            let message = format!(
                "`{call}`: the last window does not end with the array: windows of {} at a distance of \
                 {} leave some of the {} over",
                elements(window),
                quoted(step),
                elements(length)
            );
            Diagnostic { help: fitting_lengths(window, step, length), ..says(message) }
        }
        (Purpose::RowsFill, Requirement::Equal(total, length)) => says(format!(
            "`{call}`: the rows have {} in all, but the array has {}",
            elements(total),
            quoted(length)
        )),
        (Purpose::WindowFits, Requirement::AtMost(window, size)) => says(format!(
            "`{call}`: a window of {} is larger than the array of {}",
            elements(window),
            quoted(size)
        ))
        .with_help("`pad` makes an array larger"),
        (Purpose::Positive, Requirement::AtMost(_, size)) => {
            says(format!("`{call}`: this size must be at least 1, and it is {}", quoted(size)))
        }
        (Purpose::NotNegative, Requirement::AtMost(_, size)) => {
            says(format!("`{call}`: a size cannot be negative, and this is {}", quoted(size)))
        }
        (Purpose::ElementExists, Requirement::AtMost(_, length)) => no_such_element(call, length, says),
        (Purpose::Numbered(length), _) => says(format!(
            "`{call}` numbers elements by `u32`: it takes fewer than {}, and these are {}",
            u32::MAX,
            quoted(length)
        )),
        (Purpose::SliceFits(..), Requirement::AtMost(count, length)) if call.starts_with("topK(") => {
            says(format!("`{call}` takes {}, but the array has {}", elements(count), quoted(length)))
        }
        (Purpose::SliceFits(..), Requirement::AtMost(end, length)) => {
            says(format!("`{call}` ends at {}, after the array of {}", quoted(end), elements(length)))
                .with_help(
                    "`slice(start, len)` takes `len` elements from position `start` on, counted from 0",
                )
        }
        (Purpose::NotEmpty, Requirement::AtMost(..)) => {
            says(format!("`{call}`: the array is empty, so there is no element to repeat"))
                .with_help("`padConstant` takes the added element")
        }
        (
            Purpose::ChunksFill
            | Purpose::VectorsFill
            | Purpose::RowsFill
            | Purpose::WindowFits
            | Purpose::WindowsFill(..)
            | Purpose::NotEmpty
            | Purpose::StrideFills
            | Purpose::IndexInside(..)
            | Purpose::NotNegative
            | Purpose::Positive
            | Purpose::SameSize
            | Purpose::ElementExists
            | Purpose::SliceFits(..)
            | Purpose::OnePlaceEach
            | Purpose::RoomSuffices,
            Requirement::Equal(..)
            | Requirement::AtMost(..)
            | Requirement::Divides(..)
            | Requirement::Holds(_)
            | Requirement::Permutation { .. },
        ) => return None,
    })
}

/// What a call needs, for reasons that need no words of their own.
fn of_a_call(call: &str, requirement: &Requirement) -> String {
    match requirement {
        Requirement::Divides(divisor, size) => {
            format!("`{call}` needs {} to divide {}", quoted(divisor), quoted(size))
        }
        Requirement::AtMost(least, most) => {
            format!("`{call}` needs {} to be at most {}", quoted(least), quoted(most))
        }
        Requirement::Equal(left, right) => {
            format!("`{call}` needs {} to equal {}", quoted(left), quoted(right))
        }
        Requirement::Holds(condition) => format!("`{call}` needs `{condition}`"),
        Requirement::Permutation { index, image, length } => format!(
            "`{call}` needs `|{index}| {image}` to be a permutation of the positions of {}",
            elements(length)
        ),
    }
}

fn refuted_clause(clause: &str, requirement: &Requirement) -> String {
    match requirement {
        Requirement::Divides(divisor, size) => {
            format!("`where {clause}` does not hold: {} does not divide {}", quoted(divisor), quoted(size))
        }
        Requirement::Equal(left, right) => {
            format!("`where {clause}` does not hold: {} is not {}", quoted(left), quoted(right))
        }
        Requirement::AtMost(..) | Requirement::Holds(_) | Requirement::Permutation { .. } => {
            format!("`where {clause}` never holds")
        }
    }
}

fn no_such_element(call: &str, length: &Nat, says: impl Fn(String) -> Diagnostic) -> Diagnostic {
    let known = length.as_constant();
    if known == Some(0) {
        return says(format!("`{call}`: the array is empty"));
    }
    let positions = known.filter(|length| *length > 0);
    Diagnostic {
        help: positions.map(|length| format!("positions are counted from 0 to {}", length - 1)),
        ..says(format!("`{call}`: there is no such element in an array of {}", elements(length)))
    }
}

/// The lengths nearest to this one that windows fill completely.
fn fitting_lengths(window: &Nat, step: &Nat, length: &Nat) -> Option<String> {
    let (window, step, length) = (window.as_constant()?, step.as_constant()?, length.as_constant()?);
    if step <= 0 || window > length {
        return None;
    }
    let below = length.saturating_sub(length.saturating_sub(window) % step);
    Some(format!("arrays of {below} and of {} elements fit", below.saturating_add(step)))
}

/// The widths of vectors that divide a number, in a sentence.
fn widths(number: &Nat) -> Option<String> {
    let number = number.as_constant()?;
    let fitting: Vec<u8> =
        VECTOR_WIDTHS.iter().copied().filter(|width| number % i128::from(*width) == 0).collect();
    (!fitting.is_empty()).then(|| enumerated(&fitting))
}

/// The divisors of a small number in a sentence: "1, 2, 4 and 8".
fn divisors(number: i128) -> Option<String> {
    if !(1..=65536).contains(&number) {
        return None;
    }
    let all: Vec<i128> = (1..=number).filter(|divisor| number % divisor == 0).collect();
    match all.as_slice() {
        [only] => Some(format!("only {only}")),
        several if several.len() <= 12 => Some(enumerated(several)),
        [] | [..] => None,
    }
}
