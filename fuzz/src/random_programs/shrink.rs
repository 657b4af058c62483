//! Simpler programs with the same mistake: fewer choices, and smaller ones.

/// The greatest number of programs that are tried.
const MOST_TRIALS: usize = 400;

/// Leaves choices out and makes them zero, from many at once to one by one, as long as the mistake stays the
/// same.
pub(crate) fn shrunk(mut choices: Vec<u32>, is_same: impl Fn(&[u32]) -> bool) -> Vec<u32> {
    let mut trials = 0;
    let mut length = choices.len().div_ceil(2).max(1);
    loop {
        let mut position = 0;
        while position < choices.len() {
            let end = (position + length).min(choices.len());
            let removed = [&choices[..position], &choices[end..]].concat();
            let mut zeroed = choices.clone();
            zeroed[position..end].fill(0);
            let candidates = [removed, zeroed].into_iter().filter(|candidate| *candidate != choices);
            let mut smaller = None;
            for candidate in candidates {
                trials += 1;
                if trials > MOST_TRIALS {
                    return choices;
                }
                if is_same(&candidate) {
                    smaller = Some(candidate);
                    break;
                }
            }
            match smaller {
                // Next come the choices that moved into the place of those that were left out.
                Some(candidate) if candidate.len() < choices.len() => choices = candidate,
                Some(candidate) => {
                    choices = candidate;
                    position = end;
                }
                None => position = end,
            }
        }
        if length == 1 {
            return choices;
        }
        length = length.div_ceil(2);
    }
}
