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
  const int xs_i_thread = threadIdx.x;
  bool a;
  float a_1;
  long long a_2;
  a = false;
  a_1 = -__int_as_float(0x7f800000);
  a_2 = -1LL;
  for (int xs_i = 0; xs_i < 8; xs_i++) {
    const bool b_27 = xs_i_thread * 8 + xs_i < 83 ? true : false;
    const float b_28 = xs_i_thread * 8 + xs_i < 83 ? xs[xs_i_thread * 8 + xs_i] : -__int_as_float(0x7f800000);
    const long long b_29 = xs_i_thread * 8 + xs_i < 83 ? (long long)(xs_i_thread * 8 + xs_i) : -1LL;
    const bool choice = a;
    const bool choice_1 = b_28 > a_1;
    a = choice ? (b_27 ? true : a) : b_27;
    a_1 = choice ? (b_27 ? (choice_1 ? b_28 : a_1) : a_1) : b_28;
    a_2 = choice ? (b_27 ? (choice_1 ? b_29 : a_2) : a_2) : b_29;
  }
  stored_21[xs_i_thread] = a;
  stored_22[xs_i_thread] = a_1;
  stored_23[xs_i_thread] = a_2;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i = threadIdx.x;
    const bool choice = stored_21[i * 2];
    const bool choice_1 = stored_21[i * 2 + 1];
    const bool choice_2 = stored_22[i * 2 + 1] > stored_22[i * 2];
    stored_18[i] = choice ? (choice_1 ? true : stored_21[i * 2]) : stored_21[i * 2 + 1];
    stored_19[i] = choice ? (choice_1 ? (choice_2 ? stored_22[i * 2 + 1] : stored_22[i * 2]) : stored_22[i * 2]) : stored_22[i * 2 + 1];
    stored_20[i] = choice ? (choice_1 ? (choice_2 ? stored_23[i * 2 + 1] : stored_23[i * 2]) : stored_23[i * 2]) : stored_23[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i = threadIdx.x;
    const bool choice = stored_18[i * 2];
    const bool choice_1 = stored_18[i * 2 + 1];
    const bool choice_2 = stored_19[i * 2 + 1] > stored_19[i * 2];
    stored_15[i] = choice ? (choice_1 ? true : stored_18[i * 2]) : stored_18[i * 2 + 1];
    stored_16[i] = choice ? (choice_1 ? (choice_2 ? stored_19[i * 2 + 1] : stored_19[i * 2]) : stored_19[i * 2]) : stored_19[i * 2 + 1];
    stored_17[i] = choice ? (choice_1 ? (choice_2 ? stored_20[i * 2 + 1] : stored_20[i * 2]) : stored_20[i * 2]) : stored_20[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i = threadIdx.x;
    const bool choice = stored_15[i * 2];
    const bool choice_1 = stored_15[i * 2 + 1];
    const bool choice_2 = stored_16[i * 2 + 1] > stored_16[i * 2];
    stored_12[i] = choice ? (choice_1 ? true : stored_15[i * 2]) : stored_15[i * 2 + 1];
    stored_13[i] = choice ? (choice_1 ? (choice_2 ? stored_16[i * 2 + 1] : stored_16[i * 2]) : stored_16[i * 2]) : stored_16[i * 2 + 1];
    stored_14[i] = choice ? (choice_1 ? (choice_2 ? stored_17[i * 2 + 1] : stored_17[i * 2]) : stored_17[i * 2]) : stored_17[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i = threadIdx.x;
    const bool choice = stored_12[i * 2];
    const bool choice_1 = stored_12[i * 2 + 1];
    const bool choice_2 = stored_13[i * 2 + 1] > stored_13[i * 2];
    stored_9[i] = choice ? (choice_1 ? true : stored_12[i * 2]) : stored_12[i * 2 + 1];
    stored_10[i] = choice ? (choice_1 ? (choice_2 ? stored_13[i * 2 + 1] : stored_13[i * 2]) : stored_13[i * 2]) : stored_13[i * 2 + 1];
    stored_11[i] = choice ? (choice_1 ? (choice_2 ? stored_14[i * 2 + 1] : stored_14[i * 2]) : stored_14[i * 2]) : stored_14[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i = threadIdx.x;
    const bool choice = stored_9[i * 2];
    const bool choice_1 = stored_9[i * 2 + 1];
    const bool choice_2 = stored_10[i * 2 + 1] > stored_10[i * 2];
    stored_6[i] = choice ? (choice_1 ? true : stored_9[i * 2]) : stored_9[i * 2 + 1];
    stored_7[i] = choice ? (choice_1 ? (choice_2 ? stored_10[i * 2 + 1] : stored_10[i * 2]) : stored_10[i * 2]) : stored_10[i * 2 + 1];
    stored_8[i] = choice ? (choice_1 ? (choice_2 ? stored_11[i * 2 + 1] : stored_11[i * 2]) : stored_11[i * 2]) : stored_11[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i = threadIdx.x;
    const bool choice = stored_6[i * 2];
    const bool choice_1 = stored_6[i * 2 + 1];
    const bool choice_2 = stored_7[i * 2 + 1] > stored_7[i * 2];
    stored_3[i] = choice ? (choice_1 ? true : stored_6[i * 2]) : stored_6[i * 2 + 1];
    stored_4[i] = choice ? (choice_1 ? (choice_2 ? stored_7[i * 2 + 1] : stored_7[i * 2]) : stored_7[i * 2]) : stored_7[i * 2 + 1];
    stored_5[i] = choice ? (choice_1 ? (choice_2 ? stored_8[i * 2 + 1] : stored_8[i * 2]) : stored_8[i * 2]) : stored_8[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i = threadIdx.x;
    const bool choice = stored_3[i * 2];
    const bool choice_1 = stored_3[i * 2 + 1];
    const bool choice_2 = stored_4[i * 2 + 1] > stored_4[i * 2];
    stored[i] = choice ? (choice_1 ? true : stored_3[i * 2]) : stored_3[i * 2 + 1];
    stored_1[i] = choice ? (choice_1 ? (choice_2 ? stored_4[i * 2 + 1] : stored_4[i * 2]) : stored_4[i * 2]) : stored_4[i * 2 + 1];
    stored_2[i] = choice ? (choice_1 ? (choice_2 ? stored_5[i * 2 + 1] : stored_5[i * 2]) : stored_5[i * 2]) : stored_5[i * 2 + 1];
  }
  bool a_3;
  float a_4;
  long long a_5;
  a_3 = false;
  a_4 = -__int_as_float(0x7f800000);
  a_5 = -1LL;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool choice = a_3;
    const bool choice_1 = stored[i_b];
    const bool choice_2 = stored_1[i_b] > a_4;
    a_3 = choice ? (choice_1 ? true : a_3) : stored[i_b];
    a_4 = choice ? (choice_1 ? (choice_2 ? stored_1[i_b] : a_4) : a_4) : stored_1[i_b];
    a_5 = choice ? (choice_1 ? (choice_2 ? stored_2[i_b] : a_5) : a_5) : stored_2[i_b];
  }
  if (threadIdx.x < 1) {
    b_24[0] = a_3;
    b_25[0] = a_4;
    b_26[0] = a_5;
  }
  const int i = threadIdx.x;
  bool a_6;
  float a_7;
  long long a_8;
  a_6 = false;
  a_7 = -__int_as_float(0x7f800000);
  a_8 = -1LL;
  const bool b_27 = i < 1 ? b_24[i] : false;
  const float b_28 = i < 1 ? b_25[i] : -__int_as_float(0x7f800000);
  const long long b_29 = i < 1 ? b_26[i] : -1LL;
  const bool choice = a_6;
  const bool choice_1 = b_28 > a_7;
  a_6 = choice ? (b_27 ? true : a_6) : b_27;
  a_7 = choice ? (b_27 ? (choice_1 ? b_28 : a_7) : a_7) : b_28;
  a_8 = choice ? (b_27 ? (choice_1 ? b_29 : a_8) : a_8) : b_29;
  b_21[i] = a_6;
  b_22[i] = a_7;
  b_23[i] = a_8;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_1 = threadIdx.x;
    const bool choice_2 = b_21[i_1 * 2];
    const bool choice_3 = b_21[i_1 * 2 + 1];
    const bool choice_4 = b_22[i_1 * 2 + 1] > b_22[i_1 * 2];
    b_18[i_1] = choice_2 ? (choice_3 ? true : b_21[i_1 * 2]) : b_21[i_1 * 2 + 1];
    b_19[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_22[i_1 * 2 + 1] : b_22[i_1 * 2]) : b_22[i_1 * 2]) : b_22[i_1 * 2 + 1];
    b_20[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_23[i_1 * 2 + 1] : b_23[i_1 * 2]) : b_23[i_1 * 2]) : b_23[i_1 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_1 = threadIdx.x;
    const bool choice_2 = b_18[i_1 * 2];
    const bool choice_3 = b_18[i_1 * 2 + 1];
    const bool choice_4 = b_19[i_1 * 2 + 1] > b_19[i_1 * 2];
    b_15[i_1] = choice_2 ? (choice_3 ? true : b_18[i_1 * 2]) : b_18[i_1 * 2 + 1];
    b_16[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_19[i_1 * 2 + 1] : b_19[i_1 * 2]) : b_19[i_1 * 2]) : b_19[i_1 * 2 + 1];
    b_17[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_20[i_1 * 2 + 1] : b_20[i_1 * 2]) : b_20[i_1 * 2]) : b_20[i_1 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_1 = threadIdx.x;
    const bool choice_2 = b_15[i_1 * 2];
    const bool choice_3 = b_15[i_1 * 2 + 1];
    const bool choice_4 = b_16[i_1 * 2 + 1] > b_16[i_1 * 2];
    b_12[i_1] = choice_2 ? (choice_3 ? true : b_15[i_1 * 2]) : b_15[i_1 * 2 + 1];
    b_13[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_16[i_1 * 2 + 1] : b_16[i_1 * 2]) : b_16[i_1 * 2]) : b_16[i_1 * 2 + 1];
    b_14[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_17[i_1 * 2 + 1] : b_17[i_1 * 2]) : b_17[i_1 * 2]) : b_17[i_1 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_1 = threadIdx.x;
    const bool choice_2 = b_12[i_1 * 2];
    const bool choice_3 = b_12[i_1 * 2 + 1];
    const bool choice_4 = b_13[i_1 * 2 + 1] > b_13[i_1 * 2];
    b_9[i_1] = choice_2 ? (choice_3 ? true : b_12[i_1 * 2]) : b_12[i_1 * 2 + 1];
    b_10[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_13[i_1 * 2 + 1] : b_13[i_1 * 2]) : b_13[i_1 * 2]) : b_13[i_1 * 2 + 1];
    b_11[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_14[i_1 * 2 + 1] : b_14[i_1 * 2]) : b_14[i_1 * 2]) : b_14[i_1 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_1 = threadIdx.x;
    const bool choice_2 = b_9[i_1 * 2];
    const bool choice_3 = b_9[i_1 * 2 + 1];
    const bool choice_4 = b_10[i_1 * 2 + 1] > b_10[i_1 * 2];
    b_6[i_1] = choice_2 ? (choice_3 ? true : b_9[i_1 * 2]) : b_9[i_1 * 2 + 1];
    b_7[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_10[i_1 * 2 + 1] : b_10[i_1 * 2]) : b_10[i_1 * 2]) : b_10[i_1 * 2 + 1];
    b_8[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_11[i_1 * 2 + 1] : b_11[i_1 * 2]) : b_11[i_1 * 2]) : b_11[i_1 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_1 = threadIdx.x;
    const bool choice_2 = b_6[i_1 * 2];
    const bool choice_3 = b_6[i_1 * 2 + 1];
    const bool choice_4 = b_7[i_1 * 2 + 1] > b_7[i_1 * 2];
    b_3[i_1] = choice_2 ? (choice_3 ? true : b_6[i_1 * 2]) : b_6[i_1 * 2 + 1];
    b_4[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_7[i_1 * 2 + 1] : b_7[i_1 * 2]) : b_7[i_1 * 2]) : b_7[i_1 * 2 + 1];
    b_5[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_8[i_1 * 2 + 1] : b_8[i_1 * 2]) : b_8[i_1 * 2]) : b_8[i_1 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_1 = threadIdx.x;
    const bool choice_2 = b_3[i_1 * 2];
    const bool choice_3 = b_3[i_1 * 2 + 1];
    const bool choice_4 = b_4[i_1 * 2 + 1] > b_4[i_1 * 2];
    b[i_1] = choice_2 ? (choice_3 ? true : b_3[i_1 * 2]) : b_3[i_1 * 2 + 1];
    b_1[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_4[i_1 * 2 + 1] : b_4[i_1 * 2]) : b_4[i_1 * 2]) : b_4[i_1 * 2 + 1];
    b_2[i_1] = choice_2 ? (choice_3 ? (choice_4 ? b_5[i_1 * 2 + 1] : b_5[i_1 * 2]) : b_5[i_1 * 2]) : b_5[i_1 * 2 + 1];
  }
  bool a_9;
  float a_10;
  long long a_11;
  a_9 = false;
  a_10 = -__int_as_float(0x7f800000);
  a_11 = -1LL;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool choice_2 = a_9;
    const bool choice_3 = b[i_b];
    const bool choice_4 = b_1[i_b] > a_10;
    a_9 = choice_2 ? (choice_3 ? true : a_9) : b[i_b];
    a_10 = choice_2 ? (choice_3 ? (choice_4 ? b_1[i_b] : a_10) : a_10) : b_1[i_b];
    a_11 = choice_2 ? (choice_3 ? (choice_4 ? b_2[i_b] : a_11) : a_11) : b_2[i_b];
  }
  const bool choice_2 = a_9;
  const bool choice_3 = a_10 > -__int_as_float(0x7f800000);
  if (threadIdx.x < 1) {
    output_1[0] = choice_2 ? (choice_3 ? a_10 : -__int_as_float(0x7f800000)) : -__int_as_float(0x7f800000);
    output_2[0] = choice_2 ? (choice_3 ? a_11 : -1LL) : -1LL;
  }
}
