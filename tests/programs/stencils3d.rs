//! The stencils of Hagedorn, Stoltzfus, Steuwer, Gorlatch, Dubach, CGO 2018, table 1, that have three
//! dimensions, against plain loops.

use crate::common::{Border, sample};
use lift::ndarray::Array3;
use lift::{Device, Result, lift};

include!("../../corpus/programs/stencils3d.rs");

/// Shapes: no dimension is a multiple of a work-group's, and some are shorter than a window.
const SHAPES: [(usize, usize, usize); 5] = [(1, 1, 1), (2, 1, 3), (1, 5, 2), (7, 9, 33), (3, 35, 4)];

fn cube((planes, rows, columns): (usize, usize, usize)) -> Array3<f32> {
    Array3::from_shape_fn((planes, rows, columns), |(z, y, x)| sample((z * rows + y) * columns + x))
}

type Offset = [isize; 3];

/// The six points around one at a distance.
fn faces(distance: isize) -> [Offset; 6] {
    let d = distance;
    [[-d, 0, 0], [d, 0, 0], [0, -d, 0], [0, d, 0], [0, 0, -d], [0, 0, d]]
}

/// The value of every point from what stands around it, borders repeated. Samples and weights are small
/// multiples of powers of two: the order of the additions does not matter.
fn around(a: &Array3<f32>, value: impl Fn(&dyn Fn(Offset) -> f32, Offset) -> f32) -> Array3<f32> {
    let (planes, rows, columns) = a.dim();
    Array3::from_shape_fn(a.dim(), |(z, y, x)| {
        let at = [z as isize, y as isize, x as isize];
        let read = |[dz, dy, dx]: Offset| {
            let resolve = |position, length| Border::Clamp.resolve(position, length);
            a[(resolve(at[0] + dz, planes), resolve(at[1] + dy, rows), resolve(at[2] + dx, columns))]
        };
        value(&read, at)
    })
}

fn sum<const N: usize>(read: &dyn Fn(Offset) -> f32, offsets: [Offset; N]) -> f32 {
    offsets.map(read).iter().sum()
}

fn heated(a: &Array3<f32>) -> Array3<f32> {
    around(a, |n, _| n([0; 3]) + 0.125 * (sum(n, faces(1)) - 6.0 * n([0; 3])))
}

#[test]
fn a_chip_of_several_layers_heats_up() -> Result<()> {
    for shape in SHAPES {
        let (temperature, power) = (cube(shape), cube(shape).mapv(f32::abs));
        let expected = around(&temperature, |n, at| {
            let [[down, up], [north, south], [west, east]] = [0, 1, 2]
                .map(|axis| [-1, 1].map(|side| n(std::array::from_fn(|i| if i == axis { side } else { 0 }))));
            let p = power[at.map(|position| position as usize)];
            0.5 * n([0; 3])
                + 0.125 * (west + east)
                + 0.0625 * (north + south)
                + 0.25 * (down + up)
                + 0.5 * p
                + 0.25 * 80.0
        });
        let found = hotspot3d(0.5, 0.5, 0.125, 0.0625, 0.25, &temperature, &power)?;
        assert_eq!(found, expected, "{shape:?}");
    }
    Ok(())
}

/// One step of the wave: walls are where a neighbour is missing.
fn propagated(before: &Array3<f32>, now: &Array3<f32>, courant: f32, loss: f32) -> Array3<f32> {
    let (planes, rows, columns) = now.dim();
    Array3::from_shape_fn(now.dim(), |(z, y, x)| {
        let neighbours = faces(1).map(|[dz, dy, dx]| {
            let at = (z.checked_add_signed(dz)?, y.checked_add_signed(dy)?, x.checked_add_signed(dx)?);
            (at.0 < planes && at.1 < rows && at.2 < columns).then(|| now[at])
        });
        let inside = neighbours.iter().flatten().count() as f32;
        let sum: f32 = neighbours.iter().flatten().sum();
        let damping = 0.5 * loss * (6.0 - inside);
        ((2.0 - courant * inside) * now[(z, y, x)] + courant * sum + (damping - 1.0) * before[(z, y, x)])
            / (1.0 + damping)
    })
}

#[test]
fn walls_are_found_by_position() -> Result<()> {
    for shape in SHAPES {
        let expected = Array3::from_shape_fn(shape, |(z, y, x)| {
            let inside = |(i, n): (usize, usize)| f32::from(u8::from(i > 0) + u8::from(i + 1 < n));
            [(z, shape.0), (y, shape.1), (x, shape.2)].map(inside).iter().sum::<f32>()
        });
        assert_eq!(neighbours(&Array3::<f32>::zeros(shape))?, expected, "{shape:?}");
    }
    Ok(())
}

#[test]
fn a_wave_travels_on_the_device_and_loses_energy_at_the_walls() -> Result<()> {
    let device = Device::default_device()?;
    let kernel = acoustic::on(&device)?;
    for shape in SHAPES {
        let (mut before, mut now) = (cube(shape), cube(shape).mapv(|x| x * 0.5));
        let (mut device_before, mut device_now) = (device.upload(&before)?, device.upload(&now)?);
        for _ in 0..4 {
            let next = kernel.enqueue(0.25, 0.125, &device_before, &device_now)?;
            (device_before, device_now) = (device_now, next);
            let next = propagated(&before, &now, 0.25, 0.125);
            (before, now) = (now, next);
        }
        let found: Array3<f32> = device_now.download()?;
        for (at, expected) in now.indexed_iter() {
            assert!((found[at] - expected).abs() <= 1e-4 * expected.abs().max(1.0), "{shape:?}, {at:?}");
        }
    }
    Ok(())
}

#[test]
fn jacobi_stencils_read_7_and_13_points() -> Result<()> {
    for shape in SHAPES {
        let a = cube(shape);
        let seven = around(&a, |n, _| 0.5 * n([0; 3]) + 0.125 * sum(n, faces(1)));
        assert_eq!(jacobi3d7(&a)?, seven, "{shape:?}");
        let thirteen =
            around(&a, |n, _| 0.5 * n([0; 3]) + 0.125 * sum(n, faces(1)) - 0.0625 * sum(n, faces(2)));
        assert_eq!(jacobi3d13(&a)?, thirteen, "{shape:?}");
    }
    Ok(())
}

#[test]
fn poissons_stencil_reads_19_points() -> Result<()> {
    for shape in SHAPES {
        let a = cube(shape);
        let expected = around(&a, |n, _| {
            let mut total = 2.75 * n([0; 3]);
            for position in 0..27 {
                let offset = [position / 9 - 1, position / 3 % 3 - 1, position % 3 - 1];
                match offset.map(isize::abs).iter().sum() {
                    1 => total -= 0.25 * n(offset),
                    2 => total -= 0.125 * n(offset),
                    _ => {}
                }
            }
            total
        });
        assert_eq!(poisson19(&a)?, expected, "{shape:?}");
    }
    Ok(())
}

#[test]
fn heat_spreads_through_a_cube_on_the_device() -> Result<()> {
    let device = Device::default_device()?;
    let (step, columns) = (heat3d::on(&device)?, heat3d_columns::on(&device)?);
    for shape in SHAPES {
        let a = cube(shape);
        let on_device = columns.enqueue(&step.enqueue(&device.upload(&a)?)?)?;
        assert_eq!(on_device.download()?, heated(&heated(&a)), "{shape:?}");
    }
    Ok(())
}
