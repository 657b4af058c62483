//! Solvers and models that compute step by step, against plain loops.

use crate::common::{is_simulated, mixed};
use lift::ndarray::{Array2, Array3};
use lift::{Device, Result, lift};

include!("../../corpus/programs/solvers.rs");

/// A float from -1 to 1, in no order.
fn number(i: usize) -> f32 {
    (mixed(i) >> 8) as f32 / 8_388_608.0 - 1.0
}

#[test]
fn poissons_equation_is_solved() -> Result<()> {
    let shapes: &[_] = if is_simulated(&Device::default_device()?) {
        &[(1, 1), (9, 7)]
    } else {
        &[(1, 1), (1, 8), (9, 7), (64, 50)]
    };
    for (rows, columns) in shapes.iter().copied() {
        let b = Array2::from_shape_fn((rows, columns), |(i, j)| f64::from(number(i * columns + j)));
        let x = poisson(1000, 1e-6, &b)?;
        let at = |i: usize, j: usize| x.get((i, j)).copied().unwrap_or(0.0);
        let mut squares = 0.0;
        for ((i, j), b) in b.indexed_iter() {
            let around = at(i.wrapping_sub(1), j) + at(i + 1, j) + at(i, j.wrapping_sub(1)) + at(i, j + 1);
            squares += (4.0 * at(i, j) - around - b).powi(2);
        }
        assert!(squares.sqrt() < 2e-6, "{rows} x {columns}: the residual is {}", squares.sqrt());
        assert_eq!(poisson(0, 1e-6, &b)?, Array2::<f64>::zeros((rows, columns)));
    }
    Ok(())
}

/// Each phase by itself, and the last one with a stack.
fn canny_in_loops(low: f32, high: f32, image: &Array2<f32>) -> Array2<i32> {
    let (rows, columns) = image.dim();
    let pixel = |i: isize, j: isize| {
        image[(i.clamp(0, rows as isize - 1) as usize, j.clamp(0, columns as isize - 1) as usize)]
    };
    let gradients = Array2::from_shape_fn((rows, columns), |(i, j)| {
        let (i, j) = (i as isize, j as isize);
        let across = |d: isize| pixel(i - 1, j + d) + 2.0 * pixel(i, j + d) + pixel(i + 1, j + d);
        let along = |d: isize| pixel(i + d, j - 1) + 2.0 * pixel(i + d, j) + pixel(i + d, j + 1);
        (across(1) - across(-1), along(1) - along(-1))
    });
    let strength = |i: isize, j: isize| {
        let is_inside = (0..rows as isize).contains(&i) && (0..columns as isize).contains(&j);
        if is_inside {
            let (x, y) = gradients[(i as usize, j as usize)];
            x.abs() + y.abs()
        } else {
            0.0
        }
    };
    let levels = Array2::from_shape_fn((rows, columns), |(i, j)| {
        let (x, y) = gradients[(i, j)];
        let (i, j) = (i as isize, j as isize);
        let (down, right) = match () {
            () if y.abs() < 0.414_213_56 * x.abs() => (0, 1),
            () if y.abs() > 2.414_213_5 * x.abs() => (1, 0),
            () if x * y > 0.0 => (1, 1),
            () => (1, -1),
        };
        let own = strength(i, j);
        let is_greatest = own >= strength(i - down, j - right) && own > strength(i + down, j + right);
        i32::from(is_greatest && own >= low) + i32::from(is_greatest && own >= high)
    });
    let mut edges = levels.mapv(|level| i32::from(level == 2));
    let mut open: Vec<(usize, usize)> =
        edges.indexed_iter().filter(|(_, edge)| **edge == 1).map(|(place, _)| place).collect();
    while let Some((i, j)) = open.pop() {
        for near in (0..9).map(|k| ((i + k / 3).wrapping_sub(1), (j + k % 3).wrapping_sub(1))) {
            if levels.get(near) == Some(&1) && edges[near] == 0 {
                edges[near] = 1;
                open.push(near);
            }
        }
    }
    edges
}

#[test]
fn edges_are_thin_and_connected() -> Result<()> {
    let shapes: &[_] = if is_simulated(&Device::default_device()?) {
        &[(1, 1), (12, 17)]
    } else {
        &[(1, 1), (1, 30), (12, 17), (90, 101)]
    };
    for (rows, columns) in shapes.iter().copied() {
        // Discs of whole brightness on a slope, with some noise: all gradients are exact.
        let image = Array2::from_shape_fn((rows, columns), |(i, j)| {
            let is_near = |y: usize, x: usize, r: usize| i.abs_diff(y).pow(2) + j.abs_diff(x).pow(2) < r * r;
            let discs = 60 * i32::from(is_near(8, 9, 6)) + 90 * i32::from(is_near(50, 40, 33));
            (discs + (i + j) as i32 / 4) as f32 + (number(i * columns + j) * 8.0).round()
        });
        for (low, high) in [(40.0, 150.0), (20.0, 60.0), (10.0, 340.0)] {
            let expected = canny_in_loops(low, high, &image);
            assert_eq!(canny(low, high, &image)?, expected, "{rows} x {columns}, {low} to {high}");
            assert!(rows < 50 || expected.sum() > 20 && expected.sum() < 5000);
        }
    }
    Ok(())
}

