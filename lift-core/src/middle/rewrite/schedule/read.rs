//! From terms of a schedule to strategies.

use super::super::notation::words;
use super::super::rule::{Argument, Kind, Rule};
use super::super::rules;
use super::super::strategies::{self, NamedStrategy};
use super::super::strategy::Strategy;
use super::combinator::{Combinator, Operands};
use super::mistake::{Error, Mistake, Takes};
use crate::ir::nat::Nat;
use crate::ir::typed::{DIMENSIONS, Path, Program, ScheduleTerm, ScheduleTermKind};

/// How a place inside an expression is written: `place(0, 1)`.
const PLACE: &str = "place";

/// Reads terms.
pub(super) struct Reader<'p> {
    /// The program that the strategies are for.
    pub(super) program: &'p Program,
}

impl Reader<'_> {
    /// A strategy that finds its own places.
    pub(super) fn strategy(&self, term: &ScheduleTerm) -> Result<Strategy, Error> {
        self.inside(term, false)
    }

    /// A strategy. Inside of a traversal a rule is applied where the traversal says.
    fn inside(&self, term: &ScheduleTerm, is_traversed: bool) -> Result<Strategy, Error> {
        let error = |mistake| Error { source: term.source, mistake };
        let ScheduleTermKind::Name(name, arguments) = &term.kind else {
            return Err(error(Mistake::SizeAsStrategy { size: term.name() }));
        };
        if let Some(combinator) = Combinator::from_name(name) {
            return self.combined(combinator, term, arguments, is_traversed);
        }
        if let Some(named) = strategies::find(name) {
            return self.named(named, term, arguments);
        }
        let Some(rule) = rules::ALL.iter().copied().find(|rule| rule.name == name) else {
            return Err(error(Mistake::unknown(name)));
        };
        let strategy = self.rule(rule, term, arguments)?;
        Ok(if is_traversed { strategy } else { strategy.outermost() })
    }

    fn combined(
        &self,
        combinator: Combinator,
        term: &ScheduleTerm,
        arguments: &[ScheduleTerm],
        is_traversed: bool,
    ) -> Result<Strategy, Error> {
        let is_traversed = is_traversed || combinator.is_traversal();
        let wrong = || {
            let takes = Takes::Combinator(combinator.usage());
            let mistake = Mistake::Arguments { name: term.name(), takes, found: arguments.len() };
            Error { source: term.source, mistake }
        };
        let inside = |strategy| self.inside(strategy, is_traversed);
        Ok(match (combinator.operands(), arguments) {
            (Operands::One(of), [one]) => of(Box::new(inside(one)?)),
            (Operands::Counted(of), [number, one]) => {
                let count = constant(number).and_then(|count| u32::try_from(count).ok());
                let count =
                    count.ok_or_else(|| not(term, "a number from 0 to 4294967295".to_owned(), number))?;
                of(count, Box::new(inside(one)?))
            }
            (Operands::Placed(of), [place, one]) => {
                let path = path(place).ok_or_else(|| not(term, Kind::Place.to_string(), place))?;
                of(path, Box::new(inside(one)?))
            }
            (Operands::Several(of), several @ [_, ..]) => {
                of(several.iter().map(inside).collect::<Result<_, _>>()?)
            }
            (Operands::One(_) | Operands::Counted(_) | Operands::Placed(_) | Operands::Several(_), _) => {
                return Err(wrong());
            }
        })
    }

    fn named(
        &self,
        named: &'static NamedStrategy,
        term: &ScheduleTerm,
        arguments: &[ScheduleTerm],
    ) -> Result<Strategy, Error> {
        let takes = || Takes::Parameters(parameters(named));
        let kinds = named.parameters.iter().map(|(_, kind)| *kind);
        let arguments = self.arguments(kinds.collect::<Vec<_>>().as_slice(), term, arguments, takes)?;
        named.of(self.program, arguments).map_err(|mismatch| {
            let why = mismatch.to_string();
            let mistake = Mistake::Misfit { strategy: term.name(), why, found: None };
            Error { source: term.source, mistake }
        })
    }

    fn rule(
        &self,
        rule: &'static Rule,
        term: &ScheduleTerm,
        arguments: &[ScheduleTerm],
    ) -> Result<Strategy, Error> {
        let takes = || {
            let kinds: Vec<String> = rule.parameters.iter().map(Kind::to_string).collect();
            Takes::Parameters(kinds.join(", "))
        };
        Ok(Strategy::Apply(rule, self.arguments(rule.parameters, term, arguments, takes)?))
    }

    /// The arguments of a strategy or a rule.
    fn arguments(
        &self,
        kinds: &[Kind],
        term: &ScheduleTerm,
        arguments: &[ScheduleTerm],
        takes: impl Fn() -> Takes,
    ) -> Result<Vec<Argument>, Error> {
        if arguments.len() != kinds.len() {
            let mistake = Mistake::Arguments { name: term.name(), takes: takes(), found: arguments.len() };
            return Err(Error { source: term.source, mistake });
        }
        let read = kinds.iter().zip(arguments).map(|(kind, argument)| {
            read_argument(*kind, argument).ok_or_else(|| {
                if *kind == Kind::Size {
                    return self.no_size(term, argument);
                }
                let choices: Vec<String> = words(*kind).iter().map(|word| format!("`{word}`")).collect();
                let wanted = match choices.as_slice() {
                    [] => kind.to_string(),
                    choices => format!("{kind} ({})", choices.join(", ")),
                };
                not(term, wanted, argument)
            })
        });
        read.collect()
    }

    /// The error for a name that stands where a size belongs.
    fn no_size(&self, term: &ScheduleTerm, argument: &ScheduleTerm) -> Error {
        let sizes = self.program.sizes.iter().map(|size| size.name.clone()).collect();
        let mistake = Mistake::UnknownSize { strategy: term.name(), name: argument.name(), sizes };
        Error { source: argument.source, mistake }
    }
}

