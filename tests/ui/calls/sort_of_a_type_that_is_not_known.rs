lift::lift! {
    fn in_order<T: Number, const N: usize>(xs: [T; N]) -> [T; N] {
        sort(xs)
    }
}

fn main() {}
