//! Schedules: which form a call has, and that every form computes the program.

use lift::ndarray::{Array1, Array2};
use lift::{Device, DeviceKind, Result, lift};

lift! {
    #[schedule(splitJoin(64), mapWrg(0), innermost(mapLcl(0)))]
    fn shifted<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| x + 1) >> map(|x| 2 * x) }

    /// A work-group for each row, whose work-items take every 32nd element.
    #[schedule(innermost(cyclicReduce(32)), mapWrg(0), innermost(mapLcl(0)), everywhere(reduceSeq))]
    #[launch(local = 32)]
    fn totals<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] {
        a >> map(|row| row >> reduce(add, 0))
    }

    #[schedule(plain)]
    fn in_order<const N: usize>(a: [f32; N]) -> f32 { a >> reduce(add, 0) }

    #[schedule(plain)]
    fn sums_in_order<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| row >> scanInclusive(add)) >> transpose >> map(scanInclusive(add)) >> transpose
    }

    /// No device has groups of this size.
    #[schedule(mapGlb(0))]
    #[launch(local = 65536)]
    fn in_large_groups<const N: usize>(a: [i32; N]) -> [i32; N] { a >> map(|x| x + 1) }

    /// The form has the kernels of the plain one, and can be named all the same.
    #[schedule(attempt(mapFission(place(9))))]
    fn unchanged<const N: usize>(a: [i32; N]) -> [i32; N] { a >> map(|x| x + 1) }

    /// The condition follows from the clause, so that no call has the plain form for its sizes.
    #[schedule(splitJoin(4), fuse)]
    fn in_fours<const N: usize>(a: [i32; N]) -> [i32; N] where N % 4 == 0 { a >> map(|x| x * x) }

    /// Tiles in local memory and blocks in registers, for whole tiles.
    #[schedule(tileProduct(8, 16, 4, 2, 4))]
    fn tiled<const N: usize, const M: usize, const K: usize>(a: [[i32; K]; N], b: [[i32; M]; K]) -> [[i32; M]; N] {
        a >> map(|row| b >> transpose >> map(|column| dotProduct(row, column)))
    }

    #[schedule(reduceTiles(2, 2, 4))]
    fn accumulated<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N] {
        a >> map(|row| b >> map(|column| dotProduct(row, column)))
    }

    #[schedule(blockProduct(2, 2, 4))]
    fn in_vectors<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N] {
        a >> map(|row| b >> map(|column| dotProduct(row, column)))
    }

    #[schedule(rowsInGroups(32))]
    fn scaled_rows<const N: usize, const M: usize>(alpha: i32, a: [[i32; M]; N], x: [i32; M]) -> [i32; N] {
        a >> map(|row| alpha * dotProduct(row, x))
    }

    #[schedule(reduceInGroups(8, 64))]
    fn least<const N: usize>(a: [i32; N]) -> i32 { a >> map(|x| x * x) >> reduce(min, 5000) }
}

#[test]
fn a_scheduled_kernel_computes_every_size() -> Result<()> {
    for device in Device::list()? {
        for length in [1, 63, 64, 65, 128, 1000, 1024] {
            let a: Vec<f32> = (0..length).map(|x| x as f32).collect();
            let expected: Vec<f32> = a.iter().map(|x| 2.0 * (x + 1.0)).collect();
            let kernel = shifted::on(&device)?;
            assert_eq!(kernel.run(&a)?.to_vec(), expected, "{length} on {device}");
            let scheduled = kernel.form("scheduled")?.run(&a);
            match scheduled {
                Ok(result) => {
                    assert!(length % 64 == 0 && device.kind() != DeviceKind::Host, "{length} on {device}");
                    assert_eq!(result.to_vec(), expected, "{length} on {device}");
                }
                Err(error) => {
                    assert!(length % 64 != 0 || device.kind() == DeviceKind::Host, "{device}: {error}")
                }
            }
        }
    }
    Ok(())
}

#[test]
fn work_items_of_a_group_share_a_row() -> Result<()> {
    for device in Device::list()? {
        for (rows, columns) in [(1, 1), (3, 31), (5, 64), (17, 1000)] {
            let a: Vec<i32> = (0..rows * columns).map(|x| x as i32 % 101 - 50).collect();
            let expected: Vec<i32> = a.chunks(columns).map(|row| row.iter().sum()).collect();
            let a = lift::ndarray::ArrayView2::from_shape((rows, columns), &a).expect("a matrix");
            assert_eq!(totals::on(&device)?.run(&a)?.to_vec(), expected, "{rows} x {columns} on {device}");
        }
    }
    Ok(())
}

