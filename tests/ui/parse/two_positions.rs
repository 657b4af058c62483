lift::lift! {
    fn diagonal<const N: usize>(a: [[f32; N]; N]) -> [[f32; N]; N] {
        a >> map2(|i, j => x| if i == j { x } else { 0 })
    }
}

fn main() {}
