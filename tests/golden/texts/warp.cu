// warp(image: H.W.f32, places: M.N.(f32, f32)) -> M.N.f32 for all H, W, M, N
// for sm_80

__device__ __forceinline__ long long i64_of_f32(float a) { return !(a >= 1.0f || a <= -1.0f) ? 0 : a <= -9.223372036854776e+18f ? (-9223372036854775807LL - 1) : a >= 9.223372036854776e+18f ? 9223372036854775807LL : (long long)a; }

__device__ __forceinline__ void report_index(long long* failure, int site, long long i, long long n) {
  // the first that failed, for the host
  if (atomicCAS((unsigned long long*)failure, 0ull, (unsigned long long)site) != 0) return;
  failure[1] = i;
  failure[2] = n;
}

__device__ __forceinline__ long long toIndex_i64(long long i, long long n, long long* failure, int site) {
  if (n > 0) return i < 0 ? 0 : i < n ? i : n - 1;
  report_index(failure, site, i, n);
  return 0;
}

extern "C" __global__ void __launch_bounds__(256) warp(
    const float* __restrict__ image,
    const float* __restrict__ places_1st,
    const float* __restrict__ places_2nd,
    float* __restrict__ output,
    long long* __restrict__ failure,
    const int H,
    const int W,
    const int M,
    const int N
) {
  for (int m = blockIdx.y * 8 + threadIdx.y; m < M; m += gridDim.y * 8) {
    for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
      const int at_m_n = m * N + n;
      const float p = floorf(places_1st[at_m_n]);
      const float p_1 = floorf(places_2nd[at_m_n]);
      const int at = (int)toIndex_i64(i64_of_f32(p_1), (long long)W, failure, 1);
      const int at_1 = (int)toIndex_i64(i64_of_f32(p), (long long)H, failure, 2);
      const float a = 0 < W ? (0 < H ? image[at_1 * W + at] : 0.0f) : 0.0f;
      const int at_2 = (int)toIndex_i64(i64_of_f32(p_1 + 1.0f), (long long)W, failure, 3);
      const float product = (places_2nd[at_m_n] - p_1) * ((0 < W ? (0 < H ? image[at_1 * W + at_2] : 0.0f) : 0.0f) - a);
      const float above = a + product;
      const int at_3 = (int)toIndex_i64(i64_of_f32(p + 1.0f), (long long)H, failure, 4);
      const float a_1 = 0 < W ? (0 < H ? image[at_3 * W + at] : 0.0f) : 0.0f;
      const float product_1 = (places_2nd[at_m_n] - p_1) * ((0 < W ? (0 < H ? image[at_3 * W + at_2] : 0.0f) : 0.0f) - a_1);
      output[at_m_n] = above + (places_1st[at_m_n] - p) * (a_1 + product_1 - above);
    }
  }
}
