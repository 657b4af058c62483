lift::lift! {
    fn chunks<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> split(0) >> join
    }
}

fn main() {}
