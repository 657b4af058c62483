// A matrix times SIDES vectors, which are the columns of `b`. A work-group has ROWS rows of `a` and reads
// them once; what it reads of `b` serves all of its rows. The sums of all rows and vectors are in registers at
// once. Rows have a multiple of 4 * ITEMS elements.

#define ITEMS 128
#define SUMS (ROWS * SIDES)
// The work-items that add up what all work-items of a group have for one result.
#define PARTS (ITEMS / SUMS)

// A row of `b` in vectors.
#if SIDES % 4 == 0
typedef float4 side_t;
#define SIDE_VECTORS (SIDES / 4)
#define STORE_SIDE vstore4
#else
typedef float2 side_t;
#define SIDE_VECTORS (SIDES / 2)
#define STORE_SIDE vstore2
#endif

// Adds the sums of all work-items, for every row and vector. Rows of `all` are longer by one against bank
// conflicts.
void finish(local float (*all)[ITEMS + 1], local float (*parts)[SUMS], float *sums,
            global float *restrict out) {
    int l = get_local_id(0);
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        all[i][l] = sums[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int which = l % SUMS, part = l / SUMS;
    float sum = 0.0f;
#pragma unroll 16
    for (int i = part; i < ITEMS; i += PARTS) {
        sum += all[which][i];
    }
    parts[part][which] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < SUMS) {
#pragma unroll
        for (int i = 1; i < PARTS; i++) {
            sum += parts[i][l];
        }
        out[get_group_id(0) * SUMS + l] = sum;
    }
}

// Four neighbouring elements of each row at a time.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void vectors_of_four(const global float4 *restrict a, const global side_t *restrict b,
                     global float *restrict out, int columns) {
    local float all[SUMS][ITEMS + 1];
    local float parts[PARTS][SUMS];
    int vectors = columns / 4;
    const global float4 *rows = a + get_group_id(0) * ROWS * vectors;
    float sums[SUMS];
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        sums[i] = 0.0f;
    }
    for (int first = 0; first < vectors; first += ITEMS) {
        int v = first + get_local_id(0);
        float elements[ROWS][4], sides[4 * SIDES];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            vstore4(rows[r * vectors + v], 0, elements[r]);
        }
#pragma unroll
        for (int i = 0; i < 4 * SIDE_VECTORS; i++) {
            STORE_SIDE(b[v * (4 * SIDE_VECTORS) + i], i, sides);
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
#pragma unroll
            for (int k = 0; k < SIDES; k++) {
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    sums[r * SIDES + k] += elements[r][i] * sides[i * SIDES + k];
                }
            }
        }
    }
    finish(all, parts, sums, out);
}

// One element of each row at a time, so that neighbouring work-items read neighbouring rows of `b`.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void single_elements(const global float *restrict a, const global side_t *restrict b,
                     global float *restrict out, int columns) {
    local float all[SUMS][ITEMS + 1];
    local float parts[PARTS][SUMS];
    const global float *rows = a + get_group_id(0) * ROWS * columns;
    float sums[SUMS];
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        sums[i] = 0.0f;
    }
    for (int first = 0; first < columns; first += ITEMS) {
        int column = first + get_local_id(0);
        float elements[ROWS], side[SIDES];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            elements[r] = rows[r * columns + column];
        }
#pragma unroll
        for (int i = 0; i < SIDE_VECTORS; i++) {
            STORE_SIDE(b[column * SIDE_VECTORS + i], i, side);
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
#pragma unroll
            for (int k = 0; k < SIDES; k++) {
                sums[r * SIDES + k] += elements[r] * side[k];
            }
        }
    }
    finish(all, parts, sums, out);
}
