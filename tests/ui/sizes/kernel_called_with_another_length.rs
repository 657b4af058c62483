lift::lift! {
    fn double(a: [f32; 4]) -> [f32; 4] {
        map(|x| 2 * x, a)
    }

    fn quadruple(a: [f32; 5]) -> [f32; 5] {
        a >> double >> double
    }
}

fn main() {}
