//! Strip-mining with a predicated remainder, of loops over elements that work-items take in turn.
//!
//! Where the work-items of a group take the elements of an array in turn, some have one iteration more than
//! the others. OpenCL compilers unroll such a loop little, or leave the iterations that fill no round to a loop
//! that waits for each load before the next one: rows of 1000 elements took 1.5 times as long as rows of 1024
//! on an H100. So the loop becomes one over strips of a constant number of iterations, which all work-items
//! have, and one more strip whose iterations stand under conditions each. Both are unrolled, and a work-item
//! has all loads of a strip on their way at once, as in reductions that are written by hand (Harris,
//! *Optimizing parallel reduction in CUDA*, 2007).
//!
//! Elements that work-items keep in private memory are few, and the most that one of them can have is a
//! constant. If that is not above [`LONGEST_STRIP`], a loop over such elements becomes one strip with that
//! number of iterations, each under a condition. The strip is unrolled, so that every element has a constant
//! place and can be in a register.
//!
//! Iterations keep their order, so results are the same in every bit. Only innermost loops with little code
//! are copied, and none inside a loop in which work-items wait for each other: there, PoCL (3.1 to 6.0)
//! computes wrongly with a choice in an unrolled loop.

use super::context::Resources;
use super::copy::copied_with;
use crate::device::launch::WorkerBounds;
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::accesses::{Access, Accesses};
use crate::ir::kernel::{BufferRole, Expression, Loop, Statement, Trip, Unrolling, Workers, any};
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};

/// The number of iterations of a strip. On NVIDIA's GPUs with two thousand work-items for each multiprocessor,
/// four loads of each are enough to keep the memory busy; fewer work-items need more.
const STRIP: i128 = 4;

/// The most statements of a loop that are copied.
const MOST_COPIED: usize = 16;

/// The most iterations of a strip for elements in private memory. GPUs have at most 255 registers for a
/// work-item, so that more elements are in memory in any case.
const LONGEST_STRIP: i128 = 64;

/// Strip-mines loops over elements that work-items take in turn; see the module documentation. `sizes` are the
/// variables that are constant for a whole launch, `bounds` the numbers of workers.
pub(crate) fn predicate_remainders(
    body: Vec<Statement>,
    sizes: &FlatSet<Var>,
    bounds: &WorkerBounds,
    ranges: &Ranges,
    resources: Resources<'_>,
) -> Vec<Statement> {
    let number = |statement: &Statement| match statement {
        Statement::DeclareWorker { index, workers: workers @ Workers::Local(_), .. } => {
            Some((*workers, index.clone()))
        }
        _ => None,
    };
    let numbers = body.iter().filter_map(number).collect();
    let mut constant = sizes.clone();
    constant.extend(body.iter().filter_map(number_of_group));
    let (declared, waits) = (Vec::new(), false);
    let mut mining = StripMining { constant, bounds, ranges, numbers, declared, waits, resources };
    let mined = mining.block(body);
    mining.declared.into_iter().chain(mined).collect()
}

/// The number of a group, if the statement declares it for the whole kernel.
fn number_of_group(statement: &Statement) -> Option<Var> {
    match statement {
        Statement::DeclareWorker { index, workers: Workers::WorkGroup(_), .. } => Some(index.clone()),
        _ => None,
    }
}

struct StripMining<'p> {
    /// What is the same for all work-items of a group.
    constant: FlatSet<Var>,
    bounds: &'p WorkerBounds,
    ranges: &'p Ranges,
    /// The numbers of work-items in their groups that are declared for the whole kernel.
    numbers: FlatMap<Workers, Var>,
    /// The declarations of those that were not.
    declared: Vec<Statement>,
    /// Whether a loop around the current code has barriers.
    waits: bool,
    resources: Resources<'p>,
}

