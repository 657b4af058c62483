lift::lift! {
    fn sums<const N: usize>(rows: [(f32, [f32; 3]); N]) -> [f32; N] {
        rows >> map(|(x, row)| x + reduce(add, 0, row))
    }
}

fn main() {}
