// Turn runs of 64 numbers around, with zeros for those from n on; the next run is copied while one is read.
#include <cuda_pipeline.h>

extern "C" __global__ void turned(const float* x, float* y, int n, int runs) {
  __shared__ __align__(16) float tile[2][64];
  const int first = threadIdx.x * 4, most = runs * 64;
  for (int run = 0; run <= runs; run++) {
    const int at = run * 64 + first, missing = at + 4 <= n ? 0 : at < n ? at + 4 - n : 4;
    if (at < most) __pipeline_memcpy_async(&tile[run % 2][first], missing < 4 ? x + at : x, 16, 4 * missing);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = threadIdx.x; run && i < 64; i += blockDim.x) y[(run - 1) * 64 + i] = tile[(run - 1) % 2][63 - i];
    __syncthreads();
  }
}
