//! Names that mean nothing, or something else than was meant.

use super::{KnownType, enumerated};
use crate::diagnostic::Diagnostic;
use crate::front::infer::other_languages::counterpart;
use crate::front::syntax::SELF;
use crate::ir::primitive::{ArgumentKind, Row};
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::similar::is_upper;

/// A name that cannot stand where it does.
#[derive(Debug, Clone)]
pub(in crate::front::infer) enum NameMistake {
    /// `stride`, `rotate`: what only `gather` and the like take.
    Positions(String),
    /// `caseSplit`: what only `partition` takes.
    RowLengths(String),
    /// `clamp`, `mirror`, `wrap`: what only `pad` takes.
    Boundary(String),
    /// It means nothing.
    Unknown {
        /// The name.
        name: String,
        /// One that was perhaps meant.
        similar: Option<String>,
        /// What could be meant besides.
        scope: Scope,
    },
    /// No function has this name, and one is needed.
    UnknownFunction {
        /// The name.
        name: String,
        /// One that was perhaps meant.
        similar: Option<String>,
    },
    /// It means nothing and looks like a size.
    UnknownSize(String),
    /// It is a size in the type of a parameter and is not declared.
    UndeclaredSize(String),
    /// `size` within a type.
    SizeType(String),
    /// A type of vectors that there is not.
    UnknownVector {
        /// The name.
        name: String,
        /// The type of its components.
        lane: ScalarType,
    },
    /// A constant of a scalar type that there is not.
    UnknownConstant {
        /// The path, as it is written.
        path: String,
        /// One that was perhaps meant.
        similar: Option<String>,
        /// All constants in that place, if it is one.
        known: Vec<&'static str>,
        /// What other constants there could be.
        scope: Scope,
    },
    /// A function of Rust by its path.
    PathOfFunction {
        /// The path, as it is written.
        path: String,
        /// What to write instead.
        help: String,
    },
    /// `self.k` in an item.
    SelfInItem,
    /// It is no type.
    UnknownType(String),
    /// A variable with the name of a function, where the function was meant.
    Hidden {
        /// The name.
        name: String,
        /// The type of the variable.
        ty: KnownType,
    },
    /// A primitive as a method of what is not its first argument.
    Method {
        /// The name.
        name: String,
        /// The primitive.
        row: &'static Row,
    },
}

/// What names can mean besides those of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::front::infer) enum Scope {
    /// Parameters and the other items.
    Items,
    /// Rust variables.
    RustVariables,
}

impl NameMistake {
    /// Whether this says the same of the same name.
    pub(in crate::front::infer) fn repeats(&self, earlier: &NameMistake) -> bool {
        self.name() == earlier.name() && std::mem::discriminant(self) == std::mem::discriminant(earlier)
    }

