// Benchmarks of Steuwer, Remmelg, Dubach, CGO 2017, section 7, on particles and points: each in its
// high-level form, and with the structure of the hand-written kernel that it was compared with.

lift! {
    /// What a body feels from another one. The fourth component of a position is zero.
    fn pull(p: f32x4, q: f32x4, mass: f32) -> f32x4 {
        let r = q - p;
        let inverse = rsqrt(dot(r, r) + 0.5);
        r * (mass * inverse * inverse * inverse)
    }

    fn moved(p: f32x4, v: f32x4, force: f32x4, dt: f32) -> f32x4 { p + v * dt + force * (0.5 * dt * dt) }

    fn nbody<const N: usize>(bodies: [f32x4; N], masses: [f32; N], velocities: [f32x4; N], dt: f32) -> ([f32x4; N], [f32x4; N]) {
        zip(bodies, velocities) >> map(|(p, v)| {
            let force = zip(bodies, masses) >> map(|(q, mass)| pull(p, q, mass)) >> reduce(add, 0);
            (moved(p, v, force, dt), v + force * dt)
        }) >> unzip
    }

    /// A body per work-item, which reads all others from global memory (AMD's SDK).
    fn nbody_flat<const N: usize>(bodies: [f32x4; N], masses: [f32; N], velocities: [f32x4; N], dt: f32) -> ([f32x4; N], [f32x4; N]) {
        zip(bodies, velocities) >> mapGlb0(|(p, v)| {
            let force = zip(bodies, masses) >> reduceSeq(|acc, (q, mass)| acc + pull(p, q, mass), 0);
            (moved(p, v, force, dt), v + force * dt)
        }) >> unzip
    }

    /// The others come in tiles through local memory (NVIDIA's SDK).
    fn nbody_tiled<const N: usize>(bodies: [f32x4; N], masses: [f32; N], velocities: [f32x4; N], dt: f32) -> ([f32x4; N], [f32x4; N])
    where N % 16 == 0
    {
        zip(bodies, velocities) >> split(16) >> mapWrg0(|own| {
            let forces = zip(bodies, masses) >> split(16) >> reduceSeq(|sums, tile| {
                let others = tile >> toLocal(mapLcl0(id));
                zip(own, sums) >> mapLcl0(|((p, v), sum)|
                    others >> reduceSeq(|acc, (q, mass)| acc + pull(p, q, mass), sum))
            }, repeat(16, 0));
            zip(own, forces) >> mapLcl0(|((p, v), force)| (moved(p, v, force, dt), v + force * dt) >> toGlobal(id))
        }) >> join >> unzip
    }

    /// The Lennard-Jones force between two atoms, nothing beyond a cutoff.
    fn lennard_jones(p: f32x4, q: f32x4, cutoff: f32) -> f32x4 {
        let r = p - q;
        let squared = dot(r, r);
        let inverse = 1 / squared;
        let sixth = inverse * inverse * inverse;
        if squared < cutoff { r * (inverse * sixth * (1.5 * sixth - 2)) } else { r * 0 }
    }

    /// Molecular dynamics over neighbour lists.
    fn md<const N: usize, const K: usize>(atoms: [f32x4; N], neighbours: [[i32; K]; N], cutoff: f32) -> [f32x4; N] {
        zip(atoms, neighbours) >> map(|(p, list)|
            list >> map(|j| lennard_jones(p, at(j, atoms), cutoff)) >> reduce(add, 0))
    }

    /// An atom per work-item; the lists are stored transposed, so that neighbouring work-items read
    /// neighbouring elements (SHOC).
    fn md_low<const N: usize, const K: usize>(atoms: [f32x4; N], neighbours: [[i32; N]; K], cutoff: f32) -> [f32x4; N] {
        zip(atoms, neighbours >> transpose) >> mapGlb0(|(p, list)|
            list >> reduceSeq(|acc, j| acc + lennard_jones(p, at(j, atoms), cutoff), 0) >> toGlobal(id))
    }

    fn square(x: f32) -> f32 { x * x }

    /// The number of the nearest cluster of every point.
    fn kmeans<const N: usize, const C: usize, const F: usize>(points: [[f32; F]; N], clusters: [[f32; F]; C]) -> [i32; N] {
        points >> map(|point| {
            let nearest = zip(clusters, generate(C, |c| c as i32))
                >> map(|(cluster, c)| (zip(point, cluster) >> map(|x, y| square(x - y)) >> reduce(add, 0), c))
                >> reduce(|(least, best), (distance, c)| if distance < least { (distance, c) } else { (least, best) }, (1e30, 0));
            nearest.1
        })
    }

    /// A point per work-item, features stored one after another (Rodinia).
    fn kmeans_low<const N: usize, const C: usize, const F: usize>(points: [[f32; N]; F], clusters: [[f32; F]; C]) -> [i32; N] {
        points >> transpose >> mapGlb0(|point| {
            let nearest = clusters >> reduceSeq(|(least, best, c), cluster| {
                let distance = zip(point, cluster) >> reduceSeq(|acc, (x, y)| acc + square(x - y), 0);
                if distance < least { (distance, c, c + 1) } else { (least, best, c + 1) }
            }, (1e30, 0, 0));
            nearest.1
        })
    }

    fn distance(here: (f32, f32), latitude: f32, longitude: f32) -> f32 {
        sqrt(square(here.0 - latitude) + square(here.1 - longitude))
    }

    /// The distance of every place from one.
    fn nn<const N: usize>(places: [(f32, f32); N], latitude: f32, longitude: f32) -> [f32; N] {
        places >> map(|place| distance(place, latitude, longitude))
    }

    /// Rodinia's kernel: more work-items than places are possible.
    #[launch(local = 64)]
    fn nn_low<const N: usize>(places: [(f32, f32); N], latitude: f32, longitude: f32) -> [f32; N] {
        places >> mapGlb0(|place| distance(place, latitude, longitude) >> toGlobal(id))
    }

    /// Parboil's MRI reconstruction: for every voxel a sum over all samples of k-space.
    fn mriq<const N: usize, const K: usize>(
        phi: [(f32, f32); K], samples: [(f32, f32, f32); K], voxels: [(f32, f32, f32); N]) -> ([f32; N], [f32; N])
    {
        let magnitudes = phi >> map(|re, im| re * re + im * im);
        voxels >> map(|(x, y, z)|
            zip(samples, magnitudes)
                >> map(|((kx, ky, kz), magnitude)| {
                    let angle = 6.2831855 * (kx * x + ky * y + kz * z);
                    (magnitude * cos(angle), magnitude * sin(angle))
                })
                >> reduce(|(re, im), (c, s)| (re + c, im + s), (0, 0))
        ) >> unzip
    }

    /// Two kernels: magnitudes, then a voxel per work-item.
    fn mriq_low<const N: usize, const K: usize>(
        phi: [(f32, f32); K], samples: [(f32, f32, f32); K], voxels: [(f32, f32, f32); N]) -> ([f32; N], [f32; N])
    {
        let magnitudes = phi >> mapGlb0(|re, im| re * re + im * im >> toGlobal(id));
        voxels >> mapGlb0(|(x, y, z)|
            zip(samples, magnitudes) >> reduceSeq(|(re, im), ((kx, ky, kz), magnitude)| {
                let angle = 6.2831855 * (kx * x + ky * y + kz * z);
                (re + magnitude * cos(angle), im + magnitude * sin(angle))
            }, (0, 0)) >> toGlobal(id)
        ) >> unzip
    }
}
