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
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float spread = volatility * sqrtf(options_3[n]);
    const float x = (rate + 0.5f * volatility * volatility) * options_3[n];
    const float x_1 = (logf(options_1[n] / options_2[n]) + x) / spread;
    const float d2 = x_1 - spread;
    const float x_2 = options_2[n] * expf(-rate * options_3[n]);
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
      const float x_3 = -x_1;
      const float k = 1.0f / (1.0f + 0.2316419f * x_3);
      const float x_4 = 0.3989423f * expf(-0.5f * x_3 * x_3);
      const float x_5 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float x_6 = 0.31938154f + k * (-0.35656378f + k * x_5);
      chosen = x_4 * k * x_6;
    }
    const int at_1 = (int)(d2 > 0.0f ? (long long)1 : (long long)0);
    float chosen_1;
    if (0 < at_1) {
      const float k = 1.0f / (1.0f + 0.2316419f * d2);
      const float x_3 = 0.3989423f * expf(-0.5f * d2 * d2);
      const float x_4 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float x_5 = 0.31938154f + k * (-0.35656378f + k * x_4);
      chosen_1 = 1.0f - x_3 * k * x_5;
    }
    if (at_1 < 1) {
      const float x_3 = -d2;
      const float k = 1.0f / (1.0f + 0.2316419f * x_3);
      const float x_4 = 0.3989423f * expf(-0.5f * x_3 * x_3);
      const float x_5 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float x_6 = 0.31938154f + k * (-0.35656378f + k * x_5);
      chosen_1 = x_4 * k * x_6;
    }
    const float x_3 = -d2;
    const int at_2 = (int)(x_3 > 0.0f ? (long long)1 : (long long)0);
    float chosen_2;
    if (0 < at_2) {
      const float k = 1.0f / (1.0f + 0.2316419f * x_3);
      const float x_4 = 0.3989423f * expf(-0.5f * x_3 * x_3);
      const float x_5 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float x_6 = 0.31938154f + k * (-0.35656378f + k * x_5);
      chosen_2 = 1.0f - x_4 * k * x_6;
    }
    if (at_2 < 1) {
      const float x_4 = -x_3;
      const float k = 1.0f / (1.0f + 0.2316419f * x_4);
      const float x_5 = 0.3989423f * expf(-0.5f * x_4 * x_4);
      const float x_6 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float x_7 = 0.31938154f + k * (-0.35656378f + k * x_6);
      chosen_2 = x_5 * k * x_7;
    }
    const float x_4 = -x_1;
    const int at_3 = (int)(x_4 > 0.0f ? (long long)1 : (long long)0);
    float chosen_3;
    if (0 < at_3) {
      const float k = 1.0f / (1.0f + 0.2316419f * x_4);
      const float x_5 = 0.3989423f * expf(-0.5f * x_4 * x_4);
      const float x_6 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float x_7 = 0.31938154f + k * (-0.35656378f + k * x_6);
      chosen_3 = 1.0f - x_5 * k * x_7;
    }
    if (at_3 < 1) {
      const float x_5 = -x_4;
      const float k = 1.0f / (1.0f + 0.2316419f * x_5);
      const float x_6 = 0.3989423f * expf(-0.5f * x_5 * x_5);
      const float x_7 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float x_8 = 0.31938154f + k * (-0.35656378f + k * x_7);
      chosen_3 = x_6 * k * x_8;
    }
    output_1[n] = options_1[n] * chosen - x_2 * chosen_1;
    output_2[n] = x_2 * chosen_2 - options_1[n] * chosen_3;
  }
}
