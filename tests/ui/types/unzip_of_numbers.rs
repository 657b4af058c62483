lift::lift! {
    fn parts<const N: usize>(a: [f32; N]) -> [f32; N] {
        unzip(a).0
    }
}

fn main() {}
