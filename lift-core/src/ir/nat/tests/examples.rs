//! Expressions and their simplified forms.

use super::*;

#[test]
fn text_puts_positive_and_higher_terms_first() {
    let Names { n, m, i, j, .. } = names();
    let table = [
        (&n - number(1), "N - 1"),
        (&n * number(3) + number(1), "3 * N + 1"),
        (div(&n, 2), "N / 2"),
        (rem(&n + &m, &m), "(N + M) % M"),
        (number(0) - &n, "-N"),
        (&i * &m + &j, "M * i + j"),
        (&n * &n * &n, "N * N * N"),
        (div(&n * &m, &j + &i), "N * M / (i + j)"),
        (number(4) * div(&n, 4), "4 * (N / 4)"),
        (min(&n, &m), "min(N, M)"),
        (Nat::select(&less(&i, &number(3)), &n, &m), "if i < 3 { N } else { M }"),
        (number(0), "0"),
        (div(rem(&n, &m), 7), "(N % M) / 7"),
    ];
    for (expression, expected) in table {
        assert_eq!(expression.to_string(), expected);
    }
}

#[test]
fn equal_polynomials_have_one_form() {
    let Names { n, m, .. } = names();
    assert_eq!(&n * number(2) + &n, &n * number(3));
    assert_eq!((&n + &m) * (&n - &m), &n * &n - &m * &m);
    assert_eq!(div(div(&n, 4), 8), div(&n, 32));
    assert_eq!(div(&n + number(5), 4), div(&n + number(1), 4) + number(1));
    assert_eq!(min(&n, min(&m, &n)), min(&m, &n));
    assert_eq!(Nat::select(&less(&n, &m), &n, &m), min(&n, &m));
}

#[test]
fn sums_that_differ_in_the_name_of_the_index_are_equal() {
    let Names { n, i, j, x, .. } = names();
    let sum = |index: u32, body: &Nat| Nat::sum(&var(index), &number(0), &n, body);
    assert_eq!(sum(2, &div(&i, &x)), sum(3, &div(&j, &x)));
    let nested = sum(2, &sum(3, &div(&i, &j + number(1))));
    assert_eq!(nested, sum(3, &sum(2, &div(&j, &i + number(1)))));
}

#[test]
fn substitution_does_not_capture_the_index_of_a_sum() {
    let Names { n, i, x, .. } = names();
    let sum = Nat::sum(&var(2), &number(0), &n, &div(&i, &x));
    let substituted = sum.substitute(&[(var(6), i.clone())].into());
    let assignment = |var: &Var| match var.id() {
        0 => Some(5),
        2 => Some(2),
        _ => None,
    };
    assert_eq!(substituted.evaluate(&assignment), Some(4));
}

#[test]
fn overflow_neither_wraps_nor_panics() {
    let Names { n, m, x, .. } = names();
    let huge = number(i128::MAX);
    let assign_one = |_: &Var| Some(1);
    for expression in [
        &huge + &huge,
        &huge * &n + &huge * &n,
        &huge * &huge * &m,
        (&huge * &x).pow(&number(9)),
        number(i128::MIN) * number(-1),
        div(number(i128::MIN), -1),
        rem(&huge * &x + &huge * &x, 7),
    ] {
        let ranges = names().ranges;
        assert!(expression.evaluate(&assign_one).is_none_or(|value| value < 7), "{expression}");
        assert!(ranges.simplify(&expression).evaluate(&assign_one).is_none_or(|value| value < 7));
    }
}

#[test]
fn rows_of_symbolic_length_are_taken_apart() {
    let Names { n, m, i, j, ranges, .. } = names();
    let row = &i * &m + &j;
    let padded = &i * (&m + number(2)) + &j;
    assert_simplified(
        &ranges,
        &[
            (div(&row, &m), "i"),
            (rem(&row, &m), "j"),
            (div(&padded, &m + number(2)), "i"),
            (rem(&padded, &m + number(2)), "j"),
            (div(&padded + number(2), &m + number(2)), "i"),
            (rem(&padded + number(1), &m + number(2)), "j + 1"),
            (div(&j * &n + &i, &n) + rem(&j * &n + &i, &n) * &m, "M * i + j"),
            (div(&row, &n * &m), "0"),
            (rem(&row, &n * &m), "M * i + j"),
            (div(&n * &m - number(1) - &j, &m), "N - 1"),
            (div(&row + &n * &m, &m), "N + i"),
        ],
    );
}

