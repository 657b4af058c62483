// Stencils of several arrays, and of boxes, borders repeated. A work-item computes four neighbouring columns.

// Four elements of a row, and their neighbours to the left and to the right.
typedef struct {
    float4 left, centre, right;
} row_t;

float4 read_centre(const global float *restrict row, int x) {
    return *(const global float4 *)(row + x);
}

row_t read_row(const global float *restrict row, int x, int columns) {
    row_t read;
    read.centre = read_centre(row, x);
    read.left = (float4)(row[max(x - 1, 0)], read.centre.xyz);
    read.right = (float4)(read.centre.yzw, row[min(x + 4, columns - 1)]);
    return read;
}

// PER_ITEM rows; three rows roll through registers.
kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void heated(const global float *restrict t, const global float *restrict power, global float *restrict out,
            int rows, int columns) {
    int x = get_global_id(0) * 4;
    int y = get_global_id(1) * PER_ITEM;
    float4 above = read_centre(t + max(y - 1, 0) * columns, x);
    row_t here = read_row(t + y * columns, x, columns);
#pragma unroll
    for (int i = 0; i < PER_ITEM; i++) {
        row_t below = read_row(t + min(y + i + 1, rows - 1) * columns, x, columns);
        float4 given = read_centre(power + (y + i) * columns, x);
        float4 two = 2.0f * here.centre;
        float4 change = given + (above + below.centre - two) + (here.left + here.right - two);
        *(global float4 *)(out + (y + i) * columns + x) = here.centre + 0.5f * change;
        above = here.centre;
        here = below;
    }
}

// PER_ITEM rows of a plane; three rows roll through registers.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void seven_points_rows(const global float *restrict a, global float *restrict out, int planes, int rows, int columns) {
    int x = get_global_id(0) * 4;
    int y = get_global_id(1) * PER_ITEM;
    int z = get_global_id(2);
    int plane = rows * columns;
    const global float *before = a + max(z - 1, 0) * plane;
    const global float *here = a + z * plane;
    const global float *after = a + min(z + 1, planes - 1) * plane;
    float4 above = read_centre(here + max(y - 1, 0) * columns, x);
    row_t row = read_row(here + y * columns, x, columns);
#pragma unroll
    for (int i = 0; i < PER_ITEM; i++) {
        row_t below = read_row(here + min(y + i + 1, rows - 1) * columns, x, columns);
        int at = (y + i) * columns;
        float4 sum = read_centre(before + at, x) + read_centre(after + at, x) + above + below.centre + row.left + row.right;
        *(global float4 *)(out + z * plane + at + x) = 0.5f * row.centre + 0.125f * sum;
        above = row.centre;
        row = below;
    }
}

// PER_ITEM planes; the points of three planes roll through registers, and rows come from the cache.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void seven_points_planes(const global float *restrict a, global float *restrict out, int planes, int rows, int columns) {
    int x = get_global_id(0) * 4;
    int y = get_global_id(1);
    int z = get_global_id(2) * PER_ITEM;
    int plane = rows * columns;
    int above = max(y - 1, 0) * columns;
    int row = y * columns;
    int below = min(y + 1, rows - 1) * columns;
    float4 before = read_centre(a + max(z - 1, 0) * plane + row, x);
    row_t here = read_row(a + z * plane + row, x, columns);
#pragma unroll
    for (int i = 0; i < PER_ITEM; i++) {
        row_t after = read_row(a + min(z + i + 1, planes - 1) * plane + row, x, columns);
        const global float *now = a + (z + i) * plane;
        float4 sum = before + after.centre + read_centre(now + above, x) + read_centre(now + below, x)
            + here.left + here.right;
        *(global float4 *)(out + (z + i) * plane + row + x) = 0.5f * here.centre + 0.125f * sum;
        before = here.centre;
        here = after;
    }
}
