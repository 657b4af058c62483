//! Timing: all contestants in turn. Results are checked in the first and in the last round.

use std::time::Duration;

use crate::Options;
use crate::clock::Clock;
use crate::computations::{Benchmark, Case, Kind};

/// Rounds before the timed ones.
const WARM_UP: usize = 2;

/// Calls are repeated for this long, because clocks that count processor time advance in steps of
/// milliseconds.
const REPEATED: Duration = Duration::from_millis(60);

/// The number of elements of a result that are computed again, in double precision.
const CHECKED: usize = 200;

/// The statistic of the times of several runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statistic {
    /// The median.
    Median,
    /// The shortest time, which other programs on the machine disturbed least.
    Fastest,
}

impl Statistic {
    fn of(self, mut times: Vec<Duration>) -> Duration {
        times.sort_unstable();
        let position = match self {
            Statistic::Median => times.len() / 2,
            Statistic::Fastest => 0,
        };
        times.get(position).copied().unwrap_or_default()
    }
}

/// The times of a computation, and what was wrong.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) size: String,
    pub(crate) times: Vec<(Kind, Duration)>,
    pub(crate) problems: Vec<String>,
}

impl Row {
    /// The time of a contestant that exists and gave correct results.
    pub(crate) fn time(&self, kind: Kind) -> Option<Duration> {
        self.times.iter().find(|(other, _)| *other == kind).map(|(_, time)| *time)
    }

    /// Adds a time. Of several ways to call a program in parts, the fastest counts.
    fn add(&mut self, kind: Kind, time: Duration) {
        match self.times.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, fastest)) => *fastest = time.min(*fastest),
            None => self.times.push((kind, time)),
        }
    }

    /// How many times as fast the second contestant is.
    pub(crate) fn ratio(&self, [slow, fast]: [Kind; 2]) -> Option<f64> {
        let seconds = |kind| self.time(kind).map(|time| time.as_secs_f64().max(1e-9));
        Some(seconds(slow)? / seconds(fast)?)
    }
}

/// Runs all contestants.
pub(crate) fn race(benchmark: &Benchmark, mut case: Case, options: &Options) -> Row {
    let mut row =
        Row { name: benchmark.name, size: benchmark.size.clone(), times: Vec::new(), problems: Vec::new() };
    let rounds = WARM_UP + options.runs.max(1);
    let mut times = vec![Vec::new(); case.contestants.len()];
    let mut calls = vec![1; case.contestants.len()];
    let mut wrong = vec![None; case.contestants.len()];
    for round in 0..rounds {
        for (position, contestant) in case.contestants.iter_mut().enumerate() {
            if wrong[position].is_some() {
                continue;
            }
            let clock = if round < WARM_UP { Clock::Device } else { options.clock };
            match (contestant.run)(clock, calls[position]) {
                Ok((result, time)) => {
                    if round < WARM_UP {
                        calls[position] =
                            (REPEATED.as_micros() / time.as_micros().max(1)).clamp(1, 1000) as u32;
                    }
                    if round >= WARM_UP {
                        times[position].push(time);
                    }
                    if round == 0 || round + 1 == rounds {
                        wrong[position] = check(&result, &case.meaning, case.length, case.tolerance).err();
                    }
                }
                Err(error) => wrong[position] = Some(error),
            }
        }
    }
    for ((contestant, times), wrong) in case.contestants.iter().zip(times).zip(wrong) {
        match wrong {
            Some(problem) => {
                row.problems.push(format!("{} {}, {}: {problem}", row.name, row.size, contestant.kind.name()))
            }
            None => row.add(contestant.kind, options.statistic.of(times)),
        }
    }
    row
}

/// Compares elements spread over a result with their meaning.
fn check(found: &[f32], meaning: &dyn Fn(usize) -> f64, length: usize, tolerance: f64) -> Result<(), String> {
    if found.len() != length {
        return Err(format!("{} elements instead of {length}", found.len()));
    }
    // An odd distance, so that the positions fall into different rows and columns.
    let step = (length / CHECKED).max(1) | 1;
    let positions = (0..length).step_by(step).chain(length.checked_sub(1));
    for (position, found) in positions.filter_map(|position| Some((position, *found.get(position)?))) {
        let expected = meaning(position);
        // Written so that a NaN is a difference.
        if (f64::from(found) - expected).abs() <= tolerance * expected.abs().max(1.0) {
            continue;
        }
        return Err(format!("element {position} is {found} instead of {expected}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tolerance_is_relative_and_never_admits_nan() {
        let meaning = |_: usize| 100.0;
        assert_eq!(check(&[100.5], &meaning, 1, 0.01), Ok(()));
        assert!(check(&[102.0], &meaning, 1, 0.01).is_err());
        assert!(check(&[f32::NAN], &meaning, 1, 0.01).is_err());
        assert!(check(&[], &meaning, 1, 0.01).is_err());
    }

    #[test]
    fn the_median_is_not_moved_by_one_slow_run() {
        let times = [5, 1000, 4].map(Duration::from_micros);
        assert_eq!(Statistic::Median.of(times.to_vec()), Duration::from_micros(5));
        assert_eq!(Statistic::Fastest.of(times.to_vec()), Duration::from_micros(4));
    }
}
