// gemm_alpha(alpha: f32, a: 16.16.f16, b: 16.16.f16) -> 16.16.f32
// for sm_80
#include <cuda_fp16.h>

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) gemm_alpha(
    const __half* __restrict__ a,
    const __half* __restrict__ b,
    float* __restrict__ output,
    const float alpha
) {
  __shared__ __align__(16) __half right[1024];
  __shared__ __align__(16) __half left[1024];
  const float alpha_1 = alpha;
  float acc[16];
  const int i_block = threadIdx.y;
  const int i_block_1 = threadIdx.x;
  #pragma unroll
  for (int i_row = 0; i_row < 4; i_row++) {
    #pragma unroll
    for (int i_column = 0; i_column < 4; i_column++) {
      acc[i_row * 4 + i_column] = 0.0f;
    }
  }
  const int i_block_2 = threadIdx.y;
  const int i_x = threadIdx.x;
  *reinterpret_cast<vec<__half, 4>*>(&right[i_block_2 * 64 + i_x * 4]) = vec<__half, 4>{{b[i_block_2 * 16 + min_i32(i_x * 4, 15)], b[i_block_2 * 16 + min_i32(i_x * 4 + 1, 15)], b[i_block_2 * 16 + min_i32(i_x * 4 + 2, 15)], b[i_block_2 * 16 + min_i32(i_x * 4 + 3, 15)]}};
  const int i_block_3 = threadIdx.y;
  const int i_x_1 = threadIdx.x;
  *reinterpret_cast<vec<__half, 4>*>(&left[i_block_3 * 64 + i_x_1 * 4]) = *reinterpret_cast<const vec<__half, 4>*>(&a[min_i32(i_block_3 * 4 + i_x_1 / 4, 15) * 16 - i_x_1 / 4 * 16 + i_x_1 * 4]);
  const int i_x_2 = threadIdx.y;
  const int i_x_3 = threadIdx.x;
  __syncthreads();
  for (int i_x_4 = 0; i_x_4 < 16; i_x_4++) {
    __half right_1[4];
    #pragma unroll
    for (int i_x_5 = 0; i_x_5 < 4; i_x_5++) {
      right_1[i_x_5] = right[i_x_4 * 64 + i_x_3 * 4 + i_x_5];
    }
    __half left_1[4];
    #pragma unroll
    for (int i_x_6 = 0; i_x_6 < 4; i_x_6++) {
      left_1[i_x_6] = left[i_x_2 * 64 + i_x_6 * 16 + i_x_4];
    }
    #pragma unroll
    for (int i_x_7 = 0; i_x_7 < 4; i_x_7++) {
      #pragma unroll
      for (int i_x_8 = 0; i_x_8 < 4; i_x_8++) {
        acc[i_x_7 * 4 + i_x_8] = fmaf(__half2float(left_1[i_x_7]), __half2float(right_1[i_x_8]), acc[i_x_7 * 4 + i_x_8]);
      }
    }
  }
  const int i_p = threadIdx.y;
  const int i_p_1 = threadIdx.x;
  for (int i_p_2 = 0; i_p_2 < min_i32(max_i32(0, 16 - i_p * 4), 4); i_p_2++) {
    for (int i_p_3 = 0; i_p_3 < min_i32(max_i32(0, 16 - i_p_1 * 4), 4); i_p_3++) {
      output[i_p * 64 + i_p_2 * 16 + i_p_1 * 4 + i_p_3] = alpha_1 * acc[i_p_2 * 4 + i_p_3];
    }
  }
}
