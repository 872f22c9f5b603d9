// rotary(angles: N.H.(f32, f32), rows: N.(2 * H).f32) -> N.(2 * H).f32 for all N, H
// for sm_80
extern "C" __global__ void __launch_bounds__(256) rotary(
    const float* __restrict__ angles_1,
    const float* __restrict__ angles_2,
    const float* __restrict__ rows,
    float* __restrict__ output,
    const int N,
    const int H
) {
  for (int i_p = blockIdx.y * 8 + threadIdx.y; i_p < N; i_p += gridDim.y * 8) {
    for (int i_p_1 = blockIdx.x * 32 + threadIdx.x; i_p_1 < H; i_p_1 += gridDim.x * 32) {
      output[i_p * 2 * H + i_p_1 * 2] = angles_1[i_p * H + i_p_1] * rows[i_p * 2 * H + i_p_1 * 2] - angles_2[i_p * H + i_p_1] * rows[i_p * 2 * H + i_p_1 * 2 + 1];
      output[i_p * 2 * H + i_p_1 * 2 + 1] = angles_2[i_p * H + i_p_1] * rows[i_p * 2 * H + i_p_1 * 2] + angles_1[i_p * H + i_p_1] * rows[i_p * 2 * H + i_p_1 * 2 + 1];
    }
  }
}
