//! Vectorisation of loads and stores: neighbouring scalars are loaded and stored as a vector.
//!
//! Rows with a constant number of elements, such as points or the right-hand sides of a system, are read
//! element by element: `b[8 * i]`, `b[8 * i + 1]`, … A GPU fetches such elements for each work-item with a
//! stride, in as many instructions as there are elements. A vector takes one. OpenCL compilers cannot do that
//! by themselves, because they do not know that the address is a multiple of the vector's size. Here it
//! follows from the algebra (superword level parallelism of adjacent memory accesses; Larsen and Amarasinghe,
//! PLDI 2000).
//!
//! - Short loops without branches over the elements of such a row are written out first.
//! - Loads of neighbours in a block become one load if most elements of the vector are needed. It stands
//!   before the first statement that needs one of them. Only buffers that the kernel does not store to are
//!   loaded in this way. At least one element of the vector is loaded there in any case, and the length of
//!   its buffer is a multiple of the vector's, so that nothing outside of the buffer is read.
//! - Stores to all elements of a vector become one store if they stand side by side.
//!
//! What is computed stays scalar.
//!
//! The pass is for GPUs only. OpenCL compilers for processors compute several work-items at once, by making
//! vectors of the variables of a kernel, and do not if these are vectors already. On PoCL, the forces between
//! 1000 bodies took 1.4 times as long.

use super::context::Resources;
use super::copy::copied_with;
use super::unrolling::unroll_innermost;
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{
    Buffer, BufferId, BufferRole, Expression, Loop, Statement, ValueType, Variable, Workers, nested,
};
use crate::ir::nat::{Nat, Ranges, Substitution, Var};
use crate::ir::scalar::{BinaryOperator, ScalarType};

/// The most bytes of a vector: GPUs load and store as many at once.
const MOST_BYTES: i128 = 16;

/// The most iterations of a loop that is written out.
const MOST_STEPS: i128 = 16;

/// The most statements of such a loop, with all iterations.
const MOST_STATEMENTS: usize = 64;

/// Vectorises loads and stores; see the module documentation. `sizes` are the variables that are constant for
/// a whole launch, if the OpenCL compiler is asked to unroll loops.
pub(crate) fn vectorise_accesses(
    body: Vec<Statement>,
    sizes: Option<&FlatSet<Var>>,
    ranges: &Ranges,
    resources: Resources<'_>,
) -> Vec<Statement> {
    let widths: Vec<u8> = resources.buffers.iter().map(|buffer| widest(buffer, ranges)).collect();
    if widths.iter().all(|width| *width == 1) {
        return body;
    }
    let stored = nested(&body).filter_map(Statement::stored_buffer).collect();
    let (known, loaded) = (ranges.clone(), Vec::new());
    let mut pass = VectorAccesses { resources, widths, stored, known, loaded, has_written_out: false };
    let written_out = pass.written_out(body);
    let mut body = pass.block(&written_out);
    // A loop around one that was written out has become an innermost one.
    if let Some(sizes) = sizes.filter(|_| pass.has_written_out) {
        unroll_innermost(&mut body, sizes);
    }
    body
}

/// The number of lanes of the widest vectors that fill a buffer; 1 if none do.
fn widest(buffer: &Buffer, ranges: &Ranges) -> u8 {
    let is_global = match buffer.role {
        BufferRole::Parameter(_) | BufferRole::Result(_) | BufferRole::Temporary(_) => true,
        BufferRole::Scratch(_) | BufferRole::Local | BufferRole::Private | BufferRole::Constant(_) => false,
    };
    let has_vectors = match buffer.element {
        // Truth values have no vectors, half precision is not known to every device, and of a type that is
        // left open nobody knows the size.
        ScalarType::Bool | ScalarType::F16 | ScalarType::Parameter(_) => false,
        ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::F32
        | ScalarType::F64 => true,
    };
    let fills = |width: u8| {
        let lanes = i128::from(width);
        lanes * buffer.element.bytes() <= MOST_BYTES
            && ranges.divides(&Nat::constant(lanes), &buffer.length) == Some(true)
    };
    [16, 8, 4, 2].into_iter().find(|width| is_global && has_vectors && fills(*width)).unwrap_or(1)
}

