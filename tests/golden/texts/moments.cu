// moments(xs: N.f32) -> (f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) moments(
    const float* __restrict__ xs,
    bool* __restrict__ b_32,
    float* __restrict__ b_33,
    float* __restrict__ b_34,
    float* __restrict__ b_35,
    const int N
) {
  __shared__ __align__(16) bool stored[2];
  __shared__ __align__(16) float stored_1[2];
  __shared__ __align__(16) float stored_2[2];
  __shared__ __align__(16) float stored_3[2];
  __shared__ __align__(16) bool stored_4[4];
  __shared__ __align__(16) float stored_5[4];
  __shared__ __align__(16) float stored_6[4];
  __shared__ __align__(16) float stored_7[4];
  __shared__ __align__(16) bool stored_8[8];
  __shared__ __align__(16) float stored_9[8];
  __shared__ __align__(16) float stored_10[8];
  __shared__ __align__(16) float stored_11[8];
  __shared__ __align__(16) bool stored_12[16];
  __shared__ __align__(16) float stored_13[16];
  __shared__ __align__(16) float stored_14[16];
  __shared__ __align__(16) float stored_15[16];
  __shared__ __align__(16) bool stored_16[32];
  __shared__ __align__(16) float stored_17[32];
  __shared__ __align__(16) float stored_18[32];
  __shared__ __align__(16) float stored_19[32];
  __shared__ __align__(16) bool stored_20[64];
  __shared__ __align__(16) float stored_21[64];
  __shared__ __align__(16) float stored_22[64];
  __shared__ __align__(16) float stored_23[64];
  __shared__ __align__(16) bool stored_24[128];
  __shared__ __align__(16) float stored_25[128];
  __shared__ __align__(16) float stored_26[128];
  __shared__ __align__(16) float stored_27[128];
  __shared__ __align__(16) bool stored_28[256];
  __shared__ __align__(16) float stored_29[256];
  __shared__ __align__(16) float stored_30[256];
  __shared__ __align__(16) float stored_31[256];
  const int i_part = blockIdx.x;
  const int i_part_1 = threadIdx.x;
  bool a;
  float a_1;
  float a_2;
  float a_3;
  a = false;
  a_1 = 0.0f;
  a_2 = 0.0f;
  a_3 = 0.0f;
  for (int i_b = 0; i_b < 8; i_b++) {
    const bool b_1_1 = i_part * 2048 + i_part_1 * 8 + i_b < N ? true : false;
    const float b_2_1 = i_part * 2048 + i_part_1 * 8 + i_b < N ? 1.0f : 0.0f;
    const float b_2_2_1 = i_part * 2048 + i_part_1 * 8 + i_b < N ? xs[i_part * 2048 + i_part_1 * 8 + i_b] : 0.0f;
    const float b_2_2_2 = i_part * 2048 + i_part_1 * 8 + i_b < N ? 0.0f : 0.0f;
    const bool choice = a;
    const bool choice_1 = b_2_1 == 0.0f;
    const float count = a_1 + b_2_1;
    const float apart = b_2_2_1 - a_2;
    const int at_2 = (int)(choice ? (long long)1 : (long long)0);
    float chosen_2;
    if (0 < at_2) {
      const int at_1 = (int)(b_1_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at = (int)(choice_1 ? (long long)1 : (long long)0);
        float chosen;
        if (0 < at) {
          chosen = a_3;
        }
        if (at < 1) {
          const float x = a_3 + b_2_2_2 + apart * apart * (a_1 * b_2_1 / count);
          chosen = x;
        }
        chosen_1 = chosen;
      }
      if (at_1 < 1) {
        chosen_1 = a_3;
      }
      chosen_2 = chosen_1;
    }
    if (at_2 < 1) {
      chosen_2 = b_2_2_2;
    }
    a = choice ? (b_1_1 ? true : a) : b_1_1;
    a_1 = choice ? (b_1_1 ? (choice_1 ? a_1 : count) : a_1) : b_2_1;
    a_2 = choice ? (b_1_1 ? (choice_1 ? a_2 : a_2 + apart * (b_2_1 / count)) : a_2) : b_2_2_1;
    a_3 = chosen_2;
  }
  stored_28[i_part_1] = a;
  stored_29[i_part_1] = a_1;
  stored_30[i_part_1] = a_2;
  stored_31[i_part_1] = a_3;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_p = threadIdx.x;
    const bool choice_2 = stored_28[i_p * 2];
    const bool choice_3 = stored_28[i_p * 2 + 1];
    const bool choice_4 = stored_29[i_p * 2 + 1] == 0.0f;
    const float count_1 = stored_29[i_p * 2] + stored_29[i_p * 2 + 1];
    const float apart_1 = stored_30[i_p * 2 + 1] - stored_30[i_p * 2];
    const int at_5 = (int)(choice_2 ? (long long)1 : (long long)0);
    float chosen_5;
    if (0 < at_5) {
      const int at_4 = (int)(choice_3 ? (long long)1 : (long long)0);
      float chosen_4;
      if (0 < at_4) {
        const int at_3 = (int)(choice_4 ? (long long)1 : (long long)0);
        float chosen_3;
        if (0 < at_3) {
          chosen_3 = stored_31[i_p * 2];
        }
        if (at_3 < 1) {
          const float x_1 = stored_31[i_p * 2] + stored_31[i_p * 2 + 1] + apart_1 * apart_1 * (stored_29[i_p * 2] * stored_29[i_p * 2 + 1] / count_1);
          chosen_3 = x_1;
        }
        chosen_4 = chosen_3;
      }
      if (at_4 < 1) {
        chosen_4 = stored_31[i_p * 2];
      }
      chosen_5 = chosen_4;
    }
    if (at_5 < 1) {
      chosen_5 = stored_31[i_p * 2 + 1];
    }
    stored_24[i_p] = choice_2 ? (choice_3 ? true : stored_28[i_p * 2]) : stored_28[i_p * 2 + 1];
    stored_25[i_p] = choice_2 ? (choice_3 ? (choice_4 ? stored_29[i_p * 2] : count_1) : stored_29[i_p * 2]) : stored_29[i_p * 2 + 1];
    stored_26[i_p] = choice_2 ? (choice_3 ? (choice_4 ? stored_30[i_p * 2] : stored_30[i_p * 2] + apart_1 * (stored_29[i_p * 2 + 1] / count_1)) : stored_30[i_p * 2]) : stored_30[i_p * 2 + 1];
    stored_27[i_p] = chosen_5;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_1 = threadIdx.x;
    const bool choice_5 = stored_24[i_p_1 * 2];
    const bool choice_6 = stored_24[i_p_1 * 2 + 1];
    const bool choice_7 = stored_25[i_p_1 * 2 + 1] == 0.0f;
    const float count_2 = stored_25[i_p_1 * 2] + stored_25[i_p_1 * 2 + 1];
    const float apart_2 = stored_26[i_p_1 * 2 + 1] - stored_26[i_p_1 * 2];
    const int at_8 = (int)(choice_5 ? (long long)1 : (long long)0);
    float chosen_8;
    if (0 < at_8) {
      const int at_7 = (int)(choice_6 ? (long long)1 : (long long)0);
      float chosen_7;
      if (0 < at_7) {
        const int at_6 = (int)(choice_7 ? (long long)1 : (long long)0);
        float chosen_6;
        if (0 < at_6) {
          chosen_6 = stored_27[i_p_1 * 2];
        }
        if (at_6 < 1) {
          const float x_2 = stored_27[i_p_1 * 2] + stored_27[i_p_1 * 2 + 1] + apart_2 * apart_2 * (stored_25[i_p_1 * 2] * stored_25[i_p_1 * 2 + 1] / count_2);
          chosen_6 = x_2;
        }
        chosen_7 = chosen_6;
      }
      if (at_7 < 1) {
        chosen_7 = stored_27[i_p_1 * 2];
      }
      chosen_8 = chosen_7;
    }
    if (at_8 < 1) {
      chosen_8 = stored_27[i_p_1 * 2 + 1];
    }
    stored_20[i_p_1] = choice_5 ? (choice_6 ? true : stored_24[i_p_1 * 2]) : stored_24[i_p_1 * 2 + 1];
    stored_21[i_p_1] = choice_5 ? (choice_6 ? (choice_7 ? stored_25[i_p_1 * 2] : count_2) : stored_25[i_p_1 * 2]) : stored_25[i_p_1 * 2 + 1];
    stored_22[i_p_1] = choice_5 ? (choice_6 ? (choice_7 ? stored_26[i_p_1 * 2] : stored_26[i_p_1 * 2] + apart_2 * (stored_25[i_p_1 * 2 + 1] / count_2)) : stored_26[i_p_1 * 2]) : stored_26[i_p_1 * 2 + 1];
    stored_23[i_p_1] = chosen_8;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_2 = threadIdx.x;
    const bool choice_8 = stored_20[i_p_2 * 2];
    const bool choice_9 = stored_20[i_p_2 * 2 + 1];
    const bool choice_10 = stored_21[i_p_2 * 2 + 1] == 0.0f;
    const float count_3 = stored_21[i_p_2 * 2] + stored_21[i_p_2 * 2 + 1];
    const float apart_3 = stored_22[i_p_2 * 2 + 1] - stored_22[i_p_2 * 2];
    const int at_11 = (int)(choice_8 ? (long long)1 : (long long)0);
    float chosen_11;
    if (0 < at_11) {
      const int at_10 = (int)(choice_9 ? (long long)1 : (long long)0);
      float chosen_10;
      if (0 < at_10) {
        const int at_9 = (int)(choice_10 ? (long long)1 : (long long)0);
        float chosen_9;
        if (0 < at_9) {
          chosen_9 = stored_23[i_p_2 * 2];
        }
        if (at_9 < 1) {
          const float x_3 = stored_23[i_p_2 * 2] + stored_23[i_p_2 * 2 + 1] + apart_3 * apart_3 * (stored_21[i_p_2 * 2] * stored_21[i_p_2 * 2 + 1] / count_3);
          chosen_9 = x_3;
        }
        chosen_10 = chosen_9;
      }
      if (at_10 < 1) {
        chosen_10 = stored_23[i_p_2 * 2];
      }
      chosen_11 = chosen_10;
    }
    if (at_11 < 1) {
      chosen_11 = stored_23[i_p_2 * 2 + 1];
    }
    stored_16[i_p_2] = choice_8 ? (choice_9 ? true : stored_20[i_p_2 * 2]) : stored_20[i_p_2 * 2 + 1];
    stored_17[i_p_2] = choice_8 ? (choice_9 ? (choice_10 ? stored_21[i_p_2 * 2] : count_3) : stored_21[i_p_2 * 2]) : stored_21[i_p_2 * 2 + 1];
    stored_18[i_p_2] = choice_8 ? (choice_9 ? (choice_10 ? stored_22[i_p_2 * 2] : stored_22[i_p_2 * 2] + apart_3 * (stored_21[i_p_2 * 2 + 1] / count_3)) : stored_22[i_p_2 * 2]) : stored_22[i_p_2 * 2 + 1];
    stored_19[i_p_2] = chosen_11;
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_3 = threadIdx.x;
    const bool choice_11 = stored_16[i_p_3 * 2];
    const bool choice_12 = stored_16[i_p_3 * 2 + 1];
    const bool choice_13 = stored_17[i_p_3 * 2 + 1] == 0.0f;
    const float count_4 = stored_17[i_p_3 * 2] + stored_17[i_p_3 * 2 + 1];
    const float apart_4 = stored_18[i_p_3 * 2 + 1] - stored_18[i_p_3 * 2];
    const int at_14 = (int)(choice_11 ? (long long)1 : (long long)0);
    float chosen_14;
    if (0 < at_14) {
      const int at_13 = (int)(choice_12 ? (long long)1 : (long long)0);
      float chosen_13;
      if (0 < at_13) {
        const int at_12 = (int)(choice_13 ? (long long)1 : (long long)0);
        float chosen_12;
        if (0 < at_12) {
          chosen_12 = stored_19[i_p_3 * 2];
        }
        if (at_12 < 1) {
          const float x_4 = stored_19[i_p_3 * 2] + stored_19[i_p_3 * 2 + 1] + apart_4 * apart_4 * (stored_17[i_p_3 * 2] * stored_17[i_p_3 * 2 + 1] / count_4);
          chosen_12 = x_4;
        }
        chosen_13 = chosen_12;
      }
      if (at_13 < 1) {
        chosen_13 = stored_19[i_p_3 * 2];
      }
      chosen_14 = chosen_13;
    }
    if (at_14 < 1) {
      chosen_14 = stored_19[i_p_3 * 2 + 1];
    }
    stored_12[i_p_3] = choice_11 ? (choice_12 ? true : stored_16[i_p_3 * 2]) : stored_16[i_p_3 * 2 + 1];
    stored_13[i_p_3] = choice_11 ? (choice_12 ? (choice_13 ? stored_17[i_p_3 * 2] : count_4) : stored_17[i_p_3 * 2]) : stored_17[i_p_3 * 2 + 1];
    stored_14[i_p_3] = choice_11 ? (choice_12 ? (choice_13 ? stored_18[i_p_3 * 2] : stored_18[i_p_3 * 2] + apart_4 * (stored_17[i_p_3 * 2 + 1] / count_4)) : stored_18[i_p_3 * 2]) : stored_18[i_p_3 * 2 + 1];
    stored_15[i_p_3] = chosen_14;
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_4 = threadIdx.x;
    const bool choice_14 = stored_12[i_p_4 * 2];
    const bool choice_15 = stored_12[i_p_4 * 2 + 1];
    const bool choice_16 = stored_13[i_p_4 * 2 + 1] == 0.0f;
    const float count_5 = stored_13[i_p_4 * 2] + stored_13[i_p_4 * 2 + 1];
    const float apart_5 = stored_14[i_p_4 * 2 + 1] - stored_14[i_p_4 * 2];
    const int at_17 = (int)(choice_14 ? (long long)1 : (long long)0);
    float chosen_17;
    if (0 < at_17) {
      const int at_16 = (int)(choice_15 ? (long long)1 : (long long)0);
      float chosen_16;
      if (0 < at_16) {
        const int at_15 = (int)(choice_16 ? (long long)1 : (long long)0);
        float chosen_15;
        if (0 < at_15) {
          chosen_15 = stored_15[i_p_4 * 2];
        }
        if (at_15 < 1) {
          const float x_5 = stored_15[i_p_4 * 2] + stored_15[i_p_4 * 2 + 1] + apart_5 * apart_5 * (stored_13[i_p_4 * 2] * stored_13[i_p_4 * 2 + 1] / count_5);
          chosen_15 = x_5;
        }
        chosen_16 = chosen_15;
      }
      if (at_16 < 1) {
        chosen_16 = stored_15[i_p_4 * 2];
      }
      chosen_17 = chosen_16;
    }
    if (at_17 < 1) {
      chosen_17 = stored_15[i_p_4 * 2 + 1];
    }
    stored_8[i_p_4] = choice_14 ? (choice_15 ? true : stored_12[i_p_4 * 2]) : stored_12[i_p_4 * 2 + 1];
    stored_9[i_p_4] = choice_14 ? (choice_15 ? (choice_16 ? stored_13[i_p_4 * 2] : count_5) : stored_13[i_p_4 * 2]) : stored_13[i_p_4 * 2 + 1];
    stored_10[i_p_4] = choice_14 ? (choice_15 ? (choice_16 ? stored_14[i_p_4 * 2] : stored_14[i_p_4 * 2] + apart_5 * (stored_13[i_p_4 * 2 + 1] / count_5)) : stored_14[i_p_4 * 2]) : stored_14[i_p_4 * 2 + 1];
    stored_11[i_p_4] = chosen_17;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_5 = threadIdx.x;
    const bool choice_17 = stored_8[i_p_5 * 2];
    const bool choice_18 = stored_8[i_p_5 * 2 + 1];
    const bool choice_19 = stored_9[i_p_5 * 2 + 1] == 0.0f;
    const float count_6 = stored_9[i_p_5 * 2] + stored_9[i_p_5 * 2 + 1];
    const float apart_6 = stored_10[i_p_5 * 2 + 1] - stored_10[i_p_5 * 2];
    const int at_20 = (int)(choice_17 ? (long long)1 : (long long)0);
    float chosen_20;
    if (0 < at_20) {
      const int at_19 = (int)(choice_18 ? (long long)1 : (long long)0);
      float chosen_19;
      if (0 < at_19) {
        const int at_18 = (int)(choice_19 ? (long long)1 : (long long)0);
        float chosen_18;
        if (0 < at_18) {
          chosen_18 = stored_11[i_p_5 * 2];
        }
        if (at_18 < 1) {
          const float x_6 = stored_11[i_p_5 * 2] + stored_11[i_p_5 * 2 + 1] + apart_6 * apart_6 * (stored_9[i_p_5 * 2] * stored_9[i_p_5 * 2 + 1] / count_6);
          chosen_18 = x_6;
        }
        chosen_19 = chosen_18;
      }
      if (at_19 < 1) {
        chosen_19 = stored_11[i_p_5 * 2];
      }
      chosen_20 = chosen_19;
    }
    if (at_20 < 1) {
      chosen_20 = stored_11[i_p_5 * 2 + 1];
    }
    stored_4[i_p_5] = choice_17 ? (choice_18 ? true : stored_8[i_p_5 * 2]) : stored_8[i_p_5 * 2 + 1];
    stored_5[i_p_5] = choice_17 ? (choice_18 ? (choice_19 ? stored_9[i_p_5 * 2] : count_6) : stored_9[i_p_5 * 2]) : stored_9[i_p_5 * 2 + 1];
    stored_6[i_p_5] = choice_17 ? (choice_18 ? (choice_19 ? stored_10[i_p_5 * 2] : stored_10[i_p_5 * 2] + apart_6 * (stored_9[i_p_5 * 2 + 1] / count_6)) : stored_10[i_p_5 * 2]) : stored_10[i_p_5 * 2 + 1];
    stored_7[i_p_5] = chosen_20;
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_6 = threadIdx.x;
    const bool choice_20 = stored_4[i_p_6 * 2];
    const bool choice_21 = stored_4[i_p_6 * 2 + 1];
    const bool choice_22 = stored_5[i_p_6 * 2 + 1] == 0.0f;
    const float count_7 = stored_5[i_p_6 * 2] + stored_5[i_p_6 * 2 + 1];
    const float apart_7 = stored_6[i_p_6 * 2 + 1] - stored_6[i_p_6 * 2];
    const int at_23 = (int)(choice_20 ? (long long)1 : (long long)0);
    float chosen_23;
    if (0 < at_23) {
      const int at_22 = (int)(choice_21 ? (long long)1 : (long long)0);
      float chosen_22;
      if (0 < at_22) {
        const int at_21 = (int)(choice_22 ? (long long)1 : (long long)0);
        float chosen_21;
        if (0 < at_21) {
          chosen_21 = stored_7[i_p_6 * 2];
        }
        if (at_21 < 1) {
          const float x_7 = stored_7[i_p_6 * 2] + stored_7[i_p_6 * 2 + 1] + apart_7 * apart_7 * (stored_5[i_p_6 * 2] * stored_5[i_p_6 * 2 + 1] / count_7);
          chosen_21 = x_7;
        }
        chosen_22 = chosen_21;
      }
      if (at_22 < 1) {
        chosen_22 = stored_7[i_p_6 * 2];
      }
      chosen_23 = chosen_22;
    }
    if (at_23 < 1) {
      chosen_23 = stored_7[i_p_6 * 2 + 1];
    }
    stored[i_p_6] = choice_20 ? (choice_21 ? true : stored_4[i_p_6 * 2]) : stored_4[i_p_6 * 2 + 1];
    stored_1[i_p_6] = choice_20 ? (choice_21 ? (choice_22 ? stored_5[i_p_6 * 2] : count_7) : stored_5[i_p_6 * 2]) : stored_5[i_p_6 * 2 + 1];
    stored_2[i_p_6] = choice_20 ? (choice_21 ? (choice_22 ? stored_6[i_p_6 * 2] : stored_6[i_p_6 * 2] + apart_7 * (stored_5[i_p_6 * 2 + 1] / count_7)) : stored_6[i_p_6 * 2]) : stored_6[i_p_6 * 2 + 1];
    stored_3[i_p_6] = chosen_23;
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
    const bool choice_23 = a_4;
    const bool choice_24 = stored[i_b_1];
    const bool choice_25 = stored_1[i_b_1] == 0.0f;
    const float count_8 = a_5 + stored_1[i_b_1];
    const float apart_8 = stored_2[i_b_1] - a_6;
    const int at_26 = (int)(choice_23 ? (long long)1 : (long long)0);
    float chosen_26;
    if (0 < at_26) {
      const int at_25 = (int)(choice_24 ? (long long)1 : (long long)0);
      float chosen_25;
      if (0 < at_25) {
        const int at_24 = (int)(choice_25 ? (long long)1 : (long long)0);
        float chosen_24;
        if (0 < at_24) {
          chosen_24 = a_7;
        }
        if (at_24 < 1) {
          const float x_8 = a_7 + stored_3[i_b_1] + apart_8 * apart_8 * (a_5 * stored_1[i_b_1] / count_8);
          chosen_24 = x_8;
        }
        chosen_25 = chosen_24;
      }
      if (at_25 < 1) {
        chosen_25 = a_7;
      }
      chosen_26 = chosen_25;
    }
    if (at_26 < 1) {
      chosen_26 = stored_3[i_b_1];
    }
    a_4 = choice_23 ? (choice_24 ? true : a_4) : stored[i_b_1];
    a_5 = choice_23 ? (choice_24 ? (choice_25 ? a_5 : count_8) : a_5) : stored_1[i_b_1];
    a_6 = choice_23 ? (choice_24 ? (choice_25 ? a_6 : a_6 + apart_8 * (stored_1[i_b_1] / count_8)) : a_6) : stored_2[i_b_1];
    a_7 = chosen_26;
  }
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    b_32[i_part] = a_4;
    b_33[i_part] = a_5;
    b_34[i_part] = a_6;
    b_35[i_part] = a_7;
  }
}

