//! A tuple of arrays is a tuple of borrows, not a borrow of a tuple.

use lift::lift;

lift! {
    fn sum<const N: usize>(rows: ([f32; N], [f32; N])) -> [f32; N] {
        zip(rows.0, rows.1) >> map(add)
    }
}

fn main() -> lift::Result<()> {
    let rows = (vec![1.0f32], vec![2.0f32]);
    sum(&rows)?;
    Ok(())
}
