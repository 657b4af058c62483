// Results whose elements are computed from the elements at their positions: a work-item has PER_ITEM vectors
// of four. Neighbouring work-items have neighbouring vectors.

#define ITEMS 256
#define FOR_OWN(i) _Pragma("unroll") for (int i = 0; i < PER_ITEM; i++)
#define AT(i) (get_group_id(0) * (PER_ITEM * ITEMS) + (i) * ITEMS + get_local_id(0))

// What nothing that reads and writes as much can be faster than.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void copied(const global float4 *restrict x, global float4 *restrict out) {
    float4 xs[PER_ITEM];
    FOR_OWN(i) { xs[i] = x[AT(i)]; }
    FOR_OWN(i) { out[AT(i)] = xs[i]; }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void saxpy(const global float4 *restrict x, const global float4 *restrict y, float k,
           global float4 *restrict out) {
    float4 xs[PER_ITEM], ys[PER_ITEM];
    FOR_OWN(i) {
        xs[i] = x[AT(i)];
        ys[i] = y[AT(i)];
    }
    FOR_OWN(i) { out[AT(i)] = k * xs[i] + ys[i]; }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void three_to_two(const global float4 *restrict x, const global float4 *restrict y,
                  const global float4 *restrict z, global float4 *restrict first,
                  global float4 *restrict second) {
    float4 xs[PER_ITEM], ys[PER_ITEM], zs[PER_ITEM];
    FOR_OWN(i) {
        xs[i] = x[AT(i)];
        ys[i] = y[AT(i)];
        zs[i] = z[AT(i)];
    }
    FOR_OWN(i) {
        first[AT(i)] = xs[i] * ys[i] + zs[i];
        second[AT(i)] = ys[i] * zs[i] - xs[i];
    }
}

// Abramowitz and Stegun, 26.2.17.
float4 normal_distribution(float4 d) {
    float4 k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float4 inner = 1.781477937f + k * (-1.821255978f + k * 1.330274429f);
    float4 series = k * (0.31938153f + k * (-0.356563782f + k * inner));
    float4 upper = 0.39894228f * exp(-0.5f * d * d) * series;
    return select(upper, 1.0f - upper, d > 0.0f);
}

// Prices of European calls and puts (Black and Scholes, 1973).
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void black_scholes(const global float4 *restrict s, const global float4 *restrict x,
                   const global float4 *restrict t, float r, float v, global float4 *restrict calls,
                   global float4 *restrict puts) {
    FOR_OWN(i) {
        float4 now = s[AT(i)], strike = x[AT(i)], years = t[AT(i)];
        float4 deviation = v * sqrt(years);
        float4 d1 = (log(now / strike) + (r + 0.5f * v * v) * years) / deviation;
        float4 n1 = normal_distribution(d1), n2 = normal_distribution(d1 - deviation);
        float4 discounted = strike * exp(-r * years);
        calls[AT(i)] = now * n1 - discounted * n2;
        puts[AT(i)] = discounted * (1.0f - n2) - now * (1.0f - n1);
    }
}
