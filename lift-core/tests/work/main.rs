//! Formulas for work: what they say of known programs, that they say what is executed, and that kernels do no more than a few times what
//! the source says.

mod bound;
mod calls;
mod counts;
mod directed;
mod executed;
mod programs;
mod sizes;

#[path = "../extents/programs.rs"]
mod every_primitive;
#[allow(dead_code, reason = "each test program uses its own part of this module")]
#[path = "../../../tests/kernels/papers.rs"]
mod papers;
#[path = "../../../tests/kernels/steps.rs"]
#[allow(dead_code, reason = "nothing is run here")]
mod steps;
#[path = "../support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "each test program uses its own part of the generator")]
mod support;
#[path = "../../../tests/kernels/text.rs"]
mod texts;

use bound::{Verdict, verdict};
use lift_core::work::of_kernels;

#[test]
fn kernels_of_files_do_no_more_than_a_few_times_what_the_source_says() {
    let (mut kept, mut at_their_word, mut refused, mut broken) = (0, 0, 0, Vec::new());
    for named in programs::all() {
        let started = std::time::Instant::now();
        match verdict(&named.program) {
            Verdict::Kept(corners) => {
                if corners == 0 {
                    println!("no corners: {}", named.name);
                }
                kept += 1
            }
            Verdict::AtItsWord => at_their_word += 1,
            Verdict::Refused => {
                refused += 1;
                println!("refused {}", named.name)
            }
            Verdict::Broken(text) => broken.push(format!("{}: {text}", named.name)),
        }
        let t = started.elapsed().as_secs_f64();
        if t > 1.0 {
            println!("{t:.1} s {}", named.name);
        }
    }
    println!("{kept} kept, {at_their_word} at their word, {refused} refused, {} broken", broken.len());
    println!("{}", broken.join("\n"));
}

#[test]
fn kernels_of_random_programs_do_no_more_than_a_few_times_what_the_source_says() {
    let (mut kept, mut at_their_word, mut refused, mut broken) = (0, 0, 0, Vec::new());
    for seed in 0..1000 {
        let choices = || support::Choices::from_seed(seed);
        let high = support::random_program(&mut choices(), support::Style::HighLevel);
        for text in [high.text, support::repeated_program(&mut choices()).text] {
            let program = support::typed(&text).expect("typed");
            let started = std::time::Instant::now();
            match verdict(&program) {
                Verdict::Kept(corners) => {
                    if corners == 0 {
                        println!("no corners: {}", text);
                    }
                    kept += 1
                }
                Verdict::AtItsWord => at_their_word += 1,
                Verdict::Refused => {
                    refused += 1;
                    println!("refused {}", text)
                }
                Verdict::Broken(why) => broken.push((text.len(), format!("{seed}: {}: {why}", text))),
            }
            let t = started.elapsed().as_secs_f64();
            if t > 1.0 {
                println!("{t:.1} s {}", text);
            }
        }
    }
    println!("{kept} kept, {at_their_word} at their word, {refused} refused, {} broken", broken.len());
    broken.sort();
    println!("{}", broken.iter().map(|b| b.1.clone()).collect::<Vec<_>>().join("\n"));
}

#[test]
fn directed_bound() {
    for d in directed::all() {
        match verdict(&d.program) {
            Verdict::Kept(n) => println!("{} kept at {n}", d.program.name),
            Verdict::AtItsWord => println!("{} word", d.program.name),
            Verdict::Refused => println!("{} refused", d.program.name),
            Verdict::Broken(text) => println!("{} BROKEN {}", d.program.name, text.lines().next().unwrap()),
        }
    }
}

mod loops;

#[test]
fn loops_in_loops() {
    let (mut kept, mut refused, mut broken) = (0, 0, Vec::new());
    let n: u64 = std::env::var("SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(300);
    for seed in 0..n {
        let text = loops::program(&mut support::Choices::from_seed(seed));
        let program = support::typed(&text).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let started = std::time::Instant::now();
        match verdict(&program) {
            Verdict::Kept(_) => kept += 1,
            Verdict::AtItsWord => {}
            Verdict::Refused => {
                refused += 1;
                println!("refused {seed}: {text} {}", of_kernels(&program).unwrap_err()[0].render());
            }
            Verdict::Broken(why) => broken.push((text.len(), format!("{seed}: {text}: {why}"))),
        }
        let t = started.elapsed().as_secs_f64();
        if t > 1.0 {
            println!("{t:.1} s {text}");
        }
    }
    broken.sort();
    println!("{kept} kept, {refused} refused, {} broken", broken.len());
    println!("{}", broken.iter().map(|b| b.1.clone()).collect::<Vec<_>>().join("\n"));
}
