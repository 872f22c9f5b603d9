// mm_right_transposed(a: 16.4.f32, bt: 8.4.f32) -> 16.8.f32
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ vec<float, 4> broadcast_f32x4(float x) { return vec<float, 4>{{x, x, x, x}}; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) mm_right_transposed(
    const float* __restrict__ a,
    const float* __restrict__ bt,
    float* __restrict__ output
) {
  __shared__ __align__(16) float bt_tile[1024];
  __shared__ __align__(16) float a_tile[1024];
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
  *reinterpret_cast<vec<float, 4>*>(&bt_tile[bt_row_thread_y * 64 + thread * 4]) = thread * 4 < thread / 4 * 16 + 4 ? *reinterpret_cast<const vec<float, 4>*>(&bt[thread * 4 - thread / 4 * 16 + min_i32(bt_row_thread_y * 4 + thread / 4, 7) * 4]) : broadcast_f32x4(0.0f);
  const int a_row_thread = threadIdx.y;
  *reinterpret_cast<vec<float, 4>*>(&a_tile[a_row_thread * 64 + thread * 4]) = thread * 4 < thread / 4 * 16 + 4 ? *reinterpret_cast<const vec<float, 4>*>(&a[thread * 4 - thread / 4 * 16 + min_i32(a_row_thread * 4 + thread / 4, 15) * 4]) : broadcast_f32x4(0.0f);
  const int bt_row_thread_x = threadIdx.x;
  __syncthreads();
  for (int i = 0; i < 16; i++) {
    float bt_registers[4];
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      bt_registers[column] = bt_tile[bt_row_thread_x * 64 + column * 16 + i];
    }
    float a_registers[4];
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      a_registers[row] = a_tile[a_row_thread * 64 + row * 16 + i];
    }
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      #pragma unroll
      for (int column = 0; column < 4; column++) {
        acc[row * 4 + column] = fmaf(a_registers[row], bt_registers[column], acc[row * 4 + column]);
      }
    }
  }
  const int row_thread = threadIdx.y;
  const int column_thread = threadIdx.x;
  for (int row = 0; row < min_i32(max_i32(0, 16 - row_thread * 4), 4); row++) {
    for (int column = 0; column < min_i32(max_i32(0, 8 - column_thread * 4), 4); column++) {
      output[row_thread * 32 + column_thread * 4 + row * 8 + column] = acc[row * 4 + column];
    }
  }
}