#[test]
fn digits_of_constant_size_are_taken_apart() {
    let Names { i, l, w, x, ranges, .. } = names();
    let lane = &l + number(128) * &w;
    assert_simplified(
        &ranges,
        &[
            (rem(lane.clone(), 128), "l"),
            (div(lane.clone(), 128), "w"),
            (div(&i, 4) * number(4) + rem(&i, 4), "i"),
            ((div(&i, 4) * number(4) + rem(&i, 4)) * &x, "i * x"),
            (rem(rem(&x, 32), 8), "x % 8"),
            (div(rem(&x, 32), 8), "(x / 8) % 4"),
            (div(number(4) * &i + rem(&x, 4), 8), "i / 2"),
            (rem(number(4) * &i + rem(&x, 4), 8), "4 * (i % 2) + x % 4"),
            (&x - number(128) * div(&x, 128), "x % 128"),
            (rem(&x, 4) + number(4) * rem(div(&x, 4), 8), "x % 32"),
            (rem(&l, 128), "l"),
            (div(&l, 128), "0"),
            (div(&l + number(128), 128), "1"),
            (div(&w - number(8), 8), "-1"),
        ],
    );
}

#[test]
fn nested_symbolic_divisors_are_taken_apart() {
    let Names { n, m, i, j, x, ranges, .. } = names();
    let row = &x * &m + &j;
    assert_simplified(
        &ranges,
        &[
            (div(row.clone(), &n * &m), "x / N"),
            (rem(row.clone(), &n * &m), "M * (x % N) + j"),
            (div(div(&x, &n), &m), "x / (N * M)"),
            (rem(rem(&x, &n * &m), &m), "x % M"),
            (div(rem(&x, &n * &m), &m), "(x / M) % N"),
            (&m * div(&x, &m) + rem(&x, &m), "x"),
            ((&m + number(2)) * div(&x, &m + number(2)) + rem(&x, &m + number(2)), "x"),
            (&i * (&m * div(&x, &m) + rem(&x, &m)), "i * x"),
        ],
    );
}

#[test]
fn divisors_that_may_be_zero_are_joined_as_well() {
    let Names { n, m, x, .. } = names();
    let mut ranges = Ranges::new();
    ranges.declare(&var(0), Nat::zero(), None);
    ranges.declare(&var(1), Nat::zero(), None);
    assert_simplified(
        &ranges,
        &[
            (div(div(&x, &n), &m), "x / (N * M)"),
            (div(rem(&x, &n * &m), &m), "(x / M) % N"),
            (&m * rem(div(&x, &m), &n) + rem(&x, &m), "x % (N * M)"),
            // Nothing is known of the sign of `x`.
            (div(div(&n, &x), &m), "(N / x) / M"),
        ],
    );
}

#[test]
fn stated_divisibility_makes_division_exact() {
    let Names { n, m, i, l, x, mut ranges, .. } = names();
    ranges.assume_divides(&number(128), &n);
    assert_simplified(
        &ranges,
        &[
            (div(&n, 128) * number(128), "N"),
            (rem(&n, 128), "0"),
            (rem(&n, 64), "0"),
            (n.clone(), "N"),
            (div(&n, 128), "N / 128"),
            (div(&x * &n + &l, 128), "x * (N / 128)"),
            (rem(&x * &n + &l, 128), "l"),
            (&n * &n, "N * N"),
            (div(&n, 256), "N / 256"),
            (div(&i, 128) * number(128) + rem(&i, 128), "i"),
        ],
    );
    let mut symbolic = names().ranges;
    symbolic.assume_divides(&m, &n);
    assert_simplified(&symbolic, &[(div(&n, &m) * &m, "N"), (rem(&n, &m), "0"), (div(&n, &m), "N / M")]);
    assert_eq!(symbolic.is_less(&number(0), &m), Some(true));
}

