lift::lift! {
    fn squares(a: [[f32; 8]; 8]) -> [[f32; 8]; 8] {
        a >> asVector(4) >> map(|v| v * v) >> asScalar
    }
}

fn main() {}
