//! Schedules: from the names that a user wrote in `#[schedule(…)]` to strategies, and from a program to the
//! form that they make.
//!
//! Input: a typed program with a schedule. Output: the program that its strategies make of it, one after the
//! other, what that needs of sizes, and the steps; or what is wrong with the schedule, at the name that does
//! not fit. Strategies keep what a program computes, so that a schedule can be slow but not wrong.
//!
//! A schedule can name the strategies of [`strategies`](super::strategies), every rule, and the combinators
//! of [`Combinator`], as ELEVATE has them (ICFP 2020, section 3). A rule is applied at the outermost place
//! where it applies, unless a traversal around it says otherwise.
//!
//! - `combinator`: the combinators that have names;
//! - `read`: names and arguments to strategies;
//! - `mistake`: what is wrong with a schedule, and what the user is told.

mod combinator;
mod mistake;
mod read;

pub use combinator::Combinator;
pub use mistake::{Error, Mistake};

use std::sync::Arc;

use super::failure::Failure;
use super::mismatch::Mismatch;
use super::rewriter::{Rewriter, Rewritten};
use crate::ir::typed::show::show_term;
use crate::ir::typed::{Backend, Expr, Program, Requirement, ScheduleTerm};
use read::Reader;

/// What the schedule of a program makes of it, as far as it fits: the strategies before the first one that is
/// unknown, or that does not fit the program, have been applied.
pub struct Scheduled {
    /// The program that they make.
    pub rewritten: Rewritten,
    /// What is wrong with the next one.
    pub stopped: Option<Error>,
}

/// What the schedule of a program makes of it.
pub fn scheduled(program: &Program) -> Scheduled {
    let mut rewriter = Rewriter::with_fuel(program);
    let stopped = program.schedule.iter().try_for_each(|term| apply(term, &mut rewriter, program)).err();
    Scheduled { rewritten: rewriter.rewritten(), stopped }
}

/// Applies one strategy of a schedule.
fn apply(term: &ScheduleTerm, rewriter: &mut Rewriter<'_>, program: &Program) -> Result<(), Error> {
    let error = |mistake| Err(Error { source: term.source, mistake });
    if program.backend == Some(Backend::Host) {
        return error(Mistake::HostOnly);
    }
    let strategy = Reader { program: &rewriter.program() }.strategy(term)?;
    rewriter.run(&strategy).map_err(|failure| misfit(term, &failure, program))?;
    let is_of_sizes = |variable: &_| program.sizes.iter().any(|size| size.variable == *variable);
    let selects = |requirement: &Requirement| {
        requirement.condition().is_some() && requirement.mentions_only(&is_of_sizes)
    };
    match rewriter.needs().iter().find(|need| !selects(&need.requirement)) {
        Some(need) => {
            let needs = need.requirement.to_string();
            error(Mistake::Unselectable { strategy: term.name(), needs })
        }
        None => Ok(()),
    }
}

fn misfit(term: &ScheduleTerm, failure: &Failure, program: &Program) -> Error {
    let is_endless = failure.mismatch == Mismatch::Endless;
    let found = failure.expr.as_ref().filter(|_| !is_endless).and_then(|expr| in_a_line(expr, program));
    let is_itself = failure.within.is_empty() && failure.rule.is_some_and(|rule| rule.name == term.name());
    let why = if is_itself { failure.mismatch.to_string() } else { failure.to_string() };
    let mistake = Mistake::Misfit { strategy: term.name(), why, found };
    Error { source: term.source, mistake }
}

/// The columns of an expression that a message quotes.
const COLUMNS: usize = 80;

/// An expression as text, where it is short enough to be quoted.
fn in_a_line(expr: &Arc<Expr>, program: &Program) -> Option<String> {
    let text = show_term(program, expr).ok()?;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (line.chars().count() <= COLUMNS).then_some(line)
}