/// What a device cannot launch is passed over, also when a kernel is prepared for it.
#[test]
fn a_form_that_a_device_cannot_launch_stands_in_nobodys_way() -> Result<()> {
    for device in Device::list()? {
        let kernel = in_large_groups::on(&device)?;
        assert_eq!(kernel.run(&[1, 2, 3])?.to_vec(), [2, 3, 4], "{device}");
        assert_eq!(kernel.clone().form("plain")?.run(&[1, 2, 3])?.to_vec(), [2, 3, 4], "{device}");
        assert!(kernel.form("scheduled")?.run(&[1, 2, 3]).is_err(), "{device}");
        let kernel = unchanged::on(&device)?;
        assert_eq!(kernel.forms().len(), 2);
        assert_eq!(kernel.run(&[1])?.to_vec(), [2], "{device}");
    }
    Ok(())
}

#[test]
fn plain_adds_in_the_order_of_the_program() -> Result<()> {
    let a: Vec<f32> = (0..10_000).map(|x| 1.0 / (1.0 + x as f32)).collect();
    let expected = a.iter().fold(0.0, |sum, x| sum + x);
    for device in Device::list()? {
        let kernel = in_order::on(&device)?;
        assert_eq!(kernel.forms().len(), 1);
        assert_eq!(kernel.run(&a)?, expected, "{device}");
        let row = lift::ndarray::ArrayView2::from_shape((1, a.len()), &a).expect("a row");
        let prefixes = a.iter().scan(0.0, |sum, x| {
            *sum += x;
            Some(*sum)
        });
        assert_eq!(
            sums_in_order::on(&device)?.run(&row)?.into_raw_vec_and_offset().0,
            prefixes.collect::<Vec<_>>(),
            "{device}"
        );
    }
    Ok(())
}

#[test]
fn forms_and_steps_are_told() -> Result<()> {
    let kernel = in_fours::on(&Device::default_device()?)?;
    let forms: Vec<String> = kernel.forms().iter().map(ToString::to_string).collect();
    assert_eq!(forms, ["`scheduled`: on any device", "`plain`: on any device"]);
    assert_eq!(in_fours::DERIVATION, "splitJoin(4) @ .");
    assert_eq!(in_order::DERIVATION, "");
    assert_eq!(totals::DERIVATION.lines().count(), 5, "{}", totals::DERIVATION);
    Ok(())
}

#[test]
fn products_are_computed_in_tiles_of_any_size() -> Result<()> {
    for device in Device::list()? {
        for (rows, columns, length) in [(16, 32, 12), (8, 16, 4), (7, 5, 3), (64, 48, 8)] {
            let a = Array2::from_shape_fn((rows, length), |(i, k)| (i * 7 + k * 3) as i32 % 11 - 5);
            let b = Array2::from_shape_fn((length, columns), |(k, j)| (k * 5 + j * 2) as i32 % 13 - 6);
            let expected = a.dot(&b);
            let what = format!("{rows} x {columns} x {length} on {device}");
            assert_eq!(tiled::on(&device)?.run(&a, &b)?, expected, "{what}");
            let (a, b) = (a.mapv(|x| x as f32), b.t().mapv(|x| x as f32));
            let expected = expected.mapv(|x| x as f32);
            assert_eq!(accumulated::on(&device)?.run(&a, &b)?, expected, "{what}");
            assert_eq!(in_vectors::on(&device)?.run(&a, &b)?, expected, "{what}");
        }
    }
    Ok(())
}

#[test]
fn groups_share_reductions_of_any_length() -> Result<()> {
    for device in Device::list()? {
        for (rows, length) in [(1, 1), (3, 31), (2, 700), (5, 1024)] {
            let a = Array2::from_shape_fn((rows, length), |(i, k)| (i * 7 + k * 3) as i32 % 11 - 5);
            let x = Array1::from_shape_fn(length, |k| k as i32 % 5 - 2);
            let what = format!("{rows} x {length} on {device}");
            let expected = (3 * a.dot(&x)).to_vec();
            assert_eq!(scaled_rows::on(&device)?.run(3, &a, &x)?.to_vec(), expected, "{what}");
            let all: Vec<i32> = a.iter().map(|x| x + 60).collect();
            let expected = all.iter().map(|x| x * x).min();
            let kernel = least::on(&device)?;
            assert_eq!(Some(kernel.run(&all)?), expected, "{what}");
            // The host has the plain form only, and short pieces do not give all work-items something.
            if device.kind() != DeviceKind::Host && all.len() >= 1024 {
                assert_eq!(Some(kernel.form("scheduled")?.run(&all)?), expected, "{what}");
            }
        }
    }
    Ok(())
}
