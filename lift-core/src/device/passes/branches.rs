//! Branches that do no more than they must.
//!
//! A choice between values that take statements to compute assigns a variable in both branches, which is copied to where
//! the value goes afterwards. Three steps make of that what a person writes, and change no value:
//!
//! - [`assign_in_branches`]: the branches assign the place where the value goes, so that a branch that keeps the old value is empty
//!   (it comes before copies vanish, which it makes more of);
//! - [`join_branches`]: neighbouring `if`s that ask the same of indices become one, as where every element of a row is chosen by the
//!   number of the row; and what only one branch needs is declared in it, right before which it stood.

use std::collections::BTreeSet;

use super::copies::is_idle;
use crate::ir::kernel::rewrite::Rewrite;
use crate::ir::kernel::{Expression, Statement, Uses, Variable, nested};
use crate::ir::nat::Var;

/// Lets branches assign what their results are copied to; see the module documentation.
pub(crate) fn assign_in_branches(body: Vec<Statement>) -> Vec<Statement> {
    let body = if copies_a_choice(&body) { Block::new(body).assign_in_branches() } else { body };
    body.into_iter().map(|statement| statement.map_blocks(assign_in_branches)).collect()
}

/// Joins neighbouring branches of one condition, and moves into them what only they need; see the module documentation. What a
/// kernel begins with stays in front, where the names for all of it are.
pub(crate) fn join_branches(body: Vec<Statement>) -> Vec<Statement> {
    fuse(body.into_iter().map(|statement| statement.map_blocks(join_and_sink)).collect())
}

fn join_and_sink(block: Vec<Statement>) -> Vec<Statement> {
    let block: Vec<Statement> =
        block.into_iter().map(|statement| statement.map_blocks(join_and_sink)).collect();
    if has_branches(&block) { Block::new(fuse(block)).sink() } else { block }
}

fn has_branches(block: &[Statement]) -> bool {
    block.iter().any(|statement| matches!(statement, Statement::If(..)))
}

/// Whether a block copies a variable that branches in it assign: few blocks do, and only in these it matters what each statement mentions.
fn copies_a_choice(block: &[Statement]) -> bool {
    let mut chosen = BTreeSet::new();
    let branches = block.iter().filter(|statement| matches!(statement, Statement::If(..)));
    for statement in branches.flat_map(|branch| nested(std::slice::from_ref(branch))) {
        if let Statement::Assign(variable, _) = statement {
            chosen.insert(variable.name.as_str());
        }
    }
    !chosen.is_empty()
        && block.iter().any(|statement| {
            matches!(statement, Statement::Assign(_, Expression::Variable(copied)) if chosen.contains(copied.name.as_str()))
        })
}

/// A block in which statements move, with what each of them mentions.
struct Block {
    /// Nothing where a statement was removed.
    statements: Vec<Option<Statement>>,
    uses: Vec<Uses>,
}

impl Block {
    fn new(statements: Vec<Statement>) -> Block {
        let uses = statements.iter().map(|statement| Uses::of(std::slice::from_ref(statement))).collect();
        Block { statements: statements.into_iter().map(Some).collect(), uses }
    }

    fn finish(self) -> Vec<Statement> {
        self.statements.into_iter().flatten().collect()
    }

    fn remove(&mut self, position: usize) {
        if let (Some(statement), Some(uses)) =
            (self.statements.get_mut(position), self.uses.get_mut(position))
        {
            *statement = None;
            *uses = Uses::default();
        }
    }

    /// The positions of the statements that mention a variable.
    fn mentioning(&self, name: &str) -> Vec<usize> {
        let positions = self.uses.iter().enumerate();
        positions.filter(|(_, uses)| mentions(uses, name)).map(|(position, _)| position).collect()
    }

    fn assign_in_branches(mut self) -> Vec<Statement> {
        let mut chosen_somewhere = self.assigned_in_branches();
        for copy in 0..self.statements.len() {
            let Some(Some(Statement::Assign(target, Expression::Variable(chosen)))) =
                self.statements.get(copy)
            else {
                continue;
            };
            if !chosen_somewhere.contains(&chosen.name) {
                continue;
            }
            let (target, chosen) = (target.clone(), chosen.clone());
            if let Some((declared, branch)) = self.chosen_for(&chosen, &target, copy) {
                self.rename_in_branches(branch, &chosen, &target);
                chosen_somewhere.insert(target.name);
                self.remove(declared);
                self.remove(copy);
            }
        }
        self.finish()
    }

