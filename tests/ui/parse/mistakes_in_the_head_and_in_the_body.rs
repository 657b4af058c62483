lift::lift! {
    fn doubled<const N: usize>(a: &[f32; N]) {
        let mut twice = |x| 2 x;
        map(twice, self)
    }
}

fn main() {}
