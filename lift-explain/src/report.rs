//! From a request to text.

use std::fmt;

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::typed::Program;
use lift_core::middle::rewrite::rules::ALL;
use lift_core::middle::rewrite::schedule::Combinator;
use lift_core::middle::rewrite::{self, NamedStrategy};

use crate::arguments::{Form, Wanted};
use crate::colour::Colour;
use crate::derivation::derive;
use crate::document::Document;
use crate::explanation::Explanation;
use crate::html::html;
use crate::invocation::invocations;
use crate::json::json;
use crate::mistake::Mistake;
use crate::passes;
use crate::program::{Found, programs};
use crate::text::text;

/// What is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What was asked for.
    pub text: String,
    /// Whether all of it could be explained.
    pub is_complete: bool,
    /// The mistakes that leave programs unexplained, where the text does not have them.
    mistakes: Vec<Mistake>,
}

impl Report {
    /// The mistakes that the text does not have, each above the line that it is about.
    pub fn rendered_mistakes(&self, document: &Document, colour: Colour) -> Vec<String> {
        self.mistakes.iter().map(|mistake| mistake.render(document, colour)).collect()
    }
}

/// Why nothing is explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The file has no `lift!`.
    NoInvocation {
        /// The file.
        file: String,
    },
    /// Every `lift!` has functions of numbers only, which are no programs.
    NoProgram {
        /// The file.
        file: String,
    },
    /// No program has this name.
    UnknownName {
        /// The name.
        name: String,
        /// Those that exist.
        known: Vec<String>,
    },
    /// Steps are for one program, and there are several.
    WhichProgram {
        /// Their names.
        known: Vec<String>,
    },
    /// There is no such pass.
    UnknownPass {
        /// Its name.
        name: String,
    },
}

/// Explains what is wanted of a file.
///
/// # Errors
/// Says why there is nothing to explain. Mistakes in programs are part of the report.
pub fn report(document: &Document, wanted: &Wanted, colour: Colour) -> Result<Report, Refusal> {
    if let Form::After(name) = &wanted.form
        && !passes::is_pass(name)
    {
        return Err(Refusal::UnknownPass { name: name.clone() });
    }
    let invocations = match invocations(document) {
        Ok(invocations) => invocations,
        Err(mistake) => return Ok(of_form(&[], vec![mistake], document, wanted, colour)),
    };
    if invocations.is_empty() {
        return Err(Refusal::NoInvocation { file: document.name.clone() });
    }
    let (mut found, mut mistakes) = (Vec::new(), Vec::new());
    for invocation in &invocations {
        match programs(invocation) {
            Ok(programs) => found.extend(programs),
            Err(more) => mistakes.extend(more),
        }
    }
    if found.is_empty() && mistakes.is_empty() {
        return Err(Refusal::NoProgram { file: document.name.clone() });
    }
    if let Some(name) = &wanted.name {
        let known = names(&found);
        found.retain(|program| program.called == *name);
        match (found.is_empty(), mistakes.is_empty()) {
            (true, true) => return Err(Refusal::UnknownName { name: name.clone(), known }),
            // It may be one of those that have mistakes.
            (true, false) => {}
            // Who asks for one program does not ask for the mistakes of others.
            (false, _) => mistakes.clear(),
        }
    }
    if !wanted.steps.is_empty() && found.len() > 1 {
        return Err(Refusal::WhichProgram { known: names(&found) });
    }
    Ok(of_form(&found, mistakes, document, wanted, colour))
}

/// What can be asked for.
fn names(found: &[Found]) -> Vec<String> {
    found.iter().map(|program| program.called.clone()).collect()
}