    /// The variables that branches assign: of many copies in a block, few are of these.
    fn assigned_in_branches(&self) -> BTreeSet<String> {
        let is_branch = |statement: &Option<Statement>| matches!(statement, Some(Statement::If(..)));
        let branches = self.statements.iter().zip(&self.uses).filter(|(statement, _)| is_branch(statement));
        branches.flat_map(|(_, uses)| uses.assigned.iter().cloned()).collect()
    }

    /// Where a variable is declared and where it is chosen, if nothing is ever done with it but to copy it to the target, and
    /// both branches may assign the target at once.
    fn chosen_for(&self, chosen: &Variable, target: &Variable, copy: usize) -> Option<(usize, usize)> {
        let [declared, branch, last] = *self.mentioning(&chosen.name).as_slice() else { return None };
        let is_declared = matches!(self.statements.get(declared)?, Some(Statement::Declare(_, None)));
        let Some(Statement::If(_, then, otherwise)) = self.statements.get(branch)? else { return None };
        let untouched =
            self.mentioning(&target.name).iter().all(|&position| position <= branch || position >= copy);
        let fits = is_declared && last == copy && chosen.ty == target.ty && untouched;
        let both = [then, otherwise].into_iter().all(|block| stands_for(block, target, chosen));
        (fits && both).then_some((declared, branch))
    }

    fn rename_in_branches(&mut self, branch: usize, chosen: &Variable, target: &Variable) {
        let Some(Some(statement)) = self.statements.get_mut(branch) else { return };
        let mut renaming = Renaming { from: chosen, to: target };
        for block in statement.blocks_mut() {
            let renamed = block.iter().flat_map(|statement| renaming.statement(statement));
            *block = renamed.filter(|statement| !is_idle(statement)).collect();
        }
        if let Some(uses) = self.uses.get_mut(branch) {
            *uses = Uses::of(std::slice::from_ref(statement));
        }
    }

    /// Moves declarations into the one branch that needs them. The last first: it may be all that needs one before it.
    fn sink(mut self) -> Vec<Statement> {
        for position in (0..self.statements.len()).rev() {
            if let Some((branch, block)) = self.only_user(position) {
                self.move_into(position, branch, block);
            }
        }
        self.finish()
    }

    /// The `if`, and which of its blocks, that alone needs what this statement declares. Only declarations and comments stand in
    /// between: a load that is made long before it is needed is made so on purpose.
    fn only_user(&self, position: usize) -> Option<(usize, usize)> {
        let statement = self.statements.get(position)?.as_ref()?;
        let declared = Declared::by(statement)?;
        let rest = self.uses.iter().enumerate().skip(position + 1);
        let mut users = rest.filter(|(_, uses)| declared.is_in(uses)).map(|(user, _)| user);
        let (Some(user), None) = (users.next(), users.next()) else { return None };
        let between = self.statements.get(position + 1..user)?.iter().flatten();
        let Some(Statement::If(condition, then, otherwise)) = self.statements.get(user)? else { return None };
        let asked = Statement::If(condition.clone(), Vec::new(), Vec::new());
        if declared.is_in(&Uses::of(&[asked])) || !between.into_iter().all(only_declares) {
            return None;
        }
        match [then, otherwise].map(|block| declared.is_in(&Uses::of(block))) {
            [true, false] => Some((user, 0)),
            [false, true] => Some((user, 1)),
            [true, true] | [false, false] => None,
        }
    }

    fn move_into(&mut self, position: usize, branch: usize, block: usize) {
        let above = position.checked_sub(1);
        // A comment goes with the last statement that it is about.
        let mut rest = self.statements.get(position + 1..branch).into_iter().flatten().flatten();
        let is_last = rest.all(|statement| matches!(statement, Statement::Comment(_)));
        let comment = above.filter(|&above| {
            is_last && matches!(self.statements.get(above), Some(Some(Statement::Comment(_))))
        });
        let moved: Vec<Statement> = comment
            .into_iter()
            .chain([position])
            .filter_map(|position| self.statements.get_mut(position)?.take())
            .collect();
        let used = self.uses.get_mut(position).map(std::mem::take).unwrap_or_default();
        if let Some(Some(statement)) = self.statements.get_mut(branch)
            && let Some(block) = statement.blocks_mut().into_iter().nth(block)
        {
            block.splice(0..0, moved);
        }
        if let Some(uses) = self.uses.get_mut(branch) {
            uses.add(used);
        }
    }
}

