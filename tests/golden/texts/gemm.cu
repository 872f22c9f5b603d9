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
  __shared__ __align__(16) __half right[1024];
  __shared__ __align__(16) __half left[1024];
  const float alpha_1 = alpha;
  const float beta_1 = beta;
  for (int i_x = blockIdx.y; i_x < (M + 63) / 64; i_x += gridDim.y) {
    const int i_x_1 = blockIdx.x;
    float acc[16];
    const int i_x_2 = threadIdx.y;
    const int i_x_3 = threadIdx.x;
    #pragma unroll
    for (int i_x_4 = 0; i_x_4 < 4; i_x_4++) {
      #pragma unroll
      for (int i_bc = 0; i_bc < 4; i_bc++) {
        acc[i_x_4 * 4 + i_bc] = 0.0f;
      }
    }
    for (int i_x_5 = 0; i_x_5 < (K + 15) / 16; i_x_5++) {
      const int i_block = threadIdx.y;
      const int i_x_6 = threadIdx.x;
      __syncthreads();
      *reinterpret_cast<vec<__half, 4>*>(&right[i_block * 64 + i_x_6 * 4]) = i_x_5 * 16 + i_block < K ? vec<__half, 4>{{B[(i_x_5 * 16 + i_block) * N + min_i32(N - 1, i_x_1 * 64 + i_x_6 * 4)], B[(i_x_5 * 16 + i_block) * N + min_i32(N - 1, i_x_1 * 64 + i_x_6 * 4 + 1)], B[(i_x_5 * 16 + i_block) * N + min_i32(N - 1, i_x_1 * 64 + i_x_6 * 4 + 2)], B[(i_x_5 * 16 + i_block) * N + min_i32(N - 1, i_x_1 * 64 + i_x_6 * 4 + 3)]}} : broadcast_f16x4(__float2half_rn(0.0f));
      const int i_block_1 = threadIdx.y;
      const int i_x_7 = threadIdx.x;
      *reinterpret_cast<vec<__half, 4>*>(&left[i_block_1 * 64 + i_x_7 * 4]) = vec<__half, 4>{{i_x_5 * 16 + i_x_7 * 4 < i_x_7 / 4 * 16 + K ? A[min_i32(M - 1, i_x * 64 + i_block_1 * 4 + i_x_7 / 4) * K + i_x_5 * 16 - i_x_7 / 4 * 16 + i_x_7 * 4] : __float2half_rn(0.0f), i_x_5 * 16 + i_x_7 * 4 + 1 < i_x_7 / 4 * 16 + K ? A[min_i32(M - 1, i_x * 64 + i_block_1 * 4 + i_x_7 / 4) * K + i_x_5 * 16 - i_x_7 / 4 * 16 + i_x_7 * 4 + 1] : __float2half_rn(0.0f), i_x_5 * 16 + i_x_7 * 4 + 2 < i_x_7 / 4 * 16 + K ? A[min_i32(M - 1, i_x * 64 + i_block_1 * 4 + i_x_7 / 4) * K + i_x_5 * 16 - i_x_7 / 4 * 16 + i_x_7 * 4 + 2] : __float2half_rn(0.0f), i_x_5 * 16 + i_x_7 * 4 + 3 < i_x_7 / 4 * 16 + K ? A[min_i32(M - 1, i_x * 64 + i_block_1 * 4 + i_x_7 / 4) * K + i_x_5 * 16 - i_x_7 / 4 * 16 + i_x_7 * 4 + 3] : __float2half_rn(0.0f)}};
      const int i_x_8 = threadIdx.y;
      const int i_x_9 = threadIdx.x;
      __syncthreads();
      for (int i_x_10 = 0; i_x_10 < 16; i_x_10++) {
        __half right_1[4];
        #pragma unroll
        for (int i_x_11 = 0; i_x_11 < 4; i_x_11++) {
          right_1[i_x_11] = right[i_x_10 * 64 + i_x_9 * 4 + i_x_11];
        }
        __half left_1[4];
        #pragma unroll
        for (int i_x_12 = 0; i_x_12 < 4; i_x_12++) {
          left_1[i_x_12] = left[i_x_8 * 64 + i_x_12 * 16 + i_x_10];
        }
        #pragma unroll
        for (int i_x_13 = 0; i_x_13 < 4; i_x_13++) {
          #pragma unroll
          for (int i_x_14 = 0; i_x_14 < 4; i_x_14++) {
            acc[i_x_13 * 4 + i_x_14] = fmaf(__half2float(left_1[i_x_13]), __half2float(right_1[i_x_14]), acc[i_x_13 * 4 + i_x_14]);
          }
        }
      }
    }
    const int i_p = threadIdx.y;
    const int i_p_1 = threadIdx.x;
    for (int i_p_2 = 0; i_p_2 < min_i32(max_i32(0, M - i_x * 64 - i_p * 4), 4); i_p_2++) {
      for (int i_p_3 = 0; i_p_3 < min_i32(max_i32(0, N - i_x_1 * 64 - i_p_1 * 4), 4); i_p_3++) {
        output[(i_x * 64 + i_p * 4 + i_p_2) * N + i_x_1 * 64 + i_p_1 * 4 + i_p_3] = fmaf(beta_1, C[(i_x * 64 + i_p * 4 + i_p_2) * N + i_x_1 * 64 + i_p_1 * 4 + i_p_3], alpha_1 * acc[i_p_2 * 4 + i_p_3]);
      }
    }
  }
}
