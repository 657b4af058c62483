//! Timing. All kernels of a pair run in turn, so that what changes with time (clocks, temperature) changes
//! for all of them.

use std::time::Duration;

use crate::ablation;
use crate::case::{Benchmark, ByHand, Case, Pair, Work};
use crate::check;
use crate::error::{Error, Result};
use crate::generated::{Call, Forms, Generated, Sizes};
use crate::opencl::{Buffer, Gpu, Prepared};
use crate::options::{Ablation, Calls, Level, Opponent, Options, Statistic};
use crate::plan::Plan;
use crate::texts;

/// Runs before the timed ones.
const WARM_UP: usize = 2;

/// The ways to call programs, each with the heading of a column.
pub(crate) const CALLS: [(&str, Sizes); 2] =
    [("called ms", Sizes::Arguments), ("called with constants ms", Sizes::Constants)];

/// The measurements of one pair.
pub(crate) struct Row {
    /// The computation.
    pub(crate) computation: &'static str,
    /// Its size.
    pub(crate) size: String,
    /// The structure of the hand-written kernel.
    pub(crate) structure: &'static str,
    /// What one call does.
    pub(crate) work: Work,
    /// The hand-written kernel, the fastest if there are several.
    pub(crate) reference: Outcome,
    /// The generated one, launched on the same buffers.
    pub(crate) generated: Outcome,
    /// The generated one, called as users call it, in the order of [`CALLS`]; empty unless asked for. Every
    /// call has a new buffer for its result, which costs time on processors.
    pub(crate) calls: Vec<Outcome>,
    /// The generated one by compilers with parts switched off, in the order of [`ablation::VARIANTS`]; empty
    /// unless asked for.
    pub(crate) ablation: Vec<Outcome>,
}

/// The outcome for one kernel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// The statistic of its times; its result is correct.
    Time(Duration),
    /// There is no such kernel, for this reason.
    Missing(String),
    /// It does not run, or its result is wrong.
    Failed(String),
}

impl Outcome {
    /// The order in which outcomes of several kernels for one purpose count: a failure before the shortest
    /// time, so that it is seen.
    fn rank(&self) -> (u8, Duration) {
        match self {
            Outcome::Failed(_) => (0, Duration::ZERO),
            Outcome::Time(time) => (1, *time),
            Outcome::Missing(_) => (2, Duration::ZERO),
        }
    }
}

impl Row {
    pub(crate) fn failed(&self) -> bool {
        let outcomes =
            [&self.reference, &self.generated].into_iter().chain(&self.calls).chain(&self.ablation);
        outcomes.into_iter().any(|outcome| matches!(outcome, Outcome::Failed(_)))
    }
}

/// Measures all pairs of a case.
pub(crate) fn measure(
    case: &Case,
    benchmark: &Benchmark,
    device: &lift::Device,
    gpu: &Gpu,
    options: &Options,
) -> Result<Vec<Row>> {
    let inputs = case.inputs.iter().map(|input| gpu.upload(input)).collect::<Result<Vec<_>>>()?;
    let outputs = case.outputs.iter().map(|&elements| gpu.output(elements)).collect::<Result<Vec<_>>>()?;
    let mut checker = Checker { case, checked: None };
    let is_wanted = |pair: &&Pair| options.wants_structure(&pair.structures());
    let pairs: Vec<&Pair> = case.pairs.iter().filter(is_wanted).collect();
    if let Some(folder) = &options.texts {
        pairs.iter().try_for_each(|pair| texts::write(folder, benchmark, case, pair, device.kind(), gpu))?;
    }
    let rows = pairs.into_iter().map(|pair| {
        let mut contestants = contestants(case, pair, device, gpu, &inputs, &outputs, options);
        race(&mut contestants, &mut checker, options);
        let mut outcomes = contestants.into_iter().map(|contestant| contestant.outcome(options.statistic));
        let missing = || Outcome::Missing("nothing was run".to_owned());
        let by_hand = by_hand(pair, options);
        let references = outcomes.by_ref().take(by_hand.len());
        let best = by_hand.iter().zip(references).min_by_key(|(_, outcome)| outcome.rank());
        let (structure, reference) =
            best.map_or_else(|| ("none", missing()), |(by_hand, outcome)| (by_hand.structure, outcome));
        Row {
            computation: benchmark.name,
            size: benchmark.size.clone(),
            structure,
            work: case.work,
            reference,
            generated: outcomes.next().unwrap_or_else(missing),
            calls: outcomes.by_ref().take(calls(options).len()).collect(),
            ablation: outcomes.collect(),
        }
    });
    Ok(rows.collect())
}

