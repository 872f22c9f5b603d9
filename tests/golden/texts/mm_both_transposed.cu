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
  __shared__ __align__(16) float right[1024];
  __shared__ __align__(16) float left[1024];
  float acc[16];
  const int i_block = threadIdx.y;
  const int i_block_1 = threadIdx.x;
  #pragma unroll
  for (int i_row = 0; i_row < 4; i_row++) {
    #pragma unroll
    for (int i_column = 0; i_column < 4; i_column++) {
      acc[i_row * 4 + i_column] = 0.0f;
    }
  }
  const int i_block_2 = threadIdx.y;
  const int i_x = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&right[i_block_2 * 64 + i_x * 4]) = vec<float, 4>{{i_x * 4 < i_x / 4 * 16 + 11 ? bt[min_i32(i_block_2 * 4 + i_x / 4, 6) * 11 - i_x / 4 * 16 + i_x * 4] : 0.0f, i_x * 4 < i_x / 4 * 16 + 10 ? bt[min_i32(i_block_2 * 4 + i_x / 4, 6) * 11 - i_x / 4 * 16 + i_x * 4 + 1] : 0.0f, i_x * 4 < i_x / 4 * 16 + 9 ? bt[min_i32(i_block_2 * 4 + i_x / 4, 6) * 11 - i_x / 4 * 16 + i_x * 4 + 2] : 0.0f, i_x * 4 < i_x / 4 * 16 + 8 ? bt[min_i32(i_block_2 * 4 + i_x / 4, 6) * 11 - i_x / 4 * 16 + i_x * 4 + 3] : 0.0f}};
  const int i_block_3 = threadIdx.y;
  const int i_x_1 = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&left[i_block_3 * 64 + i_x_1 * 4]) = i_block_3 < 11 ? vec<float, 4>{{at[i_block_3 * 5 + min_i32(i_x_1 * 4, 4)], at[i_block_3 * 5 + min_i32(i_x_1 * 4 + 1, 4)], at[i_block_3 * 5 + min_i32(i_x_1 * 4 + 2, 4)], at[i_block_3 * 5 + min_i32(i_x_1 * 4 + 3, 4)]}} : broadcast_f32x4(0.0f);
  const int i_x_2 = threadIdx.y;
  const int i_x_3 = threadIdx.x;
  __syncthreads();
  for (int i_x_4 = 0; i_x_4 < 16; i_x_4++) {
    float right_1[4];
    #pragma unroll
    for (int i_x_5 = 0; i_x_5 < 4; i_x_5++) {
      right_1[i_x_5] = right[i_x_3 * 64 + i_x_5 * 16 + i_x_4];
    }
    float left_1[4];
    #pragma unroll
    for (int i_x_6 = 0; i_x_6 < 4; i_x_6++) {
      left_1[i_x_6] = left[i_x_4 * 64 + i_x_2 * 4 + i_x_6];
    }
    #pragma unroll
    for (int i_x_7 = 0; i_x_7 < 4; i_x_7++) {
      #pragma unroll
      for (int i_x_8 = 0; i_x_8 < 4; i_x_8++) {
        acc[i_x_7 * 4 + i_x_8] = fmaf(left_1[i_x_7], right_1[i_x_8], acc[i_x_7 * 4 + i_x_8]);
      }
    }
  }
  const int i_x_9 = threadIdx.y;
  const int i_x_10 = threadIdx.x;
  for (int i_x_11 = 0; i_x_11 < min_i32(max_i32(0, 5 - i_x_9 * 4), 4); i_x_11++) {
    for (int i_x_12 = 0; i_x_12 < min_i32(max_i32(0, 7 - i_x_10 * 4), 4); i_x_12++) {
      output[i_x_9 * 28 + i_x_11 * 7 + i_x_10 * 4 + i_x_12] = acc[i_x_11 * 4 + i_x_12];
    }
  }
}
