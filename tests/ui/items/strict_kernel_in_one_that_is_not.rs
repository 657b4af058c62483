lift::lift! {
    #[strict]
    fn sum<const N: usize>(a: [f32; N]) -> f32 {
        reduce(add, 0, a)
    }

    fn mean<const N: usize>(a: [f32; N]) -> f32 where N >= 1 {
        sum(a) / N as f32
    }
}

fn main() {}
