lift::lift! {
    fn chunks(a: [f32; 8]) -> [f32; 8] {
        a >> split(tune(rows, [2, 4])) >> join >> split(tune(rows, [1, 2])) >> join
    }
}

fn main() {}