/// What a declaration gives a name to.
enum Declared<'s> {
    Variable(&'s str),
    Index(&'s Var),
}

impl Declared<'_> {
    fn by(statement: &Statement) -> Option<Declared<'_>> {
        match statement {
            Statement::Declare(variable, Some(_)) => Some(Declared::Variable(&variable.name)),
            Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } => {
                Some(Declared::Index(index))
            }
            Statement::Declare(_, None)
            | Statement::DeclareBuffer(_)
            | Statement::DeclareWorker { .. }
            | Statement::Comment(_)
            | Statement::Assign(..)
            | Statement::Store(..)
            | Statement::CallFunction { .. }
            | Statement::Loop(_)
            | Statement::If(..)
            | Statement::Barrier { .. } => None,
        }
    }

    fn is_in(&self, uses: &Uses) -> bool {
        match self {
            Declared::Variable(name) => uses.scalars.contains(*name),
            Declared::Index(index) => uses.sizes.contains(*index),
        }
    }
}

/// Whether a statement is a comment or a declaration, which changes nothing.
fn only_declares(statement: &Statement) -> bool {
    matches!(statement, Statement::Comment(_) | Statement::Declare(_, None))
        || Declared::by(statement).is_some()
}

fn mentions(uses: &Uses, name: &str) -> bool {
    uses.scalars.contains(name) || uses.declared.contains(name)
}

/// Whether, in a block, a variable that is assigned there may be the target itself: the target is not mentioned any more when the
/// variable has its first value.
fn stands_for(block: &[Statement], target: &Variable, chosen: &Variable) -> bool {
    let uses: Vec<Uses> = block.iter().map(|statement| Uses::of(std::slice::from_ref(statement))).collect();
    let Some(first) = uses.iter().position(|uses| mentions(uses, &chosen.name)) else { return false };
    let assigned_at_once =
        matches!(block.get(first), Some(Statement::Assign(variable, _)) if variable == chosen);
    let free_from = if assigned_at_once { first + 1 } else { first };
    uses.iter().skip(free_from).all(|uses| !mentions(uses, &target.name))
}

/// One variable takes the place of another.
struct Renaming<'v> {
    from: &'v Variable,
    to: &'v Variable,
}

impl Rewrite for Renaming<'_> {
    fn variable(&mut self, variable: &Variable) -> Variable {
        if variable == self.from { self.to.clone() } else { variable.clone() }
    }
}

/// Makes one `if` of neighbours with the same condition, which what they do does not change.
fn fuse(block: Vec<Statement>) -> Vec<Statement> {
    let mut fused: Vec<Statement> = Vec::new();
    for statement in block {
        let Statement::If(condition, then, otherwise) = statement else {
            fused.push(statement);
            continue;
        };
        let last = fused.iter().rposition(|statement| !matches!(statement, Statement::Comment(_)));
        let is_same = |position: &usize| matches!(fused.get(*position), Some(Statement::If(before, _, _)) if *before == condition);
        match last.filter(is_same).filter(|_| is_of_indices(&condition)) {
            None => fused.push(Statement::If(condition, then, otherwise)),
            Some(last) => {
                let comments = fused.split_off(last + 1);
                if let Some(Statement::If(_, then_before, otherwise_before)) = fused.last_mut() {
                    then_before.extend(comments);
                    then_before.extend(then);
                    otherwise_before.extend(otherwise);
                }
            }
        }
    }
    fused
}

