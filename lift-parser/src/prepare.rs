//! Makes tokens simple before they are parsed: invisible groups, the outer `<` … `>`, nesting.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use crate::state::{MAX_NESTING, Parser};

/// The tokens without invisible groups and without an outer pair `<` … `>`. `None`, with a message, if they
/// are nested too deeply for a recursive parser.
pub(crate) fn prepare(tokens: TokenStream, parser: &mut Parser) -> Option<TokenStream> {
    let tokens = flatten(&tokens, 0, parser)?.unwrap_or(tokens);
    Some(without_angles(tokens))
}

/// Replaces the invisible groups that a `macro_rules!` fragment leaves. A single token stays as it is, and
/// a fragment of an item is spliced. Anything else is an expression and needs the parentheses that were
/// invisible.
///
/// The inner result is `None` if there is nothing to replace, because a rebuilt group loses the spans of its
/// delimiters.
fn flatten(tokens: &TokenStream, depth: usize, parser: &mut Parser) -> Option<Option<TokenStream>> {
    let mut result = Vec::new();
    let mut changed = false;
    for tree in tokens.clone() {
        let TokenTree::Group(group) = tree else {
            result.push(tree);
            continue;
        };
        if depth == MAX_NESTING {
            let source = parser.sources.add(group.span_open(), group.span_open());
            parser.too_deep(source);
            return None;
        }
        let stream = group.stream();
        let content = flatten(&stream, depth + 1, parser)?;
        changed |= content.is_some() || group.delimiter() == Delimiter::None;
        match (group.delimiter(), content) {
            (Delimiter::None, content) => splice(&group, content.unwrap_or(stream), &mut result),
            (_, None) => result.push(TokenTree::Group(group)),
            (delimiter, Some(content)) => result.push(regroup(&group, delimiter, content)),
        }
    }
    Some(changed.then(|| result.into_iter().collect()))
}

fn splice(group: &Group, content: TokenStream, result: &mut Vec<TokenTree>) {
    let mut trees: Vec<TokenTree> = content.clone().into_iter().collect();
    if trees.len() < 2 || trees.first().is_some_and(starts_fragment_of_item) {
        result.append(&mut trees);
    } else {
        result.push(regroup(group, Delimiter::Parenthesis, content));
    }
}

fn regroup(original: &Group, delimiter: Delimiter, content: TokenStream) -> TokenTree {
    let mut group = Group::new(delimiter, content);
    group.set_span(original.span());
    TokenTree::Group(group)
}

fn starts_fragment_of_item(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Punct(punct) => punct.as_char() == '#',
        TokenTree::Ident(ident) => ident == "fn" || ident == "pub" || ident == "const",
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}

/// `lift![< … >]` is `lift![…]`. No expression starts with `<`, so the first token decides. The last one may
/// be glued to the token before it.
fn without_angles(tokens: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let opens = matches!(trees.first(), Some(TokenTree::Punct(punct)) if punct.as_char() == '<');
    let closes = matches!(trees.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '>');
    if !(opens && closes && trees.len() > 1) {
        return tokens;
    }
    trees.pop();
    trees.remove(0);
    if let Some(TokenTree::Punct(last)) = trees.last_mut()
        && last.spacing() == Spacing::Joint
    {
        let mut alone = proc_macro2::Punct::new(last.as_char(), Spacing::Alone);
        alone.set_span(last.span());
        *last = alone;
    }
    trees.into_iter().collect()
}
