//! Arithmetic on indices and sizes, with the meaning that sizes have in the language. What does not fit does not arise: sizes are checked
//! before a launch.

/// The smaller one.
#[inline(always)]
pub fn least(x: isize, y: isize) -> isize {
    if y < x { y } else { x }
}

/// The larger one.
#[inline(always)]
pub fn greatest(x: isize, y: isize) -> isize {
    if y > x { y } else { x }
}

/// The Euclidean quotient; 0 where the divisor is 0, which happens only where no element is accessed.
#[inline(always)]
pub fn floor_divide(x: isize, y: isize) -> isize {
    if y == 0 { 0 } else { x.wrapping_div_euclid(y) }
}

/// The Euclidean remainder; 0 where the divisor is 0.
#[inline(always)]
pub fn floor_modulo(x: isize, y: isize) -> isize {
    if y == 0 { 0 } else { x.wrapping_rem_euclid(y) }
}

/// `base` to the power of `exponent`; 0 for a negative one.
#[inline(always)]
pub fn power(base: isize, exponent: isize) -> isize {
    u32::try_from(exponent).map_or(0, |exponent| base.wrapping_pow(exponent))
}

/// The position of the highest bit; 0 where there is none.
#[inline(always)]
pub fn log2(x: isize) -> isize {
    x.checked_ilog2().map_or(0, |position| position as isize)
}

/// A number from data as an index into an array of this length: the nearest one.
#[inline(always)]
pub fn clamped(value: i64, length: isize) -> isize {
    greatest(0, least(isize::try_from(value).unwrap_or(if value < 0 { 0 } else { isize::MAX }), length - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_euclidean_and_total() {
        assert_eq!((floor_divide(-1, 4), floor_modulo(-1, 4)), (-1, 3));
        assert_eq!((floor_divide(7, 0), floor_modulo(7, 0)), (0, 0));
    }

    #[test]
    fn indices_from_data_stay_inside() {
        assert_eq!((clamped(-5, 10), clamped(5, 10), clamped(50, 10)), (0, 5, 9));
        assert_eq!(clamped(i64::MIN, 1), 0);
    }

    #[test]
    fn powers_and_logarithms() {
        assert_eq!((power(3, 4), power(2, 0), power(2, -1)), (81, 1, 0));
        assert_eq!((log2(1), log2(1023), log2(1024), log2(0)), (0, 9, 10, 0));
    }
}
