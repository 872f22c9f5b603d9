// Copies of boxes of tensors, which hardware addresses, swizzles and clips by a map.
#include <cuda.h>

__device__ __forceinline__ unsigned address(const void* at) { return (unsigned)__cvta_generic_to_shared(at); }

// A tile of 32 by 32 numbers comes swizzled by 128 bytes, so that a column of it lies in different banks; it leaves
// transposed. Tiles at the edges hold zeros outside of the tensor, which are not stored.
extern "C" __global__ void transposed_by_maps(const __grid_constant__ CUtensorMap x, const __grid_constant__ CUtensorMap y) {
  __shared__ __align__(1024) float tile[32][32];
  __shared__ __align__(128) float turned[32][32];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(address(&bar)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" :: "r"(address(&bar)) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
        :: "r"(address(tile)), "l"(&x), "r"(address(&bar)), "r"(32 * blockIdx.x), "r"(32 * blockIdx.y) : "memory");
  }
  __syncthreads();
  asm volatile("{\n\t.reg .pred p;\nWAIT:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n\t@!p bra WAIT;\n\t}"
               :: "r"(address(&bar)) : "memory");
  for (int row = threadIdx.x / 32; row < 32; row += blockDim.x / 32) {
    int column = threadIdx.x % 32;
    turned[row][column] = tile[column][row ^ (column % 8 * 4)];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
                 :: "l"(&y), "r"(address(turned)), "r"(32 * blockIdx.y), "r"(32 * blockIdx.x) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

// Weighted sums over windows of 3 by 3 pixels of an image for each block. The nine copies have the same pixels with other offsets;
// those outside of the image are zeros.
extern "C" __global__ void sums_of_windows(const __grid_constant__ CUtensorMap x, float* y) {
  __shared__ __align__(128) float pixels[128];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(address(&bar)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  float sum = 0;
  for (int window = 0; window < 9; window++) {
    if (threadIdx.x == 0) {
      unsigned short right = window % 3, down = window / 3;
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" :: "r"(address(&bar)) : "memory");
      asm volatile(
          "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
          "[%0], [%1, {0, %3, %3, %4}], [%2], {%5, %6};"
          :: "r"(address(pixels)), "l"(&x), "r"(address(&bar)), "r"(-1), "r"(blockIdx.x), "h"(right), "h"(down) : "memory");
    }
    asm volatile("{\n\t.reg .pred p;\nWAIT:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra WAIT;\n\t}"
                 :: "r"(address(&bar)), "r"(window & 1) : "memory");
    sum += (window + 1) * pixels[threadIdx.x];
    __syncthreads();
  }
  y[blockIdx.x * 128 + threadIdx.x] = sum;
}
