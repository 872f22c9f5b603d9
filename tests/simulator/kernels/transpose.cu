// The transpose of an n by n matrix of half, a warp per 32 by 32 tile: only lanes of one warp exchange data.
#include <cuda_fp16.h>

extern "C" __global__ void transpose(const __half* __restrict__ x, __half* __restrict__ y, int n) {
  __shared__ __half tile[4][32][33];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = 32 * blockIdx.y, column = 32 * (4 * blockIdx.x + warp);
  for (int i = 0; i < 32; i++) tile[warp][i][lane] = x[(row + i) * n + column + lane];
  __syncwarp();
  for (int i = 0; i < 32; i++) y[(column + i) * n + row + lane] = tile[warp][lane][i];
}
