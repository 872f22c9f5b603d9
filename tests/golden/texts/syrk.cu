// syrk(alpha: f32, beta: f32, a: M.K.f32, c: M.M.f32) -> M.M.f32 for all M, K
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) syrk(
    const float* __restrict__ a,
    const float* __restrict__ c,
    float* __restrict__ output,
    const float alpha,
    const float beta,
    const int M,
    const int K
) {
  __shared__ __align__(16) float a_tile[1024];
  __shared__ __align__(16) float a_tile_1[1024];
  for (int m_row_block = blockIdx.y; m_row_block < (M + 63) / 64; m_row_block += gridDim.y) {
    const int m_column_block = blockIdx.x;
    float acc[16];
    #pragma unroll
    for (int m_row = 0; m_row < 4; m_row++) {
      #pragma unroll
      for (int m_column = 0; m_column < 4; m_column++) {
        acc[m_row * 4 + m_column] = 0.0f;
      }
    }
    for (int k_step = 0; k_step < (K + 15) / 16; k_step++) {
      const int m_thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      __syncthreads();
      const int at_thread = thread / 4 * 16 + K;
      const int m_column_m_thread_y_min = min_i32(M - 1, (m_column_block * 16 + m_thread_y) * 4 + thread / 4);
      *reinterpret_cast<vec<float, 4>*>(&a_tile[m_thread_y * 64 + thread * 4]) = vec<float, 4>{{thread * 4 + k_step * 16 < at_thread ? a[m_column_m_thread_y_min * K - thread / 4 * 16 + thread * 4 + k_step * 16] : 0.0f, thread * 4 + k_step * 16 + 1 < at_thread ? a[m_column_m_thread_y_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 1] : 0.0f, thread * 4 + k_step * 16 + 2 < at_thread ? a[m_column_m_thread_y_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 2] : 0.0f, thread * 4 + k_step * 16 + 3 < at_thread ? a[m_column_m_thread_y_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 3] : 0.0f}};
      const int m_thread_y_m_row_min = min_i32(M - 1, m_row_block * 64 + m_thread_y * 4 + thread / 4);
      *reinterpret_cast<vec<float, 4>*>(&a_tile_1[m_thread_y * 64 + thread * 4]) = vec<float, 4>{{thread * 4 + k_step * 16 < at_thread ? a[m_thread_y_m_row_min * K - thread / 4 * 16 + thread * 4 + k_step * 16] : 0.0f, thread * 4 + k_step * 16 + 1 < at_thread ? a[m_thread_y_m_row_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 1] : 0.0f, thread * 4 + k_step * 16 + 2 < at_thread ? a[m_thread_y_m_row_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 2] : 0.0f, thread * 4 + k_step * 16 + 3 < at_thread ? a[m_thread_y_m_row_min * K - thread / 4 * 16 + thread * 4 + k_step * 16 + 3] : 0.0f}};
      const int m_thread_x = threadIdx.x;
      __syncthreads();
      for (int i = 0; i < 16; i++) {
        float a_registers[4];
        #pragma unroll
        for (int m_column = 0; m_column < 4; m_column++) {
          a_registers[m_column] = a_tile[m_thread_x * 64 + m_column * 16 + i];
        }
        float a_registers_1[4];
        #pragma unroll
        for (int m_row = 0; m_row < 4; m_row++) {
          a_registers_1[m_row] = a_tile_1[m_thread_y * 64 + m_row * 16 + i];
        }
        #pragma unroll
        for (int m_row = 0; m_row < 4; m_row++) {
          #pragma unroll
          for (int m_column = 0; m_column < 4; m_column++) {
            acc[m_row * 4 + m_column] = fmaf(a_registers_1[m_row], a_registers[m_column], acc[m_row * 4 + m_column]);
          }
        }
      }
    }
    const int m_row_thread = threadIdx.y;
    const int m_column_thread = threadIdx.x;
    for (int m_row = 0; m_row < min_i32(max_i32(0, M - m_row_block * 64 - m_row_thread * 4), 4); m_row++) {
      for (int m_column = 0; m_column < min_i32(max_i32(0, M - m_column_block * 64 - m_column_thread * 4), 4); m_column++) {
        const int at_m_column_m_row = (m_row_block * 64 + m_row_thread * 4 + m_row) * M + m_column_block * 64 + m_column_thread * 4 + m_column;
        output[at_m_column_m_row] = fmaf(beta, c[at_m_column_m_row], alpha * acc[m_row * 4 + m_column]);
      }
    }
  }
}
