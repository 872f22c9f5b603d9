// kernel(a: M.K.f16, b: N.K.f16, u: M.f32, v: N.f32, c: M.N.f16) -> M.N.f16 for all M, K, N where 32 divides M, 32 divides N, 16 divides K
// for sm_80
#include <cuda_fp16.h>

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
  __shared__ __align__(32) __half b_tile[768];
  __shared__ __align__(32) __half a_tile[768];
  for (int m_block = blockIdx.y; m_block < M / 32; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    float acc[2][4];
    #pragma unroll
    for (int n_strip = 0; n_strip < 2; n_strip++) {
      #pragma unroll
      for (int t = 0; t < 4; t++) acc[n_strip][t] = 0.0f;
    }
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
      __align__(4) __half b_fragment[2][4];
      __syncthreads();
      #pragma unroll
      for (int n_strip = 0; n_strip < 2; n_strip++) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(*(unsigned*)&b_fragment[n_strip][0]), "=r"(*(unsigned*)&b_fragment[n_strip][2]) : "r"((unsigned)__cvta_generic_to_shared(&b_tile[warp_1 * 384 + n_strip * 192] + (threadIdx.x % 8) * 24 + threadIdx.x / 8 % 2 * 8)) : "memory");
      }
      __align__(4) __half a_fragment[8];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(*(unsigned*)&a_fragment[0]), "=r"(*(unsigned*)&a_fragment[2]), "=r"(*(unsigned*)&a_fragment[4]), "=r"(*(unsigned*)&a_fragment[6]) : "r"((unsigned)__cvta_generic_to_shared(&a_tile[warp_y * 384] + (threadIdx.x / 8 % 2 * 8 + threadIdx.x % 8) * 24 + threadIdx.x % 32 / 16 * 8)) : "memory");
      #pragma unroll
      for (int n_strip = 0; n_strip < 2; n_strip++) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(acc[n_strip][0]), "+f"(acc[n_strip][1]), "+f"(acc[n_strip][2]), "+f"(acc[n_strip][3]) : "r"(*(unsigned*)&a_fragment[0]), "r"(*(unsigned*)&a_fragment[2]), "r"(*(unsigned*)&a_fragment[4]), "r"(*(unsigned*)&a_fragment[6]), "r"(*(unsigned*)&b_fragment[n_strip][0]), "r"(*(unsigned*)&b_fragment[n_strip][2]));
      }
    }
    const int m_warp = warp / 2;
    const int n_warp = warp % 2;
    #pragma unroll
    for (int n_strip = 0; n_strip < 2; n_strip++) {
      float stored[4];
      #pragma unroll
      for (int e = 0; e < 4; e++) stored[e] = acc[n_strip][e];
      const int lane = threadIdx.x % 32;
      #pragma unroll
      for (int m_strip = 0; m_strip < 2; m_strip++) {
        __half sums[2];
        #pragma unroll
        for (int n = 0; n < 2; n++) {
          const __half x = __float2half_rn(max_f32(0.0f, stored[m_strip * 2 + n] * u[m_block * 32 + m_warp * 16 + lane / 4 + m_strip * 8] + v[n_block * 32 + n_warp * 16 + lane % 4 * 2 + n_strip * 8 + n]));
          sums[n] = __hadd_rn(__hmul_rn(x, __float2half_rn(0.5f)), c[(m_block * 32 + m_warp * 16 + lane / 4 + m_strip * 8) * N + n_block * 32 + n_warp * 16 + lane % 4 * 2 + n_strip * 8 + n]);
        }
        *reinterpret_cast<vec<__half, 2>*>(&output[(m_block * 32 + m_warp * 16 + lane / 4 + m_strip * 8) * N + n_block * 32 + n_warp * 16 + lane % 4 * 2 + n_strip * 8]) = vec<__half, 2>{{sums[0], sums[1]}};
      }
    }
  }
}
