//! The `lift!`s in a Rust file.
//!
//! The file is read as tokens and never as items, so that a `lift!` is found wherever it stands: in a
//! function, in the arguments of another macro, in a file that does not compile yet.

use proc_macro2::{LexError, TokenStream, TokenTree};

use crate::document::Document;
use crate::mistake::Mistake;

/// What stands between the delimiters of a `lift!`.
pub(crate) struct Invocation {
    /// The line of the `lift!`.
    pub(crate) line: usize,
    pub(crate) tokens: TokenStream,
}

/// How much of `lift!` has been seen.
enum Seen {
    Nothing,
    /// `lift`, in this line.
    Name(usize),
    /// `lift!`, in this line.
    Bang(usize),
}

/// All `lift!`s, in the order of the text.
pub(crate) fn invocations(document: &Document) -> Result<Vec<Invocation>, Mistake> {
    let tokens: TokenStream = document.text.parse().map_err(|error: LexError| {
        Mistake::new("this is not Rust: a character, a literal or a bracket is wrong").at(error.span())
    })?;
    let mut found = Vec::new();
    // A list instead of recursion, however deeply brackets are nested.
    let mut open = vec![(tokens.into_iter(), Seen::Nothing)];
    while let Some((trees, seen)) = open.last_mut() {
        let Some(tree) = trees.next() else {
            open.pop();
            continue;
        };
        let before = std::mem::replace(seen, Seen::Nothing);
        match (before, tree) {
            (_, TokenTree::Ident(name)) if name == "lift" => *seen = Seen::Name(name.span().start().line),
            (Seen::Name(line), TokenTree::Punct(sign)) if sign.as_char() == '!' => *seen = Seen::Bang(line),
            (Seen::Bang(line), TokenTree::Group(group)) => {
                found.push(Invocation { line, tokens: group.stream() });
            }
            (_, TokenTree::Group(group)) => open.push((group.stream().into_iter(), Seen::Nothing)),
            _ => {}
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_invocation_is_found_and_nothing_else() {
        let text = "// lift!(a)\nuse lift::lift;\n/// lift!(b)\nfn f() { assert!(lift!(c).is_ok()) }\n\
                    macro_rules! lift { () => {} }\nlift::lift! { fn g() {} }\nlet lift = !(d);";
        let found = invocations(&Document::new("a.rs", text)).expect("tokens");
        let found: Vec<(usize, String)> = found.iter().map(|it| (it.line, it.tokens.to_string())).collect();
        assert_eq!(found, [(4, "c".to_owned()), (6, "fn g () { }".to_owned())]);
    }

    #[test]
    fn the_line_of_what_is_not_rust_is_told() {
        let mistake = invocations(&Document::new("a.rs", "fn f() {}\n)\n")).err().expect("a mistake");
        assert_eq!(mistake.place.map(|place| place.line), Some(2));
    }
}
