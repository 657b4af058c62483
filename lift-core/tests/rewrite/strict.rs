//! Strict programs: what rounds is combined in the order of the program.

use lift_core::ir::typed::{Path, Program, Rounding};
use lift_core::low_level;
use lift_core::middle::rewrite::{Mismatch, Rewriter, rules};

use crate::instances::{Instance, instances};
use crate::support::typed;

/// The programs of the instances of rules that combine values in another order or grouping.
fn regrouping() -> impl Iterator<Item = (&'static Instance, Program)> {
    let regroups =
        |instance: &&Instance| rules::ALL.iter().any(|rule| rule.name == instance.rule && rule.regroups);
    instances().filter(regroups).filter(|instance| instance.places > 0).map(|instance| {
        let program = typed(instance.program).expect("it has types");
        let before = (instance.before)().iter().fold(program, |program, strategy| {
            let mut rewriter = Rewriter::new(&program);
            rewriter.run(strategy).expect("it applies");
            rewriter.program()
        });
        (instance, before)
    })
}

/// Whether a rule applies at each place of a program where it applies if the program is free, and whether it
/// fails there because the program is strict.
fn at_each_place(instance: &Instance, program: &Program) -> Vec<(bool, bool)> {
    let rule = rules::ALL.iter().find(|rule| rule.name == instance.rule).expect("there is such a rule");
    let strict = Program { rounding: Rounding::Strict, ..program.clone() };
    let (mut found, mut places) = (Vec::new(), vec![Path::root()]);
    while let Some(path) = places.pop() {
        let Some(expr) = program.body.at_path(&path) else { continue };
        places.extend((0..expr.children().len()).map(|position| path.child(position)));
        let arguments = (instance.arguments)();
        if Rewriter::new(program).apply(rule, &arguments, &path).is_ok() {
            let applied = Rewriter::new(&strict).apply(rule, &arguments, &path);
            let is_strict =
                applied.as_ref().is_err_and(|failure| matches!(failure.mismatch, Mismatch::Strict { .. }));
            found.push((applied.is_ok(), is_strict));
        }
    }
    found
}

#[test]
fn rules_that_regroup_sums_of_floats_fail_in_strict_programs_and_say_why() {
    let (mut of_floats, mut of_integers) = (0, 0);
    for (instance, program) in regrouping() {
        let is_mentioned = |types: &[&str]| types.iter().any(|ty| instance.program.contains(ty));
        let has_integers_only = is_mentioned(&["i32", "u32", "i64"]) && !is_mentioned(&["f16", "f32", "f64"]);
        for (applies, is_strict) in at_each_place(instance, &program) {
            // The other way for a rule to apply is one that combines nothing in another order.
            assert!(applies || is_strict, "{} in {}", instance.rule, instance.program);
            assert!(applies || !has_integers_only, "{} in {}", instance.rule, instance.program);
            of_floats += usize::from(is_strict);
            of_integers += usize::from(has_integers_only);
        }
    }
    assert!(of_floats > 5 && of_integers > 5, "{of_floats} of floats, {of_integers} of integers");
}

#[test]
fn reductions_keep_their_order_where_it_shows_in_their_bits() {
    let order = |reduction: &str| {
        let text = format!(
            "#[strict] fn f<const N: usize>(x: [f32; N], k: [i32; N]) -> [f32; 1] {{ [{reduction}] }}"
        );
        let lowered = low_level(&typed(&text).expect("it has types")).expect("it is lowered");
        lowered.derivation.to_string().lines().any(|step| step.trim_start().starts_with("reduceSeq"))
    };
    for sequential in [
        "reduce(add, 0, x)",
        "reduce(|s, x| s * x, 1, x)",
        "reduce(|s, x| s + x * x, 0, x)",
        "reduce(|s, x| max(s, x) + x, 0, x)",
        "at(1, reduceByKey(9, add, 0, k, x))",
        "reduce(|s, x| (s.0 + 1, s.1 + x), (0i32, 0f32), x) >> get(1)",
    ] {
        assert!(order(sequential), "{sequential}");
    }
    for free in ["reduce(max, 0, x)", "reduce(|s, x| min(s, x * x), 9, x)", "reduce(add, 0, k) as f32"] {
        assert!(!order(free), "{free}");
    }
}
