// Products of a lower triangular matrix and a vector. The matrix is stored row by row without holes: row `r` begins at
// r * (r + 1) / 2 (Pizzuti, Steuwer, Dubach, FHPNC 2019).

// A row per work-item.
kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void row_per_item(const global float *restrict m, const global float *restrict v, global float *restrict out) {
    int row = get_global_id(0);
    int base = row * (row + 1) / 2;
    float sum = 0.0f;
    for (int i = 0; i <= row; i++) {
        sum += m[base + i] * v[i];
    }
    out[row] = sum;
}

void add_up(local float *sums, int size) {
    int l = get_local_id(0);
    for (int rest = size / 2; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < rest) {
            sums[l] += sums[l + rest];
        }
    }
}

// A row per work-group.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void row_per_group(const global float *restrict m, const global float *restrict v, global float *restrict out) {
    local float sums[64];
    int l = get_local_id(0);
    int row = get_group_id(0);
    int base = row * (row + 1) / 2;
    float sum = 0.0f;
    for (int i = l; i <= row; i += 64) {
        sum += m[base + i] * v[i];
    }
    sums[l] = sum;
    add_up(sums, 64);
    if (l == 0) {
        out[row] = sums[0];
    }
}

// The same with vectors of four where they are aligned, long rows first, so that short ones fill the end.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void long_rows_first(const global float *restrict m, const global float *restrict v, global float *restrict out) {
    local float sums[64];
    int l = get_local_id(0);
    int row = get_num_groups(0) - 1 - get_group_id(0);
    int base = row * (row + 1) / 2;
    int length = row + 1;
    int before = min((4 - base % 4) % 4, length);
    int vectors = (length - before) / 4;
    float sum = 0.0f;
    if (l < before) {
        sum = m[base + l] * v[l];
    }
    const global float4 *aligned = (const global float4 *)(m + base + before);
    float4 sum4 = 0.0f;
#pragma unroll 4
    for (int i = l; i < vectors; i += 64) {
        sum4 += aligned[i] * vload4(0, v + before + 4 * i);
    }
    sum += (sum4.x + sum4.y) + (sum4.z + sum4.w);
    int last = before + 4 * vectors + l;
    if (last < length) {
        sum += m[base + last] * v[last];
    }
    sums[l] = sum;
    add_up(sums, 64);
    if (l == 0) {
        out[row] = sums[0];
    }
}
