//! Rules that a schedule or the user applies to a program, and those by which the compiler lowers it: the
//! program after each, why one does not apply, and which do.

use std::fmt;

use lift_core::LowLevel;
use lift_core::ir::source::Source;
use lift_core::ir::typed::show::{show, show_term};
use lift_core::ir::typed::{Expr, ExprKind, Obligation, Path, Program};
use lift_core::middle::rewrite::schedule::scheduled;
use lift_core::middle::rewrite::{Derivation, Rewriter, Rule, Step, Unreadable, read_step, rules};

/// The program in the syntax of `lift!`, or what of it cannot be said there.
pub(crate) type Shown = Result<String, String>;

/// What becomes of a program by steps.
pub(crate) struct Derived {
    /// The program behind the last step that applies. What the rules need of sizes is among its obligations.
    pub(crate) program: Program,
    /// The steps that apply, in order.
    pub(crate) taken: Vec<Taken>,
    /// The step that does not; later ones are not tried.
    pub(crate) stopped: Option<Stopped>,
}

/// A step that applies.
pub(crate) struct Taken {
    pub(crate) step: Step,
    /// What the rule needs of sizes.
    pub(crate) needs: Vec<String>,
    /// The program behind it.
    pub(crate) shown: Shown,
}

/// A step that does not apply.
pub(crate) struct Stopped {
    /// As the user wrote it.
    pub(crate) step: String,
    /// Why it does not apply.
    pub(crate) reason: String,
    /// The expression that it was to be applied to, in the syntax of `lift!`, where there is one.
    pub(crate) expression: Option<String>,
}

impl fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` does not apply: {}", self.step, self.reason)
    }
}

/// A program as text.
pub(crate) fn shown(program: &Program) -> Shown {
    show(program).map_err(|unsayable| unsayable.to_string())
}

/// Takes the steps of the schedule of a program, and then those that the user wants.
pub(crate) fn derive(program: &Program, steps: &[String]) -> Derived {
    let mut rewriter = Rewriter::new(program);
    let (mut taken, mut stopped) = (Vec::new(), None);
    // What does not fit in a schedule is a mistake in the program, which the compiler tells.
    for step in scheduled(program).rewritten.derivation.steps {
        match take(&mut rewriter, step) {
            Ok(step) => taken.push(step),
            Err(found) => return Derived { program: with_needs(&rewriter), taken, stopped: Some(found) },
        }
    }
    for text in steps {
        match read(text, program).and_then(|step| take(&mut rewriter, step)) {
            Ok(step) => taken.push(step),
            Err(found) => {
                stopped = Some(found);
                break;
            }
        }
    }
    Derived { program: with_needs(&rewriter), taken, stopped }
}

fn read(text: &str, program: &Program) -> Result<Step, Stopped> {
    let stopped = |reason: String| Stopped { step: text.to_owned(), reason, expression: None };
    read_step(text, program).map_err(|unreadable| match &unreadable {
        Unreadable::Rule { .. } => stopped(format!("{unreadable}; `--rules` lists them")),
        _ => stopped(unreadable.to_string()),
    })
}

fn take(rewriter: &mut Rewriter<'_>, step: Step) -> Result<Taken, Stopped> {
    let stopped = |reason: String, expression| Stopped { step: step.to_string(), reason, expression };
    let Some(expr) = rewriter.body().at_path(&step.path).cloned() else {
        return Err(stopped(
            format!("there is no expression at `{}`; `--places` lists them", step.path),
            None,
        ));
    };
    let before = rewriter.rewritten().needs.len();
    rewriter.apply(step.rule, &step.arguments, &step.path).map_err(|failure| {
        stopped(failure.mismatch.to_string(), show_term(&rewriter.program(), &expr).ok())
    })?;
    let needs = rewriter.rewritten().needs;
    let needs = needs.iter().skip(before).map(|need| need.requirement.to_string()).collect();
    Ok(Taken { step, needs, shown: shown(&with_needs(rewriter)) })
}

/// The program as it is now, which a launch checks for what the rules need.
fn with_needs(rewriter: &Rewriter<'_>) -> Program {
    let rewritten = rewriter.rewritten();
    let mut program = rewritten.program;
    program.schedule = Vec::new();
    program.obligations.extend(rewritten.needs.into_iter().map(|need| Obligation {
        text: format!("the steps need `{}`", need.requirement),
        requirement: need.requirement,
        source: Source::UNKNOWN,
    }));
    program
}

/// A step of the compiler.
pub(crate) struct Decided {
    pub(crate) step: Step,
    /// The expression that it is applied to, in a line.
    pub(crate) expression: String,
}

/// The steps by which the compiler lowers a program, each with the expression that it is applied to.
pub(crate) fn lowering(low_level: &LowLevel) -> Vec<Decided> {
    decided(&low_level.apart, &low_level.derivation)
}

/// The steps of a derivation that starts from a program, each with the expression that it is applied to.
pub(crate) fn decided(start: &Program, derivation: &Derivation) -> Vec<Decided> {
    let mut rewriter = Rewriter::new(start);
    let mut decided = Vec::new();
    for step in &derivation.steps {
        let Some(expr) = rewriter.body().at_path(&step.path) else { break };
        let expression = expression(&rewriter.program(), expr);
        decided.push(Decided { step: step.clone(), expression });
        if rewriter.apply(step.rule, &step.arguments, &step.path).is_err() {
            break;
        }
    }
    decided
}

/// A place of a program.
pub(crate) struct Place {
    pub(crate) path: Path,
    /// The expression there, in a line.
    pub(crate) expression: String,
    /// The names of the rules without arguments that apply there.
    pub(crate) rules: Vec<&'static str>,
}

/// The columns of an expression that is shown in a line.
const COLUMNS: usize = 80;

/// The places of a program, outer ones first.
pub(crate) fn places(program: &Program) -> Vec<Place> {
    let mut places = Vec::new();
    let mut left = vec![(Path::root(), program.body.clone())];
    while let Some((path, expr)) = left.pop() {
        let children = expr.children().enumerate().rev();
        left.extend(children.map(|(position, child)| (path.child(position), child.clone())));
        places.push(Place {
            expression: expression(program, &expr),
            rules: applicable(program, &path),
            path,
        });
    }
    places
}

/// The rules without arguments that apply at a place, in the order of the table of rules.
fn applicable(program: &Program, path: &Path) -> Vec<&'static str> {
    let applies = |rule: &&&'static Rule| {
        rule.parameters.is_empty() && Rewriter::new(program).apply(rule, &[], path).is_ok()
    };
    rules::ALL.iter().filter(applies).map(|rule| rule.name).collect()
}

/// The reduction of a program that stands at a place in its source, in a line.
pub(crate) fn reduction_at(program: &Program, source: Source) -> Option<String> {
    let mut left = vec![&program.body];
    while let Some(expr) = left.pop() {
        if expr.source == source && matches!(expr.kind, ExprKind::Reduce(..)) {
            return Some(expression(program, expr));
        }
        left.extend(expr.children());
    }
    None
}

/// An expression in a line; where the language does not say it, what it is.
fn expression(program: &Program, expr: &Expr) -> String {
    show_term(program, expr).map_or_else(|_| expr.form().to_owned(), |text| in_a_line(&text))
}

/// A text without its line breaks, cut off where it is long.
fn in_a_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(COLUMNS) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    }
}
