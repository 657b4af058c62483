//! The first code block of the README.

use lift::lift;

lift! {
    /// One step of the heat equation: every element mixed with its two neighbours, borders repeated.
    pub fn step<const N: usize>(weights: [f32; 3], t: [f32; N]) -> [f32; N] {
        t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip(weights, nbh) >> map(mult) >> reduce(add, 0))
    }
}

fn main() -> lift::Result<()> {
    // An expression, whose free variables are Rust variables.
    let a = vec![1.0f32, 2.0, 3.0, 4.0, 5.0];
    let sums = lift!(map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a))))?;
    println!("{sums}"); // [4, 6, 9, 12, 14]

    // A function.
    let warmer = step(&[0.25, 0.5, 0.25], &a)?;
    println!("{warmer}"); // [1.25, 2, 3, 4, 4.75]
    Ok(())
}
