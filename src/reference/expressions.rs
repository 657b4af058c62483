//! Expressions: what stands inside [`lift!`](crate::lift!) and in the body of a function.
//!
//! ```text
//! e ::= 1 | 2.5 | true | 7u8               a literal
//!     | x                                  a variable, a size, a function, a primitive, a constant
//!     | f32::MAX                           a constant of Rust
//!     | [e, …]                             a small array
//!     | (e, …)    | e.0                    a tuple, a component
//!     | v.k                                a field of a Rust variable
//!     | f(e, …)   | e.f(e, …)              a call; the receiver of a method is the first argument
//!     | |p, …| e                           a function
//!     | |i => p, …| e                      a function that knows the position of the element it is given
//!     | e >> e                             application, or composition
//!     | { let p = e; … e }                 a block
//!     | e + e …   | -e  | !e  | e as T     operators and casts
//!     | if e { e } else { e }
//! p ::= x | _ | (p, …) | [p, …] | p: T     a pattern
//! ```
//!
//! ## Functions and currying
//!
//! The data is the last argument of every primitive. A call with only some of the first arguments is a
//! function of the rest. The primitives that take any number of arrays (`zip`, `zip2`, `zip3`) take all of
//! them at once.
//!
//! `a >> f` applies the function `f` to the value `a`. If `a` is a function, it is the composition: first
//! `a`, then `f`. It binds weaker than all other operators.
//!
//! A function of several parameters may be given one tuple, and takes its components; `|x, y| e` and
//! `|(x, y)| e` are the same there. A function is not a value: it cannot be stored in an array or a tuple.
//!
//! ```
//! use lift::lift;
//!
//! let a = [1.0f32, 2.0, 3.0, 4.0];
//! let sums = lift!(map(reduce(add, 0), split(2, a)))?;
//! assert_eq!(lift!(map(reduce(add, 0))(split(2)(a)))?, sums);
//! assert_eq!(lift!(a >> split(2) >> map(reduce(add, 0)))?, sums);
//! assert_eq!(lift!(a >> (split(2) >> map(reduce(add, 0))))?, sums);
//!
//! let products = lift!(zip(a, a) >> map(mult))?;
//! assert_eq!(lift!(zip(a, a) >> map(|x, y| x * y))?, products);
//! assert_eq!(lift!(zip(a, a) >> map(|(x, y)| x * y))?, products);
//! assert_eq!(lift!(zip(a, a) >> map(|t| t.0 * t.1))?, products);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Patterns
//!
//! A parameter of a lambda and the left side of a `let` are patterns: a name, `_` for what is not used, a tuple
//! of patterns, an array of patterns, each with or without a type. `[p, q, r]` takes an array of three elements
//! apart, which need not be scalars. So a pattern states a length: an array of another length is a mistake, a
//! size that may be another one is compared at the call, and a Rust variable of unknown length gets this one.
//! What a pattern names is read where it is used.
//!
//! ```
//! use lift::lift;
//! use lift::ndarray::array;
//!
//! let heat = array![[0.0f32, 4.0, 0.0], [4.0, 8.0, 4.0], [0.0, 4.0, 0.0]];
//! let change = lift!(
//!     heat >> slide2(3, 1) >> map2(|[[_, n, _], [w, c, e], [_, s, _]]| n + w + e + s - 4 * c)
//! )?;
//! let points = array![[1.0f32, 2.0], [3.0, 4.0]];
//! let lengths = lift!(map(|[x, y]| sqrt(x * x + y * y), points))?;
//! let last: f32 = lift!({ let [_, [x, y]] = points; x * y })?;
//!
//! assert_eq!(change, array![[-16.0]]);
//! assert_eq!(lengths.to_vec(), [5.0f32.sqrt(), 5.0]);
//! assert_eq!(last, 12.0);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Positions of elements
//!
//! `|i => x| e` is a function of `x` that knows the position `i` of `x` in the array, as `A` does in the type
//! `[i => A; n]`. The position is a [size](super::sizes): `at(i, b)` and `slice(0, i, b)` take it, and the length
//! of the result may depend on it. In computations it is an integer. Maps of all kinds give positions, and so do
//! reductions and scans, whose functions are `|i => acc, x| e`. The functions of a composition are all applied at
//! one position. `scanInclusive` applies its function from the second element on, which is at position 1.
//!
//! `iterate(m, |k => xs| e)` and `iterateWhile(m, c, |k => z| e)` give the number of the step in the same way, from
//! 0; then `iterate` keeps the length of its array, and `iterateWhile` starts with no array.
//!
//! Nothing else gives a position: not `map2` and `map3`, where an element has several (`map(|i => row| row >>
//! map(|j => x| …))` names each of them), not `toLocal` and `vectorize`, and no call.
//!
//! ```
//! use lift::lift;
//!
//! let (a, b) = ([1.0f32, 2.0, 3.0], [10.0f32, 20.0, 30.0]);
//! let crossed = lift!(map(|i => x| x * at(2 - i, b), a))?;
//! let weighted: f32 = lift!(a >> reduce(|i => sum, x| sum + i as f32 * x, 0))?;
//! let ends = lift!(map(|i => x| if i == 0 || i == 2 { 0 } else { x }, a))?;
//! let sums = lift!(map(|i => x| x + reduce(add, 0, slice(0, i, b)), a))?;
//!
//! assert_eq!(crossed.to_vec(), [30.0, 40.0, 30.0]);
//! assert_eq!(weighted, 2.0 + 6.0);
//! assert_eq!(ends.to_vec(), [0.0, 2.0, 0.0]);
//! assert_eq!(sums.to_vec(), [1.0, 12.0, 33.0]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Names
//!
//! A free variable of an inline expression is the Rust variable of that name: arrays are borrowed, numbers
//! are copied. A variable that stands where a [size](super::sizes) is needed, or as the position of `at`, is
//! a `usize`. It is then a size in all its uses, whatever their order. A number `i` of another type is a
//! position as `i as i64`. A `usize` that is only computed with, as in `x * n as f32`, is an `i64`. The names
//! of lambdas and `let`s hide all others. A Rust variable with the name of a primitive or a built-in function
//! cannot be used: rename it.
//!
//! A field of a Rust variable is a free variable of its own, in expressions and closures: `self.k`,
//! `model.weights`, `pair.1.x`. It is evaluated once, and nothing else of the struct is borrowed. In kernels and
//! in messages it is called `self_k`. `pair.1` is such a field where `pair` stands nowhere by itself; where it
//! does, the whole tuple is the argument. Functions have no `self`.
//!
//! ```
//! use lift::lift;
//!
//! struct Model {
//!     factor: f32,
//!     weights: Vec<f32>,
//! }
//!
//! impl Model {
//!     fn scaled(&self, a: &[f32]) -> lift::Result<Vec<f32>> {
//!         Ok(lift!(zip(self.weights, a) >> map(|w, x| self.factor * w * x))?.to_vec())
//!     }
//! }
//! assert_eq!(Model { factor: 2.0, weights: vec![1.0, 3.0] }.scaled(&[1.0, 2.0])?, [2.0, 12.0]);
//! # Ok::<(), lift::Error>(())
//! ```
//!
//! ## Literals and operators
//!
//! A literal takes its type from where it stands. An integer literal may be a float: `1 / 2` is 0.5 where
//! floats are computed. A suffix fixes the type. If nothing gives it a type, an integer literal is an `i32`
//! if only integers surround it, and an `f32` otherwise. What counts is the smallest expression with the
//! literal, those that must have its type, and another number whose type is known. So the table in
//! `map(|i| at(i, [10, 20, 30]), xs)` has `i32`s. The elements of an argument of any type count as floats,
//! unless they must be integers. Rust has no floats in hexadecimal digits: `0x1.8p3` is `ldexp(0x18, -1)`, and
//! `fromBits(0x4140_0000u32)` gives all its bits.
//!
//! Rust's constants of scalar types are there by their paths, with their types: `i32::MIN`, `u8::BITS`,
//! `f32::EPSILON`, `f64::INFINITY` and the others of these types, and all of `std::f32::consts`, such as
//! `std::f32::consts::PI`, also for `f64` and `f16`, and with `core`. `f16` has the same ones.
//!
//! The operators are those of Rust, on two operands of one type: `+ - * / %` and unary `-` on numbers,
//! `== != < <= > >=`, `& | ^ !` on the bits of integers and on `bool`, and `&& ||` on `bool`. From weak to
//! strong they are `||`, `&&`, comparisons, `|`, `^`, `&`, `+ -`, `* / %`. In the body of a
//! [user function](super::items) there are also the shifts `<<` and `>>`, which bind more strongly than `&` and
//! less than `+`. The operand of `!` is a `bool` where
//! nothing says that it is an integer, as in `map(|x| !x, a)` on a Rust variable `a`, whose type the macro does
//! not know. Integers wrap. A division by zero gives some number, and stops nothing. `as` converts between
//! numbers, and from `bool`. Floats become integers as in Rust: they are rounded towards zero, and those that
//! do not fit become the nearest integer that does.
//!
//! Scalar computations become one loop body and make no array of their own. `if` chooses between scalars,
//! vectors, tuples, and arrays of one size and element type. A choice between arrays is made for each element:
//! what a branch computes element by element is computed only where it is chosen. What has to be complete
//! before it is read, such as a scan, is computed whatever is chosen; so is what is read often.
//!
//! ```
//! use lift::lift;
//!
//! let a = [1.5f32, -2.0, 300.0];
//! let limit = 2.0f32;
//! let limited = lift!(map(
//!     |x| {
//!         let doubled = 2 * x;
//!         if doubled < 0 || doubled > limit { limit } else { doubled + 1 / 2 }
//!     },
//!     a
//! ))?;
//! let bytes = lift!(map(|x: f32| x as u8, a))?;
//! let (k, mask) = ([9u32, 12], 0xffu32);
//! let gray = lift!(map(|k| (k ^ k / 2) & mask, k))?;
//! let hexadecimal = lift!(map(|x: f32| x + ldexp(0x18, -1) - fromBits(0x4140_0000u32), a))?;
//! let common: u32 = lift!(reduce(bitAnd, 0xffff_ffff, k))?;
//! let turn: f32 = lift!(reduce(max, f32::NEG_INFINITY, map(|x: f32| 2 * std::f32::consts::PI * x, a)))?;
//! let normalised = lift!({
//!     let largest = a >> map(|x: f32| abs(x)) >> reduce(max, 0);
//!     if largest > 1 { a >> map(|x| x / largest) } else { a }
//! })?;
//! let smoothed = lift!(a >> slide(2, 1) >> map(|pair| zip(pair, [0.25, 0.75]) >> map(mult) >> reduce(add, 0)))?;
//!
//! assert_eq!(limited.to_vec(), [2.0, 2.0, 2.0]);
//! assert_eq!(bytes.to_vec(), [1, 0, 255]);
//! assert_eq!(gray.to_vec(), [13, 10]);
//! assert_eq!(hexadecimal.to_vec(), a);
//! assert_eq!(common, 8);
//! assert_eq!(turn, 600.0 * std::f32::consts::PI);
//! assert_eq!(normalised.to_vec(), a.map(|x| x / 300.0));
//! assert_eq!(smoothed.to_vec(), [-1.125, 224.5]);
//! # Ok::<(), lift::Error>(())
//! ```
