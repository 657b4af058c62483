lift::lift! {
    fn chunks(a: [f32; 8]) -> [f32; 8] {
        a >> split(tune(rows, [])) >> join
    }
}

fn main() {}
