// gemm_f32(alpha: f32, beta: f32, a: 16.16.f32, b: 16.16.f32, c: 16.16.f32) -> 16.16.f32
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) shine_gemm_f32(
    const float* __restrict__ a,
    const float* __restrict__ b,
    const float* __restrict__ c,
    float* __restrict__ output,
    const float alpha,
    const float beta
) {
  __shared__ __align__(16) float right[1024];
  __shared__ __align__(16) float left[1024];
  const float alpha_1 = alpha;
  const float beta_1 = beta;
  float acc[16];
  const int i_x = threadIdx.y;
  const int i_x_1 = threadIdx.x;
  #pragma unroll
  for (int i_x_2 = 0; i_x_2 < 4; i_x_2++) {
    #pragma unroll
    for (int i_p = 0; i_p < 4; i_p++) {
      acc[i_x_2 * 4 + i_p] = 0.0f;
    }
  }
  const int i_block = threadIdx.y;
  const int i_x_3 = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&right[i_block * 64 + i_x_3 * 4]) = vec<float, 4>{{b[i_block * 16 + min_i32(i_x_3 * 4, 15)], b[i_block * 16 + min_i32(i_x_3 * 4 + 1, 15)], b[i_block * 16 + min_i32(i_x_3 * 4 + 2, 15)], b[i_block * 16 + min_i32(i_x_3 * 4 + 3, 15)]}};
  const int i_block_1 = threadIdx.y;
  const int i_x_4 = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&left[i_block_1 * 64 + i_x_4 * 4]) = *reinterpret_cast<const vec<float, 4>*>(&a[min_i32(i_block_1 * 4 + i_x_4 / 4, 15) * 16 - i_x_4 / 4 * 16 + i_x_4 * 4]);
  const int i_x_5 = threadIdx.y;
  const int i_x_6 = threadIdx.x;
  __syncthreads();
  for (int i_x_7 = 0; i_x_7 < 16; i_x_7++) {
    float right_1[4];
    #pragma unroll
    for (int i_x_8 = 0; i_x_8 < 4; i_x_8++) {
      right_1[i_x_8] = right[i_x_7 * 64 + i_x_6 * 4 + i_x_8];
    }
    float left_1[4];
    #pragma unroll
    for (int i_x_9 = 0; i_x_9 < 4; i_x_9++) {
      left_1[i_x_9] = left[i_x_5 * 64 + i_x_9 * 16 + i_x_7];
    }
    #pragma unroll
    for (int i_x_10 = 0; i_x_10 < 4; i_x_10++) {
      #pragma unroll
      for (int i_x_11 = 0; i_x_11 < 4; i_x_11++) {
        acc[i_x_10 * 4 + i_x_11] = fmaf(left_1[i_x_10], right_1[i_x_11], acc[i_x_10 * 4 + i_x_11]);
      }
    }
  }
  const int i_p_1 = threadIdx.y;
  const int i_p_2 = threadIdx.x;
  for (int i_p_3 = 0; i_p_3 < min_i32(max_i32(0, 16 - i_p_1 * 4), 4); i_p_3++) {
    for (int i_p_4 = 0; i_p_4 < min_i32(max_i32(0, 16 - i_p_2 * 4), 4); i_p_4++) {
      output[i_p_1 * 64 + i_p_3 * 16 + i_p_2 * 4 + i_p_4] = fmaf(beta_1, c[i_p_1 * 64 + i_p_3 * 16 + i_p_2 * 4 + i_p_4], alpha_1 * acc[i_p_3 * 4 + i_p_4]);
    }
  }
}
