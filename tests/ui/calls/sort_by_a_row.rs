lift::lift! {
    fn in_order<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows >> sortBy(|row| row >> map(abs))
    }
}

fn main() {}
