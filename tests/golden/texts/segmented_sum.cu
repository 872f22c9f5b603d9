// segmented_sum(rows: M.N.(bool, f32)) -> M.N.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) segmented_sum(
    const unsigned char* __restrict__ rows_1,
    const float* __restrict__ rows_2,
    bool* __restrict__ stored,
    float* __restrict__ stored_1,
    float* __restrict__ output,
    const int N
) {
  const int i_row = blockIdx.x;
  bool a;
  float a_1;
  a = false;
  a_1 = 0.0f;
  for (int i_b = 0; i_b < N; i_b++) {
    a = a || rows_1[i_row * N + i_b] != 0;
    a_1 = rows_1[i_row * N + i_b] != 0 ? rows_2[i_row * N + i_b] : a_1 + rows_2[i_row * N + i_b];
    if (threadIdx.x < 1) {
      const int once = threadIdx.x;
      stored[i_row * N + i_b] = a;
      stored_1[i_row * N + i_b] = a_1;
    }
  }
  __syncthreads();
  for (int i_x = threadIdx.x; i_x < N; i_x += 256) {
    output[i_row * N + i_x] = stored_1[i_row * N + i_x];
  }
}
