// max_pool(channels: C.(2 * M).(2 * N).f32) -> C.M.N.f32 for all C, M, N
// for sm_80

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(256) max_pool(
    const float* __restrict__ channels,
    float* __restrict__ output,
    const int C,
    const int M,
    const int N
) {
  for (int c = blockIdx.z * 2 + threadIdx.z; c < C; c += gridDim.z * 2) {
    for (int m = blockIdx.y * 4 + threadIdx.y; m < M; m += gridDim.y * 4) {
      for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
        float maximum;
        maximum = -__int_as_float(0x7f800000);
        for (int i = 0; i < 4; i++) {
          maximum = max_f32(maximum, channels[(c * 4 * M + m * 4 + i / 2 * 2) * N + n * 2 + i % 2]);
        }
        output[(c * M + m) * N + n] = maximum;
      }
    }
  }
}
