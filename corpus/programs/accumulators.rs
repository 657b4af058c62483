// Accumulators that are arrays, in every memory, made by one work-item or by the work-items of a group.

lift! {
    /// Each work-item has its element, in registers.
    fn shared_out<const N: usize>(a: [[[i32; 64]; 8]; N]) -> [[i32; 64]; N] {
        a >> mapWrg0(|rows| rows >> reduceSeq(|acc, row| zip(acc, row) >> mapLcl0(|x, y| x * 3 + y), repeat(64, 1))
            >> mapLcl0(toGlobal(id)))
    }

    /// In local memory, as the step and the initial value say; every element is replaced where it lies.
    fn in_local_memory<const N: usize>(a: [[[i32; 64]; 8]; N]) -> [[i32; 64]; N] {
        a >> mapWrg0(|rows| rows
            >> reduceSeq(|acc, row| zip(acc, row) >> toLocal(mapLcl0(|x, y| x * 3 + y)), toLocal(mapLcl0(id))(repeat(64, 1)))
            >> mapLcl0(toGlobal(id)))
    }

    /// A step reads what other work-items have made.
    fn of_others<const N: usize>(a: [[[i32; 64]; 8]; N]) -> [[i32; 64]; N] {
        a >> mapWrg0(|rows| rows
            >> reduceSeq(|acc, row| zip(acc >> gather(rotate(1)), row) >> toLocal(mapLcl0(|x, y| x * 3 + y)), repeat(64, 1))
            >> mapLcl0(toGlobal(id)))
    }

    /// The same, with fewer work-items than elements, and written out.
    #[launch(local = 16)]
    fn of_others_by_few<const N: usize>(a: [[[i32; 64]; 8]; N]) -> [[i32; 64]; N] {
        a >> mapWrg0(|rows| rows
            >> reduceSeqUnroll(|acc, row| zip(acc >> gather(rotate(1)), row) >> toLocal(mapLcl0(|x, y| x * 3 + y)), repeat(64, 1))
            >> mapLcl0(toGlobal(id)))
    }

    /// In global memory, a part for each group.
    fn in_global_memory<const N: usize>(a: [[[i32; 64]; 8]; N]) -> [[i32; 64]; N] {
        a >> mapWrg0(|rows| rows
            >> reduceSeq(|acc, row| zip(acc >> gather(rotate(1)), row) >> toGlobal(mapLcl0(|x, y| x * 3 + y)), repeat(64, 1))
            >> mapLcl0(toGlobal(id)))
    }

    /// One work-item has rows of any length.
    fn by_one<const N: usize, const M: usize>(a: [[[i32; M]; 8]; N]) -> [[i32; M]; N] {
        a >> mapGlb0(|rows| rows >> reduceSeq(|acc, row| zip(acc, row) >> mapSeq(|x, y| x * 3 + y), repeat(M, 1)))
    }
    fn of_others_by_one<const N: usize, const M: usize, const K: usize>(a: [[[i32; M]; K]; N]) -> [[i32; M]; N] {
        a >> map(|rows| rows >> reduce(|acc, row| zip(acc >> gather(rotate(1)), row) >> map(|x, y| x * 3 + y), repeat(M, 1)))
    }
}
