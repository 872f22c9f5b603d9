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
      const float k_2 = 1.0f / (1.0f + 0.2316419f * x_1);
      const float x_10 = 0.3989423f * expf(-0.5f * x_1 * x_1);
      const float x_11 = 1.7814779f + k_2 * (-1.8212559f + k_2 * 1.3302745f);
      const float x_12 = 0.31938154f + k_2 * (-0.35656378f + k_2 * x_11);
      chosen = 1.0f - x_10 * k_2 * x_12;
    }
    if (at < 1) {
      const float x_13 = -x_1;
      const float k_3 = 1.0f / (1.0f + 0.2316419f * x_13);
      const float x_14 = 0.3989423f * expf(-0.5f * x_13 * x_13);
      const float x_15 = 1.7814779f + k_3 * (-1.8212559f + k_3 * 1.3302745f);
      const float x_16 = 0.31938154f + k_3 * (-0.35656378f + k_3 * x_15);
      chosen = x_14 * k_3 * x_16;
    }
    const int at_1 = (int)(d2 > 0.0f ? (long long)1 : (long long)0);
    float chosen_1;
    if (0 < at_1) {
      const float k_6 = 1.0f / (1.0f + 0.2316419f * d2);
      const float x_24 = 0.3989423f * expf(-0.5f * d2 * d2);
      const float x_25 = 1.7814779f + k_6 * (-1.8212559f + k_6 * 1.3302745f);
      const float x_26 = 0.31938154f + k_6 * (-0.35656378f + k_6 * x_25);
      chosen_1 = 1.0f - x_24 * k_6 * x_26;
    }
    if (at_1 < 1) {
      const float x_27 = -d2;
      const float k_7 = 1.0f / (1.0f + 0.2316419f * x_27);
      const float x_28 = 0.3989423f * expf(-0.5f * x_27 * x_27);
      const float x_29 = 1.7814779f + k_7 * (-1.8212559f + k_7 * 1.3302745f);
      const float x_30 = 0.31938154f + k_7 * (-0.35656378f + k_7 * x_29);
      chosen_1 = x_28 * k_7 * x_30;
    }
    const float x_31 = -d2;
    const int at_2 = (int)(x_31 > 0.0f ? (long long)1 : (long long)0);
    float chosen_2;
    if (0 < at_2) {
      const float k_10 = 1.0f / (1.0f + 0.2316419f * x_31);
      const float x_39 = 0.3989423f * expf(-0.5f * x_31 * x_31);
      const float x_40 = 1.7814779f + k_10 * (-1.8212559f + k_10 * 1.3302745f);
      const float x_41 = 0.31938154f + k_10 * (-0.35656378f + k_10 * x_40);
      chosen_2 = 1.0f - x_39 * k_10 * x_41;
    }
    if (at_2 < 1) {
      const float x_42 = -x_31;
      const float k_11 = 1.0f / (1.0f + 0.2316419f * x_42);
      const float x_43 = 0.3989423f * expf(-0.5f * x_42 * x_42);
      const float x_44 = 1.7814779f + k_11 * (-1.8212559f + k_11 * 1.3302745f);
      const float x_45 = 0.31938154f + k_11 * (-0.35656378f + k_11 * x_44);
      chosen_2 = x_43 * k_11 * x_45;
    }
    const float x_46 = -x_1;
    const int at_3 = (int)(x_46 > 0.0f ? (long long)1 : (long long)0);
    float chosen_3;
    if (0 < at_3) {
      const float k_14 = 1.0f / (1.0f + 0.2316419f * x_46);
      const float x_54 = 0.3989423f * expf(-0.5f * x_46 * x_46);
      const float x_55 = 1.7814779f + k_14 * (-1.8212559f + k_14 * 1.3302745f);
      const float x_56 = 0.31938154f + k_14 * (-0.35656378f + k_14 * x_55);
      chosen_3 = 1.0f - x_54 * k_14 * x_56;
    }
    if (at_3 < 1) {
      const float x_57 = -x_46;
      const float k_15 = 1.0f / (1.0f + 0.2316419f * x_57);
      const float x_58 = 0.3989423f * expf(-0.5f * x_57 * x_57);
      const float x_59 = 1.7814779f + k_15 * (-1.8212559f + k_15 * 1.3302745f);
      const float x_60 = 0.31938154f + k_15 * (-0.35656378f + k_15 * x_59);
      chosen_3 = x_58 * k_15 * x_60;
    }
    output_1[i_option] = options_1[i_option] * chosen - x_2 * chosen_1;
    output_2[i_option] = x_2 * chosen_2 - options_1[i_option] * chosen_3;
  }
}