#[test]
fn a_recurrent_network_gives_its_last_output() -> Result<()> {
    for (steps, width, units) in [(0usize, 3usize, 2usize), (1, 1, 1), (7, 5, 9), (20, 16, 32)] {
        let array = |shape, from: usize| {
            Array3::from_shape_fn(shape, |(i, j, k)| number(i * 997 + j * 61 + k + from) / 2.0)
        };
        let (inputs, outputs) = (array((units, 4, width), 0), array((units, 4, units), 5000));
        let biases = Array2::from_shape_fn((units, 4), |(i, j)| number(i * 4 + j));
        let xs = Array2::from_shape_fn((steps, width), |(i, j)| number(i * width + j + 777));
        let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
        let (mut h, mut cells) = (vec![0f32; units], vec![0f32; units]);
        for x in xs.rows() {
            let gate = |unit: usize, gate: usize| {
                let input: f32 = (0..width).map(|k| inputs[(unit, gate, k)] * x[k]).sum();
                let output: f32 = (0..units).map(|k| outputs[(unit, gate, k)] * h[k]).sum();
                input + output + biases[(unit, gate)]
            };
            for (unit, cell) in cells.iter_mut().enumerate() {
                *cell = sigmoid(gate(unit, 1)) * *cell + sigmoid(gate(unit, 0)) * gate(unit, 2).tanh();
            }
            h = (0..units).map(|unit| sigmoid(gate(unit, 3)) * cells[unit].tanh()).collect();
        }
        let found = lstm(&inputs, &outputs, &biases, &xs)?;
        for (a, b) in found.iter().zip(&h) {
            assert!((a - b).abs() < 1e-4, "{steps} steps, {units} units: {a}, {b}");
        }
    }
    Ok(())
}

/// The likeliest states, and the logarithm of their probability.
fn viterbi_in_loops<const S: usize>(
    start: &[f32; S],
    step: &[[f32; S]; S],
    emission: &[[f32; S]],
    observed: &[u32],
) -> (Vec<u32>, f32) {
    let seen = |t: usize, state: usize| emission[observed[t] as usize][state];
    let mut scores = vec![std::array::from_fn::<f32, S, _>(|state| start[state] + seen(0, state))];
    let mut from = Vec::new();
    let best = |scores: [f32; S]| (0..S).fold(0, |best, i| if scores[i] > scores[best] { i } else { best });
    for t in 1..observed.len() {
        let before = scores[t - 1];
        let into =
            |state: usize| std::array::from_fn::<f32, S, _>(|origin| before[origin] + step[origin][state]);
        let origins: [usize; S] = std::array::from_fn(|state| best(into(state)));
        scores.push(std::array::from_fn(|state| into(state)[origins[state]] + seen(t, state)));
        from.push(origins);
    }
    let last = scores[observed.len() - 1];
    let mut path = vec![best(last) as u32];
    for origins in from.iter().rev() {
        path.push(origins[path[path.len() - 1] as usize] as u32);
    }
    path.reverse();
    (path, last[best(last)])
}

#[test]
fn the_likeliest_states_are_found() -> Result<()> {
    // Multiples of 1/16, whose sums are exact.
    let logarithm = |i: usize| (number(i) * 64.0).round() / 16.0 - 4.0;
    let start = std::array::from_fn(logarithm);
    let step: [[f32; 4]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| logarithm(10 + i * 4 + j)));
    let emission: [[f32; 4]; 6] = std::array::from_fn(|i| std::array::from_fn(|j| logarithm(50 + i * 4 + j)));
    for (sequences, length) in [(1usize, 1usize), (3, 2), (8, 30)] {
        let observed = Array2::from_shape_fn((sequences, length), |(i, t)| {
            ((number(i * length + t + 300) + 1.0) * 3.0) as u32 % 6
        });
        let rows = observed.rows().into_iter().map(|row| row.to_vec());
        let expected: Vec<_> =
            rows.clone().map(|row| viterbi_in_loops(&start, &step, &emission, &row)).collect();
        let scores: Vec<f32> = expected.iter().map(|(_, score)| *score).collect();
        assert_eq!(viterbi_scores(&start, &step, &emission, &observed)?.to_vec(), scores);
        for (row, (path, _)) in rows.zip(expected) {
            assert_eq!(viterbi(&start, &step, &emission, &row)?.to_vec(), path, "{row:?}");
        }
    }
    Ok(())
}
