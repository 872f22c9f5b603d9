// matrix_chain(a: 4.4.f32, b: 4.8.f32, c: 8.8.f32) -> 4.8.f32
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ vec<float, 4> broadcast_f32x4(float x) { return vec<float, 4>{{x, x, x, x}}; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) matrix_chain(
    const float* __restrict__ a,
    const float* __restrict__ b,
    const float* __restrict__ c,
    float* __restrict__ ab,
    float* __restrict__ output
) {
  __shared__ __align__(16) float b_tile[1024];
  float* const c_tile = b_tile;
  __shared__ __align__(16) float a_tile[1024];
  float* const left16 = a_tile;
  float acc_from_a_registers[16];
  #pragma unroll
  for (int i_row = 0; i_row < 4; i_row++) {
    #pragma unroll
    for (int i_column = 0; i_column < 4; i_column++) {
      acc_from_a_registers[i_row * 4 + i_column] = 0.0f;
    }
  }
  const int b_row_thread = threadIdx.y;
  const int b_column_thread = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&b_tile[b_row_thread * 64 + b_column_thread * 4]) = b_row_thread < 4 ? vec<float, 4>{{b[b_row_thread * 8 + min_i32(b_column_thread * 4, 7)], b[b_row_thread * 8 + min_i32(b_column_thread * 4 + 1, 7)], b[b_row_thread * 8 + min_i32(b_column_thread * 4 + 2, 7)], b[b_row_thread * 8 + min_i32(b_column_thread * 4 + 3, 7)]}} : broadcast_f32x4(0.0f);
  const int a_row_thread = threadIdx.y;
  const int thread = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&a_tile[a_row_thread * 64 + thread * 4]) = thread * 4 < thread / 4 * 16 + 4 ? *reinterpret_cast<const vec<float, 4>*>(&a[thread * 4 - thread / 4 * 16 + min_i32(a_row_thread * 4 + thread / 4, 3) * 4]) : broadcast_f32x4(0.0f);
  __syncthreads();
  for (int b_row = 0; b_row < 16; b_row++) {
    float b_registers[4];
    #pragma unroll
    for (int i = 0; i < 4; i++) {
      b_registers[i] = b_tile[b_column_thread * 4 + b_row * 64 + i];
    }
    float a_registers[4];
    #pragma unroll
    for (int i = 0; i < 4; i++) {
      a_registers[i] = a_tile[a_row_thread * 64 + i * 16 + b_row];
    }
    #pragma unroll
    for (int i = 0; i < 4; i++) {
      #pragma unroll
      for (int j = 0; j < 4; j++) {
        acc_from_a_registers[i * 4 + j] = fmaf(a_registers[i], b_registers[j], acc_from_a_registers[i * 4 + j]);
      }
    }
  }
  const int thread_y = threadIdx.y;
  for (int k = 0; k < min_i32(max_i32(0, 4 - thread_y * 4), 4); k++) {
    for (int l = 0; l < min_i32(max_i32(0, 8 - thread * 4), 4); l++) {
      ab[thread_y * 32 + thread * 4 + k * 8 + l] = acc_from_a_registers[k * 4 + l];
    }
  }
  float acc_from_left1[16];
  #pragma unroll
  for (int row = 0; row < 4; row++) {
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      acc_from_left1[row * 4 + column] = 0.0f;
    }
  }
  __syncthreads();
  const int c_row_thread = threadIdx.y;
  const int c_column_thread = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&c_tile[c_row_thread * 64 + c_column_thread * 4]) = c_row_thread < 8 ? vec<float, 4>{{c[c_row_thread * 8 + min_i32(c_column_thread * 4, 7)], c[c_row_thread * 8 + min_i32(c_column_thread * 4 + 1, 7)], c[c_row_thread * 8 + min_i32(c_column_thread * 4 + 2, 7)], c[c_row_thread * 8 + min_i32(c_column_thread * 4 + 3, 7)]}} : broadcast_f32x4(0.0f);
  __syncthreads();
  *reinterpret_cast<vec<float, 4>*>(&left16[thread_y * 64 + thread * 4]) = thread * 4 < thread / 4 * 16 + 8 ? *reinterpret_cast<const vec<float, 4>*>(&ab[min_i32(thread_y * 4 + thread / 4, 3) * 8 - thread / 4 * 16 + thread * 4]) : broadcast_f32x4(0.0f);
  __syncwarp();
  for (int c_row = 0; c_row < 16; c_row++) {
    float c_registers[4];
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      c_registers[column] = c_tile[c_column_thread * 4 + c_row * 64 + column];
    }
    float left1[4];
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      left1[row] = left16[thread_y * 64 + row * 16 + c_row];
    }
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      #pragma unroll
      for (int column = 0; column < 4; column++) {
        acc_from_left1[row * 4 + column] = fmaf(left1[row], c_registers[column], acc_from_left1[row * 4 + column]);
      }
    }
  }
  const int row_thread = threadIdx.y;
  const int column_thread = threadIdx.x;
  for (int row = 0; row < min_i32(max_i32(0, 4 - row_thread * 4), 4); row++) {
    for (int column = 0; column < min_i32(max_i32(0, 8 - column_thread * 4), 4); column++) {
      output[row_thread * 32 + column_thread * 4 + row * 8 + column] = acc_from_left1[row * 4 + column];
    }
  }
}
