lift::lift! {
    fn strided(a: [f32; 8]) -> [f32; 8] {
        gather(stride(3), a)
    }
}

fn main() {}
