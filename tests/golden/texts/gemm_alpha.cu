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
  __shared__ __align__(16) __half b_tile[1024];
  __shared__ __align__(16) __half a_tile[1024];
  float acc[16];
  #pragma unroll
  for (int row = 0; row < 4; row++) {
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      acc[row * 4 + column] = 0.0f;
    }
  }
  const int b_row_thread = threadIdx.y;
  const int b_column_thread = threadIdx.x;
  *reinterpret_cast<vec<__half, 4>*>(&b_tile[b_row_thread * 64 + b_column_thread * 4]) = vec<__half, 4>{{b[b_row_thread * 16 + min_i32(b_column_thread * 4, 15)], b[b_row_thread * 16 + min_i32(b_column_thread * 4 + 1, 15)], b[b_row_thread * 16 + min_i32(b_column_thread * 4 + 2, 15)], b[b_row_thread * 16 + min_i32(b_column_thread * 4 + 3, 15)]}};
  const int a_row_thread = threadIdx.y;
  const int thread = threadIdx.x;
  *reinterpret_cast<vec<__half, 4>*>(&a_tile[a_row_thread * 64 + thread * 4]) = *reinterpret_cast<const vec<__half, 4>*>(&a[min_i32(a_row_thread * 4 + thread / 4, 15) * 16 - thread / 4 * 16 + thread * 4]);
  __syncthreads();
  for (int b_row = 0; b_row < 16; b_row++) {
    __half b_registers[4];
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      b_registers[column] = b_tile[b_column_thread * 4 + b_row * 64 + column];
    }
    __half a_registers[4];
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      a_registers[row] = a_tile[a_row_thread * 64 + row * 16 + b_row];
    }
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      #pragma unroll
      for (int column = 0; column < 4; column++) {
        acc[row * 4 + column] = fmaf(__half2float(a_registers[row]), __half2float(b_registers[column]), acc[row * 4 + column]);
      }
    }
  }
  const int row_thread = threadIdx.y;
  const int column_thread = threadIdx.x;
  for (int row = 0; row < min_i32(max_i32(0, 16 - row_thread * 4), 4); row++) {
    for (int column = 0; column < min_i32(max_i32(0, 16 - column_thread * 4), 4); column++) {
      output[row_thread * 64 + column_thread * 4 + row * 16 + column] = alpha * acc[row * 4 + column];
    }
  }
}
