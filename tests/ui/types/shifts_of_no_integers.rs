lift::lift! {
    fn of_a_float(x: f32) -> f32 {
        x << 3
    }

    fn by_a_float(x: u32, y: f32) -> u32 {
        x >> y
    }

    fn by_a_truth_value(x: i64) -> i64 {
        x >> (x > 0)
    }

    fn by_an_unknown_name(x: i64) -> i64 {
        x >> bits
    }
}

fn main() {}
