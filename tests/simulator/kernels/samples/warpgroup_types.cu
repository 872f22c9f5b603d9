// Products of warpgroups on other types than f16: tf32, integers and floating-point numbers of 8 bits. Factors lie in
// shared memory without a swizzle, in pieces of 8 rows of 16 bytes; of both, a row has the numbers that are multiplied.
__device__ __forceinline__ unsigned address(const void* at) { return (unsigned)__cvta_generic_to_shared(at); }
__device__ __forceinline__ unsigned long long descriptor(const void* at, unsigned leading, unsigned stride) {
  return (unsigned long long)((address(at) & 0x3ffff) >> 4) | (unsigned long long)(leading >> 4) << 16 |
         (unsigned long long)(stride >> 4) << 32;
}
__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void fence_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wait_for_all() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

// Rows of 32 bytes, the next of several steps, in pieces.
__device__ __forceinline__ void stage(unsigned* to, const unsigned* from, int rows, int step, int steps) {
  for (int i = threadIdx.x; i < 8 * rows; i += blockDim.x) {
    int row = i / 8, word = i % 8;
    to[row / 8 * 64 + word / 4 * 32 + row % 8 * 4 + word % 4] = from[(row * steps + step) * 8 + word];
  }
}
template <class T> __device__ __forceinline__ void store(const T (&d)[4], T* c) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < 4; i++) c[(16 * warp + lane / 4 + 8 * (i / 2)) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

extern "C" __global__ void __launch_bounds__(128) product_of_tf32(const unsigned* a, const unsigned* b, float* c, int steps) {
  __shared__ __align__(128) unsigned as[512];
  __shared__ __align__(128) unsigned bs[64];
  float d[4] = {};
  for (int step = 0; step < steps; step++) {
    stage(as, a, 64, step, steps);
    stage(bs, b, 8, step, steps);
    fence_copies();
    __syncthreads();
    fence();
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, p, 1, 1; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(as, 128, 256)), "l"(descriptor(bs, 128, 256)) : "memory");
    commit();
    wait_for_all();
    __syncthreads();
  }
  store(d, c);
}

extern "C" __global__ void __launch_bounds__(128) product_of_bytes(const unsigned* a, const unsigned* b, int* c, int steps) {
  __shared__ __align__(128) unsigned as[512];
  __shared__ __align__(128) unsigned bs[64];
  int d[4] = {};
  for (int step = 0; step < steps; step++) {
    stage(as, a, 64, step, steps);
    stage(bs, b, 8, step, steps);
    fence_copies();
    __syncthreads();
    fence();
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {%0, %1, %2, %3}, %4, %5, p; }"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "l"(descriptor(as, 128, 256)), "l"(descriptor(bs, 128, 256)) : "memory");
    commit();
    wait_for_all();
    __syncthreads();
  }
  store(d, c);
}

// The left factor, of e4m3, comes in registers; the right one has two bits of fraction.
extern "C" __global__ void __launch_bounds__(128) product_of_narrow(const unsigned* a, const unsigned* b, float* c, int steps) {
  __shared__ __align__(128) unsigned bs[64];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float d[4] = {};
  for (int step = 0; step < steps; step++) {
    stage(bs, b, 8, step, steps);
    unsigned left[4];
    for (int i = 0; i < 4; i++)
      left[i] = a[((16 * warp + lane / 4 + 8 * (i % 2)) * steps + step) * 8 + lane % 4 + 4 * (i / 2)];
    fence_copies();
    __syncthreads();
    fence();
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, 1, 1; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(descriptor(bs, 128, 256)) : "memory");
    commit();
    wait_for_all();
    __syncthreads();
  }
  store(d, c);
}
