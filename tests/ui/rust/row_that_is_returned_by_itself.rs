use lift::lift;
fn main() -> lift::Result<()> {
    let m = vec![[1.0f32, 2.0], [3.0, 4.0]];
    let _ = lift!(head(m))?;
    Ok(())
}
