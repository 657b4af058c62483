// `iterate`: by launching kernels again, in loops of a work-group or a work-item, and written out; any number
// of times.

lift! {
    /// The whole device applies the function, which needs its neighbours.
    fn blurred<const N: usize>(a: [f32; N], times: size) -> [f32; N] {
        a >> iterate(times, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| max(at(0, w), at(2, w)) + 1))
    }

    /// At least once: nothing is there to copy the input.
    fn blurred_once_more<const N: usize>(a: [f32; N], times: size) -> [f32; N] {
        a >> iterate(times + 1, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| max(at(0, w), at(2, w)) + 1))
    }

    /// A known number that is not written out.
    fn blurred_a_hundred_times<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> iterate(100, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| max(at(0, w), at(2, w)) + 1))
    }

    /// Neither the input nor the result lies where applications can read and write it.
    fn blurred_inside<const N: usize>(a: [f32; N], times: size) -> [f32; N] {
        a >> map(|x| x * 2)
          >> iterate(times, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| max(at(0, w), at(2, w)) + 1))
          >> reverse >> map(|x| x * 2)
    }

    /// The result goes where a layout says.
    fn mirrored<const N: usize>(a: [f32; N], times: size) -> [f32; N] {
        a >> iterate(times, |t| t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|w| max(at(0, w), at(2, w)) + 1)) >> reverse
    }

    fn spread<const N: usize, const M: usize>(a: [[f32; M]; N], times: size) -> [[f32; M]; N] {
        a >> iterate(times, |t| t >> pad2(1, 1, mirror) >> slide2(3, 1) >> map2(|w| w >> join >> reduce(max, -1e30)))
    }

    /// Pairs lie in two arrays; both change places.
    fn fibonacci<const N: usize>(a: [(i32, i32); N], times: size) -> [(i32, i32); N] {
        a >> iterate(times, map(|x, y| (y, x + y)))
    }

    /// Each application is four kernels.
    fn scaled_by_its_sum<const N: usize>(a: [i32; N], times: size) -> [i32; N] {
        a >> iterate(times, |t| { let sum = reduce(add, 0, t); t >> map(|x| x * 3 + sum % 7) })
    }

    /// Applications inside of applications.
    fn nested<const N: usize>(a: [i32; N], outer: size, inner: size) -> [i32; N] {
        a >> iterate(outer, |t| t >> iterate(inner, |s| s >> reverse >> map(|x| x * 3 + 1)) >> map(|x| x + 5) >> rotated)
    }
    fn rotated<const N: usize>(a: [i32; N]) -> [i32; N] { a >> gather(rotate(1)) }

    /// Two results, each with its own number.
    fn two_of_them<const N: usize>(a: [f32; N], few: size, many: size) -> ([f32; N], [f32; N]) {
        (a >> iterate(few, map(|x| x + 1)), a >> iterate(many, |t| t >> reverse >> map(|x| x + 2)))
    }

    /// Half as many each time, by the whole device: one kernel, which gets the number of the application.
    fn halved<const N: usize>(a: [f32; N], m: size) -> [f32; N / pow(2, m)] {
        a >> iterate(m, |t| t >> split(2) >> map(reduce(add, 0)))
    }

    /// A known number, down to one element.
    fn total(a: [f32; 1024]) -> [f32; 1] {
        a >> iterate(10, |t| t >> split(2) >> map(reduce(add, 0)))
    }

    /// Rows, by another factor; what is iterated is computed, and the result goes where a layout says.
    fn merged_rows<const N: usize, const M: usize>(a: [[f32; M]; N], m: size) -> [[f32; M]; N / pow(3, m)] {
        a >> map2(|x| x + 1) >> iterate(m, |t| t >> split(3) >> map(|rows| rows >> transpose >> map(reduce(max, -1e30)))) >> reverse
    }

    /// One less, and one more, on each side.
    fn narrowed<const N: usize>(a: [f32; N], times: size) -> [f32; N - 2 * times] where 2 * times < N {
        a >> iterate(times, |t| t >> slide(3, 1) >> map(|w| max(at(0, w), at(2, w)) + 1))
    }
    fn widened<const N: usize>(a: [f32; N], times: size) -> [f32; N + 2 * times] {
        a >> iterate(times, |t| t >> pad(1, 1, clamp) >> map(|x| x + 1))
    }

    /// Twice as many each time.
    fn doubled<const N: usize>(a: [i32; N], times: size) -> [i32; pow(2, times) * N] {
        a >> iterate(times, |t| concat(t, t >> map(|x| x * 3 + 1)) >> map(|x| x + 1))
    }

    /// Each application is several kernels, with temporaries as long as it needs them.
    fn differences<const N: usize>(a: [i32; N], times: size) -> [i32; N - times] where times < N {
        a >> iterate(times, |t| { let sum = reduce(add, 0, t); t >> slide(2, 1) >> map(|w| at(1, w) - at(0, w) + sum % 7) })
    }

    /// Pairs lie in two arrays.
    fn halved_pairs<const N: usize>(a: [(i32, i32); N], m: size) -> [(i32, i32); N / pow(2, m)] {
        a >> iterate(m, |t| t >> split(2) >> map(|w| (at(0, w).0 + at(1, w).0, max(at(0, w).1, at(1, w).1))))
    }

    /// Applications that keep the length inside of applications that do not.
    fn halved_and_turned<const N: usize>(a: [i32; N], m: size, times: size) -> [i32; N / pow(2, m)] {
        a >> iterate(m, |t| t >> iterate(times, |s| s >> reverse >> map(|x| x * 3 + 1)) >> split(2) >> map(reduce(add, 0)))
    }

    /// A work-group applies the function, in local memory.
    fn smoothed_in_groups<const N: usize>(a: [f32; N], times: size) -> [f32; N] where N % 64 == 0 {
        a >> split(64) >> mapWrg0(|chunk| chunk
            >> iterate(times, |t| t >> pad(1, 1, wrap) >> slide(3, 1) >> toLocal(mapLcl0(|w| max(at(0, w), at(2, w)) + 1)))
            >> mapLcl0(toGlobal(id))) >> join
    }

    /// More elements than work-items, and a step of two maps.
    #[launch(local = 16)]
    fn smoothed_twice_in_groups<const N: usize>(a: [f32; N], times: size) -> [f32; N] where N % 40 == 0 {
        a >> split(40) >> mapWrg0(|chunk| chunk
            >> iterate(times, |t| t
                >> pad(1, 1, wrap) >> slide(3, 1) >> toLocal(mapLcl0(|w| max(at(0, w), at(2, w)) + 1))
                >> reverse >> toLocal(mapLcl0(|x| x + 1)))
            >> mapLcl0(toGlobal(id))) >> join
    }

    /// Each work-group has an array of its own in global memory.
    fn smoothed_in_global_memory<const N: usize>(a: [f32; N], times: size) -> [f32; N] where N % 64 == 0 {
        a >> split(64) >> mapWrg0(|chunk| chunk
            >> iterate(times, |t| t >> pad(1, 1, wrap) >> slide(3, 1) >> toGlobal(mapLcl0(|w| max(at(0, w), at(2, w)) + 1)))
            >> mapLcl0(toGlobal(id))) >> join
    }

    /// Every work-item keeps an element in registers.
    fn counted_in_registers<const N: usize>(a: [f32; N], times: size) -> [f32; N] where N % 64 == 0 {
        a >> split(64) >> mapWrg0(|chunk| chunk
            >> iterate(times, |t| t >> toPrivate(mapLcl0(|x| x * 0.5 + 1))) >> mapLcl0(toGlobal(id))) >> join
    }

    /// A tree of a height that is known at the launch (CGO 2017, figure 7).
    fn tree<const N: usize>(a: [f32; 256 * N], height: size) -> [[f32; 256 / pow(2, height)]; N] where height <= 8 {
        a >> split(256) >> mapWrg0(|chunk| chunk
            >> iterate(height, |t| t >> split(2) >> toLocal(mapLcl0(reduceSeq(add, 0)))) >> mapLcl0(toGlobal(id)))
    }

    /// Arrays that grow, in local memory.
    fn grown<const N: usize>(a: [[f32; 30]; N], times: size) -> [[f32; 30 + 2 * times]; N] where times <= 9 {
        a >> mapWrg0(|row| row
            >> iterate(times, |t| t >> pad(1, 1, clamp) >> toLocal(mapLcl0(|x| x + 1))) >> mapLcl0(toGlobal(id)))
    }

    /// One work-item has a row, in registers or in global memory.
    fn short_rows<const N: usize>(a: [[f32; 5]; N], times: size) -> [[f32; 5]; N] {
        a >> map(|row| row >> iterate(times, |t| t >> gather(rotate(2)) >> map(|x| x + 1)))
    }
    fn long_rows<const N: usize, const M: usize>(a: [[f32; M]; N], times: size) -> [[f32; M]; N] {
        a >> map(|row| row >> iterate(times, |t| t >> reverse >> map(|x| x + 1)))
    }
    fn growing_rows<const N: usize, const M: usize>(a: [[f32; M]; N], times: size) -> [[f32; M + times]; N] {
        a >> map(|row| row >> iterate(times, |t| t >> pad(1, 0, clamp) >> map(|x| x + 1)))
    }
    fn shrinking_rows<const N: usize, const M: usize>(a: [[f32; M]; N], times: size) -> [[f32; M - times]; N] where M > times {
        a >> map(|row| row >> iterate(times, |t| t >> slide(2, 1) >> map(|w| max(at(0, w), at(1, w)))))
    }
}

