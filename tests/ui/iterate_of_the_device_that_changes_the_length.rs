// The whole device halves the array: each application is another kernel, and how many there are is known only at a launch.
lift::lift! {
    fn halved<const N: usize>(a: [f32; N], m: size) -> [f32; N / pow(2, m)] {
        a >> iterate(m, |t| t >> split(2) >> map(reduce(add, 0)))
    }
}

fn main() {}
