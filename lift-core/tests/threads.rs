//! What several threads compile is what one compiles, to the last byte: every program of the corpus, and
//! programs that are refused.

use lift_core::front::infer::{infer_closure, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_core::options::Options;
use lift_core::threads::Threads;
use lift_core::{compile_each, compile_on};
use lift_corpus::topics;

/// The programs of a text.
fn programs(text: &str) -> Vec<Program> {
    let parsed = lift_parser::parse_text(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    match &parsed.input {
        Some(Input::Closure(expr)) => vec![infer_closure(expr).expect("it has a type")],
        Some(Input::Items(items)) => infer_items(items).expect("they have types").kernels,
        Some(Input::Inline(_)) | None => Vec::new(),
    }
}

/// Programs that a stage refuses: all of them, a form that a schedule demands, and a schedule itself.
const REFUSED: [&str; 3] = [
    "|a: [f32; 8]| a >> mapLcl(|x| x)",
    "#[schedule(rowsOfGroups(16))] fn sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(reduce(add, 0.0))
    }",
    "#[schedule(tiledStencil(16))] fn twice<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| 2.0 * x) }",
];

#[test]
fn threads_change_nothing_of_what_is_compiled() {
    let options = Options::default();
    let texts = topics().flat_map(|topic| topic.blocks()).chain(REFUSED);
    let (mut count, mut with_forms, mut refused) = (0, 0, 0);
    for text in texts {
        let programs = programs(text);
        let alone: Vec<_> =
            programs.iter().map(|program| compile_on(program, &options, Threads::ONE)).collect();
        assert_eq!(compile_each(&programs, &options, Threads::at_most(3)), alone, "{text}");
        for (program, alone) in programs.iter().zip(&alone) {
            for threads in [2, 5] {
                let together = compile_on(program, &options, Threads::at_most(threads));
                assert_eq!(&together, alone, "{} on {threads} threads", program.name);
            }
            count += 1;
            with_forms += usize::from(alone.as_ref().is_ok_and(|compiled| !compiled.others.is_empty()));
            refused += usize::from(alone.is_err());
        }
    }
    assert!(count > 300 && with_forms > 100 && refused == REFUSED.len(), "{count}, {with_forms}, {refused}");
}
