//! `cargo lift-explain FILE.rs [NAME]`: reads the file, prints the report.
//!
//! The exit status is 0 where everything was explained, 1 where a program has mistakes or a step does not
//! apply, and 2 where there is nothing to explain.

use std::env;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use lift_explain::{Colour, Document, Form, Request, USAGE, Wanted, read, report, rules, strategies};

/// There is nothing to explain.
const NOTHING: u8 = 2;

fn main() -> ExitCode {
    match run() {
        Ok(status) => status,
        Err(message) => {
            eprintln!("lift-explain: {message}");
            ExitCode::from(NOTHING)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let wanted = match read(env::args().skip(1)).map_err(|error| error.to_string())? {
        Request::Help => return print(USAGE).map(|()| ExitCode::SUCCESS),
        Request::Rules => return print(&rules()).map(|()| ExitCode::SUCCESS),
        Request::Strategies => return print(&strategies()).map(|()| ExitCode::SUCCESS),
        Request::Explain(wanted) => wanted,
    };
    let document = document(&wanted)?;
    let report =
        report(&document, &wanted, colour(&wanted, &io::stdout())).map_err(|refusal| refusal.to_string())?;
    print(&report.text)?;
    let colour = colour_of(&io::stderr());
    for mistake in report.rendered_mistakes(&document, colour) {
        eprintln!("{mistake}");
    }
    Ok(if report.is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The file, or what comes from the standard input.
fn document(wanted: &Wanted) -> Result<Document, String> {
    let unreadable = |error: io::Error| format!("`{}` cannot be read: {error}", wanted.file);
    if wanted.file != "-" {
        let text = fs::read_to_string(&wanted.file).map_err(unreadable)?;
        return Ok(Document::new(&wanted.file, text));
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(unreadable)?;
    Ok(Document::new("standard input", text))
}

fn colour(wanted: &Wanted, to: &impl io::IsTerminal) -> Colour {
    match wanted.form {
        Form::Text => colour_of(to),
        Form::Html | Form::Json | Form::After(_) | Form::Timings => Colour::Never,
    }
}

/// <https://no-color.org>
fn colour_of(to: &impl io::IsTerminal) -> Colour {
    let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if to.is_terminal() && !is_refused { Colour::Always } else { Colour::Never }
}

fn print(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        // Whoever reads has read enough, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(format!("the report cannot be written: {error}")),
        Ok(()) => Ok(()),
    }
}
