// black_scholes(rate: f32, volatility: f32, options: N.(f32, (f32, f32))) -> N.(f32, f32) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) black_scholes(
    const float* __restrict__ options_1st,
    const float* __restrict__ options_2nd,
    const float* __restrict__ options_3rd,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const float rate,
    const float volatility,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float spread = volatility * sqrtf(options_3rd[n]);
    const float product_from_rate = (rate + 0.5f * volatility * volatility) * options_3rd[n];
    const float d1 = (logf(options_1st[n] / options_2nd[n]) + product_from_rate) / spread;
    const float d2 = d1 - spread;
    const float discounted = options_2nd[n] * expf(-rate * options_3rd[n]);
    const bool d1_is_positive = d1 > 0.0f;
    float chosen_from_options_1st;
    if (d1_is_positive) {
      const float k = 1.0f / (1.0f + 0.2316419f * d1);
      const float product_from_d1 = 0.3989423f * expf(-0.5f * d1 * d1);
      const float sum_from_d1 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_d1);
      chosen_from_options_1st = 1.0f - product_from_d1 * k * sum_from_k;
    } else {
      const float minus_d1 = -d1;
      const float k = 1.0f / (1.0f + 0.2316419f * minus_d1);
      const float product_from_minus_d1 = 0.3989423f * expf(-0.5f * minus_d1 * minus_d1);
      const float sum_from_minus_d1 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_d1);
      chosen_from_options_1st = product_from_minus_d1 * k * sum_from_k;
    }
    const bool d2_is_positive = d2 > 0.0f;
    float chosen;
    if (d2_is_positive) {
      const float k = 1.0f / (1.0f + 0.2316419f * d2);
      const float product_from_d2 = 0.3989423f * expf(-0.5f * d2 * d2);
      const float sum_from_d2 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_d2);
      chosen = 1.0f - product_from_d2 * k * sum_from_k;
    } else {
      const float minus_d2 = -d2;
      const float k = 1.0f / (1.0f + 0.2316419f * minus_d2);
      const float product_from_minus_d2 = 0.3989423f * expf(-0.5f * minus_d2 * minus_d2);
      const float sum_from_minus_d2 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_d2);
      chosen = product_from_minus_d2 * k * sum_from_k;
    }
    const float minus_d2 = -d2;
    const bool minus_d2_is_positive = minus_d2 > 0.0f;
    float chosen_from_k_d2;
    if (minus_d2_is_positive) {
      const float k = 1.0f / (1.0f + 0.2316419f * minus_d2);
      const float product_from_minus_d2 = 0.3989423f * expf(-0.5f * minus_d2 * minus_d2);
      const float sum_from_minus_d2 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_d2);
      chosen_from_k_d2 = 1.0f - product_from_minus_d2 * k * sum_from_k;
    } else {
      const float minus_minus_d2 = -minus_d2;
      const float k = 1.0f / (1.0f + 0.2316419f * minus_minus_d2);
      const float product_from_minus_minus_d2 = 0.3989423f * expf(-0.5f * minus_minus_d2 * minus_minus_d2);
      const float sum_from_minus_minus_d2 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_minus_d2);
      chosen_from_k_d2 = product_from_minus_minus_d2 * k * sum_from_k;
    }
    const float minus_d1 = -d1;
    const bool minus_d1_is_positive = minus_d1 > 0.0f;
    float chosen_from_k_d1;
    if (minus_d1_is_positive) {
      const float k = 1.0f / (1.0f + 0.2316419f * minus_d1);
      const float product_from_minus_d1 = 0.3989423f * expf(-0.5f * minus_d1 * minus_d1);
      const float sum_from_minus_d1 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_d1);
      chosen_from_k_d1 = 1.0f - product_from_minus_d1 * k * sum_from_k;
    } else {
      const float minus_minus_d1 = -minus_d1;
      const float k = 1.0f / (1.0f + 0.2316419f * minus_minus_d1);
      const float product_from_minus_minus_d1 = 0.3989423f * expf(-0.5f * minus_minus_d1 * minus_minus_d1);
      const float sum_from_minus_minus_d1 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
      const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_minus_d1);
      chosen_from_k_d1 = product_from_minus_minus_d1 * k * sum_from_k;
    }
    output_1st[n] = options_1st[n] * chosen_from_options_1st - discounted * chosen;
    output_2nd[n] = discounted * chosen_from_k_d2 - options_1st[n] * chosen_from_k_d1;
  }
}
