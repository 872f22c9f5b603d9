// mm(a: M.K.f32, b: K.N.f32) -> M.N.f32 for all M, K, N
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ vec<float, 4> broadcast_f32x4(float x) { return vec<float, 4>{{x, x, x, x}}; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) mm(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ output,
    const int M,
    const int K,
    const int N
) {
  __shared__ __align__(16) float right[1024];
  __shared__ __align__(16) float left[1024];
  for (int i_block = blockIdx.y; i_block < (M + 63) / 64; i_block += gridDim.y) {
    const int i_block_1 = blockIdx.x;
    float acc[16];
    const int i_block_2 = threadIdx.y;
    const int i_block_3 = threadIdx.x;
    #pragma unroll
    for (int i_row = 0; i_row < 4; i_row++) {
      #pragma unroll
      for (int i_column = 0; i_column < 4; i_column++) {
        acc[i_row * 4 + i_column] = 0.0f;
      }
    }
    for (int i_x = 0; i_x < (K + 15) / 16; i_x++) {
      const int i_block_4 = threadIdx.y;
      const int i_x_1 = threadIdx.x;
      __syncthreads();
      *reinterpret_cast<vec<float, 4>*>(&right[i_block_4 * 64 + i_x_1 * 4]) = i_x * 16 + i_block_4 < K ? vec<float, 4>{{b[(i_x * 16 + i_block_4) * N + min_i32(N - 1, i_block_1 * 64 + i_x_1 * 4)], b[(i_x * 16 + i_block_4) * N + min_i32(N - 1, i_block_1 * 64 + i_x_1 * 4 + 1)], b[(i_x * 16 + i_block_4) * N + min_i32(N - 1, i_block_1 * 64 + i_x_1 * 4 + 2)], b[(i_x * 16 + i_block_4) * N + min_i32(N - 1, i_block_1 * 64 + i_x_1 * 4 + 3)]}} : broadcast_f32x4(0.0f);
      const int i_block_5 = threadIdx.y;
      const int i_x_2 = threadIdx.x;
      *reinterpret_cast<vec<float, 4>*>(&left[i_block_5 * 64 + i_x_2 * 4]) = vec<float, 4>{{i_x * 16 + i_x_2 * 4 < i_x_2 / 4 * 16 + K ? a[min_i32(M - 1, i_block * 64 + i_block_5 * 4 + i_x_2 / 4) * K + i_x * 16 - i_x_2 / 4 * 16 + i_x_2 * 4] : 0.0f, i_x * 16 + i_x_2 * 4 + 1 < i_x_2 / 4 * 16 + K ? a[min_i32(M - 1, i_block * 64 + i_block_5 * 4 + i_x_2 / 4) * K + i_x * 16 - i_x_2 / 4 * 16 + i_x_2 * 4 + 1] : 0.0f, i_x * 16 + i_x_2 * 4 + 2 < i_x_2 / 4 * 16 + K ? a[min_i32(M - 1, i_block * 64 + i_block_5 * 4 + i_x_2 / 4) * K + i_x * 16 - i_x_2 / 4 * 16 + i_x_2 * 4 + 2] : 0.0f, i_x * 16 + i_x_2 * 4 + 3 < i_x_2 / 4 * 16 + K ? a[min_i32(M - 1, i_block * 64 + i_block_5 * 4 + i_x_2 / 4) * K + i_x * 16 - i_x_2 / 4 * 16 + i_x_2 * 4 + 3] : 0.0f}};
      const int i_x_3 = threadIdx.y;
      const int i_x_4 = threadIdx.x;
      __syncthreads();
      for (int i_x_5 = 0; i_x_5 < 16; i_x_5++) {
        float right_1[4];
        #pragma unroll
        for (int i_x_6 = 0; i_x_6 < 4; i_x_6++) {
          right_1[i_x_6] = right[i_x_5 * 64 + i_x_4 * 4 + i_x_6];
        }
        float left_1[4];
        #pragma unroll
        for (int i_x_7 = 0; i_x_7 < 4; i_x_7++) {
          left_1[i_x_7] = left[i_x_3 * 64 + i_x_7 * 16 + i_x_5];
        }
        #pragma unroll
        for (int i_x_8 = 0; i_x_8 < 4; i_x_8++) {
          #pragma unroll
          for (int i_x_9 = 0; i_x_9 < 4; i_x_9++) {
            acc[i_x_8 * 4 + i_x_9] = fmaf(left_1[i_x_8], right_1[i_x_9], acc[i_x_8 * 4 + i_x_9]);
          }
        }
      }
    }
    const int i_x_10 = threadIdx.y;
    const int i_x_11 = threadIdx.x;
    for (int i_x_12 = 0; i_x_12 < min_i32(max_i32(0, M - i_block * 64 - i_x_10 * 4), 4); i_x_12++) {
      for (int i_x_13 = 0; i_x_13 < min_i32(max_i32(0, N - i_block_1 * 64 - i_x_11 * 4), 4); i_x_13++) {
        output[(i_block * 64 + i_x_10 * 4 + i_x_12) * N + i_block_1 * 64 + i_x_11 * 4 + i_x_13] = acc[i_x_12 * 4 + i_x_13];
      }
    }
  }
}
