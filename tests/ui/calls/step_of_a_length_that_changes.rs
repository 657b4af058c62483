lift::lift! {
    fn shortened<const N: usize>(a: [f32; N + 3]) -> [f32; N] {
        a >> iterate(3, |k => xs| xs >> slide(2, 1) >> map(|w| at(0, w) + at(1, w) * k as f32))
    }
}

fn main() {}