/// The error for an argument of another kind.
fn not(term: &ScheduleTerm, wanted: String, argument: &ScheduleTerm) -> Error {
    let mistake = Mistake::Argument { name: term.name(), wanted, found: argument.name() };
    Error { source: argument.source, mistake }
}

/// The parameters of a strategy, in words: `height: a size, width: a size`.
fn parameters(named: &NamedStrategy) -> String {
    let parameters: Vec<String> =
        named.parameters.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
    parameters.join(", ")
}

fn read_argument(kind: Kind, term: &ScheduleTerm) -> Option<Argument> {
    match (kind, &term.kind) {
        (Kind::Size, ScheduleTermKind::Size(size)) => Some(Argument::Size(size.clone())),
        (Kind::Width, _) => Some(Argument::Width(u8::try_from(constant(term)?).ok()?)),
        (Kind::Dimension, _) => {
            let dimension = u8::try_from(constant(term)?).ok()?;
            (dimension < DIMENSIONS).then_some(Argument::Dimension(dimension))
        }
        (Kind::Place, _) => path(term).map(Argument::Place),
        (Kind::Space | Kind::Reduce | Kind::Map, ScheduleTermKind::Name(name, arguments)) => {
            let word = words(kind).into_iter().find(|word| word.to_string() == *name);
            word.filter(|_| arguments.is_empty())
        }
        (Kind::Size, ScheduleTermKind::Name(..))
        | (Kind::Space | Kind::Reduce | Kind::Map, ScheduleTermKind::Size(_)) => None,
    }
}

/// A place inside of an expression: `place(0, 1)`.
fn path(term: &ScheduleTerm) -> Option<Path> {
    match &term.kind {
        ScheduleTermKind::Name(name, positions) if name == PLACE => {
            let positions = positions.iter().map(|position| usize::try_from(constant(position)?).ok());
            Some(Path::from(positions.collect::<Option<Vec<_>>>()?))
        }
        ScheduleTermKind::Name(..) | ScheduleTermKind::Size(_) => None,
    }
}

fn constant(term: &ScheduleTerm) -> Option<i128> {
    match &term.kind {
        ScheduleTermKind::Size(size) => Nat::as_constant(size),
        ScheduleTermKind::Name(..) => None,
    }
}
