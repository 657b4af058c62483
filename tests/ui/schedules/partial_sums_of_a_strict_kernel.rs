lift::lift! {
    #[strict]
    #[schedule(partialReduce(64))]
    fn sum<const N: usize>(a: [f32; N]) -> f32 where N % 64 == 0 {
        reduce(add, 0, a)
    }
}

fn main() {}
