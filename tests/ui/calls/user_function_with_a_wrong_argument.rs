lift::lift! {
    fn mix(a: f32, b: f32) -> f32 {
        (a + b) / 2
    }
    
    fn mixed<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| mix(x), a)
    }
}

fn main() {}
