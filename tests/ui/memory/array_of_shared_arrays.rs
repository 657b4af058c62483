lift::lift! {
    fn both<const N: usize>(a: [f32; 8 * N]) -> [f32; 8 * N] {
        a >> split(8) >> mapWrg0(|t| {
            let two = [mapLcl0(|x| x * 2, t), mapLcl0(|x| x + 1, t)];
            two >> map(reverse) >> transpose >> mapLcl0(reduce(add, 0))
        }) >> join
    }
}

fn main() {}
