// kernel(a: M.K.f16, b: N.K.f16, u: M.f32, v: N.f32, c: M.N.f16) -> M.N.f16 for all M, K, N where 32 divides M, 32 divides N, 16 divides K
// for sm_80
#include <cuda_fp16.h>
#include <mma.h>

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(128) kernel(
    const __half* __restrict__ a,
    const __half* __restrict__ b,
    const float* __restrict__ u,
    const float* __restrict__ v,
    const __half* __restrict__ c,
    __half* __restrict__ output,
    const int M,
    const int K,
    const int N
) {
  const int warp = threadIdx.x / 32;
  __shared__ __align__(32) unsigned char stored_bytes[4096];
  float* const stored = reinterpret_cast<float*>(stored_bytes + 0);
  __half* const b_tile = reinterpret_cast<__half*>(stored_bytes + 0);
  __half* const a_tile = reinterpret_cast<__half*>(stored_bytes + 1536);
  for (int m_block = blockIdx.y; m_block < M / 32; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> acc;
    nvcuda::wmma::fill_fragment(acc, 0.0f);
    for (int k_step = 0; k_step < K / 16; k_step++) {
      __syncthreads();
      if (threadIdx.x < 64) {
        const int thread = threadIdx.x;
        *reinterpret_cast<vec<__half, 8>*>(&b_tile[thread * 8 + thread / 2 * 8]) = *reinterpret_cast<const vec<__half, 8>*>(&b[(n_block * 32 + thread / 2) * K + thread % 2 * 8 + k_step * 16]);
      }
      if (threadIdx.x < 64) {
        const int thread = threadIdx.x;
        *reinterpret_cast<vec<__half, 8>*>(&a_tile[thread * 8 + thread / 2 * 8]) = *reinterpret_cast<const vec<__half, 8>*>(&a[(m_block * 32 + thread / 2) * K + thread % 2 * 8 + k_step * 16]);
      }
      const int warp_y = warp / 2;
      const int warp_1 = warp % 2;
      nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::col_major> b_fragment;
      __syncthreads();
      nvcuda::wmma::load_matrix_sync(b_fragment, &b_tile[warp_1 * 384], 24);
      nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> a_fragment;
      nvcuda::wmma::load_matrix_sync(a_fragment, &a_tile[warp_y * 384], 24);
      nvcuda::wmma::mma_sync(acc, a_fragment, b_fragment, acc);
    }
    __syncthreads();
    const int m_warp = warp / 2;
    const int n_warp = warp % 2;
    __syncwarp();
    nvcuda::wmma::store_matrix_sync(&stored[m_warp * 512 + n_warp * 256], acc, 16, nvcuda::wmma::mem_row_major);
    const int lane = threadIdx.x % 32;
    __half sums[8];
    __syncwarp();
    #pragma unroll
    for (int n = 0; n < 8; n++) {
      const __half x = __float2half_rn(max_f32(0.0f, stored[(m_warp * 2 + n_warp) * 256 + lane * 8 + n] * u[m_block * 32 + m_warp * 16 + lane / 2] + v[(n_block * 2 + n_warp) * 16 + lane % 2 * 8 + n]));
      sums[n] = __hadd_rn(__hmul_rn(x, __float2half_rn(0.5f)), c[(m_block * 32 + m_warp * 16 + lane / 2) * N + (n_block * 2 + n_warp) * 16 + lane % 2 * 8 + n]);
    }
    *reinterpret_cast<vec<__half, 8>*>(&output[(m_block * 32 + m_warp * 16 + lane / 2) * N + (n_block * 2 + n_warp) * 16 + lane % 2 * 8]) = vec<__half, 8>{{sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]}};
  }
}
