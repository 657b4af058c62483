// Prices of European options (Black and Scholes, 1973), with the normal distribution of Abramowitz and
// Stegun, 26.2.17.

lift! {
    fn normal(d: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.2316419 * abs(d));
        let series = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        let upper = 0.39894228 * exp(-0.5 * d * d) * series;
        if d > 0 { 1 - upper } else { upper }
    }
    fn price(s: f32, x: f32, t: f32, r: f32, v: f32) -> (f32, f32) {
        let deviation = v * sqrt(t);
        let d1 = (log(s / x) + (r + 0.5 * v * v) * t) / deviation;
        let d2 = d1 - deviation;
        let discounted = x * exp(-r * t);
        (s * normal(d1) - discounted * normal(d2), discounted * (1 - normal(d2)) - s * (1 - normal(d1)))
    }
    fn black_scholes<const N: usize>(s: [f32; N], x: [f32; N], t: [f32; N], r: f32, v: f32) -> ([f32; N], [f32; N]) {
        zip(s, x, t) >> map(|s, x, t| price(s, x, t, r, v)) >> unzip
    }
}
