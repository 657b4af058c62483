// Jacobi stencils with borders repeated.

// Three points: 0.25, 0.5, 0.25.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void line(const global float *restrict a, global float *restrict out, int n) {
    int i = get_global_id(0);
    out[i] = 0.25f * a[max(i - 1, 0)] + 0.5f * a[i] + 0.25f * a[min(i + 1, n - 1)];
}

// The same through a tile in local memory.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void line_tiled(const global float *restrict a, global float *restrict out, int n) {
    local float tile[258];
    int first = get_group_id(0) * 256 - 1;
    for (int l = get_local_id(0); l < 258; l += 256) {
        tile[l] = a[clamp(first + l, 0, n - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int l = get_local_id(0);
    out[get_global_id(0)] = 0.25f * tile[l] + 0.5f * tile[l + 1] + 0.25f * tile[l + 2];
}

// The same, four points per work-item.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void line_float4(const global float *restrict a, global float4 *restrict out, int n) {
    int i = get_global_id(0);
    float4 c = ((const global float4 *)a)[i];
    float before = a[max(4 * i - 1, 0)];
    float after = a[min(4 * i + 4, n - 1)];
    out[i] = 0.25f * (float4)(before, c.xyz) + 0.5f * c + 0.25f * (float4)(c.yzw, after);
}

// Five points, one element per work-item: the mean of a point and its four neighbours.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void five(const global float *restrict a, global float *restrict out, int rows, int columns) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    int left = max(x - 1, 0), right = min(x + 1, columns - 1);
    int above = max(y - 1, 0), below = min(y + 1, rows - 1);
    float sum = a[above * columns + x] + a[y * columns + left] + a[y * columns + x] + a[y * columns + right] + a[below * columns + x];
    out[y * columns + x] = sum * 0.2f;
}

// Nine points, one element per work-item: the mean of a point and its eight neighbours.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void nine(const global float *restrict a, global float *restrict out, int rows, int columns) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0.0f;
#pragma unroll
    for (int i = -1; i <= 1; i++) {
        const global float *row = a + clamp(y + i, 0, rows - 1) * columns;
        sum += row[max(x - 1, 0)] + row[x] + row[min(x + 1, columns - 1)];
    }
    out[y * columns + x] = sum * (1.0f / 9.0f);
}

// A row as a work-item sees it: four elements and their neighbours to the left and to the right.
typedef struct {
    float4 left, centre, right;
} row_t;

row_t read_row(const global float *restrict a, int rows, int columns, int y, int x) {
    const global float *row = a + clamp(y, 0, rows - 1) * columns;
    row_t read;
    read.centre = *(const global float4 *)(row + x);
    read.left = (float4)(row[max(x - 1, 0)], read.centre.xyz);
    read.right = (float4)(read.centre.yzw, row[min(x + 4, columns - 1)]);
    return read;
}

// Four columns and PER_ITEM rows per work-item; three rows roll through registers.
#ifdef PER_ITEM

kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void five_rolling(const global float *restrict a, global float *restrict out, int rows, int columns) {
    int x = get_global_id(0) * 4;
    int y = get_global_id(1) * PER_ITEM;
    row_t above = read_row(a, rows, columns, y - 1, x);
    row_t here = read_row(a, rows, columns, y, x);
#pragma unroll
    for (int i = 0; i < PER_ITEM; i++) {
        row_t below = read_row(a, rows, columns, y + i + 1, x);
        float4 sum = above.centre + here.left + here.centre + here.right + below.centre;
        *(global float4 *)(out + (y + i) * columns + x) = sum * 0.2f;
        above = here;
        here = below;
    }
}

float4 row_sum(row_t row) {
    return row.left + row.centre + row.right;
}

kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void nine_rolling(const global float *restrict a, global float *restrict out, int rows, int columns) {
    int x = get_global_id(0) * 4;
    int y = get_global_id(1) * PER_ITEM;
    float4 above = row_sum(read_row(a, rows, columns, y - 1, x));
    float4 here = row_sum(read_row(a, rows, columns, y, x));
#pragma unroll
    for (int i = 0; i < PER_ITEM; i++) {
        float4 below = row_sum(read_row(a, rows, columns, y + i + 1, x));
        *(global float4 *)(out + (y + i) * columns + x) = (above + here + below) * (1.0f / 9.0f);
        above = here;
        here = below;
    }
}

#endif
