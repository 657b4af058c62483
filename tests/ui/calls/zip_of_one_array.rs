lift::lift! {
    fn pairs<const N: usize>(a: [f32; N]) -> [f32; N] {
        zip(a) >> map(id)
    }
}

fn main() {}
