// Listing 3 by hand: a block of 4 x 4 warps computes 64 x 64, and a warp one fragment of 16 x 16.
#include <cuda_fp16.h>
#include <mma.h>

constexpr int M = 256, N = 128, K = 64;
using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(512) listing_3(
    const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c) {
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.y * 64 + warp / 4 * 16, column = blockIdx.x * 64 + warp % 4 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  for (int part = 0; part < K; part += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_fragment;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_fragment;
    wmma::load_matrix_sync(a_fragment, &a[row * K + part], K);
    wmma::load_matrix_sync(b_fragment, &b[part * N + column], N);
    wmma::mma_sync(sums, a_fragment, b_fragment, sums);
  }
  wmma::store_matrix_sync(&c[row * N + column], sums, N, wmma::mem_row_major);
}
