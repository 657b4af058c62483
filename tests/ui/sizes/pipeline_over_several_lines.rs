lift::lift! {
    fn vectors(a: [f32; 12]) -> [f32x8; 1] {
        a
            >> pad(1, 1, clamp)
            >> slide(3, 1)
            >> map(|window| {
                window
                    >> map(|x| x * x)
                    >> reduce(add, 0)
            })
            >> asVector(8)
    }
}

fn main() {}
