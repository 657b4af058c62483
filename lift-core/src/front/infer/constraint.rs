//! What primitives need of sizes: proved, refuted, or left to the launch.
//!
//! A need is decided where it arises. One that is neither proved nor refuted is assumed from then on, since the
//! launch checks it before anything runs, and decided once more at the end, when all sizes are known.

use super::Inference;
use super::primitives::enumerated;
use crate::diagnostic::Diagnostic;
use crate::ir::nat::{Condition, Nat, Ranges, Substitution};
use crate::ir::source::Source;
use crate::ir::typed::{Obligation, Requirement};
use crate::ir::types::VECTOR_WIDTHS;

/// A constraint on sizes with what its messages need.
#[derive(Debug, Clone)]
pub(super) struct Need {
    /// What must hold.
    pub(super) requirement: Requirement,
    /// Why.
    pub(super) reason: Reason,
    /// The call that needs it, as `split(4)`.
    pub(super) call: String,
    /// Where.
    pub(super) source: Source,
}

/// Why something is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reason {
    /// `split(m)`: the chunks fill the array.
    ChunksFill,
    /// `asVector(n)`: the vectors fill the array.
    VectorsFill,
    /// `partition`: the rows take all elements.
    RowsFill,
    /// `slide`: a window is not larger than the array.
    WindowFits,
    /// `slide`: the last window ends at the last element. The windows and the array have these sizes.
    WindowsFill(Nat, Nat),
    /// `pad`: there is an element to take.
    NotEmpty,
    /// `stride(s)`: it is a permutation.
    StrideFills,
    /// `gather`, `pad`: an index function, which is this, stays inside an array of this length.
    IndexInside(Nat, Nat),
    /// A size is a natural number.
    NotNegative,
    /// A length that is written in a type is a natural number.
    LengthNotNegative,
    /// A size by which something is divided.
    Positive,
    /// Two lengths that only the launch knows.
    SameSize,
    /// `at`, `head`, `last`: there is an element at the position.
    ElementExists,
    /// `slice`: the elements from the first size on, as many as the second, are inside.
    SliceFits(Nat, Nat),
    /// `launch`: the work-groups are whole.
    WholeGroups,
    /// `scatter`: no two elements are written to one place.
    OnePlaceEach,
    /// A `where` clause says so.
    Clause(String),
    /// These words say it.
    Stated(String),
}

impl Need {
    /// The need with an operation applied to its sizes.
    pub(super) fn map(
        &self,
        size: impl Fn(&Nat) -> Nat,
        condition: impl Fn(&Condition) -> Condition,
    ) -> Need {
        let requirement = match &self.requirement {
            Requirement::Equal(left, right) => Requirement::Equal(size(left), size(right)),
            Requirement::AtMost(left, right) => Requirement::AtMost(size(left), size(right)),
            Requirement::Divides(left, right) => Requirement::Divides(size(left), size(right)),
            Requirement::Holds(held) => Requirement::Holds(condition(held)),
            Requirement::Permutation { index, image, length } => {
                Requirement::Permutation { index: index.clone(), image: size(image), length: size(length) }
            }
        };
        let reason = match &self.reason {
            Reason::WindowsFill(window, length) => Reason::WindowsFill(size(window), size(length)),
            Reason::IndexInside(index, length) => Reason::IndexInside(size(index), size(length)),
            Reason::SliceFits(start, count) => Reason::SliceFits(size(start), size(count)),
            other => other.clone(),
        };
        Need { requirement, reason, ..self.clone() }
    }

    /// What must hold, in the user's words.
    pub(super) fn text(&self) -> String {
        let call = &self.call;
        match (&self.reason, &self.requirement) {
            (Reason::Stated(text), _) => text.clone(),
            (Reason::Clause(clause), _) => format!("`{call}` is only for `{clause}`"),
            (Reason::IndexInside(index, length), _) => {
                format!(
                    "`{call}` needs every index `{index}` inside the array of {} elements",
                    quoted(length)
                )
            }
            (Reason::WindowsFill(..), Requirement::Divides(step, length)) => format!(
                "`{call}` needs its last window to end with the array: {} divides {}",
                quoted(step),
                quoted(length)
            ),
            (
                Reason::WindowFits | Reason::SliceFits(..) | Reason::ElementExists,
                Requirement::AtMost(window, length),
            ) => {
                format!("`{call}` needs at least {}, and its input has {}", elements(window), quoted(length))
            }
            (Reason::NotEmpty, Requirement::AtMost(_, length)) => {
                format!(
                    "`{call}` needs an array that is not empty, and its input has {} elements",
                    quoted(length)
                )
            }
            (Reason::RowsFill, Requirement::Equal(total, length)) => format!(
                "`{call}` makes rows of {} in all, and its input has {}",
                elements(total),
                quoted(length)
            ),
            (Reason::Positive, Requirement::AtMost(_, size)) => {
                format!("`{call}` needs {} to be positive", quoted(size))
            }
            (Reason::NotNegative, Requirement::AtMost(_, size)) => {
                format!("`{call}` needs {} not to be negative", quoted(size))
            }
            (Reason::LengthNotNegative, Requirement::AtMost(_, size)) => {
                format!("the length {} of an array must not be negative", quoted(size))
            }
            (_, Requirement::Divides(divisor, size)) => {
                format!("`{call}` needs {} to divide {}", quoted(divisor), quoted(size))
            }
            (_, Requirement::AtMost(least, most)) => {
                format!("`{call}` needs {} to be at most {}", quoted(least), quoted(most))
            }
            (_, Requirement::Equal(left, right)) => {
                format!("`{call}` needs {} to equal {}", quoted(left), quoted(right))
            }
            (_, Requirement::Holds(condition)) => format!("`{call}` needs `{condition}`"),
            (_, Requirement::Permutation { index, image, length }) => format!(
                "`{call}` needs `|{index}| {image}` to be a permutation of the positions of {}",
                elements(length)
            ),
        }
    }

