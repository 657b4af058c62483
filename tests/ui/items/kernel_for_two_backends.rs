lift::lift! {
    #[host]
    #[opencl]
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| 2 * x, a)
    }
}

fn main() {}
