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
  const int points_row_block = blockIdx.x;
  const int centres_row_thread = threadIdx.x;
  bool a;
  float a_1;
  long long a_2;
  a = false;
  a_1 = __int_as_float(0x7f800000);
  a_2 = -1LL;
  const bool b_24 = centres_row_thread < 4 ? true : false;
  float chosen;
  if (centres_row_thread < 4) {
    float acc;
    acc = 0.0f;
    for (int centres_column = 0; centres_column < 3; centres_column++) {
      const float d = points[points_row_block * 3 + centres_column] - centres[centres_row_thread * 3 + centres_column];
      acc = acc + d * d;
    }
    chosen = acc;
  }
  if (3 < centres_row_thread) {
    chosen = __int_as_float(0x7f800000);
  }
  const long long b_25 = centres_row_thread < 4 ? (long long)centres_row_thread : -1LL;
  const bool choice = a;
  const bool choice_1 = chosen < a_1;
  a = choice ? (b_24 ? true : a) : b_24;
  a_1 = choice ? (b_24 ? (choice_1 ? chosen : a_1) : a_1) : chosen;
  a_2 = choice ? (b_24 ? (choice_1 ? b_25 : a_2) : a_2) : b_25;
  b_21[centres_row_thread] = a;
  b_22[centres_row_thread] = a_1;
  b_23[centres_row_thread] = a_2;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i = threadIdx.x;
    const bool choice_2 = b_21[i * 2];
    const bool choice_3 = b_21[i * 2 + 1];
    const bool choice_4 = b_22[i * 2 + 1] < b_22[i * 2];
    b_18[i] = choice_2 ? (choice_3 ? true : b_21[i * 2]) : b_21[i * 2 + 1];
    b_19[i] = choice_2 ? (choice_3 ? (choice_4 ? b_22[i * 2 + 1] : b_22[i * 2]) : b_22[i * 2]) : b_22[i * 2 + 1];
    b_20[i] = choice_2 ? (choice_3 ? (choice_4 ? b_23[i * 2 + 1] : b_23[i * 2]) : b_23[i * 2]) : b_23[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i = threadIdx.x;
    const bool choice_2 = b_18[i * 2];
    const bool choice_3 = b_18[i * 2 + 1];
    const bool choice_4 = b_19[i * 2 + 1] < b_19[i * 2];
    b_15[i] = choice_2 ? (choice_3 ? true : b_18[i * 2]) : b_18[i * 2 + 1];
    b_16[i] = choice_2 ? (choice_3 ? (choice_4 ? b_19[i * 2 + 1] : b_19[i * 2]) : b_19[i * 2]) : b_19[i * 2 + 1];
    b_17[i] = choice_2 ? (choice_3 ? (choice_4 ? b_20[i * 2 + 1] : b_20[i * 2]) : b_20[i * 2]) : b_20[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i = threadIdx.x;
    const bool choice_2 = b_15[i * 2];
    const bool choice_3 = b_15[i * 2 + 1];
    const bool choice_4 = b_16[i * 2 + 1] < b_16[i * 2];
    b_12[i] = choice_2 ? (choice_3 ? true : b_15[i * 2]) : b_15[i * 2 + 1];
    b_13[i] = choice_2 ? (choice_3 ? (choice_4 ? b_16[i * 2 + 1] : b_16[i * 2]) : b_16[i * 2]) : b_16[i * 2 + 1];
    b_14[i] = choice_2 ? (choice_3 ? (choice_4 ? b_17[i * 2 + 1] : b_17[i * 2]) : b_17[i * 2]) : b_17[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i = threadIdx.x;
    const bool choice_2 = b_12[i * 2];
    const bool choice_3 = b_12[i * 2 + 1];
    const bool choice_4 = b_13[i * 2 + 1] < b_13[i * 2];
    b_9[i] = choice_2 ? (choice_3 ? true : b_12[i * 2]) : b_12[i * 2 + 1];
    b_10[i] = choice_2 ? (choice_3 ? (choice_4 ? b_13[i * 2 + 1] : b_13[i * 2]) : b_13[i * 2]) : b_13[i * 2 + 1];
    b_11[i] = choice_2 ? (choice_3 ? (choice_4 ? b_14[i * 2 + 1] : b_14[i * 2]) : b_14[i * 2]) : b_14[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i = threadIdx.x;
    const bool choice_2 = b_9[i * 2];
    const bool choice_3 = b_9[i * 2 + 1];
    const bool choice_4 = b_10[i * 2 + 1] < b_10[i * 2];
    b_6[i] = choice_2 ? (choice_3 ? true : b_9[i * 2]) : b_9[i * 2 + 1];
    b_7[i] = choice_2 ? (choice_3 ? (choice_4 ? b_10[i * 2 + 1] : b_10[i * 2]) : b_10[i * 2]) : b_10[i * 2 + 1];
    b_8[i] = choice_2 ? (choice_3 ? (choice_4 ? b_11[i * 2 + 1] : b_11[i * 2]) : b_11[i * 2]) : b_11[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i = threadIdx.x;
    const bool choice_2 = b_6[i * 2];
    const bool choice_3 = b_6[i * 2 + 1];
    const bool choice_4 = b_7[i * 2 + 1] < b_7[i * 2];
    b_3[i] = choice_2 ? (choice_3 ? true : b_6[i * 2]) : b_6[i * 2 + 1];
    b_4[i] = choice_2 ? (choice_3 ? (choice_4 ? b_7[i * 2 + 1] : b_7[i * 2]) : b_7[i * 2]) : b_7[i * 2 + 1];
    b_5[i] = choice_2 ? (choice_3 ? (choice_4 ? b_8[i * 2 + 1] : b_8[i * 2]) : b_8[i * 2]) : b_8[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i = threadIdx.x;
    const bool choice_2 = b_3[i * 2];
    const bool choice_3 = b_3[i * 2 + 1];
    const bool choice_4 = b_4[i * 2 + 1] < b_4[i * 2];
    b[i] = choice_2 ? (choice_3 ? true : b_3[i * 2]) : b_3[i * 2 + 1];
    b_1[i] = choice_2 ? (choice_3 ? (choice_4 ? b_4[i * 2 + 1] : b_4[i * 2]) : b_4[i * 2]) : b_4[i * 2 + 1];
    b_2[i] = choice_2 ? (choice_3 ? (choice_4 ? b_5[i * 2 + 1] : b_5[i * 2]) : b_5[i * 2]) : b_5[i * 2 + 1];
  }
  bool a_3;
  float a_4;
  long long a_5;
  a_3 = false;
  a_4 = __int_as_float(0x7f800000);
  a_5 = -1LL;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool choice_2 = a_3;
    const bool choice_3 = b[i_b];
    const bool choice_4 = b_1[i_b] < a_4;
    a_3 = choice_2 ? (choice_3 ? true : a_3) : b[i_b];
    a_4 = choice_2 ? (choice_3 ? (choice_4 ? b_1[i_b] : a_4) : a_4) : b_1[i_b];
    a_5 = choice_2 ? (choice_3 ? (choice_4 ? b_2[i_b] : a_5) : a_5) : b_2[i_b];
  }
  const bool choice_2 = a_3;
  const bool choice_3 = a_4 < __int_as_float(0x7f800000);
  if (threadIdx.x < 1) {
    labels[points_row_block] = choice_2 ? (choice_3 ? a_5 : -1LL) : -1LL;
  }
}

extern "C" __global__ void __launch_bounds__(32) kmeans_step_1(
    const float* __restrict__ centres,
    const float* __restrict__ points,
    const long long* __restrict__ labels,
    float* __restrict__ output
) {
  if (blockIdx.x * 32 + threadIdx.x < 4) {
    const int row = blockIdx.x * 32 + threadIdx.x;
    for (int column = 0; column < 3; column++) {
      float acc;
      acc = 0.0f;
      for (int points_row = 0; points_row < 16; points_row++) {
        acc = acc + (labels[points_row] == (long long)row ? 1.0f : 0.0f);
      }
      const float count = acc;
      const int at = (int)(count > 0.0f ? (long long)1 : (long long)0);
      float chosen;
      if (0 < at) {
        float acc_1;
        acc_1 = 0.0f;
        for (int points_row = 0; points_row < 16; points_row++) {
          acc_1 = acc_1 + (labels[points_row] == (long long)row ? points[points_row * 3 + column] : 0.0f);
        }
        chosen = acc_1 / count;
      }
      if (at < 1) {
        chosen = centres[row * 3 + column];
      }
      output[row * 3 + column] = chosen;
    }
  }
}
