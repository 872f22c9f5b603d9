// short_windows(xs: N.f32) -> ceil(N, 3).f32 for all N
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) short_windows(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < (N + 2) / 3; n += gridDim.x * 256) {
    float sum;
    sum = 0.0f;
    for (int n_1 = 0; n_1 < min_i32(N - n * 3, 5); n_1++) {
      sum = sum + xs[n * 3 + n_1];
    }
    output[n] = sum;
  }
}
