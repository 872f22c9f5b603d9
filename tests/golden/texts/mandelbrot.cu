// mandelbrot(points: N.(f32, f32)) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) mandelbrot(
    const float* __restrict__ points_1,
    const float* __restrict__ points_2,
    int* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    float state;
    float state_1;
    int state_2;
    state = 0.0f;
    state_1 = 0.0f;
    state_2 = 0;
    for (int i_i = 0; i_i < 30; i_i++) {
      const bool choice = state * state + state_1 * state_1 > 4.0f;
      const float new_ = choice ? state : state * state - state_1 * state_1 + points_1[n];
      const float new__1 = choice ? state_1 : 2.0f * state * state_1 + points_2[n];
      const int new__2 = choice ? state_2 : add_i32(state_2, 1);
      state = new_;
      state_1 = new__1;
      state_2 = new__2;
    }
    output[n] = state_2;
  }
}
