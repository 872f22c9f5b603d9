// Products of warpgroups: factors in shared memory that descriptors tell, sums in registers that come later.
#include <cuda.h>

typedef unsigned short half_bits;
__device__ __forceinline__ unsigned address(const void* at) { return (unsigned)__cvta_generic_to_shared(at); }
__device__ __forceinline__ unsigned long long descriptor(unsigned at, unsigned leading, unsigned stride, unsigned long long swizzle) {
  return (unsigned long long)((at & 0x3ffff) >> 4) | (unsigned long long)(leading >> 4) << 16 |
         (unsigned long long)(stride >> 4) << 32 | swizzle << 62;
}
__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int but> __device__ __forceinline__ void wait_but() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(but) : "memory");
}
__device__ __forceinline__ void wait(unsigned long long* bar, unsigned parity) {
  asm volatile("{\n\t.reg .pred p;\nWAIT:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra WAIT;\n\t}"
               :: "r"(address(bar)), "r"(parity) : "memory");
}
template <int b_across> __device__ __forceinline__ void multiply(float (&d)[8], unsigned long long a, unsigned long long b, int adds) {
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %10, 0;\n\t"
               "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, %11;\n\t}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
               : "l"(a), "l"(b), "r"(adds), "n"(b_across) : "memory");
}

// Tiles of A (64 rows of 64) and B (64 rows of 16) come by maps, A swizzled by 128 bytes and B by 32, in two stages.
extern "C" __global__ void __launch_bounds__(128)
    product_of_a_warpgroup(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int k) {
  __shared__ __align__(1024) half_bits as[2][64 * 64];
  __shared__ __align__(1024) half_bits bs[2][64 * 16];
  __shared__ unsigned long long full[2];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, steps = k / 64;
  auto load = [&](int step) {
    int s = step % 2;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(address(&full[s])), "r"(80 * 64 * 2) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 :: "r"(address(as[s])), "l"(&a), "r"(address(&full[s])), "r"(64 * step), "r"(64 * blockIdx.y) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 :: "r"(address(bs[s])), "l"(&b), "r"(address(&full[s])), "r"(16 * blockIdx.x), "r"(64 * step) : "memory");
  };
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; s++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(address(&full[s])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    load(0);
  }
  __syncthreads();
  float d[8];
  for (int step = 0; step < steps; step++) {
    if (threadIdx.x == 0 && step + 1 < steps) load(step + 1);
    wait(&full[step % 2], step / 2 & 1);
    fence();
    for (int i = 0; i < 4; i++)
      multiply<1>(d, descriptor(address(as[step % 2]) + 32 * i, 0, 1024, 1),
                  descriptor(address(bs[step % 2]) + 512 * i, 0, 256, 3), step + i);
    commit();
    wait_but<0>();
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) {
    int row = 16 * warp + lane / 4 + 8 * (i / 2 % 2), column = 8 * (i / 4) + lane % 4 * 2 + i % 2;
    c[((blockIdx.y * 64) + row) * gridDim.x * 16 + blockIdx.x * 16 + column] = d[i];
  }
}

// A comes in registers, B is written by the threads themselves without a swizzle; two sums are in flight at once.
extern "C" __global__ void __launch_bounds__(128) left_factor_in_registers(const unsigned* a, const half_bits* b, float* c) {
  __shared__ __align__(128) half_bits bs[16 * 16];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < 256; i += 128) {
    int column = i / 16, k = i % 16;
    bs[column / 8 * 128 + k / 8 * 64 + column % 8 * 8 + k % 8] = b[column * 16 + k];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned left[4];
  for (int i = 0; i < 4; i++) left[i] = a[(16 * warp + lane / 4 + 8 * (i % 2)) * 8 + lane % 4 + 4 * (i / 2)];
  float d[2][8];
  for (int i = 0; i < 8; i++) d[0][i] = d[1][i] = i;
  fence();
  for (int which = 0; which < 2; which++) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, p, 1, -1, 0;\n\t}"
                 : "+f"(d[which][0]), "+f"(d[which][1]), "+f"(d[which][2]), "+f"(d[which][3]), "+f"(d[which][4]),
                   "+f"(d[which][5]), "+f"(d[which][6]), "+f"(d[which][7])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(descriptor(address(bs), 128, 256, 0)) : "memory");
    commit();
  }
  wait_but<1>();
  float first = 0;
  for (int i = 0; i < 8; i++) first += d[0][i];
  wait_but<0>();
  for (int i = 0; i < 8; i++) {
    int row = 16 * warp + lane / 4 + 8 * (i / 2 % 2), column = 8 * (i / 4) + lane % 4 * 2 + i % 2;
    c[row * 16 + column] = d[1][i] + (first == 1.5f);
  }
}
