// Listing 5 by hand: a block of 2 x 4 warps computes 128 x 128 in parts of 32 products, and a warp 4 x 2 fragments. For
// each 16 products, a warp loads two fragments of B, and then the four of A in turn, each for two products of matrices.
// The sums go to C through the shared memory that held the factors.
#include <cuda_fp16.h>
#include <mma.h>

constexpr int M = 256, N = 128, K = 64;
using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(256) listing_5(
    const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c) {
  constexpr int A_ROW = 32 + 8, B_ROW = 128 + 8;  // padded
  extern __shared__ __align__(32) unsigned char memory[];  // 65,536 bytes
  __half* const b_tile = reinterpret_cast<__half*>(memory);
  __half* const a_tile = b_tile + 32 * B_ROW;
  float* const stored = reinterpret_cast<float*>(memory);
  const int warp = threadIdx.x / 32;
  const int first_row = blockIdx.y * 128, first_column = blockIdx.x * 128;
  const int row = warp / 4 * 64, column = warp % 4 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[4][2];
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 2; j++) wmma::fill_fragment(sums[i][j], 0.0f);

  for (int part = 0; part < K; part += 32) {
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < 128 * 32 / 256; turn++) {
      const int i = turn * 256 + threadIdx.x;
      a_tile[i / 32 * A_ROW + i % 32] = a[(first_row + i / 32) * K + part + i % 32];
      b_tile[i / 128 * B_ROW + i % 128] = b[(part + i / 128) * N + first_column + i % 128];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 16) {
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_fragments[2];
#pragma unroll
      for (int j = 0; j < 2; j++)
        wmma::load_matrix_sync(b_fragments[j], &b_tile[k * B_ROW + column + j * 16], B_ROW);
#pragma unroll
      for (int i = 0; i < 4; i++) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_fragment;
        wmma::load_matrix_sync(a_fragment, &a_tile[(row + i * 16) * A_ROW + k], A_ROW);
#pragma unroll
        for (int j = 0; j < 2; j++) wmma::mma_sync(sums[i][j], a_fragment, b_fragments[j], sums[i][j]);
      }
    }
  }

  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 2; j++)
      wmma::store_matrix_sync(&stored[(row + i * 16) * 128 + column + j * 16], sums[i][j], 128, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 128 * 128; i += 256)
    c[(first_row + i / 128) * N + first_column + i % 128] = stored[i];
}
