use lift::ndarray::Array1;

lift::lift! {
    fn double<T, const N: usize>(a: [T; N]) -> [T; N] {
        map(|x| x + x, a)
    }

    fn roots<T: Number, const N: usize>(a: [T; N]) -> [T; N]
    where
        N % 2 == 0,
    {
        map(|x| sqrt(x) + 0.5, a)
    }

    fn low_bits<T: Copy, const N: usize>(a: [T; N]) -> [T; N] {
        map(|x| x & 7, a)
    }
}

fn main() {
    let _: Array1<f32> = roots(&[1.0f32, 4.0]).expect("numbers");
}
