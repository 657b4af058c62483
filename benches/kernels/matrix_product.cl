// Matrix products: `out = a * b` with `n` x `k` and `k` x `m` elements.

// One element per work-item.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void naive(const global float *restrict a, const global float *restrict b, global float *restrict out, int n, int m, int k) {
    int column = get_global_id(0);
    int row = get_global_id(1);
    float sum = 0.0f;
    for (int i = 0; i < k; i++) {
        sum += a[row * k + i] * b[i * m + column];
    }
    out[row * m + column] = sum;
}

// A block of 4x4 elements per work-item in registers, without local memory (Steuwer et al., CASES 2016).
kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void registers(const global float *restrict a, const global float *restrict b, global float *restrict out, int n, int m, int k) {
    int column = get_global_id(0) * 4;
    int row = get_global_id(1) * 4;
    float4 sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < k; i += 4) {
        float4 columns[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            columns[j] = *(const global float4 *)(b + (i + j) * m + column);
        }
#pragma unroll
        for (int r = 0; r < 4; r++) {
            float4 four = *(const global float4 *)(a + (row + r) * k + i);
            sums[r] += four.x * columns[0] + four.y * columns[1] + four.z * columns[2] + four.w * columns[3];
        }
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        *(global float4 *)(out + (row + r) * m + column) = sums[r];
    }
}

// Tiles in local memory and blocks in registers (Volkov and Demmel, SC 2008; Remmelg et al., GPGPU 2016, figure 7).
// A group computes TILE_N x TILE_M elements in steps of TILE_K, a work-item BLOCK_N x BLOCK_M of them, in pieces of four
// rows and four columns that lie as far apart as there are work-items, so that local memory is read in whole lines.
#ifdef TILE_N

#define ROWS_OF_ITEMS (TILE_N / BLOCK_N)
#define COLUMNS_OF_ITEMS (TILE_M / BLOCK_M)
#define ITEMS (ROWS_OF_ITEMS * COLUMNS_OF_ITEMS)
#define LOADS_A (TILE_N * TILE_K / 4 / ITEMS)
#define LOADS_B (TILE_K * TILE_M / 4 / ITEMS)
// Four more than needed, so that work-items that store neighbouring columns of `a` hit different banks.
#define PITCH_A (TILE_N + 4)
#define FOURS_N (BLOCK_N / 4)
#define FOURS_M (BLOCK_M / 4)

void load(float4 *next_a, float4 *next_b, const global float *restrict a, const global float *restrict b, int m, int k, int step) {
    int l = get_local_id(0);
    int top = get_group_id(1) * TILE_N;
    int left = get_group_id(0) * TILE_M;
#pragma unroll
    for (int i = 0; i < LOADS_A; i++) {
        int v = l + i * ITEMS;
        next_a[i] = *(const global float4 *)(a + (top + v / (TILE_K / 4)) * k + step + v % (TILE_K / 4) * 4);
    }
#pragma unroll
    for (int i = 0; i < LOADS_B; i++) {
        int v = l + i * ITEMS;
        next_b[i] = *(const global float4 *)(b + (step + v / (TILE_M / 4)) * m + left + v % (TILE_M / 4) * 4);
    }
}

// The tile of `a` is stored transposed, so that a work-item's rows lie beside each other.
void store(const float4 *next_a, const float4 *next_b, local float (*tile_a)[PITCH_A], local float (*tile_b)[TILE_M]) {
    int l = get_local_id(0);
#pragma unroll
    for (int i = 0; i < LOADS_A; i++) {
        int v = l + i * ITEMS;
        int row = v / (TILE_K / 4);
        int column = v % (TILE_K / 4) * 4;
        tile_a[column][row] = next_a[i].x;
        tile_a[column + 1][row] = next_a[i].y;
        tile_a[column + 2][row] = next_a[i].z;
        tile_a[column + 3][row] = next_a[i].w;
    }
#pragma unroll
    for (int i = 0; i < LOADS_B; i++) {
        int v = l + i * ITEMS;
        *(local float4 *)&tile_b[v / (TILE_M / 4)][v % (TILE_M / 4) * 4] = next_b[i];
    }
}

