// linear_layer(weights: O.I.f32, bias: O.f32, batch: B.I.f32) -> B.O.f32 for all O, I, B
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(256) linear_layer(
    const float* __restrict__ weights,
    const float* __restrict__ bias,
    const float* __restrict__ batch,
    float* __restrict__ output,
    const int O,
    const int I_,
    const int B
) {
  __shared__ __align__(16) float left[1024];
  __shared__ __align__(16) float right[1024];
  for (int i_block = blockIdx.y; i_block < (B + 63) / 64; i_block += gridDim.y) {
    const int i_x = blockIdx.x;
    float acc[16];
    const int i_block_1 = threadIdx.y;
    const int i_x_1 = threadIdx.x;
    #pragma unroll
    for (int i_x_2 = 0; i_x_2 < 4; i_x_2++) {
      #pragma unroll
      for (int i_p = 0; i_p < 4; i_p++) {
        acc[i_x_2 * 4 + i_p] = 0.0f;
      }
    }
    for (int i_x_3 = 0; i_x_3 < (I_ + 15) / 16; i_x_3++) {
      const int i_block_2 = threadIdx.y;
      const int i_x_4 = threadIdx.x;
      __syncthreads();
      *reinterpret_cast<vec<float, 4>*>(&left[i_block_2 * 64 + i_x_4 * 4]) = vec<float, 4>{{i_x_3 * 16 + i_x_4 * 4 < i_x_4 / 4 * 16 + I_ ? weights[min_i32(O - 1, i_x * 64 + i_block_2 * 4 + i_x_4 / 4) * I_ + i_x_3 * 16 - i_x_4 / 4 * 16 + i_x_4 * 4] : 0.0f, i_x_3 * 16 + i_x_4 * 4 + 1 < i_x_4 / 4 * 16 + I_ ? weights[min_i32(O - 1, i_x * 64 + i_block_2 * 4 + i_x_4 / 4) * I_ + i_x_3 * 16 - i_x_4 / 4 * 16 + i_x_4 * 4 + 1] : 0.0f, i_x_3 * 16 + i_x_4 * 4 + 2 < i_x_4 / 4 * 16 + I_ ? weights[min_i32(O - 1, i_x * 64 + i_block_2 * 4 + i_x_4 / 4) * I_ + i_x_3 * 16 - i_x_4 / 4 * 16 + i_x_4 * 4 + 2] : 0.0f, i_x_3 * 16 + i_x_4 * 4 + 3 < i_x_4 / 4 * 16 + I_ ? weights[min_i32(O - 1, i_x * 64 + i_block_2 * 4 + i_x_4 / 4) * I_ + i_x_3 * 16 - i_x_4 / 4 * 16 + i_x_4 * 4 + 3] : 0.0f}};
      const int i_block_3 = threadIdx.y;
      const int i_x_5 = threadIdx.x;
      *reinterpret_cast<vec<float, 4>*>(&right[i_block_3 * 64 + i_x_5 * 4]) = vec<float, 4>{{i_x_3 * 16 + i_x_5 * 4 < i_x_5 / 4 * 16 + I_ ? batch[min_i32(B - 1, i_block * 64 + i_block_3 * 4 + i_x_5 / 4) * I_ + i_x_3 * 16 - i_x_5 / 4 * 16 + i_x_5 * 4] : 0.0f, i_x_3 * 16 + i_x_5 * 4 + 1 < i_x_5 / 4 * 16 + I_ ? batch[min_i32(B - 1, i_block * 64 + i_block_3 * 4 + i_x_5 / 4) * I_ + i_x_3 * 16 - i_x_5 / 4 * 16 + i_x_5 * 4 + 1] : 0.0f, i_x_3 * 16 + i_x_5 * 4 + 2 < i_x_5 / 4 * 16 + I_ ? batch[min_i32(B - 1, i_block * 64 + i_block_3 * 4 + i_x_5 / 4) * I_ + i_x_3 * 16 - i_x_5 / 4 * 16 + i_x_5 * 4 + 2] : 0.0f, i_x_3 * 16 + i_x_5 * 4 + 3 < i_x_5 / 4 * 16 + I_ ? batch[min_i32(B - 1, i_block * 64 + i_block_3 * 4 + i_x_5 / 4) * I_ + i_x_3 * 16 - i_x_5 / 4 * 16 + i_x_5 * 4 + 3] : 0.0f}};
      const int i_x_6 = threadIdx.y;
      const int i_x_7 = threadIdx.x;
      __syncthreads();
      for (int i_x_8 = 0; i_x_8 < 16; i_x_8++) {
        float left_1[4];
        #pragma unroll
        for (int i_x_9 = 0; i_x_9 < 4; i_x_9++) {
          left_1[i_x_9] = left[i_x_7 * 64 + i_x_9 * 16 + i_x_8];
        }
        float right_1[4];
        #pragma unroll
        for (int i_x_10 = 0; i_x_10 < 4; i_x_10++) {
          right_1[i_x_10] = right[i_x_6 * 64 + i_x_10 * 16 + i_x_8];
        }
        #pragma unroll
        for (int i_x_11 = 0; i_x_11 < 4; i_x_11++) {
          #pragma unroll
          for (int i_x_12 = 0; i_x_12 < 4; i_x_12++) {
            acc[i_x_11 * 4 + i_x_12] = fmaf(left_1[i_x_12], right_1[i_x_11], acc[i_x_11 * 4 + i_x_12]);
          }
        }
      }
    }
    const int i_p_1 = threadIdx.y;
    const int i_p_2 = threadIdx.x;
    for (int i_p_3 = 0; i_p_3 < min_i32(max_i32(0, B - i_block * 64 - i_p_1 * 4), 4); i_p_3++) {
      for (int i_p_4 = 0; i_p_4 < min_i32(max_i32(0, O - i_x * 64 - i_p_2 * 4), 4); i_p_4++) {
        output[(i_block * 64 + i_p_1 * 4 + i_p_3) * O + i_x * 64 + i_p_2 * 4 + i_p_4] = max_f32(acc[i_p_3 * 4 + i_p_4] + bias[i_x * 64 + i_p_2 * 4 + i_p_4], 0.0f);
      }
    }
  }
}
