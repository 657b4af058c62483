//! Kernels that are the same up to the names of what they declare.
//!
//! A derived program has the names that rules make, a program that a person wrote has better ones. Everything
//! else has to be the same: statements, their order, types, addresses, comments about them.

use std::collections::{BTreeMap, BTreeSet};

/// Where two texts differ in more than their names: both lines. `None` where they do not.
///
/// A name is what a text declares. Each name of one text corresponds to one name of the other.
pub(crate) fn difference(left: &str, right: &str) -> Option<String> {
    let declared = [declared(left), declared(right)];
    let (mut forth, mut back) = (BTreeMap::new(), BTreeMap::new());
    let mut lines = [left.lines(), right.lines()];
    loop {
        let [left, right] = lines.each_mut().map(Iterator::next);
        if left.is_none() && right.is_none() {
            return None;
        }
        let (left, right) = (left.unwrap_or("the end"), right.unwrap_or("the end"));
        let mut tokens = [tokens(left), tokens(right)];
        loop {
            let [one, other] = tokens.each_mut().map(Iterator::next);
            let same = match (one, other) {
                (None, None) => break,
                (Some(one), Some(other)) if declared[0].contains(one) && declared[1].contains(other) => {
                    *forth.entry(one).or_insert(other) == other && *back.entry(other).or_insert(one) == one
                }
                (one, other) => one == other,
            };
            if !same {
                return Some(format!("{left}\n{right}"));
            }
        }
    }
}

/// Words, and single characters between them.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        rest = rest.trim_start();
        let length = match rest.find(|character| !is_word(character)) {
            Some(0) => rest.chars().next().map_or(0, char::len_utf8),
            Some(length) => length,
            None => rest.len(),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        (!token.is_empty()).then_some(token)
    })
}

/// The names that a text declares: words behind the word of a type, and before no other word.
fn declared(text: &str) -> BTreeSet<&str> {
    const NO_TYPES: [&str; 2] = ["return", "else"];
    let is_word = |token: &str| token.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let tokens: Vec<&str> = tokens(code(line)).collect();
        for three in tokens.windows(3) {
            let [ty, name, next] = three else { continue };
            let is_type_of_pointer = *next == "*";
            let declares = is_word(ty) && is_word(name) && !is_word(next) && !is_type_of_pointer;
            if declares && !NO_TYPES.contains(ty) {
                names.insert(*name);
            }
        }
    }
    names
}

/// A line without comments and directives.
fn code(line: &str) -> &str {
    match line.trim_start().starts_with(['#', '/']) {
        true => "",
        false => line.split("/*").next().unwrap_or(line),
    }
}

#[test]
fn names_may_differ_and_nothing_else() {
    let left = "void f(global float* restrict a, const int N) {\n    float x = a[N];\n    a[0] = x;\n}";
    let same = "void g(global float* restrict b, const int M) {\n    float y = b[M];\n    b[0] = y;\n}";
    let mixed = "void g(global float* restrict b, const int M) {\n    float y = b[M];\n    b[0] = M;\n}";
    let typed = "void g(global float* restrict b, const long M) {\n    float y = b[M];\n    b[0] = y;\n}";
    let longer = format!("{same}\n");
    assert_eq!(difference(left, same), None);
    assert_eq!(difference(left, &longer), None);
    assert_eq!(difference(left, mixed), Some("    a[0] = x;\n    b[0] = M;".to_owned()));
    assert!(difference(left, typed).is_some());
    assert!(difference(left, &format!("{same}\n// more")).is_some());
}
