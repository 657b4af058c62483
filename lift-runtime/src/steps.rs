//! The order in which the kernels of a program are launched, and what they are bound to each time.
//!
//! Most programs launch each kernel once. The applications of an `iterate` are the same kernels again and again, with arrays that change
//! places in between ([`Alternation`]): what a kernel is bound to is resolved here, so that whoever launches sees nothing of it.

use crate::error::Result;
use crate::plan::{PlannedKernel, internal};
use crate::program::{Alternation, Argument, Kernel, Program, Step};
use crate::solve::Sizes;

/// A step, with its number of repetitions.
#[derive(Debug)]
pub(crate) enum PlannedStep {
    Launch(PlannedKernel),
    Repeat { count: usize, arrays: &'static [Alternation], body: Vec<PlannedStep> },
}

/// The steps of a call; kernels that are not among those planned have no work-items.
pub(crate) fn planned_steps(
    program: &'static Program,
    steps: &'static [Step],
    kernels: &[PlannedKernel],
    sizes: &mut Sizes,
) -> Result<Vec<PlannedStep>> {
    let mut planned = Vec::new();
    for step in steps {
        match step {
            Step::Launch(position) if *position >= program.kernels.len() => {
                return Err(internal(program, format!("there is no kernel {position}")));
            }
            Step::Launch(position) => {
                let kernel = kernels.iter().find(|kernel| kernel.position == *position);
                planned.extend(kernel.copied().map(PlannedStep::Launch));
            }
            Step::Repeat(repetition) => {
                let count = sizes.count(&repetition.count)?;
                let body = planned_steps(program, repetition.body, kernels, sizes)?;
                if count > 0 && !body.is_empty() {
                    planned.push(PlannedStep::Repeat { count, arrays: repetition.arrays, body });
                }
            }
        }
    }
    Ok(planned)
}

/// Launches a kernel, given what each of its arguments stands for this time.
type Launch<'l> =
    dyn FnMut(&PlannedKernel, &'static Kernel, &dyn Fn(Argument) -> Argument) -> Result<()> + 'l;

/// Calls `launch` with each kernel to be launched, in order, and what its arguments stand for.
pub(crate) fn for_each_launch(
    program: &'static Program,
    steps: &[PlannedStep],
    launch: &mut Launch<'_>,
) -> Result<()> {
    walk(program, steps, None, launch)
}

fn walk(
    program: &'static Program,
    steps: &[PlannedStep],
    around: Option<&Application<'_>>,
    launch: &mut Launch<'_>,
) -> Result<()> {
    for step in steps {
        match step {
            PlannedStep::Launch(planned) => {
                let Some(kernel) = program.kernels.get(planned.position) else { continue };
                launch(planned, kernel, &|argument| resolved(argument, around))?;
            }
            PlannedStep::Repeat { count, arrays, body } => {
                for application in 0..*count {
                    let inside = Application {
                        arrays,
                        is_first: application == 0,
                        is_exchanged: (count - 1 - application) % 2 == 1,
                        around,
                    };
                    walk(program, body, Some(&inside), launch)?;
                }
            }
        }
    }
    Ok(())
}

/// One time of steps that are repeated.
struct Application<'a> {
    arrays: &'static [Alternation],
    is_first: bool,
    is_exchanged: bool,
    around: Option<&'a Application<'a>>,
}

fn resolved(argument: Argument, mut around: Option<&Application<'_>>) -> Argument {
    let mut argument = argument;
    while let Some(application) = around {
        argument = application.meaning(argument);
        around = application.around;
    }
    argument
}

impl Application<'_> {
    fn meaning(&self, argument: Argument) -> Argument {
        let found = self.arrays.iter().find(|array| [array.before, array.after].contains(&argument));
        match found {
            Some(array) if argument == array.before && self.is_first => array.input,
            Some(array) if argument == array.before && self.is_exchanged => array.after,
            Some(array) if self.is_exchanged => array.before,
            Some(_) | None => argument,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Repetition, Size};

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
        source: "",
        type_parameters: 0,
        sizes: &[],
        parameters: &[],
        results: &[],
        obligations: &[],
        temporaries: &[],
        extents: &[],
        kernels: &[
            kernel("once", &[Argument::Parameter(0), Argument::Temporary(0)]),
            kernel("step", &[Argument::Temporary(1), Argument::Result(0)]),
            kernel("inner", &[Argument::Temporary(2), Argument::Result(0)]),
        ],
        steps: &[],
    };

