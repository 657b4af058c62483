lift::lift! {
    fn sums<const N: usize>(keys: [u8; N], points: [[f32; 3]; N]) -> [[f32; 3]; 16] {
        reduceByKey(16, |sum, point| zip(sum, point) >> map(add), repeat(3, 0), keys, points)
    }
}

fn main() {}
