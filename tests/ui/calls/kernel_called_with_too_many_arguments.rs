lift::lift! {
    fn double<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| 2 * x, a)
    }

    fn quadruple<const N: usize>(a: [f32; N]) -> [f32; N] {
        double(a, 2)
    }
}

fn main() {}
