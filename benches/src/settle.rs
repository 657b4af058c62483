//! What the runtime decides about sizes: every program is called until the runtime has tried them as
//! constants.
//!
//! It prints what the runtime reports about its measurements, and whether results with sizes as arguments and
//! as constants are the same in every bit.

use std::fmt::Debug;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lift::{Device, DeviceKind};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::case::{Benchmark, Case, Pair};
use crate::error::Result;
use crate::generated::{Forms, Sizes};
use crate::options::Options;

/// The longest time to wait. No decision ever comes for a program without sizes as arguments, or for sizes
/// that were decided before.
const PATIENCE: Duration = Duration::from_secs(30);

/// The latest reported decision that was not taken yet.
static DECISION: Mutex<Option<Told>> = Mutex::new(None);

/// Prints the decision about each program.
pub(crate) fn print(benchmarks: &[&Benchmark], device: &Device, options: &Options) -> Result<ExitCode> {
    // Nobody else subscribes in this binary; if somebody did, no decision about any program would be heard.
    let _ = tracing::subscriber::set_global_default(Listener);
    println!(
        "| computation | size | structure | arguments ms | constants ms | ratio | taken | decided after s | same bits |"
    );
    println!("| --- | --- | --- | --: | --: | --: | --- | --: | --- |");
    for benchmark in benchmarks {
        let case = (benchmark.make)().at(options.level);
        for pair in case.pairs.iter().filter(|pair| options.wants_structure(&pair.structures())) {
            let Settled { told, seconds, same_bits } = settle(&case, pair, device)?;
            let (arguments, constants) = (told.arguments, told.constants);
            println!(
                "| {} | {} | {} | {arguments:.4} | {constants:.4} | {:.2} | {} | {seconds:.1} | {same_bits} |",
                benchmark.name,
                benchmark.size,
                pair.structures(),
                arguments / constants,
                told.text
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The decision about a program.
struct Settled {
    told: Told,
    /// The number of seconds for which it was called.
    seconds: f64,
    /// Whether results are the same.
    same_bits: bool,
}

fn settle(case: &Case, pair: &Pair, device: &Device) -> Result<Settled> {
    let mut results = Vec::new();
    for sizes in [Sizes::Arguments, Sizes::Constants] {
        let (result, _) = (pair.program.prepare)(device, &case.inputs, sizes, Forms::Plain)?()?;
        results.push(result.into_iter().map(f32::to_bits).collect::<Vec<_>>());
    }
    let same_bits = results.windows(2).all(|pair| pair[0] == pair[1]);
    let mut call = (pair.program.prepare_enqueued)(device, &case.inputs)?;
    // Reading a result lets the device catch up.
    let mut look = (pair.program.prepare)(device, &case.inputs, Sizes::Arguments, Forms::Plain)?;
    let calls_between = if device.kind() == DeviceKind::Gpu { 256 } else { 1 };
    take_decision();
    let start = Instant::now();
    loop {
        for _ in 0..calls_between {
            call()?;
        }
        look()?;
        let seconds = start.elapsed().as_secs_f64();
        if let Some(told) = take_decision() {
            return Ok(Settled { told, seconds, same_bits });
        }
        if start.elapsed() > PATIENCE {
            return Ok(Settled { told: Told::nothing(), seconds, same_bits });
        }
    }
}

fn take_decision() -> Option<Told> {
    DECISION.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The runtime's report of a decision.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    text: String,
    arguments: f64,
    constants: f64,
}

impl Told {
    fn nothing() -> Told {
        Told { text: "not decided".to_owned(), arguments: f64::NAN, constants: f64::NAN }
    }
}

impl Visit for Told {
    fn record_f64(&mut self, field: &Field, value: f64) {
        match field.name() {
            "milliseconds_with_arguments" => self.arguments = value,
            "milliseconds_with_constants" => self.constants = value,
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.text = format!("{value:?}");
        }
    }
}

/// Listens for decisions, which are the only events with one of these two fields.
struct Listener;

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let fields = metadata.fields();
        fields.field("milliseconds_with_constants").is_some() || fields.field("reason").is_some()
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut told = Told::nothing();
        event.record(&mut told);
        *DECISION.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