fn of_form(
    found: &[Found],
    mistakes: Vec<Mistake>,
    document: &Document,
    wanted: &Wanted,
    colour: Colour,
) -> Report {
    let explained =
        || found.iter().map(|found| Explanation::of(found, &wanted.steps, wanted.extras)).collect::<Vec<_>>();
    let is_complete = |explanations: &[Explanation], mistakes: &[Mistake]| {
        mistakes.is_empty() && explanations.iter().all(Explanation::is_complete)
    };
    match &wanted.form {
        Form::Text => {
            let explanations = explained();
            let texts =
                explanations.iter().map(|explanation| text(explanation, document, wanted.extras, colour));
            let is_complete = is_complete(&explanations, &mistakes);
            Report { text: texts.collect::<Vec<_>>().join("\n\n"), is_complete, mistakes }
        }
        Form::Html => {
            let explanations = explained();
            let is_complete = is_complete(&explanations, &mistakes);
            let text = html(&explanations, &mistakes, document, wanted.extras);
            Report { text, is_complete, mistakes: Vec::new() }
        }
        Form::Json => {
            let explanations = explained();
            let is_complete = is_complete(&explanations, &mistakes);
            let text = json(&explanations, &mistakes, document);
            Report { text, is_complete, mistakes: Vec::new() }
        }
        Form::After(pass) => each(found, mistakes, &wanted.steps, |program| passes::after(program, pass)),
        Form::Timings => each(found, mistakes, &wanted.steps, passes::timings),
    }
}

/// What is shown of each program behind the steps.
fn each(
    found: &[Found],
    mut mistakes: Vec<Mistake>,
    steps: &[String],
    show: impl Fn(&Program) -> Result<String, Vec<Diagnostic>>,
) -> Report {
    let mut text = String::new();
    for found in found {
        let derived = derive(&found.program, steps);
        mistakes.extend(derived.stopped.iter().map(|stopped| Mistake::new(stopped.to_string())));
        match show(&derived.program) {
            Ok(shown) => text += &shown,
            Err(diagnostics) => mistakes.extend(found.mistakes(&diagnostics)),
        }
    }
    Report { text, is_complete: mistakes.is_empty(), mistakes }
}

/// The rules: each with what it takes, what equals what, and where it comes from.
pub fn rules() -> String {
    let rule = |rule: &&lift_core::middle::rewrite::Rule| {
        let takes: Vec<String> = rule.parameters.iter().map(ToString::to_string).collect();
        let takes = if takes.is_empty() { String::new() } else { format!("({})", takes.join(", ")) };
        format!("{}{takes}\n    {}\n    {}\n", rule.name, rule.statement, rule.origin)
    };
    ALL.iter().map(rule).collect()
}

/// The strategies that a schedule can name: each with what it takes, what it does, and where it comes from;
/// then the combinators, which are made of strategies and rules.
pub fn strategies() -> String {
    let whole = "default\n    what the compiler chooses, as without a schedule\n\
                 plain\n    the plain form only, with every operator applied in the order of the program\n";
    let strategy = |strategy: &&NamedStrategy| {
        let takes = strategy.parameters.iter().map(|(name, kind)| format!("{name}: {kind}"));
        let takes: Vec<String> = takes.collect();
        let takes = if takes.is_empty() { String::new() } else { format!("({})", takes.join(", ")) };
        format!("{}{takes}\n    {}\n    {}\n", strategy.name, strategy.summary, strategy.origin)
    };
    let combinator =
        |combinator: Combinator| format!("{}\n    {}\n", combinator.usage(), combinator.summary());
    let strategies = rewrite::strategies::ALL.iter().map(strategy);
    let combinators = Combinator::ALL.into_iter().map(combinator);
    [whole.to_owned()].into_iter().chain(strategies).chain(combinators).collect()
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[String]| names.join(", ");
        match self {
            Refusal::NoInvocation { file } => write!(formatter, "there is no `lift!` in {file}"),
            Refusal::NoProgram { file } => write!(
                formatter,
                "the `lift!`s in {file} have functions of numbers only, which are no programs"
            ),
            Refusal::UnknownName { name, known } => {
                write!(formatter, "there is no program `{name}`; there are {}", list(known))
            }
            Refusal::WhichProgram { known } => {
                write!(formatter, "`--apply` changes one program: which of {}?", list(known))
            }
            Refusal::UnknownPass { name } => {
                let names: Vec<&str> = passes::names().collect();
                write!(formatter, "there is no pass `{name}`; the passes are {}", names.join(", "))
            }
        }
    }
}
