lift::lift! {
    fn sums<const N: usize>(a: [[f32; 3]; N], b: [[f32; 4]; N]) -> [[f32; 3]; N] {
        zip2(a, b) >> map2(add)
    }
}

fn main() {}