struct VectorAccesses<'v> {
    resources: Resources<'v>,
    /// The number of lanes of the widest vectors that fill each buffer.
    widths: Vec<u8>,
    /// The buffers that the kernel stores to.
    stored: FlatSet<BufferId>,
    /// What is known of indices here.
    known: Ranges,
    /// The vectors that variables hold here.
    loaded: Vec<Loaded>,
    /// Whether a loop was written out.
    has_written_out: bool,
}

/// A vector in a variable.
struct Loaded {
    buffer: BufferId,
    /// Its first element.
    start: Nat,
    variable: Variable,
}

/// A vector that a block loads.
struct Vector {
    buffer: BufferId,
    /// Its first element.
    start: Nat,
    /// The number of its lanes.
    width: u8,
    /// The position of the first statement that needs one of its elements.
    first: usize,
}

/// An element that a statement of a block loads in any case.
struct Load {
    /// The position of the statement.
    statement: usize,
    /// Its index without the number that is added in the end.
    stem: Nat,
    /// That number.
    offset: i128,
}

impl VectorAccesses<'_> {
    /// A block with loops over the elements of vectors written out, inner ones first.
    fn written_out(&mut self, block: Vec<Statement>) -> Vec<Statement> {
        let mut written = Vec::with_capacity(block.len());
        for statement in block {
            match statement.map_blocks(|inner| self.written_out(inner)) {
                Statement::Loop(repetition) if self.goes_along_vectors(&repetition) => {
                    self.has_written_out = true;
                    let steps = repetition.extent.as_constant().unwrap_or_default();
                    written.extend(origin(&repetition));
                    for step in 0..steps {
                        let step = Substitution::from([(repetition.index.clone(), Nat::constant(step))]);
                        written.append(&mut copied_with(step, &repetition.body, &mut self.resources));
                    }
                }
                other => written.push(other),
            }
        }
        written
    }

    /// Whether the iterations of a loop that may be written out load or store the elements of vectors one
    /// after the other.
    fn goes_along_vectors(&self, repetition: &Loop) -> bool {
        let Some(steps) = steps_to_write_out(repetition) else { return false };
        let goes_along = |buffer: BufferId, index: &Nat| {
            let Some((step, start)) = index.linear_in(&repetition.index) else { return false };
            let widths = [16, 8, 4, 2].into_iter().filter(|width| *width <= self.width(buffer));
            let mut filled = widths.map(i128::from).filter(|width| steps % width == 0).map(Nat::constant);
            step == Nat::one() && filled.any(|width| self.known.divides(&width, &start) == Some(true))
        };
        let is_code = |statement: &&Statement| !matches!(statement, Statement::Comment(_));
        if let [Statement::Store(buffer, index, _)] =
            repetition.body.iter().filter(is_code).collect::<Vec<_>>()[..]
            && goes_along(*buffer, index)
        {
            return true;
        }
        let mut found = false;
        for expression in repetition.body.iter().flat_map(Statement::expressions) {
            each_in_any_case(expression, &mut |part| {
                if let Expression::Load(buffer, index, ty) = part {
                    found |= ty.lanes == 1 && !self.stored.contains(buffer) && goes_along(*buffer, index);
                }
            });
        }
        found
    }

    /// The vectors that a block loads.
    fn vectors(&self, block: &[Statement]) -> Vec<Vector> {
        let mut loads: FlatMap<(BufferId, Nat), Vec<Load>> = FlatMap::new();
        for (statement, leaf) in block.iter().enumerate().filter(|(_, statement)| statement.is_leaf()) {
            for expression in leaf.expressions() {
                each_in_any_case(expression, &mut |part| {
                    if let Expression::Load(buffer, index, ty) = part
                        && ty.lanes == 1
                        && self.width(*buffer) > 1
                        && !self.stored.contains(buffer)
                        && self.loaded(*buffer, index).is_none()
                    {
                        let load = Load::new(statement, index);
                        loads.get_or_insert_with((*buffer, load.stem.clone()), Vec::new).push(load);
                    }
                });
            }
        }
        loads.into_iter().flat_map(|((buffer, stem), loads)| self.vectors_of(buffer, &stem, loads)).collect()
    }

    /// The vectors of loads that are constant numbers of elements apart.
    fn vectors_of(&self, buffer: BufferId, stem: &Nat, mut loads: Vec<Load>) -> Vec<Vector> {
        let mut vectors = Vec::new();
        let mut width = self.width(buffer);
        while width > 1 && loads.iter().any(|load| load.offset != loads[0].offset) {
            let lanes = i128::from(width);
            if self.known.divides(&Nat::constant(lanes), stem) == Some(true) {
                let mut starts: FlatMap<i128, Vec<Load>> = FlatMap::new();
                for load in std::mem::take(&mut loads) {
                    let start = load.offset - load.offset.rem_euclid(lanes);
                    starts.get_or_insert_with(start, Vec::new).push(load);
                }
                for (start, of_vector) in starts {
                    match Vector::of(buffer, width, stem + Nat::constant(start), &of_vector) {
                        Some(vector) => vectors.push(vector),
                        None => loads.extend(of_vector),
                    }
                }
            }
            width /= 2;
        }
        vectors
    }

    fn width(&self, buffer: BufferId) -> u8 {
        self.widths.get(buffer.0).copied().unwrap_or(1)
    }

    /// The component of a variable that is an element.
    fn loaded(&self, buffer: BufferId, index: &Nat) -> Option<Expression> {
        self.loaded.iter().filter(|loaded| loaded.buffer == buffer).find_map(|loaded| {
            let lane = u8::try_from((index - &loaded.start).as_constant()?).ok()?;
            let is_in_it = lane < loaded.variable.ty.lanes;
            let vector = || Box::new(Expression::Variable(loaded.variable.clone()));
            is_in_it.then(|| Expression::Component(vector(), lane))
        })
    }

    /// Declares a vector, for the statements from here on.
    fn declare(&mut self, Vector { buffer, start, width, .. }: Vector) -> Option<Statement> {
        let of = self.resources.buffers.get(buffer.0)?;
        let ty = ValueType { scalar: of.element, lanes: width };
        let variable = self.resources.fresh.variable(&format!("{}_vector", of.name), ty);
        self.loaded.push(Loaded { buffer, start: start.clone(), variable: variable.clone() });
        Some(Statement::Declare(variable, Some(Expression::Load(buffer, start, ty))))
    }

    /// A block whose neighbouring stores are stores of vectors.
    fn stores(&self, block: Vec<Statement>) -> Vec<Statement> {
        let mut rest = block.as_slice();
        let mut joined = Vec::new();
        while let [first, behind @ ..] = rest {
            match self.stored_vector(rest) {
                Some((vector, width)) => {
                    joined.push(vector);
                    rest = rest.get(usize::from(width)..).unwrap_or_default();
                }
                None => {
                    joined.push(first.clone());
                    rest = behind;
                }
            }
        }
        joined
    }

    /// The store of a vector that some statements begin with, and the number of its lanes.
    fn stored_vector(&self, statements: &[Statement]) -> Option<(Statement, u8)> {
        let Statement::Store(buffer, first, value) = statements.first()? else { return None };
        let ty = value.ty();
        let mut width = if ty.lanes == 1 { self.width(*buffer) } else { 1 };
        while width > 1 {
            let lanes = statements.get(..usize::from(width)).unwrap_or_default();
            let follows = |(lane, statement): (i128, &Statement)| match statement {
                Statement::Store(same, index, value) => {
                    let loads =
                        value.any(&mut |part| matches!(part, Expression::Load(of, ..) if of == buffer));
                    same == buffer
                        && value.ty() == ty
                        && (index - first).as_constant() == Some(lane)
                        && !loads
                }
                _ => false,
            };
            let is_aligned = || self.known.divides(&Nat::constant(i128::from(width)), first) == Some(true);
            if !lanes.is_empty() && (0..).zip(lanes).all(follows) && is_aligned() {
                let values = lanes.iter().flat_map(|statement| statement.expressions().iter().cloned());
                let vector = Expression::Components(values.collect());
                return Some((Statement::Store(*buffer, first.clone(), vector), width));
            }
            width /= 2;
        }
        None
    }
}

