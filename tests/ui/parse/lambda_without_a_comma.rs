lift::lift! {
    fn counted<const N: usize>(a: [i32; N]) -> [i32; N] {
        zip(a, generate(N |i| i as i32)) >> map(add)
    }
}

fn main() {}
