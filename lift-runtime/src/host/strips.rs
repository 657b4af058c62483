//! Loops in strips of neighbouring positions, or over all of them at once.

use std::ops::Range;

/// Whether a position may be computed twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// It may: the last strip may overlap the one before.
    Allowed,
    /// It must not: what is left over is done position by position.
    Forbidden,
}

/// Computes `positions`: those of `interior` in strips of `W`, as far as they fill strips, by `strip` with the first position of
/// each, and all others by `single`. The interior is cut to the positions.
#[inline(always)]
pub fn strips<const W: usize>(
    positions: Range<isize>,
    interior: Range<isize>,
    overlap: Overlap,
    strip: impl Fn(isize),
    single: impl Fn(isize),
) {
    let lanes = W as isize;
    let first = interior.start.max(positions.start).min(positions.end);
    let end = interior.end.min(positions.end).max(first);
    // Each of the two functions is called in one place, so that it is there once after inlining.
    let mut next = first;
    loop {
        let left = end - next;
        if left < lanes {
            let overlaps = overlap == Overlap::Allowed && left > 0 && end - first >= lanes;
            if !overlaps {
                break;
            }
            next = end - lanes;
        }
        strip(next);
        next += lanes;
    }
    let mut position = positions.start;
    loop {
        if position == first {
            position = next;
        }
        if position >= positions.end {
            break;
        }
        single(position);
        position += 1;
    }
}

/// Computes `positions`: those of `interior` by one call of `row` with the first of them and how many they are, and all others by `single`.
/// The interior is cut to the positions.
#[inline(always)]
pub fn whole(
    positions: Range<isize>,
    interior: Range<isize>,
    row: impl Fn(isize, usize),
    single: impl Fn(isize),
) {
    let first = interior.start.max(positions.start).min(positions.end);
    let end = interior.end.min(positions.end).max(first);
    if first < end {
        row(first, (end - first) as usize);
    }
    let mut position = positions.start;
    loop {
        if position == first {
            position = end;
        }
        if position >= positions.end {
            break;
        }
        single(position);
        position += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// How often each position is computed by strips, and alone.
    fn computed(
        positions: Range<isize>,
        interior: Range<isize>,
        overlap: Overlap,
    ) -> (Vec<usize>, Vec<usize>) {
        let length = positions.end.max(0) as usize;
        let (strip, single) = (RefCell::new(vec![0; length]), RefCell::new(vec![0; length]));
        strips::<4>(
            positions,
            interior,
            overlap,
            |start| (0..4).for_each(|lane| strip.borrow_mut()[start as usize + lane] += 1),
            |position| single.borrow_mut()[position as usize] += 1,
        );
        (strip.into_inner(), single.into_inner())
    }

    #[test]
    fn every_position_is_computed_and_borders_are_computed_alone() {
        for start in 0..3 {
            for end in start..24 {
                for (first, last) in [(0, 24), (1, 23), (2, 9), (5, 5), (9, 2), (-3, 40)] {
                    for overlap in [Overlap::Allowed, Overlap::Forbidden] {
                        let (strip, single) = computed(start..end, first..last, overlap);
                        for position in 0..end as usize {
                            let (together, alone) = (strip[position], single[position]);
                            let expected = (position as isize) >= start;
                            assert_eq!(together + alone > 0, expected, "{position} of {start}..{end}");
                            assert!(together == 0 || alone == 0);
                            assert!(together <= 1 || overlap == Overlap::Allowed);
                            let inside = (first..last).contains(&(position as isize));
                            assert!(together == 0 || inside);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_interior_is_computed_at_once_and_every_position_once() {
        for start in 0..3 {
            for end in start..12 {
                for (first, last) in [(0, 12), (1, 11), (2, 9), (5, 5), (9, 2), (-3, 40)] {
                    let (calls, counts) = (RefCell::new(0), RefCell::new(vec![0; end as usize]));
                    whole(
                        start..end,
                        first..last,
                        |from, length| {
                            *calls.borrow_mut() += 1;
                            assert!(length > 0 && from >= first && from + length as isize <= last);
                            (0..length).for_each(|lane| counts.borrow_mut()[from as usize + lane] += 1);
                        },
                        |position| {
                            assert!(!(first..last).contains(&position));
                            counts.borrow_mut()[position as usize] += 1;
                        },
                    );
                    assert!(calls.into_inner() <= 1);
                    let expected: Vec<usize> =
                        (0..end).map(|position| usize::from(position >= start)).collect();
                    assert_eq!(counts.into_inner(), expected, "{start}..{end}, {first}..{last}");
                }
            }
        }
    }

    #[test]
    fn a_loop_shorter_than_a_strip_has_none() {
        let (strip, single) = computed(0..3, 0..3, Overlap::Allowed);
        assert_eq!((strip, single), (vec![0; 3], vec![1; 3]));
    }

    #[test]
    fn the_last_strip_overlaps_the_one_before_if_it_may() {
        let (strip, single) = computed(0..6, 0..6, Overlap::Allowed);
        assert_eq!((strip, single), (vec![1, 1, 2, 2, 1, 1], vec![0; 6]));
        let (strip, single) = computed(0..6, 0..6, Overlap::Forbidden);
        assert_eq!((strip, single), (vec![1, 1, 1, 1, 0, 0], vec![0, 0, 0, 0, 1, 1]));
    }
}
