lift::lift! {
    fn double(a: [f32; N]) -> [f32; N] {
        map(|x| x + x, a)
    }
}

fn main() {}
