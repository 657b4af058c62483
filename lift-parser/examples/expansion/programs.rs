//! The `lift!` programs of a file, as tokens: those that are written there, and those that macros of the file
//! make of their arguments.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Macros of one rule, by name: what the arguments look like, and what they become.
type Macros = BTreeMap<String, (Vec<TokenTree>, TokenStream)>;

/// What stands for each parameter of a macro: one token, or one group.
type Arguments = BTreeMap<String, TokenTree>;

/// The tokens of every `lift!` in a file, and of every `program!`, which the benchmarks have as text, too.
pub(crate) fn programs(file: TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = file.into_iter().collect();
    let mut found = Vec::new();
    collect(&trees, &macros(&trees), &mut found);
    found
}

fn collect(trees: &[TokenTree], macros: &Macros, found: &mut Vec<TokenStream>) {
    for (position, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        match called(trees, position).as_deref() {
            Some("lift") => found.push(group.stream()),
            // The program comes after its name and a colon.
            Some("program") => found.push(inside.into_iter().skip(2).collect()),
            Some(name) => match macros.get(name).and_then(|rule| expand(rule, &inside)) {
                Some(expanded) => collect(&expanded, macros, found),
                None => collect(&inside, macros, found),
            },
            None if is_definition(trees, position) => {}
            None => collect(&inside, macros, found),
        }
    }
}

/// The macro that is called with the group at a position.
fn called(trees: &[TokenTree], position: usize) -> Option<String> {
    match trees.get(position.checked_sub(2)?..position)? {
        [TokenTree::Ident(name), TokenTree::Punct(mark)] if mark.as_char() == '!' => Some(name.to_string()),
        _ => None,
    }
}

/// Whether the group at a position has the rules of a macro.
fn is_definition(trees: &[TokenTree], position: usize) -> bool {
    position.checked_sub(1).and_then(|name| called(trees, name)).as_deref() == Some("macro_rules")
}

fn macros(trees: &[TokenTree]) -> Macros {
    let rules = (0..trees.len()).filter(|position| is_definition(trees, *position));
    let named = rules.filter_map(|position| {
        let (TokenTree::Ident(name), TokenTree::Group(rules)) =
            (trees.get(position - 1)?, trees.get(position)?)
        else {
            return None;
        };
        let rules: Vec<TokenTree> = rules.stream().into_iter().collect();
        match rules.as_slice() {
            [TokenTree::Group(arguments), _, _, TokenTree::Group(body), ..] => {
                let arguments = arguments.stream().into_iter().collect();
                Some((name.to_string(), (arguments, body.stream())))
            }
            _ => None,
        }
    });
    named.collect()
}

/// What a call of a macro becomes; `None` if its arguments are not single tokens, or not those of the rule.
fn expand((pattern, body): &(Vec<TokenTree>, TokenStream), given: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let (mut arguments, mut rest) = (Arguments::new(), given);
    let mut pattern = pattern.as_slice();
    while let [first, behind @ ..] = pattern {
        let (argument, others) = rest.split_first()?;
        rest = others;
        pattern = match (first, behind) {
            (TokenTree::Punct(mark), [TokenTree::Ident(name), _, _, behind @ ..])
                if mark.as_char() == '$' =>
            {
                arguments.insert(name.to_string(), argument.clone());
                behind
            }
            _ if first.to_string() == argument.to_string() => behind,
            _ => return None,
        };
    }
    rest.is_empty().then(|| substitute(body.clone(), &arguments).into_iter().collect())
}

/// Tokens with arguments in the place of parameters.
fn substitute(tokens: TokenStream, arguments: &Arguments) -> TokenStream {
    let mut replaced = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let inside = substitute(group.stream(), arguments);
                replaced.push(TokenTree::Group(Group::new(group.delimiter(), inside)));
            }
            TokenTree::Ident(name) if follows_dollar(&replaced) => {
                replaced.pop();
                let argument = arguments.get(&name.to_string()).cloned();
                replaced
                    .push(argument.unwrap_or_else(|| Group::new(Delimiter::None, TokenStream::new()).into()));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => replaced.push(tree),
        }
    }
    replaced.into_iter().collect()
}

fn follows_dollar(before: &[TokenTree]) -> bool {
    matches!(before.last(), Some(TokenTree::Punct(mark)) if mark.as_char() == '$')
}
