//! Values that nothing needs are not computed.
//!
//! A value is needed if a store, a condition or a call needs it, or the value of a variable that is needed.
//! This is the classic elimination of dead code, on variables with one declaration each. Loads are left out
//! like everything else: they have no effect. Most of what it removes are declarations of elements of windows
//! in which `scalar_replacement` stores nothing, and the loops and choices that are empty without the stores.

use std::sync::Arc;

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{Expression, Statement, nested};

/// Removes variables that nothing needs, and the loops and choices that only computed such; see the module
/// documentation.
pub(crate) fn eliminate_dead_code(body: Vec<Statement>) -> Vec<Statement> {
    let needed = needed(&body);
    let is_dead = |statement: &Statement| computed(statement).is_some_and(|name| !needed.contains(name));
    let has_dead = nested(&body).any(is_dead);
    if has_dead { without(body, &is_dead) } else { body }
}

/// The variable that a statement computes, and that is all it does.
fn computed(statement: &Statement) -> Option<&Arc<str>> {
    match statement {
        Statement::Declare(variable, _) | Statement::Assign(variable, _) => Some(&variable.name),
        _ => None,
    }
}

/// The variables whose values have an effect.
fn needed(body: &[Statement]) -> FlatSet<Arc<str>> {
    let mut needed: FlatSet<Arc<str>> = FlatSet::new();
    let mut waiting: Vec<&Arc<str>> = Vec::new();
    let mut needs: FlatMap<&Arc<str>, Vec<&Arc<str>>> = FlatMap::new();
    for statement in nested(body) {
        let reads = match computed(statement) {
            Some(name) => needs.get_or_default(name),
            None => &mut waiting,
        };
        for expression in statement.expressions() {
            expression.each_part(&mut |part| {
                if let Expression::Variable(variable) = part {
                    reads.push(&variable.name);
                }
            });
        }
    }
    while let Some(name) = waiting.pop() {
        if needed.insert(name.clone()) {
            waiting.extend(needs.get(&name).into_iter().flatten());
        }
    }
    needed
}

/// A block without some statements, and without what is empty then.
fn without(block: Vec<Statement>, is_dead: &impl Fn(&Statement) -> bool) -> Vec<Statement> {
    let mut kept: Vec<Statement> = Vec::with_capacity(block.len());
    for statement in block {
        if is_dead(&statement) {
            continue;
        }
        let statement = statement.map_blocks(|block| without(block, is_dead));
        if statement.is_leaf() || statement.blocks().flatten().any(|inside| !is_comment(inside)) {
            kept.push(statement);
        } else if kept.last().is_some_and(is_comment) {
            // It says what the loop is.
            kept.pop();
        }
    }
    kept
}

fn is_comment(statement: &Statement) -> bool {
    matches!(statement, Statement::Comment(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::BufferId;
    use crate::ir::kernel::examples::{assign, declare, first_rows, read, sum};
    use crate::ir::nat::Nat;

    fn store(name: &str) -> Statement {
        Statement::Store(BufferId(0), Nat::zero(), read(name))
    }

    #[test]
    fn what_only_carries_values_on_vanishes() {
        let block = vec![
            declare("a", None),
            declare("b", Some(read("x"))),
            declare("c", Some(read("x"))),
            assign("a", read("b")),
            assign("b", sum("c", "b")),
            store("c"),
        ];
        assert_eq!(eliminate_dead_code(block), [declare("c", Some(read("x"))), store("c")]);
    }

    #[test]
    fn what_a_needed_value_is_made_of_stays() {
        let block = vec![
            declare("a", Some(read("x"))),
            Statement::If(first_rows(), vec![assign("a", sum("a", "y"))], vec![]),
            declare("b", Some(sum("a", "x"))),
            store("b"),
        ];
        assert_eq!(eliminate_dead_code(block.clone()), block);
    }

    #[test]
    fn choices_that_only_computed_such_vanish() {
        let comment = |text: &str| Statement::Comment(text.to_owned());
        let inside = vec![comment("toPrivate"), assign("a", read("x"))];
        let block = vec![
            declare("a", None),
            comment("map"),
            Statement::If(first_rows(), inside.clone(), inside),
            comment("reduce"),
            store("x"),
        ];
        assert_eq!(eliminate_dead_code(block), [comment("reduce"), store("x")]);
    }
}
