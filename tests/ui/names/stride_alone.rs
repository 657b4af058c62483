lift::lift! {
    fn strided<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> stride(2)
    }
}

fn main() {}