/// Elements that work-items take in turn: the first one of a work-item is that with its number.
struct Turns {
    /// The number of the work-item.
    number: Nat,
    /// The number of work-items.
    items: Nat,
    /// The number of elements.
    elements: Nat,
    /// What the index of the loop counts.
    index: Counted,
}

/// What the index of a loop counts.
#[derive(Clone, Copy)]
enum Counted {
    /// The elements of one work-item.
    OwnElements,
    /// All elements: a loop over work-items.
    AllElements,
}

impl Turns {
    /// The element that a work-item takes in one of its iterations.
    fn element(&self, iteration: &Nat) -> Nat {
        &self.number + &self.items * iteration
    }

    /// The most iterations of a work-item.
    fn iterations(&self) -> Nat {
        (&self.elements + &self.items - Nat::one()).divide(&self.items)
    }

    /// The index of the loop in this iteration of a work-item.
    fn index(&self, iteration: &Nat) -> Nat {
        match self.index {
            Counted::OwnElements => iteration.clone(),
            Counted::AllElements => self.element(iteration),
        }
    }
}

impl StripMining<'_> {
    fn block(&mut self, block: Vec<Statement>) -> Vec<Statement> {
        block.into_iter().flat_map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: Statement) -> Vec<Statement> {
        match statement {
            Statement::Loop(repetition) if !self.waits && can_be_copied(&repetition) => {
                let turns = self.turns(&repetition);
                let kept = turns.as_ref().and_then(|turns| self.most_kept(&repetition, turns));
                match (turns, kept) {
                    (Some(turns), Some(most)) => vec![self.kept_strip(&repetition, most, &turns)],
                    (Some(turns), None) if self.full_strips(&turns) != Nat::zero() => {
                        self.strips(repetition, &turns)
                    }
                    (Some(_) | None, _) => vec![Statement::Loop(repetition)],
                }
            }
            other => {
                let waited = self.waits;
                self.waits |= matches!(other, Statement::Loop(_)) && other.has_barrier();
                let inside = other.map_blocks(|block| self.block(block));
                self.waits = waited;
                vec![inside]
            }
        }
    }

    /// How work-items take elements in turn, if the loop goes over such elements.
    fn turns(&mut self, repetition: &Loop) -> Option<Turns> {
        let turns = match repetition.workers {
            Workers::Sequential => self.own_elements(&repetition.extent)?,
            Workers::Local(_) => {
                let items = self.bounds.get(&repetition.workers)?.clone();
                let elements = repetition.extent.clone();
                self.is_known(&elements).then_some(())?;
                let number = Nat::variable(&self.number(repetition.workers));
                Turns { number, items, elements, index: Counted::AllElements }
            }
            Workers::WorkGroup(_) | Workers::Global(_) => return None,
        };
        self.is_known(&turns.elements).then_some(turns)
    }

    /// Whether a number of elements is the same for all work-items of a group, and not negative.
    fn is_known(&self, elements: &Nat) -> bool {
        elements.variables().is_subset(&self.constant)
            && self.ranges.is_at_most(&Nat::zero(), elements) == Some(true)
    }

    /// The elements that work-items take in turn, from the number of those of one work-item. That number is
    /// `(elements + items - 1 - number) / items`, or differs from it by a constant.
    fn own_elements(&self, count: &Nat) -> Option<Turns> {
        let more = Nat::constant(count.constant_term());
        let quotient = count - &more;
        let (dividend, items) = quotient.as_quotient()?;
        let of_item = |(workers, number): (&Workers, &Var)| {
            (self.bounds.get(workers) == Some(items) && dividend.mentions(number)).then(|| number.clone())
        };
        let number = self.numbers.iter().find_map(of_item)?;
        let (coefficient, rest) = dividend.linear_in(&number)?;
        let elements = self.ranges.simplify(&(rest - items + Nat::one() + more * items));
        (coefficient == -Nat::one()).then(|| Turns {
            number: Nat::variable(&number),
            items: items.clone(),
            elements,
            index: Counted::OwnElements,
        })
    }

    /// The number of a work-item in its group.
    fn number(&mut self, workers: Workers) -> Var {
        if let Some(number) = self.numbers.get(&workers) {
            return number.clone();
        }
        let index = self.resources.fresh.index(&workers.name());
        let bound = self.bounds.get(&workers).cloned();
        self.declared.push(Statement::DeclareWorker { index: index.clone(), workers, bound });
        self.numbers.insert(workers, index.clone());
        index
    }

    /// The number of strips in which every work-item has all iterations.
    fn full_strips(&self, turns: &Turns) -> Nat {
        self.ranges.simplify(&turns.elements.divide(&(Nat::constant(STRIP) * &turns.items)))
    }

    /// The most iterations of a loop over elements in private memory, if a strip may be as long.
    fn most_kept(&self, repetition: &Loop, turns: &Turns) -> Option<i128> {
        let Accesses { loads, stores, .. } = Accesses::of(&repetition.body);
        let role = |access: &Access| Some(&self.resources.buffers.get(access.buffer.0)?.role);
        if !loads.iter().chain(&stores).any(|access| role(access) == Some(&BufferRole::Private)) {
            return None;
        }
        let (_, most) = self.ranges.constant_bounds(&turns.iterations());
        most.filter(|most| (1..=LONGEST_STRIP).contains(most))
    }

    /// A strip of the most iterations, each under the condition that its element is there.
    fn kept_strip(&mut self, repetition: &Loop, most: i128, turns: &Turns) -> Statement {
        let (strip, iteration) = self.strip(repetition, &Nat::zero(), most, turns);
        let strip = self.under_conditions(strip, &iteration, turns);
        let origin = repetition.origin.clone();
        Statement::Loop(Loop { unrolling: Unrolling::Whole, origin, ..strip })
    }

    /// The loop over full strips, and the last strip.
    fn strips(&mut self, repetition: Loop, turns: &Turns) -> Vec<Statement> {
        let full = self.full_strips(turns);
        let strip = self.resources.fresh.index("i");
        let (of_full, _) = self.strip(&repetition, &Nat::variable(&strip), STRIP, turns);
        let all_are_full = self.ranges.divides(&(Nat::constant(STRIP) * &turns.items), &turns.elements);
        if all_are_full == Some(true) {
            return vec![Statement::Loop(of_strips(repetition, strip, full, of_full))];
        }
        let (of_last, iteration) = self.strip(&repetition, &full, STRIP, turns);
        let of_last = self.under_conditions(of_last, &iteration, turns);
        vec![Statement::Loop(of_strips(repetition, strip, full, of_full)), Statement::Loop(of_last)]
    }

    /// The strip in which an iteration happens if its element is there.
    fn under_conditions(&self, strip: Loop, iteration: &Nat, turns: &Turns) -> Loop {
        let element = self.ranges.simplify(&turns.element(iteration));
        let is_there = Expression::Condition(Condition::Less(element, turns.elements.clone()));
        Loop { body: vec![Statement::If(is_there, strip.body, Vec::new())], ..strip }
    }

    /// The loop over the strip with this number, of `length` iterations, and the iteration of a work-item for
    /// each of its own iterations.
    fn strip(&mut self, repetition: &Loop, number: &Nat, length: i128, turns: &Turns) -> (Loop, Nat) {
        let index = self.resources.fresh.index("i");
        let iteration = Nat::constant(length) * number + Nat::variable(&index);
        let mut indices = Substitution::new();
        indices.insert(repetition.index.clone(), turns.index(&iteration));
        let body = copied_with(indices, &repetition.body, &mut self.resources);
        let strip = Loop {
            workers: Workers::Sequential,
            index,
            extent: Nat::constant(length),
            origin: String::new(),
            body,
            ..repetition.clone()
        };
        (strip, iteration)
    }
}

