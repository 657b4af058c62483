//! What the crate tells through `tracing`, as lines of text.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Runs something, and gives what it told: `INFO the default device device=… …`.
pub(crate) fn told<R>(run: impl FnOnce() -> R) -> (R, Vec<String>) {
    let lines = Lines::default();
    let result = tracing::subscriber::with_default(lines.clone(), run);
    let lines = std::mem::take(&mut *lines.0.lock().unwrap_or_else(PoisonError::into_inner));
    (result, lines)
}

#[derive(Debug, Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("lift_runtime")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        let text = format!("{} {}{}", event.metadata().level(), line.message, line.fields);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Line {
    message: String,
    fields: String,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = if field.name() == "message" { &mut self.message } else { &mut self.fields };
        if field.name() != "message" {
            write!(text, " {}=", field.name()).unwrap();
        }
        write!(text, "{value:?}").unwrap();
    }
}
