lift::lift! {
    fn sums(a: [f32; 4], b: [f32; 4], c: [f32; 5]) -> [f32; 4] {
        zip(a, b, c) >> map(|x, y, z| x + y + z)
    }
}

fn main() {}
