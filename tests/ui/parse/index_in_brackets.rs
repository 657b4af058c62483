lift::lift! {
    fn first<const N: usize>(a: [f32; N]) -> f32 {
        a[0]
    }
}

fn main() {}
