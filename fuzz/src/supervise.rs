//! Many cases in several processes, none of which can end the others. A process that crashes, or is silent
//! for too long, is one finding, and another process continues after the case that it had begun.
//!
//! A worker is this program with other arguments: `worker FIRST END STEP` and whatever else it needs. It
//! writes a line for each case that it begins, one for each finding, and one for what all workers report,
//! such as the device that they found. The supervisor asks no driver, because some drivers serve no children
//! of a process that they have served.

use std::fmt;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

/// A campaign of a supervisor.
pub(crate) struct Campaign {
    /// The numbers of the cases.
    pub(crate) first: u64,
    pub(crate) end: u64,
    /// The arguments of every worker beside its cases.
    pub(crate) arguments: Vec<String>,
    /// The number of workers at a time.
    pub(crate) processes: u64,
    /// How long a worker may be silent.
    pub(crate) patience: Duration,
}

/// A case that went wrong.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) case: u64,
    /// What happened, in words that are the same for other cases of the same mistake.
    pub(crate) symptom: String,
    /// More about this case.
    pub(crate) details: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { case, symptom, details } = self;
        write!(formatter, "case {case}: {symptom}\n    {}", details.replace('\n', "\n    "))
    }
}

/// The cases of one worker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) step: usize,
}

impl Share {
    /// The cases of a worker; `None` if this process is no worker.
    pub(crate) fn of_worker(arguments: &[String]) -> Option<(Share, &[String])> {
        let [word, first, end, step, rest @ ..] = arguments else { return None };
        let share = Share { first: first.parse().ok()?, end: end.parse().ok()?, step: step.parse().ok()? };
        (word == "worker" && share.step > 0).then_some((share, rest))
    }

    pub(crate) fn cases(self) -> impl Iterator<Item = u64> {
        (self.first..self.end).step_by(self.step)
    }
}

/// Reports that a worker begins a case.
pub(crate) fn begin(case: u64) {
    say(&format!("case\t{case}"));
}

/// Reports what every worker finds out before its first case; the supervisor prints it once.
#[allow(dead_code, reason = "workers of the front end need no device")]
pub(crate) fn introduce(text: &str) {
    say(&format!("introduction\t{text}"));
}

/// Reports a finding of a worker.
pub(crate) fn report(finding: &Finding) {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t");
    let Finding { case, symptom, details } = finding;
    say(&format!("found\t{case}\t{}\t{}", escaped(symptom), escaped(details)));
}

fn say(line: &str) {
    let mut output = io::stdout().lock();
    // If this fails, nobody listens any more, and the process will be ended.
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, if letter == '\\' { letters.next() } else { None }) {
            (_, Some('n')) => plain.push('\n'),
            (_, Some('t')) => plain.push('\t'),
            (_, Some(other)) => plain.push(other),
            (letter, None) => plain.push(letter),
        }
    }
    plain
}

impl Campaign {
    /// Runs all cases; `found` is called for each finding as soon as it is known.
    ///
    /// # Errors
    /// If processes cannot be started.
    pub(crate) fn run(&self, found: impl Fn(Finding) + Sync) -> io::Result<()> {
        let failure = Mutex::new(None);
        let introduced = Once::new();
        thread::scope(|scope| {
            for number in 0..self.processes {
                let (failure, found, introduced) = (&failure, &found, &introduced);
                scope.spawn(move || {
                    if let Err(error) = self.run_share(self.first + number, introduced, found) {
                        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    }
                });
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Runs every `processes`-th case from this one on.
    fn run_share(&self, mut first: u64, introduced: &Once, found: &impl Fn(Finding)) -> io::Result<()> {
        while first < self.end {
            match self.run_worker(first, introduced, found)? {
                None => return Ok(()),
                Some(crash) => {
                    first = crash.case + self.processes;
                    found(crash);
                }
            }
        }
        Ok(())
    }

    /// Runs one process; returns a finding if it ended before its last case did.
    fn run_worker(
        &self,
        first: u64,
        introduced: &Once,
        found: &impl Fn(Finding),
    ) -> io::Result<Option<Finding>> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["worker", &first.to_string(), &self.end.to_string(), &self.processes.to_string()])
            .args(&self.arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let complaints = collect_complaints(&mut child);
        let (sender, lines) = mpsc::channel();
        let output = child.stdout.take().ok_or_else(|| io::Error::other("a worker without output"))?;
        let reader = thread::spawn(move || {
            // A driver may write something that is not text.
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let mut case = first;
        let silent = loop {
            match lines.recv_timeout(self.patience) {
                Ok(line) => match line.split('\t').collect::<Vec<_>>().as_slice() {
                    ["introduction", text] => introduced.call_once(|| println!("{text}")),
                    ["case", number] => case = number.parse().unwrap_or(case),
                    ["found", number, symptom, details] => found(Finding {
                        case: number.parse().unwrap_or(case),
                        symptom: unescaped(symptom),
                        details: unescaped(details),
                    }),
                    // Something that a driver printed.
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => break true,
                Err(RecvTimeoutError::Disconnected) => break false,
            }
        };
        if silent {
            child.kill()?;
        }
        let status = child.wait()?;
        let _ = reader.join();
        let complaints = complaints.join().unwrap_or_default();
        let symptom = match (silent, status.success()) {
            (true, _) => format!("no answer for {} s", self.patience.as_secs()),
            (false, false) => format!("the process ended: {status}"),
            (false, true) => return Ok(None),
        };
        Ok(Some(Finding { case, symptom, details: complaints }))
    }
}

/// The last lines that a process writes about itself.
fn collect_complaints(child: &mut Child) -> thread::JoinHandle<String> {
    const KEPT: usize = 5;
    let errors = child.stderr.take();
    thread::spawn(move || {
        let mut last = std::collections::VecDeque::new();
        for line in
            errors.into_iter().flat_map(|errors| BufReader::new(errors).split(b'\n')).map_while(Result::ok)
        {
            last.push_back(String::from_utf8_lossy(&line).into_owned());
            if last.len() > KEPT {
                last.pop_front();
            }
        }
        Vec::from(last).join("\n")
    })
}
