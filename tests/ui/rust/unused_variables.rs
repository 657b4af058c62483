#![deny(unused_variables)]

use lift::lift;

lift! {
    fn weigh(x: f32, weight: f32) -> f32 { 2 * x }

    fn sums<const N: usize>(a: [f32; N], b: [f32; N], _c: [f32; N]) -> [f32; N] {
        let total = reduce(add, 0, a);
        zip(a, a) >> map(|x, _| weigh(x, 3))
    }

    // Sizes in types and in attributes are uses, too.
    #[launch(global = n)]
    fn firsts<const N: usize>(a: [f32; N], n: size) -> [f32; n] where n <= N {
        a >> slice(0, n) >> mapGlb0(id)
    }
}

fn main() -> lift::Result<()> {
    let a = vec![1.0f32, 2.0];
    sums(&a, &a, &a)?;
    firsts(&a, 1)?;
    let kernel = lift!(|a: [f32; N], k: f32| map(|x| 2 * x, a));
    kernel.run(&a, 1.0)?;
    Ok(())
}
