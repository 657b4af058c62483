//! `iterate`, end to end: by launching kernels again, in loops of a work-group or a work-item, and written
//! out; any number of times, none, odd and even; against plain loops.

use crate::common::{SHAPES, SIZES, grid, samples, sizes_to_simulate};
use lift::lift;
use lift::ndarray::{Array1, Array2, Axis};

include!("../../corpus/language/iterations.rs");

/// Numbers of applications: none, those that are written out where they are known, odd and even ones.
const TIMES: [usize; 7] = [0, 1, 2, 3, 4, 5, 18];

/// Which element stands beside the first or the last one.
#[derive(Clone, Copy)]
enum Border {
    Clamp,
    Wrap,
}

fn step(a: &[f32], border: Border) -> Vec<f32> {
    let length = a.len() as isize;
    let at = |i: isize| match border {
        Border::Clamp => a[i.clamp(0, length - 1) as usize],
        Border::Wrap => a[i.rem_euclid(length) as usize],
    };
    (0..length).map(|i| at(i - 1).max(at(i + 1)) + 1.0).collect()
}

fn iterated<T>(times: usize, first: T, step: impl FnMut(T) -> T) -> T {
    let mut step = step;
    (0..times).fold(first, |value, _| step(value))
}

fn reversed(mut a: Vec<f32>) -> Vec<f32> {
    a.reverse();
    a
}

#[test]
fn the_device_applies_a_function_any_number_of_times() -> lift::Result<()> {
    for n in SIZES {
        let a = samples(n);
        // Long arrays take long under a simulator.
        for times in TIMES.into_iter().filter(|times| times * n <= 2000) {
            let expected = iterated(times, a.clone(), |t| step(&t, Border::Clamp));
            assert_eq!(blurred(&a, times)?.to_vec(), expected, "{n}, {times}");
            assert_eq!(mirrored(&a, times)?.to_vec(), reversed(expected), "{n}, {times}");
            let expected = iterated(times + 1, a.clone(), |t| step(&t, Border::Clamp));
            assert_eq!(blurred_once_more(&a, times)?.to_vec(), expected, "{n}, {times}");
        }
        if n > 100 {
            continue;
        }
        let expected = iterated(100, a.clone(), |t| step(&t, Border::Clamp));
        assert_eq!(blurred_a_hundred_times(&a)?.to_vec(), expected, "{n}");
    }
    Ok(())
}

#[test]
fn the_device_applies_a_function_thousands_of_times() -> lift::Result<()> {
    let a = samples(11);
    for times in [1000, 1501] {
        let expected = iterated(times, a.clone(), |t| step(&t, Border::Clamp));
        assert_eq!(blurred(&a, times)?.to_vec(), expected, "{times}");
    }
    Ok(())
}

#[test]
fn what_is_iterated_may_be_computed_and_what_comes_out_may_be_used() -> lift::Result<()> {
    for (n, times) in [(1, 0), (1, 5), (7, 1), (100, 6), (257, 0), (257, 9)] {
        let a = samples(n);
        let doubled: Vec<f32> = a.iter().map(|x| x * 2.0).collect();
        let found = iterated(times, doubled, |t| step(&t, Border::Clamp));
        let expected: Vec<f32> = found.iter().rev().map(|x| x * 2.0).collect();
        assert_eq!(blurred_inside(&a, times)?.to_vec(), expected, "{n}, {times}");
    }
    Ok(())
}

