// median(xs: N.f32) -> N.f32 for all N where ceil(N, 512) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ float min_f32(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(128) median(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  __shared__ __align__(16) float xs_tile[514];
  const int n_block = blockIdx.x;
  for (int n_strip = 0; n_strip < 5; n_strip++) {
    const int n_thread = threadIdx.x;
    if (n_thread + n_strip * 128 < 514) {
      xs_tile[n_thread + n_strip * 128] = xs[min_i32(N - 1, max_i32(n_block * 512 + n_thread + n_strip * 128, 1) - 1)];
    }
  }
  __syncthreads();
  #pragma unroll
  for (int n_strip = 0; n_strip < 4; n_strip++) {
    const int n_thread = threadIdx.x;
    const int at_n = n_block * 512 + n_thread + n_strip * 128;
    if (at_n < N) {
      const float a = xs_tile[n_thread + n_strip * 128];
      const float right_xs_tile = xs_tile[n_thread + n_strip * 128 + 1];
      output[at_n] = max_f32(min_f32(a, right_xs_tile), min_f32(max_f32(a, right_xs_tile), xs_tile[n_thread + n_strip * 128 + 2]));
    }
  }
}
