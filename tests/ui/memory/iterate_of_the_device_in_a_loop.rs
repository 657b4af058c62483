// The whole device applies the function to each row, one after the other: rows would have to wait for each other in a kernel.
lift::lift! {
    fn counted<const N: usize>(a: [[f32; N]; 8], m: size) -> [[f32; N]; 8] {
        a >> mapSeq(|row| row >> iterate(m, |t| t >> mapGlb0(|x| x + 1)))
    }
}

fn main() {}
