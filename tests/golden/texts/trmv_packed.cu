// trmv_packed(a: ((N^2 + N) /^ 2).f32, x: N.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) trmv_packed(
    const float* __restrict__ a,
    const float* __restrict__ x,
    float* __restrict__ output,
    const int N
) {
  for (int i_row = blockIdx.x * 256 + threadIdx.x; i_row < N; i_row += gridDim.x * 256) {
    float acc;
    acc = 0.0f;
    for (int i_x = 0; i_x < i_row + 1; i_x++) {
      acc = acc + a[(i_row * i_row + i_row) / 2 + i_x] * x[i_x];
    }
    output[i_row] = acc;
  }
}
