//! Says what there is to compute with on this machine, what is missing, and the command that installs it.

fn main() {
    print!("{}", lift::doctor());
}
