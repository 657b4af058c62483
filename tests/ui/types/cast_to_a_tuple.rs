lift::lift! {
    fn pairs<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| x as (f32, f32), a)
    }
}

fn main() {}
