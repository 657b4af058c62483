lift::lift! {
    fn sums(a: [f32; 8]) -> [f32; 2] {
        a >> split(3) >> map(reduce(add, 0))
    }
}

fn main() {}
