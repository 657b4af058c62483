lift::lift! {
    fn kept<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [([f32; M], u32); N] {
        rows >> map(filter(|x| x > 0))
    }
}

fn main() {}
