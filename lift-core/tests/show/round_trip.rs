//! From a program to its text and back.

use std::collections::HashMap;

use lift_core::ir::nat::{Nat, Substitution};
use lift_core::ir::typed::alpha::alpha_eq_programs;
use lift_core::ir::typed::show::show;
use lift_core::ir::typed::{Obligation, Program, Strategy};
use lift_core::middle::rewrite::Derivation;
use lift_core::{Made, choice, compile, low_level};

use crate::support::{
    Choices, Style, group_program, order_program, random_program, repeated_program, staged_program, typed,
    with_needs,
};
use crate::{corpus, texts, topics_of_the_corpus};

/// Other seeds of random programs, as in `0..5000`.
const SEEDS: &str = "LIFT_PROGRAMS";

/// What is wrong with the text of a program, or with the kernels of the program that it is, if anything.
fn fault(name: &str, program: &Program) -> Option<String> {
    let (text, again) = match fault_of_term(name, program) {
        Ok(again) => again,
        Err(fault) => return Some(fault),
    };
    let difference = first_difference(&kernels(program), &kernels(&again))?;
    Some(format!("{name}\nis shown as\n{text}\nwhose kernels differ:\n{difference}"))
}

/// The text of a program and the program that it is, or what is wrong with them.
fn fault_of_term(name: &str, program: &Program) -> Result<(String, Program), String> {
    let (text, again) = read_again(name, program)?;
    match difference_of_terms(name, program, &text, &again) {
        Some(fault) => Err(fault),
        None => Ok((text, again)),
    }
}

/// The text of a program and the program that it is, or why there is none.
fn read_again(name: &str, program: &Program) -> Result<(String, Program), String> {
    let text = show(program).map_err(|unsayable| format!("{name}\ncannot be said: {unsayable}"))?;
    let again = texts::kernels(&text)
        .and_then(|mut programs| programs.pop().ok_or_else(|| "there is no kernel".to_owned()))
        .map_err(|message| format!("{name}\nis shown as\n{text}\nwhich is refused:\n{message}"))?;
    Ok((text, again))
}

fn difference_of_terms(name: &str, program: &Program, text: &str, again: &Program) -> Option<String> {
    if alpha_eq_programs(program, again) {
        return None;
    }
    let and_then = show(again).unwrap_or_default();
    let (before, after) = (needs(program), needs(again));
    Some(format!(
        "{name}\nis shown as\n{text}\nneeds {before}\nwhich is another program:\n{and_then}\nneeds {after}"
    ))
}

/// Whether a text means the program that it was made of, and needs nothing of sizes that does not follow
/// from what the program needs. It may need less: where a rule puts an expression into a map over chunks,
/// for instance, it is plain that there is an element, which the program had to need before; and what a
/// rule needs inside of an `iterate`, the text needs if there is an application.
fn means_the_same(again: &Program, program: &Program) -> bool {
    let without_needs = |program: &Program| Program { obligations: Vec::new(), ..program.clone() };
    needs_no_more(again, program) && alpha_eq_programs(&without_needs(program), &without_needs(again))
}

fn needs_no_more(again: &Program, program: &Program) -> bool {
    let mut sizes = Substitution::new();
    for size in &program.sizes {
        let same = again.sizes.iter().find(|other| other.name == size.name);
        sizes.extend(same.map(|same| (size.variable.clone(), Nat::variable(&same.variable))));
    }
    let mut known = Program { obligations: Vec::new(), ..again.clone() }.ranges();
    for obligation in &program.obligations {
        if let Some(condition) = obligation.requirement.condition() {
            known.assume(&condition.substitute(&sizes));
        }
    }
    let needed: Vec<String> = program.obligations.iter().map(need).collect();
    again.obligations.iter().all(|obligation| {
        needed.contains(&need(obligation)) || obligation.requirement.decide(&known) == Some(true)
    })
}

/// A condition, with the names of its sizes.
fn need(obligation: &Obligation) -> String {
    format!("{:?}", obligation.requirement)
}

/// What a launch checks.
fn needs(program: &Program) -> String {
    program.obligations.iter().map(need).collect::<Vec<_>>().join(", ")
}

/// The text for OpenCL and that for the host, or the messages. On the host, `1` whose type is guessed is
/// `1f32`, and `1f32` is `1.0f32`.
fn kernels(program: &Program) -> String {
    match compile(program) {
        Ok(compiled) => {
            let host = format!("{:#?}", compiled.host).replace(".0f32", "f32").replace(".0f64", "f64");
            format!("{}\n{}", compiled.plain.source, host.replace("\\n", "\n"))
        }
        Err(messages) => texts::render(&messages),
    }
}

