//! Schedules: the forms that they make, and what is said of those that do not fit.

use lift_core::compile;
use lift_core::compiled::Compiled;
use lift_core::eval::evaluate;
use lift_core::ir::typed::alpha::alpha_eq_programs;
use lift_core::ir::typed::show::show;
use lift_core::middle::rewrite::schedule::{Combinator, Scheduled, scheduled};
use lift_core::middle::rewrite::{read_derivation, rules, strategies};

use crate::checked::assert_well_typed;
use crate::support::typed;
use crate::values::{Sizes, arguments};

const MAPS: &str = "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| x + 1) >> map(|x| 2 * x) }";
const SUMS: &str = "fn f<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] { a >> map(|row| reduce(add, 0, row)) }";

fn compiled(schedule: &str, program: &str) -> Compiled {
    let text = format!("#[schedule({schedule})] {program}");
    let program = typed(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    compile(&program).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

#[test]
fn a_schedule_makes_a_form_before_the_plain_one() {
    let compiled = compiled("splitJoin(32), mapWrg(0), innermost(mapLcl(0))", MAPS);
    let [form] = compiled.others.as_slice() else { panic!("one form: {:?}", compiled.others) };
    assert_eq!(form.name, "scheduled");
    assert_eq!(form.guards.iter().map(|guard| guard.text.as_str()).collect::<Vec<_>>(), ["N % 32 == 0"]);
    assert!(form.source.contains("/* mapWrg0 */"), "{}", form.source);
    let plain = typed(MAPS).and_then(|program| compile(&program).map_err(|errors| format!("{errors:?}")));
    assert_eq!(plain.map(|plain| plain.plain), Ok(compiled.plain.clone()), "the plain form is as without");
    assert_eq!(compiled.derivation(), form.derivation);
}

#[test]
fn what_the_program_knows_guards_nothing() {
    let known = MAPS.replace("-> [f32; N]", "-> [f32; N] where N % 64 == 0");
    let form = compiled("splitJoin(32), mapWrg(0)", &known).others;
    assert!(form.iter().all(|form| form.guards.is_empty()), "{form:?}");
}

#[test]
fn sizes_of_the_program_are_arguments() {
    let form = compiled("splitJoin(N / 4)", MAPS).others;
    let guards: Vec<&str> =
        form.iter().flat_map(|form| &form.guards).map(|guard| guard.text.as_str()).collect();
    assert!(!guards.is_empty() && guards.iter().all(|guard| guard.contains('N')), "{guards:?}");
}

#[test]
fn launches_beside_a_schedule_are_those_of_its_form() {
    let text = "splitJoin(64), mapWrg(0), innermost(mapLcl(0))";
    let compiled = compiled(&format!("{text})] #[launch(local = 64"), MAPS);
    let local = |form: &lift_core::compiled::Form| {
        form.kernels.iter().map(|kernel| kernel.local[0]).collect::<Vec<_>>()
    };
    assert_eq!(compiled.others.iter().map(local).collect::<Vec<_>>(), [vec![64]]);
    let plain = typed(MAPS).and_then(|program| compile(&program).map_err(|errors| format!("{errors:?}")));
    assert_eq!(plain.map(|plain| plain.plain), Ok(compiled.plain));
}

/// Under `plain` nothing is divided among work-items whose results would have to be combined.
#[test]
fn plain_keeps_the_order_of_the_program() {
    for sum in [
        "fn f<const N: usize>(a: [f32; N]) -> f32 { reduce(add, 0, a) }",
        "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { scan(add, 0, a) }",
        "fn f<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| x / reduce(add, 0, a)) }",
    ] {
        let in_order = compiled("plain", sum);
        assert!(in_order.others.is_empty(), "{sum}");
        assert!(!in_order.plain.source.contains("mapLcl"), "{sum}\n{}", in_order.plain.source);
        assert!(compiled("default", sum).plain.source.contains("mapLcl"), "{sum}");
    }
}

/// Each schedule for the program, for the derivation as text, for the form's program, and for its meaning.
#[test]
fn scheduled_programs_mean_the_same_and_are_replayed() {
    for (schedule, program) in [
        ("fuse", MAPS),
        ("repeat(4000000000, attempt(mapFission(place(9))))", MAPS),
        ("mapFusion, splitJoinUneven(5), everywhere(mapSeq)", MAPS),
        ("repeat(3, mapFusion), attempt(mapFusion), either(reduceSeq, splitJoin(3))", MAPS),
        ("innermost(partialReduce(4)), everywhere(reduceSeq)", SUMS),
        ("at(place(), splitJoin(3)), at(place(0), outermost(reduceSeq))", SUMS),
        ("nth(0, sequence(splitJoinUneven(2), outermost(mapWrg(0)))), innermost(reduceSeqPipelined)", SUMS),
    ] {
        let text = format!("#[schedule({schedule})] {program}");
        let program = typed(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let Scheduled { rewritten: made, stopped } = scheduled(&program);
        assert_eq!(stopped, None, "{text}");
        assert_well_typed(&made, &text);
        let again =
            read_derivation(&made.derivation.to_string(), &program).expect("steps as they are printed");
        assert_eq!(again, made.derivation, "{text}");
        let replayed = again.replay(&program, &mut |_, _| {}).expect("steps that were taken");
        assert_eq!(replayed.program, made.program, "{text}");
        let sizes: Sizes = program.sizes.iter().map(|size| (size.variable.clone(), 12)).collect();
        let arguments = arguments(&program, &sizes, 3).expect("arguments of these sizes");
        assert_eq!(evaluate(&made.program, &arguments), evaluate(&program, &arguments), "{text}");
    }
}

#[test]
fn a_schedule_is_printed_with_its_program() {
    for schedule in ["plain", "fuse", "splitJoin(N / 2), everywhere(mapSeq)", "mapFusion, mapGlb(1)"] {
        let text = format!("#[schedule({schedule})] {MAPS}");
        let program = typed(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let shown = show(&program).expect("the language says it");
        assert!(shown.contains(&format!("#[schedule({schedule})]")), "{shown}");
        let again = typed(&shown).unwrap_or_else(|error| panic!("{shown}\n{error}"));
        assert!(alpha_eq_programs(&program, &again), "{shown}");
    }
}

#[test]
fn schedules_that_do_not_fit_are_a_mistake_at_the_name() {
    let places = "help: `cargo lift-explain --places FILE NAME` shows which rules apply where";
    let listed = "help: `cargo lift-explain --strategies` and `cargo lift-explain --rules` list the names";
    for (schedule, message) in [
        ("defualt", "unknown strategy `defualt`\nhelp: there is a similar name: `default`".to_owned()),
        (
            "mapFusionn",
            "unknown strategy `mapFusionn`\nhelp: there is a similar name: `mapFusion`".to_owned(),
        ),
        (
            "repeat(1000000, idMap)",
            format!("`repeat` does not fit this program: it does not come to an end, or takes far too long\n{places}"),
        ),
        (
            "everywhere(everywhere(everywhere(everywhere(idMap))))",
            format!("`everywhere` does not fit this program: it does not come to an end, or takes far too long\n{places}"),
        ),
        ("gpu", format!("unknown strategy `gpu`\n{listed}")),
        ("everywhere(N)", format!("a strategy belongs here, and `N` is a size\n{listed}")),
        ("fuse(3)", "`fuse` has one argument here, and takes none\nhelp: write `fuse`".to_owned()),
        ("splitJoin", "`splitJoin` has no arguments here, and takes a size".to_owned()),
        ("splitJoin(4, 4)", "`splitJoin` has 2 arguments here, and takes a size".to_owned()),
        ("repeat(mapFusion)", "`repeat` has one argument here, and is written `repeat(n, s)`".to_owned()),
        ("repeat(N, mapFusion)", "`repeat` takes a number from 0 to 4294967295 here, and this is `N`".to_owned()),
        ("mapGlb(3)", "`mapGlb` takes a dimension here, and this is `3`".to_owned()),
        (
            "splitJoin(M)",
            "`splitJoin` takes a size here, and the program has no size `M`\nhelp: sizes are numbers, `N`, and what \
             is computed from these"
                .to_owned(),
        ),
        ("everywhere(copyTo(N, 1))", "`copyTo` takes a memory (`toGlobal`, `toLocal`, `toPrivate`) here, and this is `N`".to_owned()),
        ("vectoriseMap(N)", "`vectoriseMap` takes the width of a vector here, and this is `N`".to_owned()),
        (
            "reduceSeq",
            format!(
                "`reduceSeq` does not fit this program: it takes a `reduce`, but this \
                 is `map`\nnote: the rule came furthest at `a >> map(|x| x + 1) >> map(|x| 2 * x)`\n{places}"
            ),
        ),
    ] {
        let text = format!("#[schedule({schedule})] {MAPS}");
        let program = typed(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let errors = compile(&program).map(|_| ()).expect_err(&text);
        let rendered: Vec<String> = errors.iter().map(|error| error.render()).collect();
        assert_eq!(rendered, [message], "{text}");
    }
}

#[test]
fn names_in_schedules_mean_one_thing() {
    let combinators = Combinator::ALL.into_iter().map(Combinator::name);
    let whole = lift_core::ir::typed::Strategy::ALL.iter().map(|strategy| strategy.name());
    let mut names: Vec<&str> =
        strategies::ALL.iter().map(|strategy| strategy.name).chain(combinators).collect();
    names.extend(rules::ALL.iter().map(|rule| rule.name).chain(whole));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
