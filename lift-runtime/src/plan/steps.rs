//! The order in which the kernels of a form are launched, and what their arguments are bound to in each
//! launch.
//!
//! Most programs launch each kernel once. The applications of an `iterate` launch the same kernels again and
//! again, with arrays that change places in between ([`Alternation`]). What a kernel is bound to is resolved
//! here, so that whoever launches sees nothing of it.

use super::choice::Chosen;
use super::planned_kernel::PlannedKernel;
use super::solve::Sizes;
use crate::error::{Result, internal};
use crate::program::{Action, Alternation, Argument, Kernel, Portion, Repetition};

/// The greatest number of portions. Each fills hundreds of megabytes, so nobody waits for more.
const MOST_PORTIONS: usize = 1 << 20;

/// An action, with its number of iterations.
#[derive(Debug)]
pub(crate) enum PlannedStep {
    Launch(PlannedKernel),
    Repeat(PlannedRepetition),
}

/// Actions that are repeated.
#[derive(Debug)]
pub(crate) struct PlannedRepetition {
    repetition: &'static Repetition,
    times: Times,
    end: Option<PlannedEnd>,
}

/// How a repetition ends early.
#[derive(Debug)]
struct PlannedEnd {
    condition: Vec<PlannedStep>,
    goes_on: Argument,
    copies: Vec<PlannedStep>,
}

/// What each iteration does.
#[derive(Debug)]
enum Times {
    /// The same in this many iterations.
    Alike(usize, Vec<PlannedStep>),
    /// Something for each iteration: the launch sizes depend on it.
    Each(Vec<Vec<PlannedStep>>),
    /// Something for each portion of some rows.
    Portions(Vec<(Rows, Vec<PlannedStep>)>),
}

/// The rows of a portion.
#[derive(Debug, Clone, Copy)]
struct Rows {
    first: usize,
    count: usize,
}

/// What an argument of a kernel is bound to in one launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// This argument.
    Argument(Argument),
    /// This number, as `index_t`.
    Number(usize),
}

/// Plans the launch of a kernel, given its position; `None` if it has no work-items.
type PlanKernel<'p> = dyn FnMut(usize, &mut Sizes) -> Result<Option<PlannedKernel>> + 'p;

/// The planned actions of a call; kernels without work-items are left out.
pub(crate) fn planned_steps(
    chosen: Chosen,
    steps: &'static [Action],
    sizes: &mut Sizes,
    plan_kernel: &mut PlanKernel<'_>,
) -> Result<Vec<PlannedStep>> {
    let mut planned = Vec::new();
    for step in steps {
        match step {
            Action::Launch(position) if *position >= chosen.form.kernels.len() => {
                return Err(internal(chosen.program, format!("there is no kernel {position}")));
            }
            Action::Launch(position) => {
                planned.extend(plan_kernel(*position, sizes)?.map(PlannedStep::Launch));
            }
            Action::Repeat(repetition) => {
                let count = sizes.count(&repetition.count)?;
                let end = match &repetition.end {
                    Some(end) => Some(PlannedEnd {
                        condition: planned_steps(chosen, end.condition, sizes, &mut *plan_kernel)?,
                        goes_on: end.goes_on,
                        copies: planned_steps(chosen, end.copies, sizes, &mut *plan_kernel)?,
                    }),
                    None => None,
                };
                let mut body =
                    |sizes: &mut Sizes| planned_steps(chosen, repetition.body, sizes, &mut *plan_kernel);
                let times = match (&repetition.portion, repetition.step) {
                    // What is never done need not have sizes.
                    _ if count == 0 && end.is_none() => continue,
                    (Some(portion), _) => Times::Portions(planned_portions(portion, sizes, &mut body)?),
                    (None, None) => Times::Alike(count, body(sizes)?),
                    (None, Some(slot)) => Times::Each(
                        (0..count).map(|time| sizes.at(slot, time, &mut body)).collect::<Result<_>>()?,
                    ),
                };
                planned.push(PlannedStep::Repeat(PlannedRepetition { repetition, times, end }));
            }
        }
    }
    Ok(planned)
}

