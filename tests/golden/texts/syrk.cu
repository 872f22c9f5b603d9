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
  __shared__ __align__(16) float right[1024];
  __shared__ __align__(16) float left[1024];
  const float alpha_1 = alpha;
  const float beta_1 = beta;
  for (int i_x = blockIdx.y; i_x < (M + 63) / 64; i_x += gridDim.y) {
    const int i_x_1 = blockIdx.x;
    float acc[16];
    const int i_x_2 = threadIdx.y;
    const int i_x_3 = threadIdx.x;
    #pragma unroll
    for (int i_x_4 = 0; i_x_4 < 4; i_x_4++) {
      #pragma unroll
      for (int i_p = 0; i_p < 4; i_p++) {
        acc[i_x_4 * 4 + i_p] = 0.0f;
      }
    }
    for (int i_x_5 = 0; i_x_5 < (K + 15) / 16; i_x_5++) {
      const int i_block = threadIdx.y;
      const int i_x_6 = threadIdx.x;
      __syncthreads();
      *reinterpret_cast<vec<float, 4>*>(&right[i_block * 64 + i_x_6 * 4]) = vec<float, 4>{{i_x_5 * 16 + i_x_6 * 4 < i_x_6 / 4 * 16 + K ? a[min_i32(M - 1, i_x_1 * 64 + i_block * 4 + i_x_6 / 4) * K + i_x_5 * 16 - i_x_6 / 4 * 16 + i_x_6 * 4] : 0.0f, i_x_5 * 16 + i_x_6 * 4 + 1 < i_x_6 / 4 * 16 + K ? a[min_i32(M - 1, i_x_1 * 64 + i_block * 4 + i_x_6 / 4) * K + i_x_5 * 16 - i_x_6 / 4 * 16 + i_x_6 * 4 + 1] : 0.0f, i_x_5 * 16 + i_x_6 * 4 + 2 < i_x_6 / 4 * 16 + K ? a[min_i32(M - 1, i_x_1 * 64 + i_block * 4 + i_x_6 / 4) * K + i_x_5 * 16 - i_x_6 / 4 * 16 + i_x_6 * 4 + 2] : 0.0f, i_x_5 * 16 + i_x_6 * 4 + 3 < i_x_6 / 4 * 16 + K ? a[min_i32(M - 1, i_x_1 * 64 + i_block * 4 + i_x_6 / 4) * K + i_x_5 * 16 - i_x_6 / 4 * 16 + i_x_6 * 4 + 3] : 0.0f}};
      const int i_block_1 = threadIdx.y;
      const int i_x_7 = threadIdx.x;
      *reinterpret_cast<vec<float, 4>*>(&left[i_block_1 * 64 + i_x_7 * 4]) = vec<float, 4>{{i_x_5 * 16 + i_x_7 * 4 < i_x_7 / 4 * 16 + K ? a[min_i32(M - 1, i_x * 64 + i_block_1 * 4 + i_x_7 / 4) * K + i_x_5 * 16 - i_x_7 / 4 * 16 + i_x_7 * 4] : 0.0f, i_x_5 * 16 + i_x_7 * 4 + 1 < i_x_7 / 4 * 16 + K ? a[min_i32(M - 1, i_x * 64 + i_block_1 * 4 + i_x_7 / 4) * K + i_x_5 * 16 - i_x_7 / 4 * 16 + i_x_7 * 4 + 1] : 0.0f, i_x_5 * 16 + i_x_7 * 4 + 2 < i_x_7 / 4 * 16 + K ? a[min_i32(M - 1, i_x * 64 + i_block_1 * 4 + i_x_7 / 4) * K + i_x_5 * 16 - i_x_7 / 4 * 16 + i_x_7 * 4 + 2] : 0.0f, i_x_5 * 16 + i_x_7 * 4 + 3 < i_x_7 / 4 * 16 + K ? a[min_i32(M - 1, i_x * 64 + i_block_1 * 4 + i_x_7 / 4) * K + i_x_5 * 16 - i_x_7 / 4 * 16 + i_x_7 * 4 + 3] : 0.0f}};
      const int i_x_8 = threadIdx.y;
      const int i_x_9 = threadIdx.x;
      __syncthreads();
      for (int i_x_10 = 0; i_x_10 < 16; i_x_10++) {
        float right_1[4];
        #pragma unroll
        for (int i_x_11 = 0; i_x_11 < 4; i_x_11++) {
          right_1[i_x_11] = right[i_x_9 * 64 + i_x_11 * 16 + i_x_10];
        }
        float left_1[4];
        #pragma unroll
        for (int i_x_12 = 0; i_x_12 < 4; i_x_12++) {
          left_1[i_x_12] = left[i_x_8 * 64 + i_x_12 * 16 + i_x_10];
        }
        #pragma unroll
        for (int i_x_13 = 0; i_x_13 < 4; i_x_13++) {
          #pragma unroll
          for (int i_x_14 = 0; i_x_14 < 4; i_x_14++) {
            acc[i_x_13 * 4 + i_x_14] = fmaf(left_1[i_x_13], right_1[i_x_14], acc[i_x_13 * 4 + i_x_14]);
          }
        }
      }
    }
    const int i_p_1 = threadIdx.y;
    const int i_p_2 = threadIdx.x;
    for (int i_p_3 = 0; i_p_3 < min_i32(max_i32(0, M - i_x * 64 - i_p_1 * 4), 4); i_p_3++) {
      for (int i_p_4 = 0; i_p_4 < min_i32(max_i32(0, M - i_x_1 * 64 - i_p_2 * 4), 4); i_p_4++) {
        output[(i_x * 64 + i_p_1 * 4 + i_p_3) * M + i_x_1 * 64 + i_p_2 * 4 + i_p_4] = fmaf(beta_1, c[(i_x * 64 + i_p_1 * 4 + i_p_3) * M + i_x_1 * 64 + i_p_2 * 4 + i_p_4], alpha_1 * acc[i_p_3 * 4 + i_p_4]);
      }
    }
  }
}
