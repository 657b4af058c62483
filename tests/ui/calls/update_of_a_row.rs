lift::lift! {
    fn replaced<const N: usize>(i: u32, row: [f32; 4], a: [[f32; 4]; N]) -> [[f32; 4]; N] {
        a >> update(i, row)
    }
}

fn main() {}