/// The number of iterations of a loop that may be written out: a short one without branches, which one
/// work-item executes from the first iteration to the last.
fn steps_to_write_out(repetition: &Loop) -> Option<i128> {
    let steps = repetition.extent.as_constant().filter(|steps| (2..=MOST_STEPS).contains(steps))?;
    let is_straight = |statement: &Statement| {
        statement.is_leaf() && !matches!(statement, Statement::DeclareBuffer(_) | Statement::BreakUnless(_))
    };
    let statements = repetition.body.len().checked_mul(usize::try_from(steps).ok()?)?;
    let is_short = statements <= MOST_STATEMENTS && repetition.body.iter().all(is_straight);
    let is_whole = repetition.workers == Workers::Sequential && repetition.bound().is_some();
    (is_short && is_whole).then_some(steps)
}

/// The comment that names the pattern of a loop.
fn origin(repetition: &Loop) -> Option<Statement> {
    (!repetition.origin.is_empty()).then(|| Statement::Comment(repetition.origin.clone()))
}

impl Load {
    fn new(statement: usize, index: &Nat) -> Load {
        let (stem, offset) = (index.with_terms(|term| !term.is_constant()), index.constant_term());
        Load { statement, stem, offset }
    }
}

impl Vector {
    /// The vector of these elements behind a stem, if most of it is needed: what else it has costs registers.
    fn of(buffer: BufferId, width: u8, start: Nat, loads: &[Load]) -> Option<Vector> {
        let needed: FlatSet<i128> = loads.iter().map(|load| load.offset).collect();
        let first = loads.iter().map(|load| load.statement).min()?;
        let is_most = 4 * needed.len() >= 3 * usize::from(width);
        is_most.then_some(Vector { buffer, start, width, first })
    }
}

