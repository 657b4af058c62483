lift::lift! {
    fn next<const N: usize>(a: [u32; N]) -> [u32; N] {
        map(|x| x + 1, a)
    }
}

fn main() {
    let indices: Vec<usize> = (0..10).collect();
    let _ = next(&indices);
}
