// bit_reversal(rows: M.8.(f32, f32)) -> M.8.(f32, f32) for all M
// for sm_80
extern "C" __global__ void __launch_bounds__(256) bit_reversal(
    const float* __restrict__ rows_1,
    const float* __restrict__ rows_2,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const int M
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < M; i_x += gridDim.x * 256) {
    for (int i_x_1 = 0; i_x_1 < 8; i_x_1++) {
      long long chosen_2;
      if (i_x_1 < 4) {
        long long chosen;
        if (i_x_1 < 2) {
          const int at = (int)(i_x_1 < 1 ? (long long)0 : (long long)4);
          chosen = (long long)at;
        }
        if (1 < i_x_1) {
          const int at_1 = (int)(i_x_1 < 3 ? (long long)2 : (long long)6);
          chosen = (long long)at_1;
        }
        const int at_2 = (int)chosen;
        chosen_2 = (long long)at_2;
      }
      if (3 < i_x_1) {
        long long chosen_1;
        if (i_x_1 < 6) {
          const int at_3 = (int)(i_x_1 < 5 ? (long long)1 : (long long)5);
          chosen_1 = (long long)at_3;
        }
        if (5 < i_x_1) {
          const int at_4 = (int)(i_x_1 < 7 ? (long long)3 : (long long)7);
          chosen_1 = (long long)at_4;
        }
        const int at_5 = (int)chosen_1;
        chosen_2 = (long long)at_5;
      }
      const int at_6 = (int)chosen_2;
      output_1[i_x * 8 + i_x_1] = rows_1[i_x * 8 + at_6];
      output_2[i_x * 8 + i_x_1] = rows_2[i_x * 8 + at_6];
    }
  }
}
