// n_body(bodies: N.(f32, (f32, (f32, f32)))) -> N.(f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) n_body(
    const float* __restrict__ bodies_1,
    const float* __restrict__ bodies_2,
    const float* __restrict__ bodies_3,
    const float* __restrict__ bodies_4,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    float* __restrict__ output_3,
    const int N
) {
  __shared__ __align__(16) bool b[2];
  __shared__ __align__(16) float b_1[2];
  __shared__ __align__(16) float b_2[2];
  __shared__ __align__(16) float b_3[2];
  __shared__ __align__(16) bool b_4[4];
  __shared__ __align__(16) float b_5[4];
  __shared__ __align__(16) float b_6[4];
  __shared__ __align__(16) float b_7[4];
  __shared__ __align__(16) bool b_8[8];
  __shared__ __align__(16) float b_9[8];
  __shared__ __align__(16) float b_10[8];
  __shared__ __align__(16) float b_11[8];
  __shared__ __align__(16) bool b_12[16];
  __shared__ __align__(16) float b_13[16];
  __shared__ __align__(16) float b_14[16];
  __shared__ __align__(16) float b_15[16];
  __shared__ __align__(16) bool b_16[32];
  __shared__ __align__(16) float b_17[32];
  __shared__ __align__(16) float b_18[32];
  __shared__ __align__(16) float b_19[32];
  __shared__ __align__(16) bool b_20[64];
  __shared__ __align__(16) float b_21[64];
  __shared__ __align__(16) float b_22[64];
  __shared__ __align__(16) float b_23[64];
  __shared__ __align__(16) bool b_24[128];
  __shared__ __align__(16) float b_25[128];
  __shared__ __align__(16) float b_26[128];
  __shared__ __align__(16) float b_27[128];
  __shared__ __align__(16) bool b_28[256];
  __shared__ __align__(16) float b_29[256];
  __shared__ __align__(16) float b_30[256];
  __shared__ __align__(16) float b_31[256];
  const int i_body = blockIdx.x;
  const int i_part = threadIdx.x;
  bool a;
  float a_1;
  float a_2;
  float a_3;
  a = false;
  a_1 = 0.0f;
  a_2 = 0.0f;
  a_3 = 0.0f;
  for (int i_b = 0; i_b < N / 256 + 1; i_b++) {
    const bool b_1_1 = i_part * (N / 256) + i_part + i_b < N ? true : false;
    float chosen;
    if (i_part * (N / 256) + i_part + i_b < N) {
      const float dx = bodies_2[i_part * (N / 256) + i_part + i_b] - bodies_2[i_body];
      const float dy = bodies_3[i_part * (N / 256) + i_part + i_b] - bodies_3[i_body];
      const float dz = bodies_4[i_part * (N / 256) + i_part + i_b] - bodies_4[i_body];
      const float x = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1[i_part * (N / 256) + i_part + i_b] / (x * sqrtf(x));
      chosen = strength * dx;
    }
    if (N < i_part * (N / 256) + i_part + i_b + 1) {
      chosen = 0.0f;
    }
    float chosen_1;
    if (i_part * (N / 256) + i_part + i_b < N) {
      const float dx_1 = bodies_2[i_part * (N / 256) + i_part + i_b] - bodies_2[i_body];
      const float dy_1 = bodies_3[i_part * (N / 256) + i_part + i_b] - bodies_3[i_body];
      const float dz_1 = bodies_4[i_part * (N / 256) + i_part + i_b] - bodies_4[i_body];
      const float x_1 = dx_1 * dx_1 + dy_1 * dy_1 + dz_1 * dz_1 + 0.25f;
      const float strength_1 = bodies_1[i_part * (N / 256) + i_part + i_b] / (x_1 * sqrtf(x_1));
      chosen_1 = strength_1 * dy_1;
    }
    if (N < i_part * (N / 256) + i_part + i_b + 1) {
      chosen_1 = 0.0f;
    }
    float chosen_2;
    if (i_part * (N / 256) + i_part + i_b < N) {
      const float dx_2 = bodies_2[i_part * (N / 256) + i_part + i_b] - bodies_2[i_body];
      const float dy_2 = bodies_3[i_part * (N / 256) + i_part + i_b] - bodies_3[i_body];
      const float dz_2 = bodies_4[i_part * (N / 256) + i_part + i_b] - bodies_4[i_body];
      const float x_2 = dx_2 * dx_2 + dy_2 * dy_2 + dz_2 * dz_2 + 0.25f;
      const float strength_2 = bodies_1[i_part * (N / 256) + i_part + i_b] / (x_2 * sqrtf(x_2));
      chosen_2 = strength_2 * dz_2;
    }
    if (N < i_part * (N / 256) + i_part + i_b + 1) {
      chosen_2 = 0.0f;
    }
    const bool choice = a;
    a = choice ? (b_1_1 ? true : a) : b_1_1;
    a_1 = choice ? (b_1_1 ? a_1 + chosen : a_1) : chosen;
    a_2 = choice ? (b_1_1 ? a_2 + chosen_1 : a_2) : chosen_1;
    a_3 = choice ? (b_1_1 ? a_3 + chosen_2 : a_3) : chosen_2;
  }
  b_28[i_part] = a;
  b_29[i_part] = a_1;
  b_30[i_part] = a_2;
  b_31[i_part] = a_3;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_p = threadIdx.x;
    const bool choice_1 = b_28[i_p * 2];
    const bool choice_2 = b_28[i_p * 2 + 1];
    b_24[i_p] = choice_1 ? (choice_2 ? true : b_28[i_p * 2]) : b_28[i_p * 2 + 1];
    b_25[i_p] = choice_1 ? (choice_2 ? b_29[i_p * 2] + b_29[i_p * 2 + 1] : b_29[i_p * 2]) : b_29[i_p * 2 + 1];
    b_26[i_p] = choice_1 ? (choice_2 ? b_30[i_p * 2] + b_30[i_p * 2 + 1] : b_30[i_p * 2]) : b_30[i_p * 2 + 1];
    b_27[i_p] = choice_1 ? (choice_2 ? b_31[i_p * 2] + b_31[i_p * 2 + 1] : b_31[i_p * 2]) : b_31[i_p * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_1 = threadIdx.x;
    const bool choice_3 = b_24[i_p_1 * 2];
    const bool choice_4 = b_24[i_p_1 * 2 + 1];
    b_20[i_p_1] = choice_3 ? (choice_4 ? true : b_24[i_p_1 * 2]) : b_24[i_p_1 * 2 + 1];
    b_21[i_p_1] = choice_3 ? (choice_4 ? b_25[i_p_1 * 2] + b_25[i_p_1 * 2 + 1] : b_25[i_p_1 * 2]) : b_25[i_p_1 * 2 + 1];
    b_22[i_p_1] = choice_3 ? (choice_4 ? b_26[i_p_1 * 2] + b_26[i_p_1 * 2 + 1] : b_26[i_p_1 * 2]) : b_26[i_p_1 * 2 + 1];
    b_23[i_p_1] = choice_3 ? (choice_4 ? b_27[i_p_1 * 2] + b_27[i_p_1 * 2 + 1] : b_27[i_p_1 * 2]) : b_27[i_p_1 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_2 = threadIdx.x;
    const bool choice_5 = b_20[i_p_2 * 2];
    const bool choice_6 = b_20[i_p_2 * 2 + 1];
    b_16[i_p_2] = choice_5 ? (choice_6 ? true : b_20[i_p_2 * 2]) : b_20[i_p_2 * 2 + 1];
    b_17[i_p_2] = choice_5 ? (choice_6 ? b_21[i_p_2 * 2] + b_21[i_p_2 * 2 + 1] : b_21[i_p_2 * 2]) : b_21[i_p_2 * 2 + 1];
    b_18[i_p_2] = choice_5 ? (choice_6 ? b_22[i_p_2 * 2] + b_22[i_p_2 * 2 + 1] : b_22[i_p_2 * 2]) : b_22[i_p_2 * 2 + 1];
    b_19[i_p_2] = choice_5 ? (choice_6 ? b_23[i_p_2 * 2] + b_23[i_p_2 * 2 + 1] : b_23[i_p_2 * 2]) : b_23[i_p_2 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_3 = threadIdx.x;
    const bool choice_7 = b_16[i_p_3 * 2];
    const bool choice_8 = b_16[i_p_3 * 2 + 1];
    b_12[i_p_3] = choice_7 ? (choice_8 ? true : b_16[i_p_3 * 2]) : b_16[i_p_3 * 2 + 1];
    b_13[i_p_3] = choice_7 ? (choice_8 ? b_17[i_p_3 * 2] + b_17[i_p_3 * 2 + 1] : b_17[i_p_3 * 2]) : b_17[i_p_3 * 2 + 1];
    b_14[i_p_3] = choice_7 ? (choice_8 ? b_18[i_p_3 * 2] + b_18[i_p_3 * 2 + 1] : b_18[i_p_3 * 2]) : b_18[i_p_3 * 2 + 1];
    b_15[i_p_3] = choice_7 ? (choice_8 ? b_19[i_p_3 * 2] + b_19[i_p_3 * 2 + 1] : b_19[i_p_3 * 2]) : b_19[i_p_3 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_4 = threadIdx.x;
    const bool choice_9 = b_12[i_p_4 * 2];
    const bool choice_10 = b_12[i_p_4 * 2 + 1];
    b_8[i_p_4] = choice_9 ? (choice_10 ? true : b_12[i_p_4 * 2]) : b_12[i_p_4 * 2 + 1];
    b_9[i_p_4] = choice_9 ? (choice_10 ? b_13[i_p_4 * 2] + b_13[i_p_4 * 2 + 1] : b_13[i_p_4 * 2]) : b_13[i_p_4 * 2 + 1];
    b_10[i_p_4] = choice_9 ? (choice_10 ? b_14[i_p_4 * 2] + b_14[i_p_4 * 2 + 1] : b_14[i_p_4 * 2]) : b_14[i_p_4 * 2 + 1];
    b_11[i_p_4] = choice_9 ? (choice_10 ? b_15[i_p_4 * 2] + b_15[i_p_4 * 2 + 1] : b_15[i_p_4 * 2]) : b_15[i_p_4 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_5 = threadIdx.x;
    const bool choice_11 = b_8[i_p_5 * 2];
    const bool choice_12 = b_8[i_p_5 * 2 + 1];
    b_4[i_p_5] = choice_11 ? (choice_12 ? true : b_8[i_p_5 * 2]) : b_8[i_p_5 * 2 + 1];
    b_5[i_p_5] = choice_11 ? (choice_12 ? b_9[i_p_5 * 2] + b_9[i_p_5 * 2 + 1] : b_9[i_p_5 * 2]) : b_9[i_p_5 * 2 + 1];
    b_6[i_p_5] = choice_11 ? (choice_12 ? b_10[i_p_5 * 2] + b_10[i_p_5 * 2 + 1] : b_10[i_p_5 * 2]) : b_10[i_p_5 * 2 + 1];
    b_7[i_p_5] = choice_11 ? (choice_12 ? b_11[i_p_5 * 2] + b_11[i_p_5 * 2 + 1] : b_11[i_p_5 * 2]) : b_11[i_p_5 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_6 = threadIdx.x;
    const bool choice_13 = b_4[i_p_6 * 2];
    const bool choice_14 = b_4[i_p_6 * 2 + 1];
    b[i_p_6] = choice_13 ? (choice_14 ? true : b_4[i_p_6 * 2]) : b_4[i_p_6 * 2 + 1];
    b_1[i_p_6] = choice_13 ? (choice_14 ? b_5[i_p_6 * 2] + b_5[i_p_6 * 2 + 1] : b_5[i_p_6 * 2]) : b_5[i_p_6 * 2 + 1];
    b_2[i_p_6] = choice_13 ? (choice_14 ? b_6[i_p_6 * 2] + b_6[i_p_6 * 2 + 1] : b_6[i_p_6 * 2]) : b_6[i_p_6 * 2 + 1];
    b_3[i_p_6] = choice_13 ? (choice_14 ? b_7[i_p_6 * 2] + b_7[i_p_6 * 2 + 1] : b_7[i_p_6 * 2]) : b_7[i_p_6 * 2 + 1];
  }
  bool a_4;
  float a_5;
  float a_6;
  float a_7;
  a_4 = false;
  a_5 = 0.0f;
  a_6 = 0.0f;
  a_7 = 0.0f;
  __syncthreads();
  for (int i_b_1 = 0; i_b_1 < 2; i_b_1++) {
    const bool choice_15 = a_4;
    const bool choice_16 = b[i_b_1];
    a_4 = choice_15 ? (choice_16 ? true : a_4) : b[i_b_1];
    a_5 = choice_15 ? (choice_16 ? a_5 + b_1[i_b_1] : a_5) : b_1[i_b_1];
    a_6 = choice_15 ? (choice_16 ? a_6 + b_2[i_b_1] : a_6) : b_2[i_b_1];
    a_7 = choice_15 ? (choice_16 ? a_7 + b_3[i_b_1] : a_7) : b_3[i_b_1];
  }
  const bool choice_17 = a_4;
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    output_1[i_body] = choice_17 ? 0.0f + a_5 : 0.0f;
    output_2[i_body] = choice_17 ? 0.0f + a_6 : 0.0f;
    output_3[i_body] = choice_17 ? 0.0f + a_7 : 0.0f;
  }
}
