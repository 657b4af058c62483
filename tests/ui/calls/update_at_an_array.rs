lift::lift! {
    fn replaced<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> update([1, 2], 0.0)
    }
}

fn main() {}
