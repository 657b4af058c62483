//! Kernels that do the same share one function.
//!
//! Scans in a row, or applications that are written out, are kernels that differ only in the names of their
//! variables: they find what they read and write by its position among their arguments. One function suffices
//! for all of them.

use crate::flat::{FlatMap, FlatSet};

/// Whether a byte belongs to a name or a number. It stands where it is used, because it looks at every letter
/// of the text.
macro_rules! is_part {
    ($byte:expr) => {
        matches!($byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80..)
    };
}

/// The number of lines of a function body without comments, in which most bodies differ already.
pub(super) fn lines_of_code(lines: &[String]) -> usize {
    code(lines).count()
}

/// Whether two function bodies do the same. Most differ in something that is no name.
pub(super) fn are_alike(one: &[String], other: &[String]) -> bool {
    let (one, other) = (tokens_of(one), tokens_of(other));
    differ_in_names_only(&one, &other) && without_names(&one) == without_names(&other)
}

/// Whether there are names where tokens differ.
fn differ_in_names_only(one: &[&str], other: &[&str]) -> bool {
    let (mut left, mut right) = (one, other);
    while let ([own, own_rest @ ..], [other, other_rest @ ..]) = (left, right) {
        if own != other && !(is_word(own) && is_word(other)) {
            return false;
        }
        (left, right) = (own_rest, other_rest);
    }
    left.len() == right.len()
}

/// The tokens of a function body, without comments.
fn tokens_of(lines: &[String]) -> Vec<&str> {
    let mut all = Vec::new();
    code(lines).for_each(|line| tokens(line, &mut all));
    all
}

/// The lines without comments and indentation.
fn code(lines: &[String]) -> impl Iterator<Item = &str> {
    lines.iter().map(|line| line.trim_ascii_start()).filter(|line| !line.starts_with("//"))
}

/// The form of a function body, given as its tokens: with numbers for the names that it declares, in the order
/// in which they occur. Functions of equal forms do the same, whatever the names of their variables.
fn without_names(tokens: &[&str]) -> String {
    let declared = declared(tokens);
    let mut numbers = FlatMap::new();
    let mut form = String::new();
    for (position, token) in tokens.iter().enumerate() {
        // A name that is called, or that has parts, is a function or a module.
        let is_variable = !matches!(tokens.get(position + 1), Some(&("(" | "::")));
        if is_variable && declared.contains(token) {
            let next = numbers.len();
            let number = *numbers.get_or_insert_with(*token, || next);
            form.push_str(&format!("#{number}"));
        } else {
            form.push_str(token);
        }
        form.push(' ');
    }
    form
}

/// The names that `let`, `for` and the parameters of closures declare.
fn declared<'t>(tokens: &[&'t str]) -> FlatSet<&'t str> {
    let mut declared = FlatSet::new();
    for (position, token) in tokens.iter().enumerate() {
        let after_keyword = position
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| matches!(*before, "let" | "mut" | "for"));
        let has_type = tokens.get(position + 1) == Some(&":");
        if is_word(token) && (after_keyword || has_type) {
            declared.insert(*token);
        }
    }
    declared.remove("mut");
    declared
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Adds the tokens of a line: names and numbers, `::`, and all else letter by letter.
fn tokens<'t>(line: &'t str, tokens: &mut Vec<&'t str>) {
    // Byte by byte: this looks at every letter of the text, and letters outside ASCII are parts of names.
    let bytes = line.as_bytes();
    let mut start = 0;
    while start < bytes.len() {
        let mut end = start + 1;
        if is_part!(bytes[start]) {
            while end < bytes.len() && is_part!(bytes[end]) {
                end += 1;
            }
        } else if bytes[start..].starts_with(b"::") {
            end += 1;
        }
        if !bytes[start].is_ascii_whitespace() {
            tokens.push(&line[start..end]);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> String {
        without_names(&tokens_of(&text.lines().map(str::to_string).collect::<Vec<_>>()))
    }

    const COPY: &str = "let a_ = arguments.read::<f32>(0)?;\nlet b_ = arguments.shared::<f32>(1)?;\n\
                        for i_ in 0..8 {\n    b_.set(i_, __lift_host::at(a_, i_));\n}";

    #[test]
    fn names_and_comments_make_no_difference() {
        let renamed = COPY.replace("a_", "tile_").replace("i_ ", "j_ ").replace("i_,", "j_,");
        let renamed = renamed.replace("i_)", "j_)").replace("for", "// mapSeq\nfor");
        assert_eq!(form(COPY), form(&renamed));
    }

    #[test]
    fn whatever_else_differs_makes_a_difference() {
        for (from, to) in [
            ("(0)?", "(1)?"),
            ("f32", "f64"),
            ("0..8", "0..9"),
            ("read", "shared"),
            ("at(a_, i_)", "at(b_, i_)"),
            ("set(i_, ", "set(i_ + 1, "),
            ("__lift_host::at", "__lift_host::first"),
        ] {
            assert_ne!(form(COPY), form(&COPY.replace(from, to)), "{from} and {to}");
        }
    }

    #[test]
    fn functions_keep_their_names() {
        let call =
            |function: &str| form(&format!("let x_ = 1;\nlet {function} = 2;\nlet y_ = {function}(x_);"));
        assert_ne!(call("double_"), call("halve_"));
    }

    #[test]
    fn one_name_in_two_places_is_not_two_names() {
        let two = "let a_ = 1;\nlet b_ = 2;\nlet c_ = a_ + b_;";
        assert_ne!(form(two), form(&two.replace("a_ + b_", "a_ + a_")));
        assert_ne!(form(two), form(&two.replace("a_ + b_", "b_ + a_")));
    }
}
