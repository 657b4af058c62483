lift::lift! {
    fn sums(a: [[f32; 4]; 8]) -> [[f32; 1]; 6] {
        a >> slide2d(3, 1, 5, 1) >> map2(|w| w >> join >> reduce(add, 0))
    }
}

fn main() {}