/// The planned actions for each portion of some rows.
fn planned_portions(
    portion: &'static Portion,
    sizes: &mut Sizes,
    body: &mut dyn FnMut(&mut Sizes) -> Result<Vec<PlannedStep>>,
) -> Result<Vec<(Rows, Vec<PlannedStep>)>> {
    let rows = sizes.count(&portion.rows)?;
    let most = sizes.count(&portion.most)?.max(1);
    if rows.div_ceil(most) > MOST_PORTIONS {
        let reason = format!("is {rows}, and so many rows take more than {MOST_PORTIONS} launches");
        return Err(sizes.undefined(&portion.rows, &reason));
    }
    let of_portion = |first: usize| {
        let count = most.min(rows - first);
        let steps = sizes.at(portion.first, first, |sizes| sizes.at(portion.count, count, &mut *body))?;
        Ok((Rows { first, count }, steps))
    };
    (0..rows).step_by(most).map(of_portion).collect()
}

/// Who executes a plan.
pub(crate) trait Executor {
    /// Launches a kernel, given what each of its arguments is bound to in this launch.
    fn launch(
        &mut self,
        planned: &PlannedKernel,
        kernel: &'static Kernel,
        meaning: &dyn Fn(Argument) -> Meaning,
    ) -> Result<()>;

    /// The truth value that the kernels launched so far have stored in an array.
    fn holds(&mut self, stored: Meaning) -> Result<bool>;
}

/// Lets the executor launch each kernel that is to be launched, in order.
pub(crate) fn for_each_launch(
    chosen: Chosen,
    steps: &[PlannedStep],
    executor: &mut dyn Executor,
) -> Result<()> {
    walk(chosen, steps, None, executor)
}

fn walk(
    chosen: Chosen,
    steps: &[PlannedStep],
    around: Option<&Application<'_>>,
    executor: &mut dyn Executor,
) -> Result<()> {
    for step in steps {
        match step {
            PlannedStep::Launch(planned) => {
                let Some(kernel) = chosen.form.kernels.get(planned.position) else { continue };
                executor.launch(planned, kernel, &|argument| resolved(argument, around))?;
            }
            PlannedStep::Repeat(planned @ PlannedRepetition { repetition, times, end: None }) => {
                for time in 0..times.count() {
                    let rows = times.rows(time);
                    let order = Order::Backwards { left: times.count() - 1 - time };
                    let inside = Application { repetition, time, order, rows, around };
                    walk(chosen, planned.times.body(time), Some(&inside), executor)?;
                }
            }
            PlannedStep::Repeat(PlannedRepetition { repetition, times, end: Some(end) }) => {
                let at = |time| Application { repetition, time, order: Order::Forwards, rows: None, around };
                let mut done = 0;
                while done < times.count() {
                    let inside = at(done);
                    walk(chosen, &end.condition, Some(&inside), executor)?;
                    if !executor.holds(resolved(end.goes_on, Some(&inside)))? {
                        break;
                    }
                    walk(chosen, times.body(done), Some(&inside), executor)?;
                    done += 1;
                }
                // The last of an odd number of iterations wrote `after`.
                if done % 2 == 0 {
                    walk(chosen, &end.copies, Some(&at(done)), executor)?;
                }
            }
        }
    }
    Ok(())
}

impl Times {
    fn count(&self) -> usize {
        match self {
            Times::Alike(count, _) => *count,
            Times::Each(bodies) => bodies.len(),
            Times::Portions(portions) => portions.len(),
        }
    }

    /// The rows of an iteration; `None` if it is for all rows.
    fn rows(&self, time: usize) -> Option<Rows> {
        match self {
            Times::Alike(..) | Times::Each(_) => None,
            Times::Portions(portions) => portions.get(time).map(|(rows, _)| *rows),
        }
    }

    fn body(&self, time: usize) -> &[PlannedStep] {
        match self {
            Times::Alike(_, body) => body,
            Times::Each(bodies) => bodies.get(time).map(Vec::as_slice).unwrap_or_default(),
            Times::Portions(portions) => {
                portions.get(time).map(|(_, body)| body.as_slice()).unwrap_or_default()
            }
        }
    }
}

/// From where the iterations are counted in which two arrays are exchanged.
#[derive(Debug, Clone, Copy)]
enum Order {
    /// From the last one, which this many are before.
    Backwards { left: usize },
    /// From the first one.
    Forwards,
}

/// One iteration of a repetition.
struct Application<'a> {
    repetition: &'static Repetition,
    time: usize,
    order: Order,
    /// The rows of this iteration; `None` if it is for all rows.
    rows: Option<Rows>,
    around: Option<&'a Application<'a>>,
}

