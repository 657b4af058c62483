lift::lift! {
    fn doubled(map: [f32; 4]) -> [f32; 4] {
        map >> map(|x| 2 * x)
    }

    fn padded<const N: usize>(a: [f32; N], clamp: f32) -> [f32; N + 2] {
        a >> pad(1, 1, clamp)
    }

    fn smallest<const N: usize>(a: [f32; N]) -> f32 {
        a >> reduce(|min, x| min(min, x), 1000)
    }
}

fn main() {}