#[test]
fn stated_divisibility_of_sums_and_products_counts() {
    let Names { n, m, mut ranges, .. } = names();
    ranges.assume_divides(&number(4), &(&n + number(2)));
    ranges.assume_divides(&number(8), &(&n * &m));
    assert_eq!(ranges.divides(&number(4), &(&n + number(2))), Some(true));
    assert_eq!(ranges.divides(&number(4), &n), Some(false));
    assert_eq!(ranges.divides(&number(2), &n), Some(true));
    assert_simplified(&ranges, &[(div(&n + number(2), 4) * number(4), "N + 2")]);
}

#[test]
fn clamped_indices_lose_only_what_the_ranges_make_redundant() {
    let Names { n, i, mut ranges, .. } = names();
    let clamp = |offset: Nat| min(max(&i + offset - number(1), 0), &n - number(1));
    let k = Nat::variable(&var(7));
    ranges.declare(&var(7), Nat::zero(), Some(number(3)));
    assert_simplified(
        &ranges,
        &[
            (clamp(number(0)), "max(0, i - 1)"),
            (clamp(number(1)), "i"),
            (clamp(number(2)), "min(N - 1, i + 1)"),
        ],
    );
    let kept = ranges.simplify(&clamp(k));
    assert_eq!(kept.to_string(), "min(N - 1, max(0, i + unnamed - 1))");
}

#[test]
fn the_traps_of_earlier_algebras_are_avoided() {
    let Names { n, i, x, ranges, .. } = names();
    // Remainders are never negative, so the inner one may go. But no remainder may be dropped altogether, and
    // multiples of a negative term must not vanish.
    let three = |n: Nat| rem(n, 3);
    assert_eq!(three(number(3) + three(&x - number(3))), three(x.clone()));
    for value in -7..8 {
        let at = |n: &Nat| n.evaluate(&|_: &Var| Some(value));
        assert_eq!(at(&three(number(3) - number(2) * &x)), Some((3 - 2 * value).rem_euclid(3)));
        assert_eq!(at(&three(number(3) - &x)), Some((3 - value).rem_euclid(3)));
    }
    assert_ne!(ranges.simplify(&three(number(3) - number(2) * &x)), number(3) - number(2) * &x);
    assert_ne!(ranges.simplify(&three(number(3) - &x)), number(3) - &x);
    // 1 % 1 is 0.
    assert_eq!(rem(1, 1), number(0));
    assert_eq!(ranges.simplify(&rem(1, &n)).to_string(), "1 % N");
    // N / 4 is no multiple of N / 8, and an upper bound alone does not make an index small.
    assert_eq!(ranges.divides(&div(&n, 8), &div(&n, 4)), None);
    let mut upper_only = Ranges::new();
    upper_only.assume(&less(&x, &number(4)));
    let tile = div(&x + number(16) * &i, 4);
    assert_eq!(upper_only.simplify(&tile).to_string(), "4 * i + x / 4");
    // Division is not exact unless that is known.
    assert_eq!(ranges.simplify(&(number(4) * div(&n, 4))).to_string(), "4 * (N / 4)");
}

#[test]
fn sums_have_closed_forms() {
    let Names { n, m, i, ranges, .. } = names();
    let sum = |from: &Nat, to: &Nat, body: &Nat| Nat::sum(&var(2), from, to, body);
    let zero = number(0);
    let first = less(&i, &number(3));
    assert_simplified(
        &ranges,
        &[
            (sum(&zero, &n, &m), "N * M"),
            (sum(&zero, &n, &i), "(N * N - N) / 2"),
            (sum(&zero, &n, &(&i + number(1))), "(N * N + N) / 2"),
            (number(2) * sum(&zero, &n, &i), "N * N - N"),
            (sum(&zero, &n, &number(2).pow(&i)), "pow(2, N) - 1"),
            (sum(&zero, &n, &number(2).pow(&(&i + number(1)))), "2 * pow(2, N) - 2"),
            (sum(&number(2), &number(5), &(&i * &i)), "29"),
            (sum(&zero, &(&n + number(3)), &Nat::select(&first, &m, &number(1))), "N + 3 * M"),
            (sum(&zero, &n, &min(&i, number(0))), "0"),
            (sum(&n, &number(0), &i), "0"),
        ],
    );
    let triangle = sum(&zero, &(&n + number(1)), &i);
    assert_eq!(ranges.is_equal(&triangle, &div(&n * (&n + number(1)), 2)), Some(true));
}

