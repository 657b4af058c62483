lift::lift! {
    fn factorial(n: i32) -> i32 {
        if n < 2 { 1 } else { n * factorial(n - 1) }
    }
}

fn main() {}
