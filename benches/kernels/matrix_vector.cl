// Matrix-vector products: a work-group for every row of `a`, whose lengths are `columns`.

void add_up(local float *sums, int size) {
    int l = get_local_id(0);
    for (int rest = size / 2; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < rest) {
            sums[l] += sums[l + rest];
        }
    }
}

// A row per work-item: what one writes first. The work-items of a group read different rows at the same time.
kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void row_per_item(const global float *restrict a, const global float *restrict x, global float *restrict out, int columns) {
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) {
        sum += a[row * columns + i] * x[i];
    }
    out[row] = sum;
}

kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void row_per_group(const global float *restrict a, const global float *restrict x, global float *restrict out, int columns) {
    local float sums[128];
    int l = get_local_id(0);
    int base = get_group_id(0) * columns;
    float sum = 0.0f;
    for (int i = 0; i < columns; i += 128) {
        sum += a[base + i + l] * x[i + l];
    }
    sums[l] = sum;
    add_up(sums, 128);
    if (l == 0) {
        out[get_group_id(0)] = sums[0];
    }
}

kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void row_per_group_float4(const global float4 *restrict a, const global float4 *restrict x, global float *restrict out, int columns) {
    local float sums[128];
    int l = get_local_id(0);
    int vectors = columns / 4;
    const global float4 *row = a + get_group_id(0) * vectors;
    float4 sum = 0.0f;
#pragma unroll 4
    for (int i = 0; i < vectors; i += 128) {
        sum += row[i + l] * x[i + l];
    }
    sums[l] = (sum.x + sum.y) + (sum.z + sum.w);
    add_up(sums, 128);
    if (l == 0) {
        out[get_group_id(0)] = sums[0];
    }
}
