lift::lift! {
    const RADIUS: i32 = 2;
    const TOO_LARGE: u8 = 200 + 100;
    const ROOT: f32 = sqrt(2);
    const FIRST: usize = SECOND + 1;
    const SECOND: usize = 2 * FIRST;
    const TAPS: [f32; 2] = [0.5, 0.5];

    fn windows<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(RADIUS, 1) >> map(|ROOT| reduce(add, 0, ROOT))
    }
}

fn main() {
    println!("{RADIUS} {SECOND}");
}
