//! The matrix product, naive and with tiles in local memory and blocks in registers.

use super::input;
use crate::case::{Benchmark, Case, Input, Meaning, Pair, Work};
use crate::generated::{Generated, generated, program};
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/matrix_product.cl");

program! { MM:
    fn mm<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|row| b >> transpose >> map(|column| dotProduct(row, column)))
    }
}

program! { MM_NAIVE:
    #[launch(local = (32, 8), global = (M, N))]
    fn mm_naive<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> mapGlb1(|row| b >> transpose >> mapGlb0(|column| zip(row, column) >> reduceSeq(|acc, (x, y)| acc + x * y, 0)))
    }
}

program! { MM_REGISTERS:
    #[launch(local = (16, 8), global = (M / 4, N / 4))]
    fn mm_registers<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
        where N % 4 == 0, M % 4 == 0, K % 4 == 0
    {
        a >> split(4) >> mapGlb1(|rows| b >> map(asVector(4)) >> transpose >> mapGlb0(|column|
            zip(rows >> map(split(4)) >> transpose, column >> split(4)) >> reduceSeq(|sums, (block, four)| {
                let rows = block >> map(asVector(4)) >> toPrivate(mapSeq(mapSeq(id))) >> map(asScalar);
                let columns = four >> toPrivate(mapSeq(id));
                zip(sums, rows) >> mapSeqUnroll(|(sum, row)| {
                    let products = zip(row, columns) >> map(|(x, y)| x * y);
                    sum + (products >> reduceSeqUnroll(add, 0)) })
                }, repeat(16, 0) >> asVector(4))
        ) >> transpose >> map(asScalar)) >> join
    }
}

/// The product with tiles in local memory and a block of the result in the registers of each work-item. A
/// group computes `$tile_n` x `$tile_m` elements in steps of `$tile_k`. Its `$items` work-items form rows of
/// `$columns`. Each computes `$block_n` x `$block_m` elements, in pieces of four rows and four columns, whose
/// distance is the number of work-items. `$reduce` is `reduceSeq`, or `reduceSeqPipelined` for double
/// buffering: the next tiles are loaded while these are used.
macro_rules! tiled_product {
    ($text:ident, $name:ident, $reduce:ident, $tile_n:tt x $tile_m:tt x $tile_k:tt,
     $rows:tt x $columns:tt = $items:tt items, $block_n:tt x $block_m:tt each) => {
        program! { $text:
            #[launch(local = $items)]
            fn $name<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
                where N % $tile_n == 0, M % $tile_m == 0, K % $tile_k == 0
            {
                a >> tile($tile_n, $tile_k) >> mapWrg1(|tilesOfA| b >> tile($tile_k, $tile_m) >> transpose >> mapWrg0(|tilesOfB|
                    zip(tilesOfA, tilesOfB) >> $reduce(|acc, (ta, tb)| {
                        let la = ta >> toLocal(|t| t >> map(asVector(4)) >> join >> split($items) >> mapSeq(mapLcl0(id))
                            >> join >> split($tile_k / 4) >> map(asScalar) >> transpose >> increase2d(0, 0, 0, 4));
                        let lb = tb >> toLocal(|t| t >> map(asVector(4)) >> join >> split($items) >> mapSeq(mapLcl0(id))
                            >> join >> split($tile_m / 4) >> map(asScalar));
                        let rows = la >> map(|r| r >> split(4) >> split($rows) >> transpose) >> transpose;
                        let columns = lb >> map(|r| r >> asVector(4) >> split($columns) >> transpose) >> transpose;
                        let blocks = rows >> map(|r| columns >> map(|c| (r, c))) >> join;
                        zip(acc, blocks) >> mapLcl0(|(block, (aBlock, bBlock))|
                            zip(aBlock, bBlock) >> reduceSeqUnroll(|sums, (av, bv)| {
                                let ap = av >> join >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                                let bp = bv >> toPrivate(mapSeq(id));
                                zip(sums, ap) >> mapSeq(|(line, x)| zip(line, bp) >> mapSeq(|(s, y)| s + x * y))
                            }, block))
                    }, generate($items, |i| generate($block_n, |p| repeat($block_m, 0) >> asVector(4))))
                    >> mapLcl0(toGlobal(mapSeq(mapSeq(id)))) >> split($columns)
                    >> map(|r| r >> transpose >> map(|line| line >> transpose >> join >> asScalar) >> split(4)) >> transpose >> join >> join
                )) >> untile
            }
        }
    };
}

tiled_product!(MM_BLOCKED, mm_blocked, reduceSeq, 64 x 64 x 8, 16 x 8 = 128 items, 4 x 8 each);
tiled_product!(MM_TILES_32X32, mm_tiles_32x32, reduceSeqPipelined, 32 x 32 x 32, 8 x 8 = 64 items, 4 x 4 each);
tiled_product!(MM_TILES_64X64, mm_tiles_64x64, reduceSeqPipelined, 64 x 64 x 16, 8 x 16 = 128 items, 8 x 4 each);
tiled_product!(MM_TILES_256X128, mm_tiles_256x128, reduceSeqPipelined, 256 x 128 x 8, 32 x 8 = 256 items, 8 x 16 each);
tiled_product!(MM_TILES_128X256, mm_tiles_128x256, reduceSeqPipelined, 128 x 256 x 8, 8 x 32 = 256 items, 16 x 8 each);

/// The double-buffered program whose tiles are best for a size.
fn best_program(n: usize) -> Generated {
    match n {
        ..1024 => generated!(mm_tiles_32x32, MM_TILES_32X32, (a @ 0: Ix2, b @ 1: Ix2)),
        1024..2048 => generated!(mm_tiles_64x64, MM_TILES_64X64, (a @ 0: Ix2, b @ 1: Ix2)),
        2048..4096 => generated!(mm_tiles_256x128, MM_TILES_256X128, (a @ 0: Ix2, b @ 1: Ix2)),
        4096.. => generated!(mm_tiles_128x256, MM_TILES_128X256, (a @ 0: Ix2, b @ 1: Ix2)),
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
    [In(0), In(1), Output, int(n), int(m), int(k)]
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
        output: n * n,
        meaning: Meaning::exact(n, element),
        work: Work::Operations(2.0 * (n as f64).powi(3)),
        pairs: vec![
            Pair::new("naive", naive, generated!(mm_naive, MM_NAIVE, (a @ 0: Ix2, b @ 1: Ix2))),
            Pair::new(
                "4x4 registers, no local memory, float4",
                registers,
                generated!(mm_registers, MM_REGISTERS, (a @ 0: Ix2, b @ 1: Ix2)),
            ),
            Pair::new(
                "64x64x8 tiles, 4x8 registers, float4",
                medium.plan("blocked", n, n, n),
                generated!(mm_blocked, MM_BLOCKED, (a @ 0: Ix2, b @ 1: Ix2)),
            ),
            Pair::new(
                "best tiles for the size, double-buffered, float4",
                Blocking::best(n).plan("double_buffered", n, n, n),
                best_program(n),
            ),
        ],
        high_level: Some(generated!(mm, MM, (a @ 0: Ix2, b @ 1: Ix2))),
    }
}
