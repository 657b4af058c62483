lift::lift! {
    fn mixed<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> chunks(8) >> interleave
    }
}

fn main() {}
