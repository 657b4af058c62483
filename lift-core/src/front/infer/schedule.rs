//! `#[schedule(tileWindows(32, 16), fuse)]`: the strategies that make a form of a kernel, in order.
//!
//! Sizes are typed here, where the names of the kernel's sizes are known. Every other name is left to the
//! stage that knows strategies. A schedule demands nothing of the sizes of a call: what its strategies need
//! selects the form.

use super::attributes::Directives;
use super::environment::{Binding, Environment};
use super::error::{AttributeMistake, Error};
use super::inference::Inference;
use crate::front::syntax::{Attribute, Expr, ExprKind, Item};
use crate::ir::typed::{Launch, Pinning, ScheduleTerm, ScheduleTermKind, Strategy};

/// The functions of sizes. What else is called in a schedule is a strategy.
const FUNCTIONS_OF_SIZES: [&str; 7] = ["min", "max", "pow", "log2", "sum", "len", "tune"];

impl<'a> Inference<'a> {
    /// Adds the schedule of a kernel to its directives.
    pub(super) fn schedule(&mut self, item: &'a Item, names: &Environment<'a>, directives: &mut Directives) {
        let is_schedule = |attribute: &&Attribute| attribute.name.name == "schedule";
        let Some(attribute) = item.attributes.iter().find(is_schedule) else { return };
        match attribute.arguments.as_slice() {
            [] => self.report(Error::new(attribute.name.source, AttributeMistake::NoStrategy)),
            [(None, only)] if lowering(only).is_some() => {
                directives.strategy = lowering(only).unwrap_or_default();
            }
            several => {
                let terms = several.iter().filter_map(|(key, term)| match key {
                    Some(key) => {
                        let mistake = AttributeMistake::StrategyKey { key: key.name.clone() };
                        self.report(Error::new(key.source, mistake));
                        None
                    }
                    None => self.strategy(term, names),
                });
                directives.schedule = terms.collect();
            }
        }
    }

    /// Refuses `#[launch(any)]` beside a schedule: a call could choose the launch of the plain form only.
    pub(super) fn launch_of_schedule(&mut self, launches: &[Launch], directives: &Directives) {
        let any = launches.iter().find(|launch| launch.pinning == Pinning::Any);
        if let Some(any) = any.filter(|_| !directives.schedule.is_empty()) {
            self.report(Error::new(any.source, AttributeMistake::AnyLaunch));
        }
    }

    /// One of the strategies of a schedule. `None` after a mistake.
    fn strategy(&mut self, term: &'a Expr, names: &Environment<'a>) -> Option<ScheduleTerm> {
        if let Some(whole) = lowering(term) {
            let name = whole.name().to_owned();
            self.report(Error::new(term.source, AttributeMistake::BesideStrategies { name }));
            return None;
        }
        let term = self.schedule_term(term, names)?;
        if let ScheduleTermKind::Size(_) = term.kind {
            self.report(Error::new(term.source, AttributeMistake::StrategyNotNamed));
            return None;
        }
        Some(term)
    }

    /// A strategy or an argument of one. `None` after a mistake.
    fn schedule_term(&mut self, expr: &'a Expr, names: &Environment<'a>) -> Option<ScheduleTerm> {
        let kind = match &expr.kind {
            ExprKind::Name(name) if !matches!(names.get(name), Some(Binding::Size(_))) => {
                ScheduleTermKind::Name(name.clone(), Vec::new())
            }
            ExprKind::Call(callee, arguments, _) => match &callee.kind {
                ExprKind::Name(name) if !FUNCTIONS_OF_SIZES.contains(&name.as_str()) => {
                    let arguments = arguments.iter().map(|argument| self.schedule_term(argument, names));
                    ScheduleTermKind::Name(name.clone(), arguments.collect::<Option<_>>()?)
                }
                _ => ScheduleTermKind::Size(self.size(expr, names)?),
            },
            _ => ScheduleTermKind::Size(self.size(expr, names)?),
        };
        Some(ScheduleTerm { kind, source: expr.source })
    }
}

/// The way of lowering that a term names; it is a schedule of its own.
fn lowering(term: &Expr) -> Option<Strategy> {
    match &term.kind {
        ExprKind::Name(name) => Strategy::from_name(name),
        _ => None,
    }
}
