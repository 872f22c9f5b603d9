// gemm(alpha: f32, beta: f32, A: M.K.f16, B: K.N.f16, C: M.N.f32) -> M.N.f32 for all M, K, N
// for sm_80
#include <cuda_fp16.h>

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ vec<__half, 4> broadcast_f16x4(__half x) { return vec<__half, 4>{{x, x, x, x}}; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) gemm(
    const __half* __restrict__ A,
    const __half* __restrict__ B,
    const float* __restrict__ C,
    float* __restrict__ output,
    const float alpha,
    const float beta,
    const int M,
    const int K,
    const int N
) {
  __shared__ __align__(16) __half B_tile[1024];
  __shared__ __align__(16) __half A_tile[1024];
  for (int m_block = blockIdx.y; m_block < (M + 63) / 64; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    float acc[16];
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      #pragma unroll
      for (int n = 0; n < 4; n++) {
        acc[m * 4 + n] = 0.0f;
      }
    }
    for (int k_step = 0; k_step < (K + 15) / 16; k_step++) {
      const int k_thread = threadIdx.y;
      const int n_thread = threadIdx.x;
      __syncthreads();
      *reinterpret_cast<vec<__half, 4>*>(&B_tile[k_thread * 64 + n_thread * 4]) = k_thread + k_step * 16 < K ? vec<__half, 4>{{B[(k_thread + k_step * 16) * N + min_i32(N - 1, n_block * 64 + n_thread * 4)], B[(k_thread + k_step * 16) * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 1)], B[(k_thread + k_step * 16) * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 2)], B[(k_thread + k_step * 16) * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 3)]}} : broadcast_f16x4(__float2half_rn(0.0f));
      const int m_thread = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread = thread / 4 * 16 + K;
      const int m_min = min_i32(M - 1, m_block * 64 + m_thread * 4 + thread / 4);
      *reinterpret_cast<vec<__half, 4>*>(&A_tile[m_thread * 64 + thread * 4]) = vec<__half, 4>{{thread * 4 + k_step * 16 < at_thread ? A[m_min * K - thread / 4 * 16 + thread * 4 + k_step * 16] : __float2half_rn(0.0f), thread * 4 + k_step * 16 + 1 < at_thread ? A[m_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 1] : __float2half_rn(0.0f), thread * 4 + k_step * 16 + 2 < at_thread ? A[m_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 2] : __float2half_rn(0.0f), thread * 4 + k_step * 16 + 3 < at_thread ? A[m_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 3] : __float2half_rn(0.0f)}};
      __syncthreads();
      for (int k = 0; k < 16; k++) {
        __half B_registers[4];
        #pragma unroll
        for (int n = 0; n < 4; n++) {
          B_registers[n] = B_tile[n_thread * 4 + k * 64 + n];
        }
        __half A_registers[4];
        #pragma unroll
        for (int m = 0; m < 4; m++) {
          A_registers[m] = A_tile[m_thread * 64 + m * 16 + k];
        }
        #pragma unroll
        for (int m = 0; m < 4; m++) {
          #pragma unroll
          for (int n = 0; n < 4; n++) {
            acc[m * 4 + n] = fmaf(__half2float(A_registers[m]), __half2float(B_registers[n]), acc[m * 4 + n]);
          }
        }
      }
    }
    const int m_thread = threadIdx.y;
    const int n_thread = threadIdx.x;
    for (int m = 0; m < min_i32(max_i32(0, M - m_block * 64 - m_thread * 4), 4); m++) {
      for (int n = 0; n < min_i32(max_i32(0, N - n_block * 64 - n_thread * 4), 4); n++) {
        const int at_n_m = (m_block * 64 + m_thread * 4 + m) * N + n_block * 64 + n_thread * 4 + n;
        output[at_n_m] = fmaf(beta, C[at_n_m], alpha * acc[m * 4 + n]);
      }
    }
  }
}
