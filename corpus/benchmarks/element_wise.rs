// Programs that compute each element of their results from the elements at its position.

lift! {
    fn copied<const N: usize>(x: [f32; N]) -> [f32; N] { x >> map(|x| x) }
}

lift! {
    fn saxpy<const N: usize>(x: [f32; N], y: [f32; N], k: f32) -> [f32; N] {
        map(|(x, y)| k * x + y, zip(x, y))
    }
}

lift! {
    fn three_to_two<const N: usize>(x: [f32; N], y: [f32; N], z: [f32; N]) -> ([f32; N], [f32; N]) {
        zip(x, y, z) >> map(|(x, y, z)| (x * y + z, y * z - x)) >> unzip
    }
}
