//! Programs with some of their tokens changed.

use super::tree::{Tree, count, locate};
use crate::random::Random;

/// The greatest number of changes at once. A program with many changes is refused as soon as it is parsed.
const MOST_CHANGES: usize = 4;

/// Integers at the limits of the types in which compilers count.
const EDGES: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "100",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "170141183460469231731687303715884105727",
    "170141183460469231731687303715884105728",
    "1.5",
    "1e39",
];

/// A mutant: a program of the corpus with changes that a seed and a number determine.
pub(crate) fn mutant(corpus: &[Vec<Tree>], seed: u64, number: u64) -> Vec<Tree> {
    let mut random = Random::new(seed, number);
    let mut trees = random.pick(corpus).clone();
    for _ in 0..=random.below(MOST_CHANGES) {
        change(&mut trees, corpus, &mut random);
    }
    trees
}

fn change(trees: &mut Vec<Tree>, corpus: &[Vec<Tree>], random: &mut Random) {
    let count = count(trees);
    if count == 0 {
        return;
    }
    let Some((sequence, position)) = locate(trees, random.below(count)) else { return };
    match random.below(10) {
        0 => drop(sequence.remove(position)),
        1 => sequence.insert(position, sequence[position].clone()),
        2 => {
            let other = random.below(sequence.len());
            sequence.swap(position, other);
        }
        3 | 4 => sequence[position] = another(corpus, random),
        5 => sequence.insert(position, another(corpus, random)),
        6 => replace_literal(trees, random),
        7 => repeat(sequence, position, random),
        8 => splice(trees, corpus, random),
        _ => exchange(trees, random),
    }
}

/// A token or group of another program.
fn another(corpus: &[Vec<Tree>], random: &mut Random) -> Tree {
    let mut program = random.pick(corpus).clone();
    let number = random.below(count(&program).max(1));
    match locate(&mut program, number) {
        Some((sequence, position)) => sequence[position].clone(),
        None => Tree::Token("x".to_owned()),
    }
}

fn is_number(tree: &Tree) -> bool {
    matches!(tree, Tree::Token(token) if token.starts_with(|letter: char| letter.is_ascii_digit()))
}

/// Replaces a number by one of `EDGES`, if the program has a number.
fn replace_literal(trees: &mut Vec<Tree>, random: &mut Random) {
    let all = 0..count(trees);
    let numbers: Vec<usize> = all
        .filter(|number| {
            locate(trees, *number).is_some_and(|(sequence, position)| is_number(&sequence[position]))
        })
        .collect();
    if numbers.is_empty() {
        return;
    }
    if let Some((sequence, position)) = locate(trees, *random.pick(&numbers)) {
        sequence[position] = Tree::Token((*random.pick(&EDGES)).to_owned());
    }
}

/// Repeats some neighbouring tokens, such as `>> split(3)`, a few times.
fn repeat(sequence: &mut Vec<Tree>, position: usize, random: &mut Random) {
    let length = 1 + random.below((sequence.len() - position).min(6));
    let part = sequence[position..position + length].to_vec();
    for _ in 0..=random.below(4) {
        sequence.splice(position..position, part.iter().cloned());
    }
}

/// Replaces a group by the inside of a group of another program, if both have groups.
fn splice(trees: &mut Vec<Tree>, corpus: &[Vec<Tree>], random: &mut Random) {
    let mut other = random.pick(corpus).clone();
    let (own, others) = (groups(trees), groups(&mut other));
    if own.is_empty() || others.is_empty() {
        return;
    }
    let (own, theirs) = (*random.pick(&own), *random.pick(&others));
    let Some((sequence, position)) = locate(&mut other, theirs) else { return };
    let group = sequence[position].clone();
    if let Some((sequence, position)) = locate(trees, own) {
        sequence[position] = group;
    }
}

/// Exchanges two groups of the program, neither of which contains the other.
fn exchange(trees: &mut Vec<Tree>, random: &mut Random) {
    let groups = groups(trees);
    if groups.len() < 2 {
        return;
    }
    let (first, second) = (*random.pick(&groups), *random.pick(&groups));
    let (first, second) = (first.min(second), first.max(second));
    let group_at = |trees: &mut Vec<Tree>, number| {
        locate(trees, number).map(|(sequence, position)| sequence[position].clone())
    };
    let (Some(left), Some(right)) = (group_at(trees, first), group_at(trees, second)) else { return };
    if second < first + count(std::slice::from_ref(&left)) {
        return;
    }
    // The later group first, so that the number of the earlier one stays.
    if let Some((sequence, position)) = locate(trees, second) {
        sequence[position] = left;
    }
    if let Some((sequence, position)) = locate(trees, first) {
        sequence[position] = right;
    }
}

/// The numbers of all groups.
fn groups(trees: &mut Vec<Tree>) -> Vec<usize> {
    let numbers = 0..count(trees);
    let is_group = |number: &usize| {
        locate(trees, *number)
            .is_some_and(|(sequence, position)| matches!(sequence[position], Tree::Group(..)))
    };
    numbers.filter(is_group).collect()
}
