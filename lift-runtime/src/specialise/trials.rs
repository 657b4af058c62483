//! Finds out by trying whether constants pay, for one program and the sizes that come again and again.
//!
//! Nothing is tried until the kernels have taken [`SHARE`] times as long with these sizes as compiling took.
//! So trying costs a small part of what was spent already, and a program that does little never compiles
//! anything twice. This is the rule for the ski-rental problem (rent or buy): what has gone on for long is
//! likely to go on for long. Then the program is compiled with constants, calls take one or the other in
//! turn, and the faster one is kept for these sizes. Constants have to be faster by more than the measurement
//! is uncertain ([`GAIN`]).
//!
//! Calls never wait for that, except the one that compiles, which does so when its kernels are on their way.
//! A later call asks how long kernels took, for one call at a time. The Thue-Morse sequence names the variant
//! that a call takes, because a user's program may well alternate between two inputs itself.
//!
//! Programs have a type `P`, and kernels on their way a type `R`, so that tests can make up times.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Constants are tried when kernels have taken this many times as long as compiling.
const SHARE: u32 = 20;

/// Constants are tried after at least this many calls.
const CALLS: u32 = 16;

/// Compiling counts as at least this long: a driver that had the program in a cache of its own takes longer
/// for one that it has not seen.
const LEAST_COMPILING: Duration = Duration::from_millis(100);

/// This many calls of each variant are compared, by their lower quartiles, because disturbances only make a
/// call longer. For example, a kernel that finds the device idle takes longer by a start, and where calls
/// come in bursts that is some share of them.
const COMPARED: usize = 16;

/// Constants are taken if they save at least one part in this many.
const GAIN: u32 = 50;

/// The greatest number of combinations of sizes that are known at once. The least recently used one makes
/// room.
const MOST: usize = 64;

/// What is known of the calls of one built program.
#[derive(Debug)]
pub(crate) struct Trials<P, R> {
    /// The time that the kernels must have taken before constants are tried.
    patience: Duration,
    table: Mutex<Table<P, R>>,
}

#[derive(Debug)]
struct Table<P, R> {
    trials: BTreeMap<Vec<i64>, Trial<P, R>>,
    uses: u64,
}

/// What is known of the calls with the same sizes.
#[derive(Debug)]
struct Trial<P, R> {
    stage: Stage<P>,
    /// The kernels of an earlier call that are to be timed.
    watched: Option<(Variant, R)>,
    last_use: u64,
}

#[derive(Debug)]
enum Stage<P> {
    /// Sizes are arguments, and the time that kernels take is added up.
    Counting(Count),
    /// One call compiles, and the others go on with arguments.
    Compiling,
    /// The two are compared.
    Comparing(Arc<P>, Times),
    /// It is decided: the program with constants, or `None` for arguments.
    Settled(Option<Arc<P>>),
}

/// The work that was done with arguments.
#[derive(Debug, Default)]
struct Count {
    calls: u32,
    /// The number of these calls whose time is not in `spent` yet.
    untimed: u32,
    spent: Duration,
}

/// How long calls took.
#[derive(Debug, Default)]
struct Times {
    arguments: Vec<Duration>,
    constants: Vec<Duration>,
}

/// One of the two builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// With sizes as arguments.
    Arguments,
    /// With sizes as constants.
    Constants,
}

/// What is known about the time of kernels that are on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timing {
    /// They are not complete.
    Running,
    /// They took this long.
    Took(Duration),
    /// The device does not say.
    Unknown,
}

/// What a call runs.
#[derive(Debug)]
pub(crate) struct Turn<P> {
    /// The program with constants; `None` if the call runs the one with arguments.
    pub(crate) constants: Option<Arc<P>>,
    /// Whether [`Trials::launched`] must be told of the call.
    pub(crate) is_open: bool,
    /// The decision, if one was made just before this call.
    pub(crate) decision: Option<Decision>,
}

/// The outcome, with the lower quartiles of the times of a call's kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) taken: Variant,
    pub(crate) arguments: Duration,
    pub(crate) constants: Duration,
}

/// What the caller does when its kernels are on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Afterwards {
    Nothing,
    /// It compiles the program with constants, and calls [`Trials::compiled`].
    Compile,
}

impl<P, R> Trials<P, R> {
    /// The trials of a program that took this long to compile.
    pub(crate) fn new(compiling: Duration) -> Trials<P, R> {
        let table = Table { trials: BTreeMap::new(), uses: 0 };
        Trials { patience: compiling.max(LEAST_COMPILING).saturating_mul(SHARE), table: Mutex::new(table) }
    }

