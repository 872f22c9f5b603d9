// min_plus(first: M.K.f32, second: K.N.f32) -> M.N.f32 for all M, K, N
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ float min_f32(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) min_plus(
    const float* __restrict__ first,
    const float* __restrict__ second,
    float* __restrict__ output,
    const int M,
    const int K,
    const int N
) {
  __shared__ __align__(16) float second_tile[512];
  __shared__ __align__(16) float first_tile[544];
  for (int m_block = blockIdx.y; m_block < (M + 63) / 64; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    float acc[32];
    #pragma unroll
    for (int m = 0; m < 8; m++) {
      #pragma unroll
      for (int n = 0; n < 4; n++) {
        acc[m * 4 + n] = __int_as_float(0x7f800000);
      }
    }
    for (int k_step = 0; k_step < (K + 7) / 8; k_step++) {
      const int k_thread = threadIdx.y;
      const int n_thread = threadIdx.x;
      __syncthreads();
      const int k_min = min_i32(K - 1, k_thread + k_step * 8);
      *reinterpret_cast<vec<float, 4>*>(&second_tile[k_thread * 64 + n_thread * 4]) = vec<float, 4>{{second[k_min * N + min_i32(N - 1, n_block * 64 + n_thread * 4)], second[k_min * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 1)], second[k_min * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 2)], second[k_min * N + min_i32(N - 1, n_block * 64 + n_thread * 4 + 3)]}};
      const int m_thread = threadIdx.y;
      const int thread = threadIdx.x;
      const int m_min = min_i32(M - 1, m_block * 64 + m_thread * 8 + thread / 2);
      const vec<float, 4> lanes = vec<float, 4>{{first[m_min * K + min_i32(K - 1, thread % 2 * 4 + k_step * 8)], first[m_min * K + min_i32(K - 1, thread % 2 * 4 + k_step * 8 + 1)], first[m_min * K + min_i32(K - 1, thread % 2 * 4 + k_step * 8 + 2)], first[m_min * K + min_i32(K - 1, thread % 2 * 4 + k_step * 8 + 3)]}};
      first_tile[thread * 272 - thread / 2 * 543 + m_thread * 8] = lanes.v[(long long)0];
      first_tile[thread * 272 - thread / 2 * 543 + m_thread * 8 + 68] = lanes.v[(long long)1];
      first_tile[thread * 272 - thread / 2 * 543 + m_thread * 8 + 136] = lanes.v[(long long)2];
      first_tile[thread * 272 - thread / 2 * 543 + m_thread * 8 + 204] = lanes.v[(long long)3];
      __syncthreads();
      for (int k = 0; k < 8; k++) {
        float second_registers[4];
        {
          const vec<float, 4> all_lanes = *reinterpret_cast<const vec<float, 4>*>(&second_tile[n_thread * 4 + k * 64]);
          second_registers[0] = all_lanes.v[0];
          second_registers[1] = all_lanes.v[1];
          second_registers[2] = all_lanes.v[2];
          second_registers[3] = all_lanes.v[3];
        }
        float first_registers[8];
        #pragma unroll
        for (int i = 0; i < 2; i++) {
          {
            const vec<float, 4> all_lanes = *reinterpret_cast<const vec<float, 4>*>(&first_tile[m_thread * 8 + k * 68 + i * 4]);
            first_registers[i * 4] = all_lanes.v[0];
            first_registers[i * 4 + 1] = all_lanes.v[1];
            first_registers[i * 4 + 2] = all_lanes.v[2];
            first_registers[i * 4 + 3] = all_lanes.v[3];
          }
        }
        #pragma unroll
        for (int m = 0; m < 8; m++) {
          #pragma unroll
          for (int n = 0; n < 4; n++) {
            acc[m * 4 + n] = min_f32(acc[m * 4 + n], first_registers[m] + second_registers[n]);
          }
        }
      }
    }
    const int m_thread = threadIdx.y;
    const int n_thread = threadIdx.x;
    for (int m = 0; m < min_i32(max_i32(0, M - m_block * 64 - m_thread * 8), 8); m++) {
      for (int n = 0; n < min_i32(max_i32(0, N - n_block * 64 - n_thread * 4), 4); n++) {
        output[(m_block * 64 + m_thread * 8 + m) * N + n_block * 64 + n_thread * 4 + n] = acc[m * 4 + n];
      }
    }
  }
}
