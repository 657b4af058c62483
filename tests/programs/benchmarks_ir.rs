//! Benchmarks of Steuwer, Remmelg, Dubach, CGO 2017, section 7, on particles and points: each from its
//! high-level form, and with the structure of the hand-written kernel that it was compared with, against
//! plain loops.

use lift::ndarray::Array2;
use lift::{Result, lift};

include!("../../corpus/programs/benchmarks_ir.rs");

/// Numbers between -1 and 1 that repeat irregularly.
fn fraction(position: usize) -> f32 {
    (((position as u32).wrapping_mul(2_654_435_761) >> 16) as f32 - 32768.0) / 32768.0
}

fn fractions(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|position| fraction(position + 1000 * seed)).collect()
}

/// Positions whose fourth component is zero.
fn positions(count: usize, seed: usize) -> Vec<[f32; 4]> {
    fractions(3 * count, seed).chunks(3).map(|p| [4.0 * p[0], 4.0 * p[1], 4.0 * p[2], 0.0]).collect()
}

fn assert_close<'a>(
    found: impl IntoIterator<Item = &'a f32>,
    expected: impl IntoIterator<Item = f64>,
    what: &str,
) {
    let (found, expected): (Vec<f32>, Vec<f64>) =
        (found.into_iter().copied().collect(), expected.into_iter().collect());
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1e-3f64, |most, x| most.max(x.abs()));
    for (position, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!(
            (f64::from(*found) - expected).abs() <= 1e-4 * largest,
            "{what}, {position}: {found}, {expected}"
        );
    }
}

fn flat<const W: usize>(vectors: &lift::ndarray::Array1<[f32; W]>) -> Vec<f32> {
    vectors.iter().flatten().copied().collect()
}

/// Positions and velocities after a step, in double precision.
fn attracted(bodies: &[[f32; 4]], masses: &[f32], velocities: &[[f32; 4]], dt: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut moved, mut faster) = (Vec::new(), Vec::new());
    for (p, v) in bodies.iter().zip(velocities) {
        let mut force = [0.0f64; 4];
        for (q, mass) in bodies.iter().zip(masses) {
            let r: [f64; 4] = std::array::from_fn(|k| f64::from(q[k]) - f64::from(p[k]));
            let scale = f64::from(*mass) / (r.iter().map(|x| x * x).sum::<f64>() + 0.5).powf(1.5);
            force = std::array::from_fn(|k| force[k] + scale * r[k]);
        }
        for k in 0..4 {
            moved.push(f64::from(p[k]) + f64::from(v[k]) * dt + force[k] * 0.5 * dt * dt);
            faster.push(f64::from(v[k]) + force[k] * dt);
        }
    }
    (moved, faster)
}

#[test]
fn bodies_attract_each_other() -> Result<()> {
    for n in [0, 1, 16, 17, 48, 130] {
        let (bodies, velocities) = (positions(n, 1), positions(n, 2));
        let masses: Vec<f32> = fractions(n, 3).iter().map(|x| x.abs()).collect();
        let expected = attracted(&bodies, &masses, &velocities, 0.25);
        let mut found = vec![
            ("nbody", nbody(&bodies, &masses, &velocities, 0.25)?),
            ("nbody_flat", nbody_flat(&bodies, &masses, &velocities, 0.25)?),
        ];
        match nbody_tiled(&bodies, &masses, &velocities, 0.25) {
            Ok(result) if n % 16 == 0 => found.push(("nbody_tiled", result)),
            Err(_) if n % 16 != 0 => {}
            other => panic!("{n} bodies: {other:?}"),
        }
        for (name, (moved, faster)) in found {
            assert_close(&flat(&moved), expected.0.iter().copied(), &format!("{name}, {n} bodies"));
            assert_close(&flat(&faster), expected.1.iter().copied(), &format!("{name}, {n} bodies"));
        }
    }
    Ok(())
}

