lift::lift! {
    fn first<const N: usize>(a: [f32; N]) -> f32 {
        redcue(add, 0, a)
    }
    
    fn second(a: [f32; 8]) -> [[f32; 3]; 2] {
        split(3, a)
    }
}

fn main() {}