#[test]
fn powers_and_logarithms_undo_each_other() {
    let Names { n, m, ranges, .. } = names();
    let two = number(2);
    assert_simplified(
        &ranges,
        &[
            (two.pow(&n).log2(), "N"),
            ((two.pow(&n) * number(8)).log2(), "N + 3"),
            ((number(4) * &m).log2(), "log2(M) + 2"),
            (two.pow(&n) * two.pow(&m), "pow(2, N + M)"),
            (two.pow(&(&n + number(1))), "2 * pow(2, N)"),
            (number(1).pow(&n), "1"),
            (n.pow(&number(0)), "1"),
        ],
    );
}

#[test]
fn choices_are_decided_by_ranges() {
    let Names { n, m, i, j, x, ranges, .. } = names();
    let inside = Condition::LessOrEqual(number(0), i.clone()).and(less(&i, &n));
    assert_simplified(
        &ranges,
        &[
            (Nat::select(&inside, &x, &m), "x"),
            (Nat::select(&less(&n, &i), &x, &m), "M"),
            (Nat::select(&less(&i, &j), &rem(&i, &m), &x), "if i < j { i } else { x }"),
            (
                Nat::select(&Condition::Equal(i.clone(), number(0)), &(&i * &x), &x),
                "if i == 0 { 0 } else { x }",
            ),
        ],
    );
}

#[test]
fn sums_over_cases_quotients_and_remainders_have_closed_forms() {
    let Names { n, ranges, .. } = names();
    let i = Nat::variable(&var(40));
    let sum = |to: &Nat, body: &Nat| Nat::sum(&var(40), &number(0), to, body);
    let case_split = Nat::select(
        &less(&i, &number(1)),
        &number(1),
        &Nat::select(&less(&i, &number(2)), &(&n - number(2)), &number(1)),
    );
    let between = less(&number(3), &i).and(less(&i, &number(10)));
    let triangle = div(&i * &i + &i, 2);
    assert_simplified(
        &ranges,
        &[
            (sum(&number(3), &case_split), "N"),
            (sum(&number(40), &case_split), "N + 37"),
            (sum(&number(40), &Nat::select(&between, &number(1), &number(2))), "74"),
            (sum(&number(40), &Nat::select(&less(&i.scale(3), &number(40)), &number(1), &number(0))), "14"),
            (sum(&number(40), &Nat::select(&Condition::Equal(i.scale(3), number(39)), &i, &number(0))), "13"),
            (sum(&n, &triangle), "(N * N * N - N) / 6"),
            (
                sum(
                    &number(20),
                    &Nat::select(&Condition::Equal(rem(i.clone(), 2), number(0)), &number(1), &number(2)),
                ),
                "30",
            ),
            (sum(&number(30), &div(i.clone(), 3)), "135"),
        ],
    );
}

#[test]
fn an_index_below_a_quotient_is_far_enough_below_the_dividend() {
    // The elements `l`, `l + 128`, … of an array: as many as lie in it.
    let Names { n, l, mut ranges, .. } = names();
    ranges.declare(&var(7), Nat::zero(), Some(div(&n + number(127) - &l, 128)));
    let element = &l + number(128) * Nat::variable(&var(7));
    assert_eq!(ranges.is_less(&element, &n), Some(true));
    assert_eq!(ranges.is_less(&element, &(&n - number(1))), None);
}

#[test]
fn a_quotient_that_may_be_minus_one_is_bounded_below() {
    let Names { n, l, ranges, .. } = names();
    assert_eq!(ranges.is_non_negative(&(div(&n - &l, 128) + number(1))), Some(true));
    assert_eq!(ranges.is_non_negative(&div(&n - &l, 128)), None);
}

