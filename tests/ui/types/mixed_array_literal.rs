lift::lift! {
    fn table<const N: usize>(a: [f32; N]) -> [f32; 2] {
        [1.5, true]
    }
}

fn main() {}
