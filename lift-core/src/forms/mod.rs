//! The forms of a program that stand before the plain one.
//!
//! In: a typed program. Out: what selects each form, the typed program that it is compiled from, and the
//! steps that made it, in the order in which a launcher tries them. They compute what the program computes,
//! for every size that the program accepts and their guards allow. The plain form is right wherever the
//! program is and is none of them. They are for devices only: the host has its own ways to divide loops,
//! which need the plain form.
//!
//! - `survey`: how the loads of the plain form move with the loops around them;
//! - `reductions`, `transposition`: which forms follow from that, and for which sizes they are worth it;
//! - `defaults`: the numbers that they go by;
//! - `left_out`: why a program has no form of a class, for people who ask.
//!
//! A program with a schedule has the form that its strategies make, and no other. A program that says who
//! computes what is taken at its word: it has its plain form only.

mod defaults;
mod left_out;
mod reductions;
mod survey;
mod transposition;

pub use left_out::{Class, LeftOut, Reason};

use crate::compiled::{DeviceClass, Guard, Selection};
use crate::diagnostic::Diagnostic;
use crate::ir::code::Code;
use crate::ir::nat::{Nat, Var};
use crate::ir::source::Source;
use crate::ir::typed::result::Need;
use crate::ir::typed::{Backend, Obligation, Program, Strategy};
use crate::middle::lower::{Cooperation, holds_divisible_scan, uses_hierarchy};
use crate::middle::rewrite::rules::REDUCE_SEQ;
use crate::middle::rewrite::schedule::{self, Mistake, Scheduled};
use crate::middle::rewrite::{self, Rewriter, Rewritten};

/// The most forms beside the plain one: each costs as much time to expand as the plain one.
const MOST_FORMS: usize = 3;

/// The name of the form that a schedule makes.
const SCHEDULED: &str = "scheduled";

/// A form that may stand before the plain one.
pub(crate) struct Candidate {
    pub(crate) selection: Selection,
    pub(crate) program: Program,
    /// What its work-items do together.
    pub(crate) cooperation: Cooperation,
    /// What demands it, if that is the user.
    pub(crate) demanded: Option<Demanded>,
}

/// The strategy that a user named last.
pub(crate) struct Demanded {
    name: String,
    source: Source,
}

/// On processors with fewer compute units than this, one work-item scans faster than all of them together: it
/// reads every element once and writes it once, where three kernels read it twice and pass it through local
/// memory. Measured on two cores, and as one thread's time, from which follows where more cores win: section
/// "Prefix sums" of `docs/performance.md`. Reductions of floats are slower in order on two cores as well.
const ENOUGH_UNITS_TO_DIVIDE_A_SCAN: u32 = 4;

/// The program of the plain form. Beside a schedule, launches are those of the form that it makes. Where
/// everything keeps the order of the program, reductions say so: also on the host, which has several
/// accumulators for the others.
pub(crate) fn plain(program: &Program) -> Program {
    let launches = if program.schedule.is_empty() { program.launches.clone() } else { Vec::new() };
    let plain = Program { launches, schedule: Vec::new(), ..program.clone() };
    match program.strategy {
        Strategy::Default | Strategy::ScansInOrder => plain,
        Strategy::InOrder => {
            let mut rewriter = Rewriter::new(&plain);
            let in_order = rewrite::Strategy::Everywhere(Box::new(rewrite::Strategy::rule(&REDUCE_SEQ)));
            // It fails where there is no reduction.
            let _ = rewriter.run(&in_order);
            rewriter.program()
        }
    }
}

/// The forms before the plain one, in the order in which they are tried. What no user demands is chosen by
/// what the code of the plain form says.
///
/// # Errors
/// Reports a schedule that does not fit the program.
pub(crate) fn candidates(program: &Program, plain: &Code) -> Result<Vec<Candidate>, Diagnostic> {
    if !program.schedule.is_empty() {
        return Ok(vec![scheduled(program)?]);
    }
    if stated(program).is_some() {
        return Ok(Vec::new());
    }
    let in_any_order = program.strategy != Strategy::InOrder;
    let shared = match in_any_order {
        true => reductions::forms(program, &surveyed(program, plain)),
        false => Vec::new(),
    };
    let forms = scans_in_order(program).into_iter().chain(transposition::form(program)).chain(shared);
    Ok(forms.take(MOST_FORMS).collect())
}

/// What a program states, so that nothing is chosen for it.
fn stated(program: &Program) -> Option<Reason> {
    let says_who_computes = || !program.launches.is_empty() || uses_hierarchy(&program.body);
    match program.backend {
        Some(Backend::Host) => Some(Reason::ForHost),
        Some(Backend::OpenCl) | None => says_who_computes().then_some(Reason::SaysWhoComputes),
    }
}

