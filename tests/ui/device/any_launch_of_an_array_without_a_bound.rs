lift::lift! {
    #[launch(any)]
    fn doubled<const N: usize, const M: usize>(a: [[[f32; 8]; M]; N]) -> [[[f32; 8]; M]; N] {
        a >> mapWrg0(mapLcl1(|row| row >> toPrivate(mapLcl0(|x| 2 * x)) >> mapLcl0(toGlobal(id))))
    }
}

fn main() {}
