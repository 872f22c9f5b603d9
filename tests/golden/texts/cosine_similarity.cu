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
  for (int i_a = blockIdx.y * 8 + threadIdx.y; i_a < M; i_a += gridDim.y * 8) {
    for (int i_b = blockIdx.x * 32 + threadIdx.x; i_b < N; i_b += gridDim.x * 32) {
      float acc;
      acc = 0.0f;
      for (int i_x = 0; i_x < D; i_x++) {
        acc = acc + as[i_a * D + i_x] * bs[i_b * D + i_x];
      }
      float acc_1;
      acc_1 = 0.0f;
      for (int i_x_1 = 0; i_x_1 < D; i_x_1++) {
        acc_1 = acc_1 + as[i_a * D + i_x_1] * as[i_a * D + i_x_1];
      }
      float acc_2;
      acc_2 = 0.0f;
      for (int i_x_2 = 0; i_x_2 < D; i_x_2++) {
        acc_2 = acc_2 + bs[i_b * D + i_x_2] * bs[i_b * D + i_x_2];
      }
      output[i_a * N + i_b] = acc / (sqrtf(acc_1) * sqrtf(acc_2));
    }
  }
}
