// Gravitational accelerations between all pairs of bodies.

lift! {
    fn attraction(p: (f32, f32, f32), q: (f32, f32, f32, f32)) -> (f32, f32, f32) {
        let dx = q.0 - p.0; let dy = q.1 - p.1; let dz = q.2 - p.2;
        let squared = dx * dx + dy * dy + dz * dz + 0.01;
        let pull = q.3 / (squared * sqrt(squared));
        (dx * pull, dy * pull, dz * pull)
    }
    fn sum(a: (f32, f32, f32), b: (f32, f32, f32)) -> (f32, f32, f32) { (a.0 + b.0, a.1 + b.1, a.2 + b.2) }
    fn nbody<const N: usize>(x: [f32; N], y: [f32; N], z: [f32; N], mass: [f32; N]) -> [(f32, f32, f32); N] {
        zip(x, y, z) >> map(|p| zip(x, y, z, mass) >> map(|q| attraction(p, q)) >> reduce(sum, (0, 0, 0)))
    }
}