    /// What to say when it never holds.
    fn refutation(&self) -> Diagnostic {
        let call = &self.call;
        match (&self.requirement, &self.reason) {
            (Requirement::Divides(divisor, size), Reason::ChunksFill | Reason::StrideFills) => {
                let message =
                    format!("`{call}`: {} does not divide the length {}", quoted(divisor), quoted(size));
                let diagnostic = Diagnostic::new(self.source, message);
                match size.as_constant().and_then(divisors) {
                    Some(known) => diagnostic.with_help(format!("{known} would")),
                    None => diagnostic,
                }
            }
            (Requirement::Divides(width, size), Reason::VectorsFill) => {
                let message =
                    format!("`{call}`: {} does not divide the length {}", quoted(width), quoted(size));
                Diagnostic::new(self.source, message).with_help(match widths(size) {
                    Some(known) => format!("{known} would; `padConstant` makes an array longer"),
                    None => "`padConstant` makes an array longer".to_owned(),
                })
            }
            (Requirement::Divides(step, _), Reason::WindowsFill(window, length)) => {
                let message = format!(
                    "`{call}`: the last window does not end with the array: windows of {} at a distance of {} \
                     leave some of the {} over",
                    elements(window),
                    quoted(step),
                    elements(length)
                );
                let diagnostic = Diagnostic::new(self.source, message);
                match (window.as_constant(), step.as_constant(), length.as_constant()) {
                    (Some(window), Some(step), Some(length)) if step > 0 && window <= length => {
                        let below = length.saturating_sub(length.saturating_sub(window) % step);
                        diagnostic.with_help(format!(
                            "arrays of {below} and of {} elements fit",
                            below.saturating_add(step)
                        ))
                    }
                    _ => diagnostic,
                }
            }
            (Requirement::Equal(total, length), Reason::RowsFill) => Diagnostic::new(
                self.source,
                format!(
                    "`{call}`: the rows have {} in all, but the array has {}",
                    elements(total),
                    quoted(length)
                ),
            ),
            (Requirement::AtMost(window, size), Reason::WindowFits) => Diagnostic::new(
                self.source,
                format!(
                    "`{call}`: a window of {} is larger than the array of {}",
                    elements(window),
                    quoted(size)
                ),
            )
            .with_help("`pad` makes an array larger"),
            (Requirement::AtMost(_, size), Reason::Positive) => Diagnostic::new(
                self.source,
                format!("`{call}`: this size must be at least 1, and it is {}", quoted(size)),
            ),
            (Requirement::AtMost(_, size), Reason::NotNegative) => Diagnostic::new(
                self.source,
                format!("`{call}`: a size cannot be negative, and this is {}", quoted(size)),
            ),
            (Requirement::AtMost(_, size), Reason::LengthNotNegative) => Diagnostic::new(
                self.source,
                format!("the length of an array cannot be negative, and this is {}", quoted(size)),
            ),
            (requirement, Reason::Clause(clause)) => {
                let message = match requirement {
                    Requirement::Divides(divisor, size) => format!(
                        "`where {clause}` does not hold: {} does not divide {}",
                        quoted(divisor),
                        quoted(size)
                    ),
                    Requirement::Equal(left, right) => {
                        format!("`where {clause}` does not hold: {} is not {}", quoted(left), quoted(right))
                    }
                    Requirement::AtMost(..) | Requirement::Holds(_) | Requirement::Permutation { .. } => {
                        format!("`where {clause}` never holds")
                    }
                };
                Diagnostic::new(self.source, message)
            }
            (Requirement::Divides(local, global), Reason::WholeGroups) => Diagnostic::new(
                self.source,
                format!("`{call}`: groups of {} work-items do not fill {}", quoted(local), quoted(global)),
            ),
            (Requirement::AtMost(_, length), Reason::ElementExists) if length.as_constant() == Some(0) => {
                Diagnostic::new(self.source, format!("`{call}`: the array is empty"))
            }
            (Requirement::AtMost(_, length), Reason::ElementExists) => {
                let message =
                    format!("`{call}`: there is no such element in an array of {}", elements(length));
                let diagnostic = Diagnostic::new(self.source, message);
                match length.as_constant() {
                    Some(length) if length > 0 => {
                        diagnostic.with_help(format!("positions are counted from 0 to {}", length - 1))
                    }
                    _ => diagnostic,
                }
            }
            (Requirement::AtMost(end, length), Reason::SliceFits(..)) => Diagnostic::new(
                self.source,
                format!("`{call}` ends at {}, after the array of {}", quoted(end), elements(length)),
            )
            .with_help("`slice(start, len)` takes `len` elements from position `start` on, counted from 0"),
            (Requirement::AtMost(..), Reason::NotEmpty) => Diagnostic::new(
                self.source,
                format!("`{call}`: the array is empty, so there is no element to repeat"),
            )
            .with_help("`padConstant` takes the added element"),
            _ => Diagnostic::new(self.source, format!("{}, which never holds", self.text())),
        }
    }
}

