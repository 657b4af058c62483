lift::lift! {
    fn means<const N: usize>(a: [f32; N]) -> [f32; N - 2] {
        a.windows(3) >> map(|w| reduce(add, 0, w) / 3)
    }

    fn sums<const N: usize>(a: [f32; 4 * N]) -> [f32; N] {
        a.split(4) >> map(reduce(add, 0))
    }

    fn backwards<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> rev
    }
}

fn main() {}