#[test]
fn a_tile_starts_behind_whole_tiles_whether_or_not_the_last_one_is_whole() {
    let Names { n, mut ranges, .. } = names();
    let tile = Nat::variable(&var(7));
    let tiles = div(&n + number(1791), 1792);
    ranges.declare(&var(7), Nat::zero(), Some(tiles));
    let length = min(number(1792), &n - Nat::variable(&var(40)).scale(1792));
    let start = Nat::sum(&var(40), &number(0), &tile, &length);
    assert_eq!(ranges.simplify(&start), tile.scale(1792));
}

#[test]
fn a_high_power_of_a_size_is_not_written_out() {
    let Names { n, ranges, .. } = names();
    let power = n.pow(&number(2_147_483_647));
    assert_eq!(ranges.simplify(&power).to_string().matches(&n.to_string()).count(), 1, "{power}");
    // Nor is a power of powers.
    let steps = (0..3).fold(n.clone(), |power, _| power.pow(&number(60)));
    assert!(ranges.simplify(&steps).to_string().len() < 1_000, "{steps}");
    assert_eq!(n.pow(&number(2)), &n * &n);
}

#[test]
fn conditions_are_written_as_people_say_them() {
    let Names { n, m, .. } = names();
    let at_least = |least, size: &Nat| Condition::LessOrEqual(Nat::constant(least), size.clone());
    let at_most = |size: &Nat, most| Condition::LessOrEqual(size.clone(), Nat::constant(most));
    let both = at_least(16, &n).and(at_least(16, &m)).and(at_most(&n, 64));
    assert_eq!(both.to_string(), "N >= 16 && M >= 16 && N <= 64");
    let either = at_most(&m, 8).or(both).or(Condition::Equal(n.clone(), m.clone()));
    assert_eq!(either.to_string(), "M <= 8 || (N >= 16 && M >= 16 && N <= 64) || N == M");
    let all = at_least(1, &n).and(at_most(&n, 4).or(at_most(&m, 4)));
    assert_eq!(all.to_string(), "N >= 1 && (N <= 4 || M <= 4)");
}

/// If one condition implies another, `&&` of both is the one that implies, and `||` the one that is implied.
#[test]
fn conditions_that_others_imply_are_dropped() {
    let Names { n, m, .. } = names();
    let at_most = |n: &Nat, most| Condition::LessOrEqual(n.clone(), number(most));
    let (short, long, other) = (at_most(&n, 7), at_most(&n, 9), at_most(&m, 9));
    assert_eq!(short.clone().and(long.clone()).canonical(), short.canonical());
    assert_eq!(long.clone().and(short.clone()).canonical(), short.canonical());
    assert_eq!(short.clone().or(long.clone()).canonical(), long.canonical());
    assert_eq!(long.clone().or(short.clone()).canonical(), long.canonical());
    assert!(short.implies(&long) && !long.implies(&short));
    assert!(!short.implies(&other) && !other.implies(&long));
    // In the other direction, and in steps of four: `n <= 7`.
    let at_least = Condition::LessOrEqual(number(9), n.clone());
    assert!(!at_least.implies(&long) && !long.implies(&at_least));
    let steps = at_most(&(&n * number(4)), 31);
    assert!(steps.implies(&long) && steps.implies(&short) && !long.implies(&steps));
}

#[test]
fn comparisons_of_extremes_are_those_of_the_operand_that_matters() {
    let Names { ranges, n, m, x, .. } = names();
    let less = |a: &Nat, b: &Nat| ranges.simplify_condition(&Condition::Less(a.clone(), b.clone()));
    let one_more = &n + number(1);
    let (least, greatest) = (min(one_more.clone(), x.clone()), max(n.clone(), x.clone()));
    assert_eq!(less(&least, &one_more), less(&x, &one_more));
    assert_eq!(less(&(&least + number(2)), &(&n + number(2))), less(&x, &n));
    assert_eq!(less(&greatest, &n), Condition::from_truth(false));
    assert_eq!(less(&n, &greatest), less(&n, &x));
    assert_eq!(less(&(&n - number(1)), &least), less(&(&n - number(1)), &x));
    // Both operands matter.
    assert_eq!(
        less(&least, &m).to_string(),
        Condition::Less(least.clone(), m.clone()).canonical().to_string()
    );
}
