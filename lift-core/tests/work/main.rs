//! Formulas for work: what they say of known programs, that they say what is executed, and that kernels do no
//! more than a few times what the source says.

#![allow(clippy::disallowed_methods, reason = "the environment says which random programs are judged")]

mod bound;
mod calls;
mod counts;
mod directed;
mod executed;
mod loops;
mod programs;
mod sizes;

#[path = "../support/mod.rs"]
mod support;
#[path = "../../../tests/kernels/text.rs"]
mod texts;

use lift_core::ir::typed::Program;

use bound::{Verdict, verdict};
use support::{Choices, Style, random_program, repeated_program, typed};

/// Programs that take more than they may, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "scans::of_pairs",
        "an element has 128 bytes: local memory holds three for each work-item of a small group, and their totals are many beside them",
    ),
    (
        "keyed::summaries",
        "a part has a table of twenty numbers, which is filled, written and combined, also for one element",
    ),
    (
        "orders::rows_moved",
        "rows of the result are copied, which is no work where a program says it by moving elements",
    ),
    (
        "updates::rows_moved",
        "rows of a table are copied, which is no work where a program says it by moving elements",
    ),
    ("updates::rows_taken", "the same"),
    (
        "|a: [[[i32; N]; 3]; 1]| map2(|r1| gather(rotate(0), gather(rotate(3), concat(generate(1, |i| (1 - 1 - i) as i32 * 2), r1))), a)",
        "elements of a turned array of parts choose their part, which is no work where a program says it by moving elements",
    ),
    (
        "|a: [[i16; 8]; N]| a >> scatter(stride(8)) >> map(reverse >> asVector(8) >> reduce(|acc, v| acc + dot(v, v), 0)) >> scatter(reverse)",
        "each component of a vector that is put together from single elements loads all of them",
    ),
    (
        "|a: [[f32; 30]; 5], b: i16| map(reverse, map(iterate(4, pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(max, 0))) >> gather(reverse) >> map(|x2| clampv(x2, x2, x2)))(a))",
        "the few applications of an `iterate` inside a map are computed from each other where a layout stands behind them",
    ),
    (
        "#[launch(local = 4, global = 8)] fn program<const N: usize>(a: [[f32; 1]; N]) -> [[[f32; 1]; 4]; N] where N >= 1 { map(split(1), scatter(stride(1), map(|r3| r3 >> map(|x4| select((3.0f32 == floor(x4 * 0.5)), at((2147483647i32 + 4i32), r3), ((x4 as i32) as f32))), a >> map(|r1| r1 >> iterate(4, pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(max, 0))) >> pad(3, 0, clamp) >> map(|x2| min(atOr(((x2 as u32) + 5), 0.0f32, r1), x2)))))) }",
        "the same",
    ),
    (
        "|a: [[f32; 1]; N]| a >> map(|r1| r1 >> iterate(4, pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(max, 0))) >> pad(3, 0, clamp) >> map(|x2| min(atOr(((x2 as u32) + 5), 0.0f32, r1), x2))) >> map(|r3| reduce(|acc4, x5| min(acc4, x5), 3, (if ((4i16 < 0i16) && (5.0f64 != 3.0f64)) { r3 } else { r3 }))) >> increase(3, 2)",
        "the same",
    ),
    (
        "|a: [[f32; 1]; N]| reverse(a >> map(|r1| r1 >> iterate(4, pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(max, 0))) >> pad(3, 0, clamp) >> map(|x2| min(atOr(((x2 as u32) + 5), 0.0f32, r1), x2))) >> map(|i3 => r4| { let v7 = map(|i5 => x6| (if (x6 >= 4) { x6 } else { min(0f32, min(x6, x6)) }), r4); split(2, v7 >> map(|i8 => x9| min(x9, min(x9, x9)))) >> join }))",
        "the same",
    ),
    (
        "|a: [[i32; 4]; 12]| { let v4 = map(map(|i2 => x3| (x3 * select(((x3 as u16) < 6), clampv(5i32, x3, x3), clampv(2i32, x3, x3)))) >> reverse >> (partition(3, caseSplit(2, 1, 1)) >> join))(a >> increase(0, 0)) >> slide2(3, 1); (if (2u8 != 2u8) { v4 } else { v4 }) }",
        "an element that is loaded six times is computed for each of the windows that show it, also without the `if`",
    ),
];

