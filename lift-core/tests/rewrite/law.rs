//! The law of every rule: the left and the right side have one value, wherever the rule applies.

use lift_core::eval::evaluate;
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::typed::{Path, Program};
use lift_core::middle::rewrite::{Argument, Kind, Rewriter, Rewritten, Rule, read_derivation, rules};

use crate::checked::assert_well_typed_but_for_needs;
use crate::instances::{Instance, instances};
use crate::support::typed;
use crate::values::{Sizes, arguments};

/// Sizes that programs are evaluated for: the smallest, primes, multiples of what the instances split by, and
/// remainders.
const SIZES: [i128; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12];

/// Enough combinations for two sizes.
const MOST_COMBINATIONS: usize = 81;

fn all_rules() -> impl Iterator<Item = &'static Rule> {
    rules::ALL.iter().copied()
}

fn rule_named(name: &str) -> &'static Rule {
    all_rules().find(|rule| rule.name == name).unwrap_or_else(|| panic!("there is no rule `{name}`"))
}

/// Every program that one application of the rule makes of a program.
fn applications(rule: &'static Rule, arguments: &[Argument], program: &Program) -> Vec<Rewritten> {
    let mut results = Vec::new();
    let mut places = vec![Path::root()];
    while let Some(path) = places.pop() {
        let Some(expr) = program.body.at_path(&path) else { continue };
        places.extend((0..expr.children().len()).map(|position| path.child(position)));
        let mut rewriter = Rewriter::new(program);
        if rewriter.apply(rule, arguments, &path).is_ok() {
            results.push(rewriter.rewritten());
        }
    }
    results
}

/// Combinations of sizes for the variables of a program.
fn combinations(variables: &[Var]) -> Vec<Sizes> {
    let mut all = vec![Sizes::new()];
    for variable in variables {
        all = all
            .iter()
            .flat_map(|sizes| {
                SIZES.iter().map(|size| {
                    let mut extended = sizes.clone();
                    extended.insert(variable.clone(), *size);
                    extended
                })
            })
            .take(MOST_COMBINATIONS * SIZES.len())
            .collect();
    }
    all.truncate(MOST_COMBINATIONS * 9);
    all
}

/// Compares both programs for all sizes at which the first has a value and the second's needs hold; returns
/// how many these are.
fn compare(program: &Program, rewritten: &Rewritten, what: &str) -> usize {
    let variables: Vec<Var> = program.sizes.iter().map(|size| size.variable.clone()).collect();
    let mut compared = 0;
    for sizes in combinations(&variables) {
        let Some(arguments) = arguments(program, &sizes, 2017) else { continue };
        let Ok(value) = evaluate(program, &arguments) else { continue };
        let holds = |need: &lift_core::ir::typed::result::Need| {
            let condition = need.requirement.condition().expect("a condition on sizes");
            let is_known = condition.variables().iter().all(|variable| sizes.contains_key(variable));
            assert!(is_known, "a condition on the program's sizes: {what}\n{condition}");
            // A launch does not take a form for a condition without a value, such as one that divides by 0.
            condition.evaluate(&|variable| sizes.get(variable).copied()) == Some(true)
        };
        if !rewritten.needs.iter().all(holds) {
            continue;
        }
        let other = evaluate(&rewritten.program, &arguments);
        assert_eq!(other.as_ref(), Ok(&value), "{what}\nat {sizes:?}");
        compared += 1;
    }
    compared
}

fn check(instance: &Instance) {
    let rule = rule_named(instance.rule);
    let mut program = typed(instance.program).unwrap_or_else(|error| panic!("{}\n{error}", instance.program));
    for strategy in (instance.before)() {
        let mut rewriter = Rewriter::new(&program);
        rewriter.run(&strategy).unwrap_or_else(|failure| panic!("{}\n{failure}", instance.program));
        program = rewriter.rewritten().program;
    }
    let arguments = (instance.arguments)();
    let kinds: Vec<Kind> = arguments.iter().map(Argument::kind).collect();
    assert_eq!(kinds, rule.parameters, "the arguments of an instance of {}", rule.name);
    let results = applications(rule, &arguments, &program);
    let what = format!("{} in {}", rule.name, instance.program);
    assert_eq!(results.len(), instance.places, "places where it applies: {what}");
    for rewritten in &results {
        assert_eq!(rewritten.program.body.ty, program.body.ty, "{what}");
        assert_well_typed_but_for_needs(rewritten, &what);
        let compared = compare(&program, rewritten, &what);
        assert!(compared > 0, "no sizes fit: {what}\nneeds {:?}", rewritten.needs);
        let replayed = rewritten.derivation.replay(&program, &mut |_, _| {});
        assert_eq!(replayed.as_ref(), Ok(rewritten), "replayed: {what}");
        let read = read_derivation(&rewritten.derivation.to_string(), &program);
        assert_eq!(read.as_ref(), Ok(&rewritten.derivation), "read: {what}");
    }
}

#[test]
fn every_rule_keeps_the_value_of_its_instances() {
    instances().for_each(check);
}

#[test]
fn every_rule_has_instances_where_it_applies_and_one_where_it_does_not() {
    for rule in all_rules() {
        let of = |places: fn(usize) -> bool| {
            instances().any(|instance| instance.rule == rule.name && places(instance.places))
        };
        assert!(of(|places| places > 0), "{} applies in no instance", rule.name);
        assert!(of(|places| places == 0), "{} applies in every instance", rule.name);
    }
}

#[test]
fn rules_for_any_length_need_nothing_of_sizes() {
    let reduction = "|a: [i32; N]| a >> reduce(add, 0)";
    let map = "|a: [[i32; M]; N]| a >> map(|row| row >> map(|x| x + 1))";
    for (rule, program) in [
        (&rules::SPLIT_JOIN_UNEVEN, map),
        (&rules::STRIP_MINE_UNEVEN, reduction),
        (&rules::PARTIAL_REDUCE_UNEVEN, reduction),
        (&rules::CYCLIC_REDUCE, reduction),
    ] {
        let program = typed(program).expect("a program");
        let results = applications(rule, &[Argument::Size(Nat::constant(4))], &program);
        assert!(!results.is_empty(), "{} applies nowhere", rule.name);
        for rewritten in results {
            assert!(rewritten.needs.is_empty(), "{} needs {:?}", rule.name, rewritten.needs);
        }
    }
}

#[test]
fn no_two_rules_have_one_name() {
    let mut names: Vec<&str> = rules::ALL.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rules::ALL.len());
}