fn resolved(argument: Argument, mut around: Option<&Application<'_>>) -> Meaning {
    let mut argument = argument;
    while let Some(application) = around {
        if let Argument::Counter(slot) = argument
            && let Some(number) = application.number(slot)
        {
            return Meaning::Number(number);
        }
        argument = application.meaning(argument);
        around = application.around;
    }
    Meaning::Argument(argument)
}

impl Application<'_> {
    /// The number in a slot in this iteration; `None` if the repetition does not have this slot.
    fn number(&self, slot: usize) -> Option<usize> {
        match (&self.repetition.portion, self.rows) {
            (Some(portion), Some(rows)) if portion.first == slot => Some(rows.first),
            (Some(portion), Some(rows)) if portion.count == slot => Some(rows.count),
            _ => (self.repetition.step == Some(slot)).then_some(self.time),
        }
    }

    fn meaning(&self, argument: Argument) -> Argument {
        let is_first = self.time == 0;
        let (is_last, is_exchanged) = match self.order {
            Order::Backwards { left } => (left == 0, left % 2 == 1),
            Order::Forwards => (false, self.time % 2 == 1),
        };
        let is_of = |array: &&Alternation| [array.before, array.after].contains(&argument);
        let found = self.repetition.arrays.iter().find(is_of);
        match found {
            Some(array) if argument == array.before && is_first => array.input,
            Some(array) if argument == array.after && is_last => array.output,
            Some(array) if argument == array.before && is_exchanged => array.after,
            Some(array) if is_exchanged => array.before,
            Some(_) | None => argument,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{End, Form, NO_KERNELS, Program, Size};

    const NOTHING: Size = Size::Constant(0);
    const ONE: Size = Size::Constant(1);

    const fn kernel(entry: &'static str, arguments: &'static [Argument]) -> Kernel {
        Kernel {
            entry,
            arguments,
            host_arguments: arguments,
            global: [ONE, ONE, ONE],
            local: [1, 1, 1],
            launches: crate::program::Launches::Pinned,
            local_memory: NOTHING,
        }
    }

    static PROGRAM: Program = Program {
        name: "example",
        type_parameters: 0,
        sizes: &[],
        parameters: &[],
        results: &[],
        obligations: &[],
        plain: Form {
            kernels: &[
                kernel("once", &[Argument::Parameter(0), Argument::Temporary(0)]),
                kernel("step", &[Argument::Temporary(1), Argument::Result(0)]),
                kernel("inner", &[Argument::Temporary(2), Argument::Result(0)]),
                kernel("counted", &[Argument::Temporary(1), Argument::Temporary(2), Argument::Counter(0)]),
                kernel("both", &[Argument::Counter(1), Argument::Counter(0)]),
                kernel("condition", &[Argument::Temporary(1), Argument::Temporary(3)]),
                kernel("copy", &[Argument::Temporary(1), Argument::Result(0)]),
            ],
            ..NO_KERNELS
        },
        others: &[],
        exact: crate::program::ROUNDED_FREELY,
        repeated: &[],
    };

    const ARRAYS: &[Alternation] = &[Alternation {
        input: Argument::Temporary(0),
        before: Argument::Temporary(1),
        after: Argument::Result(0),
        output: Argument::Result(0),
    }];

    const fn repetition(count: Size, arrays: &'static [Alternation], body: &'static [Action]) -> Repetition {
        Repetition { count, step: None, portion: None, arrays, body, end: None }
    }

    /// Notes what is launched, and says that there are applications as often as it is told.
    #[derive(Default)]
    struct Recorder {
        launched: Vec<Launched>,
        applications: usize,
        asked: usize,
    }

    struct Launched {
        entry: &'static str,
        work_items: usize,
        arguments: Vec<Meaning>,
    }

    impl Executor for Recorder {
        fn launch(
            &mut self,
            planned: &PlannedKernel,
            kernel: &'static Kernel,
            meaning: &dyn Fn(Argument) -> Meaning,
        ) -> Result<()> {
            let arguments = kernel.arguments.iter().map(|&argument| meaning(argument)).collect();
            self.launched.push(Launched { entry: kernel.entry, work_items: planned.global[0], arguments });
            Ok(())
        }

        fn holds(&mut self, stored: Meaning) -> Result<bool> {
            assert_eq!(stored, Meaning::Argument(Argument::Temporary(3)));
            self.asked += 1;
            Ok(self.asked <= self.applications)
        }
    }

    fn recorded(steps: &[PlannedStep], applications: usize) -> Recorder {
        let mut recorder = Recorder { applications, ..Recorder::default() };
        for_each_launch(Chosen::plain(&PROGRAM), steps, &mut recorder).expect("nothing fails");
        recorder
    }

    /// Plans kernels with as many work-items as a size says.
    fn planned_with(steps: &'static [Action], work_items: Size) -> Result<Vec<PlannedStep>> {
        let mut sizes = crate::plan::solve::solve(&PROGRAM, &[]).expect("there are no sizes");
        planned_steps(Chosen::plain(&PROGRAM), steps, &mut sizes, &mut |position, sizes| {
            let items = sizes.count(&work_items)?;
            let planned = PlannedKernel {
                position,
                global: [items, 1, 1],
                local: [1; 3],
                is_chosen: false,
                local_memory: 0,
            };
            Ok((items > 0).then_some(planned))
        })
    }

    fn planned(steps: &'static [Action]) -> Vec<PlannedStep> {
        planned_with(steps, ONE).expect("it is a number")
    }

    fn launches(steps: &[PlannedStep]) -> Vec<(&'static str, Vec<Meaning>)> {
        let launched = recorded(steps, 0).launched;
        launched.into_iter().map(|launched| (launched.entry, launched.arguments)).collect()
    }

    fn steps(repetition: Repetition) -> &'static [Action] {
        Box::leak(Box::new([Action::Repeat(repetition)]))
    }

    fn number(count: usize) -> Size {
        Size::Constant(count as i64)
    }

    fn arguments<const COUNT: usize>(arguments: [Argument; COUNT]) -> Vec<Meaning> {
        arguments.map(Meaning::Argument).to_vec()
    }

    #[test]
    fn each_application_reads_what_the_one_before_wrote_and_the_last_writes_the_result() {
        for count in 0..20 {
            let launches = launches(&planned(steps(repetition(number(count), ARRAYS, &[Action::Launch(1)]))));
            assert_eq!(launches.len(), count);
            let mut last = Meaning::Argument(Argument::Temporary(0));
            for (_, arguments) in &launches {
                let [read, written] = arguments[..] else { panic!("two arguments") };
                assert_eq!(read, last);
                assert_ne!(written, Meaning::Argument(Argument::Temporary(0)), "the input stays as it is");
                assert_ne!(read, written);
                last = written;
            }
            assert!(count == 0 || last == Meaning::Argument(Argument::Result(0)));
        }
    }

    #[test]
    fn only_the_last_of_counted_applications_writes_the_output() {
        const COUNTED: &[Alternation] = &[Alternation {
            input: Argument::Parameter(0),
            before: Argument::Temporary(1),
            after: Argument::Temporary(2),
            output: Argument::Result(0),
        }];
        for count in 0..20 {
            let repetition =
                Repetition { step: Some(0), ..repetition(number(count), COUNTED, &[Action::Launch(3)]) };
            let launches = launches(&planned(steps(repetition)));
            assert_eq!(launches.len(), count);
            let mut last = Meaning::Argument(Argument::Parameter(0));
            for (time, (_, arguments)) in launches.iter().enumerate() {
                let [read, written, step] = arguments[..] else { panic!("three arguments") };
                assert_eq!(step, Meaning::Number(time));
                assert_eq!(read, last);
                assert_ne!(read, written);
                let is_result = written == Meaning::Argument(Argument::Result(0));
                assert_eq!(is_result, time + 1 == count);
                assert_ne!(written, Meaning::Argument(Argument::Parameter(0)), "the input stays as it is");
                last = written;
            }
        }
    }

    #[test]
    fn each_application_has_the_launch_sizes_of_its_number() {
        let repetition = Repetition { step: Some(0), ..repetition(number(4), &[], &[Action::Launch(3)]) };
        // As many work-items as applications are left after the next one: the last two have none.
        let left = Size::Maximum(
            &NOTHING,
            &Size::Add(&[Size::Constant(2), Size::Multiply(&[Size::Constant(-1), Size::Variable(0)])]),
        );
        let planned = planned_with(steps(repetition), left).expect("it is a number");
        let launched = recorded(&planned, 0).launched;
        let found: Vec<_> =
            launched.iter().map(|launched| (launched.work_items, launched.arguments[2])).collect();
        assert_eq!(found, [(2, Meaning::Number(0)), (1, Meaning::Number(1))]);
    }

    /// A repetition that may end early: the condition reads `Temporary(1)`, an application reads it and writes
    /// the result, and so does the copy at the end.
    fn ending(most: usize) -> Vec<PlannedStep> {
        const END: End = End {
            condition: &[Action::Launch(5)],
            goes_on: Argument::Temporary(3),
            copies: &[Action::Launch(6)],
        };
        planned(steps(Repetition {
            end: Some(END),
            ..repetition(number(most), ARRAYS, &[Action::Launch(1)])
        }))
    }

    #[test]
    fn applications_end_when_the_condition_says_so_and_the_last_result_is_the_output() {
        for most in 0..6 {
            for applications in 0..6 {
                let Recorder { launched, asked, .. } = recorded(&ending(most), applications);
                let done = applications.min(most);
                assert_eq!(asked, (done + 1).min(most), "{applications} of {most}");
                // Where the current array is: at first in the input.
                let mut current = Meaning::Argument(Argument::Temporary(0));
                let mut steps = 0;
                for Launched { entry, arguments, .. } in &launched {
                    assert_eq!(arguments[0], current, "{entry} reads the current array");
                    if *entry != "condition" {
                        current = arguments[1];
                    }
                    steps += usize::from(*entry == "step");
                }
                assert_eq!(steps, done, "{applications} of {most}");
                assert_eq!(current, Meaning::Argument(Argument::Result(0)), "{applications} of {most}");
            }
        }
    }

    #[test]
    fn what_is_not_exchanged_stays_as_it_is() {
        assert_eq!(
            launches(&planned(&[Action::Launch(0)])),
            [("once", arguments([Argument::Parameter(0), Argument::Temporary(0)]))]
        );
    }

    #[test]
    fn repetitions_inside_repetitions_exchange_what_those_around_exchange() {
        const INNER: &[Alternation] = &[Alternation {
            input: Argument::Temporary(1),
            before: Argument::Temporary(2),
            after: Argument::Result(0),
            output: Argument::Result(0),
        }];
        static OUTER: &[Action] = &[Action::Repeat(repetition(
            Size::Constant(2),
            ARRAYS,
            &[Action::Repeat(repetition(ONE, INNER, &[Action::Launch(2)]))],
        ))];
        // The inner kernel reads the input of the inner repetition, which is what the outer one reads.
        assert_eq!(
            launches(&planned(OUTER)),
            [
                ("inner", arguments([Argument::Temporary(0), Argument::Temporary(1)])),
                ("inner", arguments([Argument::Temporary(1), Argument::Result(0)])),
            ]
        );
    }

    #[test]
    fn repetitions_inside_repetitions_have_numbers_of_their_own() {
        static OUTER: &[Action] = &[Action::Repeat(Repetition {
            count: Size::Constant(3),
            step: Some(0),
            portion: None,
            arrays: &[],
            end: None,
            // As many iterations as the outer repetition has done before.
            body: &[Action::Repeat(Repetition {
                count: Size::Variable(0),
                step: Some(1),
                portion: None,
                arrays: &[],
                end: None,
                body: &[Action::Launch(4)],
            })],
        })];
        let numbers = [(0, 1), (0, 2), (1, 2)];
        let expected =
            numbers.map(|(inner, outer)| ("both", vec![Meaning::Number(inner), Meaning::Number(outer)]));
        assert_eq!(launches(&planned(OUTER)), expected);
    }

    #[test]
    fn portions_have_their_rows_and_the_last_one_has_the_rest() {
        let portion = Portion { first: 0, count: 1, rows: number(7), most: number(3) };
        let repetition =
            Repetition { portion: Some(portion), ..repetition(number(3), &[], &[Action::Launch(4)]) };
        let planned = planned_with(steps(repetition), Size::Variable(1)).expect("it is a number");
        let launched = recorded(&planned, 0).launched;
        let found: Vec<_> =
            launched.into_iter().map(|launched| (launched.work_items, launched.arguments)).collect();
        let numbers = |first, count| vec![Meaning::Number(count), Meaning::Number(first)];
        assert_eq!(found, [(3, numbers(0, 3)), (3, numbers(3, 3)), (1, numbers(6, 1))]);
    }

    #[test]
    fn repetitions_of_nothing_are_no_steps() {
        static STEPS: &[Action] = &[Action::Repeat(repetition(NOTHING, ARRAYS, &[Action::Launch(1)]))];
        assert!(planned(STEPS).is_empty());
    }
}
