// haar(xs: (2 * N).f32) -> (2 * N).f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) haar(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    output[n] = 0.5f * (xs[n * 2] + xs[n * 2 + 1]);
  }
}

extern "C" __global__ void __launch_bounds__(256) haar_1(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    output[n + N] = 0.5f * (xs[n * 2] - xs[n * 2 + 1]);
  }
}
