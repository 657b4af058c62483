//! The forms that stand before the plain one.
//!
//! They are chosen by the code of the plain form, and each is compiled by itself. With several threads, one
//! chooses them while the caller compiles the plain form; then each thread takes the next one until none is
//! left. Procedural macros are built without optimisation and compile a program five or ten times, often
//! while all other processors of the machine wait for the crate that they are expanded in.
//!
//! Invariant: forms and messages do not depend on the number of threads. Each thread makes what it returns of
//! the program alone, and results are put in the order in which the forms are tried.

use std::iter::from_fn;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::scope;

use super::choice::Separate;
use super::stages::{PlainCode, Stages, coarsened, code_of, options_for, stages_with};
use crate::compiled::{Form, Guard, HostCode, RefusedForm, Selection};
use crate::diagnostic::Diagnostic;
use crate::forms::{self, Attempt, Candidate};
use crate::ir::typed::{Program, SizeVariable};
use crate::middle::tuples::take_apart;
use crate::options::{Host, Options};
use crate::threads::{Threads, joined};

type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

/// The forms of a program that stand before the plain one, in the order in which they are tried, and those
/// that a stage refused.
#[derive(Default)]
pub(super) struct Others {
    pub(super) forms: Vec<Form>,
    pub(super) refused: Vec<RefusedForm>,
}

/// The plain form.
pub(super) struct Plain {
    pub(super) stages: Stages,
    pub(super) form: Form,
    pub(super) host: Option<HostCode>,
}

/// A candidate, or why there is none, with its place in the order in which forms are tried.
type Job = (usize, Attempt);

/// What became of a job.
type Done = (usize, Outcome);

/// What became of a candidate.
enum Outcome {
    /// The form, and its kernels under other names for other sizes.
    Made { form: Form, also: Vec<Form>, is_demanded: bool },
    /// A stage refuses it, and nobody demands it.
    Refused(RefusedForm),
    /// A stage refuses it, and the user demands it.
    Impossible(Diagnostic),
}

/// The plain form, which `plain` makes, and the forms before it.
///
/// # Errors
/// Reports what a stage refuses of the plain form, or of a form that the user demands.
pub(super) fn with_plain(
    program: &Program,
    options: &Options,
    threads: Threads,
    plain: impl FnOnce() -> Result<Plain>,
) -> Result<(Plain, Others)> {
    let options = &Options { host: Host::Omitted, ..*options };
    if !forms::may_have_forms(program) {
        return Ok((plain()?, Others::default()));
    }
    if threads.others() > 0 {
        return on_threads(program, options, threads, plain);
    }
    let plain = plain()?;
    let code = PlainCode { apart: &plain.stages.apart, code: &plain.stages.code };
    let (jobs, refused) = choose(program, code, options, threads)?;
    let done = jobs.into_iter().map(|job| compile(job, program, Some(code), options)).collect();
    let others = Others::of(done, refused, &plain.form)?;
    Ok((plain, others))
}

/// The same on several threads.
fn on_threads(
    program: &Program,
    options: &Options,
    threads: Threads,
    plain: impl FnOnce() -> Result<Plain>,
) -> Result<(Plain, Others)> {
    let (sender, jobs) = channel();
    let work = Work { program, options, threads, jobs: Mutex::new(jobs) };
    scope(|scope| {
        let chooser = scope.spawn(|| work.choose_and_compile(sender));
        let plain = plain()?;
        let mut done = work.compile_all();
        let (refused, by_others) = joined(chooser)?;
        done.extend(by_others);
        done.sort_by_key(|(number, _)| *number);
        let others = Others::of(done, refused, &plain.form)?;
        Ok((plain, others))
    })
}

/// What threads share.
struct Work<'w> {
    program: &'w Program,
    options: &'w Options,
    threads: Threads,
    /// What no thread has taken yet.
    jobs: Mutex<Receiver<Job>>,
}

impl Work<'_> {
    /// Chooses the candidates, and compiles them with the caller and as many further threads as are of use. It
    /// does not wait for the caller, who compiles the plain form first, and makes the code of that for itself.
    fn choose_and_compile(&self, sender: Sender<Job>) -> Result<(Vec<RefusedForm>, Vec<Done>)> {
        let Work { program, options, threads, .. } = *self;
        let apart = take_apart(&forms::plain(program));
        let code = &code_of(&apart, &options_for(program, options))?;
        let plain = PlainCode { apart: &apart, code };
        let (jobs, refused) = choose(program, plain, options, threads)?;
        let (own, others): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(needs_plain_code);
        // One thread beside the caller and this one for each job beyond theirs.
        let helpers = others.len().saturating_sub(2).min(threads.others().saturating_sub(1));
        for job in others {
            // The receiver is there as long as anybody works.
            let _ = sender.send(job);
        }
        drop(sender);
        let done = scope(|scope| {
            let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(|| self.compile_all())).collect();
            let own = own.into_iter().map(|job| compile(job, program, Some(plain), options));
            let mut done: Vec<Done> = own.collect();
            done.extend(self.compile_all());
            done.extend(helpers.into_iter().flat_map(joined));
            done
        });
        Ok((refused, done))
    }

    /// Compiles one candidate after the other until none is left. It waits for those that are not chosen yet.
    fn compile_all(&self) -> Vec<Done> {
        let next = || self.jobs.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
        from_fn(next).map(|job| compile(job, self.program, None, self.options)).collect()
    }
}

