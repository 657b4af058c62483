#![deny(dead_code)]

lift::lift! {
    const RADIUS: usize = 2;
    const WIDTH: usize = 2 * RADIUS + 1;
    const OF_RUST: f32 = 0.5;
    const UNUSED: i32 = -1;

    fn sums<const N: usize>(a: [f32; N]) -> [f32; N - WIDTH + 1] {
        a >> slide(WIDTH, 1) >> map(reduce(add, 0))
    }
}

fn main() {
    println!("{:?}", sums(&[OF_RUST; 9]));
}
