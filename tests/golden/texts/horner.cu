// horner(coefficients: K.f32, points: N.f32) -> N.f32 for all K, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) horner(
    const float* __restrict__ coefficients,
    const float* __restrict__ points,
    float* __restrict__ output,
    const int K,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N; i_x += gridDim.x * 256) {
    const float x = points[i_x];
    float sum;
    sum = 0.0f;
    for (int i_c = 0; i_c < K; i_c++) {
      sum = sum * x + coefficients[i_c];
    }
    output[i_x] = sum;
  }
}
