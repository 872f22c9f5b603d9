// gemm_left_transposed(alpha: f32, beta: f32, at: 16.16.f16, b: 16.16.f16, c: 16.16.f32) -> 16.16.f32
// for sm_80
#include <cuda_fp16.h>

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) gemm_left_transposed(
    const __half* __restrict__ at,
    const __half* __restrict__ b,
    const float* __restrict__ c,
    float* __restrict__ output,
    const float alpha,
    const float beta
) {
  __shared__ __align__(16) __half b_tile[1024];
  __shared__ __align__(16) __half at_tile[1024];
  float acc[16];
  #pragma unroll
  for (int row = 0; row < 4; row++) {
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      acc[row * 4 + column] = 0.0f;
    }
  }
  const int at_row_thread = threadIdx.y;
  const int b_column_thread = threadIdx.x;
  *reinterpret_cast<vec<__half, 4>*>(&b_tile[at_row_thread * 64 + b_column_thread * 4]) = vec<__half, 4>{{b[at_row_thread * 16 + min_i32(b_column_thread * 4, 15)], b[at_row_thread * 16 + min_i32(b_column_thread * 4 + 1, 15)], b[at_row_thread * 16 + min_i32(b_column_thread * 4 + 2, 15)], b[at_row_thread * 16 + min_i32(b_column_thread * 4 + 3, 15)]}};
  const int at_column_thread_x = threadIdx.x;
  *reinterpret_cast<vec<__half, 4>*>(&at_tile[at_row_thread * 64 + at_column_thread_x * 4]) = vec<__half, 4>{{at[at_row_thread * 16 + min_i32(at_column_thread_x * 4, 15)], at[at_row_thread * 16 + min_i32(at_column_thread_x * 4 + 1, 15)], at[at_row_thread * 16 + min_i32(at_column_thread_x * 4 + 2, 15)], at[at_row_thread * 16 + min_i32(at_column_thread_x * 4 + 3, 15)]}};
  const int at_column_thread_y = threadIdx.y;
  __syncthreads();
  for (int at_row = 0; at_row < 16; at_row++) {
    __half b_registers[4];
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      b_registers[column] = b_tile[b_column_thread * 4 + at_row * 64 + column];
    }
    __half at_registers[4];
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      at_registers[row] = at_tile[at_column_thread_y * 4 + at_row * 64 + row];
    }
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      #pragma unroll
      for (int column = 0; column < 4; column++) {
        acc[row * 4 + column] = fmaf(__half2float(at_registers[row]), __half2float(b_registers[column]), acc[row * 4 + column]);
      }
    }
  }
  const int row_thread = threadIdx.y;
  const int column_thread = threadIdx.x;
  for (int row = 0; row < min_i32(max_i32(0, 16 - row_thread * 4), 4); row++) {
    for (int column = 0; column < min_i32(max_i32(0, 16 - column_thread * 4), 4); column++) {
      const int at_row_column = row_thread * 64 + column_thread * 4 + row * 16 + column;
      output[at_row_column] = fmaf(beta, c[at_row_column], alpha * acc[row * 4 + column]);
    }
  }
}
