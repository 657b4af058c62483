//! What is known about variables: declarations, assumptions and questions.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::mem;
use std::rc::Rc;

use super::bounds::{Direction, extreme};
use super::expression::{Condition, Nat};
use super::facts::Facts;
use super::learned::{Defines, Learned};
use super::memo::{Hashed, Memo};
use super::polynomial::is_plain;
use super::simplify::{Settled, Simplifier};
use super::variable::Var;

/// What is known about variables where an expression is used. Cloning is cheap: a loop that declares its
/// index works on a copy.
#[derive(Clone, Default)]
pub struct Ranges {
    known: Rc<Known>,
    indices: Indices,
}

/// Facts, what follows from them, and what is known where there are more. Most of what a walk enters is left
/// again without a question, so that nothing is made before it is used.
#[derive(Default)]
pub(super) struct Known {
    learned: Rc<Learned>,
    answers: OnceCell<Box<Answers>>,
    inside: OnceCell<Box<Inside>>,
}

/// Answers to questions: passes over one kernel repeat them. Those with sums are not remembered, because equal
/// sums may have different names for their indices.
#[derive(Default)]
struct Answers {
    /// The parts that simplification has settled.
    settled: Settled,
    /// The simplest forms of expressions.
    simplified: RefCell<Memo<Nat, Nat>>,
    /// The simplest forms of conditions.
    conditions: RefCell<Memo<Condition, Condition>>,
    /// Whether expressions are not negative.
    signs: RefCell<Memo<Nat, Option<bool>>>,
    /// Whether there is a proof that expressions are not negative.
    proved: RefCell<Memo<Nat, bool>>,
    /// Whether divisors, which come first, divide expressions.
    divided: RefCell<Memo<(Nat, Nat), Option<bool>>>,
}

/// What is known inside of something: where one more fact is known.
#[derive(Default)]
pub(super) struct Inside {
    /// After one more declaration.
    declared: After<Declaration>,
    /// Where one more condition holds.
    assumed: After<Condition>,
    /// Where one more index is a position: the index, and the ends of its range.
    pub(super) positions: After<(Var, Nat, Nat)>,
}

/// The knowledge after one more fact.
pub(super) type After<Fact> = RefCell<Memo<Fact, Rc<Known>>>;

/// A variable, its lower and its upper bound.
type Declaration = (Var, Nat, Option<Nat>);

impl Known {
    /// Facts about which nothing was asked yet.
    fn of(learned: Rc<Learned>) -> Known {
        Known { learned, answers: OnceCell::new(), inside: OnceCell::new() }
    }

    fn answers(&self) -> &Answers {
        self.answers.get_or_init(Box::default)
    }

    fn inside(&self) -> &Inside {
        self.inside.get_or_init(Box::default)
    }
}

impl Clone for Known {
    /// Clones only the facts. A clone is made to learn something, after which the answers may differ.
    fn clone(&self) -> Self {
        Known::of(self.learned.clone())
    }
}

impl fmt::Debug for Ranges {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Ranges")
    }
}

