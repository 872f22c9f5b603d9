// run_lengths(text: N.u8) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(1) run_lengths(
    const unsigned char* __restrict__ text,
    unsigned char* __restrict__ run_1st,
    int* __restrict__ run_2nd,
    const int N
) {
  unsigned char run_from_letter_1st;
  int run_from_letter_2nd;
  run_from_letter_1st = 0;
  run_from_letter_2nd = 0;
  for (int n = 0; n < N; n++) {
    const unsigned char letter = text[n];
    const int next_run_from_letter_2nd = run_from_letter_1st == letter ? add_i32(run_from_letter_2nd, 1) : 1;
    run_from_letter_1st = letter;
    run_from_letter_2nd = next_run_from_letter_2nd;
    run_1st[n] = run_from_letter_1st;
    run_2nd[n] = run_from_letter_2nd;
  }
}

extern "C" __global__ void __launch_bounds__(256) run_lengths_1(
    const int* __restrict__ run_2nd,
    int* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    output[n] = run_2nd[n];
  }
}
