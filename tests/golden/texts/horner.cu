// horner(coefficients: K.f32, points: N.f32) -> N.f32 for all K, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) horner(
    const float* __restrict__ coefficients,
    const float* __restrict__ points,
    float* __restrict__ output,
    const int K,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float this_points = points[n];
    float sum;
    sum = 0.0f;
    for (int k = 0; k < K; k++) {
      sum = sum * this_points + coefficients[k];
    }
    output[n] = sum;
  }
}
