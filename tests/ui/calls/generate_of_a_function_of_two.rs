lift::lift! {
    fn table<const N: usize>(a: [f32; N]) -> [f32; 4] {
        generate(4, |i, j| 1.0)
    }
}

fn main() {}
