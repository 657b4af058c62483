lift::lift! {
    fn picked<const N: usize>(a: [f32; N], positions: [i32; N]) -> [f32; N] {
        gather(positions, a)
    }
}

fn main() {}
