// Listing 4 by hand: half precision throughout, with A stored by columns. A block of 2 x 4 warps computes 128 x 128, a
// warp 64 x 32, and a lane 8 x 8 numbers: four of them 4 x 4, 32 rows and 16 columns apart, so that lanes read
// neighbouring vectors from shared memory. The sums go through shared memory to C.
#include <cuda_fp16.h>

constexpr int M = 256, N = 128, K = 64;

struct __align__(4) Half2 {
  __half v[2];
};
struct __align__(8) Half4 {
  __half v[4];
};

extern "C" __global__ void __launch_bounds__(256) listing_4(
    const __half* __restrict__ a, const __half* __restrict__ b, __half* __restrict__ c) {
  constexpr int B_ROW = 128 + 4;  // padded
  __shared__ __align__(16) __half memory[128 * 128];
  __half* const b_tile = memory;
  __half* const a_tile = memory + 8 * B_ROW;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int first_row = blockIdx.y * 128, first_column = blockIdx.x * 128;
  // the swizzle: half a warp reads two columns of tiles
  const int row = warp / 4 * 64 + lane / 2 % 8 * 4;
  const int column = warp % 4 * 32 + (lane % 2 + lane / 16 * 2) * 4;
  __half sums[8][8];
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) sums[i][j] = __float2half(0.0f);

  for (int part = 0; part < K; part += 8) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2; i++) {
      const int at = i * 64 + lane * 2;
      *reinterpret_cast<Half2*>(&a_tile[warp * 128 + at]) =
          *reinterpret_cast<const Half2*>(&a[(part + warp) * M + first_row + at]);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const int k = lane / 4, at = warp * 16 + i * 4 + lane % 4;
      b_tile[k * B_ROW + at] = b[(part + k) * N + first_column + at];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
      Half4 a_lane[2], b_lane[2];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        a_lane[i] = *reinterpret_cast<const Half4*>(&a_tile[k * 128 + row + i * 32]);
        b_lane[i] = *reinterpret_cast<const Half4*>(&b_tile[k * B_ROW + column + i * 16]);
      }
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
          sums[i][j] = __hfma(a_lane[i / 4].v[i % 4], b_lane[j / 4].v[j % 4], sums[i][j]);
    }
  }

  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 2; j++) {
      Half4 stored;
#pragma unroll
      for (int at = 0; at < 4; at++) stored.v[at] = sums[i][j * 4 + at];
      *reinterpret_cast<Half4*>(&memory[(row + i / 4 * 32 + i % 4) * 128 + column + j * 16]) = stored;
    }
  __syncthreads();
  for (int i = warp * 16; i < warp * 16 + 16; i++)
    *reinterpret_cast<Half4*>(&c[(first_row + i) * N + first_column + lane * 4]) =
        *reinterpret_cast<const Half4*>(&memory[i * 128 + lane * 4]);
}
