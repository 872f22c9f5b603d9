// contraction(a: 32.32.32.32.f32, b: 32.32.32.32.f32) -> 32.32.32.32.32.32.f32
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

extern "C" __global__ void __launch_bounds__(256) contraction(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ output
) {
  __shared__ __align__(16) float b_tile[1024];
  __shared__ __align__(16) float a_tile[1088];
  const int u3_block = blockIdx.y;
  const int b_k_block = blockIdx.x;
  float acc[16];
  #pragma unroll
  for (int i_u3 = 0; i_u3 < 4; i_u3++) {
    #pragma unroll
    for (int i_v5 = 0; i_v5 < 4; i_v5++) {
      acc[i_u3 * 4 + i_v5] = 0.0f;
    }
  }
  for (int a_l_step = 0; a_l_step < 2; a_l_step++) {
    const int a_l_thread_y = threadIdx.y;
    const int b_l_thread = threadIdx.x;
    __syncthreads();
    *reinterpret_cast<vec<float, 4>*>(&b_tile[a_l_thread_y * 64 + b_l_thread * 4]) = *reinterpret_cast<const vec<float, 4>*>(&b[a_l_thread_y * 32768 + b_k_block * 64 + b_l_thread * 4 + a_l_step * 524288]);
    #pragma unroll
    for (int turn_y = 0; turn_y < 4; turn_y++) {
      const int thread_y = turn_y * 16 + threadIdx.y;
      const int a_l_thread_x = threadIdx.x;
      a_tile[thread_y * 17 + a_l_thread_x] = a[thread_y * 32768 - thread_y / 32 * 1047552 - (u3_block * 64 + thread_y) / 1024 * 32736 + u3_block * 2048 + a_l_thread_x + a_l_step * 16];
    }
    const int thread_y = threadIdx.y;
    __syncthreads();
    for (int a_l = 0; a_l < 16; a_l++) {
      float b_registers[4];
      #pragma unroll
      for (int j = 0; j < 4; j++) {
        b_registers[j] = b_tile[b_l_thread * 4 + a_l * 64 + j];
      }
      float a_registers[4];
      #pragma unroll
      for (int j = 0; j < 4; j++) {
        a_registers[j] = a_tile[thread_y * 68 + j * 17 + a_l];
      }
      #pragma unroll
      for (int j = 0; j < 4; j++) {
        #pragma unroll
        for (int k = 0; k < 4; k++) {
          acc[j * 4 + k] = fmaf(a_registers[j], b_registers[k], acc[j * 4 + k]);
        }
      }
    }
  }
  const int thread_y = threadIdx.y;
  const int thread = threadIdx.x;
  #pragma unroll
  for (int k = 0; k < 4; k++) {
    #pragma unroll
    for (int l = 0; l < 4; l++) {
      output[u3_block * 65536 + thread_y * 4096 + b_k_block * 64 + thread * 4 + (u3_block * 64 + thread_y * 4 + k) / 1024 * 32505856 + (b_k_block * 64 + thread * 4 + l) / 1024 * 1047552 + k * 1024 + l] = acc[k * 4 + l];
    }
  }
}
