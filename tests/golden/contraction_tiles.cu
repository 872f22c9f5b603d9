// contraction(a: 32.32.32.32.f32, b: 32.32.32.32.f32) -> 32.32.32.32.32.32.f32
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

extern "C" __global__ void __launch_bounds__(512) contraction(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ output
) {
  __shared__ __align__(16) float b_tile[1024];
  __shared__ __align__(16) float a_tile[1056];
  const int u3_block = blockIdx.y;
  const int b_k_block = blockIdx.x;
  float acc[32];
  #pragma unroll
  for (int i_u3 = 0; i_u3 < 8; i_u3++) {
    #pragma unroll
    for (int i_v5 = 0; i_v5 < 4; i_v5++) {
      acc[i_u3 * 4 + i_v5] = 0.0f;
    }
  }
  for (int a_l_step = 0; a_l_step < 4; a_l_step++) {
    __syncthreads();
    if (threadIdx.y < 8) {
      const int b_i_thread = threadIdx.y;
      const int b_l_thread = threadIdx.x;
      *reinterpret_cast<vec<float, 4>*>(&b_tile[b_i_thread * 128 + b_l_thread * 4]) = *reinterpret_cast<const vec<float, 4>*>(&b[b_i_thread * 32768 + b_k_block * 128 + b_l_thread * 4 + a_l_step * 262144]);
    }
    if (threadIdx.y < 8) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const vec<float, 4> lanes = *reinterpret_cast<const vec<float, 4>*>(&a[thread_y * 524288 - (thread_y * 32 + thread) / 64 * 1047552 + thread / 2 * 32760 - ((u3_block * 8 + thread_y) * 32 + thread) / 2048 * 32736 + u3_block * 4096 + thread * 4 + a_l_step * 8]);
      a_tile[thread * 528 - thread / 2 * 1055 + thread_y * 16] = lanes.v[(long long)0];
      a_tile[thread * 528 - thread / 2 * 1055 + thread_y * 16 + 132] = lanes.v[(long long)1];
      a_tile[thread * 528 - thread / 2 * 1055 + thread_y * 16 + 264] = lanes.v[(long long)2];
      a_tile[thread * 528 - thread / 2 * 1055 + thread_y * 16 + 396] = lanes.v[(long long)3];
    }
    const int thread_y = threadIdx.y;
    const int b_l_thread = threadIdx.x;
    __syncthreads();
    for (int b_i = 0; b_i < 8; b_i++) {
      float b_registers[4];
      {
        const vec<float, 4> all_lanes = *reinterpret_cast<const vec<float, 4>*>(&b_tile[b_l_thread * 4 + b_i * 128]);
        b_registers[0] = all_lanes.v[0];
        b_registers[1] = all_lanes.v[1];
        b_registers[2] = all_lanes.v[2];
        b_registers[3] = all_lanes.v[3];
      }
      float a_registers[8];
      #pragma unroll
      for (int j = 0; j < 2; j++) {
        {
          const vec<float, 4> all_lanes = *reinterpret_cast<const vec<float, 4>*>(&a_tile[thread_y * 8 + b_i * 132 + j * 4]);
          a_registers[j * 4] = all_lanes.v[0];
          a_registers[j * 4 + 1] = all_lanes.v[1];
          a_registers[j * 4 + 2] = all_lanes.v[2];
          a_registers[j * 4 + 3] = all_lanes.v[3];
        }
      }
      #pragma unroll
      for (int j = 0; j < 8; j++) {
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
  for (int k = 0; k < 8; k++) {
    *reinterpret_cast<vec<float, 4>*>(&output[(b_k_block * 32 + thread) / 256 * 1047552 + u3_block * 131072 + thread_y * 8192 + b_k_block * 128 + thread * 4 + (u3_block * 128 + thread_y * 8 + k) / 1024 * 32505856 + k * 1024]) = vec<float, 4>{{acc[k * 4], acc[k * 4 + 1], acc[k * 4 + 2], acc[k * 4 + 3]}};
  }
}
