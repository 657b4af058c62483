lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| { let y: i32 = x; y }, a)
    }
}

fn main() {}