/// The classes of forms that [`candidates`] does not choose, and why. A schedule leaves no choice.
pub(crate) fn left_out(program: &Program, plain: &Code) -> Vec<LeftOut> {
    if !program.schedule.is_empty() {
        return Vec::new();
    }
    let all = |class, reason| LeftOut { class, of: None, reason };
    if let Some(reason) = stated(program) {
        let classes = [Class::Rows, Class::Columns, Class::Transposition, Class::ScansInOrder];
        return classes.map(|class| all(class, reason)).to_vec();
    }
    let reductions = surveyed(program, plain);
    let mut left_out = match program.strategy {
        Strategy::InOrder => [Class::Rows, Class::Columns].map(|class| all(class, Reason::InOrder)).to_vec(),
        _ if reductions.is_empty() => {
            [Class::Rows, Class::Columns].map(|class| all(class, Reason::NothingReduced)).to_vec()
        }
        _ => reductions::left_out(&reductions),
    };
    if transposition::form(program).is_none() {
        left_out.push(all(Class::Transposition, Reason::NoTransposition));
    }
    if scans_in_order(program).is_none() {
        left_out.push(all(Class::ScansInOrder, Reason::NoDividedScan));
    }
    left_out
}

/// The reductions of the plain form whose numbers a launcher knows before the first kernel: those of an
/// application or a portion it does not.
fn surveyed(program: &Program, plain: &Code) -> Vec<survey::Reduction> {
    let mut reductions = survey::reductions(plain);
    reductions.retain(|reduction| {
        let numbers = reduction.work_items.iter().chain([&reduction.length]);
        numbers.flat_map(Nat::variables).all(|variable| is_size(&variable, program))
    });
    reductions
}

/// The form that the strategies of a schedule make, for the sizes that they need.
fn scheduled(program: &Program) -> Result<Candidate, Diagnostic> {
    let Scheduled { rewritten, stopped } = schedule::scheduled(program);
    if let Some(error) = stopped {
        return Err(error.diagnostic());
    }
    let guards = rewritten.needs.iter().filter_map(guard).collect();
    let derivation = rewritten.derivation.to_string();
    let mut made = self::rewritten(rewritten);
    made.schedule = Vec::new();
    let demanded = program.schedule.last().map(|last| Demanded { name: last.name(), source: last.source });
    let selection = Selection {
        name: SCHEDULED.to_owned(),
        devices: DeviceClass::Any,
        guards,
        thresholds: Vec::new(),
        derivation,
    };
    Ok(Candidate { selection, program: made, cooperation: Cooperation::default(), demanded })
}

/// A program that was rewritten for a form, in which is known what the form needs.
fn rewritten(made: Rewritten) -> Program {
    let Rewritten { mut program, needs, .. } = made;
    program.obligations.extend(needs.into_iter().map(assumed));
    program
}

/// What a form needs of sizes, as what selects it. No form is made that needs anything else.
pub(crate) fn guard(need: &Need) -> Option<Guard> {
    let stated = need.requirement.condition()?;
    let condition = stated.without_quotients();
    let text = match condition == stated {
        true => need.requirement.to_string(),
        false => condition.to_string(),
    };
    Some(Guard { text, condition })
}

/// What a form needs of sizes, as what selects it; `None` where a launcher cannot check all of it, because it is
/// about the number of an application.
pub(crate) fn guards(needs: &[Need], program: &Program) -> Option<Vec<Guard>> {
    let checked = |need: &Need| {
        let guard = guard(need)?;
        guard.condition.variables().iter().all(|variable| is_size(variable, program)).then_some(guard)
    };
    needs.iter().map(checked).collect()
}

/// Whether a variable is a size of the program, which has one value for a call.
fn is_size(variable: &Var, program: &Program) -> bool {
    program.sizes.iter().any(|size| &size.variable == variable)
}

/// What a form needs of sizes, as what is known of them in it.
pub(crate) fn assumed(need: Need) -> Obligation {
    let text = format!("the form needs `{}`", need.requirement);
    Obligation { requirement: need.requirement, text, source: Source::UNKNOWN }
}

/// The form in which one work-item computes each scan, where the plain form divides one.
fn scans_in_order(program: &Program) -> Option<Candidate> {
    let is_divided = program.strategy.divides_scans();
    (is_divided && holds_divisible_scan(&program.body, &program.functions)).then(|| Candidate {
        selection: Selection {
            name: "scansInOrder".to_owned(),
            devices: DeviceClass::ProcessorBelow(ENOUGH_UNITS_TO_DIVIDE_A_SCAN),
            guards: Vec::new(),
            thresholds: Vec::new(),
            derivation: String::new(),
        },
        program: Program { strategy: Strategy::ScansInOrder, ..program.clone() },
        cooperation: Cooperation::default(),
        demanded: None,
    })
}

impl Demanded {
    /// The message where what a schedule makes cannot be compiled.
    pub(crate) fn refused(&self, reasons: &[Diagnostic]) -> Diagnostic {
        let reasons = reasons.iter().map(|reason| reason.message.clone()).collect();
        let mistake = Mistake::Uncompilable { strategy: self.name.clone(), reasons };
        schedule::Error { source: self.source, mistake }.diagnostic()
    }
}
