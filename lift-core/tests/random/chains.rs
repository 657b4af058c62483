//! Chains of layouts: the code that reads through them is as long as the chain, and so is the time to
//! generate it.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a script says which chains are compiled, and their times are measured"
)]

use std::time::{Duration, Instant};

use lift_core::compile;

use crate::seed::seed;
use crate::support::{Choices, RandomProgram, chain_of_layouts, typed};
use proptest::collection::vec;
use proptest::prelude::*;

/// The layouts of a chain at most.
const MOST_LAYOUTS: usize = 20;
/// No text of a chain is longer, in bytes.
const LONGEST_TEXT: usize = 60_000;

/// The lengths of the two texts that a program becomes; a message where it is refused.
fn lengths(program: &RandomProgram) -> Result<[usize; 2], String> {
    let compiled = compile(&typed(&program.text)?)
        .map_err(|errors| errors.iter().map(|error| error.render()).collect::<Vec<_>>().join("\n"))?;
    Ok([compiled.plain.source.len(), compiled.host.map_or(0, |host| host.text.len())])
}

/// Chains that doubled each index with each of their layouts, or all code: a parameter, and what is repeated.
const CHAINS: [(&str, &str); 5] = [
    ("a: [f32; 3 * M]", " >> pad(1, 2, mirror) >> reverse >> split(3) >> transpose >> join"),
    (
        "a: [f32; N]",
        " >> pad(2, 3, |i, n| if i < 0 { 0 } else { n - 1 }) >> gather(rotate(2)) >> pad(1, 1, wrap)",
    ),
    ("a: [[f32; N]; M]", " >> pad2(1, 2, mirror) >> map(reverse) >> transpose >> padConstant2(1, 0, 0.0)"),
    ("a: [f32; N]", " >> pad(1, 1, clamp) >> slide(3, 1) >> map(reverse) >> map(at(0)) >> pad(2, 2, mirror)"),
    ("a: [f32; 34]", " >> partition(4, |i| 10 - i) >> reverse >> join"),
];

#[test]
fn the_code_of_a_chain_is_as_long_as_the_chain() {
    for (parameter, unit) in CHAINS {
        let lengths_of = |times| {
            let text = format!("|{parameter}| a{}", unit.repeat(times));
            lengths(&RandomProgram { text, arguments: Vec::new() }).expect("it compiles")
        };
        let ([short, short_on_host], [long, long_on_host]) = (lengths_of(6), lengths_of(12));
        assert!(long < 3 * short, "{unit}: {short} and {long} bytes of OpenCL");
        assert!(long_on_host < 3 * short_on_host, "{unit}: {short_on_host} and {long_on_host} bytes of Rust");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn no_text_of_a_random_chain_is_long(choices in vec(any::<u32>(), 0..300)) {
        let program = chain_of_layouts(&mut Choices::new(choices), MOST_LAYOUTS);
        match lengths(&program) {
            Ok(lengths) => prop_assert!(
                lengths.iter().all(|length| *length <= LONGEST_TEXT),
                "{lengths:?} bytes: {}", program.text
            ),
            Err(error) => prop_assert!(false, "{}\n{error}", program.text),
        }
    }
}

/// What this thread has computed, where the system says so: other programs do not count.
fn processor_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The chains of many seeds, for `scripts/random-chains.sh`: says which are the longest and the slowest. How
/// fast the machine is decides about nothing.
#[test]
#[ignore = "it takes long; the script runs it"]
fn the_longest_and_the_slowest_of_many_chains() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
    };
    let (first, count) = (number("CHAINS_FIRST", 0), number("CHAINS_COUNT", 1000));
    let slow = Duration::from_millis(number("CHAINS_MILLISECONDS", 1000));
    let (mut longest, mut slowest, mut over) = ((0, 0), (Duration::ZERO, 0), 0);
    for seed in first..first + count {
        let program = chain_of_layouts(&mut Choices::from_seed(seed), MOST_LAYOUTS);
        let (clock, processor) = (Instant::now(), processor_time());
        let compiled = lengths(&program);
        let time = match (processor, processor_time()) {
            (Some(before), Some(after)) => after - before,
            _ => clock.elapsed(),
        };
        let length = match &compiled {
            Ok(lengths) => lengths.iter().copied().max().unwrap_or_default(),
            Err(error) => {
                println!("{seed} is refused: {}\n{error}", program.text);
                over += 1;
                0
            }
        };
        if length > LONGEST_TEXT || time > slow {
            println!("{seed}: {length} bytes, {time:?}: {}", program.text);
            over += usize::from(length > LONGEST_TEXT);
        }
        (longest, slowest) = (longest.max((length, seed)), slowest.max((time, seed)));
    }
    println!(
        "{count} chains from {first} on: {longest:?} is the longest text and its seed, {slowest:?} the longest time"
    );
    assert_eq!(over, 0, "chains are refused or too long");
}
