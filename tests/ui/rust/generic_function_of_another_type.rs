lift::lift! {
    fn norm<T: Float, const N: usize>(a: [T; N]) -> T {
        sqrt(reduce(add, 0, map(|x| x * x, a)))
    }
}

fn main() {
    let _ = norm(&[1, 2, 3]);
}
