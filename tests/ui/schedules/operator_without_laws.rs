lift::lift! {
    #[schedule(cyclicReduce(4))]
    fn kernel<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|x| reduce(|acc, y| acc / y, x, a))
    }
}

fn main() {}
