lift::lift! {
    fn counted<const N: usize>(a: [i32; N]) -> [i32; N] {
        zip(a, generate(N |i| i as i32)) >> map(add)
    }

    fn sum<const N: usize>(a: [i32; N]) -> i32 {
        reduce(0 |acc, x| acc + x, a)
    }

    fn sums<const N: usize>(a: [i32; N]) -> [i32; N] {
        a >> scan(0 |acc, x| acc + x & 7 == 3)
    }
}

fn main() {}
