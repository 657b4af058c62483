//! Token trees as a macro gets them. Every mutation of a tree is a tree again, with its groups closed.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A token or a group of tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    /// A name, a literal, or marks that belong together, such as `>>`.
    Token(String),
    /// What stands between two delimiters.
    Group(Delimiter, Vec<Tree>),
}

/// The trees of a text; `None` if it is not made of Rust tokens.
pub(crate) fn parse(text: &str) -> Option<Vec<Tree>> {
    Some(trees(text.parse().ok()?))
}

fn trees(tokens: TokenStream) -> Vec<Tree> {
    let mut trees: Vec<Tree> = Vec::new();
    let mut is_joint = false;
    for token in tokens {
        let (text, joint) = match token {
            TokenTree::Group(group) => {
                trees.push(Tree::Group(group.delimiter(), self::trees(group.stream())));
                is_joint = false;
                continue;
            }
            TokenTree::Punct(mark) => (mark.as_char().to_string(), mark.spacing() == Spacing::Joint),
            TokenTree::Ident(name) => (name.to_string(), false),
            TokenTree::Literal(literal) => (literal.to_string().replace('\n', " "), false),
        };
        match trees.last_mut() {
            Some(Tree::Token(last)) if is_joint => *last += &text,
            _ => trees.push(Tree::Token(text)),
        }
        is_joint = joint;
    }
    trees
}

/// The text of trees, on one line.
pub(crate) fn print(trees: &[Tree]) -> String {
    let mut text = String::new();
    print_into(trees, &mut text);
    text
}

fn print_into(trees: &[Tree], text: &mut String) {
    for (position, tree) in trees.iter().enumerate() {
        if position > 0 {
            text.push(' ');
        }
        match tree {
            Tree::Token(token) => text.push_str(token),
            Tree::Group(delimiter, inside) => {
                let (open, close) = match delimiter {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    // Invisible to the users of the parser as well.
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                print_into(inside, text);
                text.push_str(close);
            }
        }
    }
}

/// The number of tokens and groups.
pub(crate) fn count(trees: &[Tree]) -> usize {
    let inside = trees.iter().map(|tree| match tree {
        Tree::Token(_) => 1,
        Tree::Group(_, inside) => 1 + count(inside),
    });
    inside.sum()
}

/// The sequence that contains the token or group with this number, and its position there; `None` after the
/// last.
pub(crate) fn locate(trees: &mut Vec<Tree>, mut number: usize) -> Option<(&mut Vec<Tree>, usize)> {
    let mut found = None;
    for (position, tree) in trees.iter().enumerate() {
        if number == 0 {
            found = Some((position, None));
            break;
        }
        number -= 1;
        if let Tree::Group(_, inside) = tree {
            let inside = count(inside);
            if number < inside {
                found = Some((position, Some(number)));
                break;
            }
            number -= inside;
        }
    }
    match found? {
        (position, None) => Some((trees, position)),
        (position, Some(number)) => match &mut trees[position] {
            Tree::Group(_, inside) => locate(inside, number),
            Tree::Token(_) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_and_group_is_located_once() {
        let trees = parse("f(a, [b >> c]) >> g").expect("tokens");
        let texts: Vec<_> = (0..count(&trees))
            .map(|number| {
                let mut copy = trees.clone();
                let (sequence, position) = locate(&mut copy, number).expect("a token of this number");
                print(&sequence[position..=position])
            })
            .collect();
        assert_eq!(texts, ["f", "(a , [b >> c])", "a", ",", "[b >> c]", "b", ">>", "c", ">>", "g"]);
        assert!(locate(&mut trees.clone(), count(&trees)).is_none());
    }
}
