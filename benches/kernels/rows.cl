// Programs over the rows of a matrix. A row is read once, into registers, and what is computed from it is
// written once.
//
// COLUMNS is the length of a row, divisible by four. ITEMS work-items share a row, a multiple of 32, and a
// group has ROWS rows.

#define VECTORS (COLUMNS / 4)
// The vectors of a row that a work-item has at most: those at `l`, `l + ITEMS` and so on. The compiler knows
// that all are there where ITEMS divides VECTORS.
#define OWN ((VECTORS + ITEMS - 1) / ITEMS)
#define IS_THERE(i) (VECTORS % ITEMS == 0 || (i) * ITEMS + l < VECTORS)

#define PLUS(x, y) ((x) + (y))

// What the work-items of a row have, put together for all of them: 32 of them first do it for the others,
// then everyone for these 32. That takes two barriers, where a tree takes one for every level.
#define COMBINE(NAME, OPERATOR)                                                         \
    float NAME(local float4 *first, local float *all, float own) {                      \
        int l = get_local_id(0);                                                        \
        if (ITEMS > 32) {                                                               \
            all[l] = own;                                                               \
            barrier(CLK_LOCAL_MEM_FENCE);                                               \
            if (l < 32) {                                                               \
                _Pragma("unroll") for (int i = 1; i < ITEMS / 32; i++) {                \
                    own = OPERATOR(own, all[i * 32 + l]);                               \
                }                                                                       \
            }                                                                           \
        }                                                                               \
        if (l < 32) {                                                                   \
            ((local float *)first)[l] = own;                                            \
        }                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        float4 result = first[0];                                                       \
        _Pragma("unroll") for (int i = 1; i < 8; i++) {                                 \
            result = OPERATOR(result, first[i]);                                        \
        }                                                                               \
        return OPERATOR(OPERATOR(result.x, result.y), OPERATOR(result.z, result.w));    \
    }

COMBINE(add_up, PLUS)
COMBINE(largest_of, fmax)

float sum_of(float4 x) { return (x.x + x.y) + (x.z + x.w); }

// A work-item's part of a row.
void read_row(float4 *own, const global float4 *restrict row) {
    int l = get_local_id(0);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        if (IS_THERE(i)) {
            own[i] = row[i * ITEMS + l];
        }
    }
}

// The sum of a work-item's part of a row.
float sum_of_part(const float4 *own) {
    int l = get_local_id(0);
    float4 sum = 0.0f;
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        if (IS_THERE(i)) {
            sum += own[i];
        }
    }
    return sum_of(sum);
}

kernel __attribute__((reqd_work_group_size(ITEMS, ROWS, 1)))
void row_sums(const global float4 *restrict a, global float *restrict out) {
    local float all[ROWS][ITEMS];
    local float4 first[ROWS][8];
    int l = get_local_id(0), r = get_local_id(1);
    int row = get_global_id(1);
    float4 own[OWN];
    read_row(own, a + row * VECTORS);
    float total = add_up(first[r], all[r], sum_of_part(own));
    if (l == 0) {
        out[row] = total;
    }
}

kernel __attribute__((reqd_work_group_size(ITEMS, ROWS, 1)))
void softmax(const global float4 *restrict a, global float4 *restrict out) {
    local float all_largest[ROWS][ITEMS], all_sums[ROWS][ITEMS];
    local float4 first_largest[ROWS][8], first_sums[ROWS][8];
    int l = get_local_id(0), r = get_local_id(1);
    int row = get_global_id(1);
    float4 own[OWN];
    read_row(own, a + row * VECTORS);
    float4 most = -INFINITY;
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        if (IS_THERE(i)) {
            most = fmax(most, own[i]);
        }
    }
    float own_largest = fmax(fmax(most.x, most.y), fmax(most.z, most.w));
    float largest = largest_of(first_largest[r], all_largest[r], own_largest);
    float4 sum = 0.0f;
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        if (IS_THERE(i)) {
            own[i] = exp(own[i] - largest);
            sum += own[i];
        }
    }
    float scale = 1.0f / add_up(first_sums[r], all_sums[r], sum_of(sum));
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        if (IS_THERE(i)) {
            out[row * VECTORS + i * ITEMS + l] = own[i] * scale;
        }
    }
}

kernel __attribute__((reqd_work_group_size(ITEMS, ROWS, 1)))
void layer_norm(const global float4 *restrict a, const global float4 *restrict gain,
                const global float4 *restrict bias, global float4 *restrict out) {
    local float all_sums[ROWS][ITEMS], all_squares[ROWS][ITEMS];
    local float4 first_sums[ROWS][8], first_squares[ROWS][8];
    int l = get_local_id(0), r = get_local_id(1);
    int row = get_global_id(1);
    float4 own[OWN];
    read_row(own, a + row * VECTORS);
    float mean = add_up(first_sums[r], all_sums[r], sum_of_part(own)) * (1.0f / COLUMNS);
    float4 squares = 0.0f;
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        if (IS_THERE(i)) {
            own[i] -= mean;
            squares += own[i] * own[i];
        }
    }
    float variance = add_up(first_squares[r], all_squares[r], sum_of(squares)) * (1.0f / COLUMNS);
    float scale = 1.0f / sqrt(variance + 0.00001f);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        if (IS_THERE(i)) {
            int column = i * ITEMS + l;
            out[row * VECTORS + column] = own[i] * scale * gain[column] + bias[column];
        }
    }
}