    /// What the next call with these sizes runs. `timing` tells how long kernels took that were launched
    /// earlier.
    pub(crate) fn next(&self, sizes: &[i64], timing: impl FnOnce(&R) -> Timing) -> Turn<P> {
        let watched = self.table().trial(sizes).watched.take();
        // The driver is asked while others may have their turns.
        let timed = watched.map(|(variant, running)| (variant, timing(&running), running));
        let mut table = self.table();
        let trial = table.trial(sizes);
        let decision = timed.and_then(|(variant, timing, running)| trial.take_time(variant, timing, running));
        Turn { constants: trial.constants(), is_open: !matches!(trial.stage, Stage::Settled(_)), decision }
    }

    /// Notes that a call is on its way.
    pub(crate) fn launched(
        &self,
        sizes: &[i64],
        variant: Variant,
        running: impl FnOnce() -> R,
    ) -> Afterwards {
        let mut table = self.table();
        let trial = table.trial(sizes);
        match &mut trial.stage {
            Stage::Counting(count) => {
                count.calls = count.calls.saturating_add(1);
                count.untimed = count.untimed.saturating_add(1);
                if count.calls >= CALLS && count.spent >= self.patience {
                    trial.stage = Stage::Compiling;
                    return Afterwards::Compile;
                }
            }
            Stage::Comparing(..) => {}
            Stage::Compiling | Stage::Settled(_) => return Afterwards::Nothing,
        }
        trial.watched.get_or_insert_with(|| (variant, running()));
        Afterwards::Nothing
    }

    /// Takes the program compiled with constants; `None` if compiling failed.
    pub(crate) fn compiled(&self, sizes: &[i64], constants: Option<Arc<P>>) {
        if let Some(trial) = self.table().trials.get_mut(sizes)
            && matches!(trial.stage, Stage::Compiling)
        {
            trial.watched = None;
            trial.stage = match constants {
                Some(constants) => Stage::Comparing(constants, Times::default()),
                None => Stage::Settled(None),
            };
        }
    }

    fn table(&self) -> MutexGuard<'_, Table<P, R>> {
        // Nothing that happens while it is locked leaves it half changed.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P, R> Table<P, R> {
    fn trial(&mut self, sizes: &[i64]) -> &mut Trial<P, R> {
        self.uses += 1;
        if !self.trials.contains_key(sizes) && self.trials.len() >= MOST {
            let oldest = self.trials.iter().min_by_key(|(_, trial)| trial.last_use);
            if let Some(oldest) = oldest.map(|(sizes, _)| sizes.clone()) {
                self.trials.remove(&oldest);
            }
        }
        let trial = self.trials.entry(sizes.to_vec()).or_default();
        trial.last_use = self.uses;
        trial
    }
}

impl<P, R> Default for Trial<P, R> {
    fn default() -> Trial<P, R> {
        Trial { stage: Stage::Counting(Count::default()), watched: None, last_use: 0 }
    }
}

impl<P, R> Trial<P, R> {
    /// Takes the time of a watched call, if the call is done.
    fn take_time(&mut self, variant: Variant, timing: Timing, running: R) -> Option<Decision> {
        let took = match timing {
            Timing::Running => {
                self.watched.get_or_insert((variant, running));
                return None;
            }
            Timing::Took(took) => took,
            Timing::Unknown => {
                self.stage = Stage::Settled(None);
                return None;
            }
        };
        match &mut self.stage {
            Stage::Counting(count) => {
                let untimed = std::mem::take(&mut count.untimed);
                count.spent = count.spent.saturating_add(took.saturating_mul(untimed));
                None
            }
            Stage::Comparing(constants, times) => {
                let constants = Arc::clone(constants);
                times.of(variant).push(took);
                let decision = times.decision()?;
                let taken = (decision.taken == Variant::Constants).then_some(constants);
                self.stage = Stage::Settled(taken);
                Some(decision)
            }
            Stage::Compiling | Stage::Settled(_) => None,
        }
    }

    /// The program with constants, if it is its turn.
    fn constants(&self) -> Option<Arc<P>> {
        match &self.stage {
            Stage::Counting(_) | Stage::Compiling => None,
            Stage::Comparing(constants, times) => {
                (times.next() == Variant::Constants).then(|| Arc::clone(constants))
            }
            Stage::Settled(taken) => taken.clone(),
        }
    }
}

