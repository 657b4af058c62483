lift::lift! {
    fn least<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> u32 {
        argmin(rows)
    }
}

fn main() {}
