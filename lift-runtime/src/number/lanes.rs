//! Vectors of the language as arrays of Rust, component by component.
//!
//! With a known number of components the loops vanish, and what is left are vector instructions.

use std::array;
use std::cell::Cell;

use super::{Arithmetic, add, multiply};

/// A function of one vector.
#[inline(always)]
pub fn map<A: Copy, R, const N: usize>(x: [A; N], function: impl Fn(A) -> R) -> [R; N] {
    array::from_fn(|lane| function(x[lane]))
}

/// A function of two vectors: `map2(x, y, number::add)`, `map2(x, y, |x, y| x < y)`.
#[inline(always)]
pub fn map2<A: Copy, B: Copy, R, const N: usize>(
    x: [A; N],
    y: [B; N],
    function: impl Fn(A, B) -> R,
) -> [R; N] {
    array::from_fn(|lane| function(x[lane], y[lane]))
}

/// A function of three vectors: `map3(x, y, z, number::fma)`,
/// `map3(condition, then, otherwise, number::select)`.
#[inline(always)]
pub fn map3<A: Copy, B: Copy, C: Copy, R, const N: usize>(
    x: [A; N],
    y: [B; N],
    z: [C; N],
    function: impl Fn(A, B, C) -> R,
) -> [R; N] {
    array::from_fn(|lane| function(x[lane], y[lane], z[lane]))
}

/// The products of the components, added in order.
#[inline(always)]
pub fn dot<T: Arithmetic, const N: usize>(x: [T; N], y: [T; N]) -> T {
    let products = map2(x, y, multiply);
    let mut sum = products[0];
    for product in &products[1..] {
        sum = add(sum, *product);
    }
    sum
}

/// Combines all components into one, by a function that may take them in any order and more than once: a
/// minimum or maximum. Their number is a power of two.
///
/// First it combines the parts of eight, with a vector instruction for each, then the halves of the rest.
#[inline(always)]
pub fn fold<T: Copy, const N: usize>(x: [T; N], function: impl Fn(T, T) -> T) -> T {
    const PART: usize = 8;
    const { assert!(N.is_power_of_two() && N >= PART) };
    let mut all = [x[0]; PART];
    all.copy_from_slice(&x[..PART]);
    for part in 1..N / PART {
        let mut next = all;
        for lane in 0..PART {
            next[lane] = function(all[lane], x[PART * part + lane]);
        }
        all = next;
    }
    let mut half = PART / 2;
    while half > 0 {
        for lane in 0..half {
            all[lane] = function(all[lane], all[lane + half]);
        }
        half /= 2;
    }
    all[0]
}

/// The elements in some cells.
#[inline(always)]
pub fn load<T: Copy, const N: usize>(cells: &[Cell<T>; N]) -> [T; N] {
    array::from_fn(|lane| cells[lane].get())
}

/// Overwrites the elements in some cells.
#[inline(always)]
pub fn store<T: Copy, const N: usize>(cells: &[Cell<T>; N], vector: [T; N]) {
    for (cell, component) in cells.iter().zip(vector) {
        cell.set(component);
    }
}