#[test]
fn matrices_and_pairs_change_places_as_well() -> lift::Result<()> {
    for shape in SHAPES {
        for times in [0, 1, 5] {
            let a = grid(shape);
            // A mirrored border of one element is the element at the edge.
            let inside = |i: isize, length: usize| i.clamp(0, length as isize - 1) as usize;
            let at = |t: &Array2<f32>, y: isize, x: isize| t[[inside(y, shape.0), inside(x, shape.1)]];
            let expected = iterated(times, a.clone(), |t| {
                Array2::from_shape_fn(shape, |(y, x)| {
                    let near =
                        (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (y as isize + dy, x as isize + dx)));
                    near.map(|(y, x)| at(&t, y, x)).fold(-1e30, f32::max)
                })
            });
            assert_eq!(spread(&a, times)?, expected, "{shape:?}, {times}");
        }
    }
    let pairs: Vec<(i32, i32)> = (0..100).map(|i| (i, 100 - i)).collect();
    for times in TIMES {
        let expected =
            iterated(times, pairs.clone(), |t| t.into_iter().map(|(x, y)| (y, x.wrapping_add(y))).collect());
        assert_eq!(fibonacci(&pairs, times)?.to_vec(), expected, "{times}");
    }
    Ok(())
}

#[test]
fn an_application_may_take_several_kernels() -> lift::Result<()> {
    for n in [1, 5, 1000] {
        let a: Vec<i32> = (0..n).map(|i| i * 37 % 101 - 50).collect();
        for times in [0, 1, 5, 6] {
            let expected = iterated(times, a.clone(), |t| {
                let sum = t.iter().fold(0, |sum: i32, x| sum.wrapping_add(*x));
                t.iter().map(|x| x.wrapping_mul(3).wrapping_add(sum % 7)).collect()
            });
            assert_eq!(scaled_by_its_sum(&a, times)?.to_vec(), expected, "{n}, {times}");
        }
    }
    Ok(())
}

#[test]
fn applications_may_stand_inside_of_applications() -> lift::Result<()> {
    let a: Vec<i32> = (0..50).map(|i| i * 37 % 101 - 50).collect();
    for (outer, inner) in [(0, 0), (0, 5), (5, 0), (1, 1), (1, 6), (6, 1), (5, 7), (6, 6), (7, 2)] {
        let expected = iterated(outer, a.clone(), |t| {
            let inside: Vec<i32> =
                iterated(inner, t, |s| s.iter().rev().map(|x| x.wrapping_mul(3).wrapping_add(1)).collect());
            let mut next: Vec<i32> = inside.iter().map(|x| x.wrapping_add(5)).collect();
            next.rotate_left(1);
            next
        });
        assert_eq!(nested(&a, outer, inner)?.to_vec(), expected, "{outer}, {inner}");
    }
    Ok(())
}

#[test]
fn two_results_are_iterated_each_its_number_of_times() -> lift::Result<()> {
    let a = samples(129);
    for (few, many) in [(0, 0), (0, 7), (5, 0), (6, 9)] {
        let (first, second) = two_of_them(&a, few, many)?;
        let plus: Vec<f32> = a.iter().map(|x| x + few as f32).collect();
        let other = iterated(many, a.clone(), |t| t.iter().rev().map(|x| x + 2.0).collect());
        assert_eq!((first.to_vec(), second.to_vec()), (plus, other), "{few}, {many}");
    }
    Ok(())
}

fn in_parts<T: Copy>(a: &[T], length: usize, join: impl Fn(&[T]) -> T) -> Vec<T> {
    a.chunks(length).map(join).collect()
}

#[test]
fn the_device_makes_arrays_shorter_as_often_as_the_launch_says() -> lift::Result<()> {
    let sum = |part: &[f32]| part.iter().sum::<f32>();
    for m in 0..=7 {
        for n in sizes_to_simulate(&[1, 3, 100], 3)? {
            // Whole numbers are added up exactly in any order.
            let a: Vec<f32> = samples(n << m).iter().map(|x| x.round()).collect();
            let expected = iterated(m, a.clone(), |t| in_parts(&t, 2, sum));
            assert_eq!(halved(&a, m)?.to_vec(), expected, "{n}, {m}");
            let pairs: Vec<(i32, i32)> = a.iter().zip(0..).map(|(x, i)| (*x as i32, i * 37 % 101)).collect();
            let join = |part: &[(i32, i32)]| (part[0].0 + part[1].0, part[0].1.max(part[1].1));
            let expected = iterated(m, pairs.clone(), |t| in_parts(&t, 2, join));
            assert_eq!(halved_pairs(&pairs, m)?.to_vec(), expected, "{n}, {m}");
            for times in [0, 1, 4, 5] {
                let a: Vec<i32> = pairs.iter().map(|pair| pair.1).collect();
                let expected = iterated(m, a.clone(), |t| {
                    let turned = iterated(times, t, |s: Vec<i32>| {
                        s.iter().rev().map(|x| x.wrapping_mul(3).wrapping_add(1)).collect()
                    });
                    in_parts(&turned, 2, |part| part[0].wrapping_add(part[1]))
                });
                assert_eq!(halved_and_turned(&a, m, times)?.to_vec(), expected, "{n}, {m}, {times}");
            }
        }
    }
    let a: [f32; 1024] = std::array::from_fn(|i| (i % 17) as f32);
    assert_eq!(total(&a)?.to_vec(), [a.iter().sum::<f32>()]);
    Ok(())
}

