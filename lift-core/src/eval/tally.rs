//! Counts the work of an evaluation: the loads and operations for which [`work`](crate::work) has formulas.

use super::value::Value;
use crate::flat::{FlatMap, FlatSet};
use crate::ir::typed::{Expr, ExprKind, Lambda, Variable};

/// The work of an evaluation, counted as [`work`](crate::work) defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Elements of arrays that were read.
    pub loads: u64,
    /// Operators, built-in functions and conversions that were applied.
    pub operations: u64,
}

/// A part of an element, as the components that lead to it.
type Path = Vec<usize>;

/// A tally in progress.
#[derive(Debug, Default)]
pub(super) struct Counter {
    pub(super) tally: Tally,
    /// Whether loads are counted, which takes time. Most evaluations are for their values.
    counts: bool,
    /// The variables in scope that are elements of arrays, by number, with the parts that were loaded.
    elements: FlatMap<u32, FlatSet<Path>>,
}

/// Elements that were in scope before, for [`Counter::restore`].
pub(super) type Before = Vec<(u32, Option<FlatSet<Path>>)>;

impl Counter {
    /// A counter that counts.
    pub(super) fn counting() -> Counter {
        Counter { counts: true, ..Counter::default() }
    }

    /// Opens the scope of a function. Its parameters from `first_element` on are elements of an array, not
    /// loaded yet.
    pub(super) fn bind(&mut self, function: &Lambda, first_element: usize) -> Before {
        let wanted = if self.counts { function.parameters.as_slice() } else { &[] };
        let elements = wanted.iter().skip(first_element);
        elements
            .map(|(variable, _)| (variable.id, self.elements.insert(variable.id, FlatSet::new())))
            .collect()
    }

    /// Closes the scope that [`Counter::bind`] opened.
    pub(super) fn restore(&mut self, before: Before) {
        for (variable, loaded) in before {
            match loaded {
                Some(loaded) => self.elements.insert(variable, loaded),
                None => self.elements.remove(&variable),
            };
        }
    }

    /// Notes that a part of a variable is read. For an element, the first read is a load.
    pub(super) fn read(&mut self, variable: &Variable, path: Path, value: &Value) {
        if let Some(loaded) = self.elements.get_mut(&variable.id) {
            self.tally.loads += new_parts(value, path, loaded);
        }
    }

    /// Notes that all parts of an element are read.
    pub(super) fn read_element(&mut self, value: &Value) {
        if self.counts {
            self.tally.loads += new_parts(value, Path::new(), &mut FlatSet::new());
        }
    }

    /// Notes a call of a built-in function. If some arguments are vectors, the call counts once for each of
    /// their components.
    pub(super) fn builtin(&mut self, arguments: &[Value]) {
        self.tally.operations += arguments.iter().map(lanes).max().unwrap_or(1);
    }

    /// Notes an operation on a value.
    pub(super) fn operation(&mut self, operand: &Value) {
        self.tally.operations += lanes(operand);
    }
}

/// Notes the parts of a value, below a path, as loaded; returns the number of new ones. Arrays have no parts
/// here.
fn new_parts(value: &Value, path: Path, loaded: &mut FlatSet<Path>) -> u64 {
    match value {
        Value::Array(_) => 0,
        Value::Tuple(components) => {
            let parts = components.iter().enumerate();
            parts
                .map(|(position, part)| new_parts(part, [path.as_slice(), &[position]].concat(), loaded))
                .sum()
        }
        _ => {
            let lanes = lanes(value);
            if loaded.insert(path) { lanes } else { 0 }
        }
    }
}

fn lanes(value: &Value) -> u64 {
    match value {
        Value::Vector(components) => components.len() as u64,
        Value::Bool(_)
        | Value::Integer(..)
        | Value::F16(_)
        | Value::F32(_)
        | Value::F64(_)
        | Value::Size(_)
        | Value::Tuple(_)
        | Value::Array(_) => 1,
    }
}

/// The variable that an expression is a part of, and the path to the part.
pub(super) fn part_of(expr: &Expr) -> Option<(&Variable, Path)> {
    match &expr.kind {
        ExprKind::Variable(variable) => Some((variable, Path::new())),
        ExprKind::Component(input, position) => {
            let (variable, mut path) = part_of(input)?;
            path.push(*position);
            Some((variable, path))
        }
        _ => None,
    }
}
