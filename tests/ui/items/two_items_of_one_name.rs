lift::lift! {
    fn f(x: f32) -> f32 {
        x
    }
    
    fn f(x: f32) -> f32 {
        x + x
    }
}

fn main() {}