/// Whether a job starts from the code of the plain form, which no other thread has.
fn needs_plain_code((_, candidate): &Job) -> bool {
    matches!(candidate, Ok(candidate) if candidate.has_plain_code)
}

/// The candidates, and the forms that were refused before they could be candidates.
fn choose(
    program: &Program,
    plain: PlainCode<'_>,
    options: &Options,
    threads: Threads,
) -> Result<(Vec<Job>, Vec<RefusedForm>)> {
    let separate = Separate::of(program, plain.code, options)?;
    let surveyed = separate.beside(plain.code);
    let candidates = forms::candidates(program, &surveyed, threads).map_err(|message| vec![message])?;
    Ok((candidates.into_iter().enumerate().collect(), separate.refused.into_iter().collect()))
}

fn compile(
    (number, candidate): Job,
    program: &Program,
    plain: Option<PlainCode<'_>>,
    options: &Options,
) -> Done {
    let outcome = match candidate {
        Ok(candidate) => outcome(candidate, program, plain, options),
        Err(refused) => Outcome::Refused(refused),
    };
    (number, outcome)
}

fn outcome(
    candidate: Candidate,
    program: &Program,
    plain: Option<PlainCode<'_>>,
    options: &Options,
) -> Outcome {
    let (name, demanded) = (candidate.selection.name.clone(), candidate.demanded.clone());
    match (made(candidate, program, plain, options), demanded) {
        (Ok((form, also)), demanded) => Outcome::Made { form, also, is_demanded: demanded.is_some() },
        (Err(reasons), None) => Outcome::Refused(RefusedForm { name, reasons }),
        (Err(reasons), Some(demanded)) => Outcome::Impossible(demanded.refused(&reasons)),
    }
}

/// A form, and its kernels under other names.
fn made(
    candidate: Candidate,
    program: &Program,
    plain: Option<PlainCode<'_>>,
    options: &Options,
) -> Result<(Form, Vec<Form>)> {
    let Candidate { mut selection, also, program: of_form, cooperation, lowered, .. } = candidate;
    let (coarsening, group_order) = (candidate.coarsening, candidate.group_order);
    let (devices, without) = (candidate.optimised_for, options.without.with(candidate.without));
    let options = &Options { coarsening, group_order, devices, without, ..*options };
    if let Some(plain) = plain.filter(|_| candidate.has_plain_code) {
        let (form, _) = coarsened(plain, options)?.printed(selection)?;
        return Ok((form, Vec::new()));
    }
    let (stages, needs) = stages_with(&of_form, &cooperation, lowered, options)?;
    let guards = forms::guards(&needs, &of_form.sizes, of_form.body.source);
    let guards = guards.map_err(|message| vec![message])?.into_iter();
    let formulas = SizeVariable::formulas(&of_form.sizes);
    let in_sizes = |guard: Guard| Guard { condition: guard.condition.substitute(&formulas), ..guard };
    selection.guards.extend(guards.map(in_sizes));
    let guards = selection.guards.clone();
    let (form, _) = stages.printed(forms::without_redundant(selection, program))?;
    let also = also.into_iter().map(|also| {
        let also = Selection { guards: guards.clone(), ..also };
        forms::without_redundant(also, program).of(&form)
    });
    let also = also.collect();
    Ok((form, also))
}

impl Others {
    /// What became of the candidates, in order. A form with the kernels of the plain one is none, unless the
    /// user demands it, who may name it. That one may not be refused.
    fn of(done: Vec<Done>, refused: Vec<RefusedForm>, plain: &Form) -> Result<Others> {
        let mut others = Others { forms: Vec::new(), refused };
        for (_, outcome) in done {
            match outcome {
                Outcome::Made { form, is_demanded: false, .. } if form.source == plain.source => {}
                Outcome::Made { form, also, .. } => {
                    others.forms.push(form);
                    others.forms.extend(also);
                }
                Outcome::Refused(form) => others.refused.push(form),
                Outcome::Impossible(message) => return Err(vec![message]),
            }
        }
        Ok(others)
    }
}
