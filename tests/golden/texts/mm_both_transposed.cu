// mm_both_transposed(at: 11.5.f32, bt: 7.11.f32) -> 5.7.f32
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ vec<float, 4> broadcast_f32x4(float x) { return vec<float, 4>{{x, x, x, x}}; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) mm_both_transposed(
    const float* __restrict__ at,
    const float* __restrict__ bt,
    float* __restrict__ output
) {
  __shared__ __align__(16) float bt_tile[1024];
  __shared__ __align__(16) float at_tile[1024];
  float acc[16];
  #pragma unroll
  for (int row = 0; row < 4; row++) {
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      acc[row * 4 + column] = 0.0f;
    }
  }
  const int bt_row_thread_y = threadIdx.y;
  const int thread = threadIdx.x;
  const int bt_row_thread_y_min = min_i32(bt_row_thread_y * 4 + thread / 4, 6);
  *reinterpret_cast<vec<float, 4>*>(&bt_tile[bt_row_thread_y * 64 + thread * 4]) = vec<float, 4>{{thread * 4 < thread / 4 * 16 + 11 ? bt[bt_row_thread_y_min * 11 - thread / 4 * 16 + thread * 4] : 0.0f, thread * 4 < thread / 4 * 16 + 10 ? bt[bt_row_thread_y_min * 11 - thread / 4 * 16 + thread * 4 + 1] : 0.0f, thread * 4 < thread / 4 * 16 + 9 ? bt[bt_row_thread_y_min * 11 - thread / 4 * 16 + thread * 4 + 2] : 0.0f, thread * 4 < thread / 4 * 16 + 8 ? bt[bt_row_thread_y_min * 11 - thread / 4 * 16 + thread * 4 + 3] : 0.0f}};
  const int at_row_thread = threadIdx.y;
  const int at_column_thread_x = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&at_tile[at_row_thread * 64 + at_column_thread_x * 4]) = at_row_thread < 11 ? vec<float, 4>{{at[at_row_thread * 5 + min_i32(at_column_thread_x * 4, 4)], at[at_row_thread * 5 + min_i32(at_column_thread_x * 4 + 1, 4)], at[at_row_thread * 5 + min_i32(at_column_thread_x * 4 + 2, 4)], at[at_row_thread * 5 + min_i32(at_column_thread_x * 4 + 3, 4)]}} : broadcast_f32x4(0.0f);
  const int at_column_thread_y = threadIdx.y;
  const int bt_row_thread_x = threadIdx.x;
  __syncthreads();
  for (int at_row = 0; at_row < 16; at_row++) {
    float bt_registers[4];
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      bt_registers[column] = bt_tile[bt_row_thread_x * 64 + column * 16 + at_row];
    }
    float at_registers[4];
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      at_registers[row] = at_tile[at_column_thread_y * 4 + at_row * 64 + row];
    }
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      #pragma unroll
      for (int column = 0; column < 4; column++) {
        acc[row * 4 + column] = fmaf(at_registers[row], bt_registers[column], acc[row * 4 + column]);
      }
    }
  }
  const int row_thread = threadIdx.y;
  const int column_thread = threadIdx.x;
  for (int row = 0; row < min_i32(max_i32(0, 5 - row_thread * 4), 4); row++) {
    for (int column = 0; column < min_i32(max_i32(0, 7 - column_thread * 4), 4); column++) {
      output[row_thread * 28 + column_thread * 4 + row * 7 + column] = acc[row * 4 + column];
    }
  }
}
