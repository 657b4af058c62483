//! The command line.

use std::fmt;

/// What `--help` prints.
pub const USAGE: &str = "\
Explains the programs of a Rust file: what each `lift!` becomes, without compiling the crate.

usage: cargo lift-explain [options] FILE.rs [NAME]

FILE.rs             the file; `-` is the standard input
NAME                one program: the name of its function, or the line of its `lift!`

--apply 'STEP'      applies a rule first, such as `mapFusion @ 0.1`; may stand several times
--rules             lists the rules
--strategies        lists the strategies that a `#[schedule(…)]` can name, beside all rules
--places            also shows the places of the program, and the rules without arguments that
                    apply there
--host              also shows the Rust that the host executes
--json              the explanation for other programs
--html              the explanation as a page of its own
--print-after PASS  in place of the explanation: each kernel after a pass, or after `all`
--timings           in place of the explanation: how long each pass takes
--help              shows this
";

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// How to ask.
    Help,
    /// The rules.
    Rules,
    /// The strategies.
    Strategies,
    /// What programs become.
    Explain(Wanted),
}

/// What is wanted of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The file.
    pub file: String,
    /// The name of a program, or the line of a `lift!`; `None` for all.
    pub name: Option<String>,
    /// The steps to apply first.
    pub steps: Vec<String>,
    /// What is shown beyond the usual.
    pub extras: Extras,
    /// What is printed.
    pub form: Form,
}

/// What an explanation shows beyond the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extras {
    /// The Rust of the host.
    pub host: bool,
    /// The places of the program, and the rules that apply there.
    pub places: bool,
}

/// What is printed of the programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The explanation as text.
    Text,
    /// The explanation as a page.
    Html,
    /// The explanation as data.
    Json,
    /// The kernels after the pass of this name, or after `all`.
    After(String),
    /// How long each pass takes.
    Timings,
}

/// What is wrong with a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentError {
    /// No file.
    NoFile,
    /// There is no such option.
    Unknown(String),
    /// The option takes a value.
    NoValue(&'static str),
    /// An argument behind the file and the name.
    TooMany(String),
    /// Two options that each say what is printed.
    TwoForms,
}

/// Reads a command line, without the program's own name.
///
/// # Errors
/// Says what is wrong with it.
pub fn read(arguments: impl IntoIterator<Item = String>) -> Result<Request, ArgumentError> {
    let mut arguments = arguments.into_iter().peekable();
    // Cargo names the subcommand again.
    arguments.next_if(|first| first == "lift-explain");
    let mut forms = Vec::new();
    let (mut steps, mut extras, mut words) = (Vec::new(), Extras::default(), Vec::new());
    while let Some(argument) = arguments.next() {
        let mut value = |option| arguments.next().ok_or(ArgumentError::NoValue(option));
        match argument.as_str() {
            "--help" | "-h" => return Ok(Request::Help),
            "--rules" => return Ok(Request::Rules),
            "--strategies" => return Ok(Request::Strategies),
            "--apply" => steps.push(value("--apply")?),
            "--host" => extras.host = true,
            "--places" => extras.places = true,
            "--json" => forms.push(Form::Json),
            "--html" => forms.push(Form::Html),
            "--print-after" => forms.push(Form::After(value("--print-after")?)),
            "--timings" => forms.push(Form::Timings),
            option if option.starts_with('-') && option != "-" => {
                return Err(ArgumentError::Unknown(argument));
            }
            _ => words.push(argument),
        }
    }
    if forms.len() > 1 {
        return Err(ArgumentError::TwoForms);
    }
    let mut words = words.into_iter();
    let file = words.next().ok_or(ArgumentError::NoFile)?;
    let name = words.next();
    match words.next() {
        Some(argument) => Err(ArgumentError::TooMany(argument)),
        None => {
            let form = forms.pop().unwrap_or(Form::Text);
            Ok(Request::Explain(Wanted { file, name, steps, extras, form }))
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::NoFile => formatter.write_str("which file?")?,
            ArgumentError::Unknown(option) => write!(formatter, "there is no option `{option}`")?,
            ArgumentError::NoValue(option) => write!(formatter, "`{option}` takes a value")?,
            ArgumentError::TooMany(argument) => {
                write!(formatter, "`{argument}` stands behind a file and a name")?;
            }
            ArgumentError::TwoForms => {
                formatter
                    .write_str("`--json`, `--html`, `--print-after` and `--timings` exclude each other")?;
            }
        }
        formatter.write_str("; `cargo lift-explain --help` shows how to ask")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(line: &str) -> Result<Request, ArgumentError> {
        read(line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned))
    }

    #[test]
    fn a_subcommand_of_cargo_takes_what_the_program_takes() {
        assert_eq!(reads("lift-explain --host a.rs dot"), reads("a.rs dot --host"));
        let Ok(Request::Explain(wanted)) = reads("--apply s --json --apply t a.rs") else {
            panic!("a request")
        };
        assert_eq!((wanted.steps.join(" "), wanted.form, wanted.name), ("s t".to_owned(), Form::Json, None));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        assert_eq!(reads(""), Err(ArgumentError::NoFile));
        assert_eq!(reads("--hots a.rs"), Err(ArgumentError::Unknown("--hots".to_owned())));
        assert_eq!(reads("a.rs --apply"), Err(ArgumentError::NoValue("--apply")));
        assert_eq!(reads("a.rs b c"), Err(ArgumentError::TooMany("c".to_owned())));
        assert_eq!(reads("a.rs --json --html"), Err(ArgumentError::TwoForms));
    }
}
