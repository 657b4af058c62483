//! Normal forms end, leave nothing to do, and do not depend on where one begins.

use lift_core::ir::typed::alpha::alpha_eq;
use lift_core::ir::typed::{Expr, ExprKind, Path, Program};
use lift_core::middle::rewrite::normal::ALL;
use lift_core::middle::rewrite::{Normal, Rewriter, Strategy};
use lift_corpus::lists::{EVERY_PRIMITIVE, FIGURES, POSITION_DEPENDENT};

use crate::instances::instances;
use crate::support::typed;

/// The programs of the corpus of one line, and the instances of all rules, in which layouts and maps meet
/// more often.
fn programs() -> Vec<(&'static str, Program)> {
    let corpus = FIGURES.iter().chain(&POSITION_DEPENDENT).chain(EVERY_PRIMITIVE).copied();
    let texts = corpus.chain(instances().map(|instance| instance.program));
    texts.filter_map(|text| Some((text, typed(text).ok()?))).collect()
}

fn normalised(program: &Program, normal: &'static Normal, text: &str) -> Program {
    let mut rewriter = Rewriter::new(program);
    let done = rewriter.run(&Strategy::Normalise(normal));
    done.unwrap_or_else(|failure| panic!("{} of {text}\n{failure}", normal.name));
    rewriter.program()
}

fn places(program: &Program) -> Vec<Path> {
    let mut places = vec![Path::root()];
    let mut next = 0;
    while let Some(path) = places.get(next).cloned() {
        next += 1;
        let children = program.body.at_path(&path).map_or(0, |expr| expr.children().len());
        places.extend((0..children).map(|position| path.child(position)));
    }
    places
}

/// Every program that one step towards a normal form makes of a program.
fn steps(program: &Program, normal: &'static Normal) -> Vec<(String, Program)> {
    let mut steps = Vec::new();
    for path in places(program) {
        for (_, rule) in normal.rules {
            let mut rewriter = Rewriter::new(program);
            if rewriter.apply(rule, &[], &path).is_ok() && rewriter.rewritten().needs.is_empty() {
                steps.push((format!("{} @ {path}", rule.name), rewriter.program()));
            }
        }
    }
    steps
}

#[test]
fn no_rule_applies_to_a_normal_form() {
    for (text, program) in programs() {
        for normal in ALL {
            let program = normalised(&program, normal, text);
            let left: Vec<String> = steps(&program, normal).into_iter().map(|(step, _)| step).collect();
            assert!(left.is_empty(), "{} of {text}\n{left:?}", normal.name);
        }
    }
}

/// Whether an expression has a `let` inside.
fn has_let(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Let { .. }) || expr.children().any(|child| has_let(child))
}

/// With an end, this is confluence: from wherever one begins, there is one normal form. Programs with a `let`
/// are left out: of three maps, which two are fused first decides how the `let`s of their elements are
/// nested.
#[test]
fn every_first_step_leads_to_the_same_normal_form() {
    for (text, program) in programs() {
        for normal in ALL {
            let usual = normalised(&program, normal, text);
            if has_let(&usual.body) {
                continue;
            }
            for (step, program) in steps(&program, normal) {
                let other = normalised(&program, normal, text);
                let same = alpha_eq(&usual.body, &other.body);
                assert!(same, "{} of {text}\nfrom {step}\n{:#?}\n{:#?}", normal.name, usual.body, other.body);
            }
        }
    }
}
