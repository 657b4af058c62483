//! The compiler's messages for the user.

use crate::ir::source::Source;

/// One mistake, at the smallest wrong expression, with a way to correct it where one is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The source of the mistake.
    pub source: Source,
    /// What was found and what was expected, in the user's names, with sizes.
    pub message: String,
    /// Further facts that explain the mistake.
    pub note: Option<String>,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message without a help line.
    pub fn new(source: Source, message: impl Into<String>) -> Diagnostic {
        Diagnostic { source, message: message.into(), note: None, help: None }
    }

    /// The same message with a help line.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }

    /// Reports an inconsistency inside the compiler: never the user's fault, never a panic.
    pub fn internal(source: Source, what: &str) -> Diagnostic {
        Diagnostic::new(source, format!("internal error of lift!: {what}"))
            .with_help("this is a bug in lift!, please report it with the expression")
    }

    /// The message with its note and its help line, as rustc shows it.
    pub fn render(&self) -> String {
        let mut text = self.message.clone();
        for (label, line) in [("note", &self.note), ("help", &self.help)] {
            if let Some(line) = line {
                text += &format!("\n{label}: {line}");
            }
        }
        text
    }
}
