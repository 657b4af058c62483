lift::lift! {
    fn sums(a: [f32; 4]) -> [f32; 0] {
        a >> slide(5, 1) >> map(reduce(add, 0))
    }
}

fn main() {}
