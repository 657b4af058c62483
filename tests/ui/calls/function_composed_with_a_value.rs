lift::lift! {
    fn sums<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| x + 1) >> a
    }
}

fn main() {}
