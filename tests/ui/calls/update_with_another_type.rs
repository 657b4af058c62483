lift::lift! {
    fn replaced<const N: usize>(i: i32, xs: [f32; N]) -> [f32; N] {
        xs >> update(i, (1.0, 2.0))
    }
}

fn main() {}
