//! What is wrong with a program, as data, and what the user is told about it.
//!
//! A mistake is found where an expression is typed. It keeps what its message needs: names, types as far as
//! they are known there ([`KnownType`]), sizes in simplified form. Only on the way out of the stage do
//! mistakes become sentences: [`diagnostics`] is the one place, and every family of mistakes has its
//! sentences beside it.

use crate::diagnostic::Diagnostic;
use crate::front::flatten::RowsMistake;
use crate::ir::source::Source;

mod array;
mod attribute;
mod call;
mod constant;
mod generic;
mod launch;
mod name;
mod need;
mod position;
mod program;
mod remedy;
mod scalar;
mod size;
mod types;
mod vector;
mod words;

pub(super) use array::ArrayMistake;
pub(super) use attribute::{AttributeMistake, Law, OfKernels};
pub(super) use call::{CallMistake, Callee, Meant};
pub(super) use constant::ConstantMistake;
pub(super) use generic::GenericMistake;
pub(super) use launch::LaunchMistake;
pub(super) use name::{NameMistake, Scope};
pub(super) use need::NeedMistake;
pub(super) use position::{Access, DataFound, PositionMistake, Taker};
pub(super) use program::{ProgramMistake, Side, Unsupported};
pub(super) use remedy::Remedy;
pub(super) use scalar::{Difference, ScalarMistake};
pub(super) use size::{NoSize, SizeMistake};
pub(super) use types::{Place, TypeMistake};
pub(super) use vector::VectorMistake;
pub(super) use words::KnownType;

use words::{BOUNDARIES, counted, elements, enumerated, quoted, signature};

/// What inference gives, or every mistake.
pub(super) type Finished<T> = Result<T, Vec<Error>>;

/// A mistake, its place, and what the user has to know of its surroundings.
#[derive(Debug, Clone)]
pub(super) struct Error {
    /// Where it is.
    pub(super) source: Source,
    /// What it is.
    pub(super) mistake: Mistake,
    /// The kernel that is right by itself and has the mistake in this call.
    pub(super) in_call_of: Option<String>,
    /// What reaches the call that has the mistake, innermost pipeline first.
    pub(super) reached: Vec<Reached>,
    /// The `iterate` whose function is typed for every length that it goes through.
    pub(super) for_every_length_of: Option<String>,
}

/// A mistake, by what is wrong.
#[derive(Debug, Clone)]
pub(super) enum Mistake {
    /// An array that a primitive takes.
    Array(ArrayMistake),
    /// An attribute of an item.
    Attribute(AttributeMistake),
    /// A call.
    Call(CallMistake),
    /// A constant among items.
    Constant(ConstantMistake),
    /// A type that an item declares.
    Generic(GenericMistake),
    /// A launch that an attribute fixes.
    Launch(LaunchMistake),
    /// A name.
    Name(NameMistake),
    /// A condition on sizes does not hold.
    Need(NeedMistake),
    /// A position.
    Position(PositionMistake),
    /// An item or a whole program.
    Program(ProgramMistake),
    /// Rows whose lengths only data knows.
    Rows(RowsMistake),
    /// A computation with numbers.
    Scalar(ScalarMistake),
    /// A size.
    Size(SizeMistake),
    /// A type.
    Type(TypeMistake),
    /// A vector.
    Vector(VectorMistake),
}

/// What a pipeline gives to a call.
#[derive(Debug, Clone)]
pub(super) struct Reached {
    /// Its type.
    pub(super) ty: KnownType,
    /// The expression that made it, as the user wrote it; `…` where that is long.
    pub(super) origin: String,
    /// What the mistake is about.
    pub(super) subject: Subject,
}

/// What a mistake in a pipeline is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// What reaches the call.
    Value,
    /// The call.
    Call,
}

impl Error {
    /// A mistake at a place.
    pub(super) fn new(source: Source, mistake: impl Into<Mistake>) -> Error {
        Error {
            source,
            mistake: mistake.into(),
            in_call_of: None,
            reached: Vec::new(),
            for_every_length_of: None,
        }
    }

    /// The message for the user.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = self.mistake.diagnostic(self.source);
        if let Some(name) = &self.in_call_of {
            diagnostic.message = format!("in this call of `{name}`: {}", diagnostic.message);
        }
        for reached in &self.reached {
            reached.say(&mut diagnostic);
        }
        if let (None, Some(call)) = (&diagnostic.help, &self.for_every_length_of) {
            diagnostic.help = Some(format!(
                "`n` stands for every length that `{call}` goes through, since its function changes the \
                 length"
            ));
        }
        diagnostic
    }
}

/// The messages for the user.
pub(super) fn diagnostics(errors: &[Error]) -> Vec<Diagnostic> {
    errors.iter().map(Error::diagnostic).collect()
}

impl Mistake {
    fn diagnostic(&self, source: Source) -> Diagnostic {
        match self {
            Mistake::Array(mistake) => mistake.diagnostic(source),
            Mistake::Attribute(mistake) => mistake.diagnostic(source),
            Mistake::Call(mistake) => mistake.diagnostic(source),
            Mistake::Constant(mistake) => mistake.diagnostic(source),
            Mistake::Generic(mistake) => mistake.diagnostic(source),
            Mistake::Launch(mistake) => mistake.diagnostic(source),
            Mistake::Name(mistake) => mistake.diagnostic(source),
            Mistake::Need(mistake) => mistake.diagnostic(source),
            Mistake::Position(mistake) => mistake.diagnostic(source),
            Mistake::Program(mistake) => mistake.diagnostic(source),
            Mistake::Rows(mistake) => mistake.diagnostic(source),
            Mistake::Scalar(mistake) => mistake.diagnostic(source),
            Mistake::Size(mistake) => mistake.diagnostic(source),
            Mistake::Type(mistake) => mistake.diagnostic(source),
            Mistake::Vector(mistake) => mistake.diagnostic(source),
        }
    }
}

impl Reached {
    /// Says in a message what reaches the call: what stands before it, perhaps many lines above, is not
    /// underlined.
    fn say(&self, diagnostic: &mut Diagnostic) {
        match self.subject {
            Subject::Value => {
                diagnostic.message = diagnostic.message.replacen("this is", "what reaches it is", 1);
            }
            Subject::Call => {}
        }
        if diagnostic.note.is_some() {
            return;
        }
        let types = format!("what reaches it is {}", self.ty);
        diagnostic.note = match (diagnostic.message.contains(&types), self.origin.as_str()) {
            (true, "…") => None,
            (true, origin) => Some(format!("it comes from `{origin}`")),
            (false, "…") => Some(types),
            (false, origin) => Some(format!("{types}, from `{origin}`")),
        };
    }
}

/// A mistake of a family is a mistake.
macro_rules! families {
    ($($variant:ident($family:ident)),* $(,)?) => {
        $(impl From<$family> for Mistake {
            fn from(mistake: $family) -> Mistake {
                Mistake::$variant(mistake)
            }
        })*
    };
}

families! {
    Array(ArrayMistake),
    Attribute(AttributeMistake),
    Call(CallMistake),
    Constant(ConstantMistake),
    Generic(GenericMistake),
    Launch(LaunchMistake),
    Name(NameMistake),
    Need(NeedMistake),
    Position(PositionMistake),
    Program(ProgramMistake),
    Rows(RowsMistake),
    Scalar(ScalarMistake),
    Size(SizeMistake),
    Type(TypeMistake),
    Vector(VectorMistake),
}
