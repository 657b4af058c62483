lift::lift! {
    fn first<const N: usize>(points: [(f32, f32); N]) -> [f32; N] {
        map(|p| p.x, points)
    }

    fn scaled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| self.factor * x, a)
    }
}

struct Model {
    weights: Vec<f32>,
}

impl Model {
    fn scale(&self) {
        let _ = lift::lift!(|a: [f32; N]| zip(self.weights, a) >> map(mult));
    }
}

fn main() {
    Model { weights: Vec::new() }.scale();
}
