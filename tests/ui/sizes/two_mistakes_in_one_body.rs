lift::lift! {
    fn sums<const N: usize>(a: [f32; N], b: [f32; 4]) -> [f32; 4] {
        let c = b >> split(3) >> map(reduce(add, 0));
        zip(tranpose(a), c) >> map(add)
    }
}

fn main() {}
