lift::lift! {
    fn chosen<const N: usize>(m: [i => [f32; i + 1]; N], row: i32) -> f32 {
        m >> at(row) >> reduce(add, 0)
    }
}

fn main() {}
