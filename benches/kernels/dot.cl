// Dot products: a tree in local memory for every work-group, and the groups' sums in a second kernel or by the last group.
// The strided loop over the whole array by as many work-groups as fill the device, the tree with consecutive work-items and
// the finish by the last group are those of the vendors' reduction guides.

// The sum of `sums[0 .. size]`, `size` a power of two, left in `sums[0]`.
void add_up(local float *sums, int size) {
    int l = get_local_id(0);
    for (int rest = size / 2; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < rest) {
            sums[l] += sums[l + rest];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Every group sums `chunk` consecutive products.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void chunks(const global float *restrict x, const global float *restrict y, global float *restrict partial, int chunk) {
    local float sums[256];
    int l = get_local_id(0);
    int base = get_group_id(0) * chunk;
    float sum = 0.0f;
    for (int i = 0; i < chunk; i += 256) {
        sum += x[base + i + l] * y[base + i + l];
    }
    sums[l] = sum;
    add_up(sums, 256);
    if (l == 0) {
        partial[get_group_id(0)] = sums[0];
    }
}

// The sum of 512 numbers.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void sum512(const global float *restrict partial, global float *restrict out) {
    local float sums[256];
    int l = get_local_id(0);
    sums[l] = partial[l] + partial[l + 256];
    add_up(sums, 256);
    if (l == 0) {
        out[0] = sums[0];
    }
}

// One work-item's part of the dot product of `n` vectors of four elements: four independent vectors in every step.
float strided(const global float4 *restrict x, const global float4 *restrict y, int n) {
    int items = get_global_size(0);
    int i = get_global_id(0);
    float4 a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    for (; i + 3 * items < n; i += 4 * items) {
        a += x[i] * y[i];
        b += x[i + items] * y[i + items];
        c += x[i + 2 * items] * y[i + 2 * items];
        d += x[i + 3 * items] * y[i + 3 * items];
    }
    for (; i < n; i += items) {
        a += x[i] * y[i];
    }
    a += b + (c + d);
    return (a.x + a.y) + (a.z + a.w);
}

kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void strided_groups(const global float4 *restrict x, const global float4 *restrict y, global float *restrict partial, int n) {
    local float sums[256];
    sums[get_local_id(0)] = strided(x, y, n);
    add_up(sums, 256);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = sums[0];
    }
}

// The sum of `n` numbers, in one group.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void sum_all(const global float *restrict partial, global float *restrict out, int n) {
    local float sums[256];
    int l = get_local_id(0);
    float sum = 0.0f;
    for (int i = l; i < n; i += 256) {
        sum += partial[i];
    }
    sums[l] = sum;
    add_up(sums, 256);
    if (l == 0) {
        out[0] = sums[0];
    }
}

// The same in one kernel: the group that is last to finish adds what all have found. `finished` is zero before and after.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void last_group_adds(const global float4 *restrict x, const global float4 *restrict y, volatile global float *partial,
                     volatile global int *finished, global float *restrict out, int n) {
    local float sums[256];
    local int is_last;
    int l = get_local_id(0);
    int groups = get_num_groups(0);
    sums[l] = strided(x, y, n);
    add_up(sums, 256);
    if (l == 0) {
        // An atomic store, for a plain one could stay in a cache that other groups do not see.
        atomic_xchg(&partial[get_group_id(0)], sums[0]);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        is_last = atomic_inc(finished) == groups - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        float sum = 0.0f;
        for (int i = l; i < groups; i += 256) {
            sum += partial[i];
        }
        sums[l] = sum;
        add_up(sums, 256);
        if (l == 0) {
            out[0] = sums[0];
            *finished = 0;
        }
    }
}

// Steuwer et al., CGO 2017, figure 7, as one would write it by hand: 64 work-items, 128 elements.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void partial_dot(const global float *restrict x, const global float *restrict y, global float *restrict out) {
    local float one[64];
    local float other[32];
    local float *in = one, *next = other;
    int l = get_local_id(0);
    int base = 128 * get_group_id(0) + 2 * l;
    one[l] = x[base] * y[base] + x[base + 1] * y[base + 1];
    for (int size = 32; size > 0; size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < size) {
            next[l] = in[2 * l] + in[2 * l + 1];
        }
        local float *swapped = in;
        in = next;
        next = swapped;
    }
    if (l == 0) {
        out[get_group_id(0)] = in[0];
    }
}
