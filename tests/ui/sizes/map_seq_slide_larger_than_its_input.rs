lift::lift! {
    fn sums(a: [f32; 4]) -> [f32; 0] {
        mapSeqSlide(reduceSeq(add, 0), 5, 1, a)
    }
}

fn main() {}
