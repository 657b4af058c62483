lift::lift! {
    fn in_order<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows >> map(map(|x| 2 * x)) >> sort
    }
}

fn main() {}