#[test]
fn a_length_that_cannot_be_halved_so_often_is_an_error() {
    let error = halved(&[1.0; 12], 3).unwrap_err();
    assert!(error.to_string().contains("to divide"), "{error}");
    assert_eq!(halved(&[1.0; 12], 2).unwrap().to_vec(), [4.0; 3]);
}

#[test]
fn the_device_applies_a_function_to_rows_that_become_fewer() -> lift::Result<()> {
    for m in 0..=3 {
        let rows = 2 * 3usize.pow(m as u32);
        let a = grid((rows, 5));
        let parts = 3usize.pow(m as u32);
        let expected = Array2::from_shape_fn((2, 5), |(row, column)| {
            let part = (0..parts).map(|i| a[[(1 - row) * parts + i, column]] + 1.0);
            part.fold(-1e30, f32::max)
        });
        assert_eq!(merged_rows(&a, m)?, expected, "{m}");
    }
    Ok(())
}

#[test]
fn the_device_makes_arrays_longer_or_a_little_shorter_as_often_as_the_launch_says() -> lift::Result<()> {
    for n in [1, 2, 40, 300] {
        let (a, b) = (samples(n), (0..n as i32).map(|i| i * 37 % 101 - 50).collect::<Vec<i32>>());
        for times in TIMES {
            let at = |i: isize| a[i.clamp(0, n as isize - 1) as usize] + times as f32;
            let wide: Vec<f32> = (0..(n + 2 * times) as isize).map(|i| at(i - times as isize)).collect();
            assert_eq!(widened(&a, times)?.to_vec(), wide, "{n}, {times}");
            if 2 * times < n {
                let narrow = |t: Vec<f32>| t.windows(3).map(|w| w[0].max(w[2]) + 1.0).collect();
                assert_eq!(narrowed(&a, times)?.to_vec(), iterated(times, a.clone(), narrow), "{n}, {times}");
            }
            if times < n {
                let expected = iterated(times, b.clone(), |t: Vec<i32>| {
                    let sum = t.iter().fold(0, |sum: i32, x| sum.wrapping_add(*x));
                    t.windows(2).map(|w| w[1].wrapping_sub(w[0]).wrapping_add(sum % 7)).collect()
                });
                assert_eq!(differences(&b, times)?.to_vec(), expected, "{n}, {times}");
            }
            if times <= 5 {
                let expected = iterated(times, b.clone(), |t: Vec<i32>| {
                    let other = t.iter().map(|x| x.wrapping_mul(3).wrapping_add(2));
                    t.iter().map(|x| x.wrapping_add(1)).chain(other).collect()
                });
                assert_eq!(doubled(&b, times)?.to_vec(), expected, "{n}, {times}");
            }
        }
    }
    Ok(())
}

#[test]
fn the_number_of_an_application_is_an_argument_also_where_sizes_are_constants() -> lift::Result<()> {
    let kernel = halved::on(&lift::Device::default_device()?)?.specialised();
    for (length, m, sum) in [(96, 5, 32.0), (96, 4, 16.0), (32, 5, 32.0), (96, 5, 32.0)] {
        assert_eq!(kernel.run(&vec![1.0; length], m)?.to_vec(), vec![sum; length >> m]);
    }
    Ok(())
}

