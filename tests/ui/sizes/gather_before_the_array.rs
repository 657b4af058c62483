lift::lift! {
    fn previous(a: [f32; 8]) -> [f32; 8] {
        gather(|i| i - 1, a)
    }
}

fn main() {}
