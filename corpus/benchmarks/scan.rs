// The prefix sums of a whole array, which the compiler itself divides among work-items.

lift! {
    fn prefix_sums<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scanInclusive(add) }
}
