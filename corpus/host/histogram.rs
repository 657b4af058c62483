// Counts of values, in one function and in several.

lift! {
    fn counts_at<const N: usize>(a: [i32; N]) -> [i32; N] {
        let counts = generate(256, |value| a >> map(|x| select(x == value as i32, 1, 0)) >> reduce(add, 0));
        a >> map(|x| at(x, counts))
    }

    fn ranks_at<const N: usize>(a: [i32; N]) -> [i32; N] {
        let counts = generate(256, |value| a >> map(|x| select(x == value as i32, 1, 0)) >> reduce(add, 0));
        let up_to = scanInclusive(add, counts);
        a >> map(|x| at(x, up_to))
    }

    fn counts_of<const N: usize>(a: [i32; N]) -> [i32; 256] {
        generate(256, |value| a >> map(|x| select(x == value as i32, 1, 0)) >> reduce(add, 0))
    }

    fn prefixes_of(counts: [i32; 256]) -> [i32; 256] { scanInclusive(add, counts) }

    fn looked_up<const N: usize>(a: [i32; N], counts: [i32; 256]) -> [i32; N] { a >> map(|x| at(x, counts)) }

    fn by_parts<const N: usize>(a: [i32; N]) -> [i32; 256] where N % 1024 == 0 {
        a >> split(1024)
            >> map(reduce(|counts, x| zip(counts, generate(256, |value| value as i32))
                >> map(|(count, value)| select(value == x, count + 1, count)), repeat(256, 0)))
            >> transpose >> map(reduce(add, 0))
    }

    fn of_each_part<const N: usize>(a: [i32; N]) -> [[i32; 256]; N / 1024] where N % 1024 == 0 {
        a >> split(1024)
            >> map(reduce(|counts, x| zip(counts, generate(256, |value| value as i32))
                >> map(|(count, value)| select(value == x, count + 1, count)), repeat(256, 0)))
    }

    fn together<const M: usize>(parts: [[i32; 256]; M]) -> [i32; 256] { parts >> transpose >> map(reduce(add, 0)) }
}
