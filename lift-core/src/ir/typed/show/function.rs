//! Functions that a primitive applies: without parameters where that says the same, else as lambdas.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::document::{Document, all, group, indented, text};
use super::expression::{Printer, Result};
use super::names::{Counter, Spelling};
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::{BinaryOperator, UnaryOperator};
use crate::ir::typed::binders::{mentions, mentions_size};
use crate::ir::typed::{Expr, ExprKind, Lambda, Variable};
use crate::ir::types::Type;

/// Names that are left to be given.
type Letters = std::array::IntoIter<&'static str, 10>;

/// Names for the components of an element.
const ELEMENTS: [&str; 10] = ["x", "y", "z", "u", "v", "w", "p", "q", "r", "s"];
/// Names for the components of an accumulator and an element beside it.
const BESIDE_ACCUMULATORS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "k", "m"];

impl Printer {
    /// A function. `unnamed` are the names that inference gives to parameters which the user has not named.
    pub(super) fn function(&mut self, function: &Lambda, unnamed: &[&str]) -> Result<Document> {
        let index = function.index.as_ref().filter(|index| mentions_size(&function.body, index));
        let names = function.parameters.iter().map(|(variable, _)| &*variable.name);
        if index.is_none()
            && names.eq(unnamed.iter().copied())
            && let Some(document) = self.without_parameters(function)?
        {
            return Ok(document);
        }
        self.lambda(function, index, unnamed)
    }

    /// The function of a `generate`, of its position.
    pub(super) fn generator(&mut self, function: &Lambda) -> Result<Document> {
        let mark = self.names.mark();
        let head = match &function.index {
            Some(index) if mentions_size(&function.body, index) => {
                let avoided = self.texts_in(&[&function.body], &[], Some(index));
                self.names.add_size(index, &avoided)
            }
            Some(_) | None => "_".to_owned(),
        };
        let body = self.body_of_lambda(format!("|{head}| "), &function.body)?;
        self.names.leave(&mark);
        Ok(body)
    }

    /// The function of an `iterate`. What depends on the number of the application is told by the length of
    /// the array.
    pub(super) fn iterated(&mut self, count: &Nat, function: &Lambda) -> Result<Document> {
        let (Some(index), [(variable, Type::Array(array))]) =
            (&function.index, function.parameters.as_slice())
        else {
            return self.function(function, &["xs"]);
        };
        if !mentions_size(&function.body, index) {
            return self.function(&Lambda { index: None, ..function.clone() }, &["xs"]);
        }
        if !array.length.mentions(index) {
            return self.function(function, &["xs"]);
        }
        let mark = self.names.mark();
        let name = self.add_variable(variable, &[&function.body], &[variable]);
        let length = Var::new(self.next_length, format!("len({name})"));
        self.next_length += 1;
        self.names.add_counter(Counter {
            index: index.clone(),
            count: count.clone(),
            told_by: array.length.clone(),
            length,
        });
        let shown = self.body_of_lambda(format!("|{name}| "), &function.body)?;
        self.names.remove_counter();
        self.names.leave(&mark);
        Ok(shown)
    }

    /// A function that only names what it applies, such as `add`, `join` or `split(2) >> map(f)`.
    fn without_parameters(&mut self, function: &Lambda) -> Result<Option<Document>> {
        if let Some(name) = self.applied_name(function) {
            return Ok(Some(text(name)));
        }
        let [(parameter, _)] = function.parameters.as_slice() else { return Ok(None) };
        if occurrences(&function.body, parameter) != 1 {
            return Ok(None);
        }
        let (stages, data) = self.stages(&function.body)?;
        if !is(data, parameter) {
            return Ok(None);
        }
        let mut stages = stages.into_iter();
        let Some(first) = stages.next() else { return Ok(Some(text("id"))) };
        let rest: Vec<Document> = stages.map(|stage| all([Document::Space, text(">> "), stage])).collect();
        if rest.is_empty() {
            return Ok(Some(first));
        }
        Ok(Some(group([indented([Document::Break, first, indented(rest)]), Document::Break])))
    }

    /// The name of the operator or function that a function applies to its parameters, or to the components
    /// of its parameter.
    fn applied_name(&self, function: &Lambda) -> Option<String> {
        let (name, arguments): (String, Vec<&Arc<Expr>>) = match &function.body.kind {
            ExprKind::Binary(operator, left, right) => {
                (operator_name(*operator)?.to_owned(), vec![left, right])
            }
            ExprKind::Unary(UnaryOperator::Negate, operand) => ("neg".to_owned(), vec![operand]),
            ExprKind::Builtin(builtin, arguments) => (builtin.name().to_owned(), arguments.iter().collect()),
            ExprKind::Function(function, arguments) => {
                (self.names.function(*function), arguments.iter().collect())
            }
            _ => return None,
        };
        let parameters = function.parameters.as_slice();
        let applies = parameters.len() == arguments.len()
            && parameters.iter().zip(&arguments).all(|((parameter, _), argument)| is(argument, parameter));
        let takes_apart = match parameters {
            [(parameter, Type::Tuple(components))] if arguments.len() > 1 => {
                let is_component = |(position, argument): (usize, &&Arc<Expr>)| {
                    matches!(&argument.kind, ExprKind::Component(tuple, taken)
                        if *taken == position && is(tuple, parameter))
                };
                components.len() == arguments.len() && arguments.iter().enumerate().all(is_component)
            }
            _ => false,
        };
        (applies || takes_apart).then_some(name)
    }

