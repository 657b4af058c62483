lift::lift! {
    fn weighted<const N: usize>(a: [f32; N], x: f32, y: f32) -> [f32; N] {
        let weights = [x, y, x];
        let scaled = a >> toGlobal(mapGlb0(|v| weights >> map(|w| w * v) >> reduce(add, 0)));
        scaled >> pad(1, 1, clamp) >> slide(3, 1) >> mapGlb0(|nbh| zip(nbh, weights) >> map(mult) >> reduce(add, 0))
    }
}

fn main() {}
