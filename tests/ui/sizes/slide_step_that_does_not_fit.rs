lift::lift! {
    fn every_third(a: [f32; 9]) -> [f32; 3] {
        a >> slide(3, 4) >> map(reduce(add, 0))
    }
}

fn main() {}
