// chosen_degree(coefficients: (k ** k.f32), points: N.f32) -> N.f32 for all N, k
// for sm_80
extern "C" __global__ void __launch_bounds__(256) chosen_degree(
    const float* __restrict__ coefficients,
    const float* __restrict__ points,
    float* __restrict__ output,
    const int N,
    const int k
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float this_points = points[n];
    float sum;
    sum = 0.0f;
    for (int i_k = 0; i_k < k; i_k++) {
      sum = sum * this_points + coefficients[i_k];
    }
    output[n] = sum;
  }
}
