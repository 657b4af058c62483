const FACTOR: f32 = 2.0;

lift::lift! {
    fn scaled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| FACTOR * x, a)
    }
}

fn main() {
    println!("{FACTOR}");
}