impl Times {
    fn of(&mut self, variant: Variant) -> &mut Vec<Duration> {
        match variant {
            Variant::Arguments => &mut self.arguments,
            Variant::Constants => &mut self.constants,
        }
    }

    /// The variant that is timed next.
    fn next(&self) -> Variant {
        let (arguments, constants) = (self.arguments.len(), self.constants.len());
        let turn = (arguments + constants).count_ones();
        match (arguments < COMPARED, constants < COMPARED) {
            (true, true) if turn.is_multiple_of(2) => Variant::Arguments,
            (true, false) => Variant::Arguments,
            (true, true) | (false, _) => Variant::Constants,
        }
    }

    /// The outcome, if both variants were timed often enough.
    fn decision(&self) -> Option<Decision> {
        let quartile = |times: &[Duration]| {
            let mut times = times.to_vec();
            times.sort_unstable();
            times.get(times.len() / 4).copied().filter(|_| times.len() >= COMPARED)
        };
        let (arguments, constants) = (quartile(&self.arguments)?, quartile(&self.constants)?);
        let pays = constants < arguments.saturating_sub(arguments / GAIN);
        let taken = if pays { Variant::Constants } else { Variant::Arguments };
        Some(Decision { taken, arguments, constants })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const SIZES: [i64; 2] = [7, 9];
    const MILLISECOND: Duration = Duration::from_millis(1);

    /// A program that took a second to compile, so that its kernels have to take 20.
    fn trials() -> Trials<&'static str, Duration> {
        Trials::new(Duration::from_secs(1))
    }

    /// Makes at most `most` calls that take `took` each. Returns the time until something is to be compiled;
    /// `None` if that does not happen.
    fn until_compiling(
        trials: &Trials<&'static str, Duration>,
        took: Duration,
        most: u32,
    ) -> Option<Duration> {
        (0..most).find_map(|call| match one(trials, |_| took) {
            (_, Afterwards::Compile, _) => Some(took * (call + 1)),
            (_, Afterwards::Nothing, _) => None,
        })
    }

    /// Makes one call, which is complete when the next one comes.
    fn one(
        trials: &Trials<&'static str, Duration>,
        took: impl Fn(Variant) -> Duration,
    ) -> (Variant, Afterwards, Option<Decision>) {
        let turn = trials.next(&SIZES, |took| Timing::Took(*took));
        let variant = if turn.constants.is_some() { Variant::Constants } else { Variant::Arguments };
        let afterwards = match turn.is_open {
            true => trials.launched(&SIZES, variant, || took(variant)),
            false => Afterwards::Nothing,
        };
        (variant, afterwards, turn.decision)
    }

    /// Compiles, and goes on until it is decided.
    fn compare(took: impl Fn(u32, Variant) -> Duration) -> (Trials<&'static str, Duration>, Decision) {
        let trials = trials();
        until_compiling(&trials, Duration::from_secs(1), 100).expect("it compiles");
        trials.compiled(&SIZES, Some(Arc::new("constants")));
        let decision = (0..100).find_map(|call| one(&trials, |variant| took(call, variant)).2);
        (trials, decision.expect("it is decided"))
    }

    #[test]
    fn nothing_is_tried_before_kernels_took_much_longer_than_compiling() {
        let (second, minute) = (Duration::from_secs(1), Duration::from_secs(60));
        assert_eq!(until_compiling(&trials(), MILLISECOND, 20_000), None);
        let at = until_compiling(&trials(), MILLISECOND, 21_000).expect("20 s are over");
        assert!(at > 20 * second && at < 21 * second, "{at:?}");
        let at = until_compiling(&trials(), minute, 100).expect("20 s are over");
        assert_eq!(at, minute * CALLS, "a few calls say little");
    }

    #[test]
    fn compiling_counts_even_where_the_driver_had_the_program() {
        let trials = Trials::new(Duration::ZERO);
        let at = until_compiling(&trials, MILLISECOND, 10_000).expect("it is tried");
        assert!(at > LEAST_COMPILING * SHARE, "{at:?}");
    }

    #[test]
    fn time_counts_for_all_calls_since_the_last_that_was_timed() {
        let trials = trials();
        for call in 0..40 {
            let done = if call % 10 == 9 { Timing::Took(MILLISECOND * 1000) } else { Timing::Running };
            trials.next(&SIZES, |_| done);
            let wish = trials.launched(&SIZES, Variant::Arguments, || MILLISECOND);
            assert_eq!(wish == Afterwards::Compile, call == 29, "call {call}");
            if wish == Afterwards::Compile {
                break;
            }
        }
    }

