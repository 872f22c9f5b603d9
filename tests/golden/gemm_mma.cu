// kernel(a: M.K.f16, b: K.N.f16) -> M.N.f32 for all M, K, N where 128 divides M, 128 divides N, 32 divides K
// for sm_80
#include <cuda_fp16.h>

template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

extern "C" __global__ void __launch_bounds__(128) kernel(
    const __half* __restrict__ a,
    const __half* __restrict__ b,
    float* __restrict__ output,
    const int M,
    const int K,
    const int N
) {
  const int warp = threadIdx.x / 32;
  __shared__ __align__(32) __half b_tile[4352];
  __shared__ __align__(32) __half a_tile[5120];
  for (int m_block = blockIdx.y; m_block < M / 128; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    float acc[32][4];
    #pragma unroll
    for (int m_strip = 0; m_strip < 4; m_strip++) {
      #pragma unroll
      for (int n_strip = 0; n_strip < 8; n_strip++) {
        #pragma unroll
        for (int t = 0; t < 4; t++) acc[m_strip * 8 + n_strip][t] = 0.0f;
      }
    }
    for (int k_step = 0; k_step < K / 32; k_step++) {
      __syncthreads();
      #pragma unroll
      for (int turn = 0; turn < 4; turn++) {
        const int thread = turn * 128 + threadIdx.x;
        *reinterpret_cast<vec<__half, 8>*>(&b_tile[thread * 8 + thread / 16 * 8]) = *reinterpret_cast<const vec<__half, 8>*>(&b[(thread / 16 + k_step * 32) * N + n_block * 128 + thread % 16 * 8]);
      }
      #pragma unroll
      for (int turn = 0; turn < 4; turn++) {
        const int thread = turn * 128 + threadIdx.x;
        *reinterpret_cast<vec<__half, 8>*>(&a_tile[thread * 8 + thread / 4 * 8]) = *reinterpret_cast<const vec<__half, 8>*>(&a[(m_block * 128 + thread / 4) * K + thread % 4 * 8 + k_step * 32]);
      }
      const int warp_y = warp / 2;
      const int warp_1 = warp % 2;
      __syncthreads();
      for (int k = 0; k < 2; k++) {
        __align__(4) __half b_fragment[8][4];
        #pragma unroll
        for (int n_strip = 0; n_strip < 8; n_strip++) {
          asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(*(unsigned*)&b_fragment[n_strip][0]), "=r"(*(unsigned*)&b_fragment[n_strip][2]) : "r"((unsigned)__cvta_generic_to_shared(&b_tile[warp_1 * 64 + k * 2176 + n_strip * 8] + (threadIdx.x / 8 % 2 * 8 + threadIdx.x % 8) * 136)) : "memory");
        }
        __align__(4) __half a_fragment[4][8];
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(*(unsigned*)&a_fragment[m_strip][0]), "=r"(*(unsigned*)&a_fragment[m_strip][2]), "=r"(*(unsigned*)&a_fragment[m_strip][4]), "=r"(*(unsigned*)&a_fragment[m_strip][6]) : "r"((unsigned)__cvta_generic_to_shared(&a_tile[warp_y * 2560 + m_strip * 640 + k * 16] + (threadIdx.x / 8 % 2 * 8 + threadIdx.x % 8) * 40 + threadIdx.x % 32 / 16 * 8)) : "memory");
        }
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          #pragma unroll
          for (int n_strip = 0; n_strip < 8; n_strip++) {
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(acc[m_strip * 8 + n_strip][0]), "+f"(acc[m_strip * 8 + n_strip][1]), "+f"(acc[m_strip * 8 + n_strip][2]), "+f"(acc[m_strip * 8 + n_strip][3]) : "r"(*(unsigned*)&a_fragment[m_strip][0]), "r"(*(unsigned*)&a_fragment[m_strip][2]), "r"(*(unsigned*)&a_fragment[m_strip][4]), "r"(*(unsigned*)&a_fragment[m_strip][6]), "r"(*(unsigned*)&b_fragment[n_strip][0]), "r"(*(unsigned*)&b_fragment[n_strip][2]));
          }
        }
      }
    }
    const int m_warp = warp / 2;
    const int n_warp = warp % 2;
    #pragma unroll
    for (int m_strip = 0; m_strip < 4; m_strip++) {
      #pragma unroll
      for (int n_strip = 0; n_strip < 8; n_strip++) {
        *(float2*)&output[(m_block * 128 + m_warp * 64 + m_strip * 16) * N + n_block * 128 + n_warp * 64 + n_strip * 8 + (threadIdx.x % 32 / 4) * N + threadIdx.x % 4 * 2] = make_float2(acc[m_strip * 8 + n_strip][0], acc[m_strip * 8 + n_strip][1]);
        *(float2*)&output[(m_block * 128 + m_warp * 64 + m_strip * 16) * N + n_block * 128 + n_warp * 64 + n_strip * 8 + (threadIdx.x % 32 / 4 + 8) * N + threadIdx.x % 4 * 2] = make_float2(acc[m_strip * 8 + n_strip][2], acc[m_strip * 8 + n_strip][3]);
      }
    }
  }
}
