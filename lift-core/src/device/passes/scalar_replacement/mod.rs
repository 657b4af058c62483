//! Scalar replacement: private arrays become variables, because registers have no addresses (Steuwer,
//! Remmelg, Dubach, CASES 2016, section 4).
//!
//! A private array becomes one variable per element if every access to it has a constant index once the loops
//! around the access are written out. Loops are written out only for that, and only loops with a known trip
//! count. An array that is indexed by data, by a size, or by a loop that is too long stays an array. Nothing
//! is stored in a variable whose value nothing needs (`liveness`).

mod liveness;
mod survey;

use std::sync::Arc;

use crate::flat::{FlatMap, FlatSet};

use liveness::{Needed, positions};
pub(super) use survey::WrittenOut;
use survey::{Survey, choose, known_steps, registers_of};

use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{
    Buffer, BufferId, BufferRole, Expression, Loop, Statement, ValueType, Variable, Vectors,
};
use crate::ir::names::Fresh;
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};
use crate::ir::scalar::Literal;

/// Keeps private arrays in variables; see the module documentation.
pub(crate) fn replace_by_scalars(
    body: Vec<Statement>,
    buffers: &[Buffer],
    ranges: &Ranges,
    fresh: &mut Fresh,
) -> Vec<Statement> {
    let mut survey = Survey::of(buffers);
    survey.block(&body);
    let chosen = choose(&body, buffers, &survey);
    let mut unrolled = FlatSet::new();
    let mut registers = FlatMap::new();
    for id in chosen {
        let (Some(Some(usage)), Some(buffer)) = (survey.uses.get(&id), buffers.get(id.0)) else { continue };
        if let Some(variables) = variables_for(buffer, usage.stored.unwrap_or(usage.ty), fresh) {
            unrolled.extend(usage.loops.iter().cloned());
            registers.insert(id, variables);
        }
    }
    if registers.is_empty() {
        return body;
    }
    let needed = Needed::of(&body, &registers, &unrolled);
    let mut unroller = Unroller {
        buffers,
        registers,
        needed,
        unrolled,
        fresh,
        ranges: ranges.clone(),
        substitution: Substitution::new(),
        renamed: FlatMap::new(),
        is_copy: false,
    };
    unroller.block(&body)
}

/// One variable for each value of this type in a buffer; `None` if there are too many.
fn variables_for(buffer: &Buffer, ty: ValueType, fresh: &mut Fresh) -> Option<Vec<Variable>> {
    let count = registers_of(buffer, ty)?;
    // The array's own name is free again. Its number and that of an element are told apart: `block2_0`.
    fresh.release([&*buffer.name]);
    let numbered = buffer.name.rsplit_once('_').filter(|(name, number)| {
        number.parse::<u32>().is_ok() && !name.ends_with(|last: char| last.is_ascii_digit())
    });
    let array = numbered.map_or(buffer.name.clone(), |(name, number)| format!("{name}{number}").into());
    let name = |position| match count {
        1 => buffer.name.clone(),
        _ => format!("{array}_{position}").into(),
    };
    Some((0..count).map(|position| fresh.variable(&name(position), ty)).collect())
}

/// Writes loops out and replaces arrays by variables.
struct Unroller<'n> {
    buffers: &'n [Buffer],
    registers: FlatMap<BufferId, Vec<Variable>>,
    needed: Needed,
    unrolled: FlatSet<Var>,
    fresh: &'n mut Fresh,
    ranges: Ranges,
    /// The indices of this copy of a loop's body that are computed from data, and the current iterations of
    /// the loops being written out.
    substitution: Substitution,
    /// The names of the variables of this copy of a loop's body.
    renamed: FlatMap<Arc<str>, Arc<str>>,
    /// Whether the current code was written before, for another iteration.
    is_copy: bool,
}

