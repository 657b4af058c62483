//! Mistakes, shown as rustc shows its own: the message, the line, what it is about.

use std::fmt::Write as _;

use lift_core::diagnostic::Diagnostic;
use lift_parser::Sources;
use proc_macro2::Span;

use crate::colour::{Colour, Role};
use crate::document::Document;

/// A mistake in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) message: String,
    pub(crate) note: Option<String>,
    pub(crate) help: Option<String>,
    /// Where; `None` where the compiler cannot say it.
    pub(crate) place: Option<Place>,
}

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The first line, from 1.
    pub(crate) line: usize,
    /// The first column, from 1.
    pub(crate) column: usize,
    /// The column behind the last one in that line; `None` where the part goes on in the next line.
    end: Option<usize>,
}

impl Place {
    fn between(first: Span, last: Span) -> Option<Place> {
        let (start, end) = (first.start(), last.end());
        // The span of the whole invocation, which stands for a place that is not known, has no line.
        (start.line > 0).then(|| Place {
            line: start.line,
            column: start.column + 1,
            end: (end.line == start.line).then_some(end.column + 1),
        })
    }

    /// The beginning of a line.
    fn line(line: usize) -> Place {
        Place { line, column: 1, end: None }
    }
}

impl Mistake {
    pub(crate) fn new(message: impl Into<String>) -> Mistake {
        Mistake { message: message.into(), note: None, help: None, place: None }
    }

    #[must_use]
    pub(crate) fn at(self, span: Span) -> Mistake {
        Mistake { place: Place::between(span, span), ..self }
    }

    /// The mistakes that the compiler found in the `lift!` of a line.
    pub(crate) fn of(diagnostics: &[Diagnostic], sources: &Sources, line: usize) -> Vec<Mistake> {
        let mistake = |diagnostic: &Diagnostic| {
            let range = sources.range(diagnostic.source);
            let place = Place::between(range.first, range.last).unwrap_or(Place::line(line));
            Mistake {
                message: diagnostic.message.clone(),
                note: diagnostic.note.clone(),
                help: diagnostic.help.clone(),
                place: Some(place),
            }
        };
        diagnostics.iter().map(mistake).collect()
    }

    /// The mistake above the line that it is about.
    pub(crate) fn render(&self, document: &Document, colour: Colour) -> String {
        let mut text = colour.paint(Role::Mistake, "error");
        text += &colour.paint(Role::Title, &format!(": {}", self.message));
        let Some(place) = self.place else { return text + &self.remarks(0, colour) };
        let line = document.text.lines().nth(place.line - 1).unwrap_or_default();
        let number = place.line.to_string();
        let margin = number.len();
        let bar = format!("{:margin$} {}", "", colour.paint(Role::Margin, "|"));
        let arrow = colour.paint(Role::Margin, "-->");
        // A failure to write to a `String` does not happen.
        let _ = write!(text, "\n{:margin$}{arrow} {}:{}:{}", "", document.name, place.line, place.column);
        let _ = write!(text, "\n{bar}\n{}{line}", colour.paint(Role::Margin, &format!("{number} | ")));
        let indentation: String = line
            .chars()
            .take(place.column - 1)
            .map(|letter| if letter == '\t' { '\t' } else { ' ' })
            .collect();
        let end = place.end.unwrap_or(line.chars().count() + 1);
        let marks = "^".repeat(end.saturating_sub(place.column).max(1));
        let _ = write!(text, "\n{bar} {indentation}{}", colour.paint(Role::Mistake, &marks));
        text + &self.remarks(margin, colour)
    }

    fn remarks(&self, margin: usize, colour: Colour) -> String {
        let mut text = String::new();
        for (label, remark) in [("note", &self.note), ("help", &self.help)] {
            if let Some(remark) = remark {
                let remark = remark.replace('\n', &format!("\n{:width$}", "", width = margin + 9));
                let sign = colour.paint(Role::Margin, "=");
                text += &format!("\n{:margin$} {sign} {}: {remark}", "", colour.paint(Role::Title, label));
            }
        }
        text
    }
}
