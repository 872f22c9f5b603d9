// Listing 3 by hand: a block of 4 x 4 warps computes 64 x 64, and a warp one fragment of 16 x 16.
#include <cuda_fp16.h>
#include <mma.h>

constexpr int M = 256, N = 128, K = 64;
using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(512) listing_3(
    const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c) {
  __shared__ __align__(32) __half a_tile[64][16];
  __shared__ __align__(32) __half b_tile[16][64];
  const int warp = threadIdx.x / 32;
  const int first_row = blockIdx.y * 64, first_column = blockIdx.x * 64;
  const int row = warp / 4 * 16, column = warp % 4 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  for (int part = 0; part < K; part += 16) {
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < 64 * 16 / 512; turn++) {
      const int i = turn * 512 + threadIdx.x;
      a_tile[i / 16][i % 16] = a[(first_row + i / 16) * K + part + i % 16];
      b_tile[i / 64][i % 64] = b[(part + i / 64) * N + first_column + i % 64];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_fragment;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_fragment;
    wmma::load_matrix_sync(a_fragment, &a_tile[row][0], 16);
    wmma::load_matrix_sync(b_fragment, &b_tile[0][column], 64);
    wmma::mma_sync(sums, a_fragment, b_fragment, sums);
  }
  wmma::store_matrix_sync(&c[(first_row + row) * N + first_column + column], sums, N, wmma::mem_row_major);
}
