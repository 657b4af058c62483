lift::lift! {
    fn chunks(a: [f32; 8]) -> [f32; 8] {
        a >> split(2.0) >> join
    }
}

fn main() {}
