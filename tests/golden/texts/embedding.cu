// embedding(words: N.idx[V], table: V.D.f32, places: N.D.f32) -> N.D.f32 for all N, V, D
// for sm_80
extern "C" __global__ void __launch_bounds__(256) embedding(
    const long long* __restrict__ words,
    const float* __restrict__ table,
    const float* __restrict__ places,
    float* __restrict__ output,
    const int N,
    const int D
) {
  for (int i_p = blockIdx.y * 8 + threadIdx.y; i_p < N; i_p += gridDim.y * 8) {
    const int at = (int)words[i_p];
    for (int i_p_1 = blockIdx.x * 32 + threadIdx.x; i_p_1 < D; i_p_1 += gridDim.x * 32) {
      output[i_p * D + i_p_1] = table[at * D + i_p_1] + places[i_p * D + i_p_1];
    }
  }
}