impl Ranges {
    /// Ranges that know nothing.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn from_facts(facts: Facts) -> Self {
        let known = Rc::new(Known::of(Rc::new(Learned::of(facts))));
        Self { known, indices: Indices::Simplified }
    }

    pub(super) fn facts(&self) -> &Facts {
        self.known.learned.facts()
    }

    /// The facts without the answers that follow from them.
    pub(super) fn into_facts(mut self) -> Facts {
        mem::take(self.facts_mut())
    }

    /// The facts, for adding to them.
    pub(super) fn facts_mut(&mut self) -> &mut Facts {
        let known = Rc::make_mut(&mut self.known);
        known.answers.take();
        known.inside.take();
        Rc::make_mut(&mut known.learned).facts_mut()
    }

    /// The same knowledge, used for simplification only as the option says.
    #[must_use]
    pub fn with_indices(self, indices: Indices) -> Self {
        Self { indices, ..self }
    }

    /// Learns that `lower <= var`, and `var < upper` where there is an upper bound. Variables that a bound
    /// mentions should be declared first. A second declaration of a variable adds to the first.
    pub fn declare(&mut self, var: &Var, lower: Nat, upper: Option<Nat>) {
        self.facts_mut().declare(var, lower, upper);
    }

    /// The same knowledge with one more declaration, as [`declare`](Self::declare) adds it.
    #[must_use]
    pub(crate) fn with_declared(&self, var: &Var, lower: Nat, upper: Option<Nat>) -> Self {
        let defines = defines_index(&lower, upper.as_ref());
        self.later(
            (var.clone(), lower, upper),
            defines,
            |inside| &inside.declared,
            |mut facts, _, (var, lower, upper)| {
                facts.declare(&var, lower, upper);
                facts
            },
        )
    }

    /// The same knowledge after one more fact, which is learned once, when the first question is asked.
    pub(super) fn later<Fact: Clone + Hashed + 'static>(
        &self,
        fact: Fact,
        defines: Defines,
        table: fn(&Inside) -> &After<Fact>,
        learn: fn(Facts, Indices, Fact) -> Facts,
    ) -> Self {
        if let Some(known) = table(self.known.inside()).borrow().get(&fact) {
            return Self { known: known.clone(), indices: self.indices };
        }
        let (indices, added) = (self.indices, fact.clone());
        let learned = Learned::later(&self.known.learned, defines, move |facts| learn(facts, indices, added));
        let known = Rc::new(Known::of(Rc::new(learned)));
        table(self.known.inside()).borrow_mut().insert(fact, known.clone());
        Self { known, indices: self.indices }
    }

    /// The same knowledge where one more condition holds, as [`assume`](Self::assume) adds it.
    #[must_use]
    pub(crate) fn with_assumed(&self, condition: &Condition) -> Self {
        let defines = if condition.has_equation() { Defines::Variables } else { Defines::Nothing };
        self.later(
            condition.clone(),
            defines,
            |inside| &inside.assumed,
            |facts, indices, condition| {
                let mut inside = Self::from_facts(facts).with_indices(indices);
                inside.assume(&condition);
                inside.into_facts()
            },
        )
    }

    /// Learns that `of % divisor == 0`, so `divisor` is not 0.
    pub fn assume_divides(&mut self, divisor: &Nat, of: &Nat) {
        self.facts_mut().state_divides(divisor, of);
    }

    /// The expression in its simplest form: equal to `n` under every assignment that the facts allow and
    /// under which `n` has a value.
    pub fn simplify(&self, n: &Nat) -> Nat {
        match self.indices {
            Indices::Simplified if is_plain(n) && self.known.learned.keeps(n) => n.clone(),
            Indices::Simplified => self.simplify_once(n),
            Indices::AsComposed => n.clone(),
        }
    }

    /// The answer of a run of simplification, which may use the results of other runs.
    fn ask<T>(&self, question: impl FnOnce(&mut Simplifier<'_>) -> T) -> T {
        question(&mut Simplifier::remembering(self.facts(), &self.known.answers().settled))
    }

    fn simplify_once(&self, n: &Nat) -> Nat {
        if let Some(known) = self.known.answers().simplified.borrow().get(n) {
            return known.clone();
        }
        let simplified = self.ask(|simplifier| simplifier.simplify(n));
        if !simplified.has_sums() {
            self.known.answers().simplified.borrow_mut().insert(n.clone(), simplified.clone());
        }
        simplified
    }

    /// The condition in its simplest form; [`Condition::as_constant`] says whether it is decided.
    pub fn simplify_condition(&self, condition: &Condition) -> Condition {
        if let Some(known) = self.known.answers().conditions.borrow().get(condition) {
            return known.clone();
        }
        let simplified = self.ask(|simplifier| simplifier.simplify_condition(condition));
        if !simplified.operands().into_iter().any(Nat::has_sums) {
            self.known.answers().conditions.borrow_mut().insert(condition.clone(), simplified.clone());
        }
        simplified
    }

    /// Whether the condition always holds or never holds; `None` where neither is proved.
    pub fn decide(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Less(a, b) => self.is_less(a, b),
            Condition::LessOrEqual(a, b) => self.is_at_most(a, b),
            Condition::Equal(a, b) => self.is_equal(a, b),
            Condition::And(a, b) => self.decide_both(a, b, true),
            Condition::Or(a, b) => self.decide_both(a, b, false),
            Condition::Not(a) => self.decide(a).map(|truth| !truth),
        }
    }

    /// `a && b` where the neutral truth is `true`, `a || b` where it is `false`. An operand with the other
    /// truth value decides, and then nothing is asked of the second one. The second one matters only where the
    /// first one is neutral.
    fn decide_both(&self, a: &Condition, b: &Condition, neutral: bool) -> Option<bool> {
        match self.decide(a) {
            Some(truth) if truth == neutral => self.decide(b),
            Some(truth) => Some(truth),
            None => {
                let first = if neutral { a.clone() } else { a.clone().negate() };
                self.with_assumed(&first).decide(b).filter(|truth| *truth != neutral)
            }
        }
    }

    /// Whether `a < b`.
    pub fn is_less(&self, a: &Nat, b: &Nat) -> Option<bool> {
        self.is_at_most(b, a).map(|truth| !truth)
    }

    /// Whether `a <= b`.
    pub fn is_at_most(&self, a: &Nat, b: &Nat) -> Option<bool> {
        self.is_non_negative(&(b - a))
    }

    /// Whether a condition has a proof. This takes about half the time of [`decide`](Self::decide), which also
    /// looks for a proof of the contrary.
    pub(crate) fn proves(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Less(a, b) => self.proves_less(a, b),
            Condition::LessOrEqual(a, b) => self.proves_at_most(a, b),
            Condition::Equal(..) | Condition::And(..) | Condition::Or(..) | Condition::Not(_) => {
                self.decide(condition) == Some(true)
            }
        }
    }

    /// Whether `a < b` has a proof.
    pub(crate) fn proves_less(&self, a: &Nat, b: &Nat) -> bool {
        self.proves_non_negative(&(b - a).plus(-1))
    }

    /// Whether `a <= b` has a proof.
    pub(crate) fn proves_at_most(&self, a: &Nat, b: &Nat) -> bool {
        self.proves_non_negative(&(b - a))
    }

    /// Whether `n >= 0` has a proof.
    pub(crate) fn proves_non_negative(&self, n: &Nat) -> bool {
        if let Some(value) = n.as_constant() {
            return value >= 0;
        }
        if let Some(known) = self.known.answers().signs.borrow().get(n) {
            return *known == Some(true);
        }
        if let Some(known) = self.known.answers().proved.borrow().get(n) {
            return *known;
        }
        let is_proved = self.ask(|simplifier| simplifier.proves_non_negative(n));
        self.known.answers().proved.borrow_mut().insert(n.clone(), is_proved);
        is_proved
    }

    /// Whether `a == b`.
    pub fn is_equal(&self, a: &Nat, b: &Nat) -> Option<bool> {
        if let Some(difference) = a.constant_difference(b) {
            return Some(difference == 0);
        }
        self.ask(|simplifier| simplifier.is_equal(a, b))
    }

    /// Whether `n % divisor == 0`.
    pub fn divides(&self, divisor: &Nat, n: &Nat) -> Option<bool> {
        if divisor.as_constant().is_some_and(|divisor| divisor >= 2) && self.facts().has_any_remainder(n) {
            return None;
        }
        let question = (divisor.clone(), n.clone());
        if let Some(known) = self.known.answers().divided.borrow().get(&question) {
            return *known;
        }
        let answer = self.ask(|simplifier| simplifier.divides(divisor, n));
        self.known.answers().divided.borrow_mut().insert(question, answer);
        answer
    }

    /// Whether `n >= 0`.
    pub fn is_non_negative(&self, n: &Nat) -> Option<bool> {
        if let Some(value) = n.as_constant() {
            return Some(value >= 0);
        }
        if let Some(known) = self.known.answers().signs.borrow().get(n) {
            return *known;
        }
        let answer = self.ask(|simplifier| simplifier.is_non_negative(n));
        self.known.answers().signs.borrow_mut().insert(n.clone(), answer);
        answer
    }

    /// An inclusive lower bound that mentions only variables without an upper bound of their own.
    pub fn lower_bound(&self, n: &Nat) -> Option<Nat> {
        self.extreme(n, Direction::Lower)
    }

    /// An inclusive upper bound that mentions only variables without an upper bound of their own.
    pub fn upper_bound(&self, n: &Nat) -> Option<Nat> {
        self.extreme(n, Direction::Upper)
    }

    fn extreme(&self, n: &Nat, direction: Direction) -> Option<Nat> {
        let simplified = self.facts().translate(&self.simplify(n));
        extreme(self.facts(), &simplified, direction)
            .map(|bound| self.ask(|simplifier| simplifier.simplify(&bound)))
    }

    /// Constant inclusive bounds, where there are any.
    pub fn constant_bounds(&self, n: &Nat) -> (Option<i128>, Option<i128>) {
        let interval = self.facts().interval(&self.facts().translate(&self.simplify(n)));
        (interval.low, interval.high)
    }
}

/// Whether an index in a range is defined by others: where there is one number in it.
pub(super) fn defines_index(lower: &Nat, upper: Option<&Nat>) -> Defines {
    match upper.and_then(|upper| upper.constant_difference(lower)) {
        Some(1) => Defines::Variables,
        _ => Defines::Nothing,
    }
}

/// The form in which indices are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Indices {
    /// In their simplest form, given what is known about sizes and loops (CGO 2017, section 5.3).
    #[default]
    Simplified,
    /// As the layouts compose them.
    AsComposed,
}
