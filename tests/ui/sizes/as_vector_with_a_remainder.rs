lift::lift! {
    fn squares(a: [f32; 10]) -> [f32; 10] {
        a >> asVector(4) >> map(|v| v * v) >> asScalar
    }
}

fn main() {}