extern "C" __global__ void __launch_bounds__(256) moments_1(
    const bool* __restrict__ b_32,
    const float* __restrict__ b_33,
    const float* __restrict__ b_34,
    const float* __restrict__ b_35,
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
  const int i_part_2 = threadIdx.x;
  bool a_8;
  float a_9;
  float a_10;
  float a_11;
  a_8 = false;
  a_9 = 0.0f;
  a_10 = 0.0f;
  a_11 = 0.0f;
  for (int i_b_2 = 0; i_b_2 < (N + 2047) / 524288 + 1; i_b_2++) {
    const bool b_1_2 = i_part_2 * ((N + 2047) / 524288) + i_part_2 + i_b_2 < (N + 2047) / 2048 ? b_32[i_part_2 * ((N + 2047) / 524288) + i_part_2 + i_b_2] : false;
    const float b_2_1_1 = i_part_2 * ((N + 2047) / 524288) + i_part_2 + i_b_2 < (N + 2047) / 2048 ? b_33[i_part_2 * ((N + 2047) / 524288) + i_part_2 + i_b_2] : 0.0f;
    const float b_2_2_1_1 = i_part_2 * ((N + 2047) / 524288) + i_part_2 + i_b_2 < (N + 2047) / 2048 ? b_34[i_part_2 * ((N + 2047) / 524288) + i_part_2 + i_b_2] : 0.0f;
    const float b_2_2_2_1 = i_part_2 * ((N + 2047) / 524288) + i_part_2 + i_b_2 < (N + 2047) / 2048 ? b_35[i_part_2 * ((N + 2047) / 524288) + i_part_2 + i_b_2] : 0.0f;
    const bool choice_26 = a_8;
    const bool choice_27 = b_2_1_1 == 0.0f;
    const float count_9 = a_9 + b_2_1_1;
    const float apart_9 = b_2_2_1_1 - a_10;
    const int at_29 = (int)(choice_26 ? (long long)1 : (long long)0);
    float chosen_29;
    if (0 < at_29) {
      const int at_28 = (int)(b_1_2 ? (long long)1 : (long long)0);
      float chosen_28;
      if (0 < at_28) {
        const int at_27 = (int)(choice_27 ? (long long)1 : (long long)0);
        float chosen_27;
        if (0 < at_27) {
          chosen_27 = a_11;
        }
        if (at_27 < 1) {
          const float x_9 = a_11 + b_2_2_2_1 + apart_9 * apart_9 * (a_9 * b_2_1_1 / count_9);
          chosen_27 = x_9;
        }
        chosen_28 = chosen_27;
      }
      if (at_28 < 1) {
        chosen_28 = a_11;
      }
      chosen_29 = chosen_28;
    }
    if (at_29 < 1) {
      chosen_29 = b_2_2_2_1;
    }
    a_8 = choice_26 ? (b_1_2 ? true : a_8) : b_1_2;
    a_9 = choice_26 ? (b_1_2 ? (choice_27 ? a_9 : count_9) : a_9) : b_2_1_1;
    a_10 = choice_26 ? (b_1_2 ? (choice_27 ? a_10 : a_10 + apart_9 * (b_2_1_1 / count_9)) : a_10) : b_2_2_1_1;
    a_11 = chosen_29;
  }
  b_28[i_part_2] = a_8;
  b_29[i_part_2] = a_9;
  b_30[i_part_2] = a_10;
  b_31[i_part_2] = a_11;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_p_7 = threadIdx.x;
    const bool choice_28 = b_28[i_p_7 * 2];
    const bool choice_29 = b_28[i_p_7 * 2 + 1];
    const bool choice_30 = b_29[i_p_7 * 2 + 1] == 0.0f;
    const float count_10 = b_29[i_p_7 * 2] + b_29[i_p_7 * 2 + 1];
    const float apart_10 = b_30[i_p_7 * 2 + 1] - b_30[i_p_7 * 2];
    const int at_32 = (int)(choice_28 ? (long long)1 : (long long)0);
    float chosen_32;
    if (0 < at_32) {
      const int at_31 = (int)(choice_29 ? (long long)1 : (long long)0);
      float chosen_31;
      if (0 < at_31) {
        const int at_30 = (int)(choice_30 ? (long long)1 : (long long)0);
        float chosen_30;
        if (0 < at_30) {
          chosen_30 = b_31[i_p_7 * 2];
        }
        if (at_30 < 1) {
          const float x_10 = b_31[i_p_7 * 2] + b_31[i_p_7 * 2 + 1] + apart_10 * apart_10 * (b_29[i_p_7 * 2] * b_29[i_p_7 * 2 + 1] / count_10);
          chosen_30 = x_10;
        }
        chosen_31 = chosen_30;
      }
      if (at_31 < 1) {
        chosen_31 = b_31[i_p_7 * 2];
      }
      chosen_32 = chosen_31;
    }
    if (at_32 < 1) {
      chosen_32 = b_31[i_p_7 * 2 + 1];
    }
    b_24[i_p_7] = choice_28 ? (choice_29 ? true : b_28[i_p_7 * 2]) : b_28[i_p_7 * 2 + 1];
    b_25[i_p_7] = choice_28 ? (choice_29 ? (choice_30 ? b_29[i_p_7 * 2] : count_10) : b_29[i_p_7 * 2]) : b_29[i_p_7 * 2 + 1];
    b_26[i_p_7] = choice_28 ? (choice_29 ? (choice_30 ? b_30[i_p_7 * 2] : b_30[i_p_7 * 2] + apart_10 * (b_29[i_p_7 * 2 + 1] / count_10)) : b_30[i_p_7 * 2]) : b_30[i_p_7 * 2 + 1];
    b_27[i_p_7] = chosen_32;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_8 = threadIdx.x;
    const bool choice_31 = b_24[i_p_8 * 2];
    const bool choice_32 = b_24[i_p_8 * 2 + 1];
    const bool choice_33 = b_25[i_p_8 * 2 + 1] == 0.0f;
    const float count_11 = b_25[i_p_8 * 2] + b_25[i_p_8 * 2 + 1];
    const float apart_11 = b_26[i_p_8 * 2 + 1] - b_26[i_p_8 * 2];
    const int at_35 = (int)(choice_31 ? (long long)1 : (long long)0);
    float chosen_35;
    if (0 < at_35) {
      const int at_34 = (int)(choice_32 ? (long long)1 : (long long)0);
      float chosen_34;
      if (0 < at_34) {
        const int at_33 = (int)(choice_33 ? (long long)1 : (long long)0);
        float chosen_33;
        if (0 < at_33) {
          chosen_33 = b_27[i_p_8 * 2];
        }
        if (at_33 < 1) {
          const float x_11 = b_27[i_p_8 * 2] + b_27[i_p_8 * 2 + 1] + apart_11 * apart_11 * (b_25[i_p_8 * 2] * b_25[i_p_8 * 2 + 1] / count_11);
          chosen_33 = x_11;
        }
        chosen_34 = chosen_33;
      }
      if (at_34 < 1) {
        chosen_34 = b_27[i_p_8 * 2];
      }
      chosen_35 = chosen_34;
    }
    if (at_35 < 1) {
      chosen_35 = b_27[i_p_8 * 2 + 1];
    }
    b_20[i_p_8] = choice_31 ? (choice_32 ? true : b_24[i_p_8 * 2]) : b_24[i_p_8 * 2 + 1];
    b_21[i_p_8] = choice_31 ? (choice_32 ? (choice_33 ? b_25[i_p_8 * 2] : count_11) : b_25[i_p_8 * 2]) : b_25[i_p_8 * 2 + 1];
    b_22[i_p_8] = choice_31 ? (choice_32 ? (choice_33 ? b_26[i_p_8 * 2] : b_26[i_p_8 * 2] + apart_11 * (b_25[i_p_8 * 2 + 1] / count_11)) : b_26[i_p_8 * 2]) : b_26[i_p_8 * 2 + 1];
    b_23[i_p_8] = chosen_35;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_9 = threadIdx.x;
    const bool choice_34 = b_20[i_p_9 * 2];
    const bool choice_35 = b_20[i_p_9 * 2 + 1];
    const bool choice_36 = b_21[i_p_9 * 2 + 1] == 0.0f;
    const float count_12 = b_21[i_p_9 * 2] + b_21[i_p_9 * 2 + 1];
    const float apart_12 = b_22[i_p_9 * 2 + 1] - b_22[i_p_9 * 2];
    const int at_38 = (int)(choice_34 ? (long long)1 : (long long)0);
    float chosen_38;
    if (0 < at_38) {
      const int at_37 = (int)(choice_35 ? (long long)1 : (long long)0);
      float chosen_37;
      if (0 < at_37) {
        const int at_36 = (int)(choice_36 ? (long long)1 : (long long)0);
        float chosen_36;
        if (0 < at_36) {
          chosen_36 = b_23[i_p_9 * 2];
        }
        if (at_36 < 1) {
          const float x_12 = b_23[i_p_9 * 2] + b_23[i_p_9 * 2 + 1] + apart_12 * apart_12 * (b_21[i_p_9 * 2] * b_21[i_p_9 * 2 + 1] / count_12);
          chosen_36 = x_12;
        }
        chosen_37 = chosen_36;
      }
      if (at_37 < 1) {
        chosen_37 = b_23[i_p_9 * 2];
      }
      chosen_38 = chosen_37;
    }
    if (at_38 < 1) {
      chosen_38 = b_23[i_p_9 * 2 + 1];
    }
    b_16[i_p_9] = choice_34 ? (choice_35 ? true : b_20[i_p_9 * 2]) : b_20[i_p_9 * 2 + 1];
    b_17[i_p_9] = choice_34 ? (choice_35 ? (choice_36 ? b_21[i_p_9 * 2] : count_12) : b_21[i_p_9 * 2]) : b_21[i_p_9 * 2 + 1];
    b_18[i_p_9] = choice_34 ? (choice_35 ? (choice_36 ? b_22[i_p_9 * 2] : b_22[i_p_9 * 2] + apart_12 * (b_21[i_p_9 * 2 + 1] / count_12)) : b_22[i_p_9 * 2]) : b_22[i_p_9 * 2 + 1];
    b_19[i_p_9] = chosen_38;
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_10 = threadIdx.x;
    const bool choice_37 = b_16[i_p_10 * 2];
    const bool choice_38 = b_16[i_p_10 * 2 + 1];
    const bool choice_39 = b_17[i_p_10 * 2 + 1] == 0.0f;
    const float count_13 = b_17[i_p_10 * 2] + b_17[i_p_10 * 2 + 1];
    const float apart_13 = b_18[i_p_10 * 2 + 1] - b_18[i_p_10 * 2];
    const int at_41 = (int)(choice_37 ? (long long)1 : (long long)0);
    float chosen_41;
    if (0 < at_41) {
      const int at_40 = (int)(choice_38 ? (long long)1 : (long long)0);
      float chosen_40;
      if (0 < at_40) {
        const int at_39 = (int)(choice_39 ? (long long)1 : (long long)0);
        float chosen_39;
        if (0 < at_39) {
          chosen_39 = b_19[i_p_10 * 2];
        }
        if (at_39 < 1) {
          const float x_13 = b_19[i_p_10 * 2] + b_19[i_p_10 * 2 + 1] + apart_13 * apart_13 * (b_17[i_p_10 * 2] * b_17[i_p_10 * 2 + 1] / count_13);
          chosen_39 = x_13;
        }
        chosen_40 = chosen_39;
      }
      if (at_40 < 1) {
        chosen_40 = b_19[i_p_10 * 2];
      }
      chosen_41 = chosen_40;
    }
    if (at_41 < 1) {
      chosen_41 = b_19[i_p_10 * 2 + 1];
    }
    b_12[i_p_10] = choice_37 ? (choice_38 ? true : b_16[i_p_10 * 2]) : b_16[i_p_10 * 2 + 1];
    b_13[i_p_10] = choice_37 ? (choice_38 ? (choice_39 ? b_17[i_p_10 * 2] : count_13) : b_17[i_p_10 * 2]) : b_17[i_p_10 * 2 + 1];
    b_14[i_p_10] = choice_37 ? (choice_38 ? (choice_39 ? b_18[i_p_10 * 2] : b_18[i_p_10 * 2] + apart_13 * (b_17[i_p_10 * 2 + 1] / count_13)) : b_18[i_p_10 * 2]) : b_18[i_p_10 * 2 + 1];
    b_15[i_p_10] = chosen_41;
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_11 = threadIdx.x;
    const bool choice_40 = b_12[i_p_11 * 2];
    const bool choice_41 = b_12[i_p_11 * 2 + 1];
    const bool choice_42 = b_13[i_p_11 * 2 + 1] == 0.0f;
    const float count_14 = b_13[i_p_11 * 2] + b_13[i_p_11 * 2 + 1];
    const float apart_14 = b_14[i_p_11 * 2 + 1] - b_14[i_p_11 * 2];
    const int at_44 = (int)(choice_40 ? (long long)1 : (long long)0);
    float chosen_44;
    if (0 < at_44) {
      const int at_43 = (int)(choice_41 ? (long long)1 : (long long)0);
      float chosen_43;
      if (0 < at_43) {
        const int at_42 = (int)(choice_42 ? (long long)1 : (long long)0);
        float chosen_42;
        if (0 < at_42) {
          chosen_42 = b_15[i_p_11 * 2];
        }
        if (at_42 < 1) {
          const float x_14 = b_15[i_p_11 * 2] + b_15[i_p_11 * 2 + 1] + apart_14 * apart_14 * (b_13[i_p_11 * 2] * b_13[i_p_11 * 2 + 1] / count_14);
          chosen_42 = x_14;
        }
        chosen_43 = chosen_42;
      }
      if (at_43 < 1) {
        chosen_43 = b_15[i_p_11 * 2];
      }
      chosen_44 = chosen_43;
    }
    if (at_44 < 1) {
      chosen_44 = b_15[i_p_11 * 2 + 1];
    }
    b_8[i_p_11] = choice_40 ? (choice_41 ? true : b_12[i_p_11 * 2]) : b_12[i_p_11 * 2 + 1];
    b_9[i_p_11] = choice_40 ? (choice_41 ? (choice_42 ? b_13[i_p_11 * 2] : count_14) : b_13[i_p_11 * 2]) : b_13[i_p_11 * 2 + 1];
    b_10[i_p_11] = choice_40 ? (choice_41 ? (choice_42 ? b_14[i_p_11 * 2] : b_14[i_p_11 * 2] + apart_14 * (b_13[i_p_11 * 2 + 1] / count_14)) : b_14[i_p_11 * 2]) : b_14[i_p_11 * 2 + 1];
    b_11[i_p_11] = chosen_44;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_12 = threadIdx.x;
    const bool choice_43 = b_8[i_p_12 * 2];
    const bool choice_44 = b_8[i_p_12 * 2 + 1];
    const bool choice_45 = b_9[i_p_12 * 2 + 1] == 0.0f;
    const float count_15 = b_9[i_p_12 * 2] + b_9[i_p_12 * 2 + 1];
    const float apart_15 = b_10[i_p_12 * 2 + 1] - b_10[i_p_12 * 2];
    const int at_47 = (int)(choice_43 ? (long long)1 : (long long)0);
    float chosen_47;
    if (0 < at_47) {
      const int at_46 = (int)(choice_44 ? (long long)1 : (long long)0);
      float chosen_46;
      if (0 < at_46) {
        const int at_45 = (int)(choice_45 ? (long long)1 : (long long)0);
        float chosen_45;
        if (0 < at_45) {
          chosen_45 = b_11[i_p_12 * 2];
        }
        if (at_45 < 1) {
          const float x_15 = b_11[i_p_12 * 2] + b_11[i_p_12 * 2 + 1] + apart_15 * apart_15 * (b_9[i_p_12 * 2] * b_9[i_p_12 * 2 + 1] / count_15);
          chosen_45 = x_15;
        }
        chosen_46 = chosen_45;
      }
      if (at_46 < 1) {
        chosen_46 = b_11[i_p_12 * 2];
      }
      chosen_47 = chosen_46;
    }
    if (at_47 < 1) {
      chosen_47 = b_11[i_p_12 * 2 + 1];
    }
    b_4[i_p_12] = choice_43 ? (choice_44 ? true : b_8[i_p_12 * 2]) : b_8[i_p_12 * 2 + 1];
    b_5[i_p_12] = choice_43 ? (choice_44 ? (choice_45 ? b_9[i_p_12 * 2] : count_15) : b_9[i_p_12 * 2]) : b_9[i_p_12 * 2 + 1];
    b_6[i_p_12] = choice_43 ? (choice_44 ? (choice_45 ? b_10[i_p_12 * 2] : b_10[i_p_12 * 2] + apart_15 * (b_9[i_p_12 * 2 + 1] / count_15)) : b_10[i_p_12 * 2]) : b_10[i_p_12 * 2 + 1];
    b_7[i_p_12] = chosen_47;
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_13 = threadIdx.x;
    const bool choice_46 = b_4[i_p_13 * 2];
    const bool choice_47 = b_4[i_p_13 * 2 + 1];
    const bool choice_48 = b_5[i_p_13 * 2 + 1] == 0.0f;
    const float count_16 = b_5[i_p_13 * 2] + b_5[i_p_13 * 2 + 1];
    const float apart_16 = b_6[i_p_13 * 2 + 1] - b_6[i_p_13 * 2];
    const int at_50 = (int)(choice_46 ? (long long)1 : (long long)0);
    float chosen_50;
    if (0 < at_50) {
      const int at_49 = (int)(choice_47 ? (long long)1 : (long long)0);
      float chosen_49;
      if (0 < at_49) {
        const int at_48 = (int)(choice_48 ? (long long)1 : (long long)0);
        float chosen_48;
        if (0 < at_48) {
          chosen_48 = b_7[i_p_13 * 2];
        }
        if (at_48 < 1) {
          const float x_16 = b_7[i_p_13 * 2] + b_7[i_p_13 * 2 + 1] + apart_16 * apart_16 * (b_5[i_p_13 * 2] * b_5[i_p_13 * 2 + 1] / count_16);
          chosen_48 = x_16;
        }
        chosen_49 = chosen_48;
      }
      if (at_49 < 1) {
        chosen_49 = b_7[i_p_13 * 2];
      }
      chosen_50 = chosen_49;
    }
    if (at_50 < 1) {
      chosen_50 = b_7[i_p_13 * 2 + 1];
    }
    b[i_p_13] = choice_46 ? (choice_47 ? true : b_4[i_p_13 * 2]) : b_4[i_p_13 * 2 + 1];
    b_1[i_p_13] = choice_46 ? (choice_47 ? (choice_48 ? b_5[i_p_13 * 2] : count_16) : b_5[i_p_13 * 2]) : b_5[i_p_13 * 2 + 1];
    b_2[i_p_13] = choice_46 ? (choice_47 ? (choice_48 ? b_6[i_p_13 * 2] : b_6[i_p_13 * 2] + apart_16 * (b_5[i_p_13 * 2 + 1] / count_16)) : b_6[i_p_13 * 2]) : b_6[i_p_13 * 2 + 1];
    b_3[i_p_13] = chosen_50;
  }
  bool a_12;
  float a_13;
  float a_14;
  float a_15;
  a_12 = false;
  a_13 = 0.0f;
  a_14 = 0.0f;
  a_15 = 0.0f;
  __syncthreads();
  for (int i_b_3 = 0; i_b_3 < 2; i_b_3++) {
    const bool choice_49 = a_12;
    const bool choice_50 = b[i_b_3];
    const bool choice_51 = b_1[i_b_3] == 0.0f;
    const float count_17 = a_13 + b_1[i_b_3];
    const float apart_17 = b_2[i_b_3] - a_14;
    const int at_53 = (int)(choice_49 ? (long long)1 : (long long)0);
    float chosen_53;
    if (0 < at_53) {
      const int at_52 = (int)(choice_50 ? (long long)1 : (long long)0);
      float chosen_52;
      if (0 < at_52) {
        const int at_51 = (int)(choice_51 ? (long long)1 : (long long)0);
        float chosen_51;
        if (0 < at_51) {
          chosen_51 = a_15;
        }
        if (at_51 < 1) {
          const float x_17 = a_15 + b_3[i_b_3] + apart_17 * apart_17 * (a_13 * b_1[i_b_3] / count_17);
          chosen_51 = x_17;
        }
        chosen_52 = chosen_51;
      }
      if (at_52 < 1) {
        chosen_52 = a_15;
      }
      chosen_53 = chosen_52;
    }
    if (at_53 < 1) {
      chosen_53 = b_3[i_b_3];
    }
    a_12 = choice_49 ? (choice_50 ? true : a_12) : b[i_b_3];
    a_13 = choice_49 ? (choice_50 ? (choice_51 ? a_13 : count_17) : a_13) : b_1[i_b_3];
    a_14 = choice_49 ? (choice_50 ? (choice_51 ? a_14 : a_14 + apart_17 * (b_1[i_b_3] / count_17)) : a_14) : b_2[i_b_3];
    a_15 = chosen_53;
  }
  const bool choice_52 = a_12;
  const bool choice_53 = a_13 == 0.0f;
  const float count_18 = 0.0f + a_13;
  const float apart_18 = a_14 - 0.0f;
  const int at_55 = (int)(choice_52 ? (long long)1 : (long long)0);
  float chosen_55;
  if (0 < at_55) {
    const int at_54 = (int)(choice_53 ? (long long)1 : (long long)0);
    float chosen_54;
    if (0 < at_54) {
      chosen_54 = 0.0f;
    }
    if (at_54 < 1) {
      const float x_18 = 0.0f + a_15 + apart_18 * apart_18 * (0.0f * a_13 / count_18);
      chosen_54 = x_18;
    }
    chosen_55 = chosen_54;
  }
  if (at_55 < 1) {
    chosen_55 = 0.0f;
  }
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    output_1[0] = choice_52 ? (choice_53 ? 0.0f : count_18) : 0.0f;
    output_2[0] = choice_52 ? (choice_53 ? 0.0f : 0.0f + apart_18 * (a_13 / count_18)) : 0.0f;
    output_3[0] = chosen_55;
  }
}
