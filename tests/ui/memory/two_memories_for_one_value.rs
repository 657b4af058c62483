lift::lift! {
    fn doubled(a: [f32; 128]) -> [f32; 128] {
        a >> split(64) >> mapWrg0(|row| row >> toLocal(toGlobal(mapLcl0(id))) >> mapLcl0(|x| x + x)) >> join
    }
}

fn main() {}