/// The first lines that differ in more than the numbers of names. A second variable `sum` is `sum_2` in a
/// text, so that what a kernel calls `sum` is `sum_2` in the kernel of the text.
fn first_difference(left: &str, right: &str) -> Option<String> {
    let mut names = Renaming::default();
    let mut lines = left.lines().zip(right.lines());
    match lines.find(|(left, right)| !names.makes_equal(left, right)) {
        Some((left, right)) => Some(format!("  {left}\n  {right}")),
        None => (left.lines().count() != right.lines().count()).then(|| "one is longer".to_owned()),
    }
}

/// The names of one kernel, each with the name that is in its place in another one.
#[derive(Default)]
struct Renaming {
    there: HashMap<String, String>,
    back: HashMap<String, String>,
}

impl Renaming {
    fn makes_equal(&mut self, left: &str, right: &str) -> bool {
        if ["void ", "kernel void ", "fn ", "unsafe fn "].iter().any(|function| left.starts_with(function)) {
            *self = Renaming::default();
        }
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let others = |line: &str| line.replace(is_part, " ").split_whitespace().collect::<String>();
        let words = |line: &'_ str| line.split(|letter| !is_part(letter)).map(str::to_owned).collect();
        let (own, other): (Vec<String>, Vec<String>) = (words(left), words(right));
        others(left) == others(right)
            && own.len() == other.len()
            && own.into_iter().zip(other).all(|(own, other)| self.pairs(own, other))
    }

    /// Whether one name is in the place of the other, here and wherever else one of them is.
    fn pairs(&mut self, own: String, other: String) -> bool {
        without_numbers(&own) == without_numbers(&other)
            && *self.there.entry(own.clone()).or_insert_with(|| other.clone()) == other
            && *self.back.entry(other).or_insert_with(|| own.clone()) == own
    }
}

/// A name without the numbers that make it unique: `sum` for `sum_2`, `sum_2_3` and, in Rust, `sum_2_`. The
/// number of a type such as `float4` stays, because no `_` stands before it.
fn without_numbers(name: &str) -> &str {
    let name = name.strip_suffix('_').unwrap_or(name);
    match name.rsplit_once('_') {
        Some((base, number)) if number.bytes().all(|letter| letter.is_ascii_digit()) => without_numbers(base),
        _ => name,
    }
}

fn assert_no_faults(faults: Vec<String>, shown: usize) {
    let mut faults = faults;
    faults.sort_by_key(String::len);
    assert!(faults.is_empty(), "{} of {shown} programs:\n{}", faults.len(), faults.join("\n\n"));
}

#[test]
fn programs_of_the_corpus_are_the_same_when_their_texts_are_read() {
    let programs = corpus();
    let faults = programs.iter().filter_map(|(name, program)| fault(name, program)).collect();
    assert_no_faults(faults, programs.len());
}

/// The kernels of each tenth are compared: to compile a program takes much longer than to show it.
#[test]
fn low_level_programs_of_the_corpus_are_the_same_when_their_texts_are_read() {
    let mut faults = Vec::new();
    let mut shown = 0;
    for (name, program) in topics_of_the_corpus() {
        // Some programs of the corpus show what lowering refuses.
        let Ok(lowered) = low_level(&program) else { continue };
        shown += 1;
        faults.extend(match shown % 10 {
            0 => fault(&name, &lowered.program),
            _ => fault_of_term(&name, &lowered.program).err(),
        });
    }
    assert_no_faults(faults, shown);
}

#[test]
fn programs_of_the_corpus_are_the_same_after_each_step_of_lowering() {
    let (mut faults, mut steps) = (Vec::new(), 0);
    for (name, program) in topics_of_the_corpus() {
        let Ok(lowered) = low_level(&program) else { continue };
        steps += lowered.derivation.steps.len();
        faults.extend(faults_of_steps(&name, &lowered.apart, &lowered.derivation, |_| true));
    }
    assert_no_faults(faults, steps);
}

/// All 10,000 steps take more than a minute.
#[test]
fn programs_of_the_corpus_are_the_same_after_each_sixteenth_step_that_makes_a_form() {
    let (mut faults, mut steps) = (Vec::new(), 0);
    for (name, program) in topics_of_the_corpus() {
        let Ok(choice) = choice(&program) else { continue };
        for Made { name: form, start, derivation } in choice.made {
            let start = Program { strategy: Strategy::Default, ..start };
            let last = derivation.steps.len().saturating_sub(1);
            let is_tried = |step| step % 16 == 0 || step == last;
            faults.extend(faults_of_steps(&format!("{name}, form {form}"), &start, &derivation, is_tried));
            steps += 1;
        }
    }
    assert_no_faults(faults, steps);
}

