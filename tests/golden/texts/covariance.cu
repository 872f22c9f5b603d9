// covariance(share: f32, table: N.D.f32) -> D.D.f32 for all N, D
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(1) covariance(
    const float* __restrict__ table,
    float* __restrict__ columns,
    const float share,
    const int N,
    const int D
) {
  const float share_1 = share;
  for (int i_p = blockIdx.y; i_p < D; i_p += gridDim.y) {
    float x;
    x = 0.0f;
    for (int i_x = 0; i_x < N; i_x++) {
      x = x + table[i_x * D + i_p];
    }
    const float mean = share_1 * x;
    const int i_x_1 = blockIdx.x;
    columns[i_p * N + i_x_1] = table[i_x_1 * D + i_p] - mean;
  }
}

extern "C" __global__ void __launch_bounds__(256) covariance_1(
    const float* __restrict__ columns,
    float* __restrict__ output,
    const float share,
    const int N,
    const int D
) {
  __shared__ __align__(16) float right[1024];
  __shared__ __align__(16) float left[1024];
  const float share_1 = share;
  for (int i_block = blockIdx.y; i_block < (D + 63) / 64; i_block += gridDim.y) {
    const int i_block_1 = blockIdx.x;
    float acc[16];
    const int i_block_2 = threadIdx.y;
    const int i_block_3 = threadIdx.x;
    #pragma unroll
    for (int i_a = 0; i_a < 4; i_a++) {
      #pragma unroll
      for (int i_b = 0; i_b < 4; i_b++) {
        acc[i_a * 4 + i_b] = 0.0f;
      }
    }
    for (int i_x_2 = 0; i_x_2 < (N + 15) / 16; i_x_2++) {
      const int i_block_4 = threadIdx.y;
      const int i_x_3 = threadIdx.x;
      __syncthreads();
      *reinterpret_cast<vec<float, 4>*>(&right[i_block_4 * 64 + i_x_3 * 4]) = vec<float, 4>{{i_x_2 * 16 + i_x_3 * 4 < i_x_3 / 4 * 16 + N ? columns[min_i32(D - 1, i_block_1 * 64 + i_block_4 * 4 + i_x_3 / 4) * N + i_x_2 * 16 - i_x_3 / 4 * 16 + i_x_3 * 4] : 0.0f, i_x_2 * 16 + i_x_3 * 4 + 1 < i_x_3 / 4 * 16 + N ? columns[min_i32(D - 1, i_block_1 * 64 + i_block_4 * 4 + i_x_3 / 4) * N + i_x_2 * 16 - i_x_3 / 4 * 16 + i_x_3 * 4 + 1] : 0.0f, i_x_2 * 16 + i_x_3 * 4 + 2 < i_x_3 / 4 * 16 + N ? columns[min_i32(D - 1, i_block_1 * 64 + i_block_4 * 4 + i_x_3 / 4) * N + i_x_2 * 16 - i_x_3 / 4 * 16 + i_x_3 * 4 + 2] : 0.0f, i_x_2 * 16 + i_x_3 * 4 + 3 < i_x_3 / 4 * 16 + N ? columns[min_i32(D - 1, i_block_1 * 64 + i_block_4 * 4 + i_x_3 / 4) * N + i_x_2 * 16 - i_x_3 / 4 * 16 + i_x_3 * 4 + 3] : 0.0f}};
      const int i_block_5 = threadIdx.y;
      const int i_x_4 = threadIdx.x;
      *reinterpret_cast<vec<float, 4>*>(&left[i_block_5 * 64 + i_x_4 * 4]) = vec<float, 4>{{i_x_2 * 16 + i_x_4 * 4 < i_x_4 / 4 * 16 + N ? columns[min_i32(D - 1, i_block * 64 + i_block_5 * 4 + i_x_4 / 4) * N + i_x_2 * 16 - i_x_4 / 4 * 16 + i_x_4 * 4] : 0.0f, i_x_2 * 16 + i_x_4 * 4 + 1 < i_x_4 / 4 * 16 + N ? columns[min_i32(D - 1, i_block * 64 + i_block_5 * 4 + i_x_4 / 4) * N + i_x_2 * 16 - i_x_4 / 4 * 16 + i_x_4 * 4 + 1] : 0.0f, i_x_2 * 16 + i_x_4 * 4 + 2 < i_x_4 / 4 * 16 + N ? columns[min_i32(D - 1, i_block * 64 + i_block_5 * 4 + i_x_4 / 4) * N + i_x_2 * 16 - i_x_4 / 4 * 16 + i_x_4 * 4 + 2] : 0.0f, i_x_2 * 16 + i_x_4 * 4 + 3 < i_x_4 / 4 * 16 + N ? columns[min_i32(D - 1, i_block * 64 + i_block_5 * 4 + i_x_4 / 4) * N + i_x_2 * 16 - i_x_4 / 4 * 16 + i_x_4 * 4 + 3] : 0.0f}};
      const int i_x_5 = threadIdx.y;
      const int i_x_6 = threadIdx.x;
      __syncthreads();
      for (int i_x_7 = 0; i_x_7 < 16; i_x_7++) {
        float right_1[4];
        #pragma unroll
        for (int i_x_8 = 0; i_x_8 < 4; i_x_8++) {
          right_1[i_x_8] = right[i_x_6 * 64 + i_x_8 * 16 + i_x_7];
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
    }
    const int i_p_1 = threadIdx.y;
    const int i_p_2 = threadIdx.x;
    for (int i_p_3 = 0; i_p_3 < min_i32(max_i32(0, D - i_block * 64 - i_p_1 * 4), 4); i_p_3++) {
      for (int i_p_4 = 0; i_p_4 < min_i32(max_i32(0, D - i_block_1 * 64 - i_p_2 * 4), 4); i_p_4++) {
        output[(i_block * 64 + i_p_1 * 4 + i_p_3) * D + i_block_1 * 64 + i_p_2 * 4 + i_p_4] = share_1 * acc[i_p_3 * 4 + i_p_4];
      }
    }
  }
}
