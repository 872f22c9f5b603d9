// haar(xs: (2 * N).f32) -> (2 * N).f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) haar(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  for (int i_p = blockIdx.x * 256 + threadIdx.x; i_p < N; i_p += gridDim.x * 256) {
    output[i_p] = 0.5f * (xs[i_p * 2] + xs[i_p * 2 + 1]);
  }
}

extern "C" __global__ void __launch_bounds__(256) haar_1(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  for (int i_p_1 = blockIdx.x * 256 + threadIdx.x; i_p_1 < N; i_p_1 += gridDim.x * 256) {
    output[i_p_1 + N] = 0.5f * (xs[i_p_1 * 2] - xs[i_p_1 * 2 + 1]);
  }
}
