lift::lift! {
    fn doubled(a: [f32; 128]) -> [f32; 128] {
        a >> split(64) >> mapWrg0(|row| row >> toPrivate(mapLcl0(id)) >> reverse >> mapLcl0(|x| x + x)) >> join
    }
}

fn main() {}
