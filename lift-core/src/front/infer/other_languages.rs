//! Names that a user of Rust's iterators, of `f32` or of NumPy looks for, and what to write here instead.

/// Something that has other names in other languages.
struct Counterpart {
    /// Its names there.
    names: &'static [&'static str],
    /// How it is written here, with arrays `xs` and `ys`, matrices `xss` and `yss`, numbers `x` and `y`, a
    /// size `n`, and functions: `f` takes one value, `op` takes two, and `c` gives a truth value.
    written: &'static str,
}

const fn of(names: &'static [&'static str], written: &'static str) -> Counterpart {
    Counterpart { names, written }
}

const COUNTERPARTS: &[Counterpart] = &[
    of(&["sum"], "reduce(add, 0, xs)"),
    of(&["product", "prod"], "reduce(mult, 1, xs)"),
    of(&["fold", "foldl", "try_fold"], "reduce(op, x, xs)"),
    of(&["maximum", "amax"], "reduce(max, head(xs), xs)"),
    of(&["minimum", "amin"], "reduce(min, head(xs), xs)"),
    of(&["any"], "reduce(|found, x| found || c(x), false, xs)"),
    of(&["all"], "reduce(|holds, x| holds && c(x), true, xs)"),
    of(&["rev", "reversed", "flip"], "reverse(xs)"),
    of(&["windows", "array_windows"], "slide(n, 1, xs)"),
    of(&["chunks_exact", "array_chunks", "as_chunks"], "split(n, xs)"),
    of(&["sorted", "sort_unstable"], "sort(xs)"),
    of(&["sort_by_key", "sort_by", "sort_by_cached_key"], "sortBy(f, xs)"),
    of(&["retain", "compress", "partition_in_place"], "filter(c, xs)"),
    of(&["arange", "linspace"], "generate(n, |i| i as f32)"),
    of(&["zeros", "ones", "full"], "repeat(n, x)"),
    of(&["flatten", "ravel"], "join(xss)"),
    of(&["flat_map"], "join(map(f, xss))"),
    of(&["take"], "slice(0, n, xs)"),
    of(&["skip"], "slice(n, len(xs) - n, xs)"),
    of(&["step_by"], "map(head, split(n, xs))"),
    of(&["first"], "head(xs)"),
    of(&["nth", "index", "get_unchecked"], "at(n, xs)"),
    of(&["is_empty"], "len(xs) == 0"),
    of(&["chain", "append", "extend"], "concat(xs, ys)"),
    of(&["for_each", "apply", "mapv"], "map(f, xs)"),
    of(&["cumsum"], "scanInclusive(add, xs)"),
    of(&["ragged", "chunk_by", "RaggedTensor"], "segments(ys, xs)"),
    of(&["reduceat", "segment_sum", "segmented_reduce"], "reduceSegments(op, x, ys, xs)"),
    of(&["rotate_left", "roll"], "gather(rotate(n), xs)"),
    of(&["matvec"], "map(dotProduct(xs), xss)"),
    of(&["powf"], "pow(x, y)"),
    of(&["ln"], "log(x)"),
    of(&["signum"], "sign(x)"),
    of(&["recip"], "1 / x"),
    of(&["mul_add"], "fma(x, y, 1)"),
    of(&["fract"], "x - trunc(x)"),
    of(&["is_nan", "isnan"], "isNan(x)"),
    of(&["is_finite", "isfinite"], "isFinite(x)"),
    of(&["is_infinite", "isinf"], "abs(x) == 1.0 / 0.0"),
    of(&["square"], "x * x"),
    of(&["wrapping_add"], "x + y"),
    of(&["wrapping_sub"], "x - y"),
    of(&["wrapping_mul"], "x * y"),
    of(&["inf", "infinity", "INFINITY"], "1.0 / 0.0"),
    of(&["nan", "NAN", "NaN"], "0.0 / 0.0"),
    of(&["mean", "average"], "reduce(add, 0, xs) / len(xs) as f32"),
    of(&["norm"], "sqrt(dotProduct(xs, xs))"),
    of(&["matmul"], "map(|row| map(dotProduct(row), transpose(yss)), xss)"),
    of(&["swapaxes"], "transpose(xss)"),
    of(&["clip"], "clampv(x, 0, 1)"),
    of(&["fabs"], "abs(x)"),
    of(&["fmin"], "min(x, y)"),
    of(&["fmax"], "max(x, y)"),
    of(&["exp_m1"], "expm1(x)"),
    of(&["ln_1p"], "log1p(x)"),
    of(&["round_ties_even", "roundeven"], "rint(x)"),
    of(&["gamma"], "tgamma(x)"),
    of(&["ln_gamma", "gammaln"], "lgamma(x)"),
    of(&["pown"], "powi(x, 2)"),
    of(&["sin_cos"], "(sin(x), cos(x))"),
    of(&["to_radians", "radians"], "x * 3.141592653589793 / 180"),
    of(&["to_degrees", "degrees"], "x * 180 / 3.141592653589793"),
    of(&["abs_diff"], "max(x, y) - min(x, y)"),
    of(&["PI"], "3.141592653589793"),
    of(&["TAU"], "6.283185307179586"),
    of(&["SQRT_2"], "1.4142135623730951"),
    of(&["LN_2"], "0.6931471805599453"),
    of(&["EPSILON"], "1.1920929e-7"),
];

/// Methods that make an iterator, a view or a copy of an array, which has no counterpart.
const NEEDLESS: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "par_iter",
    "into_par_iter",
    "collect",
    "to_vec",
    "into_vec",
    "to_owned",
    "clone",
    "cloned",
    "copied",
    "as_slice",
    "as_ref",
    "view",
    "borrow",
    "into",
    "deref",
];

/// What to do instead of something that has no counterpart here.
const OUTSIDE: &[(&[&str], &str)] = &[
    (
        &["filter_map", "take_while", "skip_while", "partition_point", "dedup"],
        "the length of an array never depends on its elements; `filter(c, xs)` puts those that are kept first, and \
         says how many there are",
    ),
    (
        &["unwrap", "expect", "unwrap_or_default"],
        "nothing here is a `Result`; it belongs after the macro: `lift!(…)?`",
    ),
    (
        &["println", "print", "dbg", "assert"],
        "nothing can be printed or asserted here; look at the result in Rust",
    ),
];

/// What to write here instead of a name of another language.
pub(super) fn counterpart(name: &str) -> Option<String> {
    if let Some(found) = COUNTERPARTS.iter().find(|counterpart| counterpart.names.contains(&name)) {
        return Some(format!("`{name}` is written `{}`", found.written));
    }
    if NEEDLESS.contains(&name) {
        return Some(format!("leave `{name}` out: arrays are taken as they are"));
    }
    OUTSIDE.iter().find(|(names, _)| names.contains(&name)).map(|(_, help)| (*help).to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ir::primitive::vocabulary::is_function_of_the_language;

    #[test]
    fn names_from_elsewhere_stand_once_and_mean_nothing_here() {
        let names = COUNTERPARTS.iter().flat_map(|counterpart| counterpart.names);
        let outside = OUTSIDE.iter().flat_map(|(names, _)| *names);
        let mut seen = BTreeSet::new();
        for name in names.chain(NEEDLESS).chain(outside) {
            assert!(seen.insert(name), "`{name}` stands twice");
            assert!(!is_function_of_the_language(name), "`{name}` is a function of the language");
            assert!(counterpart(name).is_some());
        }
    }
}
