//! The prices of European options (Black and Scholes, 1973) in double precision, with which the results of
//! the programs are compared. The normal distribution is the one that the programs use: Abramowitz and
//! Stegun, 26.2.17.

/// The prices of a call and of a put on a stock: `s` is the price of the stock, `x` the strike price, `t` the
/// time to expiry in years, `r` the interest rate per year, `v` the volatility.
pub(crate) fn prices([s, x, t]: [f64; 3], r: f64, v: f64) -> [f64; 2] {
    let deviation = v * t.sqrt();
    let d1 = ((s / x).ln() + (r + 0.5 * v * v) * t) / deviation;
    let (n1, n2) = (normal_distribution(d1), normal_distribution(d1 - deviation));
    let discounted = x * (-r * t).exp();
    [s * n1 - discounted * n2, discounted * (1.0 - n2) - s * (1.0 - n1)]
}

fn normal_distribution(d: f64) -> f64 {
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let coefficients = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let series = coefficients.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * k);
    let upper = 0.398_942_28 * (-0.5 * d * d).exp() * series;
    if d > 0.0 { 1.0 - upper } else { upper }
}
