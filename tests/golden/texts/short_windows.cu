// short_windows(xs: N.f32) -> ceil(N, 3).f32 for all N
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) short_windows(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  for (int i_row = blockIdx.x * 256 + threadIdx.x; i_row < (N + 2) / 3; i_row += gridDim.x * 256) {
    float x;
    x = 0.0f;
    for (int i_x = 0; i_x < min_i32(N - i_row * 3, 5); i_x++) {
      x = x + xs[i_row * 3 + i_x];
    }
    output[i_row] = x;
  }
}
