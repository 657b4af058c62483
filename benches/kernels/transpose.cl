// The transposed matrix: `a` has `rows` x `columns` elements, `out` has `columns` x `rows`.

// One element per work-item: consecutive work-items write consecutive elements and read a column.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void naive(const global float *restrict a, global float *restrict out, int rows, int columns) {
    int row = get_global_id(0);
    int column = get_global_id(1);
    out[column * rows + row] = a[row * columns + column];
}

// Tiles of 32x32 through local memory by groups of 32x8, so that consecutive work-items read and write consecutive elements.
// A row of the tile has one element more, so that the elements of a column lie in different banks.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void tiled(const global float *restrict a, global float *restrict out, int rows, int columns) {
    local float tile[32][32 + 1];
    int x = get_local_id(0);
    int left = get_group_id(0) * 32;
    int top = get_group_id(1) * 32;
    for (int y = get_local_id(1); y < 32; y += 8) {
        tile[y][x] = a[(top + y) * columns + left + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = get_local_id(1); y < 32; y += 8) {
        out[(left + y) * rows + top + x] = tile[x][y];
    }
}
