//! Functions of numbers, through the macro.

use lift::lift;

/// The functions of one type, with what Rust computes, or what is known.
macro_rules! functions_of {
    ($module:ident, $ty:ident, $four:ident, $tolerance:literal) => {
        mod $module {
            use super::{KNOWN, near};

            lift::lift! {
                fn exact<const N: usize>(a: [$ty; N], b: [$ty; N], k: [i32; N]) -> [[$ty; 4]; N] {
                    zip(a, b, k) >> map(|x, y, k| [rint(x), fmod(x, y), copysign(x, y), ldexp(x, k)])
                }

                fn kinds<const N: usize>(a: [$ty; N]) -> [[bool; 2]; N] {
                    a >> map(|x| [isNan(x), isFinite(x)])
                }

                fn known<const N: usize>(a: [$ty; N]) -> [[$ty; 9]; N] {
                    a >> map(|x| [
                        asinh(x), acosh(x), atanh(x), log1p(x), expm1(x), erf(x), erfc(x), lgamma(x), tgamma(x)
                    ])
                }

                fn of_two<const N: usize>(a: [$ty; N], b: [$ty; N], k: [i32; N]) -> [[$ty; 2]; N] {
                    zip(a, b, k) >> map(|x, y, k| [hypot(x, y), powi(x, k)])
                }

                fn of_vectors<const N: usize>(v: [$four; N], k: [i32; N]) -> [$four; N] {
                    zip(v, k) >> map(|v, k|
                        select(isFinite(v) && !isNan(v), ldexp(rint(v), k), copysign(v + powi(1, k), -1)))
                }

                /// The same as a function of Rust.
                fn of_one(x: $ty, y: $ty, k: i32) -> ($ty, $ty, bool) {
                    let exact = x.round_ties_even() + fmod(x, y).copysign(y) + x.ldexp(k);
                    (exact, x.powi(k).hypot(y.exp_m1().ln_1p()), x.is_nan() || !y.is_finite())
                }
            }

            const NUMBERS: [$ty; 20] = [
                0.0, -0.0, 0.5, -0.5, 1.5, -2.5, 3.5, 1e6, -1e6 - 0.25, 8_388_607.5, 1e30, -7.75, $ty::MAX,
                $ty::MIN_POSITIVE, $ty::MIN_POSITIVE / 8.0, $ty::NAN, $ty::INFINITY, $ty::NEG_INFINITY, 1e-3, 3.0,
            ];

            fn same(found: $ty, expected: $ty) -> bool {
                found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
            }

            /// `x * 2^k`, in steps that are exact for these numbers. No step is too large for double precision.
            fn scaled(x: $ty, k: i32) -> $ty {
                (0..4).fold(f64::from(x), |x, step| x * 2f64.powi((k + step).div_euclid(4))) as $ty
            }

            #[test]
            fn exact_functions_compute_what_rust_computes() -> lift::Result<()> {
                let pairs = NUMBERS.iter().flat_map(|x| NUMBERS.map(|y| (*x, y)));
                let (a, b): (Vec<$ty>, Vec<$ty>) = pairs.unzip();
                let exponents = [0, 1, -1, 7, -24, 60, -60, 125, -125, 2000, -2000];
                let k: Vec<i32> = (0..a.len()).map(|position| exponents[position % exponents.len()]).collect();
                let found = exact(&a, &b, &k)?;
                for (position, found) in found.outer_iter().enumerate() {
                    let (x, y, k) = (a[position], b[position], k[position]);
                    let expected = [x.round_ties_even(), x % y, x.copysign(y)];
                    let all_same = expected.iter().zip(&found).all(|(expected, found)| same(*found, *expected));
                    assert!(all_same, "{x:e}, {y:e}: {found:?} and not {expected:?}");
                    assert!(same(found[3], scaled(x, k)), "{x:e} * 2^{k} is not {:e}", found[3]);
                }
                let found = kinds(&NUMBERS)?;
                let found: Vec<[bool; 2]> = found.outer_iter().map(|row| [row[0], row[1]]).collect();
                assert_eq!(found, NUMBERS.map(|x| [x.is_nan(), x.is_finite()]));
                Ok(())
            }

            #[test]
            fn other_functions_are_precise() -> lift::Result<()> {
                let found = known(&KNOWN.map(|(x, _)| x as $ty))?;
                for ((x, expected), found) in KNOWN.iter().zip(found.outer_iter()) {
                    for (position, (expected, found)) in expected.iter().zip(&found).enumerate() {
                        let expected = *expected as $ty;
                        // OpenCL leaves the precision of `lgamma` open.
                        let tolerance = if position == 7 { 1e-5 } else { $tolerance };
                        let is_near = near((*found).into(), expected.into(), tolerance);
                        assert!(is_near, "function {position} of {x}: {found:e} and not {expected:e}");
                    }
                }
                let a = [3.0, -0.5, 2.0, -1.5, 0.0, 7.0, 0.0, 1.125, $ty::MAX / 2.0, $ty::INFINITY];
                let b = [-4.0, 0.0, 2.0, 0.25, -0.0, $ty::NEG_INFINITY, 1.0, 0.0, $ty::MAX / 4.0, $ty::NAN];
                let k = [3, -2, 10, 5, 0, -1, -3, 100, 1, 0];
                for (position, found) in of_two(&a, &b, &k)?.outer_iter().enumerate() {
                    let (x, y, k) = (f64::from(a[position]), f64::from(b[position]), k[position]);
                    let expected = [x.hypot(y) as $ty, x.powf(f64::from(k)) as $ty];
                    let all_near = |position: usize| {
                        near(found[position].into(), expected[position].into(), $tolerance)
                    };
                    assert!(all_near(0) && all_near(1), "{x:e}, {y:e}, {k}: {found:?} and not {expected:?}");
                }
                Ok(())
            }

            #[test]
            fn vectors_and_user_functions_have_the_same_functions() -> lift::Result<()> {
                let (large, infinite) = ($ty::MAX, $ty::INFINITY);
                let vectors = [[1.5, -2.5, $ty::NAN, large], [infinite, -infinite, -0.25, 0.5]];
                let found = of_vectors(&vectors, &[2, -1])?.to_vec();
                assert_eq!(found[0][..2], [8.0, -8.0]);
                assert!(found[0][2].is_nan() && found[0][3] == infinite);
                assert_eq!(found[1], [-infinite, -infinite, -0.0, 0.0]);
                let (exact, precise, odd) = of_one(-2.5, 2.0, 3);
                assert_eq!((exact, odd), (-2.0 + 0.5 - 20.0, false));
                assert!(near(precise.into(), (15.625f64 * 15.625 + 4.0).sqrt(), $tolerance));
                assert!(of_one($ty::NAN, 1.0, 0).2 && of_one(1.0, infinite, 0).2);
                Ok(())
            }
        }
    };
}

