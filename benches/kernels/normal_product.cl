// A^T (A x) for `a` with `rows` x `columns` elements.

// The first product: a row per work-group, vectors of four.
kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void product(const global float4 *restrict a, const global float4 *restrict x, global float *restrict y, int columns) {
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
    for (int rest = 64; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < rest) {
            sums[l] += sums[l + rest];
        }
    }
    if (l == 0) {
        y[get_group_id(0)] = sums[0];
    }
}

// The second product: four columns per work-item, `chunk` rows per row of work-groups.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void transposed_product(const global float4 *restrict a, const global float *restrict y, global float4 *restrict partial, int columns, int chunk) {
    int vectors = columns / 4;
    int column = get_global_id(0);
    int first = get_group_id(1) * chunk;
    float4 sum = 0.0f;
#pragma unroll 8
    for (int row = first; row < first + chunk; row++) {
        sum += a[row * vectors + column] * y[row];
    }
    partial[get_group_id(1) * vectors + column] = sum;
}

// The sums of `chunks` rows of partial results.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void add_chunks(const global float *restrict partial, global float *restrict out, int columns, int chunks) {
    int column = get_global_id(0);
    float sum = 0.0f;
#pragma unroll 8
    for (int chunk = 0; chunk < chunks; chunk++) {
        sum += partial[chunk * columns + column];
    }
    out[column] = sum;
}

// Naive: an element per work-item, a kernel for each product.
kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void naive_product(const global float *restrict a, const global float *restrict x, global float *restrict y, int columns) {
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) {
        sum += a[row * columns + i] * x[i];
    }
    y[row] = sum;
}

kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void naive_transposed_product(const global float *restrict a, const global float *restrict y, global float *restrict out, int rows, int columns) {
    int column = get_global_id(0);
    float sum = 0.0f;
    for (int i = 0; i < rows; i++) {
        sum += a[i * columns + column] * y[i];
    }
    out[column] = sum;
}

// Both products in one pass: a group has whole rows, two at a time, in registers, a work-item PER_ITEM vectors of each. The
// next two rows are on their way while these are reduced.
#ifdef PER_ITEM
#define ITEMS 512

void read_rows(float4 (*rows)[PER_ITEM], const global float4 *restrict a, int row) {
#pragma unroll
    for (int r = 0; r < 2; r++) {
#pragma unroll
        for (int i = 0; i < PER_ITEM; i++) {
            rows[r][i] = a[(row + r) * (PER_ITEM * ITEMS) + i * ITEMS + get_local_id(0)];
        }
    }
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void one_pass(const global float4 *restrict a, const global float4 *restrict x, global float4 *restrict partial, int rows) {
    local float products[2][ITEMS];
    local float4 sums[2][4];
    float4 here[2][PER_ITEM], next[2][PER_ITEM], xs[PER_ITEM], acc[PER_ITEM];
    int l = get_local_id(0);
    int groups = get_num_groups(0);
    int row = get_group_id(0) * 2;
#pragma unroll
    for (int i = 0; i < PER_ITEM; i++) {
        xs[i] = x[i * ITEMS + l];
        acc[i] = 0.0f;
    }
    if (row < rows) {
        read_rows(next, a, row);
    }
    for (; row < rows; row += 2 * groups) {
#pragma unroll
        for (int r = 0; r < 2; r++) {
            float4 sum = 0.0f;
#pragma unroll
            for (int i = 0; i < PER_ITEM; i++) {
                here[r][i] = next[r][i];
                sum += here[r][i] * xs[i];
            }
            products[r][l] = (sum.x + sum.y) + (sum.z + sum.w);
        }
        if (row + 2 * groups < rows) {
            read_rows(next, a, row + 2 * groups);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        // 16 work-items for each of the two rows, 32 products for each work-item.
        if (l < 32) {
            float sum = 0.0f;
#pragma unroll
            for (int i = 0; i < ITEMS / 16; i++) {
                sum += products[l / 16][i * 16 + l % 16];
            }
            ((local float *)sums)[l] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int r = 0; r < 2; r++) {
            float4 y4 = (sums[r][0] + sums[r][1]) + (sums[r][2] + sums[r][3]);
            float y = (y4.x + y4.y) + (y4.z + y4.w);
#pragma unroll
            for (int i = 0; i < PER_ITEM; i++) {
                acc[i] += y * here[r][i];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < PER_ITEM; i++) {
        partial[get_group_id(0) * (PER_ITEM * ITEMS) + i * ITEMS + l] = acc[i];
    }
}
#endif
