//! Instances of transposition in tiles.

use super::{Instance, size, with};

pub(super) const INSTANCES: &[Instance] = &[
    with("transposeInTiles", || vec![size(2)], 1, "|a: [[i32; M]; N]| a >> transpose"),
    with("transposeInTiles", || vec![size(4)], 1, "|a: [[i32; 3]; 6]| a >> transpose"),
    with("transposeInTiles", || vec![size(3)], 1, "|a: [[(i32, f32); M]; N]| a >> transpose >> map(head)"),
    with("transposeInTiles", || vec![size(2)], 1, "|a: [[[i32; K]; M]; N]| a >> map(|b| b >> transpose)"),
    with("transposeInTiles", || vec![size(2)], 0, "|a: [[i32; M]; N]| a >> join"),
    with("transposeInTiles", || vec![size(0)], 0, "|a: [[i32; M]; N]| a >> transpose"),
];
