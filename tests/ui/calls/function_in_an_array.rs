lift::lift! {
    fn f<const N: usize>(a: [f32; N]) -> [[f32; 2]; N] {
        map(|x| [sqrt, exp], a)
    }
}

fn main() {}
