lift::lift! {
    fn doubled(a: [f32; 128]) -> [f32; 128] {
        a >> split(64) >> mapWrg0(mapLcl0(toLocal(|x| x + x))) >> join
    }
}

fn main() {}
