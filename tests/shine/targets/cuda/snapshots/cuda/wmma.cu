// gemm(alpha: f32, A: M.K.f16, B: K.N.f16) -> M.N.f32 for all M, N, K
// for sm_80
#include <cuda_fp16.h>
#include <mma.h>

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(128) gemm(
    const __half* __restrict__ A,
    const __half* __restrict__ B,
    float* __restrict__ output,
    const float alpha,
    const int N,
    const int K
) {
  const int warp = threadIdx.x / 32;
  __shared__ __align__(32) __half A_tile[512];
  __shared__ __align__(32) __half B_tile[1024];
  const int m_block = blockIdx.y;
  const int n_block = blockIdx.x;
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> acc[2];
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> A_fragment;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> B_fragment[2];
  #pragma unroll
  for (int n_strip = 0; n_strip < 2; n_strip++) {
    nvcuda::wmma::fill_fragment(acc[n_strip], 0.0f);
  }
  for (int k_step = 0; k_step < K / 16; k_step++) {
    if (threadIdx.x < 64) {
      const int ia_thread = threadIdx.x;
      *reinterpret_cast<vec<__half, 8>*>(&A_tile[ia_thread * 8]) = *reinterpret_cast<const vec<__half, 8>*>(&A[(m_block * 32 + ia_thread / 2) * K + ia_thread % 2 * 8 + k_step * 16]);
    }
    const int ib_thread = threadIdx.x;
    *reinterpret_cast<vec<__half, 8>*>(&B_tile[ib_thread * 8]) = *reinterpret_cast<const vec<__half, 8>*>(&B[(ib_thread / 8 + k_step * 16) * N + n_block * 64 + ib_thread % 8 * 8]);
    __syncthreads();
    const int wy_warp = warp / 2;
    const int wx_warp = warp % 2;
    nvcuda::wmma::load_matrix_sync(A_fragment, &A_tile[wy_warp * 256], 16);
    #pragma unroll
    for (int n_strip = 0; n_strip < 2; n_strip++) {
      nvcuda::wmma::load_matrix_sync(B_fragment[n_strip], &B_tile[wx_warp * 32 + n_strip * 16], 64);
      nvcuda::wmma::mma_sync(acc[n_strip], A_fragment, B_fragment[n_strip], acc[n_strip]);
    }
    __syncthreads();
  }
  const int m_warp = warp / 2;
  const int n_warp = warp % 2;
  #pragma unroll
  for (int n_strip = 0; n_strip < 2; n_strip++) {
    #pragma unroll
    for (int e = 0; e < acc[n_strip].num_elements; e++) {
      const float x = acc[n_strip].x[e];
      const float scaled = alpha * x;
      acc[n_strip].x[e] = max_f32(scaled, 0.0f);
    }
    nvcuda::wmma::store_matrix_sync(&output[(m_block * 32 + m_warp * 16) * N + n_block * 64 + n_warp * 32 + n_strip * 16], acc[n_strip], N, nvcuda::wmma::mem_row_major);
  }
}