/// What is wrong with the texts of a program after steps of a derivation.
fn faults_of_steps(
    name: &str,
    program: &Program,
    derivation: &Derivation,
    is_tried: impl Fn(usize) -> bool,
) -> Vec<String> {
    let (mut faults, mut number) = (Vec::new(), 0);
    let replayed = derivation.replay(program, &mut |step, rewriter| {
        if is_tried(number) {
            let (name, now) = (format!("{name} behind {step}"), with_needs(&rewriter.rewritten()));
            faults.extend(match read_again(&name, &now) {
                Ok((_, again)) if means_the_same(&again, &now) => None,
                Ok((text, again)) => difference_of_terms(&name, &now, &text, &again),
                Err(fault) => Some(fault),
            });
        }
        number += 1;
    });
    faults.extend(replayed.err().map(|failure| format!("{name}: {failure}")));
    faults
}

#[test]
fn random_programs_of_high_level_primitives_are_the_same_when_their_texts_are_read() {
    assert_random_programs_survive(|seed| {
        random_program(&mut Choices::from_seed(seed), Style::HighLevel).text
    });
}

#[test]
fn random_strict_programs_are_the_same_when_their_texts_are_read() {
    let strict = |seed| random_program(&mut Choices::from_seed(seed), Style::HighLevel).strict().text;
    assert!((0..100).any(|seed| strict(seed).contains("#[strict]")));
    assert_random_programs_survive(strict);
}

#[test]
fn random_programs_of_low_level_primitives_are_the_same_when_their_texts_are_read() {
    assert_random_programs_survive(|seed| {
        random_program(&mut Choices::from_seed(seed), Style::LowLevel).text
    });
}

#[test]
fn random_iterations_are_the_same_when_their_texts_are_read() {
    assert_random_programs_survive(|seed| repeated_program(&mut Choices::from_seed(seed)).text);
}

#[test]
fn random_programs_in_groups_are_the_same_when_their_texts_are_read() {
    assert_random_programs_survive(|seed| group_program(&mut Choices::from_seed(seed)).text);
}

#[test]
fn random_programs_in_stages_are_the_same_when_their_texts_are_read() {
    assert_random_programs_survive(|seed| staged_program(&mut Choices::from_seed(seed)).text);
}

#[test]
fn random_programs_that_order_elements_are_the_same_when_their_texts_are_read() {
    assert_random_programs_survive(|seed| order_program(&mut Choices::from_seed(seed)).text);
}

/// Shows the programs of the seeds that the environment asks for, or of the usual ones. The kernels of each
/// tenth are compared: to compile a program takes much longer than to show it.
fn assert_random_programs_survive(text: impl Fn(u64) -> String) {
    let stated = std::env::var(SEEDS).ok();
    let bounds = stated.as_deref().and_then(|stated| stated.split_once(".."));
    let seeds = bounds.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?)).unwrap_or(0..400);
    let shown = seeds.clone().count();
    let faults = seeds.filter_map(|seed| {
        let text = text(seed);
        let program = typed(&text).unwrap_or_else(|message| panic!("{text}\n{message}"));
        if seed % 10 == 0 { fault(&text, &program) } else { fault_of_term(&text, &program).err() }
    });
    assert_no_faults(faults.collect(), shown);
}

#[test]
fn declared_types_constants_and_patterns_are_read_again() {
    for text in [
        "fn f<T: Float, const N: usize>(k: T, x: [T; N]) -> [T; N] { map(|x| k * x / 3 + (N as T), x) }",
        "fn f<T: Integer, U: Element, const N: usize>(a: [(T, U); N]) -> [(U, T); N] { map(|x, y| (y, x & 7), a) }",
        "fn square<T: Number>(x: T) -> T { x * x }
         fn f<T: Number, const N: usize>(a: [T; N]) -> T { reduce(|s, x| s + square(x), 0, a) }",
        "const K: f32 = -0.1; const R: usize = 2; const LEAST: i32 = -2147483648;
         fn f<const N: usize>(a: [f32; N], b: [i32; N]) -> [(f32, i32); N - R] {
             zip(a, b) >> slide(R + 1, 1) >> map(|[_, (x, i), _]| (K * x, max(i, LEAST)))
         }",
        "|a: [f32; N]| reduce(max, f32::NEG_INFINITY, map(|x| if x > f32::MAX { f32::NAN } else { x }, a))",
    ] {
        let programs = texts::kernels(text).unwrap_or_else(|message| panic!("{text}: {message}"));
        let faults: Vec<String> = programs.iter().filter_map(|program| fault(text, program)).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
