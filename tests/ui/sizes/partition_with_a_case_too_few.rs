lift::lift! {
    fn sections<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 2 {
        a >> partition(3, caseSplit(1, N - 1)) >> map(map(|x| x + 1)) >> join
    }
}

fn main() {}
