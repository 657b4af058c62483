lift::lift! {
    #[assoc]
    fn add_product(sum: f32, x: (f32, f32)) -> f32 {
        sum + x.0 * x.1
    }
}

fn main() {}
