lift::lift! {
    fn double(a: [f32]) -> f32 {
        reduce(add, 0, a)
    }
}

fn main() {}
