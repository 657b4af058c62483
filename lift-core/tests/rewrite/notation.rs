//! Steps of derivations as text: what is read, and what is said about what is no step.

use lift_core::ir::typed::Path;
use lift_core::middle::rewrite::{Step, read_derivation, read_step, rules};

use crate::support::typed;

const PROGRAM: &str = "|a: [i32; N]| a >> map(|x| x + 1) >> map(|x| x * x)";

#[test]
fn a_step_that_was_printed_is_read_as_the_same_step() {
    let program = typed(PROGRAM).expect("a program");
    for path in [Path::root(), Path::from(vec![0]), Path::from(vec![0, 11, 2])] {
        let step = Step { rule: &rules::MAP_FUSION, arguments: Vec::new(), path };
        assert_eq!(read_step(&step.to_string(), &program), Ok(step));
    }
}

#[test]
fn a_derivation_has_a_step_per_line() {
    let program = typed(PROGRAM).expect("a program");
    let derivation = read_derivation("\n  mapFusion @ .\nmapFusion@0.1\n", &program).expect("two steps");
    assert_eq!(derivation.to_string(), "mapFusion @ .\nmapFusion @ 0.1");
}

#[test]
fn what_is_no_step_is_refused_with_the_reason() {
    let program = typed(PROGRAM).expect("a program");
    for (text, message) in [
        ("mapFusion", "a step says where it is: `mapFusion @ 0.1`, and `@ .` for the whole program"),
        ("mapFusion @ here", "`here` is no place: that is `.`, or positions such as `0.1`"),
        ("mapFusion @ 0..1", "`0..1` is no place: that is `.`, or positions such as `0.1`"),
        ("mapFussion @ .", "there is no rule `mapFussion`"),
        ("mapFusion(32, N) @ .", "`mapFusion` takes no arguments, and 2 stand there"),
    ] {
        let refused = read_step(text, &program).map_err(|unreadable| unreadable.to_string());
        assert_eq!(refused, Err(message.to_owned()), "{text}");
    }
}
