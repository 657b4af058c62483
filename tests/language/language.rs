//! The language, end to end: forms of invocation, expressions, and every primitive, on a device.

use crate::common::{Border, SHAPES, SIZES, grid, sample, samples};
use lift::ndarray::{Array2, Array3, arr1, arr2};
use lift::{Result, lift};

include!("../../corpus/language/language.rs");

const FOUNDING: [f32; 5] = [4.0, 6.0, 9.0, 12.0, 14.0];

#[test]
fn the_founding_example_runs_from_all_delimiters_and_from_angle_brackets() -> Result<()> {
    let a = vec![1.0f32, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(lift!(map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a))))?.to_vec(), FOUNDING);
    assert_eq!(lift![map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a)))]?.to_vec(), FOUNDING);
    assert_eq!((lift! { map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a))) })?.to_vec(), FOUNDING);
    assert_eq!(lift!(< map(reduceSeq(add,0), slide(3,1,pad(1,1,clamp,a))) >)?.to_vec(), FOUNDING);
    assert_eq!(lift![< map(reduceSeq(add,0), slide(3,1,pad(1,1,clamp,a))) >]?.to_vec(), FOUNDING);
    Ok(())
}

#[test]
fn calls_currying_and_pipelines_mean_the_same() -> Result<()> {
    let a = arr1(&[1.0f32, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(lift!(a >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduceSeq(add, 0)))?.to_vec(), FOUNDING);
    assert_eq!(lift!(map(reduceSeq(add)(0))(slide(3)(1)(pad(1)(1)(clamp)(a))))?.to_vec(), FOUNDING);
    assert_eq!(lift!(a >> (pad(1, 1, clamp) >> slide(3, 1) >> map(reduceSeq(add, 0))))?.to_vec(), FOUNDING);
    Ok(())
}

#[test]
fn an_expression_works_at_any_length_and_in_a_loop() -> Result<()> {
    for n in SIZES {
        let a = samples(n);
        let doubled: Vec<f32> = a.iter().map(|x| 2.0 * x).collect();
        assert_eq!(lift!(map(|x| x + x, a))?.to_vec(), doubled);
    }
    Ok(())
}

#[test]
fn an_open_element_type_is_taken_from_the_argument() -> Result<()> {
    let ints = vec![1i32, 2, 3];
    let bytes = [7u8, 8, 9];
    let doubles = arr1(&[0.1f64, 0.2]);
    let truths = [true, false, false];
    assert_eq!(lift!(reverse(ints))?.to_vec(), [3, 2, 1]);
    assert_eq!(lift!(reverse(bytes))?.to_vec(), [9, 8, 7]);
    assert_eq!(lift!(reverse(doubles))?.to_vec(), [0.2, 0.1]);
    assert_eq!(lift!(reverse(truths))?.to_vec(), [false, false, true]);
    assert_eq!(lift!(map(reduceSeq(add, 0), slide(2, 1, ints)))?.to_vec(), [3, 5]);
    assert_eq!(lift!(map(|x| x * 3, doubles))?.to_vec(), [0.1 * 3.0, 0.2 * 3.0]);
    Ok(())
}

#[test]
fn scalars_are_captured_by_value() -> Result<()> {
    let a = samples(64);
    let (alpha, beta) = (0.5f32, 3.0f32);
    let expected: Vec<f32> = a.iter().map(|x| alpha * x + beta).collect();
    assert_eq!(lift!(map(|x| x * alpha + beta, a))?.to_vec(), expected);
    Ok(())
}

#[test]
fn sizes_are_captured_from_variables() -> Result<()> {
    let a = samples(24);
    for n in [1usize, 2, 3, 8, 24] {
        let expected: Vec<f32> = a.chunks(n).map(|chunk| chunk.iter().sum()).collect();
        assert_eq!(lift!(a >> split(n) >> map(reduce(add, 0)))?.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn a_closure_is_a_kernel_value() -> Result<()> {
    let dot = lift!(|a: [f32; N], b: [f32; N]| zip(a, b) >> map(mult) >> reduce(add, 0));
    let pick = lift!(|a: [[i32; M]; N]| a >> transpose >> map(reduce(max, 0)));
    for n in SIZES {
        let (a, b) = (samples(n), samples(n + 5)[5..].to_vec());
        let expected: f32 =
            a.iter().zip(&b).map(|(a, b)| (a * 16.0) as i64 * (b * 16.0) as i64).sum::<i64>() as f32 / 256.0;
        let found: f32 = dot.run(&a, &b)?;
        assert!((found - expected).abs() <= expected.abs() * 1e-4 + 1e-3, "{n}: {found} {expected}");
    }
    assert_eq!(pick.run(&[[1, 5, 2], [4, 3, 6]])?.to_vec(), [4, 5, 6]);
    Ok(())
}

#[test]
fn a_closure_captures_scalars_when_it_is_made() -> Result<()> {
    let mut factor = 2.0f32;
    let scale = lift!(|a: [f32; N]| map(|x| x * factor, a));
    factor += 1.0;
    assert_eq!(scale.run(&[1.0, factor])?.to_vec(), [2.0, 6.0]);
    Ok(())
}

#[test]
fn a_matrix_product_from_maps_and_a_reduction() -> Result<()> {
    for (n, m, k) in [(1, 1, 1), (2, 3, 4), (7, 1, 64), (33, 17, 5)] {
        let (a, b) = (grid((n, k)), grid((k, m)));
        let expected = a.dot(&b);
        assert_eq!(mm(&a, &b)?, expected, "{n} {m} {k}");
        assert_eq!(mm_fused(&a, &b)?, expected, "{n} {m} {k}");
    }
    let (a, x) = (grid((7, 5)), arr1(&samples(5)));
    assert_eq!(mv(&a, &x)?, a.dot(&x));
    assert_eq!(mult_add(1.0, (2.0, 3.0)), 7.0);
    Ok(())
}

#[test]
fn literals_and_casts_adapt_to_their_context() -> Result<()> {
    let a = [1.5f32, -2.5];
    let counts = [3i32, -7];
    assert_eq!(lift!(map(|x| x + 1 / 2, a))?.to_vec(), [2.0, -2.0]);
    assert_eq!(lift!(map(|k| k / 2, counts))?.to_vec(), [1, -3]);
    assert_eq!(lift!(map(|k| k % 2, counts))?.to_vec(), [1, -1]);
    assert_eq!(lift!(map(|k: i32| k as f32 * 0.5, counts))?.to_vec(), [1.5, -3.5]);
    assert_eq!(lift!(map(|x: f32| x as i32, a))?.to_vec(), [1, -2]);
    Ok(())
}

#[test]
fn integer_arithmetic_wraps() -> Result<()> {
    let large = [i32::MAX, i32::MIN];
    assert_eq!(lift!(map(|x| x + 1, large))?.to_vec(), [i32::MIN, i32::MIN + 1]);
    let bytes = [250u8, 10];
    assert_eq!(lift!(map(|x| x * 2, bytes))?.to_vec(), [244, 20]);
    Ok(())
}

#[test]
fn scalar_operators_conditions_and_lets() -> Result<()> {
    let a = samples(200);
    let expected: Vec<f32> = a
        .iter()
        .map(|&x| {
            let square = x * x;
            if x < 0.0 || square > 100.0 && !(x == 12.0) { -x } else { square + 1.0 }
        })
        .collect();
    let found = lift!(map(
        |x| {
            let square = x * x;
            if x < 0 || square > 100 && !(x == 12) { -x } else { square + 1 }
        },
        a
    ))?;
    assert_eq!(found.to_vec(), expected);
    Ok(())
}

#[test]
fn built_in_functions_compute_what_rust_computes() -> Result<()> {
    let a: Vec<f32> = (1..100).map(|i| i as f32 / 16.0).collect();
    let close = |found: lift::ndarray::Array1<f32>, expected: fn(f32) -> f32| {
        found.iter().zip(&a).all(|(found, &x)| (found - expected(x)).abs() <= 1e-5 * expected(x).abs() + 1e-6)
    };
    assert!(close(lift!(map(sqrt, a))?, f32::sqrt));
    assert!(close(lift!(map(|x| rsqrt(x), a))?, |x| 1.0 / x.sqrt()));
    assert!(close(lift!(map(|x| exp(-x) * sin(x) + cos(x), a))?, |x| (-x).exp() * x.sin() + x.cos()));
    assert!(close(lift!(map(|x| pow(x, 1.5) + log(x), a))?, |x| x.powf(1.5) + x.ln()));
    assert!(close(lift!(map(|x| min(x, 2) + max(x, 3), a))?, |x| x.min(2.0) + x.max(3.0)));
    assert!(close(lift!(map(|x| floor(x) + ceil(x) + round(x) + trunc(x), a))?, |x| {
        x.floor() + x.ceil() + x.round() + x.trunc()
    }));
    assert!(close(lift!(map(|x| clampv(x, 1, 2), a))?, |x| x.clamp(1.0, 2.0)));
    assert!(close(lift!(map(|x| select(x < 2, 1, x), a))?, |x| if x < 2.0 { 1.0 } else { x }));
    assert!(close(lift!(map(|x| fma(x, x, 1) + abs(-x) + sign(x), a))?, |x| x * x + 1.0 + x + 1.0));
    Ok(())
}

#[test]
fn native_functions_are_the_exact_ones_within_the_precision_of_devices() -> Result<()> {
    let a: Vec<f32> = (1..100).map(|i| i as f32 / 32.0).collect();
    let close = |found: lift::ndarray::Array1<f32>, expected: fn(f32) -> f32| {
        found
            .iter()
            .zip(&a)
            .all(|(found, &x)| (found - expected(x)).abs() <= 1e-4 * expected(x).abs().max(0.1))
    };
    assert!(close(lift!(map(native_recip, a))?, f32::recip));
    assert!(close(lift!(map(|x| native_divide(x, x + 1), a))?, |x| x / (x + 1.0)));
    assert!(close(lift!(map(native_sqrt, a))?, f32::sqrt));
    assert!(close(lift!(map(|x| x.native_rsqrt(), a))?, |x| 1.0 / x.sqrt()));
    assert!(close(lift!(map(native_exp, a))?, f32::exp));
    assert!(close(lift!(map(native_exp2, a))?, f32::exp2));
    assert!(close(lift!(map(native_log, a))?, f32::ln));
    assert!(close(lift!(map(native_log2, a))?, f32::log2));
    assert!(close(lift!(map(native_log10, a))?, f32::log10));
    assert!(close(lift!(map(|x| native_powr(x, 1.5), a))?, |x| x.powf(1.5)));
    assert!(close(lift!(map(native_sin, a))?, f32::sin));
    assert!(close(lift!(map(native_cos, a))?, f32::cos));
    assert!(close(lift!(map(|x| native_tan(0.25 * x), a))?, |x| (0.25 * x).tan()));
    let a = a[..96].to_vec();
    let roots = lift!(a >> asVector(4) >> map(native_sqrt) >> asScalar)?;
    assert!(roots.iter().zip(&a).all(|(found, x)| (found - x.sqrt()).abs() <= 1e-4 * x.sqrt()));
    Ok(())
}

#[test]
fn tuples_are_taken_apart_by_patterns_components_and_get() -> Result<()> {
    let (a, b, c) = (samples(9), samples(20)[11..].to_vec(), [2.0f32; 9]);
    let expected: Vec<f32> = (0..9).map(|i| (a[i] - b[i]) * c[i]).collect();
    assert_eq!(lift!(zip(a, b, c) >> map(|x, y, z| (x - y) * z))?.to_vec(), expected);
    assert_eq!(lift!(zip(a, b, c) >> map(|(x, y, z)| (x - y) * z))?.to_vec(), expected);
    assert_eq!(lift!(zip(a, b, c) >> map(|t| (t.0 - t.1) * t.2))?.to_vec(), expected);
    assert_eq!(lift!(zip(a, zip(b, c)) >> map(|(x, (y, z))| (x - y) * z))?.to_vec(), expected);
    assert_eq!(lift!(zip(a, b) >> map(get(1)))?.to_vec(), b);
    Ok(())
}

#[test]
fn a_reduction_to_a_scalar_starts_from_its_initial_value() -> Result<()> {
    for n in SIZES {
        let a: Vec<i32> = (0..n as i32).collect();
        let sum: i32 = lift!(reduce(add, 10, a))?;
        assert_eq!(sum, 10 + (n * (n - 1) / 2) as i32);
        let in_order: i32 = lift!(reduceSeq(|acc, x| acc * 3 + x, 1, a))?;
        assert_eq!(in_order, a.iter().fold(1i32, |acc, x| acc.wrapping_mul(3).wrapping_add(*x)));
    }
    let empty: Vec<i32> = Vec::new();
    assert_eq!(lift!(reduce(add, 10, empty))?, 10);
    Ok(())
}

#[test]
fn split_and_join_undo_each_other() -> Result<()> {
    let a = samples(24);
    assert_eq!(lift!(a >> split(4))?, Array2::from_shape_vec((6, 4), a.clone()).expect("24 elements"));
    assert_eq!(lift!(a >> split(4) >> join)?.to_vec(), a);
    let matrix = grid((3, 5));
    assert_eq!(lift!(matrix >> join)?.to_vec(), matrix.iter().copied().collect::<Vec<_>>());
    Ok(())
}

#[test]
fn transpose_swaps_rows_and_columns() -> Result<()> {
    for shape in SHAPES {
        let a = grid(shape);
        assert_eq!(lift!(transpose(a))?, a.t());
        assert_eq!(lift!(a >> transpose >> transpose)?, a);
        assert_eq!(lift!(a >> transpose >> map(reduce(add, 0)))?, a.sum_axis(lift::ndarray::Axis(0)));
    }
    Ok(())
}

#[test]
fn gather_reads_through_an_index_function() -> Result<()> {
    let a = samples(12);
    let with = |index: &dyn Fn(usize) -> usize| (0..12).map(|i| a[index(i)]).collect::<Vec<_>>();
    assert_eq!(lift!(gather(reverse, a))?.to_vec(), with(&|i| 11 - i));
    assert_eq!(lift!(gather(stride(3), a))?.to_vec(), with(&|i| i / 4 + 3 * (i % 4)));
    assert_eq!(lift!(gather(rotate(5), a))?.to_vec(), with(&|i| (i + 5) % 12));
    assert_eq!(lift!(gather(|i| i / 2, a))?.to_vec(), with(&|i| i / 2));
    Ok(())
}

#[test]
fn a_gather_of_the_flat_array_transposes() -> Result<()> {
    for shape in SHAPES {
        let a = grid(shape);
        assert_eq!(transpose_gather(&a)?, a.t(), "{shape:?}");
    }
    Ok(())
}

#[test]
fn slide_takes_windows_at_a_step() -> Result<()> {
    let a = samples(11);
    let expected: Vec<f32> = (0..4).flat_map(|w| a[2 * w..2 * w + 5].to_vec()).collect();
    let windows = lift!(slide(5, 2, a))?;
    assert_eq!(windows.shape(), [4, 5]);
    assert_eq!(windows.iter().copied().collect::<Vec<_>>(), expected);
    Ok(())
}

#[test]
fn pad_takes_a_boundary_function_and_a_constant() -> Result<()> {
    let a = [1i32, 2, 3];
    assert_eq!(lift!(pad(2, 1, |i, n| (i + n) % n, a))?.to_vec(), [2, 3, 1, 2, 3, 1]);
    assert_eq!(lift!(padConstant(2, 1, 9, a))?.to_vec(), [9, 9, 1, 2, 3, 9]);
    let frame = arr2(&[[5i32, 6]]);
    assert_eq!(lift!(padConstant2(1, 1, 0, frame))?, arr2(&[[0, 0, 0, 0], [0, 5, 6, 0], [0, 0, 0, 0]]));
    Ok(())
}

#[test]
fn three_dimensional_neighbourhoods() -> Result<()> {
    let a = Array3::from_shape_fn((4, 3, 5), |(z, y, x)| sample(z * 15 + y * 5 + x));
    let found =
        lift!(a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|nbh| nbh >> join >> join >> reduce(add, 0)))?;
    let clamped = |at: usize, d: usize, n: usize| (at + d).saturating_sub(1).min(n - 1);
    let expected = Array3::from_shape_fn(a.dim(), |(z, y, x)| {
        let mut sum = 0.0;
        for offset in 0..27 {
            let (dz, dy, dx) = (offset / 9, offset / 3 % 3, offset % 3);
            sum += a[(clamped(z, dz, 4), clamped(y, dy, 3), clamped(x, dx, 5))];
        }
        sum
    });
    assert_eq!(found, expected);
    assert_eq!(lift!(zip3(a, found) >> map3(|x, y| y - x))?, &expected - &a);
    Ok(())
}

#[test]
fn tiles_cover_a_matrix_and_untile_restores_it() -> Result<()> {
    let a = grid((6, 8));
    let tiles = lift!(tile(2, 4, a))?;
    assert_eq!(tiles.shape(), [3, 2, 2, 4]);
    assert_eq!(tiles[[2, 1, 0, 3]], a[(4, 7)]);
    assert_eq!(lift!(a >> tile(2, 4) >> untile)?, a);
    Ok(())
}

#[test]
fn every_level_of_the_thread_hierarchy_computes_the_same() -> Result<()> {
    for n in SIZES {
        let a = samples(n);
        let doubled: Vec<f32> = a.iter().map(|x| 2.0 * x).collect();
        assert_eq!(by_global_items(&a)?.to_vec(), doubled);
        assert_eq!(by_one_item(&a)?.to_vec(), doubled);
    }
    for shape in SHAPES {
        let a = grid(shape);
        assert_eq!(by_two_dimensions(&a)?, &a * 2.0);
    }
    Ok(())
}

#[test]
fn work_groups_exchange_elements_through_local_memory() -> Result<()> {
    for n in [64, 128, 1024] {
        let a = samples(n);
        let expected: Vec<f32> = a.chunks(64).flat_map(|chunk| chunk.iter().rev().copied()).collect();
        assert_eq!(reverse_chunks(&a)?.to_vec(), expected);
    }
    for (n, m) in [(1, 1), (2, 3)] {
        let a = grid((16 * n, 16 * m));
        assert_eq!(jacobi_tiles(&a)?, Border::Clamp.convolve(&a, &[1.0; 9], 3, 3));
    }
    Ok(())
}

#[test]
fn intermediate_values_wait_in_registers() -> Result<()> {
    let a = samples(14);
    let expected: Vec<f32> = a.chunks(2).map(|pair| pair[0] * pair[0] + pair[1] * pair[1]).collect();
    assert_eq!(pairs(&a)?.to_vec(), expected);
    Ok(())
}

#[test]
fn a_name_of_a_lambda_shadows_a_primitive() -> Result<()> {
    let a = [1.0f32, 2.0];
    assert_eq!(lift!(map(|map| map + 1, a))?.to_vec(), [2.0, 3.0]);
    Ok(())
}

#[test]
fn no_position_from_data_is_too_large() -> Result<()> {
    let a = [1.0f32, 2.0, 3.0];
    let wanted = [0u64, 2, 3, 1 << 32, i64::MAX as u64, 1 << 63, u64::MAX];
    assert_eq!(
        nearest(&a, &wanted)?.to_vec(),
        [(1.0, 1.0), (3.0, 3.0), (3.0, 0.0), (3.0, 0.0), (3.0, 0.0), (3.0, 0.0), (3.0, 0.0)]
    );
    // The same where the type of the positions is open.
    assert_eq!(lift!(map(|i| at(i, a), wanted))?.to_vec(), [1.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]);
    let signed = [i64::MIN, -1, 1, i64::MAX];
    assert_eq!(lift!(map(|i| at(i, a), signed))?.to_vec(), [1.0, 1.0, 2.0, 3.0]);
    let short = [-128i8, -1, 1, 127];
    assert_eq!(lift!(map(|i| at(i, a), short))?.to_vec(), [1.0, 1.0, 2.0, 3.0]);
    Ok(())
}
