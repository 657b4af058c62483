//! Chains of layouts: the code that reads through them is as long as the chain, and so is the time to generate it.

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
    Ok([compiled.source.len(), compiled.host.map_or(0, |host| host.text.len())])
}

/// A chain that doubled each index several times with each of its layouts.
fn mirrored(times: usize) -> RandomProgram {
    let unit = " >> pad(1, 2, mirror) >> reverse >> split(3) >> transpose >> join";
    RandomProgram { text: format!("|a: [f32; 3 * M]| a{}", unit.repeat(times)), arguments: Vec::new() }
}

#[test]
fn the_code_of_a_chain_is_as_long_as_the_chain() {
    let lengths_of = |times| lengths(&mirrored(times)).expect("it compiles");
    let ([short, short_on_host], [long, long_on_host]) = (lengths_of(6), lengths_of(12));
    assert!(long < 3 * short, "{short} and {long} bytes of OpenCL");
    assert!(long_on_host < 3 * short_on_host, "{short_on_host} and {long_on_host} bytes of Rust");
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

/// The chains of many seeds, for `scripts/random-chains.sh`: says which are the longest and the slowest.
#[test]
#[ignore = "it takes long; the script runs it"]
fn the_longest_and_the_slowest_of_many_chains() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
    };
    let (first, count) = (number("CHAINS_FIRST", 0), number("CHAINS_COUNT", 1000));
    let limit = Duration::from_millis(number("CHAINS_MILLISECONDS", 1000));
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
        if length > LONGEST_TEXT || time > limit {
            println!("{seed}: {length} bytes, {time:?}: {}", program.text);
            over += 1;
        }
        (longest, slowest) = (longest.max((length, seed)), slowest.max((time, seed)));
    }
    println!(
        "{count} chains from {first} on: {longest:?} is the longest text and its seed, {slowest:?} the longest time"
    );
    assert_eq!(over, 0, "chains are refused, too long or too slow");
}
