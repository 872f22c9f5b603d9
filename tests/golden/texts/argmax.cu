// argmax(xs: 83.f32) -> (f32, i64)
// for sm_80
extern "C" __global__ void __launch_bounds__(256) argmax(
    const float* __restrict__ xs,
    bool* __restrict__ b_24,
    float* __restrict__ b_25,
    long long* __restrict__ b_26,
    float* __restrict__ output_1,
    long long* __restrict__ output_2
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
  __shared__ __align__(16) bool stored[2];
  __shared__ __align__(16) float stored_1[2];
  __shared__ __align__(16) long long stored_2[2];
  __shared__ __align__(16) bool stored_3[4];
  __shared__ __align__(16) float stored_4[4];
  __shared__ __align__(16) long long stored_5[4];
  __shared__ __align__(16) bool stored_6[8];
  __shared__ __align__(16) float stored_7[8];
  __shared__ __align__(16) long long stored_8[8];
  __shared__ __align__(16) bool stored_9[16];
  __shared__ __align__(16) float stored_10[16];
  __shared__ __align__(16) long long stored_11[16];
  __shared__ __align__(16) bool stored_12[32];
  __shared__ __align__(16) float stored_13[32];
  __shared__ __align__(16) long long stored_14[32];
  __shared__ __align__(16) bool stored_15[64];
  __shared__ __align__(16) float stored_16[64];
  __shared__ __align__(16) long long stored_17[64];
  __shared__ __align__(16) bool stored_18[128];
  __shared__ __align__(16) float stored_19[128];
  __shared__ __align__(16) long long stored_20[128];
  __shared__ __align__(16) bool stored_21[256];
  __shared__ __align__(16) float stored_22[256];
  __shared__ __align__(16) long long stored_23[256];
  const int i_part = threadIdx.x;
  bool a;
  float a_1;
  long long a_2;
  a = false;
  a_1 = -__int_as_float(0x7f800000);
  a_2 = -1LL;
  for (int i_b = 0; i_b < 8; i_b++) {
    const bool b_1_1 = i_part * 8 + i_b < 83 ? true : false;
    const float b_2_1 = i_part * 8 + i_b < 83 ? xs[i_part * 8 + i_b] : -__int_as_float(0x7f800000);
    const long long b_2_2 = i_part * 8 + i_b < 83 ? (long long)(i_part * 8 + i_b) : -1LL;
    const bool choice = a;
    const bool choice_1 = b_2_1 > a_1;
    a = choice ? (b_1_1 ? true : a) : b_1_1;
    a_1 = choice ? (b_1_1 ? (choice_1 ? b_2_1 : a_1) : a_1) : b_2_1;
    a_2 = choice ? (b_1_1 ? (choice_1 ? b_2_2 : a_2) : a_2) : b_2_2;
  }
  stored_21[i_part] = a;
  stored_22[i_part] = a_1;
  stored_23[i_part] = a_2;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_p = threadIdx.x;
    const bool choice_2 = stored_21[i_p * 2];
    const bool choice_3 = stored_21[i_p * 2 + 1];
    const bool choice_4 = stored_22[i_p * 2 + 1] > stored_22[i_p * 2];
    stored_18[i_p] = choice_2 ? (choice_3 ? true : stored_21[i_p * 2]) : stored_21[i_p * 2 + 1];
    stored_19[i_p] = choice_2 ? (choice_3 ? (choice_4 ? stored_22[i_p * 2 + 1] : stored_22[i_p * 2]) : stored_22[i_p * 2]) : stored_22[i_p * 2 + 1];
    stored_20[i_p] = choice_2 ? (choice_3 ? (choice_4 ? stored_23[i_p * 2 + 1] : stored_23[i_p * 2]) : stored_23[i_p * 2]) : stored_23[i_p * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_1 = threadIdx.x;
    const bool choice_5 = stored_18[i_p_1 * 2];
    const bool choice_6 = stored_18[i_p_1 * 2 + 1];
    const bool choice_7 = stored_19[i_p_1 * 2 + 1] > stored_19[i_p_1 * 2];
    stored_15[i_p_1] = choice_5 ? (choice_6 ? true : stored_18[i_p_1 * 2]) : stored_18[i_p_1 * 2 + 1];
    stored_16[i_p_1] = choice_5 ? (choice_6 ? (choice_7 ? stored_19[i_p_1 * 2 + 1] : stored_19[i_p_1 * 2]) : stored_19[i_p_1 * 2]) : stored_19[i_p_1 * 2 + 1];
    stored_17[i_p_1] = choice_5 ? (choice_6 ? (choice_7 ? stored_20[i_p_1 * 2 + 1] : stored_20[i_p_1 * 2]) : stored_20[i_p_1 * 2]) : stored_20[i_p_1 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_2 = threadIdx.x;
    const bool choice_8 = stored_15[i_p_2 * 2];
    const bool choice_9 = stored_15[i_p_2 * 2 + 1];
    const bool choice_10 = stored_16[i_p_2 * 2 + 1] > stored_16[i_p_2 * 2];
    stored_12[i_p_2] = choice_8 ? (choice_9 ? true : stored_15[i_p_2 * 2]) : stored_15[i_p_2 * 2 + 1];
    stored_13[i_p_2] = choice_8 ? (choice_9 ? (choice_10 ? stored_16[i_p_2 * 2 + 1] : stored_16[i_p_2 * 2]) : stored_16[i_p_2 * 2]) : stored_16[i_p_2 * 2 + 1];
    stored_14[i_p_2] = choice_8 ? (choice_9 ? (choice_10 ? stored_17[i_p_2 * 2 + 1] : stored_17[i_p_2 * 2]) : stored_17[i_p_2 * 2]) : stored_17[i_p_2 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_3 = threadIdx.x;
    const bool choice_11 = stored_12[i_p_3 * 2];
    const bool choice_12 = stored_12[i_p_3 * 2 + 1];
    const bool choice_13 = stored_13[i_p_3 * 2 + 1] > stored_13[i_p_3 * 2];
    stored_9[i_p_3] = choice_11 ? (choice_12 ? true : stored_12[i_p_3 * 2]) : stored_12[i_p_3 * 2 + 1];
    stored_10[i_p_3] = choice_11 ? (choice_12 ? (choice_13 ? stored_13[i_p_3 * 2 + 1] : stored_13[i_p_3 * 2]) : stored_13[i_p_3 * 2]) : stored_13[i_p_3 * 2 + 1];
    stored_11[i_p_3] = choice_11 ? (choice_12 ? (choice_13 ? stored_14[i_p_3 * 2 + 1] : stored_14[i_p_3 * 2]) : stored_14[i_p_3 * 2]) : stored_14[i_p_3 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_4 = threadIdx.x;
    const bool choice_14 = stored_9[i_p_4 * 2];
    const bool choice_15 = stored_9[i_p_4 * 2 + 1];
    const bool choice_16 = stored_10[i_p_4 * 2 + 1] > stored_10[i_p_4 * 2];
    stored_6[i_p_4] = choice_14 ? (choice_15 ? true : stored_9[i_p_4 * 2]) : stored_9[i_p_4 * 2 + 1];
    stored_7[i_p_4] = choice_14 ? (choice_15 ? (choice_16 ? stored_10[i_p_4 * 2 + 1] : stored_10[i_p_4 * 2]) : stored_10[i_p_4 * 2]) : stored_10[i_p_4 * 2 + 1];
    stored_8[i_p_4] = choice_14 ? (choice_15 ? (choice_16 ? stored_11[i_p_4 * 2 + 1] : stored_11[i_p_4 * 2]) : stored_11[i_p_4 * 2]) : stored_11[i_p_4 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_5 = threadIdx.x;
    const bool choice_17 = stored_6[i_p_5 * 2];
    const bool choice_18 = stored_6[i_p_5 * 2 + 1];
    const bool choice_19 = stored_7[i_p_5 * 2 + 1] > stored_7[i_p_5 * 2];
    stored_3[i_p_5] = choice_17 ? (choice_18 ? true : stored_6[i_p_5 * 2]) : stored_6[i_p_5 * 2 + 1];
    stored_4[i_p_5] = choice_17 ? (choice_18 ? (choice_19 ? stored_7[i_p_5 * 2 + 1] : stored_7[i_p_5 * 2]) : stored_7[i_p_5 * 2]) : stored_7[i_p_5 * 2 + 1];
    stored_5[i_p_5] = choice_17 ? (choice_18 ? (choice_19 ? stored_8[i_p_5 * 2 + 1] : stored_8[i_p_5 * 2]) : stored_8[i_p_5 * 2]) : stored_8[i_p_5 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_6 = threadIdx.x;
    const bool choice_20 = stored_3[i_p_6 * 2];
    const bool choice_21 = stored_3[i_p_6 * 2 + 1];
    const bool choice_22 = stored_4[i_p_6 * 2 + 1] > stored_4[i_p_6 * 2];
    stored[i_p_6] = choice_20 ? (choice_21 ? true : stored_3[i_p_6 * 2]) : stored_3[i_p_6 * 2 + 1];
    stored_1[i_p_6] = choice_20 ? (choice_21 ? (choice_22 ? stored_4[i_p_6 * 2 + 1] : stored_4[i_p_6 * 2]) : stored_4[i_p_6 * 2]) : stored_4[i_p_6 * 2 + 1];
    stored_2[i_p_6] = choice_20 ? (choice_21 ? (choice_22 ? stored_5[i_p_6 * 2 + 1] : stored_5[i_p_6 * 2]) : stored_5[i_p_6 * 2]) : stored_5[i_p_6 * 2 + 1];
  }
  bool a_3;
  float a_4;
  long long a_5;
  a_3 = false;
  a_4 = -__int_as_float(0x7f800000);
  a_5 = -1LL;
  __syncthreads();
  for (int i_b_1 = 0; i_b_1 < 2; i_b_1++) {
    const bool choice_23 = a_3;
    const bool choice_24 = stored[i_b_1];
    const bool choice_25 = stored_1[i_b_1] > a_4;
    a_3 = choice_23 ? (choice_24 ? true : a_3) : stored[i_b_1];
    a_4 = choice_23 ? (choice_24 ? (choice_25 ? stored_1[i_b_1] : a_4) : a_4) : stored_1[i_b_1];
    a_5 = choice_23 ? (choice_24 ? (choice_25 ? stored_2[i_b_1] : a_5) : a_5) : stored_2[i_b_1];
  }
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    b_24[0] = a_3;
    b_25[0] = a_4;
    b_26[0] = a_5;
  }
  const int i_part_1 = threadIdx.x;
  bool a_6;
  float a_7;
  long long a_8;
  a_6 = false;
  a_7 = -__int_as_float(0x7f800000);
  a_8 = -1LL;
  const bool b_1_2 = i_part_1 < 1 ? b_24[i_part_1] : false;
  const float b_2_1_1 = i_part_1 < 1 ? b_25[i_part_1] : -__int_as_float(0x7f800000);
  const long long b_2_2_1 = i_part_1 < 1 ? b_26[i_part_1] : -1LL;
  const bool choice_26 = a_6;
  const bool choice_27 = b_2_1_1 > a_7;
  a_6 = choice_26 ? (b_1_2 ? true : a_6) : b_1_2;
  a_7 = choice_26 ? (b_1_2 ? (choice_27 ? b_2_1_1 : a_7) : a_7) : b_2_1_1;
  a_8 = choice_26 ? (b_1_2 ? (choice_27 ? b_2_2_1 : a_8) : a_8) : b_2_2_1;
  b_21[i_part_1] = a_6;
  b_22[i_part_1] = a_7;
  b_23[i_part_1] = a_8;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_p_7 = threadIdx.x;
    const bool choice_28 = b_21[i_p_7 * 2];
    const bool choice_29 = b_21[i_p_7 * 2 + 1];
    const bool choice_30 = b_22[i_p_7 * 2 + 1] > b_22[i_p_7 * 2];
    b_18[i_p_7] = choice_28 ? (choice_29 ? true : b_21[i_p_7 * 2]) : b_21[i_p_7 * 2 + 1];
    b_19[i_p_7] = choice_28 ? (choice_29 ? (choice_30 ? b_22[i_p_7 * 2 + 1] : b_22[i_p_7 * 2]) : b_22[i_p_7 * 2]) : b_22[i_p_7 * 2 + 1];
    b_20[i_p_7] = choice_28 ? (choice_29 ? (choice_30 ? b_23[i_p_7 * 2 + 1] : b_23[i_p_7 * 2]) : b_23[i_p_7 * 2]) : b_23[i_p_7 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_8 = threadIdx.x;
    const bool choice_31 = b_18[i_p_8 * 2];
    const bool choice_32 = b_18[i_p_8 * 2 + 1];
    const bool choice_33 = b_19[i_p_8 * 2 + 1] > b_19[i_p_8 * 2];
    b_15[i_p_8] = choice_31 ? (choice_32 ? true : b_18[i_p_8 * 2]) : b_18[i_p_8 * 2 + 1];
    b_16[i_p_8] = choice_31 ? (choice_32 ? (choice_33 ? b_19[i_p_8 * 2 + 1] : b_19[i_p_8 * 2]) : b_19[i_p_8 * 2]) : b_19[i_p_8 * 2 + 1];
    b_17[i_p_8] = choice_31 ? (choice_32 ? (choice_33 ? b_20[i_p_8 * 2 + 1] : b_20[i_p_8 * 2]) : b_20[i_p_8 * 2]) : b_20[i_p_8 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_9 = threadIdx.x;
    const bool choice_34 = b_15[i_p_9 * 2];
    const bool choice_35 = b_15[i_p_9 * 2 + 1];
    const bool choice_36 = b_16[i_p_9 * 2 + 1] > b_16[i_p_9 * 2];
    b_12[i_p_9] = choice_34 ? (choice_35 ? true : b_15[i_p_9 * 2]) : b_15[i_p_9 * 2 + 1];
    b_13[i_p_9] = choice_34 ? (choice_35 ? (choice_36 ? b_16[i_p_9 * 2 + 1] : b_16[i_p_9 * 2]) : b_16[i_p_9 * 2]) : b_16[i_p_9 * 2 + 1];
    b_14[i_p_9] = choice_34 ? (choice_35 ? (choice_36 ? b_17[i_p_9 * 2 + 1] : b_17[i_p_9 * 2]) : b_17[i_p_9 * 2]) : b_17[i_p_9 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_10 = threadIdx.x;
    const bool choice_37 = b_12[i_p_10 * 2];
    const bool choice_38 = b_12[i_p_10 * 2 + 1];
    const bool choice_39 = b_13[i_p_10 * 2 + 1] > b_13[i_p_10 * 2];
    b_9[i_p_10] = choice_37 ? (choice_38 ? true : b_12[i_p_10 * 2]) : b_12[i_p_10 * 2 + 1];
    b_10[i_p_10] = choice_37 ? (choice_38 ? (choice_39 ? b_13[i_p_10 * 2 + 1] : b_13[i_p_10 * 2]) : b_13[i_p_10 * 2]) : b_13[i_p_10 * 2 + 1];
    b_11[i_p_10] = choice_37 ? (choice_38 ? (choice_39 ? b_14[i_p_10 * 2 + 1] : b_14[i_p_10 * 2]) : b_14[i_p_10 * 2]) : b_14[i_p_10 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_11 = threadIdx.x;
    const bool choice_40 = b_9[i_p_11 * 2];
    const bool choice_41 = b_9[i_p_11 * 2 + 1];
    const bool choice_42 = b_10[i_p_11 * 2 + 1] > b_10[i_p_11 * 2];
    b_6[i_p_11] = choice_40 ? (choice_41 ? true : b_9[i_p_11 * 2]) : b_9[i_p_11 * 2 + 1];
    b_7[i_p_11] = choice_40 ? (choice_41 ? (choice_42 ? b_10[i_p_11 * 2 + 1] : b_10[i_p_11 * 2]) : b_10[i_p_11 * 2]) : b_10[i_p_11 * 2 + 1];
    b_8[i_p_11] = choice_40 ? (choice_41 ? (choice_42 ? b_11[i_p_11 * 2 + 1] : b_11[i_p_11 * 2]) : b_11[i_p_11 * 2]) : b_11[i_p_11 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_12 = threadIdx.x;
    const bool choice_43 = b_6[i_p_12 * 2];
    const bool choice_44 = b_6[i_p_12 * 2 + 1];
    const bool choice_45 = b_7[i_p_12 * 2 + 1] > b_7[i_p_12 * 2];
    b_3[i_p_12] = choice_43 ? (choice_44 ? true : b_6[i_p_12 * 2]) : b_6[i_p_12 * 2 + 1];
    b_4[i_p_12] = choice_43 ? (choice_44 ? (choice_45 ? b_7[i_p_12 * 2 + 1] : b_7[i_p_12 * 2]) : b_7[i_p_12 * 2]) : b_7[i_p_12 * 2 + 1];
    b_5[i_p_12] = choice_43 ? (choice_44 ? (choice_45 ? b_8[i_p_12 * 2 + 1] : b_8[i_p_12 * 2]) : b_8[i_p_12 * 2]) : b_8[i_p_12 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_13 = threadIdx.x;
    const bool choice_46 = b_3[i_p_13 * 2];
    const bool choice_47 = b_3[i_p_13 * 2 + 1];
    const bool choice_48 = b_4[i_p_13 * 2 + 1] > b_4[i_p_13 * 2];
    b[i_p_13] = choice_46 ? (choice_47 ? true : b_3[i_p_13 * 2]) : b_3[i_p_13 * 2 + 1];
    b_1[i_p_13] = choice_46 ? (choice_47 ? (choice_48 ? b_4[i_p_13 * 2 + 1] : b_4[i_p_13 * 2]) : b_4[i_p_13 * 2]) : b_4[i_p_13 * 2 + 1];
    b_2[i_p_13] = choice_46 ? (choice_47 ? (choice_48 ? b_5[i_p_13 * 2 + 1] : b_5[i_p_13 * 2]) : b_5[i_p_13 * 2]) : b_5[i_p_13 * 2 + 1];
  }
  bool a_9;
  float a_10;
  long long a_11;
  a_9 = false;
  a_10 = -__int_as_float(0x7f800000);
  a_11 = -1LL;
  __syncthreads();
  for (int i_b_2 = 0; i_b_2 < 2; i_b_2++) {
    const bool choice_49 = a_9;
    const bool choice_50 = b[i_b_2];
    const bool choice_51 = b_1[i_b_2] > a_10;
    a_9 = choice_49 ? (choice_50 ? true : a_9) : b[i_b_2];
    a_10 = choice_49 ? (choice_50 ? (choice_51 ? b_1[i_b_2] : a_10) : a_10) : b_1[i_b_2];
    a_11 = choice_49 ? (choice_50 ? (choice_51 ? b_2[i_b_2] : a_11) : a_11) : b_2[i_b_2];
  }
  const bool choice_52 = a_9;
  const bool choice_53 = a_10 > -__int_as_float(0x7f800000);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output_1[0] = choice_52 ? (choice_53 ? a_10 : -__int_as_float(0x7f800000)) : -__int_as_float(0x7f800000);
    output_2[0] = choice_52 ? (choice_53 ? a_11 : -1LL) : -1LL;
  }
}
