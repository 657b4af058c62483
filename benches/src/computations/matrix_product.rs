//! The matrix product, naive and with tiles in local memory and blocks in registers.

use lift::lift;
use lift_corpus::benchmarks::{MATRIX_PRODUCT, MATRIX_PRODUCT_TILES};

use super::input;
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{Generated, generated};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/matrix_product.cl");

include!("../../../corpus/benchmarks/matrix_product.rs");
include!("../../../corpus/benchmarks/matrix_product_tiles.rs");

/// The double-buffered program whose tiles are best for a size.
fn best_program(n: usize) -> Generated {
    match n {
        ..1024 => generated!(mm_tiles_32x32, MATRIX_PRODUCT_TILES, (a @ 0: Ix2, b @ 1: Ix2)),
        1024..2048 => generated!(mm_tiles_64x64, MATRIX_PRODUCT_TILES, (a @ 0: Ix2, b @ 1: Ix2)),
        2048..4096 => generated!(mm_tiles_256x128, MATRIX_PRODUCT_TILES, (a @ 0: Ix2, b @ 1: Ix2)),
        4096.. => generated!(mm_tiles_128x256, MATRIX_PRODUCT_TILES, (a @ 0: Ix2, b @ 1: Ix2)),
    }
}

/// How a blocked kernel divides the work: `[n, m, k]` of the tile of a work-group, and rows and columns of a
/// work-item.
struct Blocking {
    tile: [usize; 3],
    block: [usize; 2],
}

impl Blocking {
    /// The blocking that is best for a size.
    fn best(n: usize) -> Blocking {
        match n {
            ..1024 => Blocking { tile: [32, 32, 32], block: [4, 4] },
            1024..2048 => Blocking { tile: [64, 64, 16], block: [8, 4] },
            2048..4096 => Blocking { tile: [256, 128, 8], block: [8, 16] },
            4096.. => Blocking { tile: [128, 256, 8], block: [16, 8] },
        }
    }

    fn plan(&self, entry: &str, n: usize, m: usize, k: usize) -> Plan {
        let [tile_n, tile_m, tile_k] = self.tile;
        let [block_n, block_m] = self.block;
        let items = tile_n / block_n * (tile_m / block_m);
        Plan::new(SOURCE)
            .define("TILE_N", tile_n)
            .define("TILE_M", tile_m)
            .define("TILE_K", tile_k)
            .define("BLOCK_N", block_n)
            .define("BLOCK_M", block_m)
            .launch(entry, [m / tile_m, n / tile_n], [items, 1], &arguments(n, m, k))
    }
}

/// The matrix product at its sizes.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let sizes = scale.pick(&[512, 1024, 2048, 4096][..], &[512], &[256]);
    sizes.iter().map(|&n| Benchmark::new("matrix product", n, move || case(n))).collect()
}

fn arguments(n: usize, m: usize, k: usize) -> [crate::plan::Argument; 6] {
    [In(0), In(1), Output(0), int(n), int(m), int(k)]
}

fn case(n: usize) -> Case {
    let naive = Plan::new(SOURCE).launch("naive", [n / 32, n / 8], [32, 8], &arguments(n, n, n));
    let registers = Plan::new(SOURCE).launch("registers", [n / 64, n / 32], [16, 8], &arguments(n, n, n));
    let medium = Blocking { tile: [64, 64, 8], block: [4, 8] };
    let element = move |inputs: &[Input], position: usize| {
        let (a, b) = (input(inputs, 0), input(inputs, 1));
        (0..n).map(|i| a.at(position / n * n + i) * b.at(i * n + position % n)).sum()
    };
    Case {
        inputs: vec![Input::whole_numbers(6, &[n, n]), Input::whole_numbers(7, &[n, n])],
        outputs: vec![n * n],
        meaning: Meaning::exact(n, element),
        work: Work::Operations(2.0 * (n as f64).powi(3)),
        pairs: vec![
            Pair::new("naive", naive, generated!(mm_naive, MATRIX_PRODUCT, (a @ 0: Ix2, b @ 1: Ix2))),
            Pair::new(
                "4x4 registers, no local memory, float4",
                registers,
                generated!(mm_registers, MATRIX_PRODUCT, (a @ 0: Ix2, b @ 1: Ix2)),
            ),
            Pair::new(
                "64x64x8 tiles, 4x8 registers, float4",
                medium.plan("blocked", n, n, n),
                generated!(mm_blocked, MATRIX_PRODUCT_TILES, (a @ 0: Ix2, b @ 1: Ix2)),
            ),
            Pair::new(
                "best tiles for the size, double-buffered, float4",
                Blocking::best(n).plan("double_buffered", n, n, n),
                best_program(n),
            ),
        ],
        high_level: Some(generated!(mm, MATRIX_PRODUCT, (a @ 0: Ix2, b @ 1: Ix2))),
    }
}
