// Sums over the rows of a matrix, for all columns at once: work-groups have pieces of columns, and a second
// kernel adds these.

// The sums of four columns per work-item over `piece` rows for each row of work-groups.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void column_sums(const global float4 *restrict a, global float4 *restrict partial, int columns, int piece) {
    int vectors = columns / 4;
    int column = get_global_id(0);
    int first = get_group_id(1) * piece;
    float4 sum = 0.0f;
#pragma unroll 16
    for (int row = first; row < first + piece; row++) {
        sum += a[row * vectors + column];
    }
    partial[get_group_id(1) * vectors + column] = sum;
}

// The same with a weight for every row: the product of the transposed matrix with a vector.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void transposed_product(const global float4 *restrict a, const global float *restrict x,
                        global float4 *restrict partial, int columns, int piece) {
    int vectors = columns / 4;
    int column = get_global_id(0);
    int first = get_group_id(1) * piece;
    float4 sum = 0.0f;
#pragma unroll 16
    for (int row = first; row < first + piece; row++) {
        sum += a[row * vectors + column] * x[row];
    }
    partial[get_group_id(1) * vectors + column] = sum;
}

// The sums of `pieces` rows of partial results: 32 columns per group, eight work-items for a column.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void add_pieces(const global float *restrict partial, global float *restrict out, int columns, int pieces) {
    local float sums[8][32];
    int column = get_global_id(0);
    int x = get_local_id(0), y = get_local_id(1);
    float sum = 0.0f;
#pragma unroll 8
    for (int piece = y; piece < pieces; piece += 8) {
        sum += partial[piece * columns + column];
    }
    sums[y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y == 0) {
#pragma unroll
        for (int i = 1; i < 8; i++) {
            sum += sums[i][x];
        }
        out[column] = sum;
    }
}
