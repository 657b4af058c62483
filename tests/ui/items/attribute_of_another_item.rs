lift::lift! {
    #[launch(local = 64)]
    fn sum(a: f32, b: f32) -> f32 {
        a + b
    }

    #[assoc]
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| 2 * x, a)
    }
}

fn main() {}
