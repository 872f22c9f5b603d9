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
  const int n_block = blockIdx.x;
  const int n_thread = threadIdx.x;
  bool a;
  float a_1;
  float a_2;
  float a_3;
  a = false;
  a_1 = 0.0f;
  a_2 = 0.0f;
  a_3 = 0.0f;
  for (int n = 0; n < N / 256 + 1; n++) {
    const bool b_32 = n_thread * (N / 256) + n_thread + n < N ? true : false;
    float chosen;
    if (n_thread * (N / 256) + n_thread + n < N) {
      const float dx = bodies_2[n_thread * (N / 256) + n_thread + n] - bodies_2[n_block];
      const float dy = bodies_3[n_thread * (N / 256) + n_thread + n] - bodies_3[n_block];
      const float dz = bodies_4[n_thread * (N / 256) + n_thread + n] - bodies_4[n_block];
      const float x = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1[n_thread * (N / 256) + n_thread + n] / (x * sqrtf(x));
      chosen = strength * dx;
    }
    if (N < n_thread * (N / 256) + n_thread + n + 1) {
      chosen = 0.0f;
    }
    float chosen_1;
    if (n_thread * (N / 256) + n_thread + n < N) {
      const float dx = bodies_2[n_thread * (N / 256) + n_thread + n] - bodies_2[n_block];
      const float dy = bodies_3[n_thread * (N / 256) + n_thread + n] - bodies_3[n_block];
      const float dz = bodies_4[n_thread * (N / 256) + n_thread + n] - bodies_4[n_block];
      const float x = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1[n_thread * (N / 256) + n_thread + n] / (x * sqrtf(x));
      chosen_1 = strength * dy;
    }
    if (N < n_thread * (N / 256) + n_thread + n + 1) {
      chosen_1 = 0.0f;
    }
    float chosen_2;
    if (n_thread * (N / 256) + n_thread + n < N) {
      const float dx = bodies_2[n_thread * (N / 256) + n_thread + n] - bodies_2[n_block];
      const float dy = bodies_3[n_thread * (N / 256) + n_thread + n] - bodies_3[n_block];
      const float dz = bodies_4[n_thread * (N / 256) + n_thread + n] - bodies_4[n_block];
      const float x = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1[n_thread * (N / 256) + n_thread + n] / (x * sqrtf(x));
      chosen_2 = strength * dz;
    }
    if (N < n_thread * (N / 256) + n_thread + n + 1) {
      chosen_2 = 0.0f;
    }
    const bool choice = a;
    a = choice ? (b_32 ? true : a) : b_32;
    a_1 = choice ? (b_32 ? a_1 + chosen : a_1) : chosen;
    a_2 = choice ? (b_32 ? a_2 + chosen_1 : a_2) : chosen_1;
    a_3 = choice ? (b_32 ? a_3 + chosen_2 : a_3) : chosen_2;
  }
  b_28[n_thread] = a;
  b_29[n_thread] = a_1;
  b_30[n_thread] = a_2;
  b_31[n_thread] = a_3;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i = threadIdx.x;
    const bool choice = b_28[i * 2];
    const bool choice_1 = b_28[i * 2 + 1];
    b_24[i] = choice ? (choice_1 ? true : b_28[i * 2]) : b_28[i * 2 + 1];
    b_25[i] = choice ? (choice_1 ? b_29[i * 2] + b_29[i * 2 + 1] : b_29[i * 2]) : b_29[i * 2 + 1];
    b_26[i] = choice ? (choice_1 ? b_30[i * 2] + b_30[i * 2 + 1] : b_30[i * 2]) : b_30[i * 2 + 1];
    b_27[i] = choice ? (choice_1 ? b_31[i * 2] + b_31[i * 2 + 1] : b_31[i * 2]) : b_31[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i = threadIdx.x;
    const bool choice = b_24[i * 2];
    const bool choice_1 = b_24[i * 2 + 1];
    b_20[i] = choice ? (choice_1 ? true : b_24[i * 2]) : b_24[i * 2 + 1];
    b_21[i] = choice ? (choice_1 ? b_25[i * 2] + b_25[i * 2 + 1] : b_25[i * 2]) : b_25[i * 2 + 1];
    b_22[i] = choice ? (choice_1 ? b_26[i * 2] + b_26[i * 2 + 1] : b_26[i * 2]) : b_26[i * 2 + 1];
    b_23[i] = choice ? (choice_1 ? b_27[i * 2] + b_27[i * 2 + 1] : b_27[i * 2]) : b_27[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i = threadIdx.x;
    const bool choice = b_20[i * 2];
    const bool choice_1 = b_20[i * 2 + 1];
    b_16[i] = choice ? (choice_1 ? true : b_20[i * 2]) : b_20[i * 2 + 1];
    b_17[i] = choice ? (choice_1 ? b_21[i * 2] + b_21[i * 2 + 1] : b_21[i * 2]) : b_21[i * 2 + 1];
    b_18[i] = choice ? (choice_1 ? b_22[i * 2] + b_22[i * 2 + 1] : b_22[i * 2]) : b_22[i * 2 + 1];
    b_19[i] = choice ? (choice_1 ? b_23[i * 2] + b_23[i * 2 + 1] : b_23[i * 2]) : b_23[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i = threadIdx.x;
    const bool choice = b_16[i * 2];
    const bool choice_1 = b_16[i * 2 + 1];
    b_12[i] = choice ? (choice_1 ? true : b_16[i * 2]) : b_16[i * 2 + 1];
    b_13[i] = choice ? (choice_1 ? b_17[i * 2] + b_17[i * 2 + 1] : b_17[i * 2]) : b_17[i * 2 + 1];
    b_14[i] = choice ? (choice_1 ? b_18[i * 2] + b_18[i * 2 + 1] : b_18[i * 2]) : b_18[i * 2 + 1];
    b_15[i] = choice ? (choice_1 ? b_19[i * 2] + b_19[i * 2 + 1] : b_19[i * 2]) : b_19[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i = threadIdx.x;
    const bool choice = b_12[i * 2];
    const bool choice_1 = b_12[i * 2 + 1];
    b_8[i] = choice ? (choice_1 ? true : b_12[i * 2]) : b_12[i * 2 + 1];
    b_9[i] = choice ? (choice_1 ? b_13[i * 2] + b_13[i * 2 + 1] : b_13[i * 2]) : b_13[i * 2 + 1];
    b_10[i] = choice ? (choice_1 ? b_14[i * 2] + b_14[i * 2 + 1] : b_14[i * 2]) : b_14[i * 2 + 1];
    b_11[i] = choice ? (choice_1 ? b_15[i * 2] + b_15[i * 2 + 1] : b_15[i * 2]) : b_15[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i = threadIdx.x;
    const bool choice = b_8[i * 2];
    const bool choice_1 = b_8[i * 2 + 1];
    b_4[i] = choice ? (choice_1 ? true : b_8[i * 2]) : b_8[i * 2 + 1];
    b_5[i] = choice ? (choice_1 ? b_9[i * 2] + b_9[i * 2 + 1] : b_9[i * 2]) : b_9[i * 2 + 1];
    b_6[i] = choice ? (choice_1 ? b_10[i * 2] + b_10[i * 2 + 1] : b_10[i * 2]) : b_10[i * 2 + 1];
    b_7[i] = choice ? (choice_1 ? b_11[i * 2] + b_11[i * 2 + 1] : b_11[i * 2]) : b_11[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i = threadIdx.x;
    const bool choice = b_4[i * 2];
    const bool choice_1 = b_4[i * 2 + 1];
    b[i] = choice ? (choice_1 ? true : b_4[i * 2]) : b_4[i * 2 + 1];
    b_1[i] = choice ? (choice_1 ? b_5[i * 2] + b_5[i * 2 + 1] : b_5[i * 2]) : b_5[i * 2 + 1];
    b_2[i] = choice ? (choice_1 ? b_6[i * 2] + b_6[i * 2 + 1] : b_6[i * 2]) : b_6[i * 2 + 1];
    b_3[i] = choice ? (choice_1 ? b_7[i * 2] + b_7[i * 2 + 1] : b_7[i * 2]) : b_7[i * 2 + 1];
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
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool choice = a_4;
    const bool choice_1 = b[i_b];
    a_4 = choice ? (choice_1 ? true : a_4) : b[i_b];
    a_5 = choice ? (choice_1 ? a_5 + b_1[i_b] : a_5) : b_1[i_b];
    a_6 = choice ? (choice_1 ? a_6 + b_2[i_b] : a_6) : b_2[i_b];
    a_7 = choice ? (choice_1 ? a_7 + b_3[i_b] : a_7) : b_3[i_b];
  }
  const bool choice = a_4;
  if (threadIdx.x < 1) {
    output_1[n_block] = choice ? 0.0f + a_5 : 0.0f;
    output_2[n_block] = choice ? 0.0f + a_6 : 0.0f;
    output_3[n_block] = choice ? 0.0f + a_7 : 0.0f;
  }
}
