// D = alpha A B + beta C, 64 by 64 tiles staged in dynamic shared memory by vectors, four warps of 32 by 32 each.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <class T, int N> struct alignas(sizeof(T) * N) vec {
  T v[N];
};

extern "C" __global__ __launch_bounds__(128) void gemm(const __half* __restrict__ A, const __half* __restrict__ B,
                                                       const float* __restrict__ C, float* __restrict__ D, float alpha,
                                                       float beta, int M, int N, int K) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  __half* a_tile = reinterpret_cast<__half*>(shared_memory + 0);
  __half* b_tile = reinterpret_cast<__half*>(shared_memory + 3072);
  float* staging = reinterpret_cast<float*>(shared_memory + 5376);
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int row = 64 * blockIdx.y, column = 64 * blockIdx.x, warp_row = warp / 2 * 32, warp_column = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) wmma::fill_fragment(sum[i][j], 0.0f);
  for (int k = 0; k < K; k += 16) {
    *reinterpret_cast<vec<__half, 8>*>(&a_tile[t / 2 * 24 + t % 2 * 8]) =
        *reinterpret_cast<const vec<__half, 8>*>(&A[(row + t / 2) * K + k + t % 2 * 8]);
    *reinterpret_cast<vec<__half, 8>*>(&b_tile[t / 8 * 72 + t % 8 * 8]) =
        *reinterpret_cast<const vec<__half, 8>*>(&B[(k + t / 8) * N + column + t % 8 * 8]);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b[2];
    for (int i = 0; i < 2; i++) wmma::load_matrix_sync(a[i], a_tile + (warp_row + 16 * i) * 24, 24);
    for (int j = 0; j < 2; j++) wmma::load_matrix_sync(b[j], b_tile + warp_column + 16 * j, 72);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
    __syncthreads();
  }
  float* mine = staging + warp * 256;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      wmma::store_matrix_sync(mine, sum[i][j], 16, wmma::mem_row_major);
      __syncwarp();
      for (int e = lane; e < 256; e += 32) {
        int at = (row + warp_row + 16 * i + e / 16) * N + column + warp_column + 16 * j + e % 16;
        D[at] = alpha * mine[e] + beta * C[at];
      }
      __syncwarp();
    }
}
