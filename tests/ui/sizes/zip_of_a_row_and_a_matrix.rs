lift::lift! {
    fn product(a: [[f32; 3]; 2], b: [[f32; 3]; 4]) -> [f32; 2] {
        a >> map(|row| zip(row, b) >> map(mult) >> reduce(add, 0))
    }
}

fn main() {}