    #[test]
    fn the_faster_of_the_two_is_kept() {
        let (trials, decision) = compare(|_, variant| match variant {
            Variant::Arguments => 100 * MILLISECOND,
            Variant::Constants => 90 * MILLISECOND,
        });
        let (arguments, constants) = (100 * MILLISECOND, 90 * MILLISECOND);
        assert_eq!(decision, Decision { taken: Variant::Constants, arguments, constants });
        let turn = trials.next(&SIZES, |_| Timing::Unknown);
        assert_eq!(turn.constants.as_deref(), Some(&"constants"));
        assert!(!turn.is_open);
        assert!(trials.next(&[8, 9], |_| Timing::Unknown).constants.is_none(), "other sizes, another trial");
    }

    #[test]
    fn what_is_hardly_faster_or_slower_is_dropped() {
        for constants in [99, 100, 150] {
            let (trials, decision) = compare(|_, variant| match variant {
                Variant::Arguments => 100 * MILLISECOND,
                Variant::Constants => constants * MILLISECOND,
            });
            assert_eq!(decision.taken, Variant::Arguments, "{constants} ms");
            let turn = trials.next(&SIZES, |_| Timing::Unknown);
            assert!(turn.constants.is_none() && !turn.is_open);
        }
    }

    #[test]
    fn a_program_that_alternates_between_inputs_is_not_taken_for_a_difference() {
        for period in [2, 4, 8] {
            let took = |call: u32, _| if call % period < period / 2 { MILLISECOND } else { 2 * MILLISECOND };
            let (_, decision) = compare(took);
            assert_eq!(decision.taken, Variant::Arguments, "period {period}: {decision:?}");
        }
    }

    #[test]
    fn slow_calls_do_not_decide() {
        let slow_at_first = |call: u32, variant| match variant {
            Variant::Constants if call < 14 => 1000 * MILLISECOND,
            Variant::Constants => 80 * MILLISECOND,
            Variant::Arguments => 100 * MILLISECOND,
        };
        assert_eq!(compare(slow_at_first).1.taken, Variant::Constants);
        for period in 2..5 {
            let first_of_a_burst =
                |call: u32, _| if call.is_multiple_of(period) { 3 * MILLISECOND } else { MILLISECOND };
            let (_, decision) = compare(first_of_a_burst);
            assert_eq!((decision.arguments, decision.constants), (MILLISECOND, MILLISECOND), "{period}");
        }
    }

    #[test]
    fn while_one_call_compiles_and_when_that_failed_the_others_have_arguments() {
        let trials = trials();
        until_compiling(&trials, Duration::from_secs(1), 100).expect("it compiles");
        for _ in 0..100 {
            let (variant, afterwards, decision) = one(&trials, |_| MILLISECOND);
            assert_eq!((variant, afterwards, decision), (Variant::Arguments, Afterwards::Nothing, None));
        }
        trials.compiled(&SIZES, None);
        let turn = trials.next(&SIZES, |_| Timing::Unknown);
        assert!(turn.constants.is_none() && !turn.is_open);
    }

    #[test]
    fn a_device_that_does_not_say_how_long_it_took_is_asked_once() {
        let (trials, asked) = (trials(), Cell::new(0));
        for _ in 0..10 {
            let turn = trials.next(&SIZES, |_| {
                asked.set(asked.get() + 1);
                Timing::Unknown
            });
            if turn.is_open {
                trials.launched(&SIZES, Variant::Arguments, || MILLISECOND);
            }
        }
        assert_eq!(asked.get(), 1);
    }

    #[test]
    fn sizes_that_were_not_used_for_longest_are_forgotten() {
        let trials = trials();
        until_compiling(&trials, Duration::from_secs(1), 100).expect("it compiles");
        let constants = Arc::new("constants");
        trials.compiled(&SIZES, Some(Arc::clone(&constants)));
        for size in 0..MOST as i64 {
            assert_eq!(Arc::strong_count(&constants), 2, "it is kept");
            trials.next(&[size], |_| Timing::Unknown);
        }
        assert_eq!(Arc::strong_count(&constants), 1, "it is forgotten");
        trials.compiled(&SIZES, Some(constants));
        assert!(trials.next(&SIZES, |_| Timing::Unknown).constants.is_none(), "it came too late");
    }
}