/// Looks at the parts of an expression that are computed in any case.
fn each_in_any_case<'e>(expression: &'e Expression, look: &mut impl FnMut(&'e Expression)) {
    look(expression);
    match expression {
        Expression::Select(condition, _, _) => each_in_any_case(condition, look),
        Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, _) => each_in_any_case(left, look),
        other => other.children().into_iter().for_each(|child| each_in_any_case(child, look)),
    }
}

impl Fold for VectorAccesses<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.known)
    }

    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        let loaded = if ty.lanes == 1 { self.loaded(buffer, &index) } else { None };
        loaded.unwrap_or(Expression::Load(buffer, index, ty))
    }

    fn block(&mut self, block: &[Statement]) -> Vec<Statement> {
        let outside = self.loaded.len();
        let rewritten = self.inside(|pass| {
            let mut vectors = pass.vectors(block);
            let mut rewritten = Vec::with_capacity(block.len());
            for (position, statement) in block.iter().enumerate() {
                for vector in vectors.extract_if(.., |vector| vector.first == position) {
                    rewritten.extend(pass.declare(vector));
                }
                rewritten.append(&mut pass.statement(statement));
                pass.known.learn(statement);
            }
            pass.stores(rewritten)
        });
        self.loaded.truncate(outside);
        rewritten
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::Unrolling;
    use crate::ir::kernel::examples::{assign, declare, in_order, read};
    use crate::ir::names::{Fresh, Names, ReservedWords};
    use crate::ir::nat::Condition;
    use crate::ir::scalar::Literal;

    static NO_WORDS: ReservedWords = ReservedWords { has: |_| false, has_family: |_| false };

    const A: BufferId = BufferId(0);
    const RESULT: BufferId = BufferId(1);

    fn n() -> Var {
        Var::new(1, "n")
    }

    fn i() -> Var {
        Var::new(2, "i")
    }

    fn buffer(name: &str, role: BufferRole, element: ScalarType, row: i128) -> Buffer {
        Buffer { name: name.into(), element, length: Nat::constant(row) * Nat::variable(&n()), role }
    }

    /// The index of an element of the row with the number `i`.
    fn at(row: i128, element: i128) -> Nat {
        Nat::constant(row) * Nat::variable(&i()) + Nat::constant(element)
    }

    fn load(index: Nat) -> Expression {
        Expression::Load(A, index, ScalarType::F32.into())
    }

    fn sum(parts: Vec<Expression>) -> Expression {
        let add = |sum, part| Expression::Binary(BinaryOperator::Add, Box::new(sum), Box::new(part));
        parts.into_iter().reduce(add).expect("a sum has parts")
    }

    /// The body after the pass, where `a` and the result have `n` rows of `row` elements, and `i` is a
    /// row.
    fn vectorised_rows(element: ScalarType, row: i128, body: Vec<Statement>) -> Vec<Statement> {
        vectorised_for(Some(&FlatSet::from([n()])), element, row, body)
    }

    /// The same where `sizes` says whether loops are unrolled.
    fn vectorised_for(
        sizes: Option<&FlatSet<Var>>,
        element: ScalarType,
        row: i128,
        body: Vec<Statement>,
    ) -> Vec<Statement> {
        let buffers = [
            buffer("a", BufferRole::Parameter(0), element, row),
            buffer("result", BufferRole::Result(0), element, row),
        ];
        let ranges = Ranges::new().in_steps(&i(), Some(&Nat::variable(&n())));
        let (mut buffers, mut fresh) = (buffers.to_vec(), Fresh::new(Names::new(&NO_WORDS), 100));
        let resources = Resources { buffers: &mut buffers, fresh: &mut fresh };
        vectorise_accesses(body, sizes, &ranges, resources)
    }

    fn vectorised(row: i128, body: Vec<Statement>) -> Vec<Statement> {
        vectorised_rows(ScalarType::F32, row, body)
    }

    /// The vectors that some statements load, at every depth: their starts and their numbers of lanes.
    fn loads(body: &[Statement]) -> Vec<(String, u8)> {
        let mut found = Vec::new();
        for statement in nested(body) {
            statement.each_part(&mut |part| {
                if let Expression::Load(_, index, ty) = part {
                    found.push((index.to_string(), ty.lanes));
                }
            });
        }
        found
    }

    /// What is loaded of the sum of these elements of a row.
    fn loads_of_sum(row: i128, elements: &[i128]) -> Vec<(String, u8)> {
        let parts = elements.iter().map(|element| load(at(row, *element))).collect();
        loads(&vectorised(row, vec![assign("x", sum(parts))]))
    }

    fn vector(start: &str, lanes: u8) -> (String, u8) {
        (start.to_owned(), lanes)
    }

    #[test]
    fn rows_are_loaded_as_vectors() {
        assert_eq!(loads_of_sum(4, &[0, 1, 2, 3]), [vector("4 * i", 4)]);
        assert_eq!(loads_of_sum(4, &[3, 2, 1, 0, 3]), [vector("4 * i", 4)]);
        assert_eq!(loads_of_sum(8, &[0, 1, 2, 3, 4, 5, 6, 7]), [vector("8 * i", 4), vector("8 * i + 4", 4)]);
        assert_eq!(loads_of_sum(2, &[0, 1]), [vector("2 * i", 2)]);
    }

    #[test]
    fn most_of_a_vector_must_be_needed() {
        assert_eq!(loads_of_sum(4, &[0, 1, 3]), [vector("4 * i", 4)]);
        assert_eq!(loads_of_sum(4, &[2, 3]), [vector("4 * i + 2", 2)]);
        assert_eq!(loads_of_sum(4, &[1, 2]), [vector("4 * i + 1", 1), vector("4 * i + 2", 1)]);
        assert_eq!(loads_of_sum(4, &[2]), [vector("4 * i + 2", 1)]);
        // Of a row of six, the first two and the last two are pairs.
        assert_eq!(loads_of_sum(6, &[0, 1, 4, 5]), [vector("6 * i", 2), vector("6 * i + 4", 2)]);
    }

    #[test]
    fn vectors_fill_the_buffer() {
        let scalars: Vec<_> = ["3 * i", "3 * i + 1", "3 * i + 2"].map(|index| vector(index, 1)).into();
        assert_eq!(loads_of_sum(3, &[0, 1, 2]), scalars);
    }

    #[test]
    fn vectors_have_16_bytes() {
        let doubles = |element| Expression::Load(A, at(4, element), ScalarType::F64.into());
        let body = vec![assign("x", sum((0..4).map(doubles).collect()))];
        let expected = [vector("4 * i", 2), vector("4 * i + 2", 2)];
        assert_eq!(loads(&vectorised_rows(ScalarType::F64, 4, body)), expected);
        let bytes = |element| Expression::Load(A, at(16, element), ScalarType::U8.into());
        let body = vec![assign("x", sum((0..16).map(bytes).collect()))];
        assert_eq!(loads(&vectorised_rows(ScalarType::U8, 16, body)), [vector("16 * i", 16)]);
    }

    #[test]
    fn a_vector_is_loaded_before_the_first_statement_that_needs_it_and_for_all_of_them() {
        let inner = in_order(&Var::new(3, "j"), Nat::variable(&n()), vec![assign("z", load(at(4, 3)))]);
        let body = vec![
            declare("x", None),
            assign("x", load(at(4, 0))),
            assign("y", sum(vec![load(at(4, 1)), load(at(4, 2))])),
            inner,
        ];
        let changed = vectorised(4, body);
        assert_eq!(loads(&changed), [vector("4 * i", 4)]);
        assert!(matches!(&changed[1], Statement::Declare(vector, Some(_)) if vector.ty.lanes == 4));
    }

    #[test]
    fn loops_over_the_elements_of_a_row_are_written_out() {
        let j = Var::new(3, "j");
        let along = |row: i128, steps: i128| {
            let index = Nat::constant(row) * Nat::variable(&i()) + Nat::variable(&j);
            let body = vec![assign("x", sum(vec![read("x"), load(index)]))];
            vectorised(row, vec![in_order(&j, Nat::constant(steps), body)])
        };
        assert_eq!(loads(&along(4, 4)), [vector("4 * i", 4)]);
        assert_eq!(loads(&along(8, 8)), [vector("8 * i", 4), vector("8 * i + 4", 4)]);
        assert_eq!(loads(&along(6, 6)).len(), 3);
        // Three of four elements, a row without vectors, and one with many.
        assert!(matches!(&along(4, 3)[..], [Statement::Loop(_)]));
        assert!(matches!(&along(3, 3)[..], [Statement::Loop(_)]));
        assert!(matches!(&along(32, 32)[..], [Statement::Loop(_)]));
    }

    #[test]
    fn loops_that_only_store_a_row_are_written_out() {
        let j = Var::new(3, "j");
        let index = Nat::constant(4) * Nat::variable(&i()) + Nat::variable(&j);
        let store = Statement::Store(RESULT, index, read("x"));
        let alone = vectorised(4, vec![in_order(&j, Nat::constant(4), vec![store.clone()])]);
        assert!(matches!(&alone[1..], [Statement::Store(_, _, value)] if value.ty().lanes == 4), "{alone:?}");
        // Stores that do not stand side by side are no vector.
        let body = vec![declare("y", Some(read("x"))), store];
        let beside = vectorised(4, vec![in_order(&j, Nat::constant(4), body)]);
        assert!(matches!(&beside[..], [Statement::Loop(_)]), "{beside:?}");
    }

    #[test]
    fn loops_around_are_unrolled_only_where_that_is_asked_for() {
        let (j, k) = (Var::new(3, "j"), Var::new(4, "k"));
        let index = Nat::constant(4) * Nat::variable(&i()) + Nat::variable(&k);
        let inner = in_order(&k, Nat::constant(4), vec![assign("x", sum(vec![read("x"), load(index)]))]);
        let body = vec![in_order(&j, Nat::constant(3), vec![inner])];
        let unrolling =
            |sizes: Option<&FlatSet<Var>>| match &vectorised_for(sizes, ScalarType::F32, 4, body.clone())[..]
            {
                [Statement::Loop(around)] => around.unrolling,
                other => panic!("{other:?}"),
            };
        assert_eq!(unrolling(Some(&FlatSet::from([n()]))), Unrolling::Whole);
        assert_eq!(unrolling(None), Unrolling::AsItLikes);
    }

    #[test]
    fn conditions_that_are_decided_in_an_iteration_are_gone() {
        let j = Var::new(3, "j");
        let index = Nat::constant(4) * Nat::variable(&i()) + Nat::variable(&j);
        let is_first = Expression::Condition(Condition::Equal(Nat::variable(&j), Nat::zero()));
        let (then, otherwise) = (Box::new(load(index)), Box::new(read("y")));
        let chosen = Expression::Select(Box::new(is_first), then, otherwise);
        let along = Nat::constant(4) * Nat::variable(&i()) + Nat::variable(&j);
        let body = vec![assign("x", sum(vec![chosen, load(along)]))];
        let changed = vectorised(4, vec![in_order(&j, Nat::constant(4), body)]);
        let conditions = nested(&changed).flat_map(Statement::expressions).flat_map(Expression::nested);
        assert!(!conditions.into_iter().any(|part| matches!(part, Expression::Select(..))), "{changed:?}");
    }

    #[test]
    fn what_is_loaded_under_a_condition_is_no_reason_to_load_a_vector() {
        let inside = Expression::Condition(Condition::Less(Nat::variable(&i()), Nat::constant(7)));
        let zero = Expression::Literal(Literal::Float("0.0".to_owned()), ScalarType::F32);
        let chosen = |element| {
            let (then, otherwise) = (Box::new(load(at(4, element))), Box::new(zero.clone()));
            Expression::Select(Box::new(inside.clone()), then, otherwise)
        };
        let body = vec![assign("x", sum((0..4).map(chosen).collect()))];
        assert_eq!(vectorised(4, body.clone()), body);
        let body = vec![Statement::If(inside, vec![assign("x", load(at(4, 0)))], Vec::new())];
        assert_eq!(vectorised(4, body.clone()), body);
    }

    #[test]
    fn what_the_kernel_stores_is_loaded_when_it_is_needed() {
        let own = |element| Expression::Load(RESULT, at(4, element), ScalarType::F32.into());
        let body = vec![
            assign("x", sum((0..4).map(own).collect())),
            Statement::Store(RESULT, at(4, 0), read("x")),
            assign("y", sum((0..4).map(own).collect())),
        ];
        assert_eq!(vectorised(4, body.clone()), body);
    }

    fn stores(row: i128, elements: &[i128], value: impl Fn(i128) -> Expression) -> Vec<Statement> {
        let store = |element: &i128| Statement::Store(RESULT, at(row, *element), value(*element));
        vectorised(row, elements.iter().map(store).collect())
    }

    #[test]
    fn neighbours_are_stored_as_vectors() {
        let variable = |element: i128| read(&format!("x{element}"));
        let stored = |first: i128, elements: &[i128]| {
            let values = elements.iter().map(|element| variable(*element)).collect();
            Statement::Store(RESULT, at(4, first), Expression::Components(values))
        };
        assert_eq!(stores(4, &[0, 1, 2, 3], variable), [stored(0, &[0, 1, 2, 3])]);
        assert_eq!(stores(4, &[2, 3], variable), [stored(2, &[2, 3])]);
        let alone = |element| Statement::Store(RESULT, at(4, element), variable(element));
        assert_eq!(stores(4, &[1, 2], variable), [alone(1), alone(2)]);
        assert_eq!(stores(4, &[0, 1, 3], variable), [stored(0, &[0, 1]), alone(3)]);
        assert_eq!(stores(4, &[1, 0], variable), [alone(1), alone(0)]);
    }

    #[test]
    fn values_that_read_what_is_stored_are_stored_one_by_one() {
        let shifted = |element: i128| Expression::Load(RESULT, at(4, 3 - element), ScalarType::F32.into());
        assert_eq!(stores(4, &[0, 1, 2, 3], shifted).len(), 4);
    }
}