    const ARRAYS: &[Alternation] = &[Alternation {
        input: Argument::Temporary(0),
        before: Argument::Temporary(1),
        after: Argument::Result(0),
    }];

    fn planned(position: usize) -> PlannedKernel {
        PlannedKernel { position, global: [1; 3], local: [1; 3], is_chosen: false, local_memory: 0 }
    }

    fn launches(steps: &[PlannedStep]) -> Vec<(&'static str, Vec<Argument>)> {
        let mut found = Vec::new();
        for_each_launch(&PROGRAM, steps, &mut |_, kernel, meaning| {
            let arguments = kernel.arguments.iter().map(|&argument| meaning(argument));
            found.push((kernel.entry, arguments.collect::<Vec<_>>()));
            Ok(())
        })
        .expect("nothing fails");
        found
    }

    fn repeated(count: usize) -> Vec<(&'static str, Vec<Argument>)> {
        launches(&[PlannedStep::Repeat {
            count,
            arrays: ARRAYS,
            body: vec![PlannedStep::Launch(planned(1))],
        }])
    }

    #[test]
    fn each_application_reads_what_the_one_before_wrote_and_the_last_writes_the_result() {
        for count in 0..20 {
            let launches = repeated(count);
            assert_eq!(launches.len(), count);
            let mut last = Argument::Temporary(0);
            for (_, arguments) in &launches {
                let [read, written] = arguments[..] else { panic!("two arguments") };
                assert_eq!(read, last);
                assert_ne!(written, Argument::Temporary(0), "the input stays as it is");
                assert_ne!(read, written);
                last = written;
            }
            assert!(count == 0 || last == Argument::Result(0));
        }
    }

    #[test]
    fn what_is_not_exchanged_stays_as_it_is() {
        let steps = [PlannedStep::Launch(planned(0))];
        assert_eq!(launches(&steps), [("once", vec![Argument::Parameter(0), Argument::Temporary(0)])]);
    }

    #[test]
    fn repetitions_inside_repetitions_exchange_what_those_around_exchange() {
        const INNER: &[Alternation] = &[Alternation {
            input: Argument::Temporary(1),
            before: Argument::Temporary(2),
            after: Argument::Result(0),
        }];
        let body = vec![PlannedStep::Launch(planned(2))];
        let inner = PlannedStep::Repeat { count: 1, arrays: INNER, body };
        let outer = [PlannedStep::Repeat { count: 2, arrays: ARRAYS, body: vec![inner] }];
        // The inner kernel reads the input of the inner repetition, which is what the outer one reads.
        assert_eq!(
            launches(&outer),
            [
                ("inner", vec![Argument::Temporary(0), Argument::Temporary(1)]),
                ("inner", vec![Argument::Temporary(1), Argument::Result(0)]),
            ]
        );
    }

    #[test]
    fn repetitions_of_nothing_are_no_steps() {
        static STEPS: &[Step] =
            &[Step::Repeat(Repetition { count: NOTHING, arrays: ARRAYS, body: &[Step::Launch(1)] })];
        let mut sizes = crate::solve::solve(&PROGRAM, &[]).expect("there are no sizes");
        let steps = planned_steps(&PROGRAM, STEPS, &[planned(1)], &mut sizes).expect("it is a number");
        assert!(steps.is_empty());
    }
}
