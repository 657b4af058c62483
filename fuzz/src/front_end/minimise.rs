//! Smaller programs with the same mistake.

use proc_macro2::Delimiter;

use super::tree::{Tree, count, locate};

/// The greatest number of programs that are tried.
const MOST_TRIALS: usize = 3_000;

/// Leaves out tokens and groups, from large to small, as long as the mistake stays the same.
pub(crate) fn minimised(mut trees: Vec<Tree>, is_same: impl Fn(&[Tree]) -> bool) -> Vec<Tree> {
    let mut trials = 0;
    let mut length = count(&trees).max(1);
    while trials < MOST_TRIALS {
        let mut smaller = false;
        let mut number = 0;
        while number < count(&trees) && trials < MOST_TRIALS {
            for candidate in [without(&trees, number, length), opened(&trees, number)].into_iter().flatten() {
                trials += 1;
                if is_same(&candidate) {
                    trees = candidate;
                    smaller = true;
                    break;
                }
            }
            number += 1;
        }
        match (smaller, length) {
            (false, 1) => break,
            (false, _) => length = (length / 2).max(1),
            (true, _) => {}
        }
    }
    trees
}

/// The trees without some neighbours.
fn without(trees: &[Tree], number: usize, length: usize) -> Option<Vec<Tree>> {
    let mut trees = trees.to_vec();
    let (sequence, position) = locate(&mut trees, number)?;
    let end = (position + length).min(sequence.len());
    sequence.drain(position..end);
    Some(trees)
}

/// The trees with the inside of a block in its place.
fn opened(trees: &[Tree], number: usize) -> Option<Vec<Tree>> {
    let mut trees = trees.to_vec();
    let (sequence, position) = locate(&mut trees, number)?;
    let Tree::Group(Delimiter::Brace | Delimiter::Parenthesis, inside) = &sequence[position] else {
        return None;
    };
    let inside = inside.clone();
    sequence.splice(position..=position, inside);
    Some(trees)
}