#[test]
fn a_profile_has_every_launch_of_a_counted_application() -> lift::Result<()> {
    let (sums, profile) = halved::on(&lift::Device::default_device()?)?.profile(&[1.0; 96], 5)?;
    assert_eq!(sums.to_vec(), [32.0; 3]);
    assert_eq!(profile.kernels.len(), 5);
    assert_eq!(profile.total(), profile.kernels.iter().map(|kernel| kernel.duration).sum());
    Ok(())
}

#[test]
fn a_work_group_applies_a_function_any_number_of_times() -> lift::Result<()> {
    let in_chunks = |a: &[f32], length: usize, step: &dyn Fn(&[f32]) -> Vec<f32>, times| {
        let rows = a.chunks(length).flat_map(|chunk| iterated(times, chunk.to_vec(), |t| step(&t)));
        rows.collect::<Vec<f32>>()
    };
    for groups in [1, 3] {
        let (a, b) = (samples(64 * groups), samples(40 * groups));
        for times in TIMES {
            let expected = in_chunks(&a, 64, &|t| step(t, Border::Wrap), times);
            assert_eq!(smoothed_in_groups(&a, times)?.to_vec(), expected, "{times}");
            assert_eq!(smoothed_in_global_memory(&a, times)?.to_vec(), expected, "{times}");
            let twice = |t: &[f32]| reversed(step(t, Border::Wrap)).iter().map(|x| x + 1.0).collect();
            let expected = in_chunks(&b, 40, &twice, times);
            assert_eq!(smoothed_twice_in_groups(&b, times)?.to_vec(), expected, "{times}");
            let halved = |t: &[f32]| t.iter().map(|x| x * 0.5 + 1.0).collect();
            let expected = in_chunks(&a, 64, &halved, times);
            assert_eq!(counted_in_registers(&a, times)?.to_vec(), expected, "{times}");
        }
    }
    Ok(())
}

#[test]
fn arrays_that_shrink_or_grow_may_do_so_as_often_as_the_launch_says() -> lift::Result<()> {
    let a = samples(512);
    for height in 0..=8 {
        let length = 1 << height;
        let sums: Vec<f32> = a.chunks(length).map(|chunk| chunk.iter().sum()).collect();
        assert_eq!(tree(&a, height)?.into_raw_vec_and_offset().0, sums, "{height}");
    }
    let rows = grid((3, 30));
    for times in 0..=9 {
        let found = grown(&rows, times)?;
        for (row, found) in rows.axis_iter(Axis(0)).zip(found.axis_iter(Axis(0))) {
            let at = |i: isize| row[i.clamp(0, 29) as usize] + times as f32;
            let expected: Vec<f32> = (0..30 + 2 * times as isize).map(|i| at(i - times as isize)).collect();
            assert_eq!(found.to_vec(), expected, "{times}");
        }
    }
    Ok(())
}

#[test]
fn a_work_item_applies_a_function_to_its_row_any_number_of_times() -> lift::Result<()> {
    for rows in [1, 7, 70] {
        for times in TIMES {
            let (short, long) = (grid((rows, 5)), grid((rows, 70)));
            let (found, others) = (short_rows(&short, times)?, long_rows(&long, times)?);
            let (growing, shrinking) = (growing_rows(&short, times)?, shrinking_rows(&long, times)?);
            for row in 0..rows {
                let first = short.row(row).to_vec();
                let mut expected: Vec<f32> = first.iter().map(|x| x + times as f32).collect();
                expected.rotate_left(2 * times % 5);
                assert_eq!(found.row(row).to_vec(), expected, "{rows}, {times}");
                let ahead = std::iter::repeat_n(first[0], times).chain(first).map(|x| x + times as f32);
                assert_eq!(growing.row(row), Array1::from_iter(ahead), "{rows}, {times}");
                let first = long.row(row).to_vec();
                let expected: Vec<f32> = first.iter().map(|x| x + times as f32).collect();
                let expected = if times % 2 == 1 { reversed(expected) } else { expected };
                assert_eq!(others.row(row).to_vec(), expected, "{rows}, {times}");
                let most = first.windows(times + 1).map(|w| w.iter().copied().fold(f32::MIN, f32::max));
                assert_eq!(shrinking.row(row), Array1::from_iter(most), "{rows}, {times}");
            }
        }
    }
    Ok(())
}

