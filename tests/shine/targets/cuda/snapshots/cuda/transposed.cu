// transpose(x: n.m.f32) -> m.n.f32 for all n, m
// for sm_80
extern "C" __global__ void __launch_bounds__(256) transpose(
    const float* __restrict__ x,
    float* __restrict__ output,
    const int n,
    const int m
) {
  __shared__ __align__(16) float t[1056];
  const int by = blockIdx.y;
  const int bx = blockIdx.x;
  #pragma unroll
  for (int y_turn = 0; y_turn < 4; y_turn++) {
    const int y = y_turn * 8 + threadIdx.y;
    const int j = threadIdx.x;
    t[y * 33 + j] = x[(by * 32 + y) * m + bx * 32 + j];
  }
  __syncthreads();
  #pragma unroll
  for (int v_turn = 0; v_turn < 4; v_turn++) {
    const int v = v_turn * 8 + threadIdx.y;
    const int w = threadIdx.x;
    output[(bx * 32 + v) * n + by * 32 + w] = t[w * 33 + v];
  }
  __syncthreads();
}