// Outer products of a column of `tile_a` and a row of `tile_b`, for all of them.
void multiply(float4 (*sums)[FOURS_M], local float (*tile_a)[PITCH_A], local float (*tile_b)[TILE_M], int x, int y) {
#pragma unroll
    for (int i = 0; i < TILE_K; i++) {
        float4 rows[FOURS_N], columns[FOURS_M];
#pragma unroll
        for (int r = 0; r < FOURS_N; r++) {
            rows[r] = *(local float4 *)&tile_a[i][(r * ROWS_OF_ITEMS + y) * 4];
        }
#pragma unroll
        for (int c = 0; c < FOURS_M; c++) {
            columns[c] = *(local float4 *)&tile_b[i][(c * COLUMNS_OF_ITEMS + x) * 4];
        }
#pragma unroll
        for (int r = 0; r < FOURS_N; r++) {
#pragma unroll
            for (int c = 0; c < FOURS_M; c++) {
                sums[4 * r][c] += rows[r].x * columns[c];
                sums[4 * r + 1][c] += rows[r].y * columns[c];
                sums[4 * r + 2][c] += rows[r].z * columns[c];
                sums[4 * r + 3][c] += rows[r].w * columns[c];
            }
        }
    }
}

void write_out(float4 (*sums)[FOURS_M], global float *restrict out, int m, int x, int y) {
    int top = get_group_id(1) * TILE_N;
    int left = get_group_id(0) * TILE_M;
#pragma unroll
    for (int r = 0; r < BLOCK_N; r++) {
        int row = top + (r / 4 * ROWS_OF_ITEMS + y) * 4 + r % 4;
#pragma unroll
        for (int c = 0; c < FOURS_M; c++) {
            *(global float4 *)(out + row * m + left + (c * COLUMNS_OF_ITEMS + x) * 4) = sums[r][c];
        }
    }
}

void clear(float4 (*sums)[FOURS_M]) {
#pragma unroll
    for (int r = 0; r < BLOCK_N; r++) {
#pragma unroll
        for (int c = 0; c < FOURS_M; c++) {
            sums[r][c] = 0.0f;
        }
    }
}

// One pair of tiles: two barriers for every step.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void blocked(const global float *restrict a, const global float *restrict b, global float *restrict out, int n, int m, int k) {
    local float tile_a[TILE_K][PITCH_A] __attribute__((aligned(16)));
    local float tile_b[TILE_K][TILE_M] __attribute__((aligned(16)));
    float4 sums[BLOCK_N][FOURS_M], next_a[LOADS_A], next_b[LOADS_B];
    int x = get_local_id(0) % COLUMNS_OF_ITEMS;
    int y = get_local_id(0) / COLUMNS_OF_ITEMS;
    clear(sums);
    for (int step = 0; step < k; step += TILE_K) {
        load(next_a, next_b, a, b, m, k, step);
        barrier(CLK_LOCAL_MEM_FENCE);
        store(next_a, next_b, tile_a, tile_b);
        barrier(CLK_LOCAL_MEM_FENCE);
        multiply(sums, tile_a, tile_b, x, y);
    }
    write_out(sums, out, m, x, y);
}

// Two pairs of tiles: the next one is loaded while this one is used, one barrier for every step.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void double_buffered(const global float *restrict a, const global float *restrict b, global float *restrict out, int n, int m, int k) {
    local float tile_a[2][TILE_K][PITCH_A] __attribute__((aligned(16)));
    local float tile_b[2][TILE_K][TILE_M] __attribute__((aligned(16)));
    float4 sums[BLOCK_N][FOURS_M], next_a[LOADS_A], next_b[LOADS_B];
    int x = get_local_id(0) % COLUMNS_OF_ITEMS;
    int y = get_local_id(0) / COLUMNS_OF_ITEMS;
    int now = 0;
    clear(sums);
    load(next_a, next_b, a, b, m, k, 0);
    store(next_a, next_b, tile_a[0], tile_b[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = TILE_K; step < k; step += TILE_K) {
        load(next_a, next_b, a, b, m, k, step);
        multiply(sums, tile_a[now], tile_b[now], x, y);
        store(next_a, next_b, tile_a[1 - now], tile_b[1 - now]);
        barrier(CLK_LOCAL_MEM_FENCE);
        now = 1 - now;
    }
    multiply(sums, tile_a[now], tile_b[now], x, y);
    write_out(sums, out, m, x, y);
}

#endif
