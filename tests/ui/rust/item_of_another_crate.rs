//! Says that 16 bytes are two million elements.

use lift::Item;
use lift::ndarray::Ix1;

#[derive(Clone, Copy)]
struct Row([f32; 4]);

impl Item for Row {
    type Element = f32;
    type Dimension = Ix1;

    fn append_lengths(lengths: &mut Vec<usize>) {
        lengths.push(2_000_000);
    }

    fn elements(items: &[Row]) -> &[f32] {
        &items[0].0
    }

    fn elements_mut(items: &mut [Row]) -> &mut [f32] {
        &mut items[0].0
    }
}

fn main() {}
