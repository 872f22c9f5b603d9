// run_lengths(text: N.u8) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(1) run_lengths(
    const unsigned char* __restrict__ text,
    unsigned char* __restrict__ stored,
    int* __restrict__ stored_1,
    const int N
) {
  unsigned char run;
  int run_1;
  run = 0;
  run_1 = 0;
  for (int i_letter = 0; i_letter < N; i_letter++) {
    const unsigned char letter = text[i_letter];
    const int new_ = run == letter ? add_i32(run_1, 1) : 1;
    run = letter;
    run_1 = new_;
    stored[i_letter] = run;
    stored_1[i_letter] = run_1;
  }
}

extern "C" __global__ void __launch_bounds__(256) run_lengths_1(
    const int* __restrict__ stored_1,
    int* __restrict__ output,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N; i_x += gridDim.x * 256) {
    output[i_x] = stored_1[i_x];
  }
}
