//! How the random programs of [`lift_corpus::pinned`] are compiled, and with which sizes they run.

use lift_core::ir::typed::Program;
use lift_core::options::{BetweenKernels, Options};

/// Memory for a few rows of [`IN_PORTIONS`](lift_corpus::pinned::IN_PORTIONS) only.
pub(crate) const SCARCE: Options = Options { between_kernels: BetweenKernels::Scarce(150), ..Options::new() };

/// Sizes that such a program accepts: those that its seed gave it, and larger ones.
pub(crate) fn sizes(program: &Program) -> Vec<Vec<usize>> {
    [[1, 5], [3, 15]]
        .map(|[n, m]| {
            let size = |name: &str| match name {
                "N" => n,
                // Of a program that halves and thirds it.
                "K" => 6 * n,
                _ => m,
            };
            program.sizes.iter().map(|own| size(&own.name)).collect()
        })
        .to_vec()
}
