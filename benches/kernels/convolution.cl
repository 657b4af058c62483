// 17x17 convolutions with borders repeated, in the forms of Hagedorn's thesis (section 3.2), and the best that we know.

// One element per work-item.
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void naive(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0.0f;
    for (int i = 0; i < 17; i++) {
        const global float *row = a + clamp(y + i - 8, 0, rows - 1) * columns;
        for (int j = 0; j < 17; j++) {
            sum += row[clamp(x + j - 8, 0, columns - 1)] * w[17 * i + j];
        }
    }
    out[y * columns + x] = sum;
}

// Overlapped tiles of 32x32 in local memory, 16x16 results for each (section 3.2.2).
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void tiled(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    local float tile[32][32];
    int left = get_group_id(0) * 16 - 8;
    int top = get_group_id(1) * 16 - 8;
    int x = get_local_id(0);
    int y = get_local_id(1);
    for (int i = 0; i < 32; i += 16) {
        for (int j = 0; j < 32; j += 16) {
            tile[y + i][x + j] = a[clamp(top + y + i, 0, rows - 1) * columns + clamp(left + x + j, 0, columns - 1)];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int i = 0; i < 17; i++) {
        for (int j = 0; j < 17; j++) {
            sum += tile[y + i][x + j] * w[17 * i + j];
        }
    }
    out[(top + 8 + y) * columns + left + 8 + x] = sum;
}

// 64x64 results from a tile of 80x80 in local memory; eight columns and four rows per work-item in registers, local memory
// read in vectors of four, weights in local memory.
#define ITEMS_X 8
#define ITEMS_Y 16
kernel __attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1)))
void registers(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    local float tile[80][80] __attribute__((aligned(16)));
    local float weights[17][20] __attribute__((aligned(16)));
    int l = get_local_id(1) * ITEMS_X + get_local_id(0);
    int left = get_group_id(0) * 64 - 8;
    int top = get_group_id(1) * 64 - 8;
    for (int i = l; i < 17 * 17; i += ITEMS_X * ITEMS_Y) {
        weights[i / 17][i % 17] = w[i];
    }
    if (left >= 0 && left + 80 <= columns && top >= 0 && top + 80 <= rows) {
        for (int i = l; i < 80 * 20; i += ITEMS_X * ITEMS_Y) {
            int y = i / 20;
            int x = i % 20 * 4;
            *(local float4 *)&tile[y][x] = *(const global float4 *)(a + (top + y) * columns + left + x);
        }
    } else {
        for (int i = l; i < 80 * 80; i += ITEMS_X * ITEMS_Y) {
            int y = i / 80;
            int x = i % 80;
            tile[y][x] = a[clamp(top + y, 0, rows - 1) * columns + clamp(left + x, 0, columns - 1)];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = get_local_id(0) * 8;
    int y = get_local_id(1) * 4;
    float sums[4][8];
#pragma unroll
    for (int r = 0; r < 4; r++) {
#pragma unroll
        for (int c = 0; c < 8; c++) {
            sums[r][c] = 0.0f;
        }
    }
    // Row `i` of the work-item's part of the tile is row `i - r` of the neighbourhood of its result row `r`.
    for (int i = 0; i < 20; i++) {
        float row[24];
#pragma unroll
        for (int v = 0; v < 6; v++) {
            float4 four = *(local float4 *)&tile[y + i][x + 4 * v];
            row[4 * v] = four.x;
            row[4 * v + 1] = four.y;
            row[4 * v + 2] = four.z;
            row[4 * v + 3] = four.w;
        }
#pragma unroll
        for (int r = 0; r < 4; r++) {
            if (i - r >= 0 && i - r < 17) {
                float line[20];
#pragma unroll
                for (int v = 0; v < 5; v++) {
                    float4 four = *(local float4 *)&weights[i - r][4 * v];
                    line[4 * v] = four.x;
                    line[4 * v + 1] = four.y;
                    line[4 * v + 2] = four.z;
                    line[4 * v + 3] = four.w;
                }
#pragma unroll
                for (int j = 0; j < 17; j++) {
#pragma unroll
                    for (int c = 0; c < 8; c++) {
                        sums[r][c] += row[j + c] * line[j];
                    }
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        global float *written = out + (get_group_id(1) * 64 + y + r) * columns + get_group_id(0) * 64 + x;
        *(global float4 *)written = (float4)(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
        *(global float4 *)(written + 4) = (float4)(sums[r][4], sums[r][5], sums[r][6], sums[r][7]);
    }
}

// Straight-line code for the 17 products of a half.
#define TAPS(tap) \
    tap(0) tap(1) tap(2) tap(3) tap(4) tap(5) tap(6) tap(7) tap(8) \
    tap(9) tap(10) tap(11) tap(12) tap(13) tap(14) tap(15) tap(16)

// The row half of a separated convolution: 128 results of a row from a tile of 144 (section 3.2.3).
kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void rows17(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    local float tile[144];
    int left = get_group_id(0) * 128 - 8;
    int y = get_group_id(1);
    for (int x = get_local_id(0); x < 144; x += 128) {
        tile[x] = a[y * columns + min(max(left + x, 0), columns - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = get_local_id(0);
    float sum = 0.0f;
#define TAP(i) sum += tile[x + i] * w[i];
    TAPS(TAP)
#undef TAP
    out[y * columns + left + 8 + x] = sum;
}

// The column half: 64 rows and 16 columns of results from 80 rows, loaded in coalesced pieces of rows (section 3.2.3.3).
kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void columns17(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    local float tile[80][16];
    int x = get_local_id(0);
    int column = get_global_id(0);
    int top = get_group_id(1) * 64;
    for (int y = get_local_id(1); y < 80; y += 8) {
        tile[y][x] = a[clamp(top + y - 8, 0, rows - 1) * columns + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = get_local_id(1); y < 64; y += 8) {
        float sum = 0.0f;
#define TAP(i) sum += tile[y + i][x] * w[i];
        TAPS(TAP)
#undef TAP
        out[(top + y) * columns + column] = sum;
    }
}

// The same with the tile transposed, PITCH elements from column to column: 80, or more against bank conflicts
// (sections 3.2.4 and 3.2.4.1).
#ifndef PITCH
#define PITCH 80
#endif
kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void columns17_transposed(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    local float tile[16 * PITCH];
    int x = get_local_id(0);
    int column = get_global_id(0);
    int top = get_group_id(1) * 64;
    for (int y = get_local_id(1); y < 80; y += 8) {
        tile[x * PITCH + y] = a[clamp(top + y - 8, 0, rows - 1) * columns + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = get_local_id(1); y < 64; y += 8) {
        float sum = 0.0f;
#define TAP(i) sum += tile[x * PITCH + y + i] * w[i];
        TAPS(TAP)
#undef TAP
        out[(top + y) * columns + column] = sum;
    }
}

// The same as the second kernel of a whole convolution: the weights of the columns lie behind those of the rows.
kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void columns17_of_both(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    local float tile[16 * PITCH];
    int x = get_local_id(0);
    int column = get_global_id(0);
    int top = get_group_id(1) * 64;
    for (int y = get_local_id(1); y < 80; y += 8) {
        tile[x * PITCH + y] = a[clamp(top + y - 8, 0, rows - 1) * columns + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = get_local_id(1); y < 64; y += 8) {
        float sum = 0.0f;
#define TAP(i) sum += tile[x * PITCH + y + i] * w[17 + i];
        TAPS(TAP)
#undef TAP
        out[(top + y) * columns + column] = sum;
    }
}

// The same with all loops unrolled: only the first and the last step of the load can be beyond a border (section 3.2.5).
kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void columns17_unrolled(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    local float tile[16 * PITCH];
    int x = get_local_id(0);
    int l = get_local_id(1);
    int column = get_global_id(0);
    int top = get_group_id(1) * 64;
    tile[x * PITCH + l] = a[max(top + l - 8, 0) * columns + column];
#pragma unroll
    for (int step = 1; step < 9; step++) {
        tile[x * PITCH + step * 8 + l] = a[(top + step * 8 + l - 8) * columns + column];
    }
    tile[x * PITCH + 72 + l] = a[min(top + 72 + l - 8, rows - 1) * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int step = 0; step < 8; step++) {
        float sum = 0.0f;
#define TAP(i) sum += tile[x * PITCH + step * 8 + l + i] * w[i];
        TAPS(TAP)
#undef TAP
        out[(top + step * 8 + l) * columns + column] = sum;
    }
}

// Both halves in one kernel: a strip of 80 rows and 128 columns of row results in local memory, then columns. A work-item
// has 16 rows of a column; 17 row results roll through registers.
kernel __attribute__((reqd_work_group_size(128, 4, 1)))
void separable(const global float *restrict a, const global float *restrict w, global float *restrict out, int rows, int columns) {
    local float strip[80][128] __attribute__((aligned(16)));
    local float weights[34];
    int x = get_local_id(0);
    int column = get_global_id(0);
    int top = get_group_id(1) * 64;
    int l = get_local_id(1) * 128 + x;
    if (l < 34) {
        weights[l] = w[l];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int left = get_group_id(0) * 128 - 8;
    if (left >= 0 && left + 144 <= columns) {
        // Four results per work-item from five vectors of four.
        for (int i = l; i < 80 * 32; i += 512) {
            int y = i / 32;
            int start = i % 32 * 4;
            const global float4 *read =
                (const global float4 *)(a + clamp(top + y - 8, 0, rows - 1) * columns + left + start);
            float row[20];
#pragma unroll
            for (int v = 0; v < 5; v++) {
                float4 four = read[v];
                row[4 * v] = four.x;
                row[4 * v + 1] = four.y;
                row[4 * v + 2] = four.z;
                row[4 * v + 3] = four.w;
            }
            float4 sum = 0.0f;
#pragma unroll
            for (int j = 0; j < 17; j++) {
                sum += weights[j] * (float4)(row[j], row[j + 1], row[j + 2], row[j + 3]);
            }
            *(local float4 *)&strip[y][start] = sum;
        }
    } else {
        for (int y = get_local_id(1); y < 80; y += 4) {
            const global float *row = a + clamp(top + y - 8, 0, rows - 1) * columns;
            float sum = 0.0f;
#pragma unroll
            for (int j = 0; j < 17; j++) {
                sum += row[clamp(column + j - 8, 0, columns - 1)] * weights[j];
            }
            strip[y][x] = sum;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = get_local_id(1) * 16;
    float window[32];
#pragma unroll
    for (int i = 0; i < 32; i++) {
        window[i] = strip[first + i][x];
    }
#pragma unroll
    for (int y = 0; y < 16; y++) {
        float sum = 0.0f;
#pragma unroll
        for (int i = 0; i < 17; i++) {
            sum += window[y + i] * weights[17 + i];
        }
        out[(top + first + y) * columns + column] = sum;
    }
}