/// One kernel of a pair, with what is known of it.
struct Contestant<'a> {
    state: State<'a>,
    times: Vec<Duration>,
}

enum State<'a> {
    Launched(Prepared<'a>),
    Called(Call),
    Out(Outcome),
}

impl<'a> Contestant<'a> {
    fn new(state: State<'a>) -> Contestant<'a> {
        Contestant { state, times: Vec::new() }
    }

    fn planned(prepared: Result<Prepared<'a>>) -> Contestant<'a> {
        Contestant::new(match prepared {
            Ok(prepared) => State::Launched(prepared),
            Err(error) => State::Out(Outcome::Failed(error.to_string())),
        })
    }

    fn program(
        program: &Generated,
        device: &lift::Device,
        case: &Case,
        sizes: Sizes,
        level: Level,
    ) -> Contestant<'a> {
        let forms = match level {
            Level::OpenCl => Forms::Plain,
            Level::High => Forms::Chosen,
        };
        Contestant::new(match (program.prepare)(device, &case.inputs, sizes, forms) {
            Ok(call) => State::Called(call),
            Err(error) => State::Out(Outcome::Failed(error.to_string())),
        })
    }

    /// The result of one run; `None` if the contestant is out.
    fn result(&mut self) -> Option<std::result::Result<Vec<f32>, String>> {
        match &mut self.state {
            State::Launched(prepared) => Some(prepared.result().map_err(|error| error.to_string())),
            State::Called(call) => Some(call().map(|(result, _)| result).map_err(|error| error.to_string())),
            State::Out(_) => None,
        }
    }

    fn is_out(&self) -> bool {
        matches!(self.state, State::Out(_))
    }

    /// The time of one run whose result nobody reads.
    fn time(&mut self) -> std::result::Result<Duration, String> {
        match &mut self.state {
            State::Launched(prepared) => prepared.run().map_err(|error| error.to_string()),
            State::Called(call) => call().map(|(_, time)| time).map_err(|error| error.to_string()),
            State::Out(_) => Err("it is out already".to_owned()),
        }
    }

    fn fail(&mut self, problem: String) {
        self.state = State::Out(Outcome::Failed(problem));
    }

    fn outcome(self, statistic: Statistic) -> Outcome {
        match self.state {
            State::Out(outcome) => outcome,
            State::Launched(_) | State::Called(_) => match statistic.of(self.times) {
                Some(time) => Outcome::Time(time),
                None => Outcome::Missing("no runs".to_owned()),
            },
        }
    }
}

fn contestants<'a>(
    case: &Case,
    pair: &Pair,
    device: &lift::Device,
    gpu: &'a Gpu,
    inputs: &'a [Buffer],
    outputs: &'a [Buffer],
    options: &Options,
) -> Vec<Contestant<'a>> {
    let prepare =
        |plan: Result<Plan>| Contestant::planned(plan.and_then(|plan| gpu.prepare(&plan, inputs, outputs)));
    let by_hand = by_hand(pair, options);
    let mut contestants: Vec<_> = by_hand.iter().map(|by_hand| prepare(Ok(by_hand.plan.clone()))).collect();
    let program = &pair.program;
    let called = |sizes| Contestant::program(program, device, case, sizes, options.level);
    let first = by_hand.first().map(|by_hand| by_hand.plan.clone());
    contestants.push(match (options.opponent, options.level) {
        // The runtime chooses among the forms of a program that leaves that open.
        (Opponent::Generated, Level::High) => called(Sizes::Arguments),
        (Opponent::Generated, Level::OpenCl) => {
            prepare(ablation::shipped(program, &case.inputs, device.kind()))
        }
        (Opponent::Itself, _) => prepare(first.ok_or_else(|| {
            Error::Inconsistent(format!("{}: there are no kernels by hand", program.text.name))
        })),
    });
    contestants.extend(calls(options).iter().map(|&(_, sizes)| called(sizes)));
    let variants = ablation::VARIANTS.iter().filter(|_| options.ablation == Ablation::On);
    contestants.extend(variants.map(|variant| {
        prepare(ablation::plan(&program.text, &case.inputs, device.kind(), &variant.options))
    }));
    contestants
}

