// mandelbrot(points: N.(f32, f32)) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) mandelbrot(
    const float* __restrict__ points_1st,
    const float* __restrict__ points_2nd,
    int* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    float state_1st;
    float state_2nd;
    int state_3rd;
    state_1st = 0.0f;
    state_2nd = 0.0f;
    state_3rd = 0;
    for (int i_i = 0; i_i < 30; i_i++) {
      const bool is_greater = state_1st * state_1st + state_2nd * state_2nd > 4.0f;
      const float next_state_2nd = is_greater ? state_2nd : 2.0f * state_1st * state_2nd + points_2nd[n];
      const int next_state_3rd = is_greater ? state_3rd : add_i32(state_3rd, 1);
      state_1st = is_greater ? state_1st : state_1st * state_1st - state_2nd * state_2nd + points_1st[n];
      state_2nd = next_state_2nd;
      state_3rd = next_state_3rd;
    }
    output[n] = state_3rd;
  }
}
