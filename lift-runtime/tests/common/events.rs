//! What the crate tells through `tracing`, as lines of text.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::cell::RefCell;
use std::fmt::{Debug, Write};
use std::sync::Once;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

thread_local! {
    /// The lines told to this thread since `told` began, if it did.
    static LINES: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs something, and gives what it told on this thread: `INFO the default device device=… …`.
pub(crate) fn told<R>(run: impl FnOnce() -> R) -> (R, Vec<String>) {
    listen();
    LINES.set(Some(Vec::new()));
    let result = run();
    (result, LINES.take().unwrap_or_default())
}

/// Subscribes, for all threads. To be called first by each test of a binary in which one calls `told`: an
/// event that a thread without a subscriber meets first counts as one that nobody wants.
pub(crate) fn listen() {
    static SUBSCRIBED: Once = Once::new();
    SUBSCRIBED.call_once(|| tracing::subscriber::set_global_default(Lines).expect("nobody else subscribes"));
}

struct Lines;

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
        LINES.with_borrow_mut(|lines| lines.as_mut().map(|lines| lines.push(text)));
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
