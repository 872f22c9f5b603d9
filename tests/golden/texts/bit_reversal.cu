// bit_reversal(rows: M.8.(f32, f32)) -> M.8.(f32, f32) for all M
// for sm_80
extern "C" __global__ void __launch_bounds__(256) bit_reversal(
    const float* __restrict__ rows_1st,
    const float* __restrict__ rows_2nd,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const int M
) {
  for (int m = blockIdx.x * 256 + threadIdx.x; m < M; m += gridDim.x * 256) {
    for (int column = 0; column < 8; column++) {
      long long chosen;
      if (column < 4) {
        long long chosen_1;
        if (column < 2) {
          const int at = (int)(column < 1 ? (long long)0 : (long long)4);
          chosen_1 = (long long)at;
        } else {
          const int at = (int)(column < 3 ? (long long)2 : (long long)6);
          chosen_1 = (long long)at;
        }
        const int chosen_entry = (int)chosen_1;
        chosen = (long long)chosen_entry;
      } else {
        long long chosen_1;
        if (column < 6) {
          const int at = (int)(column < 5 ? (long long)1 : (long long)5);
          chosen_1 = (long long)at;
        } else {
          const int at = (int)(column < 7 ? (long long)3 : (long long)7);
          chosen_1 = (long long)at;
        }
        const int chosen_entry = (int)chosen_1;
        chosen = (long long)chosen_entry;
      }
      const int chosen_entry = (int)chosen;
      output_1st[m * 8 + column] = rows_1st[m * 8 + chosen_entry];
      output_2nd[m * 8 + column] = rows_2nd[m * 8 + chosen_entry];
    }
  }
}
