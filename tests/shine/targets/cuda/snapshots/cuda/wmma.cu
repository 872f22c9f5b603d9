// gemm(alpha: f32, A: M.K.f16, B: K.N.f16) -> M.N.f32 for all M, N, K
// for sm_80
#include <cuda_fp16.h>
#include <mma.h>

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(128) gemm(
    const __half* __restrict__ A,
    const __half* __restrict__ B,
    float* __restrict__ output,
    const float alpha,
    const int N,
    const int K
) {
  const int warp = threadIdx.x / 32;
  __shared__ __align__(32) __half aTile[512];
  __shared__ __align__(32) __half bTile[1024];
  const int by = blockIdx.y;
  const int bx = blockIdx.x;
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> acc[2];
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> aFragment;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> bFragment[2];
  #pragma unroll
  for (int j1 = 0; j1 < 2; j1++) {
    nvcuda::wmma::fill_fragment(acc[j1], 0.0f);
  }
  for (int p = 0; p < K / 16; p++) {
    if (threadIdx.x < 64) {
      const int ia = threadIdx.x;
      *reinterpret_cast<vec<__half, 8>*>(&aTile[ia * 8]) = *reinterpret_cast<const vec<__half, 8>*>(&A[(by * 32 + ia / 2) * K + p * 16 + ia % 2 * 8]);
    }
    const int ib = threadIdx.x;
    *reinterpret_cast<vec<__half, 8>*>(&bTile[ib * 8]) = *reinterpret_cast<const vec<__half, 8>*>(&B[(p * 16 + ib / 8) * N + bx * 64 + ib % 8 * 8]);
    __syncthreads();
    const int wy = warp / 2;
    const int wx = warp % 2;
    nvcuda::wmma::load_matrix_sync(aFragment, &aTile[wy * 256], 16);
    #pragma unroll
    for (int j = 0; j < 2; j++) {
      nvcuda::wmma::load_matrix_sync(bFragment[j], &bTile[wx * 32 + j * 16], 64);
      nvcuda::wmma::mma_sync(acc[j], aFragment, bFragment[j], acc[j]);
    }
    __syncthreads();
  }
  const int wy1 = warp / 2;
  const int wx1 = warp % 2;
  #pragma unroll
  for (int j2 = 0; j2 < 2; j2++) {
    #pragma unroll
    for (int e = 0; e < acc[j2].num_elements; e++) {
      const float x = acc[j2].x[e];
      const float scaled = alpha * x;
      acc[j2].x[e] = max_f32(scaled, 0.0f);
    }
    nvcuda::wmma::store_matrix_sync(&output[(by * 32 + wy1 * 16) * N + bx * 64 + wx1 * 32 + j2 * 16], acc[j2], N, nvcuda::wmma::mem_row_major);
  }
}
