// Listing 2 by hand: the tiles of listing 1, with 8 x 8 sums of each lane in registers, and a loop over parts of 8
// products. In each part, a lane reads a column of A and a row of B for 64 multiply-adds.
constexpr int M = 256, N = 128, K = 64;

extern "C" __global__ void __launch_bounds__(256) listing_2(
    const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
  __shared__ __align__(16) float a_tile[128][8];
  __shared__ __align__(16) float b_tile[8][128];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int first_row = blockIdx.y * 128, first_column = blockIdx.x * 128;
  const int row = warp / 4 * 64 + lane / 4 * 8, column = warp % 4 * 32 + lane % 4 * 8;
  float sums[8][8] = {};
  for (int part = 0; part < K; part += 8) {
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < 128 * 8 / 256; turn++) {
      const int i = turn * 256 + threadIdx.x;
      a_tile[i / 8][i % 8] = a[(first_row + i / 8) * K + part + i % 8];
      b_tile[i / 128][i % 128] = b[(part + i / 128) * N + first_column + i % 128];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
      float a_lane[8], b_lane[8];
#pragma unroll
      for (int i = 0; i < 8; i++) {
        a_lane[i] = a_tile[row + i][k];
        b_lane[i] = b_tile[k][column + i];
      }
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sums[i][j] = fmaf(a_lane[i], b_lane[j], sums[i][j]);
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) c[(first_row + row + i) * N + first_column + column + j] = sums[i][j];
}
