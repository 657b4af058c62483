lift::lift! {
    const RADIUS = 2;
    const WIDTH: usize;
    #[launch(local = 4)]
    const FACTOR: f32 = 2;
    const HALF: f32 = 0.5

    fn scaled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| FACTOR * x, a)
    }
}

fn main() {
    println!("{FACTOR} {:?}", scaled(&[1.0]));
}