functions_of!(of_f32, f32, f32x4, 2e-6);
functions_of!(of_f64, f64, f64x4, 4e-15);

/// Whether two numbers differ by a part of them, or are alike in being none.
fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    match expected {
        nan if nan.is_nan() => found.is_nan(),
        expected if expected.is_infinite() || expected == 0.0 => {
            (found - expected).abs() < 1e-15 || found == expected
        }
        expected => (found - expected).abs() <= tolerance * expected.abs(),
    }
}

const INFINITE: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Numbers with their inverse hyperbolic sine, cosine and tangent, `log1p`, `expm1`, `erf`, `erfc`, `lgamma` and
/// `tgamma`, rounded from 40 digits.
#[rustfmt::skip]
#[allow(clippy::approx_constant, reason = "values of functions, of which some are constants")]
const KNOWN: [(f64, [f64; 9]); 15] = [
    (0.0, [0.0, NAN, 0.0, 0.0, 0.0, 0.0, 1.0, INFINITE, INFINITE]),
    (0.25, [0.24746646154726346, NAN, 0.25541281188299536, 0.22314355131420976, 0.2840254166877415, 0.27632639016823696, 0.7236736098317631, 1.2880225246980774, 3.625609908221908]),
    (-0.25, [-0.24746646154726346, NAN, -0.25541281188299536, -0.2876820724517809, -0.22119921692859512, -0.27632639016823696, 1.276326390168237, 1.589575312551186, -4.901666809860711]),
    (0.75, [0.6931471805599453, NAN, 0.9729550745276566, 0.5596157879354227, 1.1170000166126746, 0.7111556336535151, 0.28884436634648486, 0.20328095143129538, 1.2254167024651776]),
    (-0.9375, [-0.8364818689255533, NAN, -1.7169936022425731, -2.772588722239781, -0.608394373323201, -0.8151024010343998, 1.8151024010344, 2.8041701430837747, -16.51336648703189]),
    (1.0, [0.881373587019543, 0.0, INFINITE, 0.6931471805599453, 1.7182818284590453, 0.8427007929497149, 0.15729920705028513, 0.0, 1.0]),
    (1.5, [1.1947632172871092, 0.9624236501192069, NAN, 0.9162907318741551, 3.481689070338065, 0.9661051464753108, 0.033894853524689274, -0.12078223763524522, 0.886226925452758]),
    (2.5, [1.6472311463710958, 1.566799236972411, NAN, 1.252762968495368, 11.182493960703473, 0.999593047982555, 0.0004069520174449589, 0.2846828704729192, 1.329340388179137]),
    (-2.5, [-1.6472311463710958, NAN, NAN, NAN, -0.9179150013761012, -0.999593047982555, 1.999593047982555, -0.056243716497674054, -0.9453087204829419]),
    (4.25, [2.153628170462028, 2.1259288074588905, NAN, 1.6582280766035324, 69.10541234668786, 0.9999999981494259, 1.8505741373867425e-09, 2.1144569274503713, 8.28508514183522]),
    (9.0, [2.8934439858858716, 2.8872709503576206, NAN, 2.302585092994046, 8102.083927575384, 1.0, 4.13703174651381e-37, 10.60460290274525, 40320.0]),
    (9.313225746154785e-10, [9.313225746154785e-10, NAN, 9.313225746154785e-10, 9.313225741817976e-10, 9.313225750491594e-10, 1.050884991041862e-09, 0.999999998949115, 20.794415416260787, 1073741823.4227843]),
    (NAN, [NAN; 9]),
    (INFINITE, [INFINITE, INFINITE, NAN, INFINITE, INFINITE, 1.0, 0.0, INFINITE, INFINITE]),
    (-INFINITE, [-INFINITE, NAN, NAN, NAN, -1.0, -1.0, 2.0, INFINITE, NAN]),
];

