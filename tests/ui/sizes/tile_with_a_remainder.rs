lift::lift! {
    fn tiles(a: [[f32; 8]; 6]) -> [[f32; 8]; 6] {
        a >> tile(4, 4) >> untile
    }
}

fn main() {}