impl Unroller<'_> {
    fn write_out(&mut self, repetition: &Loop, steps: u64) -> Vec<Statement> {
        let mut written = Vec::new();
        if !repetition.origin.is_empty() && !self.is_copy {
            written.push(Statement::Comment(repetition.origin.clone()));
        }
        let (outside, renamed_outside) = (self.is_copy, self.renamed.clone());
        for step in 0..steps {
            self.is_copy = outside || step > 0;
            self.substitution.insert(repetition.index.clone(), Nat::constant(i128::from(step)));
            let copy = self.block(&repetition.body);
            let is_comment = |statement: &Statement| matches!(statement, Statement::Comment(_));
            written.extend(copy.into_iter().filter(|statement| !(self.is_copy && is_comment(statement))));
            self.renamed.clone_from(&renamed_outside);
        }
        self.is_copy = outside;
        self.substitution.remove(&repetition.index);
        written
    }

    /// Declares the variables of an array; those of a copy have their own names.
    fn declare_registers(&mut self, id: BufferId) -> Vec<Statement> {
        let variables = self.registers.get_or_default(id);
        if self.is_copy {
            for variable in variables.iter_mut() {
                variable.name = self.fresh.name(&variable.name);
            }
        }
        variables.iter().map(|variable| Statement::Declare(variable.clone(), None)).collect()
    }

    /// The variable that holds the scalar at an index, and the component there. An index outside the array
    /// occurs only in code that is never executed; any variable will do for it.
    fn register(&self, buffer: BufferId, index: usize) -> Option<(&Variable, u8)> {
        let variables = self.registers.get(&buffer)?;
        let lanes = usize::from(variables.first()?.ty.lanes);
        let variable = variables.get(index / lanes).or(variables.last())?;
        Some((variable, u8::try_from(index % lanes).ok()?))
    }

    /// Whether anything needs a value of this type at an index.
    fn is_needed(&self, buffer: BufferId, index: &Nat, ty: ValueType) -> bool {
        let variables = self.registers.get(&buffer).map_or(&[][..], Vec::as_slice);
        self.needed.any(buffer, positions(variables, index.as_constant(), ty))
    }

    /// The value of the variables at an index: one of them, a part of one, or several as one vector.
    fn registers_at(&self, buffer: BufferId, index: &Nat, ty: ValueType) -> Option<Expression> {
        let first = usize::try_from(index.as_constant()?).unwrap_or(0);
        let (variable, lane) = self.register(buffer, first)?;
        if variable.ty == ty && lane == 0 {
            return Some(Expression::Variable(variable.clone()));
        }
        let component = |lane: u8| {
            let (variable, lane) = self.register(buffer, first + usize::from(lane))?;
            Some(Expression::Variable(variable.clone()).component(lane))
        };
        match ty.lanes {
            1 => component(0),
            lanes => (0..lanes).map(component).collect::<Option<_>>().map(Expression::Components),
        }
    }

    /// Stores a value in the variables that hold it.
    fn store_in_registers(
        &mut self,
        buffer: BufferId,
        index: &Nat,
        value: Expression,
    ) -> Option<Vec<Statement>> {
        let first = usize::try_from(index.as_constant()?).unwrap_or(0);
        let (variable, _) = self.register(buffer, first)?;
        let (lanes, ty) = (variable.ty.lanes, value.ty());
        if lanes >= ty.lanes {
            return Some(vec![Statement::Assign(variable.clone(), value)]);
        }
        let mut statements = Vec::new();
        let value = if value.is_trivial() {
            value
        } else {
            let vector = self.fresh.variable("vector", ty);
            statements.push(Statement::Declare(vector.clone(), Some(value)));
            Expression::Variable(vector)
        };
        for part in (0..ty.lanes).step_by(usize::from(lanes)) {
            let (variable, _) = self.register(buffer, first + usize::from(part))?;
            let part = match lanes {
                1 => value.component(part),
                _ => Expression::Components((part..part + lanes).map(|lane| value.component(lane)).collect()),
            };
            statements.push(Statement::Assign(variable.clone(), part));
        }
        Some(statements)
    }

    /// The element of a constant table.
    fn constant(&self, buffer: BufferId, index: &Nat) -> Option<&Literal> {
        let BufferRole::Constant(literals) = &self.buffers.get(buffer.0)?.role else { return None };
        literals.get(usize::try_from(index.as_constant()?).ok()?)
    }

    /// Renames the variables that a statement declares, in a copy.
    fn rename(&mut self, statement: &Statement) {
        if let Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } = statement
            && self.is_copy
        {
            let own = self.fresh.index(index.name());
            self.substitution.insert(index.clone(), Nat::variable(&own));
            return;
        }
        for variable in statement.declared_variables().iter().filter(|_| self.is_copy) {
            let name = self.fresh.name(&variable.name);
            self.renamed.insert(variable.name.clone(), name);
        }
    }
}

impl Fold for Unroller<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.ranges)
    }

    fn nat(&mut self, nat: &Nat) -> Nat {
        if self.substitution.is_empty() {
            return nat.clone();
        }
        self.ranges.simplify(&nat.substitute(&self.substitution))
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::comparison(self.ranges.simplify_condition(&condition.substitute(&self.substitution)))
    }

    fn variable(&mut self, variable: &Variable) -> Variable {
        match self.renamed.get(&variable.name) {
            Some(name) => Variable { name: name.clone(), ty: variable.ty },
            None => variable.clone(),
        }
    }

    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        if let Some(value) = self.registers_at(buffer, &index, ty) {
            return value;
        }
        match self.constant(buffer, &index) {
            Some(literal) if ty.lanes == 1 => Expression::Literal(literal.clone(), ty.scalar),
            _ => Expression::Load(buffer, index, ty),
        }
    }

    /// Scalars may be neighbours once it is known which iteration loads them.
    fn components(&mut self, components: Vec<Expression>) -> Expression {
        if self.substitution.is_empty() {
            return Expression::Components(components);
        }
        Vectors { buffers: self.buffers, ranges: &self.ranges }.of(components)
    }

    fn index_declared(&mut self, index: &Var) -> Var {
        self.substitution.get(index).and_then(Nat::as_variable).unwrap_or(index).clone()
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        self.rename(statement);
        match statement {
            Statement::Loop(repetition) if self.unrolled.contains(&repetition.index) => {
                let steps = known_steps(repetition);
                steps.map_or_else(Vec::new, |steps| self.write_out(repetition, steps))
            }
            Statement::Store(buffer, index, value) if self.registers.contains_key(buffer) => {
                let index = self.nat(index);
                if !self.is_needed(*buffer, &index, value.ty()) {
                    return Vec::new();
                }
                let value = self.expression(value);
                let stored = self.store_in_registers(*buffer, &index, value.clone());
                stored.unwrap_or_else(|| vec![Statement::Store(*buffer, index, value)])
            }
            Statement::DeclareBuffer(id) if self.registers.contains_key(id) => self.declare_registers(*id),
            _ => self.parts(statement),
        }
    }
}
