//! The formulas say what is counted while programs are executed: sequential work by the evaluator, that of
//! kernels step by step.

use lift_core::eval::evaluate_counting;
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::typed::keyed::Update;
use lift_core::ir::typed::{Expr, ExprKind, Program, ReduceKind};
use lift_core::work::{Work, of_kernels, of_program};

use crate::calls::{arguments, sizes_of_call};
use crate::directed;
use crate::executed::{Count, execute};
use crate::programs;
use crate::sizes::{Sizes, combinations, shown};
use crate::support::{Choices, RandomProgram, Style, random_program, repeated_program, typed};

/// More loads and operations are not evaluated.
const MOST_EVALUATED: i128 = 10_000;

fn value(n: &Nat, sizes: &Sizes) -> Option<i128> {
    n.evaluate(&|variable: &Var| sizes.get(variable).copied())
}

/// How often a formula was compared with a count, and how often it is more.
#[derive(Debug, Default)]
struct Compared {
    equal: usize,
    more: usize,
}

impl Compared {
    /// Compares; a formula that says less is wrong.
    fn compare(&mut self, formula: &Work, sizes: &Sizes, count: Count) -> Result<(), String> {
        let (Some(loads), Some(operations)) =
            (value(&formula.loads, sizes), value(&formula.operations, sizes))
        else {
            return Err(format!("no number at {}: {formula:?}", shown(sizes)));
        };
        let found = Count { loads, operations };
        match found == count {
            true => self.equal += 1,
            false => self.more += 1,
        }
        if loads < count.loads || operations < count.operations {
            return Err(format!("{found:?} instead of {count:?} at {}\n{formula:?}", shown(sizes)));
        }
        Ok(())
    }
}

/// Whether a program chooses by data or ends a loop early: then the formula counts the larger branch, and all
/// iterations.
fn chooses(program: &Program) -> bool {
    fn within(expr: &Expr) -> bool {
        let chooses = matches!(
            expr.kind,
            ExprKind::If(..) | ExprKind::Reduce(ReduceKind::While, ..) | ExprKind::EndUnless(..)
        );
        chooses || expr.children().any(|child| within(child))
    }
    within(&program.body) || program.functions.iter().any(|function| within(&function.body))
}

/// Whether a program replaces elements at positions from data: a formula counts the choice at every position.
fn replaces(expr: &Expr) -> bool {
    Update::of(expr).is_some() || expr.children().any(|child| replaces(child))
}

/// Random programs with their calls.
fn random_programs(seeds: std::ops::Range<u64>) -> Vec<(String, Program, RandomProgram)> {
    let of_seed = |seed| {
        let choices = || Choices::from_seed(seed);
        let high = random_program(&mut choices(), Style::HighLevel);
        let low = random_program(&mut choices(), Style::LowLevel);
        [high, low, repeated_program(&mut choices())]
    };
    let random = seeds.flat_map(of_seed);
    random.map(|random| (random.text.clone(), typed(&random.text).expect("it has a type"), random)).collect()
}

#[test]
fn sequential_work_is_what_the_evaluator_counts() {
    let (mut plain, mut choosing) = (Compared::default(), Compared::default());
    for (text, program, random) in random_programs(0..150) {
        let sizes = sizes_of_call(&program, &random.arguments).expect("every size is a length");
        let compared = if chooses(&program) { &mut choosing } else { &mut plain };
        let (_, tally) = evaluate_counting(&program, &random.arguments).expect("a value");
        let count = Count { loads: tally.loads.into(), operations: tally.operations.into() };
        let result = compared.compare(&of_program(&program), &sizes, count);
        result.unwrap_or_else(|message| panic!("{text}\n{message}"));
    }
    assert!(plain.equal > 300 && plain.more * 50 < plain.equal, "{plain:?}");
}

#[test]
fn sequential_work_of_known_programs_is_what_the_evaluator_counts() {
    let [mut plain, mut choosing, mut replacing] = [(); 3].map(|()| Compared::default());
    let directed = directed::all().into_iter().map(|directed| directed.program);
    let files = programs::all().into_iter().map(|named| named.program);
    for program in directed.chain(files) {
        let formula = of_program(&program);
        let compared = match (replaces(&program.body), chooses(&program)) {
            (true, _) => &mut replacing,
            (false, true) => &mut choosing,
            (false, false) => &mut plain,
        };
        for sizes in combinations(&program, &[1, 2, 3, 4, 8]).into_iter().take(6) {
            let is_quick = value(&formula.total(), &sizes).is_some_and(|total| total <= MOST_EVALUATED);
            let Some(arguments) = arguments(&program, &sizes).filter(|_| is_quick) else { continue };
            let Ok((_, tally)) = evaluate_counting(&program, &arguments) else { continue };
            let count = Count { loads: tally.loads.into(), operations: tally.operations.into() };
            let result = compared.compare(&formula, &sizes, count);
            result.unwrap_or_else(|message| panic!("{}\n{message}", program.name));
        }
    }
    // A formula counts the longer branch of a choice, and a step of a table chooses at every position.
    assert!(plain.equal > 1000 && plain.more * 50 < plain.equal, "{plain:?}");
    assert!(choosing.more < choosing.equal, "{choosing:?}");
    assert!(replacing.equal + replacing.more > 200, "{replacing:?}");
}

#[test]
fn work_of_kernels_is_what_is_executed() {
    let mut compared = Compared::default();
    for (text, program, random) in random_programs(200..300) {
        let sizes = sizes_of_call(&program, &random.arguments).expect("every size is a length");
        let Ok(work) = of_kernels(&program) else { continue };
        let Some(count) = execute(&program, &sizes) else { continue };
        let result = compared.compare(&work, &sizes, count);
        result.unwrap_or_else(|message| panic!("{text}\n{message}"));
    }
    assert!(compared.equal > 150 && compared.more * 5 < compared.equal, "{compared:?}");
}

#[test]
fn work_of_kernels_of_known_programs_is_what_is_executed() {
    let mut compared = Compared::default();
    let directed = directed::all().into_iter().map(|directed| directed.program);
    let files = programs::all().into_iter().map(|named| named.program);
    for program in directed.chain(files) {
        let Ok(work) = of_kernels(&program) else { continue };
        for sizes in combinations(&program, &[2, 3, 8]).into_iter().take(2) {
            let Some(count) = execute(&program, &sizes) else { continue };
            let result = compared.compare(&work, &sizes, count);
            result.unwrap_or_else(|message| panic!("{}\n{message}", program.name));
        }
    }
    assert!(compared.equal > 500 && compared.more * 4 < compared.equal, "{compared:?}");
}
