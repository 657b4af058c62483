lift::lift! {
    fn sum_and_more(t: (f32, f32)) -> f32 {
        let (x, y, z) = t;
        x + y + z
    }
}

fn main() {}
