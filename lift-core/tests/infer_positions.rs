#[path = "infer/support.rs"]
mod support;
use support::{elaborated, infer, mistakes, signatures};
#[test]
fn show() {
    let _ = (infer, mistakes);
    for line in std::fs::read_to_string("/tmp/programs").unwrap().lines() {
        println!("{line}\n    {}\n", signatures(line).replace('\n', "\n    "));
        if line.starts_with(' ') {
            println!("    {}\n", elaborated(line));
        }
    }
}
