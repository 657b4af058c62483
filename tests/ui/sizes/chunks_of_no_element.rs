lift::lift! {
    fn sums<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> chunks(0) >> map(reduce(add, 0))
    }
}

fn main() {}