#[test]
fn atoms_feel_the_neighbours_on_their_lists() -> Result<()> {
    for (n, k) in [(1, 1), (30, 4), (67, 9)] {
        let mut atoms = positions(n, 4);
        // Nobody is anybody's neighbour at a distance of nothing.
        for (number, atom) in atoms.iter_mut().enumerate() {
            atom[0] += 2.0 * number as f32;
        }
        let neighbours = Array2::from_shape_fn((n, k), |(i, j)| {
            let step = 1 + (7 * j + i) % n.max(2);
            if n == 1 { 5 } else { ((i + step.min(n - 1)) % n) as i32 }
        });
        let cutoff = 300.0;
        let mut expected = Vec::new();
        for i in 0..n {
            let mut force = [0.0f64; 4];
            for j in neighbours.row(i) {
                let q = atoms[(*j as usize).min(n - 1)];
                let r: [f64; 4] = std::array::from_fn(|k| f64::from(atoms[i][k]) - f64::from(q[k]));
                let squared: f64 = r.iter().map(|x| x * x).sum();
                if squared < cutoff && squared > 0.0 {
                    let sixth = squared.powi(-3);
                    let scale = sixth / squared * (1.5 * sixth - 2.0);
                    force = std::array::from_fn(|k| force[k] + scale * r[k]);
                }
            }
            expected.extend(force);
        }
        if n == 1 {
            // A list that leads out of the array leads to its last atom, here itself: 0 / 0.
            assert!(md(&atoms, &neighbours, cutoff as f32)?[0][0].is_nan());
            continue;
        }
        let lists = neighbours.t().as_standard_layout().to_owned();
        assert_close(&flat(&md(&atoms, &neighbours, cutoff as f32)?), expected.iter().copied(), "md");
        assert_close(&flat(&md_low(&atoms, &lists, cutoff as f32)?), expected.iter().copied(), "md_low");
    }
    Ok(())
}

#[test]
fn points_belong_to_the_nearest_cluster_the_first_of_equals() -> Result<()> {
    for (n, clusters, features) in [(1, 1, 1), (100, 5, 3), (67, 8, 34)] {
        // Whole numbers: distances are exact, and some are equal.
        let whole =
            |count, seed| fractions(count, seed).iter().map(|x| (x * 2.0).round()).collect::<Vec<_>>();
        let matrix = |rows, columns, seed| {
            Array2::from_shape_vec((rows, columns), whole(rows * columns, seed)).expect("as many as places")
        };
        let (points, centres) = (matrix(n, features, 5), matrix(clusters, features, 6));
        let nearest = |point: lift::ndarray::ArrayView1<f32>| {
            let distance = |c: &usize| {
                centres.row(*c).iter().zip(point).map(|(x, y)| (x - y) * (x - y)).sum::<f32>() as i32
            };
            (0..clusters).min_by_key(distance).unwrap_or(0) as i32
        };
        let expected: Vec<i32> = points.rows().into_iter().map(nearest).collect();
        assert_eq!(kmeans(&points, &centres)?.to_vec(), expected, "{n} points");
        let columns = points.t().as_standard_layout().to_owned();
        assert_eq!(kmeans_low(&columns, &centres)?.to_vec(), expected, "{n} points");
    }
    Ok(())
}

#[test]
fn places_have_distances() -> Result<()> {
    for n in [0, 1, 63, 64, 1001] {
        let places: Vec<(f32, f32)> =
            fractions(2 * n, 7).chunks(2).map(|p| (90.0 * p[0], 180.0 * p[1])).collect();
        let expected = || places.iter().map(|p| f64::from(p.0 - 30.0).hypot(f64::from(p.1 - 90.0)));
        assert_close(&nn(&places, 30.0, 90.0)?, expected(), "nn");
        assert_close(&nn_low(&places, 30.0, 90.0)?, expected(), "nn_low");
    }
    Ok(())
}

#[test]
fn voxels_are_sums_over_k_space() -> Result<()> {
    for (n, k) in [(1, 1), (33, 16), (100, 37)] {
        let phi: Vec<(f32, f32)> = fractions(2 * k, 8).chunks(2).map(|p| (p[0], p[1])).collect();
        let triples = |count, seed| {
            fractions(3 * count, seed).chunks(3).map(|p| (p[0], p[1], p[2])).collect::<Vec<_>>()
        };
        let (samples, voxels) = (triples(k, 9), triples(n, 10));
        let sums = |part: fn(f64) -> f64| {
            let (phi, samples) = (&phi, &samples);
            voxels.iter().map(move |v| {
                let term = |(phi, s): (&(f32, f32), &(f32, f32, f32))| {
                    let magnitude = f64::from(phi.0).powi(2) + f64::from(phi.1).powi(2);
                    let product = f64::from(s.0) * f64::from(v.0)
                        + f64::from(s.1) * f64::from(v.1)
                        + f64::from(s.2) * f64::from(v.2);
                    magnitude * part(std::f64::consts::TAU * product)
                };
                phi.iter().zip(samples).map(term).sum::<f64>()
            })
        };
        for (re, im) in [mriq(&phi, &samples, &voxels)?, mriq_low(&phi, &samples, &voxels)?] {
            assert_close(&re, sums(f64::cos), "real");
            assert_close(&im, sums(f64::sin), "imaginary");
        }
    }
    Ok(())
}