/// Powers of one type of integers.
macro_rules! powers_of {
    ($($name:ident: $ty:ident),*) => {
        lift! {
            $(
                fn $name<const N: usize>(a: [$ty; N], k: [u32; N]) -> [[$ty; 3]; N] {
                    zip(a, k) >> map(|x, k| [pow(x, k), wrappingPow(x, 3), x.wrapping_pow(k + 1)])
                }
            )*

            fn power_of_vectors<const N: usize>(a: [i16x4; N], k: [u32; N]) -> [i16x4; N] {
                zip(a, k) >> map(|v, k| pow(v, k) + pow(v, 2))
            }

            /// A power modulo a prime number.
            fn of_rust(x: u64, k: u32) -> u64 { (x % 1009).pow(k & 3) % 1009 + x.wrapping_pow(0) }
        }

        #[test]
        fn powers_of_integers_wrap() -> lift::Result<()> {
            $(
                let a: Vec<$ty> = [0, 1, 2, 3, 10, 127].into_iter().chain([$ty::MIN, $ty::MAX, $ty::MAX / 3]).collect();
                let exponents = [0, 1, 2, 7, 31, 64, 1_000_003, u32::MAX - 1];
                let pairs = || a.iter().flat_map(|x| exponents.map(|k| (*x, k)));
                let (bases, k): (Vec<$ty>, Vec<u32>) = pairs().unzip();
                let expected: Vec<$ty> =
                    pairs().flat_map(|(x, k)| [x.wrapping_pow(k), x.wrapping_pow(3), x.wrapping_pow(k + 1)]).collect();
                assert_eq!($name(&bases, &k)?.iter().copied().collect::<Vec<$ty>>(), expected);
            )*
            let vectors = [[1i16, -2, 300, i16::MIN]];
            let expected = vectors[0].map(|x| x.wrapping_pow(5).wrapping_add(x.wrapping_pow(2)));
            assert_eq!(power_of_vectors(&vectors, &[5])?.to_vec(), [expected]);
            assert_eq!(of_rust(12, 3), 1728 % 1009 + 1);
            Ok(())
        }
    };
}

powers_of!(of_i8: i8, of_u16: u16, of_i32: i32, of_u64: u64);

#[test]
fn open_types_have_the_functions_of_the_argument() -> lift::Result<()> {
    let (singles, doubles, bytes) = ([1.5f32, f32::NAN], [-2.5f64, f64::INFINITY], [3u8, 7]);
    assert_eq!(lift!(map(isNan, singles))?.to_vec(), [false, true]);
    assert_eq!(lift!(map(|x| x.is_finite(), doubles))?.to_vec(), [true, false]);
    assert_eq!(lift!(map(|x| select(isNan(x), 0, ldexp(rint(x), 3)), singles))?.to_vec(), [16.0, 0.0]);
    assert_eq!(lift!(map(|x| powi(x, 2) + copysign(1, x), doubles))?.to_vec(), [5.25, f64::INFINITY]);
    assert_eq!(lift!(map(|x| pow(x ^ 1, 2), bytes))?.to_vec(), [4, 36]);
    Ok(())
}
