lift::lift! {
    fn sums<const N: usize>(a: [(f32, f32); N]) -> [f32; N] {
        map(add, a)
    }
}

fn main() {}