/// The loop over strips in place of a loop.
fn of_strips(repetition: Loop, index: Var, extent: Nat, strip: Loop) -> Loop {
    Loop { workers: Workers::Sequential, index, extent, body: vec![Statement::Loop(strip)], ..repetition }
}

/// Whether a loop has little code, without loops and barriers, and does all its iterations: the end of one
/// loop would not end the others that it becomes.
fn can_be_copied(repetition: &Loop) -> bool {
    let mut count = 0;
    let mut repeats_or_is_long = |statement: &Statement| {
        count += 1;
        count > MOST_COPIED || matches!(statement, Statement::Loop(_) | Statement::Barrier { .. })
    };
    repetition.trip == Trip::Any
        && !repetition.may_end_early()
        && !any(&repetition.body, &mut repeats_or_is_long)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::{Buffer, BufferId, Order, Variable};
    use crate::ir::names::{Fresh, Names, ReservedWords};
    use crate::ir::scalar::ScalarType;
    use crate::ir::source::Source;

    const ITEMS: i128 = 32;

    static NO_WORDS: ReservedWords = ReservedWords { has: |_| false, has_family: |_| false };

    fn size() -> Var {
        Var::new(1, "N")
    }

    fn item() -> Var {
        Var::new(2, "l_id0")
    }

    fn group() -> Nat {
        Nat::variable(&Var::new(3, "wg_id0"))
    }

    /// `for (i < extent) { float x = a[i]; acc = x; }`
    fn repeated(extent: Nat) -> Loop {
        let index = Var::new(4, "i");
        let scalar = |name: &str| Variable { name: name.into(), ty: ScalarType::F32.into() };
        let load = Expression::Load(BufferId(0), Nat::variable(&index), ScalarType::F32.into());
        Loop {
            workers: Workers::Sequential,
            index,
            extent,
            trip: Trip::Any,
            unrolling: Unrolling::AsItLikes,
            order: Order::Stated,
            origin: String::new(),
            source: Source::UNKNOWN,
            body: vec![
                Statement::Declare(scalar("x"), Some(load)),
                Statement::Assign(scalar("acc"), Expression::Variable(scalar("x"))),
            ],
        }
    }

    /// The code behind the declaration of a work-item's number.
    fn mined(repetition: Loop) -> Vec<Statement> {
        mined_up_to(None, repetition)
    }

    /// The same for at most `most` elements.
    fn mined_up_to(most: Option<i128>, repetition: Loop) -> Vec<Statement> {
        let mut ranges = Ranges::new();
        ranges.declare(&size(), Nat::zero(), most.map(|most| Nat::constant(most + 1)));
        let items = Nat::constant(ITEMS);
        let worker = Statement::DeclareWorker {
            index: item(),
            workers: Workers::Local(0),
            bound: Some(items.clone()),
        };
        let buffer = |role| Buffer {
            name: "kept".into(),
            element: ScalarType::F32,
            length: Nat::constant(8 * ITEMS),
            role,
        };
        let roles = [BufferRole::Local, BufferRole::Private].map(buffer);
        let (mut buffers, mut fresh) = (roles.to_vec(), Fresh::new(Names::new(&NO_WORDS), 100));
        let resources = Resources { buffers: &mut buffers, fresh: &mut fresh };
        let body = vec![worker, Statement::Loop(repetition)];
        let bounds = FlatMap::from_iter([(Workers::Local(0), items)]);
        predicate_remainders(body, &FlatSet::from([size()]), &bounds, &ranges, resources).split_off(1)
    }

    /// `(N + 31 - l_id0) / 32`
    fn in_turn() -> Nat {
        let items = Nat::constant(ITEMS);
        (Nat::variable(&size()) + &items - Nat::one() - Nat::variable(&item())).divide(&items)
    }

    /// The iterations of the strips with a number from 0 on, and the condition for those of the last one.
    #[test]
    fn full_strips_come_before_one_under_conditions() {
        let mined = mined(repeated(in_turn()));
        let [Statement::Loop(full), Statement::Loop(last)] = mined.as_slice() else { panic!("{mined:?}") };
        let [Statement::Loop(strip)] = full.body.as_slice() else { panic!("{mined:?}") };
        let [Statement::If(Expression::Condition(is_there), in_last, otherwise)] = last.body.as_slice()
        else {
            panic!("{mined:?}")
        };
        let strips = Nat::variable(&size()).divide(&Nat::constant(STRIP * ITEMS));
        let step = |strip: &Nat, own: &Var| Nat::constant(STRIP) * strip + Nat::variable(own);
        let loaded = |body: &[Statement]| match body.first() {
            Some(Statement::Declare(_, Some(Expression::Load(_, index, _)))) => index.clone(),
            _ => panic!("{mined:?}"),
        };
        assert_eq!(
            [&full.extent, &strip.extent, &last.extent],
            [&strips, &Nat::constant(STRIP), &Nat::constant(STRIP)]
        );
        assert_eq!(loaded(&strip.body), step(&Nat::variable(&full.index), &strip.index));
        assert_eq!(loaded(in_last), step(&strips, &last.index));
        let element = Nat::variable(&item()) + Nat::constant(ITEMS) * step(&strips, &last.index);
        assert_eq!(*is_there, Condition::Less(element, Nat::variable(&size())));
        assert!(otherwise.is_empty());
        assert_ne!(strip.body.first(), in_last.first(), "each has variables of its own");
    }

    /// For every length and every work-item, there are as many iterations as before, and the conditions hold
    /// for the first ones of the last strip.
    #[test]
    fn no_iteration_is_lost() {
        let mined = mined(repeated(in_turn()));
        let [Statement::Loop(full), Statement::Loop(last)] = mined.as_slice() else { panic!("{mined:?}") };
        let [Statement::If(Expression::Condition(is_there), ..)] = last.body.as_slice() else {
            panic!("{mined:?}")
        };
        for (length, number) in (0..600).flat_map(|length| (0..ITEMS).map(move |number| (length, number))) {
            let values = |var: &Var| Some(if *var == size() { length } else { number });
            let there = (0..STRIP).map(|step| {
                is_there.evaluate(&|var| if *var == last.index { Some(step) } else { values(var) })
                    == Some(true)
            });
            let there: Vec<bool> = there.collect();
            assert!(there.is_sorted_by(|first, second| first >= second), "{length}, {number}");
            let steps = there.iter().filter(|is_there| **is_there).count() as i128;
            let in_full = full.extent.evaluate(&values).map(|strips| STRIP * strips);
            assert_eq!(
                in_turn().evaluate(&values),
                in_full.map(|in_full| in_full + steps),
                "{length}, {number}"
            );
        }
    }

    /// `for (i < extent) { kept[i] = x; }`
    fn keeping(extent: Nat) -> Loop {
        let value = Expression::Variable(Variable { name: "x".into(), ty: ScalarType::F32.into() });
        let store = Statement::Store(BufferId(1), Nat::variable(&Var::new(4, "i")), value);
        Loop { body: vec![store], ..repeated(extent) }
    }

    /// What a work-item keeps has constant places: there is a strip for as many elements as it can have.
    #[test]
    fn elements_in_private_memory_have_one_strip() {
        for (most, length) in [(1, 1), (32, 1), (33, 2), (200, 7)] {
            let mined = mined_up_to(Some(most), keeping(in_turn()));
            let [Statement::Loop(strip)] = mined.as_slice() else { panic!("{mined:?}") };
            assert_eq!((&strip.extent, strip.unrolling), (&Nat::constant(length), Unrolling::Whole));
            let [Statement::If(Expression::Condition(is_there), kept, _)] = strip.body.as_slice() else {
                panic!("{mined:?}")
            };
            let own = Nat::variable(&strip.index);
            let element = Nat::variable(&item()) + Nat::constant(ITEMS) * &own;
            assert_eq!(*is_there, Condition::Less(element, Nat::variable(&size())));
            assert!(matches!(&kept[..], [Statement::Store(_, place, _)] if *place == own), "{mined:?}");
        }
    }

    /// `(40 + 31 - l_id0) / 32` is `(7 - l_id0) / 32 + 2`.
    #[test]
    fn constants_beside_a_quotient_count() {
        let items = Nat::constant(ITEMS);
        for length in 1..300 {
            let own = (Nat::constant(length + ITEMS - 1) - Nat::variable(&item())).divide(&items);
            let mined = mined(keeping(own));
            let [Statement::Loop(strip)] = mined.as_slice() else { panic!("{length}: {mined:?}") };
            assert_eq!(strip.extent, Nat::constant((length + ITEMS - 1) / ITEMS), "{length}");
            let [Statement::If(Expression::Condition(is_there), ..)] = strip.body.as_slice() else {
                panic!("{mined:?}")
            };
            for number in 0..ITEMS {
                let count = (0..10)
                    .filter(|own| {
                        let value = |var: &Var| Some(if *var == strip.index { *own } else { number });
                        is_there.evaluate(&value) == Some(true)
                    })
                    .count();
                let elements = (number..length).step_by(32).count();
                assert_eq!(count, elements, "{length}, {number}");
            }
        }
    }

    /// There are no registers for thousands of elements, and elements of other memories need no strip of
    /// their own.
    #[test]
    fn other_elements_have_full_strips() {
        for (most, repetition) in
            [(None, keeping(in_turn())), (Some(10_000), keeping(in_turn())), (Some(200), repeated(in_turn()))]
        {
            assert_eq!(mined_up_to(most, repetition).len(), 2, "{most:?}");
        }
    }

    /// Loops over work-items, too: of a length that strips divide, there is no last strip.
    #[test]
    fn loops_over_work_items_have_a_last_strip_where_there_may_be_one() {
        let over_items = |extent| Loop { workers: Workers::Local(0), ..repeated(extent) };
        assert_eq!(mined(over_items(Nat::variable(&size()))).len(), 2);
        let strips = Nat::constant(STRIP * ITEMS) * Nat::variable(&size());
        assert_eq!(mined(over_items(strips)).len(), 1);
    }

    /// PoCL (3.1 to 6.0) computes wrongly with a choice in an unrolled loop there.
    #[test]
    fn loops_in_which_work_items_wait_stay() {
        let barrier = Statement::Barrier { spaces: Vec::new(), reason: String::new() };
        let inner = Statement::Loop(repeated(in_turn()));
        let waiting =
            Loop { index: Var::new(5, "j"), body: vec![inner, barrier], ..repeated(Nat::variable(&size())) };
        assert_eq!(mined(waiting.clone()), [Statement::Loop(waiting)]);
    }

    #[test]
    fn loops_with_as_many_iterations_for_all_or_with_much_code_stay() {
        let long =
            Loop { body: vec![Statement::Comment(String::new()); MOST_COPIED + 1], ..repeated(in_turn()) };
        let rest = Nat::variable(&size()) - group();
        let of_group =
            (&rest + Nat::constant(ITEMS - 1) - Nat::variable(&item())).divide(&Nat::constant(ITEMS));
        for same in [repeated(Nat::variable(&size())), repeated(rest), repeated(of_group), long] {
            assert_eq!(mined(same.clone()), [Statement::Loop(same)]);
        }
    }

    #[test]
    fn a_loop_that_may_end_early_is_one_loop() {
        let mut ending = repeated(in_turn());
        let holds = Variable { name: "holds".into(), ty: ScalarType::Bool.into() };
        ending.body.insert(0, Statement::BreakUnless(Expression::Variable(holds)));
        assert_eq!(mined(ending.clone()), [Statement::Loop(ending)]);
    }
}
