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
  for (int n = blockIdx.y * 8 + threadIdx.y; n < N; n += gridDim.y * 8) {
    const int words_entry = (int)words[n];
    for (int d = blockIdx.x * 32 + threadIdx.x; d < D; d += gridDim.x * 32) {
      output[n * D + d] = table[words_entry * D + d] + places[n * D + d];
    }
  }
}
