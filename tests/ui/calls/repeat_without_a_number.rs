lift::lift! {
    fn table<const N: usize>(a: [f32; N]) -> [f32; 4] {
        repeat(a)
    }
}

fn main() {}
