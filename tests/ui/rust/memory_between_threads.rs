//! Writes one array from two threads, without `unsafe`.

use std::thread;

use lift::__private::host::Shared;

fn main() {
    let mut texts: [&'static [u8]; 1] = [b"short"];
    let shared = Shared::over(&mut texts);
    thread::scope(|scope| {
        scope.spawn(|| shared.set(0, b"a longer one"));
        println!("{:?}", shared.get(0));
    });
}
