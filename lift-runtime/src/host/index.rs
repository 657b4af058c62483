//! Arithmetic on indices and sizes, with the meaning that sizes have in the language. Numbers that do not fit
//! do not arise: sizes are checked before a launch.

use crate::number::Convert;

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

/// The Euclidean quotient; 0 if the divisor is 0, which happens only where no element is accessed.
#[inline(always)]
pub fn floor_divide(x: isize, y: isize) -> isize {
    if y == 0 { 0 } else { x.wrapping_div_euclid(y) }
}

/// The Euclidean remainder; 0 if the divisor is 0.
#[inline(always)]
pub fn floor_modulo(x: isize, y: isize) -> isize {
    if y == 0 { 0 } else { x.wrapping_rem_euclid(y) }
}

/// `base` to the power of `exponent`; 0 if the exponent is negative.
#[inline(always)]
pub fn power(base: isize, exponent: isize) -> isize {
    u32::try_from(exponent).map_or(0, |exponent| base.wrapping_pow(exponent))
}

/// The position of the highest bit; 0 if `x` is not positive.
#[inline(always)]
pub fn log2(x: isize) -> isize {
    x.checked_ilog2().map_or(0, |position| position as isize)
}

/// The nearest `i64` to a number from data.
#[inline(always)]
pub fn position<T: Convert>(value: T) -> i64 {
    let is_unsigned = T::from_literal(-1).to_f64() > 0.0;
    match value.to_i64() {
        wrapped if is_unsigned && wrapped < 0 => i64::MAX,
        position => position,
    }
}

/// The nearest index into an array of this length to a number from data.
#[inline(always)]
pub fn clamped(value: i64, length: isize) -> isize {
    greatest(0, least(isize::try_from(value).unwrap_or(if value < 0 { 0 } else { isize::MAX }), length - 1))
}

/// The same for a number that is not negative. There is no index into an array without elements.
#[inline(always)]
pub fn at_most_last(value: i64, length: isize) -> isize {
    least(isize::try_from(value).unwrap_or(isize::MAX), length - 1)
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
        assert_eq!(clamped(position(u64::MAX), 10), 9);
        assert_eq!((at_most_last(0, 10), at_most_last(9, 10), at_most_last(10, 10)), (0, 9, 9));
    }

    #[test]
    fn numbers_from_data_never_wrap() {
        assert_eq!((position(u64::MAX), position(1u64 << 63), position(7u64)), (i64::MAX, i64::MAX, 7));
        assert_eq!((position(u32::MAX), position(-1i8), position(i64::MIN)), (0xffff_ffff, -1, i64::MIN));
    }

    #[test]
    fn powers_and_logarithms() {
        assert_eq!((power(3, 4), power(2, 0), power(2, -1)), (81, 1, 0));
        assert_eq!((log2(1), log2(1023), log2(1024), log2(0)), (0, 9, 10, 0));
    }
}
