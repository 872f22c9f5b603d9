// black_scholes(rate: f32, volatility: f32, options: N.(f32, (f32, f32))) -> N.(f32, f32) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) black_scholes(
    const float* __restrict__ options_1,
    const float* __restrict__ options_2,
    const float* __restrict__ options_3,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const float rate,
    const float volatility,
    const int N
) {
  const float rate_1 = rate;
  const float volatility_1 = volatility;
  for (int i_option = blockIdx.x * 256 + threadIdx.x; i_option < N; i_option += gridDim.x * 256) {
    const float spread = volatility_1 * sqrtf(options_3[i_option]);
    const float x = (rate_1 + 0.5f * volatility_1 * volatility_1) * options_3[i_option];
    const float x_1 = (logf(options_1[i_option] / options_2[i_option]) + x) / spread;
    const float d2 = x_1 - spread;
    const float x_2 = options_2[i_option] * expf(-rate_1 * options_3[i_option]);
    const int at = (int)(x_1 > 0.0f ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const float k = 1.0f / (1.0f + 0.2316419f * x_1);
      const float x_3 = 0.3989423f * expf(-0.5f * x_1 * x_1);
      const float x_4 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float x_5 = 0.31938154f + k * (-0.35656378f + k * x_4);
      chosen = 1.0f - x_3 * k * x_5;
    }
    if (at < 1) {
      const float x_6 = -x_1;
      const float k_1 = 1.0f / (1.0f + 0.2316419f * x_6);
      const float x_7 = 0.3989423f * expf(-0.5f * x_6 * x_6);
      const float x_8 = 1.7814779f + k_1 * (-1.8212559f + k_1 * 1.3302745f);
      const float x_9 = 0.31938154f + k_1 * (-0.35656378f + k_1 * x_8);
      chosen = x_7 * k_1 * x_9;
    }
    const int at_1 = (int)(d2 > 0.0f ? (long long)1 : (long long)0);
    float chosen_1;
    if (0 < at_1) {
      const float k_2 = 1.0f / (1.0f + 0.2316419f * d2);
      const float x_10 = 0.3989423f * expf(-0.5f * d2 * d2);
      const float x_11 = 1.7814779f + k_2 * (-1.8212559f + k_2 * 1.3302745f);
      const float x_12 = 0.31938154f + k_2 * (-0.35656378f + k_2 * x_11);
      chosen_1 = 1.0f - x_10 * k_2 * x_12;
    }
    if (at_1 < 1) {
      const float x_13 = -d2;
      const float k_3 = 1.0f / (1.0f + 0.2316419f * x_13);
      const float x_14 = 0.3989423f * expf(-0.5f * x_13 * x_13);
      const float x_15 = 1.7814779f + k_3 * (-1.8212559f + k_3 * 1.3302745f);
      const float x_16 = 0.31938154f + k_3 * (-0.35656378f + k_3 * x_15);
      chosen_1 = x_14 * k_3 * x_16;
    }
    const float x_17 = -d2;
    const int at_2 = (int)(x_17 > 0.0f ? (long long)1 : (long long)0);
    float chosen_2;
    if (0 < at_2) {
      const float k_4 = 1.0f / (1.0f + 0.2316419f * x_17);
      const float x_18 = 0.3989423f * expf(-0.5f * x_17 * x_17);
      const float x_19 = 1.7814779f + k_4 * (-1.8212559f + k_4 * 1.3302745f);
      const float x_20 = 0.31938154f + k_4 * (-0.35656378f + k_4 * x_19);
      chosen_2 = 1.0f - x_18 * k_4 * x_20;
    }
    if (at_2 < 1) {
      const float x_21 = -x_17;
      const float k_5 = 1.0f / (1.0f + 0.2316419f * x_21);
      const float x_22 = 0.3989423f * expf(-0.5f * x_21 * x_21);
      const float x_23 = 1.7814779f + k_5 * (-1.8212559f + k_5 * 1.3302745f);
      const float x_24 = 0.31938154f + k_5 * (-0.35656378f + k_5 * x_23);
      chosen_2 = x_22 * k_5 * x_24;
    }
    const float x_25 = -x_1;
    const int at_3 = (int)(x_25 > 0.0f ? (long long)1 : (long long)0);
    float chosen_3;
    if (0 < at_3) {
      const float k_6 = 1.0f / (1.0f + 0.2316419f * x_25);
      const float x_26 = 0.3989423f * expf(-0.5f * x_25 * x_25);
      const float x_27 = 1.7814779f + k_6 * (-1.8212559f + k_6 * 1.3302745f);
      const float x_28 = 0.31938154f + k_6 * (-0.35656378f + k_6 * x_27);
      chosen_3 = 1.0f - x_26 * k_6 * x_28;
    }
    if (at_3 < 1) {
      const float x_29 = -x_25;
      const float k_7 = 1.0f / (1.0f + 0.2316419f * x_29);
      const float x_30 = 0.3989423f * expf(-0.5f * x_29 * x_29);
      const float x_31 = 1.7814779f + k_7 * (-1.8212559f + k_7 * 1.3302745f);
      const float x_32 = 0.31938154f + k_7 * (-0.35656378f + k_7 * x_31);
      chosen_3 = x_30 * k_7 * x_32;
    }
    output_1[i_option] = options_1[i_option] * chosen - x_2 * chosen_1;
    output_2[i_option] = x_2 * chosen_2 - options_1[i_option] * chosen_3;
  }
}
