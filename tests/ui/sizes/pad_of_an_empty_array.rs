lift::lift! {
    fn padded(a: [f32; 0]) -> [f32; 2] {
        pad(1, 1, clamp, a)
    }
}

fn main() {}
