lift::lift! {
    fn tail(a: [f32; 8]) -> [f32; 4] {
        slice(6, 4, a)
    }
}

fn main() {}