/// Whether an expression has the same value wherever it stands in a block.
fn is_of_indices(expression: &Expression) -> bool {
    expression.nested().all(|part| match part {
        Expression::Literal(..)
        | Expression::Index(..)
        | Expression::Condition(_)
        | Expression::WorkerId(_)
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Builtin(..)
        | Expression::Broadcast(..)
        | Expression::Components(_)
        | Expression::Component(..)
        | Expression::Select(..)
        | Expression::Cast(..) => true,
        Expression::Variable(_) | Expression::Load(..) | Expression::Function(..) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::nat::{Condition, Nat};
    use crate::ir::scalar::{BinaryOperator, ScalarType};

    fn variable(name: &str) -> Variable {
        Variable { name: name.to_owned(), ty: ScalarType::F32.into() }
    }

    fn read(name: &str) -> Expression {
        Expression::Variable(variable(name))
    }

    fn assign(name: &str, value: Expression) -> Statement {
        Statement::Assign(variable(name), value)
    }

    fn declare(name: &str, value: Option<Expression>) -> Statement {
        Statement::Declare(variable(name), value)
    }

    fn sum(left: &str, right: &str) -> Expression {
        Expression::Binary(BinaryOperator::Add, Box::new(read(left)), Box::new(read(right)))
    }

    fn first_rows() -> Expression {
        let row = Nat::variable(&Var::new(1, "row"));
        Expression::Condition(Condition::Less(row, Nat::constant(17)))
    }

    fn chosen_sum() -> Vec<Statement> {
        let then = vec![assign("chosen", read("acc")), assign("chosen", sum("chosen", "x"))];
        vec![
            declare("chosen", None),
            Statement::If(first_rows(), then, vec![assign("chosen", read("acc"))]),
            assign("acc", read("chosen")),
        ]
    }

    #[test]
    fn a_branch_that_keeps_the_old_value_is_empty() {
        let then = vec![assign("acc", sum("acc", "x"))];
        assert_eq!(assign_in_branches(chosen_sum()), [Statement::If(first_rows(), then, vec![])]);
    }

    #[test]
    fn branches_that_read_the_old_value_later_keep_their_variable() {
        let mut block = chosen_sum();
        if let Some(Statement::If(_, then, _)) = block.get_mut(1) {
            then.push(assign("chosen", sum("chosen", "acc")));
        }
        assert_eq!(assign_in_branches(block.clone()), block);
    }

    #[test]
    fn a_variable_that_is_read_again_stays() {
        let mut block = chosen_sum();
        block.push(assign("other", read("chosen")));
        assert_eq!(assign_in_branches(block.clone()), block);
    }

    #[test]
    fn two_that_change_places_do_not_become_one() {
        let then = vec![assign("x", read("b")), assign("y", read("a"))];
        let otherwise = vec![assign("x", read("a")), assign("y", read("b"))];
        let block = vec![
            declare("x", None),
            declare("y", None),
            Statement::If(first_rows(), then, otherwise),
            assign("a", read("x")),
            assign("b", read("y")),
        ];
        let then = vec![assign("x", read("b")), assign("b", read("a"))];
        let otherwise = vec![assign("x", read("a"))];
        let expected =
            vec![declare("x", None), Statement::If(first_rows(), then, otherwise), assign("a", read("x"))];
        assert_eq!(assign_in_branches(block), expected);
    }

    #[test]
    fn neighbours_that_ask_the_same_become_one() {
        let branch = |name: &str| Statement::If(first_rows(), vec![assign(name, read("x"))], vec![]);
        let comment = Statement::Comment("mapSeq".to_owned());
        let joined = vec![assign("a", read("x")), comment.clone(), assign("b", read("x"))];
        assert_eq!(
            join_branches(vec![branch("a"), comment, branch("b")]),
            [Statement::If(first_rows(), joined, vec![])]
        );
    }

    #[test]
    fn neighbours_that_ask_about_data_stay_apart() {
        let asks = Expression::Binary(BinaryOperator::Less, Box::new(read("a")), Box::new(read("x")));
        let block = vec![Statement::If(asks, vec![assign("a", read("x"))], vec![]); 2];
        assert_eq!(join_branches(block.clone()), block);
    }

    #[test]
    fn what_one_branch_needs_is_declared_in_it() {
        let comment = Statement::Comment("toPrivate".to_owned());
        let used = assign("a", read("y"));
        let block = vec![
            comment.clone(),
            declare("x", Some(read("b"))),
            declare("y", Some(sum("x", "x"))),
            Statement::If(first_rows(), vec![used.clone()], vec![]),
        ];
        let inside = vec![comment, declare("x", Some(read("b"))), declare("y", Some(sum("x", "x"))), used];
        assert_eq!(join_and_sink(block), [Statement::If(first_rows(), inside, vec![])]);
    }

    #[test]
    fn what_is_needed_elsewhere_or_computed_early_stays() {
        let branch = Statement::If(first_rows(), vec![assign("a", read("x"))], vec![]);
        let early = vec![declare("x", Some(read("b"))), assign("b", read("c")), branch.clone()];
        assert_eq!(join_and_sink(early.clone()), early);
        let needed = vec![declare("x", Some(read("b"))), branch, assign("c", read("x"))];
        assert_eq!(join_and_sink(needed.clone()), needed);
    }
}
