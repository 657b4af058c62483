lift::lift! {
    fn is_even(n: i32) -> i32 {
        if n == 0 { 1 } else { is_odd(n - 1) }
    }

    fn is_odd(n: i32) -> i32 {
        if n == 0 { 0 } else { is_even(n - 1) }
    }
}

fn main() {}
