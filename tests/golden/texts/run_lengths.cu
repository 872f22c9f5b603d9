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
  for (int n = 0; n < N; n++) {
    const unsigned char letter = text[n];
    const int new_ = run == letter ? add_i32(run_1, 1) : 1;
    run = letter;
    run_1 = new_;
    stored[n] = run;
    stored_1[n] = run_1;
  }
}

extern "C" __global__ void __launch_bounds__(256) run_lengths_1(
    const int* __restrict__ stored_1,
    int* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    output[n] = stored_1[n];
  }
}
