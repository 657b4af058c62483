//! Element types that the arguments decide: every operator, built-in function and cast on them, and what is
//! passed by value.

use lift::ndarray::arr1;
use lift::{Error, Result, lift};

/// Each expression on elements of each type, beside what Rust says of it.
macro_rules! each {
    ({ $($ty:ident: $left:expr, $right:expr;)* } $names:tt $programs:tt) => {
        $(each!(@one $ty, $left, $right, $names $programs);)*
    };
    (@one $ty:ident, $left:expr, $right:expr, ($a:ident, $b:ident) { $($program:expr => $expected:expr,)* }) => {{
        let ($a, $b): ([$ty; 3], [$ty; 3]) = ($left, $right);
        $(assert_eq!($program?.to_vec(), rust(&$a, &$b, $expected));)*
    }};
}

fn rust<T: Copy, R>(left: &[T; 3], right: &[T; 3], function: impl Fn(T, T) -> R) -> Vec<R> {
    left.iter().zip(right).map(|(x, y)| function(*x, *y)).collect()
}

#[test]
fn equality_is_defined_on_all_elements() -> Result<()> {
    each! { {
        bool: [true, false, true], [true, true, false];
        i8: [1, -2, 3], [1, 2, 4];
        u64: [1, 2, u64::MAX], [1, 3, u64::MAX];
        f32: [0.0, 1.0, f32::NAN], [-0.0, 2.0, f32::NAN];
        f64: [0.5, 1.0, 2.0], [0.5, 2.0, 2.5];
    } (a, b) {
        lift!(zip(a, b) >> map(|x, y| x == y)) => |x, y| x == y,
        lift!(zip(a, b) >> map(|x, y| x != y)) => |x, y| x != y,
        lift!(zip(a, b) >> map(|x, y| if x == y { x } else { y } == y)) => |_, y| y == y,
    } }
    let (x, y) = (true, 3i16);
    assert!(lift!(x == x)?);
    assert!(!lift!(y != y)?);
    Ok(())
}

#[test]
fn comparisons_and_arithmetic_are_defined_on_all_numbers() -> Result<()> {
    each! { {
        i8: [1, -2, 3], [1, 2, 4];
        u64: [1, 2, 30], [1, 3, 4];
        f32: [0.0, 1.0, 2.5], [1.0, 2.0, 0.5];
    } (a, b) {
        lift!(zip(a, b) >> map(|x, y| x < y)) => |x, y| x < y,
        lift!(zip(a, b) >> map(|x, y| x <= y)) => |x, y| x <= y,
        lift!(zip(a, b) >> map(|x, y| x > y)) => |x, y| x > y,
        lift!(zip(a, b) >> map(|x, y| x >= y)) => |x, y| x >= y,
        lift!(zip(a, b) >> map(|x, y| x + y)) => |x, y| x + y,
        lift!(zip(a, b) >> map(|x, y| x * y)) => |x, y| x * y,
        lift!(zip(a, b) >> map(|x, y| x / y)) => |x, y| x / y,
        lift!(zip(a, b) >> map(|x, y| x % y)) => |x, y| x % y,
        lift!(zip(a, b) >> map(|x, y| max(x, y) == y)) => |x, y| x <= y,
        lift!(zip(a, b) >> map(|x, y| select(x < y, y, x))) => |x, y| if x < y { y } else { x },
        lift!(zip(a, b) >> map(|x, y| mad(x, y, 0) == x * y)) => |_, _| true,
        lift!(map(|x| x as f64, a)) => |x, _| x as f64,
        lift!(map(|x| x as i32, a)) => |x, _| x as i32,
        lift!(map(|x| x as u8, a)) => |x, _| x as u8,
    } }
    Ok(())
}

#[test]
fn a_component_of_a_tuple_does_not_depend_on_the_others() -> Result<()> {
    let (a, b) = ([1.0f32, 2.0], [3i32, 4]);
    assert_eq!(lift!((reverse(a), b).0)?, arr1(&[2.0, 1.0]));
    assert_eq!(lift!((a, b).1 >> map(|x| 2 * x))?, arr1(&[6, 8]));
    assert_eq!(lift!(map(|x| (x, 2 * x).1, a))?, arr1(&[2.0, 4.0]));
    let (x, y) = (1.5f32, 2u8);
    assert_eq!(lift!((x, y).1)?, 2);
    Ok(())
}

#[test]
fn a_number_of_rust_that_is_no_element_is_computed_with() -> Result<()> {
    let (a, n, below) = ([1.0f32, 2.0], 3usize, -2isize);
    assert_eq!(lift!(map(|x| x * n as f32, a))?, arr1(&[3.0, 6.0]));
    assert_eq!(lift!((n - 5) as f32 + below as f32)?, -4.0);
    assert_eq!(
        lift!({
            let x = n as i64;
            repeat(n, x)
        })?,
        arr1(&[3, 3, 3])
    );
    let scaled = lift!(|a: [f32; N]| map(|x| x * n as f32 / below as f32, a));
    assert_eq!(scaled.run(&a)?, arr1(&[-1.5, -3.0]));
    // Literals have the types that Rust gives them.
    let (k, x) = (3, 0.5);
    assert_eq!(lift!(map(|y| y * k as f32 + x as f32, a))?, arr1(&[3.5, 6.5]));
    let huge = usize::MAX;
    let error = lift!(huge as f32).expect_err("no size is as large");
    assert!(matches!(&error, Error::Size { size, .. } if size == "huge"), "{error}");
    Ok(())
}

#[test]
fn integer_literals_stay_integers_among_integers() -> Result<()> {
    let positions = [2i32, 0];
    assert_eq!(lift!(positions >> map(|x| at(x, [10, 20, 30])))?, arr1(&[30i32, 10]));
    assert_eq!(lift!([1, 2])?, arr1(&[1i32, 2]));
    Ok(())
}

#[test]
fn sizes_have_powers_and_logarithms_where_they_are_numbers() -> Result<()> {
    let a = [1i64, 2, 3, 4, 5];
    let n = 3usize;
    assert_eq!(lift!(map(|x| x + pow(2, len(a)) + log2(len(a)), a))?, arr1(&[35, 36, 37, 38, 39]));
    assert_eq!(lift!(repeat(n, pow(2, n) as f32 + log2(n) as f32))?, arr1(&[9.0, 9.0, 9.0]));
    Ok(())
}

#[test]
fn a_function_that_is_applied_no_times_needs_no_elements() -> Result<()> {
    let blur = lift!(|a: [f32; N], m: size| a
        >> iterate(m, |xs| pad(1, 1, clamp, xs) >> slide(3, 1) >> map(reduce(add, 0))));
    assert_eq!(blur.run(&[0.0f32; 0], 0)?.len(), 0);
    assert_eq!(blur.run(&[1.0], 2)?, arr1(&[9.0]));
    let error = blur.run(&[0.0f32; 0], 1).expect_err("an empty array has no edge");
    assert!(matches!(error, Error::Obligation { .. }), "{error}");
    Ok(())
}
