// Prefix sums of a whole array: reduce, then scan (Blelloch, Prefix sums and their applications, 1990; Merrill and Garland, Single-pass
// parallel prefix scan with decoupled look-back, 2016). A group has a tile of 256 * 7 elements, which it loads and stores
// with neighbouring work-items at neighbouring places; in local memory each work-item has 7 consecutive ones, an odd number, so
// that work-items access different banks. The totals of the work-items are scanned with doubling distances (Hillis and Steele, Data
// parallel algorithms, 1986).

#define ITEMS 256
#define EACH 7
#define TILE (ITEMS * EACH)

// The sum of what comes before the work-item in its group, which brings `own`; `sums` has room for two numbers of each work-item.
float sum_before(local float *sums, float own) {
    int l = get_local_id(0);
    local float *from = sums, *to = sums + ITEMS;
    from[l] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < ITEMS; distance *= 2) {
        to[l] = l < distance ? from[l] : from[l - distance] + from[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        local float *swap = from;
        from = to;
        to = swap;
    }
    return l == 0 ? 0.0f : from[l - 1];
}

// The sum of each whole tile.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void tile_sums(const global float *restrict a, global float *restrict sums) {
    local float rest[ITEMS];
    int l = get_local_id(0);
    const global float *tile = a + get_group_id(0) * TILE;
    float sum = 0.0f;
    #pragma unroll
    for (int i = 0; i < EACH; i += 1) {
        sum += tile[l + i * ITEMS];
    }
    rest[l] = sum;
    for (int half_of = ITEMS / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_of) {
            rest[l] += rest[l + half_of];
        }
    }
    if (l == 0) {
        sums[get_group_id(0)] = rest[0];
    }
}

// The sum of what comes before each of `tiles` tiles, in one group: every work-item has consecutive ones.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void scan_sums(const global float *restrict sums, global float *restrict before, int tiles) {
    local float rest[2 * ITEMS];
    int each = (tiles + ITEMS - 1) / ITEMS;
    int first = min(tiles, (int)get_local_id(0) * each), end = min(tiles, first + each);
    float own = 0.0f;
    for (int i = first; i < end; i += 1) {
        own += i < tiles - 1 ? sums[i] : 0.0f;
    }
    float sum = sum_before(rest, own);
    for (int i = first; i < end; i += 1) {
        before[i] = sum;
        sum += i < tiles - 1 ? sums[i] : 0.0f;
    }
}

// The prefix sums of each tile, the element itself included.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void scan_tiles(const global float *restrict a, const global float *restrict before, global float *restrict out, int n) {
    local float tile[TILE], rest[2 * ITEMS];
    int l = get_local_id(0);
    int base = get_group_id(0) * TILE;
    bool is_whole = base + TILE <= n;
    if (is_whole) {
        #pragma unroll
        for (int i = 0; i < EACH; i += 1) {
            tile[l + i * ITEMS] = a[base + l + i * ITEMS];
        }
    } else {
        for (int i = l; i < TILE; i += ITEMS) {
            tile[i] = base + i < n ? a[base + i] : 0.0f;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float own[EACH], sum = 0.0f;
    #pragma unroll
    for (int i = 0; i < EACH; i += 1) {
        own[i] = tile[l * EACH + i];
        sum += own[i];
    }
    sum = before[get_group_id(0)] + sum_before(rest, sum);
    #pragma unroll
    for (int i = 0; i < EACH; i += 1) {
        sum += own[i];
        tile[l * EACH + i] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_whole) {
        #pragma unroll
        for (int i = 0; i < EACH; i += 1) {
            out[base + l + i * ITEMS] = tile[l + i * ITEMS];
        }
    } else {
        for (int i = l; base + i < n; i += ITEMS) {
            out[base + i] = tile[i];
        }
    }
}