    /// `|p, q| body`, or `|i => p, q| body` where the body mentions the position.
    fn lambda(&mut self, function: &Lambda, index: Option<&Var>, unnamed: &[&str]) -> Result<Document> {
        let mark = self.names.mark();
        let own: Vec<&Variable> = function.parameters.iter().map(|(variable, _)| variable).collect();
        let mut avoided = self.texts_in(&[&function.body], &own, index);
        let mut head = String::new();
        if let Some(index) = index {
            let name = self.names.add_size(index, &avoided);
            head = format!("{name} => ");
            avoided.insert(name);
        }
        let mut letters = if own.len() > 1 { BESIDE_ACCUMULATORS } else { ELEMENTS }.into_iter();
        let mut patterns = Vec::new();
        for (position, (variable, ty)) in function.parameters.iter().enumerate() {
            let is_unnamed = unnamed.get(position).is_some_and(|name| **name == *variable.name);
            if is_unnamed && !mentions(&function.body, variable) {
                patterns.push("_".to_owned());
                continue;
            }
            let mut paths = BTreeSet::new();
            paths_of(&function.body, variable, &mut paths);
            let spelling = match ty {
                Type::Tuple(_) if is_unnamed && !paths.contains(&Vec::new()) => {
                    self.components(ty, &paths, &mut letters, &mut avoided)
                }
                _ => {
                    let name = self.names.free(&variable.name, &avoided);
                    avoided.insert(name.clone());
                    Spelling::Name(name)
                }
            };
            patterns.push(spelling.pattern());
            self.names.add_variable(variable, spelling);
        }
        let shown = self.body_of_lambda(format!("|{head}{}| ", patterns.join(", ")), &function.body)?;
        self.names.leave(&mark);
        Ok(shown)
    }

    /// Names for the components at these paths.
    fn components(
        &self,
        ty: &Type,
        paths: &BTreeSet<Vec<usize>>,
        letters: &mut Letters,
        avoided: &mut BTreeSet<String>,
    ) -> Spelling {
        let Type::Tuple(components) = ty else { return self.letter(letters, avoided) };
        if paths.contains(&Vec::new()) {
            return self.letter(letters, avoided);
        }
        let parts = components.iter().enumerate().map(|(position, component)| {
            let inside: BTreeSet<Vec<usize>> = paths
                .iter()
                .filter_map(|path| path.split_first().filter(|(first, _)| **first == position))
                .map(|(_, rest)| rest.to_vec())
                .collect();
            (!inside.is_empty()).then(|| self.components(component, &inside, letters, avoided))
        });
        Spelling::Components(parts.collect())
    }

    fn letter(&self, letters: &mut Letters, avoided: &mut BTreeSet<String>) -> Spelling {
        let free = letters.find(|letter| self.names.is_new(letter, avoided));
        let name = self.names.free(free.unwrap_or("x"), avoided);
        avoided.insert(name.clone());
        Spelling::Name(name)
    }

    /// A lambda behind its parameters. Where its body takes several lines, it is in braces.
    pub(super) fn body_of_lambda(&mut self, head: String, body: &Expr) -> Result<Document> {
        if let ExprKind::Let { .. } = &body.kind {
            let block = self.block(body)?;
            let open = text(format!("{head}{{"));
            return Ok(all([open, indented([Document::Line, block]), Document::Line, text("}")]));
        }
        let body = indented([Document::Break, self.fitting(body)?.document]);
        let (open, close) = (Document::IfBroken("{"), Document::IfBroken("}"));
        Ok(all([text(head), group([open, body, Document::Break, close])]))
    }
}

fn is(expr: &Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id)
}

/// How often an expression mentions a variable.
fn occurrences(expr: &Expr, variable: &Variable) -> usize {
    let inside: usize = expr.children().map(|child| occurrences(child, variable)).sum();
    inside + usize::from(is(expr, variable))
}

/// The components that are taken of a tuple, each as far as it is taken apart; the empty path is the tuple.
fn paths_of(expr: &Expr, tuple: &Variable, paths: &mut BTreeSet<Vec<usize>>) {
    let (mut root, mut path) = (expr, Vec::new());
    while let ExprKind::Component(input, position) = &root.kind {
        path.insert(0, *position);
        root = input;
    }
    if is(root, tuple) {
        paths.insert(path);
        return;
    }
    expr.children().for_each(|child| paths_of(child, tuple, paths));
}

/// The name of an operator as a function.
fn operator_name(operator: BinaryOperator) -> Option<&'static str> {
    match operator {
        BinaryOperator::Add => Some("add"),
        BinaryOperator::Subtract => Some("sub"),
        BinaryOperator::Multiply => Some("mult"),
        BinaryOperator::Divide => Some("div"),
        BinaryOperator::Remainder => Some("rem"),
        BinaryOperator::BitAnd => Some("bitAnd"),
        BinaryOperator::BitXor => Some("bitXor"),
        BinaryOperator::BitOr => Some("bitOr"),
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::And
        | BinaryOperator::Or => None,
    }
}
