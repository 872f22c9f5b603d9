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
      float acc_from_as_bs;
      acc_from_as_bs = 0.0f;
      for (int d = 0; d < D; d++) {
        acc_from_as_bs = acc_from_as_bs + as[m * D + d] * bs[n * D + d];
      }
      float acc_from_as;
      acc_from_as = 0.0f;
      for (int d = 0; d < D; d++) {
        acc_from_as = acc_from_as + as[m * D + d] * as[m * D + d];
      }
      float acc_from_bs;
      acc_from_bs = 0.0f;
      for (int d = 0; d < D; d++) {
        acc_from_bs = acc_from_bs + bs[n * D + d] * bs[n * D + d];
      }
      output[m * N + n] = acc_from_as_bs / (sqrtf(acc_from_as) * sqrtf(acc_from_bs));
    }
  }
}
