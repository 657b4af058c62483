lift::lift! {
    fn sum(a: [f32; 4], b: [f32; 5]) -> [f32; 4] {
        zip(a, b) >> map(add)
    }
}

fn main() {}
