// cosine_similarity(as: M.D.f32, bs: N.D.f32) -> M.N.f32 for all M, D, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) cosine_similarity(
    const float* __restrict__ as,
    const float* __restrict__ bs,
    float* __restrict__ output,
    const int M,
    const int D,
    const int N
) {
  for (int m = blockIdx.y * 8 + threadIdx.y; m < M; m += gridDim.y * 8) {
    for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
      float acc;
      acc = 0.0f;
      for (int d = 0; d < D; d++) {
        acc = acc + as[m * D + d] * bs[n * D + d];
      }
      float acc_1;
      acc_1 = 0.0f;
      for (int d = 0; d < D; d++) {
        acc_1 = acc_1 + as[m * D + d] * as[m * D + d];
      }
      float acc_2;
      acc_2 = 0.0f;
      for (int d = 0; d < D; d++) {
        acc_2 = acc_2 + bs[n * D + d] * bs[n * D + d];
      }
      output[m * N + n] = acc / (sqrtf(acc_1) * sqrtf(acc_2));
    }
  }
}
