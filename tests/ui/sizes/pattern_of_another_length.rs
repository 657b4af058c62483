lift::lift! {
    fn laplace<const N: usize, const M: usize>(t: [[f32; M]; N]) -> [[f32; M]; N] {
        t >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|[[_, n, _], [w, c, e, _], [_, s, _]]| n + w + e + s - 4 * c)
    }

    fn sum<const N: usize>(t: [f32; N]) -> f32 {
        let [a, b, c] = t;
        a + b + c
    }
}

fn main() {}
