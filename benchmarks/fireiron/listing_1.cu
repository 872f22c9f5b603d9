// Listing 1 by hand: a block of 2 x 4 warps computes 128 x 128, a warp 64 x 32, a lane 8 x 8, from sums of K products.
// All factors of a block are in shared memory, and those of a lane in registers.
constexpr int M = 256, N = 128, K = 8;

extern "C" __global__ void __launch_bounds__(256) listing_1(
    const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
  __shared__ __align__(16) float a_tile[128][K];
  __shared__ __align__(16) float b_tile[K][128];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int first_row = blockIdx.y * 128, first_column = blockIdx.x * 128;
#pragma unroll
  for (int turn = 0; turn < 128 * K / 256; turn++) {
    const int i = turn * 256 + threadIdx.x;
    a_tile[i / K][i % K] = a[(first_row + i / K) * K + i % K];
    b_tile[i / 128][i % 128] = b[i / 128 * N + first_column + i % 128];
  }
  __syncthreads();

  const int row = warp / 4 * 64 + lane / 4 * 8, column = warp % 4 * 32 + lane % 4 * 8;
  float a_lane[8][K], b_lane[K][8];
#pragma unroll
  for (int k = 0; k < K; k++)
#pragma unroll
    for (int i = 0; i < 8; i++) {
      a_lane[i][k] = a_tile[row + i][k];
      b_lane[k][i] = b_tile[k][column + i];
    }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) {
      float sum = 0.0f;
#pragma unroll
      for (int k = 0; k < K; k++) sum = fmaf(a_lane[i][k], b_lane[k][j], sum);
      c[(first_row + row + i) * N + first_column + column + j] = sum;
    }
}
