// linear_layer(weights: O.I.f32, bias: O.f32, batch: B.I.f32) -> B.O.f32 for all O, I, B
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(256) linear_layer(
    const float* __restrict__ weights,
    const float* __restrict__ bias,
    const float* __restrict__ batch,
    float* __restrict__ output,
    const int O,
    const int I_,
    const int B
) {
  __shared__ __align__(16) float weights_tile[1024];
  __shared__ __align__(16) float batch_tile[1024];
  for (int b_block = blockIdx.y; b_block < (B + 63) / 64; b_block += gridDim.y) {
    const int o_block = blockIdx.x;
    float acc[16];
    #pragma unroll
    for (int b = 0; b < 4; b++) {
      #pragma unroll
      for (int o = 0; o < 4; o++) {
        acc[b * 4 + o] = 0.0f;
      }
    }
    for (int i_step = 0; i_step < (I_ + 15) / 16; i_step++) {
      const int o_thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      __syncthreads();
      const int at_thread = thread / 4 * 16 + I_;
      const int o_o_thread_y_min = min_i32(O - 1, (o_block * 16 + o_thread_y) * 4 + thread / 4);
      *reinterpret_cast<vec<float, 4>*>(&weights_tile[o_thread_y * 64 + thread * 4]) = vec<float, 4>{{thread * 4 + i_step * 16 < at_thread ? weights[o_o_thread_y_min * I_ - thread / 4 * 16 + thread * 4 + i_step * 16] : 0.0f, thread * 4 + i_step * 16 + 1 < at_thread ? weights[o_o_thread_y_min * I_ - thread / 4 * 16 + thread * 4 + i_step * 16 + 1] : 0.0f, thread * 4 + i_step * 16 + 2 < at_thread ? weights[o_o_thread_y_min * I_ - thread / 4 * 16 + thread * 4 + i_step * 16 + 2] : 0.0f, thread * 4 + i_step * 16 + 3 < at_thread ? weights[o_o_thread_y_min * I_ - thread / 4 * 16 + thread * 4 + i_step * 16 + 3] : 0.0f}};
      const int b_thread = threadIdx.y;
      const int b_min = min_i32(B - 1, b_block * 64 + b_thread * 4 + thread / 4);
      *reinterpret_cast<vec<float, 4>*>(&batch_tile[b_thread * 64 + thread * 4]) = vec<float, 4>{{thread * 4 + i_step * 16 < at_thread ? batch[b_min * I_ - thread / 4 * 16 + thread * 4 + i_step * 16] : 0.0f, thread * 4 + i_step * 16 + 1 < at_thread ? batch[b_min * I_ - thread / 4 * 16 + thread * 4 + i_step * 16 + 1] : 0.0f, thread * 4 + i_step * 16 + 2 < at_thread ? batch[b_min * I_ - thread / 4 * 16 + thread * 4 + i_step * 16 + 2] : 0.0f, thread * 4 + i_step * 16 + 3 < at_thread ? batch[b_min * I_ - thread / 4 * 16 + thread * 4 + i_step * 16 + 3] : 0.0f}};
      const int o_thread_x = threadIdx.x;
      __syncthreads();
      for (int i = 0; i < 16; i++) {
        float weights_registers[4];
        #pragma unroll
        for (int o = 0; o < 4; o++) {
          weights_registers[o] = weights_tile[o_thread_x * 64 + o * 16 + i];
        }
        float batch_registers[4];
        #pragma unroll
        for (int b = 0; b < 4; b++) {
          batch_registers[b] = batch_tile[b_thread * 64 + b * 16 + i];
        }
        #pragma unroll
        for (int b = 0; b < 4; b++) {
          #pragma unroll
          for (int o = 0; o < 4; o++) {
            acc[b * 4 + o] = fmaf(weights_registers[o], batch_registers[b], acc[b * 4 + o]);
          }
        }
      }
    }
    const int b_thread = threadIdx.y;
    const int o_thread_x = threadIdx.x;
    for (int b = 0; b < min_i32(max_i32(0, B - b_block * 64 - b_thread * 4), 4); b++) {
      for (int o = 0; o < min_i32(max_i32(0, O - o_block * 64 - o_thread_x * 4), 4); o++) {
        output[(b_block * 64 + b_thread * 4 + b) * O + o_block * 64 + o_thread_x * 4 + o] = max_f32(acc[b * 4 + o] + bias[o_block * 64 + o_thread_x * 4 + o], 0.0f);
      }
    }
  }
}
