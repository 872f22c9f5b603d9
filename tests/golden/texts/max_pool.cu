// max_pool(channels: C.(2 * M).(2 * N).f32) -> C.M.N.f32 for all C, M, N
// for sm_80

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(256) max_pool(
    const float* __restrict__ channels,
    float* __restrict__ output,
    const int C,
    const int M,
    const int N
) {
  for (int i_image = blockIdx.z * 2 + threadIdx.z; i_image < C; i_image += gridDim.z * 2) {
    for (int i_x = blockIdx.y * 4 + threadIdx.y; i_x < M; i_x += gridDim.y * 4) {
      for (int i_block = blockIdx.x * 32 + threadIdx.x; i_block < N; i_block += gridDim.x * 32) {
        float x;
        x = -__int_as_float(0x7f800000);
        for (int i_x_1 = 0; i_x_1 < 4; i_x_1++) {
          x = max_f32(x, channels[(i_image * 4 * M + i_x * 4 + i_x_1 / 2 * 2) * N + i_block * 2 + i_x_1 % 2]);
        }
        output[(i_image * M + i_x) * N + i_block] = x;
      }
    }
  }
}
