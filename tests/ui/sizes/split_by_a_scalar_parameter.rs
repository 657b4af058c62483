lift::lift! {
    fn chunks(m: i32, a: [f32; 8]) -> [f32; 8] {
        a >> split(m) >> join
    }
}

fn main() {}