    fn name(&self) -> &str {
        match self {
            NameMistake::SelfInItem => SELF,
            NameMistake::Positions(name)
            | NameMistake::RowLengths(name)
            | NameMistake::Boundary(name)
            | NameMistake::Unknown { name, .. }
            | NameMistake::UnknownFunction { name, .. }
            | NameMistake::UnknownSize(name)
            | NameMistake::UndeclaredSize(name)
            | NameMistake::SizeType(name)
            | NameMistake::UnknownVector { name, .. }
            | NameMistake::UnknownConstant { path: name, .. }
            | NameMistake::PathOfFunction { path: name, .. }
            | NameMistake::UnknownType(name)
            | NameMistake::Hidden { name, .. }
            | NameMistake::Method { name, .. } => name,
        }
    }

    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: String| Diagnostic::new(source, message);
        match self {
            NameMistake::Positions(name) => says(format!("`{name}` is a function on positions"))
                .with_help(format!("it stands as the first argument of `gather`: `gather({name}(n), xs)`")),
            NameMistake::RowLengths(name) => says(format!("`{name}` is a function on positions")).with_help(
                format!("it stands as an argument of `partition`: `partition(3, {name}(a, b, c), xs)`"),
            ),
            NameMistake::Boundary(name) => {
                let mut help = format!("it stands as an argument of `pad`: `pad(1, 1, {name}, xs)`");
                if name == "clamp" {
                    help.push_str("\nhelp: `clampv(x, lo, hi)` limits a value");
                }
                says(format!("`{name}` is a boundary")).with_help(help)
            }
            NameMistake::Unknown { name, similar, scope } => {
                let help = counterpart(name).or_else(|| similar_name(similar.as_ref())).or_else(|| {
                    match scope {
                        Scope::Items if is_upper(name) => Some(format!(
                            "an item sees no constants of Rust; declare it inside of `lift!`, \
                             `const {name}: f32 = …;`, or make it a parameter"
                        )),
                        Scope::Items => Some(
                            "an item sees its parameters and the other items; make it a parameter, or write \
                             the number"
                                .to_owned(),
                        ),
                        Scope::RustVariables => None,
                    }
                });
                Diagnostic { help, ..says(format!("unknown name `{name}`")) }
            }
            NameMistake::UnknownFunction { name, similar } => {
                let help = outside_of_dimensions(name)
                    .or_else(|| counterpart(name))
                    .or_else(|| similar_name(similar.as_ref()));
                says(format!("unknown function `{name}`")).with_help(help.unwrap_or_else(|| {
                    "functions are those of the language, `|x| …`, and the items of this `lift!`".to_owned()
                }))
            }
            NameMistake::UnknownSize(name) => says(format!("unknown size `{name}`")).with_help(format!(
                "make it a parameter, `{name}: size`, or a constant of this `lift!`, `const {name}: usize = …;`: \
                 an item sees no constants of Rust"
            )),
            NameMistake::UndeclaredSize(name) => says(format!("unknown size `{name}`"))
                .with_help(format!("declare it: `<const {name}: usize>` after the function's name")),
            NameMistake::SizeType(name) => says(format!("`{name}` is only the type of a whole parameter"))
                .with_help("a size that is computed with is an integer, such as `i32`"),
            NameMistake::UnknownVector { name, lane } => says(format!("there is no vector type `{name}`"))
                .with_help(format!("vectors have 2, 4, 8 or 16 components, as in `{lane}x4`")),
            NameMistake::UnknownConstant { path, similar, known, scope } => {
                let module = path.rsplit_once("::").map_or("", |(module, _)| module);
                let help = match known.as_slice() {
                    [] => similar_name(similar.as_ref()).unwrap_or_else(|| constant_elsewhere(path, *scope)),
                    known => similar_name(similar.as_ref())
                        .unwrap_or_else(|| format!("`{module}` has {}", enumerated(known))),
                };
                says(format!("there is no constant `{path}`")).with_help(help)
            }
            NameMistake::PathOfFunction { path, help } => {
                says(format!("functions have no paths here, and so there is no `{path}`"))
                    .with_help(help.clone())
            }
            NameMistake::SelfInItem => says("a function of `lift!` has no `self`".to_owned())
                .with_help("make the field a parameter; in an expression, `lift!(…)`, it may stand as here"),
            NameMistake::UnknownType(name) => {
                let scalars: Vec<String> = ScalarType::CONCRETE.iter().map(ScalarType::to_string).collect();
                says(format!("unknown type `{name}`"))
                    .with_help(format!("the scalar types are {}", scalars.join(", ")))
            }
            NameMistake::Hidden { name, ty } => {
                says(format!("`{name}` is a variable here, {ty}, which hides the `{name}` of the language"))
                    .with_help("give the variable another name")
            }
            NameMistake::Method { name, row } => {
                says(format!("arrays have no method `{name}`")).with_help(match row.arguments.split_last() {
                    Some(((data, ArgumentKind::Value | ArgumentKind::Values), before)) => {
                        let before: Vec<&str> = before.iter().map(|(name, _)| *name).collect();
                        format!("write `{data} >> {name}({})`, or `{}`", before.join(", "), row.call())
                    }
                    Some(_) | None => format!("write `{}`", row.call()),
                })
            }
        }
    }
}

fn similar_name(similar: Option<&String>) -> Option<String> {
    similar.map(|name| format!("there is a similar name: `{name}`"))
}

/// What to say of a constant that is none of a scalar type.
fn constant_elsewhere(path: &str, scope: Scope) -> String {
    let name = path.rsplit_once("::").map_or(path, |(_, name)| name);
    match scope {
        _ if path.starts_with("usize::") || path.starts_with("isize::") => {
            "paths are those of constants of scalars, such as `u64::MAX`; write a size as a number".to_owned()
        }
        Scope::RustVariables => format!(
            "paths are those of constants of scalars, such as `f32::MAX`; for another one write `use {path};` \
             in Rust, and `{name}` here"
        ),
        Scope::Items => format!(
            "paths are those of constants of scalars, such as `f32::MAX`; declare any other inside of `lift!`, \
             `const {name}: f32 = …;`"
        ),
    }
}

/// What to say of `mapGlb3`: OpenCL has three dimensions.
fn outside_of_dimensions(name: &str) -> Option<String> {
    let level = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let known = ["mapGlb", "mapWrg", "mapLcl", "mapGlobal", "mapWorkgroup", "mapLocal"];
    (known.contains(&level) && level != name)
        .then(|| format!("OpenCL has three dimensions: `{level}0`, `{level}1` and `{level}2`"))
}
