// Gravitational accelerations of `n` bodies: position in x, y, z, mass in w (Nyland, Harris, Prins, GPU Gems 3, chapter 31).

#define SOFTENING 0.01f

float3 attract(float3 acceleration, float4 body, float4 other) {
    float3 d = other.xyz - body.xyz;
    float inverse = native_rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + SOFTENING);
    return acceleration + d * (other.w * inverse * inverse * inverse);
}

// One body per work-item.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void flat(const global float4 *restrict bodies, global float4 *restrict out, int n) {
    float4 body = bodies[get_global_id(0)];
    float3 acceleration = 0.0f;
    for (int i = 0; i < n; i++) {
        acceleration = attract(acceleration, body, bodies[i]);
    }
    out[get_global_id(0)] = (float4)(acceleration, 0.0f);
}

// The same through tiles of 256 bodies in local memory.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tiled(const global float4 *restrict bodies, global float4 *restrict out, int n) {
    local float4 tile[256];
    float4 body = bodies[get_global_id(0)];
    float3 acceleration = 0.0f;
    for (int first = 0; first < n; first += 256) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[get_local_id(0)] = bodies[first + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 16
        for (int i = 0; i < 256; i++) {
            acceleration = attract(acceleration, body, tile[i]);
        }
    }
    out[get_global_id(0)] = (float4)(acceleration, 0.0f);
}

// Four bodies per work-item, so that a body read from local memory is used four times; eight slices of every tile, so that
// there are work-items enough. A group has 128 bodies: 32 work-items for each slice.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void sliced(const global float4 *restrict bodies, global float4 *restrict out, int n) {
    local float4 tile[256];
    local float4 sums[8][128];
    int x = get_local_id(0);
    int slice = get_local_id(1);
    int l = slice * 32 + x;
    int base = get_group_id(0) * 128;
    float4 own[4];
    float3 accelerations[4];
#pragma unroll
    for (int b = 0; b < 4; b++) {
        own[b] = bodies[base + b * 32 + x];
        accelerations[b] = 0.0f;
    }
    for (int first = 0; first < n; first += 256) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] = bodies[first + l];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 16
        for (int i = 0; i < 32; i++) {
            float4 other = tile[slice * 32 + i];
#pragma unroll
            for (int b = 0; b < 4; b++) {
                accelerations[b] = attract(accelerations[b], own[b], other);
            }
        }
    }
#pragma unroll
    for (int b = 0; b < 4; b++) {
        sums[slice][b * 32 + x] = (float4)(accelerations[b], 0.0f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 128) {
        float4 sum = 0.0f;
#pragma unroll
        for (int s = 0; s < 8; s++) {
            sum += sums[s][l];
        }
        out[base + l] = sum;
    }
}