#[test]
fn an_expression_takes_the_number_from_a_variable() -> lift::Result<()> {
    let a = vec![1.0f32, 2.0, 3.0];
    for times in 0..7usize {
        let found = lift!(a >> iterate(times, |t| t >> reverse >> map(|x| x + 1)))?;
        let expected = iterated(times, a.clone(), |t| t.iter().rev().map(|x| x + 1.0).collect());
        assert_eq!(found.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn buffers_of_loops_without_steps_take_no_room() -> lift::Result<()> {
    // The last of no applications would have fewer elements than none.
    assert_eq!(growing_in_three_kernels(&[7], 0)?.to_vec(), [7]);
    assert_eq!(growing_in_three_kernels(&[7], 1)?.to_vec(), [10, 10, 10, 10]);
    assert_eq!(growing_in_three_kernels(&[1, 2], 1)?.to_vec(), [4, 4, 5, 5, 5]);
    assert_eq!(sums_of_prefixes(0)?.to_vec(), [0i32; 0]);
    assert_eq!(sums_of_prefixes(1)?.to_vec(), [0]);
    assert_eq!(sums_of_prefixes(5)?.to_vec(), [0, 0, 1, 4, 10]);
    Ok(())
}

#[test]
fn a_function_knows_the_number_of_its_step() -> lift::Result<()> {
    for n in [1usize, 2, 7, 300] {
        let a: Vec<i32> = (0..n as i32).map(|i| i * 5 - 7).collect();
        for times in [0usize, 1, 2, 5, 12] {
            let (mut reversed, mut summed) = (a.clone(), a.clone());
            for k in 0..times {
                reversed.reverse();
                for (i, x) in reversed.iter_mut().enumerate() {
                    *x = x.wrapping_mul(2).wrapping_add((k * 10 + i) as i32);
                }
                let sum = summed.iter().fold(0i32, |sum, x| sum.wrapping_add(*x));
                let looked_up = summed[k % n];
                for x in &mut summed {
                    *x = x.wrapping_add(sum % 7).wrapping_sub(k as i32).wrapping_add(looked_up);
                }
            }
            assert_eq!(weighted(&a, times)?.to_vec(), reversed, "{n}, {times} steps");
            assert_eq!(weighted_by_sums(&a, times)?.to_vec(), summed, "{n}, {times} steps");
        }
        let thrice: Vec<i32> = a.iter().map(|x| ((x * 3) * 3 + 1) * 3 + 2).collect();
        assert_eq!(weighted_thrice(&a)?.to_vec(), thrice);
    }
    let rows = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]];
    let mut rotated = rows;
    let line: [i32; 32] = std::array::from_fn(|i| i as i32 % 5 - 2);
    let mut mixed = line;
    for k in 0..7 {
        for row in &mut rotated {
            row.rotate_left(2);
            row.iter_mut().for_each(|x| *x += k);
        }
        mixed =
            std::array::from_fn(|i| mixed[(i + 31) % 32].wrapping_add(mixed[(i + 1) % 32].wrapping_mul(k)));
    }
    assert_eq!(weighted_rows(&rows, 7)?, lift::ndarray::arr2(&rotated));
    assert_eq!(weighted_by_groups(&[line], 7)?, lift::ndarray::arr2(&[mixed]));
    let ones = [1; 64];
    let prefixes: Vec<i32> = (1..=64).collect();
    assert_eq!(doubled_distances(&ones)?.to_vec(), prefixes);
    Ok(())
}
