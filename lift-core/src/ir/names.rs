//! Names in the kernel text: the user's where possible, always legal in the language of the device, never
//! used twice in a kernel. Which words that language takes, its printer knows (`ReservedWords`).
//!
//! Things that several kernels see have one name in all of them: parameters, temporaries, functions, and
//! declarations at the top of a kernel, which others may declare again. Every other name belongs to its
//! kernel, and the next kernel may use it for something else.

use std::sync::Arc;

use super::kernel::{ValueType, Variable};
use super::nat::Var;
use crate::flat::{FlatMap, FlatSet};

/// Makes variables with names that are unique in a kernel, for every stage and every pass.
#[derive(Debug, Clone)]
pub struct Fresh {
    names: Names,
    /// The number of the newest variable of the algebra.
    newest: u32,
}

impl Fresh {
    /// A supply that avoids these names, and numbers up to `newest`.
    pub(crate) fn new(names: Names, newest: u32) -> Fresh {
        Fresh { names, newest }
    }

    /// A name like `wanted`.
    pub(crate) fn name(&mut self, wanted: &str) -> Arc<str> {
        self.names.fresh(wanted)
    }

    /// A variable of the kernel text, with a name like `wanted`.
    pub(crate) fn variable(&mut self, wanted: &str, ty: ValueType) -> Variable {
        Variable { name: self.name(wanted), ty }
    }

    /// A variable of the algebra, with a name like `wanted`.
    pub(crate) fn index(&mut self, wanted: &str) -> Var {
        let name = self.name(wanted);
        Var::new(self.number(), name)
    }

    /// A variable of the algebra that no kernel text mentions, so that its name need not be unique.
    pub(crate) fn unprinted(&mut self, name: &str) -> Var {
        Var::new(self.number(), name)
    }

    /// A number that no variable of the algebra has.
    pub(crate) fn number(&mut self) -> u32 {
        self.newest += 1;
        self.newest
    }

    /// The number of the newest variable of the algebra: larger numbers are free.
    pub(crate) fn newest(&self) -> u32 {
        self.newest
    }

    /// Forgets the variables of the algebra made since this number was the newest.
    pub(crate) fn forget_since(&mut self, newest: u32) {
        self.newest = newest;
    }

    /// The names that are taken.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Frees these names: what they named is out of scope.
    pub(crate) fn release<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.names.release(names);
    }

    /// Replaces the names that are taken, as for another kernel.
    pub(crate) fn with_names(&mut self, names: Names) {
        self.names = names;
    }
}

/// The words that a language takes from the names of a kernel.
#[derive(Debug)]
pub(crate) struct ReservedWords {
    /// Whether a name is such a word. It gets a number, or an underscore.
    pub(crate) has: fn(&str) -> bool,
    /// Whether a name belongs to a family of such words, by its beginning or its end. It gets a prefix.
    pub(crate) has_family: fn(&str) -> bool,
}

/// Whether a name starts with one of these words. Most do not even share the first letter, which is compared
/// first: without optimisation, to compare words takes many times as long.
pub(crate) fn starts_with_one_of(name: &str, words: &[&str]) -> bool {
    let [first, ..] = name.as_bytes() else { return false };
    let mut words = words;
    while let [word, behind @ ..] = words {
        if matches!(word.as_bytes(), [own, ..] if own == first) && name.starts_with(word) {
            return true;
        }
        words = behind;
    }
    false
}

/// Hands out names.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    reserved: &'static ReservedWords,
    taken: FlatSet<Arc<str>>,
    /// The last number given to each wanted name, so that many similar names are found without trying all of
    /// them.
    counts: FlatMap<Arc<str>, usize>,
    /// The base of each wanted name. Most are wanted again and again, and long lists have to be searched for
    /// each.
    known: FlatMap<Arc<str>, Base>,
}

/// A name that the language allows, before a number makes it unique.
#[derive(Debug, Clone, PartialEq)]
struct Base {
    name: Arc<str>,
    is_reserved: bool,
}

impl Names {
    /// Names that are none of these words.
    pub(crate) fn new(reserved: &'static ReservedWords) -> Names {
        Names { reserved, taken: FlatSet::new(), counts: FlatMap::new(), known: FlatMap::new() }
    }

    /// Frees these names: what they named is out of scope.
    pub(crate) fn release<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            self.taken.remove(name);
        }
        self.counts.clear();
    }

    /// A name like `wanted` that nothing else has.
    pub(crate) fn fresh(&mut self, wanted: &str) -> Arc<str> {
        let Base { name: base, is_reserved } = self.base(wanted);
        let count = self.counts.get_or_default(base.clone());
        loop {
            *count += 1;
            let name: Arc<str> = match *count {
                1 if is_reserved => continue,
                1 => base.clone(),
                2 if is_reserved => format!("{base}_").into(),
                number => format!("{base}_{number}").into(),
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Whether a name is taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes a name.
    pub(crate) fn reserve(&mut self, name: &str) {
        if !self.taken.contains(name) {
            self.taken.insert(name.into());
        }
    }

    fn base(&mut self, wanted: &str) -> Base {
        if let Some(base) = self.known.get(wanted) {
            return base.clone();
        }
        let name = legal(wanted, self.reserved);
        let base = Base { is_reserved: (self.reserved.has)(&name), name: name.into() };
        self.known.insert(wanted.into(), base.clone());
        base
    }
}

/// A legal name for `wanted`: the characters that C allows, without the forms that implementations reserve.
fn legal(wanted: &str, reserved: &ReservedWords) -> String {
    let mut name = if has_legal_characters(wanted) {
        wanted.to_owned()
    } else {
        let mut name: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        while name.contains("__") {
            name = name.replace("__", "_");
        }
        name
    };
    if matches!(name.as_bytes(), [b'_' | b'0'..=b'9', ..]) {
        name.insert(0, 'x');
    }
    // Type parameters of the kernel are macros named T0, T1, …
    if matches!(name.as_bytes(), [] | [b'T', b'0'..=b'9', ..]) {
        name.push_str("_value");
    }
    if (reserved.has_family)(&name) {
        name.insert_str(0, "user_");
    }
    name
}

/// Whether a name has only characters that C allows, and no two underscores in succession. Most names do.
fn has_legal_characters(name: &str) -> bool {
    let mut bytes = name.as_bytes();
    while let [byte, behind @ ..] = bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {}
            b'_' if !matches!(behind, [b'_', ..]) => {}
            _ => return false,
        }
        bytes = behind;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_never_handed_out_twice() {
        let reserved =
            ReservedWords { has: |name| name == "float", has_family: |name| name.starts_with("as_") };
        let mut names = Names::new(Box::leak(Box::new(reserved)));
        assert_eq!(*names.fresh("row"), *"row");
        assert_eq!(*names.fresh("row"), *"row_2");
        assert_eq!(*names.fresh("float"), *"float_");
        assert_eq!(*names.fresh("float"), *"float_3");
        assert_eq!(*names.fresh("größe"), *"gr_e");
        assert_eq!(*names.fresh("__x"), *"x_x");
        assert_eq!(*names.fresh("T0"), *"T0_value");
        assert_eq!(*names.fresh("as_int"), *"user_as_int");
    }
}
