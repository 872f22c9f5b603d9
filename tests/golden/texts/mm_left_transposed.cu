// mm_left_transposed(at: K.M.f32, b: K.N.f32) -> M.N.f32 for all K, M, N
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ vec<float, 4> broadcast_f32x4(float x) { return vec<float, 4>{{x, x, x, x}}; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) mm_left_transposed(
    const float* __restrict__ at,
    const float* __restrict__ b,
    float* __restrict__ output,
    const int K,
    const int M,
    const int N
) {
  __shared__ __align__(16) float b_tile[1024];
  __shared__ __align__(16) float at_tile[1024];
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
      *reinterpret_cast<vec<float, 4>*>(&b_tile[k_thread * 64 + n_thread * 4]) = k_thread + k_step * 16 < K ? vec<float, 4>{{b[(k_thread + k_step * 16) * N + min_i32(N - 1, n_block * 64 + n_thread * 4)], b[(k_thread + k_step * 16) * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 1)], b[(k_thread + k_step * 16) * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 2)], b[(k_thread + k_step * 16) * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 3)]}} : broadcast_f32x4(0.0f);
      const int m_thread_x = threadIdx.x;
      *reinterpret_cast<vec<float, 4>*>(&at_tile[k_thread * 64 + m_thread_x * 4]) = k_thread + k_step * 16 < K ? vec<float, 4>{{at[(k_thread + k_step * 16) * M + min_i32(M - 1, m_block * 64 + m_thread_x * 4)], at[(k_thread + k_step * 16) * M + min_i32(M - 1, m_block * 64 + m_thread_x * 4 + 1)], at[(k_thread + k_step * 16) * M + min_i32(M - 1, m_block * 64 + m_thread_x * 4 + 2)], at[(k_thread + k_step * 16) * M + min_i32(M - 1, m_block * 64 + m_thread_x * 4 + 3)]}} : broadcast_f32x4(0.0f);
      const int m_thread_y = threadIdx.y;
      __syncthreads();
      for (int k = 0; k < 16; k++) {
        float b_registers[4];
        #pragma unroll
        for (int n = 0; n < 4; n++) {
          b_registers[n] = b_tile[n_thread * 4 + k * 64 + n];
        }
        float at_registers[4];
        #pragma unroll
        for (int m = 0; m < 4; m++) {
          at_registers[m] = at_tile[m_thread_y * 4 + k * 64 + m];
        }
        #pragma unroll
        for (int m = 0; m < 4; m++) {
          #pragma unroll
          for (int n = 0; n < 4; n++) {
            acc[m * 4 + n] = fmaf(at_registers[m], b_registers[n], acc[m * 4 + n]);
          }
        }
      }
    }
    const int m_thread_y = threadIdx.y;
    const int n_thread = threadIdx.x;
    for (int m = 0; m < min_i32(max_i32(0, M - m_block * 64 - m_thread_y * 4), 4); m++) {
      for (int n = 0; n < min_i32(max_i32(0, N - n_block * 64 - n_thread * 4), 4); n++) {
        output[(m_block * 64 + m_thread_y * 4 + m) * N + n_block * 64 + n_thread * 4 + n] = acc[m * 4 + n];
      }
    }
  }
}