/// Other seeds of random programs, as in `0..5000`.
const SEEDS: &str = "LIFT_PROGRAMS";

/// How programs kept the bound.
#[derive(Debug, Default)]
struct Tally {
    proven: usize,
    kept: usize,
    at_their_word: usize,
    without_corners: usize,
    broken: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, program: &Program) {
        match verdict(program) {
            Verdict::Proven => self.proven += 1,
            Verdict::Kept(0) => self.without_corners += 1,
            Verdict::Kept(_) => self.kept += 1,
            Verdict::AtItsWord => self.at_their_word += 1,
            // A launch that the user chose is refused where its work-items would have no work.
            Verdict::Refused(_) if !program.launches.is_empty() => self.at_their_word += 1,
            Verdict::Refused(message) => self.broken.push(format!("{name}: {message}")),
            Verdict::Broken(_) if EXCEPTIONS.iter().any(|(exception, _)| *exception == name) => {}
            Verdict::Broken(text) => self.broken.push(format!("{name}: {text}")),
        }
    }

    /// Fails where a program did not keep the bound.
    fn assert_kept(mut self) -> Tally {
        self.broken.sort_by_key(String::len);
        assert!(self.broken.is_empty(), "{} programs:\n{}", self.broken.len(), self.broken.join("\n"));
        self
    }

    fn judged(&self) -> usize {
        self.proven + self.kept
    }
}

#[test]
fn kernels_of_known_programs_do_no_more_than_a_few_times_what_the_source_says() {
    let mut tally = Tally::default();
    programs::all().iter().for_each(|named| tally.add(&named.name, &named.program));
    let tally = tally.assert_kept();
    assert!(tally.judged() >= 500 && tally.without_corners <= 5, "{tally:?}");
}

#[test]
fn kernels_of_directed_programs_do_no_more_than_a_few_times_what_the_source_says() {
    let mut tally = Tally::default();
    directed::all().iter().for_each(|directed| tally.add(&directed.program.name, &directed.program));
    let tally = tally.assert_kept();
    assert!(tally.judged() >= 54, "{tally:?}");
}

#[test]
fn kernels_of_random_programs_do_no_more_than_a_few_times_what_the_source_says() {
    let program = |seed| random_program(&mut Choices::from_seed(seed), Style::HighLevel).text;
    assert_random_programs_kept(|seed| vec![program(seed)]);
}

#[test]
fn kernels_of_random_iterations_do_no_more_than_a_few_times_what_the_source_says() {
    assert_random_programs_kept(|seed| vec![repeated_program(&mut Choices::from_seed(seed)).text]);
}

#[test]
fn kernels_of_loops_in_loops_do_no_more_than_a_few_times_what_the_source_says() {
    let program = |seed| loops::program(&mut Choices::from_seed(seed));
    assert_random_programs_kept(|seed| vec![program(2 * seed), program(2 * seed + 1)]);
}

/// Looks at the programs of each seed: of five hundred, where no others are asked for.
fn assert_random_programs_kept(programs: impl Fn(u64) -> Vec<String>) {
    let mut tally = Tally::default();
    let texts: Vec<String> = seeds().flat_map(programs).collect();
    for text in &texts {
        let program = typed(text).unwrap_or_else(|message| panic!("{text}\n{message}"));
        tally.add(text, &program);
    }
    let tally = tally.assert_kept();
    let all = texts.len();
    assert!(tally.judged() * 20 >= all * 19 && tally.proven * 2 >= all, "{tally:?}");
}

fn seeds() -> std::ops::Range<u64> {
    let stated = std::env::var(SEEDS).ok();
    let bounds = stated.as_deref().and_then(|stated| stated.split_once(".."));
    bounds.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?)).unwrap_or(0..500)
}
