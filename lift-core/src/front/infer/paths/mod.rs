//! Rust's constants of scalar types, by their paths: `f32::MAX`, `std::f32::consts::PI`.

use super::error::{Error, NameMistake, Scope};
use super::inference::Inference;
use super::other_languages::counterpart;
use crate::ir::primitive::vocabulary::is_function_of_the_language;
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::ir::typed;
use crate::ir::types::Type;
use crate::similar::{is_upper, nearest};

mod table;

/// The crates of Rust that have the modules of scalar types.
const CRATES: [&str; 2] = ["std", "core"];

/// The constants that a path may lead to.
enum Place {
    /// Those of a type, as in `f32::MAX`.
    Type(ScalarType),
    /// Those of a type in its module `consts`.
    Consts(ScalarType),
}

impl Inference<'_> {
    /// The constant with this path.
    pub(super) fn path(&mut self, path: &[String], source: Source) -> typed::Expr {
        let found = place(path).and_then(|(place, name)| match place {
            Place::Type(ty) => table::of_type(ty, name),
            Place::Consts(ty) => Some((table::of_consts(ty, name)?, ty)),
        });
        match found {
            Some((value, ty)) => self.literal_of(value, &Type::Scalar(ty), source),
            None => {
                let scope = if self.captures.is_some() { Scope::RustVariables } else { Scope::Items };
                self.fail(Error::new(source, unknown(path, scope)))
            }
        }
    }
}

/// Where a path leads, and the name of the constant there. A type stands alone or in a crate.
fn place(path: &[String]) -> Option<(Place, &str)> {
    let (name, module) = path.split_last()?;
    let is_crate = |names: &[String]| match names {
        [] => true,
        [only] => CRATES.contains(&only.as_str()),
        _ => false,
    };
    match module {
        [before @ .., ty, consts] if consts == "consts" && is_crate(before) => {
            let ty = ScalarType::from_name(ty).filter(|ty| ty.is_float())?;
            Some((Place::Consts(ty), name))
        }
        [before @ .., ty] if is_crate(before) => Some((Place::Type(ScalarType::from_name(ty)?), name)),
        _ => None,
    }
}

/// The mistake of a path that leads nowhere.
fn unknown(path: &[String], scope: Scope) -> NameMistake {
    let written = path.join("::");
    if let Some(function) = path.last().filter(|name| !is_upper(name)) {
        return NameMistake::PathOfFunction { path: written, help: instead_of(function) };
    }
    let known = match place(path) {
        Some((Place::Type(ty), _)) => table::names_of_type(ty),
        Some((Place::Consts(_), _)) => table::names_of_consts(),
        None => Vec::new(),
    };
    let similar = match known.as_slice() {
        // It may have been imported: `use std::f32::consts;`.
        [] if path.first().is_some_and(|module| module == "consts") => {
            nearest(&format!("std::f32::{written}"), all_paths())
        }
        [] => nearest(&written, all_paths()),
        known => {
            let name = path.last().map_or("", String::as_str);
            let module = path.iter().rev().skip(1).rev().map(|name| format!("{name}::")).collect::<String>();
            nearest(name, known.iter().map(|&name| name.to_owned())).map(|name| format!("{module}{name}"))
        }
    };
    NameMistake::UnknownConstant { path: written, similar, known, scope }
}

/// What to write instead of a function of Rust by its path.
fn instead_of(function: &str) -> String {
    if is_function_of_the_language(function) {
        return format!("write `{function}`");
    }
    counterpart(function).unwrap_or_else(|| {
        "functions are those of the language, `|x| …`, and the items of this `lift!`".to_owned()
    })
}

/// The paths of all constants.
fn all_paths() -> impl Iterator<Item = String> {
    ScalarType::CONCRETE.iter().flat_map(|ty| {
        let of_type = table::names_of_type(*ty).into_iter().map(move |name| format!("{ty}::{name}"));
        let consts = if ty.is_float() { table::names_of_consts() } else { Vec::new() };
        of_type.chain(consts.into_iter().map(move |name| format!("std::{ty}::consts::{name}")))
    })
}