impl Inference<'_> {
    /// Demands something of sizes. None when it never holds, which is reported.
    pub(super) fn need(&mut self, need: Need) -> Option<()> {
        if self.unreached > 0 {
            return Some(());
        }
        let need = self.resolved(&need);
        match decide(&need.requirement, &self.facts) {
            Some(true) => {}
            Some(false) => {
                self.report(need.refutation());
                return None;
            }
            None => {
                assume(&need.requirement, &mut self.facts);
                self.needs.push(Need { source: self.located(need.source), ..need });
            }
        }
        Some(())
    }

    pub(super) fn resolved(&self, need: &Need) -> Need {
        need.map(
            |size| self.facts.simplify(&self.unknowns.resolve_size(size)),
            |condition| self.unknowns.resolve_condition(condition),
        )
    }

    /// Decides every need that is left, in order, with `facts` and those before it; what remains is for the
    /// launch.
    pub(super) fn obligations(&mut self, facts: &mut Ranges, renamed: &Substitution) -> Vec<Obligation> {
        let mut obligations = Vec::new();
        for need in std::mem::take(&mut self.needs) {
            let need = need.map(
                |size| facts.simplify(&self.unknowns.resolve_size(size).substitute(renamed)),
                |condition| self.unknowns.resolve_condition(condition).substitute(renamed),
            );
            match decide(&need.requirement, facts) {
                Some(true) => {}
                Some(false) => self.report(need.refutation()),
                None => {
                    assume(&need.requirement, facts);
                    let text = need.text();
                    obligations.push(Obligation { requirement: need.requirement, text, source: need.source });
                }
            }
        }
        obligations
    }
}

fn decide(requirement: &Requirement, facts: &Ranges) -> Option<bool> {
    match requirement {
        Requirement::Equal(left, right) => facts.is_equal(left, right),
        Requirement::AtMost(left, right) => facts.is_at_most(left, right),
        Requirement::Divides(divisor, size) => facts.divides(divisor, size),
        Requirement::Holds(condition) => facts.decide(condition),
        Requirement::Permutation { index, image, length } => {
            enumerated(index, image, length).map(|collision| collision.is_none())
        }
    }
}

/// Learns that a requirement is met.
pub(super) fn assume(requirement: &Requirement, facts: &mut Ranges) {
    match requirement {
        Requirement::Equal(left, right) => facts.assume(&Condition::Equal(left.clone(), right.clone())),
        Requirement::AtMost(left, right) => {
            facts.assume(&Condition::LessOrEqual(left.clone(), right.clone()))
        }
        Requirement::Divides(divisor, size) => facts.assume_divides(divisor, size),
        Requirement::Holds(condition) => facts.assume(condition),
        // Its inverse is unknown, and nothing about sizes follows from it.
        Requirement::Permutation { .. } => {}
    }
}

/// A size in a sentence: a number as it is, an expression in backticks.
pub(super) fn quoted(size: &Nat) -> String {
    match size.as_constant() {
        Some(number) => number.to_string(),
        None => format!("`{size}`"),
    }
}

/// `1 element`, `3 elements`
pub(super) fn elements(size: &Nat) -> String {
    let noun = if size.as_constant() == Some(1) { "element" } else { "elements" };
    format!("{} {noun}", quoted(size))
}

/// The widths of vectors that divide a number, in a sentence.
fn widths(number: &Nat) -> Option<String> {
    let number = number.as_constant()?;
    let fitting: Vec<String> = VECTOR_WIDTHS
        .iter()
        .filter(|width| number % i128::from(**width) == 0)
        .map(ToString::to_string)
        .collect();
    let (last, rest) = fitting.split_last()?;
    Some(if rest.is_empty() { last.clone() } else { format!("{} and {last}", rest.join(", ")) })
}

/// The divisors of a small number in a sentence: "1, 2, 4 and 8".
fn divisors(number: i128) -> Option<String> {
    if !(1..=65536).contains(&number) {
        return None;
    }
    let all: Vec<String> =
        (1..=number).filter(|divisor| number % divisor == 0).map(|divisor| divisor.to_string()).collect();
    match all.split_last() {
        Some((last, [])) => Some(format!("only {last}")),
        Some((last, rest)) if all.len() <= 12 => Some(format!("{} and {last}", rest.join(", "))),
        _ => None,
    }
}
