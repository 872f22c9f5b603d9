// rotary(angles: N.H.(f32, f32), rows: N.(2 * H).f32) -> N.(2 * H).f32 for all N, H
// for sm_80
extern "C" __global__ void __launch_bounds__(256) rotary(
    const float* __restrict__ angles_1st,
    const float* __restrict__ angles_2nd,
    const float* __restrict__ rows,
    float* __restrict__ output,
    const int N,
    const int H
) {
  for (int n = blockIdx.y * 8 + threadIdx.y; n < N; n += gridDim.y * 8) {
    for (int h = blockIdx.x * 32 + threadIdx.x; h < H; h += gridDim.x * 32) {
      const int at_n_h = n * H + h;
      output[n * 2 * H + h * 2] = angles_1st[at_n_h] * rows[n * 2 * H + h * 2] - angles_2nd[at_n_h] * rows[n * 2 * H + h * 2 + 1];
      output[n * 2 * H + h * 2 + 1] = angles_2nd[at_n_h] * rows[n * 2 * H + h * 2] + angles_1st[at_n_h] * rows[n * 2 * H + h * 2 + 1];
    }
  }
}
