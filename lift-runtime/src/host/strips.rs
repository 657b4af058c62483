//! Loops over strips of neighbouring positions, or over all positions at once.

use std::ops::Range;

use super::shared::{at, row};

/// Whether a position may be computed twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// It may: the last strip may overlap the one before.
    Allowed,
    /// It must not: the rest is done position by position.
    Forbidden,
}

/// Computes `positions`. `strip` computes the part of `interior` that fills strips of `W`, and is called with
/// the first position of each strip. `single` computes all other positions. The interior is cut to the
/// positions.
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
    // Each of the two functions is called in one place, so that inlining copies it once.
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

/// Computes `positions` in strips of `W`, by `strip` with the first position of each. There must be at least
/// `W` of them. If they end within a strip, the last strip overlaps the one before.
#[inline(always)]
pub fn filled_strips<const W: usize>(positions: Range<isize>, strip: impl Fn(isize)) {
    let lanes = W as isize;
    let mut next = positions.start;
    while next < positions.end {
        next = next.min(positions.end - lanes);
        strip(next);
        next += lanes;
    }
}

/// Computes `positions`, if there are any, by one call of `row` with the first of them and their number.
#[inline(always)]
pub fn one_row(positions: Range<isize>, row: impl Fn(isize, usize)) {
    if positions.start < positions.end {
        row(positions.start, (positions.end - positions.start) as usize);
    }
}

/// Computes `positions`. `wide` computes the part of `interior` that fills strips of `W`, and is called with
/// the first position of each strip. `narrow` computes other positions in strips of `N`, which may lie
/// anywhere. `single` computes what fills no such strip. The interior is cut to the positions.
#[inline(always)]
pub fn strips_of_two_lengths<const W: usize, const N: usize>(
    positions: Range<isize>,
    interior: Range<isize>,
    overlap: Overlap,
    wide: impl Fn(isize),
    narrow: impl Fn(isize),
    single: impl Fn(isize),
) {
    let (long, short) = (W as isize, N as isize);
    let Range { start, end } = positions;
    let first = interior.start.max(start).min(end);
    let inner = interior.end.min(end).max(first);
    let overlaps = overlap == Overlap::Allowed;
    // Each of the functions is called in one place, so that inlining copies it once.
    let mut next = start;
    while next < end {
        let left = inner - next;
        if next >= first && (left >= long || overlaps && left > short && inner - first >= long) {
            next = next.min(inner - long);
            wide(next);
            next += long;
        } else if end - next >= short || overlaps && end - start >= short {
            next = next.min(end - short);
            narrow(next);
            next += short;
        } else {
            single(next);
            next += 1;
        }
    }
}

/// Computes `positions`: those of `interior` by one call of `row` with the first of them and their number,
/// and all others by `single`. The interior is cut to the positions.
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

/// The elements that `lanes` neighbours read from an array in all iterations of a loop, if their index
/// depends only on the sum of lane and iteration. There is one element for each sum. Its index is that of the
/// largest lane and the smallest iteration with this sum.
#[inline(always)]
pub fn sliding<T: Copy, const LENGTH: usize>(
    data: &[T],
    lanes: usize,
    index: impl Fn(isize, isize) -> isize,
) -> [T; LENGTH] {
    // Loops, because they are certain to be inlined and become vector code; `array::from_fn` is not.
    let mut places = [0; LENGTH];
    for (sum, place) in places.iter_mut().enumerate() {
        let lane = sum.min(lanes - 1);
        *place = index(lane as isize, (sum - lane) as isize);
    }
    let first = places[0];
    let distances = places.iter().enumerate().map(|(sum, place)| place.wrapping_sub(first) ^ sum as isize);
    let are_neighbours = distances.fold(0, |all, distance| all | distance) == 0;
    if are_neighbours {
        // Away from edges.
        return *row(data, first);
    }
    let mut elements = [at(data, first); LENGTH];
    for (element, place) in elements.iter_mut().zip(places) {
        *element = at(data, place);
    }
    elements
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
    fn filled_strips_compute_every_position() {
        for (start, end) in (0..3).flat_map(|start| (start + 4..24).map(move |end| (start, end))) {
            let counts = RefCell::new(vec![0; end as usize]);
            filled_strips::<4>(start..end, |first| {
                assert!(first >= start && first + 4 <= end);
                (0..4).for_each(|lane| counts.borrow_mut()[first as usize + lane] += 1);
            });
            let counts = counts.into_inner();
            assert!(counts.iter().skip(start as usize).all(|count| *count > 0), "{start}..{end}");
            assert!((end - start) % 4 > 0 || counts.iter().all(|count| *count <= 1), "{start}..{end}");
        }
        filled_strips::<4>(3..3, |_| panic!("there is no position"));
    }

    #[test]
    fn one_row_has_all_positions() {
        let calls = RefCell::new(Vec::new());
        for end in [2, 3, 9] {
            one_row(3..end, |first, length| calls.borrow_mut().push((first, length)));
        }
        assert_eq!(calls.into_inner(), [(3, 6)]);
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
    fn strips_of_two_lengths_compute_every_position_and_only_wide_ones_stay_inside() {
        for (start, end) in (0..3).flat_map(|start| (start..40).map(move |end| (start, end))) {
            for (first, last) in [(0, 40), (1, 39), (2, 25), (5, 5), (9, 2), (-3, 60)] {
                for overlap in [Overlap::Allowed, Overlap::Forbidden] {
                    let counts = RefCell::new(vec![0; end as usize]);
                    let singles = RefCell::new(0);
                    let count = |from: isize, length: isize| {
                        assert!(from >= start && from + length <= end);
                        (from..from + length).for_each(|place| counts.borrow_mut()[place as usize] += 1);
                    };
                    strips_of_two_lengths::<12, 4>(
                        start..end,
                        first..last,
                        overlap,
                        |from| {
                            assert!(from >= first && from + 12 <= last);
                            count(from, 12);
                        },
                        |from| count(from, 4),
                        |place| {
                            *singles.borrow_mut() += 1;
                            count(place, 1);
                        },
                    );
                    let counts = &counts.into_inner()[start as usize..];
                    assert!(counts.iter().all(|count| *count > 0));
                    assert!(overlap == Overlap::Allowed || counts.iter().all(|count| *count == 1));
                    let most = if overlap == Overlap::Allowed && end - start >= 4 { 0 } else { 3 };
                    assert!(singles.into_inner() <= most, "{start}..{end}, {first}..{last}");
                }
            }
        }
    }

    #[test]
    fn lanes_and_steps_of_a_sliding_window_are_those_of_the_loop() {
        let data: Vec<isize> = (0..40).collect();
        let elements: [isize; 6] = sliding(&data, 4, |lane, step| 10 * step + lane);
        assert_eq!(elements, [0, 1, 2, 3, 13, 23]);
    }

    #[test]
    fn a_sliding_window_is_the_array_or_what_lies_beyond_its_edge() {
        let data = [10, 11, 12, 13, 14, 15, 16, 17];
        let clamped =
            |start: isize| sliding::<i32, 5>(&data, 3, |lane, step| (start + lane + step).clamp(0, 7));
        assert_eq!(clamped(2), [12, 13, 14, 15, 16]);
        assert_eq!(clamped(-2), [10, 10, 10, 11, 12]);
        assert_eq!(clamped(6), [16, 17, 17, 17, 17]);
        let wrapped = sliding::<i32, 5>(&data, 3, |lane, step| (5 + lane + step).rem_euclid(8));
        assert_eq!(wrapped, [15, 16, 17, 10, 11]);
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
