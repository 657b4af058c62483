//! Comparisons with the standard library in double precision, over numbers of every magnitude.

use super::*;

/// The error of a number in units in the last place, if the exact one is not too small to have one.
fn distance(found: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if found == nearest {
        return 0.0;
    }
    let next = f32::from_bits(nearest.abs().to_bits() + 1);
    (f64::from(found) - exact).abs() / (f64::from(next) - f64::from(nearest.abs()))
}

/// Finite numbers of every magnitude, `step` bit patterns apart.
fn numbers(step: usize) -> impl Iterator<Item = f32> {
    (0..=u32::MAX).step_by(step).map(f32::from_bits).filter(|x| x.is_finite())
}

/// The largest error over numbers of every magnitude. NaN must be where it should be.
fn worst(function: fn(f32) -> f32, exact: fn(f64) -> f64) -> (f64, f32) {
    // The distance is a prime number.
    let distances = numbers(10_007).map(|x| {
        let (found, exact) = (function(x), exact(f64::from(x)));
        assert_eq!(found.is_nan(), exact.is_nan(), "{x} gives {found} instead of {exact}");
        (if exact.is_nan() { 0.0 } else { distance(found, exact) }, x)
    });
    distances.fold((0.0, 0.0), |worst, here| if here.0 > worst.0 { here } else { worst })
}

/// The name of a function, the function, and its counterparts of the standard library in both precisions.
type Case = (&'static str, fn(f32) -> f32, fn(f32) -> f32, fn(f64) -> f64);

/// The functions of one number, and the error in units in the last place that OpenCL allows.
const CASES: [(Case, f64); 11] = [
    (("exp", exp, f32::exp, f64::exp), 3.0),
    (("exp2", exp2, f32::exp2, f64::exp2), 3.0),
    (("log", log, f32::ln, f64::ln), 3.0),
    (("log2", log2, f32::log2, f64::log2), 3.0),
    (("log10", log10, f32::log10, f64::log10), 3.0),
    (("sin", sin, f32::sin, f64::sin), 4.0),
    (("cos", cos, f32::cos, f64::cos), 4.0),
    (("tan", tan, f32::tan, f64::tan), 5.0),
    (("sinh", sinh, f32::sinh, f64::sinh), 4.0),
    (("cosh", cosh, f32::cosh, f64::cosh), 4.0),
    (("tanh", tanh, f32::tanh, f64::tanh), 5.0),
];

#[test]
fn functions_are_as_precise_as_opencl_demands() {
    for ((name, function, _, exact), limit) in CASES {
        let (worst, x) = worst(function, exact);
        // Functions in double precision are rounded once.
        let limit = if matches!(name, "exp" | "log") { limit } else { 0.51 };
        assert!(worst <= limit, "{name}({x}) is off by {worst}");
    }
}

#[test]
fn special_values_are_those_of_the_standard_library() {
    let special = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        1.0,
        -1.0,
        89.0,
        1e9,
        -1e9,
        -104.0,
        -1e-45,
        1e-45,
    ];
    for ((name, function, library, _), _) in CASES {
        for x in special {
            let (found, expected) = (function(x), library(x));
            assert_eq!(found.is_nan(), expected.is_nan(), "{name}({x})");
            let is_special = expected == 0.0 || expected.is_infinite() || expected == 1.0;
            if is_special {
                assert_eq!(
                    (found, found.is_sign_negative()),
                    (expected, expected.is_sign_negative()),
                    "{name}({x})"
                );
            }
        }
    }
}

#[test]
fn large_arguments_are_reduced_without_loss() {
    // The arguments nearest to multiples of half of pi among all numbers of single precision: Muller et al.,
    // Handbook of floating-point arithmetic.
    let near = [16_367_173.0 * 2f32.powi(72), 1.647_099_1e6, f32::MAX, 33_554_432.0];
    for x in near.into_iter().chain((0..98_000).map(|step| f32::from_bits(0x4b00_0000 + 8_923 * step))) {
        for sign in [1.0, -1.0] {
            let x = sign * x;
            for (found, exact) in [(sin(x), f64::from(x).sin()), (cos(x), f64::from(x).cos())] {
                assert!(distance(found, exact) <= 0.51, "{x}: {found} instead of {exact}");
            }
        }
    }
}

#[test]
fn powers_of_two_and_ten_have_whole_logarithms() {
    for exponent in -149..128 {
        assert_eq!(log2(2f64.powi(exponent) as f32), exponent as f32);
    }
    for exponent in 0..=10 {
        assert_eq!(log10(10f32.powi(exponent)), exponent as f32);
    }
    for exponent in -160..=140 {
        assert_eq!(exp2(exponent as f32), 2f64.powi(exponent) as f32);
    }
}

#[test]
fn powers_are_as_precise_as_opencl_demands() {
    let exponents = [0.5, -0.5, 1.7, 2.0, 3.0, -1.0, 1.0 / 3.0, 10.0, -7.0, 0.001, 100.0, 1e-20, 12_345.6];
    for y in exponents {
        for x in numbers(1_000_003) {
            let (found, exact) = (pow(x, y), f64::from(x).powf(f64::from(y)));
            assert_eq!(found.is_nan(), exact.is_nan(), "{x} to the power of {y}");
            assert!(exact.is_nan() || distance(found, exact) <= 0.51, "{x} to the power of {y} is {found}");
        }
    }
    // Near one, where small logarithms are multiplied by large numbers.
    for step in -20_000..20_000 {
        let x = 1.0 + step as f32 * f32::EPSILON;
        for y in [1e3, 1e5, -1e4, 1e7, 33_333.3] {
            let (found, exact) = (pow(x, y), f64::from(x).powf(f64::from(y)));
            assert!(distance(found, exact) <= 0.51, "{x} to the power of {y} is {found} instead of {exact}");
        }
    }
}

#[test]
fn special_powers_are_those_of_the_standard_library() {
    let special =
        [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 16_777_215.0, 16_777_216.0, 1e30, f32::INFINITY, f32::NAN, 1e-45];
    let special = || special.into_iter().flat_map(|x| [x, -x]);
    for (x, y) in special().flat_map(|x| special().map(move |y| (x, y))) {
        let (found, expected) = (pow(x, y), x.powf(y));
        let is_same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        let is_near = distance(found, f64::from(expected)) <= 1.0 && expected.is_finite() && expected != 0.0;
        assert!(is_same || is_near, "{x} to the power of {y} is {found} instead of {expected}");
    }
}
