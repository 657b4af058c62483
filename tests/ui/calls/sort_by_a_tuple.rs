lift::lift! {
    fn in_order<const N: usize>(people: [(u16, f32); N]) -> [(u16, f32); N] {
        people >> sortBy(|(age, size)| (size, age))
    }
}

fn main() {}
