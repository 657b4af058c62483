lift::lift! {
    fn squares(a: [f32; 8]) -> [f32; 8] {
        a >> asVector(4) >> map(|v| v * v)
    }
}

fn main() {}
