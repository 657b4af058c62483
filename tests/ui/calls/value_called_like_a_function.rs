lift::lift! {
    fn sums<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(a)
    }
}

fn main() {}
