lift::lift! {
    fn numbered<const N: usize>(a: [[f32; 32]; N]) -> [[f32; 32]; N] {
        a >> mapWrg0(|row| row >> mapLcl0(toGlobal(|i => x| x + i as f32)))
    }
}

fn main() {}