lift! {
    fn growing_in_three_kernels<const N: usize>(a: [i32; N], m: size) -> [i32; N + 3 * m] where N >= 1 {
        a >> iterate(m, |t| {
            let u = t >> iterate(2, |u| u >> reverse >> map(|x| x + 1));
            u >> pad(1, 2, clamp) >> map(|x| x + 1)
        })
    }
    fn sums_of_prefixes(n: size) -> [i32; n] {
        generate(n, |i| generate(i, |j| j as i32) >> scanInclusive(add) >> reduce(add, 0))
    }

    /// The number of the step: of the device, of kernels with others between them, of a group, in registers, and
    /// written out.
    fn weighted<const N: usize>(a: [i32; N], times: size) -> [i32; N] where N >= 1 {
        a >> iterate(times, |k => t| t >> reverse >> map(|i => x| x * 2 + (k * 10 + i) as i32))
    }
    fn weighted_by_sums<const N: usize>(a: [i32; N], times: size) -> [i32; N] where N >= 1 {
        a >> iterate(times, |step => t| {
            let sum = reduce(add, 0, t);
            t >> map(|x| x + sum % 7 - step as i32 + at(step % N, t))
        })
    }
    fn weighted_by_groups<const N: usize>(a: [[i32; 32]; N], times: size) -> [[i32; 32]; N] {
        a >> mapWrg0(|row| row
            >> iterate(times, |k => t| t >> pad(1, 1, wrap) >> slide(3, 1) >> toLocal(mapLcl0(|w| at(0, w) + at(2, w) * (k as i32))))
            >> mapLcl0(toGlobal(id)))
    }
    fn weighted_rows<const N: usize>(a: [[i32; 5]; N], times: size) -> [[i32; 5]; N] {
        a >> map(|row| row >> iterate(times, |k => t| t >> gather(rotate(2)) >> map(|x| x + k as i32)))
    }
    fn weighted_thrice<const N: usize>(a: [i32; N]) -> [i32; N] {
        a >> iterate(3, |k => t| t >> map(|x| x * 3 + k as i32))
    }
    /// Levels of a bottom-up merge: each step looks further.
    fn doubled_distances(a: [i32; 64]) -> [i32; 64] {
        a >> iterate(6, |k => t| generate(64, |i| at(i, t) + if i >= pow(2, k) { at(max(i - pow(2, k), 0), t) } else { 0 }))
    }
}
