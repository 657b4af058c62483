lift::lift! {
    fn in_order<const N: usize>(people: [(u16, f32); N]) -> [(u16, f32); N] {
        sort(people)
    }
}

fn main() {}
