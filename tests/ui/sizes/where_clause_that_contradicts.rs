lift::lift! {
    fn chunks<const N: usize>(a: [f32; N]) -> [[f32; 3]; N / 3]
    where
        N == 8,
    {
        a >> split(3)
    }
}

fn main() {}
