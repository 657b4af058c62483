lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        toLocal(a)
    }
}

fn main() {}
