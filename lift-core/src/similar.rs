//! The name that is most like a misspelt one.

/// The candidate that was perhaps meant by a name.
pub(crate) fn nearest(name: &str, candidates: impl IntoIterator<Item = String>) -> Option<String> {
    let length = name.chars().count();
    // Every name of one letter is one letter away from every other.
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(name, &candidate), candidate))
        // `FACTOR` is not a misspelt `atOr`.
        .filter(|(distance, candidate)| *distance == 0 || is_upper(candidate) == is_upper(name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Whether a name looks like that of a size or of a constant.
pub(crate) fn is_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The number of single letters to insert, delete, replace or swap with a neighbour to get from one to the
/// other (optimal string alignment). Case does not count: `mapseq` is `mapSeq`.
fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&above, column) + usize::from(letter != other);
            let mut best = replaced.min(at(&above, column + 1) + 1).min(at(&current, column) + 1);
            let swapped = row > 0
                && column > 0
                && left.get(row - 1) == Some(other)
                && right.get(column - 1) == Some(letter);
            if swapped {
                best = best.min(at(&before, column - 1) + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_a_distance_of_one() {
        for (slip, meant) in
            [("mpa", "map"), ("transpos", "transpose"), ("redcue", "reduce"), ("ziip", "zip")]
        {
            assert_eq!(edit_distance(slip, meant), 1, "{slip}");
        }
        assert_eq!(edit_distance("mapseq", "mapSeq"), 0);
        assert!(edit_distance("join", "split") > 2);
    }
}
