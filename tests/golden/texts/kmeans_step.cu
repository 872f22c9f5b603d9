// kmeans_step(centres: 4.3.f32, points: 16.3.f32) -> 4.3.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) kmeans_step(
    const float* __restrict__ centres,
    const float* __restrict__ points,
    long long* __restrict__ labels
) {
  __shared__ __align__(16) bool b[2];
  __shared__ __align__(16) float b_1[2];
  __shared__ __align__(16) long long b_2[2];
  __shared__ __align__(16) bool b_3[4];
  __shared__ __align__(16) float b_4[4];
  __shared__ __align__(16) long long b_5[4];
  __shared__ __align__(16) bool b_6[8];
  __shared__ __align__(16) float b_7[8];
  __shared__ __align__(16) long long b_8[8];
  __shared__ __align__(16) bool b_9[16];
  __shared__ __align__(16) float b_10[16];
  __shared__ __align__(16) long long b_11[16];
  __shared__ __align__(16) bool b_12[32];
  __shared__ __align__(16) float b_13[32];
  __shared__ __align__(16) long long b_14[32];
  __shared__ __align__(16) bool b_15[64];
  __shared__ __align__(16) float b_16[64];
  __shared__ __align__(16) long long b_17[64];
  __shared__ __align__(16) bool b_18[128];
  __shared__ __align__(16) float b_19[128];
  __shared__ __align__(16) long long b_20[128];
  __shared__ __align__(16) bool b_21[256];
  __shared__ __align__(16) float b_22[256];
  __shared__ __align__(16) long long b_23[256];
  const int i_point = blockIdx.x;
  const int i_part = threadIdx.x;
  bool a;
  float a_1;
  long long a_2;
  a = false;
  a_1 = __int_as_float(0x7f800000);
  a_2 = -1LL;
  const bool b_1_1 = i_part < 4 ? true : false;
  float chosen;
  if (i_part < 4) {
    float acc;
    acc = 0.0f;
    for (int i_x = 0; i_x < 3; i_x++) {
      const float d = points[i_point * 3 + i_x] - centres[i_part * 3 + i_x];
      acc = acc + d * d;
    }
    chosen = acc;
  }
  if (3 < i_part) {
    chosen = __int_as_float(0x7f800000);
  }
  const long long b_2_2 = i_part < 4 ? (long long)i_part : -1LL;
  const bool choice = a;
  const bool choice_1 = chosen < a_1;
  a = choice ? (b_1_1 ? true : a) : b_1_1;
  a_1 = choice ? (b_1_1 ? (choice_1 ? chosen : a_1) : a_1) : chosen;
  a_2 = choice ? (b_1_1 ? (choice_1 ? b_2_2 : a_2) : a_2) : b_2_2;
  b_21[i_part] = a;
  b_22[i_part] = a_1;
  b_23[i_part] = a_2;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_p = threadIdx.x;
    const bool choice_2 = b_21[i_p * 2];
    const bool choice_3 = b_21[i_p * 2 + 1];
    const bool choice_4 = b_22[i_p * 2 + 1] < b_22[i_p * 2];
    b_18[i_p] = choice_2 ? (choice_3 ? true : b_21[i_p * 2]) : b_21[i_p * 2 + 1];
    b_19[i_p] = choice_2 ? (choice_3 ? (choice_4 ? b_22[i_p * 2 + 1] : b_22[i_p * 2]) : b_22[i_p * 2]) : b_22[i_p * 2 + 1];
    b_20[i_p] = choice_2 ? (choice_3 ? (choice_4 ? b_23[i_p * 2 + 1] : b_23[i_p * 2]) : b_23[i_p * 2]) : b_23[i_p * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_1 = threadIdx.x;
    const bool choice_5 = b_18[i_p_1 * 2];
    const bool choice_6 = b_18[i_p_1 * 2 + 1];
    const bool choice_7 = b_19[i_p_1 * 2 + 1] < b_19[i_p_1 * 2];
    b_15[i_p_1] = choice_5 ? (choice_6 ? true : b_18[i_p_1 * 2]) : b_18[i_p_1 * 2 + 1];
    b_16[i_p_1] = choice_5 ? (choice_6 ? (choice_7 ? b_19[i_p_1 * 2 + 1] : b_19[i_p_1 * 2]) : b_19[i_p_1 * 2]) : b_19[i_p_1 * 2 + 1];
    b_17[i_p_1] = choice_5 ? (choice_6 ? (choice_7 ? b_20[i_p_1 * 2 + 1] : b_20[i_p_1 * 2]) : b_20[i_p_1 * 2]) : b_20[i_p_1 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_2 = threadIdx.x;
    const bool choice_8 = b_15[i_p_2 * 2];
    const bool choice_9 = b_15[i_p_2 * 2 + 1];
    const bool choice_10 = b_16[i_p_2 * 2 + 1] < b_16[i_p_2 * 2];
    b_12[i_p_2] = choice_8 ? (choice_9 ? true : b_15[i_p_2 * 2]) : b_15[i_p_2 * 2 + 1];
    b_13[i_p_2] = choice_8 ? (choice_9 ? (choice_10 ? b_16[i_p_2 * 2 + 1] : b_16[i_p_2 * 2]) : b_16[i_p_2 * 2]) : b_16[i_p_2 * 2 + 1];
    b_14[i_p_2] = choice_8 ? (choice_9 ? (choice_10 ? b_17[i_p_2 * 2 + 1] : b_17[i_p_2 * 2]) : b_17[i_p_2 * 2]) : b_17[i_p_2 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_3 = threadIdx.x;
    const bool choice_11 = b_12[i_p_3 * 2];
    const bool choice_12 = b_12[i_p_3 * 2 + 1];
    const bool choice_13 = b_13[i_p_3 * 2 + 1] < b_13[i_p_3 * 2];
    b_9[i_p_3] = choice_11 ? (choice_12 ? true : b_12[i_p_3 * 2]) : b_12[i_p_3 * 2 + 1];
    b_10[i_p_3] = choice_11 ? (choice_12 ? (choice_13 ? b_13[i_p_3 * 2 + 1] : b_13[i_p_3 * 2]) : b_13[i_p_3 * 2]) : b_13[i_p_3 * 2 + 1];
    b_11[i_p_3] = choice_11 ? (choice_12 ? (choice_13 ? b_14[i_p_3 * 2 + 1] : b_14[i_p_3 * 2]) : b_14[i_p_3 * 2]) : b_14[i_p_3 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_4 = threadIdx.x;
    const bool choice_14 = b_9[i_p_4 * 2];
    const bool choice_15 = b_9[i_p_4 * 2 + 1];
    const bool choice_16 = b_10[i_p_4 * 2 + 1] < b_10[i_p_4 * 2];
    b_6[i_p_4] = choice_14 ? (choice_15 ? true : b_9[i_p_4 * 2]) : b_9[i_p_4 * 2 + 1];
    b_7[i_p_4] = choice_14 ? (choice_15 ? (choice_16 ? b_10[i_p_4 * 2 + 1] : b_10[i_p_4 * 2]) : b_10[i_p_4 * 2]) : b_10[i_p_4 * 2 + 1];
    b_8[i_p_4] = choice_14 ? (choice_15 ? (choice_16 ? b_11[i_p_4 * 2 + 1] : b_11[i_p_4 * 2]) : b_11[i_p_4 * 2]) : b_11[i_p_4 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_5 = threadIdx.x;
    const bool choice_17 = b_6[i_p_5 * 2];
    const bool choice_18 = b_6[i_p_5 * 2 + 1];
    const bool choice_19 = b_7[i_p_5 * 2 + 1] < b_7[i_p_5 * 2];
    b_3[i_p_5] = choice_17 ? (choice_18 ? true : b_6[i_p_5 * 2]) : b_6[i_p_5 * 2 + 1];
    b_4[i_p_5] = choice_17 ? (choice_18 ? (choice_19 ? b_7[i_p_5 * 2 + 1] : b_7[i_p_5 * 2]) : b_7[i_p_5 * 2]) : b_7[i_p_5 * 2 + 1];
    b_5[i_p_5] = choice_17 ? (choice_18 ? (choice_19 ? b_8[i_p_5 * 2 + 1] : b_8[i_p_5 * 2]) : b_8[i_p_5 * 2]) : b_8[i_p_5 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_6 = threadIdx.x;
    const bool choice_20 = b_3[i_p_6 * 2];
    const bool choice_21 = b_3[i_p_6 * 2 + 1];
    const bool choice_22 = b_4[i_p_6 * 2 + 1] < b_4[i_p_6 * 2];
    b[i_p_6] = choice_20 ? (choice_21 ? true : b_3[i_p_6 * 2]) : b_3[i_p_6 * 2 + 1];
    b_1[i_p_6] = choice_20 ? (choice_21 ? (choice_22 ? b_4[i_p_6 * 2 + 1] : b_4[i_p_6 * 2]) : b_4[i_p_6 * 2]) : b_4[i_p_6 * 2 + 1];
    b_2[i_p_6] = choice_20 ? (choice_21 ? (choice_22 ? b_5[i_p_6 * 2 + 1] : b_5[i_p_6 * 2]) : b_5[i_p_6 * 2]) : b_5[i_p_6 * 2 + 1];
  }
  bool a_3;
  float a_4;
  long long a_5;
  a_3 = false;
  a_4 = __int_as_float(0x7f800000);
  a_5 = -1LL;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool choice_23 = a_3;
    const bool choice_24 = b[i_b];
    const bool choice_25 = b_1[i_b] < a_4;
    a_3 = choice_23 ? (choice_24 ? true : a_3) : b[i_b];
    a_4 = choice_23 ? (choice_24 ? (choice_25 ? b_1[i_b] : a_4) : a_4) : b_1[i_b];
    a_5 = choice_23 ? (choice_24 ? (choice_25 ? b_2[i_b] : a_5) : a_5) : b_2[i_b];
  }
  const bool choice_26 = a_3;
  const bool choice_27 = a_4 < __int_as_float(0x7f800000);
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    labels[i_point] = choice_26 ? (choice_27 ? a_5 : -1LL) : -1LL;
  }
}

extern "C" __global__ void __launch_bounds__(32) kmeans_step_1(
    const float* __restrict__ centres,
    const float* __restrict__ points,
    const long long* __restrict__ labels,
    float* __restrict__ output
) {
  if (blockIdx.x * 32 + threadIdx.x < 4) {
    const int i_p_7 = blockIdx.x * 32 + threadIdx.x;
    for (int i_p_8 = 0; i_p_8 < 3; i_p_8++) {
      float acc_1;
      acc_1 = 0.0f;
      for (int i_x_1 = 0; i_x_1 < 16; i_x_1++) {
        acc_1 = acc_1 + (labels[i_x_1] == (long long)i_p_7 ? 1.0f : 0.0f);
      }
      const float count = acc_1;
      const int at = (int)(count > 0.0f ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at) {
        float acc_2;
        acc_2 = 0.0f;
        for (int i_x_2 = 0; i_x_2 < 16; i_x_2++) {
          acc_2 = acc_2 + (labels[i_x_2] == (long long)i_p_7 ? points[i_x_2 * 3 + i_p_8] : 0.0f);
        }
        chosen_1 = acc_2 / count;
      }
      if (at < 1) {
        chosen_1 = centres[i_p_7 * 3 + i_p_8];
      }
      output[i_p_7 * 3 + i_p_8] = chosen_1;
    }
  }
}
