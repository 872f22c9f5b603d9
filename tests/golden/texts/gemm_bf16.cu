// gemm_bf16(a: 16.16.bf16, b: 16.16.bf16) -> 16.16.f32
// for sm_80
#include <cuda_bf16.h>

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) shine_gemm_bf16(
    const __nv_bfloat16* __restrict__ a,
    const __nv_bfloat16* __restrict__ b,
    float* __restrict__ output
) {
  __shared__ __align__(16) __nv_bfloat16 right[1024];
  __shared__ __align__(16) __nv_bfloat16 left[1024];
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
  *reinterpret_cast<vec<__nv_bfloat16, 4>*>(&right[i_block_2 * 64 + i_x * 4]) = vec<__nv_bfloat16, 4>{{b[i_block_2 * 16 + min_i32(i_x * 4, 15)], b[i_block_2 * 16 + min_i32(i_x * 4 + 1, 15)], b[i_block_2 * 16 + min_i32(i_x * 4 + 2, 15)], b[i_block_2 * 16 + min_i32(i_x * 4 + 3, 15)]}};
  const int i_block_3 = threadIdx.y;
  const int i_x_1 = threadIdx.x;
  *reinterpret_cast<vec<__nv_bfloat16, 4>*>(&left[i_block_3 * 64 + i_x_1 * 4]) = *reinterpret_cast<const vec<__nv_bfloat16, 4>*>(&a[min_i32(i_block_3 * 4 + i_x_1 / 4, 15) * 16 - i_x_1 / 4 * 16 + i_x_1 * 4]);
  const int i_x_2 = threadIdx.y;
  const int i_x_3 = threadIdx.x;
  __syncthreads();
  for (int i_x_4 = 0; i_x_4 < 16; i_x_4++) {
    __nv_bfloat16 right_1[4];
    #pragma unroll
    for (int i_x_5 = 0; i_x_5 < 4; i_x_5++) {
      right_1[i_x_5] = right[i_x_4 * 64 + i_x_3 * 4 + i_x_5];
    }
    __nv_bfloat16 left_1[4];
    #pragma unroll
    for (int i_x_6 = 0; i_x_6 < 4; i_x_6++) {
      left_1[i_x_6] = left[i_x_2 * 64 + i_x_6 * 16 + i_x_4];
    }
    #pragma unroll
    for (int i_x_7 = 0; i_x_7 < 4; i_x_7++) {
      #pragma unroll
      for (int i_x_8 = 0; i_x_8 < 4; i_x_8++) {
        acc[i_x_7 * 4 + i_x_8] = fmaf(__bfloat162float(left_1[i_x_7]), __bfloat162float(right_1[i_x_8]), acc[i_x_7 * 4 + i_x_8]);
      }
    }
  }
  const int i_x_9 = threadIdx.y;
  const int i_x_10 = threadIdx.x;
  for (int i_x_11 = 0; i_x_11 < min_i32(max_i32(0, 16 - i_x_9 * 4), 4); i_x_11++) {
    for (int i_x_12 = 0; i_x_12 < min_i32(max_i32(0, 16 - i_x_10 * 4), 4); i_x_12++) {
      output[i_x_9 * 64 + i_x_11 * 16 + i_x_10 * 4 + i_x_12] = acc[i_x_11 * 4 + i_x_12];
    }
  }
}