/// The kernels by hand of a pair that run: all, or one, if it runs against itself.
fn by_hand<'a>(pair: &'a Pair, options: &Options) -> &'a [ByHand] {
    match options.opponent {
        Opponent::Generated => &pair.by_hand,
        Opponent::Itself => pair.by_hand.get(..1).unwrap_or_default(),
    }
}

/// The calls that are asked for.
fn calls(options: &Options) -> &'static [(&'static str, Sizes)] {
    match options.calls {
        Calls::Off => &[],
        Calls::On => &CALLS,
    }
}

/// Runs all contestants in turn. Results are checked in the first and in the last round.
fn race(contestants: &mut [Contestant<'_>], checker: &mut Checker<'_>, options: &Options) {
    check_all(contestants, checker);
    for round in 1..WARM_UP + options.runs {
        for contestant in contestants.iter_mut() {
            if contestant.is_out() {
                continue;
            }
            match options.clock.time(|| contestant.time()) {
                Ok(time) if round >= WARM_UP => contestant.times.push(time),
                Ok(_) => {}
                Err(problem) => contestant.fail(problem),
            }
        }
    }
    check_all(contestants, checker);
}

fn check_all(contestants: &mut [Contestant<'_>], checker: &mut Checker<'_>) {
    for contestant in contestants {
        let problem = match contestant.result() {
            Some(Ok(result)) => checker.check(result).err(),
            Some(Err(problem)) => Some(problem),
            None => None,
        };
        if let Some(problem) = problem {
            contestant.fail(problem);
        }
    }
}

/// Knows the first correct result.
struct Checker<'a> {
    case: &'a Case,
    checked: Option<Vec<f32>>,
}

impl Checker<'_> {
    fn check(&mut self, result: Vec<f32>) -> std::result::Result<(), String> {
        if let Some(checked) = &self.checked {
            return check::against_checked(&self.case.meaning, &result, checked);
        }
        check::against_meaning(self.case, &result)?;
        self.checked = Some(result);
        Ok(())
    }
}

impl Statistic {
    fn of(self, times: Vec<Duration>) -> Option<Duration> {
        match self {
            Statistic::Median => median(times),
            Statistic::Fastest => times.into_iter().min(),
        }
    }
}

/// The median; the mean of the two middle times if their number is even.
fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    let upper = *times.get(times.len() / 2)?;
    let lower = *times.get(times.len().saturating_sub(1) / 2)?;
    Some((lower + upper) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn microseconds(times: &[u64]) -> Vec<Duration> {
        times.iter().map(|&time| Duration::from_micros(time)).collect()
    }

    #[test]
    fn of_several_kernels_the_fastest_counts_unless_one_fails() {
        let [slow, fast] = [7, 3].map(|time| Outcome::Time(Duration::from_micros(time)));
        let missing = Outcome::Missing("no runs".to_owned());
        let failed = Outcome::Failed("element 1 is 4.5 instead of 4".to_owned());
        let best =
            |outcomes: &[&Outcome]| outcomes.iter().min_by_key(|outcome| outcome.rank()).copied().cloned();
        assert_eq!(best(&[&slow, &missing, &fast]), Some(fast.clone()));
        assert_eq!(best(&[&slow, &failed, &fast]), Some(failed.clone()));
    }

    #[test]
    fn the_fastest_run_is_the_shortest_one() {
        assert_eq!(Statistic::Fastest.of(microseconds(&[5, 3, 4])), Some(Duration::from_micros(3)));
        assert_eq!(Statistic::Fastest.of(Vec::new()), None);
    }

    #[test]
    fn the_median_is_not_moved_by_one_slow_run() {
        assert_eq!(median(microseconds(&[5, 1000, 4])), Some(Duration::from_micros(5)));
        assert_eq!(median(microseconds(&[4, 6, 1000, 2])), Some(Duration::from_micros(5)));
        assert_eq!(median(Vec::new()), None);
    }
}
