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
    const int at_3 = (int)(choice ? (long long)1 : (long long)0);
    float chosen_6;
    if (0 < at_3) {
      const int at_5 = (int)(b_1_1 ? (long long)1 : (long long)0);
      float chosen_5;
      if (0 < at_5) {
        const int at_6 = (int)(choice_1 ? (long long)1 : (long long)0);
        float chosen_4;
        if (0 < at_6) {
          chosen_4 = a_3;
        }
        if (at_6 < 1) {
          const float x_7 = a_3 + b_2_2_2 + apart * apart * (a_1 * b_2_1 / count);
          chosen_4 = x_7;
        }
        chosen_5 = chosen_4;
      }
      if (at_5 < 1) {
        chosen_5 = a_3;
      }
      chosen_6 = chosen_5;
    }
    if (at_3 < 1) {
      chosen_6 = b_2_2_2;
    }
    a = choice ? (b_1_1 ? true : a) : b_1_1;
    a_1 = choice ? (b_1_1 ? (choice_1 ? a_1 : count) : a_1) : b_2_1;
    a_2 = choice ? (b_1_1 ? (choice_1 ? a_2 : a_2 + apart * (b_2_1 / count)) : a_2) : b_2_2_1;
    a_3 = chosen_6;
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
    const int at_10 = (int)(choice_2 ? (long long)1 : (long long)0);
    float chosen_13;
    if (0 < at_10) {
      const int at_12 = (int)(choice_3 ? (long long)1 : (long long)0);
      float chosen_12;
      if (0 < at_12) {
        const int at_13 = (int)(choice_4 ? (long long)1 : (long long)0);
        float chosen_11;
        if (0 < at_13) {
          chosen_11 = stored_31[i_p * 2];
        }
        if (at_13 < 1) {
          const float x_15 = stored_31[i_p * 2] + stored_31[i_p * 2 + 1] + apart_1 * apart_1 * (stored_29[i_p * 2] * stored_29[i_p * 2 + 1] / count_1);
          chosen_11 = x_15;
        }
        chosen_12 = chosen_11;
      }
      if (at_12 < 1) {
        chosen_12 = stored_31[i_p * 2];
      }
      chosen_13 = chosen_12;
    }
    if (at_10 < 1) {
      chosen_13 = stored_31[i_p * 2 + 1];
    }
    stored_24[i_p] = choice_2 ? (choice_3 ? true : stored_28[i_p * 2]) : stored_28[i_p * 2 + 1];
    stored_25[i_p] = choice_2 ? (choice_3 ? (choice_4 ? stored_29[i_p * 2] : count_1) : stored_29[i_p * 2]) : stored_29[i_p * 2 + 1];
    stored_26[i_p] = choice_2 ? (choice_3 ? (choice_4 ? stored_30[i_p * 2] : stored_30[i_p * 2] + apart_1 * (stored_29[i_p * 2 + 1] / count_1)) : stored_30[i_p * 2]) : stored_30[i_p * 2 + 1];
    stored_27[i_p] = chosen_13;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_1 = threadIdx.x;
    const bool choice_5 = stored_24[i_p_1 * 2];
    const bool choice_6 = stored_24[i_p_1 * 2 + 1];
    const bool choice_7 = stored_25[i_p_1 * 2 + 1] == 0.0f;
    const float count_2 = stored_25[i_p_1 * 2] + stored_25[i_p_1 * 2 + 1];
    const float apart_2 = stored_26[i_p_1 * 2 + 1] - stored_26[i_p_1 * 2];
    const int at_17 = (int)(choice_5 ? (long long)1 : (long long)0);
    float chosen_20;
    if (0 < at_17) {
      const int at_19 = (int)(choice_6 ? (long long)1 : (long long)0);
      float chosen_19;
      if (0 < at_19) {
        const int at_20 = (int)(choice_7 ? (long long)1 : (long long)0);
        float chosen_18;
        if (0 < at_20) {
          chosen_18 = stored_27[i_p_1 * 2];
        }
        if (at_20 < 1) {
          const float x_23 = stored_27[i_p_1 * 2] + stored_27[i_p_1 * 2 + 1] + apart_2 * apart_2 * (stored_25[i_p_1 * 2] * stored_25[i_p_1 * 2 + 1] / count_2);
          chosen_18 = x_23;
        }
        chosen_19 = chosen_18;
      }
      if (at_19 < 1) {
        chosen_19 = stored_27[i_p_1 * 2];
      }
      chosen_20 = chosen_19;
    }
    if (at_17 < 1) {
      chosen_20 = stored_27[i_p_1 * 2 + 1];
    }
    stored_20[i_p_1] = choice_5 ? (choice_6 ? true : stored_24[i_p_1 * 2]) : stored_24[i_p_1 * 2 + 1];
    stored_21[i_p_1] = choice_5 ? (choice_6 ? (choice_7 ? stored_25[i_p_1 * 2] : count_2) : stored_25[i_p_1 * 2]) : stored_25[i_p_1 * 2 + 1];
    stored_22[i_p_1] = choice_5 ? (choice_6 ? (choice_7 ? stored_26[i_p_1 * 2] : stored_26[i_p_1 * 2] + apart_2 * (stored_25[i_p_1 * 2 + 1] / count_2)) : stored_26[i_p_1 * 2]) : stored_26[i_p_1 * 2 + 1];
    stored_23[i_p_1] = chosen_20;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_2 = threadIdx.x;
    const bool choice_8 = stored_20[i_p_2 * 2];
    const bool choice_9 = stored_20[i_p_2 * 2 + 1];
    const bool choice_10 = stored_21[i_p_2 * 2 + 1] == 0.0f;
    const float count_3 = stored_21[i_p_2 * 2] + stored_21[i_p_2 * 2 + 1];
    const float apart_3 = stored_22[i_p_2 * 2 + 1] - stored_22[i_p_2 * 2];
    const int at_24 = (int)(choice_8 ? (long long)1 : (long long)0);
    float chosen_27;
    if (0 < at_24) {
      const int at_26 = (int)(choice_9 ? (long long)1 : (long long)0);
      float chosen_26;
      if (0 < at_26) {
        const int at_27 = (int)(choice_10 ? (long long)1 : (long long)0);
        float chosen_25;
        if (0 < at_27) {
          chosen_25 = stored_23[i_p_2 * 2];
        }
        if (at_27 < 1) {
          const float x_31 = stored_23[i_p_2 * 2] + stored_23[i_p_2 * 2 + 1] + apart_3 * apart_3 * (stored_21[i_p_2 * 2] * stored_21[i_p_2 * 2 + 1] / count_3);
          chosen_25 = x_31;
        }
        chosen_26 = chosen_25;
      }
      if (at_26 < 1) {
        chosen_26 = stored_23[i_p_2 * 2];
      }
      chosen_27 = chosen_26;
    }
    if (at_24 < 1) {
      chosen_27 = stored_23[i_p_2 * 2 + 1];
    }
    stored_16[i_p_2] = choice_8 ? (choice_9 ? true : stored_20[i_p_2 * 2]) : stored_20[i_p_2 * 2 + 1];
    stored_17[i_p_2] = choice_8 ? (choice_9 ? (choice_10 ? stored_21[i_p_2 * 2] : count_3) : stored_21[i_p_2 * 2]) : stored_21[i_p_2 * 2 + 1];
    stored_18[i_p_2] = choice_8 ? (choice_9 ? (choice_10 ? stored_22[i_p_2 * 2] : stored_22[i_p_2 * 2] + apart_3 * (stored_21[i_p_2 * 2 + 1] / count_3)) : stored_22[i_p_2 * 2]) : stored_22[i_p_2 * 2 + 1];
    stored_19[i_p_2] = chosen_27;
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_3 = threadIdx.x;
    const bool choice_11 = stored_16[i_p_3 * 2];
    const bool choice_12 = stored_16[i_p_3 * 2 + 1];
    const bool choice_13 = stored_17[i_p_3 * 2 + 1] == 0.0f;
    const float count_4 = stored_17[i_p_3 * 2] + stored_17[i_p_3 * 2 + 1];
    const float apart_4 = stored_18[i_p_3 * 2 + 1] - stored_18[i_p_3 * 2];
    const int at_31 = (int)(choice_11 ? (long long)1 : (long long)0);
    float chosen_34;
    if (0 < at_31) {
      const int at_33 = (int)(choice_12 ? (long long)1 : (long long)0);
      float chosen_33;
      if (0 < at_33) {
        const int at_34 = (int)(choice_13 ? (long long)1 : (long long)0);
        float chosen_32;
        if (0 < at_34) {
          chosen_32 = stored_19[i_p_3 * 2];
        }
        if (at_34 < 1) {
          const float x_39 = stored_19[i_p_3 * 2] + stored_19[i_p_3 * 2 + 1] + apart_4 * apart_4 * (stored_17[i_p_3 * 2] * stored_17[i_p_3 * 2 + 1] / count_4);
          chosen_32 = x_39;
        }
        chosen_33 = chosen_32;
      }
      if (at_33 < 1) {
        chosen_33 = stored_19[i_p_3 * 2];
      }
      chosen_34 = chosen_33;
    }
    if (at_31 < 1) {
      chosen_34 = stored_19[i_p_3 * 2 + 1];
    }
    stored_12[i_p_3] = choice_11 ? (choice_12 ? true : stored_16[i_p_3 * 2]) : stored_16[i_p_3 * 2 + 1];
    stored_13[i_p_3] = choice_11 ? (choice_12 ? (choice_13 ? stored_17[i_p_3 * 2] : count_4) : stored_17[i_p_3 * 2]) : stored_17[i_p_3 * 2 + 1];
    stored_14[i_p_3] = choice_11 ? (choice_12 ? (choice_13 ? stored_18[i_p_3 * 2] : stored_18[i_p_3 * 2] + apart_4 * (stored_17[i_p_3 * 2 + 1] / count_4)) : stored_18[i_p_3 * 2]) : stored_18[i_p_3 * 2 + 1];
    stored_15[i_p_3] = chosen_34;
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_4 = threadIdx.x;
    const bool choice_14 = stored_12[i_p_4 * 2];
    const bool choice_15 = stored_12[i_p_4 * 2 + 1];
    const bool choice_16 = stored_13[i_p_4 * 2 + 1] == 0.0f;
    const float count_5 = stored_13[i_p_4 * 2] + stored_13[i_p_4 * 2 + 1];
    const float apart_5 = stored_14[i_p_4 * 2 + 1] - stored_14[i_p_4 * 2];
    const int at_38 = (int)(choice_14 ? (long long)1 : (long long)0);
    float chosen_41;
    if (0 < at_38) {
      const int at_40 = (int)(choice_15 ? (long long)1 : (long long)0);
      float chosen_40;
      if (0 < at_40) {
        const int at_41 = (int)(choice_16 ? (long long)1 : (long long)0);
        float chosen_39;
        if (0 < at_41) {
          chosen_39 = stored_15[i_p_4 * 2];
        }
        if (at_41 < 1) {
          const float x_47 = stored_15[i_p_4 * 2] + stored_15[i_p_4 * 2 + 1] + apart_5 * apart_5 * (stored_13[i_p_4 * 2] * stored_13[i_p_4 * 2 + 1] / count_5);
          chosen_39 = x_47;
        }
        chosen_40 = chosen_39;
      }
      if (at_40 < 1) {
        chosen_40 = stored_15[i_p_4 * 2];
      }
      chosen_41 = chosen_40;
    }
    if (at_38 < 1) {
      chosen_41 = stored_15[i_p_4 * 2 + 1];
    }
    stored_8[i_p_4] = choice_14 ? (choice_15 ? true : stored_12[i_p_4 * 2]) : stored_12[i_p_4 * 2 + 1];
    stored_9[i_p_4] = choice_14 ? (choice_15 ? (choice_16 ? stored_13[i_p_4 * 2] : count_5) : stored_13[i_p_4 * 2]) : stored_13[i_p_4 * 2 + 1];
    stored_10[i_p_4] = choice_14 ? (choice_15 ? (choice_16 ? stored_14[i_p_4 * 2] : stored_14[i_p_4 * 2] + apart_5 * (stored_13[i_p_4 * 2 + 1] / count_5)) : stored_14[i_p_4 * 2]) : stored_14[i_p_4 * 2 + 1];
    stored_11[i_p_4] = chosen_41;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_5 = threadIdx.x;
    const bool choice_17 = stored_8[i_p_5 * 2];
    const bool choice_18 = stored_8[i_p_5 * 2 + 1];
    const bool choice_19 = stored_9[i_p_5 * 2 + 1] == 0.0f;
    const float count_6 = stored_9[i_p_5 * 2] + stored_9[i_p_5 * 2 + 1];
    const float apart_6 = stored_10[i_p_5 * 2 + 1] - stored_10[i_p_5 * 2];
    const int at_45 = (int)(choice_17 ? (long long)1 : (long long)0);
    float chosen_48;
    if (0 < at_45) {
      const int at_47 = (int)(choice_18 ? (long long)1 : (long long)0);
      float chosen_47;
      if (0 < at_47) {
        const int at_48 = (int)(choice_19 ? (long long)1 : (long long)0);
        float chosen_46;
        if (0 < at_48) {
          chosen_46 = stored_11[i_p_5 * 2];
        }
        if (at_48 < 1) {
          const float x_55 = stored_11[i_p_5 * 2] + stored_11[i_p_5 * 2 + 1] + apart_6 * apart_6 * (stored_9[i_p_5 * 2] * stored_9[i_p_5 * 2 + 1] / count_6);
          chosen_46 = x_55;
        }
        chosen_47 = chosen_46;
      }
      if (at_47 < 1) {
        chosen_47 = stored_11[i_p_5 * 2];
      }
      chosen_48 = chosen_47;
    }
    if (at_45 < 1) {
      chosen_48 = stored_11[i_p_5 * 2 + 1];
    }
    stored_4[i_p_5] = choice_17 ? (choice_18 ? true : stored_8[i_p_5 * 2]) : stored_8[i_p_5 * 2 + 1];
    stored_5[i_p_5] = choice_17 ? (choice_18 ? (choice_19 ? stored_9[i_p_5 * 2] : count_6) : stored_9[i_p_5 * 2]) : stored_9[i_p_5 * 2 + 1];
    stored_6[i_p_5] = choice_17 ? (choice_18 ? (choice_19 ? stored_10[i_p_5 * 2] : stored_10[i_p_5 * 2] + apart_6 * (stored_9[i_p_5 * 2 + 1] / count_6)) : stored_10[i_p_5 * 2]) : stored_10[i_p_5 * 2 + 1];
    stored_7[i_p_5] = chosen_48;
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_6 = threadIdx.x;
    const bool choice_20 = stored_4[i_p_6 * 2];
    const bool choice_21 = stored_4[i_p_6 * 2 + 1];
    const bool choice_22 = stored_5[i_p_6 * 2 + 1] == 0.0f;
    const float count_7 = stored_5[i_p_6 * 2] + stored_5[i_p_6 * 2 + 1];
    const float apart_7 = stored_6[i_p_6 * 2 + 1] - stored_6[i_p_6 * 2];
    const int at_52 = (int)(choice_20 ? (long long)1 : (long long)0);
    float chosen_55;
    if (0 < at_52) {
      const int at_54 = (int)(choice_21 ? (long long)1 : (long long)0);
      float chosen_54;
      if (0 < at_54) {
        const int at_55 = (int)(choice_22 ? (long long)1 : (long long)0);
        float chosen_53;
        if (0 < at_55) {
          chosen_53 = stored_7[i_p_6 * 2];
        }
        if (at_55 < 1) {
          const float x_63 = stored_7[i_p_6 * 2] + stored_7[i_p_6 * 2 + 1] + apart_7 * apart_7 * (stored_5[i_p_6 * 2] * stored_5[i_p_6 * 2 + 1] / count_7);
          chosen_53 = x_63;
        }
        chosen_54 = chosen_53;
      }
      if (at_54 < 1) {
        chosen_54 = stored_7[i_p_6 * 2];
      }
      chosen_55 = chosen_54;
    }
    if (at_52 < 1) {
      chosen_55 = stored_7[i_p_6 * 2 + 1];
    }
    stored[i_p_6] = choice_20 ? (choice_21 ? true : stored_4[i_p_6 * 2]) : stored_4[i_p_6 * 2 + 1];
    stored_1[i_p_6] = choice_20 ? (choice_21 ? (choice_22 ? stored_5[i_p_6 * 2] : count_7) : stored_5[i_p_6 * 2]) : stored_5[i_p_6 * 2 + 1];
    stored_2[i_p_6] = choice_20 ? (choice_21 ? (choice_22 ? stored_6[i_p_6 * 2] : stored_6[i_p_6 * 2] + apart_7 * (stored_5[i_p_6 * 2 + 1] / count_7)) : stored_6[i_p_6 * 2]) : stored_6[i_p_6 * 2 + 1];
    stored_3[i_p_6] = chosen_55;
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
    const int at_59 = (int)(choice_23 ? (long long)1 : (long long)0);
    float chosen_62;
    if (0 < at_59) {
      const int at_61 = (int)(choice_24 ? (long long)1 : (long long)0);
      float chosen_61;
      if (0 < at_61) {
        const int at_62 = (int)(choice_25 ? (long long)1 : (long long)0);
        float chosen_60;
        if (0 < at_62) {
          chosen_60 = a_7;
        }
        if (at_62 < 1) {
          const float x_71 = a_7 + stored_3[i_b_1] + apart_8 * apart_8 * (a_5 * stored_1[i_b_1] / count_8);
          chosen_60 = x_71;
        }
        chosen_61 = chosen_60;
      }
      if (at_61 < 1) {
        chosen_61 = a_7;
      }
      chosen_62 = chosen_61;
    }
    if (at_59 < 1) {
      chosen_62 = stored_3[i_b_1];
    }
    a_4 = choice_23 ? (choice_24 ? true : a_4) : stored[i_b_1];
    a_5 = choice_23 ? (choice_24 ? (choice_25 ? a_5 : count_8) : a_5) : stored_1[i_b_1];
    a_6 = choice_23 ? (choice_24 ? (choice_25 ? a_6 : a_6 + apart_8 * (stored_1[i_b_1] / count_8)) : a_6) : stored_2[i_b_1];
    a_7 = chosen_62;
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
    const int at_66 = (int)(choice_26 ? (long long)1 : (long long)0);
    float chosen_69;
    if (0 < at_66) {
      const int at_68 = (int)(b_1_2 ? (long long)1 : (long long)0);
      float chosen_68;
      if (0 < at_68) {
        const int at_69 = (int)(choice_27 ? (long long)1 : (long long)0);
        float chosen_67;
        if (0 < at_69) {
          chosen_67 = a_11;
        }
        if (at_69 < 1) {
          const float x_79 = a_11 + b_2_2_2_1 + apart_9 * apart_9 * (a_9 * b_2_1_1 / count_9);
          chosen_67 = x_79;
        }
        chosen_68 = chosen_67;
      }
      if (at_68 < 1) {
        chosen_68 = a_11;
      }
      chosen_69 = chosen_68;
    }
    if (at_66 < 1) {
      chosen_69 = b_2_2_2_1;
    }
    a_8 = choice_26 ? (b_1_2 ? true : a_8) : b_1_2;
    a_9 = choice_26 ? (b_1_2 ? (choice_27 ? a_9 : count_9) : a_9) : b_2_1_1;
    a_10 = choice_26 ? (b_1_2 ? (choice_27 ? a_10 : a_10 + apart_9 * (b_2_1_1 / count_9)) : a_10) : b_2_2_1_1;
    a_11 = chosen_69;
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
    const int at_73 = (int)(choice_28 ? (long long)1 : (long long)0);
    float chosen_76;
    if (0 < at_73) {
      const int at_75 = (int)(choice_29 ? (long long)1 : (long long)0);
      float chosen_75;
      if (0 < at_75) {
        const int at_76 = (int)(choice_30 ? (long long)1 : (long long)0);
        float chosen_74;
        if (0 < at_76) {
          chosen_74 = b_31[i_p_7 * 2];
        }
        if (at_76 < 1) {
          const float x_87 = b_31[i_p_7 * 2] + b_31[i_p_7 * 2 + 1] + apart_10 * apart_10 * (b_29[i_p_7 * 2] * b_29[i_p_7 * 2 + 1] / count_10);
          chosen_74 = x_87;
        }
        chosen_75 = chosen_74;
      }
      if (at_75 < 1) {
        chosen_75 = b_31[i_p_7 * 2];
      }
      chosen_76 = chosen_75;
    }
    if (at_73 < 1) {
      chosen_76 = b_31[i_p_7 * 2 + 1];
    }
    b_24[i_p_7] = choice_28 ? (choice_29 ? true : b_28[i_p_7 * 2]) : b_28[i_p_7 * 2 + 1];
    b_25[i_p_7] = choice_28 ? (choice_29 ? (choice_30 ? b_29[i_p_7 * 2] : count_10) : b_29[i_p_7 * 2]) : b_29[i_p_7 * 2 + 1];
    b_26[i_p_7] = choice_28 ? (choice_29 ? (choice_30 ? b_30[i_p_7 * 2] : b_30[i_p_7 * 2] + apart_10 * (b_29[i_p_7 * 2 + 1] / count_10)) : b_30[i_p_7 * 2]) : b_30[i_p_7 * 2 + 1];
    b_27[i_p_7] = chosen_76;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_8 = threadIdx.x;
    const bool choice_31 = b_24[i_p_8 * 2];
    const bool choice_32 = b_24[i_p_8 * 2 + 1];
    const bool choice_33 = b_25[i_p_8 * 2 + 1] == 0.0f;
    const float count_11 = b_25[i_p_8 * 2] + b_25[i_p_8 * 2 + 1];
    const float apart_11 = b_26[i_p_8 * 2 + 1] - b_26[i_p_8 * 2];
    const int at_80 = (int)(choice_31 ? (long long)1 : (long long)0);
    float chosen_83;
    if (0 < at_80) {
      const int at_82 = (int)(choice_32 ? (long long)1 : (long long)0);
      float chosen_82;
      if (0 < at_82) {
        const int at_83 = (int)(choice_33 ? (long long)1 : (long long)0);
        float chosen_81;
        if (0 < at_83) {
          chosen_81 = b_27[i_p_8 * 2];
        }
        if (at_83 < 1) {
          const float x_95 = b_27[i_p_8 * 2] + b_27[i_p_8 * 2 + 1] + apart_11 * apart_11 * (b_25[i_p_8 * 2] * b_25[i_p_8 * 2 + 1] / count_11);
          chosen_81 = x_95;
        }
        chosen_82 = chosen_81;
      }
      if (at_82 < 1) {
        chosen_82 = b_27[i_p_8 * 2];
      }
      chosen_83 = chosen_82;
    }
    if (at_80 < 1) {
      chosen_83 = b_27[i_p_8 * 2 + 1];
    }
    b_20[i_p_8] = choice_31 ? (choice_32 ? true : b_24[i_p_8 * 2]) : b_24[i_p_8 * 2 + 1];
    b_21[i_p_8] = choice_31 ? (choice_32 ? (choice_33 ? b_25[i_p_8 * 2] : count_11) : b_25[i_p_8 * 2]) : b_25[i_p_8 * 2 + 1];
    b_22[i_p_8] = choice_31 ? (choice_32 ? (choice_33 ? b_26[i_p_8 * 2] : b_26[i_p_8 * 2] + apart_11 * (b_25[i_p_8 * 2 + 1] / count_11)) : b_26[i_p_8 * 2]) : b_26[i_p_8 * 2 + 1];
    b_23[i_p_8] = chosen_83;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_9 = threadIdx.x;
    const bool choice_34 = b_20[i_p_9 * 2];
    const bool choice_35 = b_20[i_p_9 * 2 + 1];
    const bool choice_36 = b_21[i_p_9 * 2 + 1] == 0.0f;
    const float count_12 = b_21[i_p_9 * 2] + b_21[i_p_9 * 2 + 1];
    const float apart_12 = b_22[i_p_9 * 2 + 1] - b_22[i_p_9 * 2];
    const int at_87 = (int)(choice_34 ? (long long)1 : (long long)0);
    float chosen_90;
    if (0 < at_87) {
      const int at_89 = (int)(choice_35 ? (long long)1 : (long long)0);
      float chosen_89;
      if (0 < at_89) {
        const int at_90 = (int)(choice_36 ? (long long)1 : (long long)0);
        float chosen_88;
        if (0 < at_90) {
          chosen_88 = b_23[i_p_9 * 2];
        }
        if (at_90 < 1) {
          const float x_103 = b_23[i_p_9 * 2] + b_23[i_p_9 * 2 + 1] + apart_12 * apart_12 * (b_21[i_p_9 * 2] * b_21[i_p_9 * 2 + 1] / count_12);
          chosen_88 = x_103;
        }
        chosen_89 = chosen_88;
      }
      if (at_89 < 1) {
        chosen_89 = b_23[i_p_9 * 2];
      }
      chosen_90 = chosen_89;
    }
    if (at_87 < 1) {
      chosen_90 = b_23[i_p_9 * 2 + 1];
    }
    b_16[i_p_9] = choice_34 ? (choice_35 ? true : b_20[i_p_9 * 2]) : b_20[i_p_9 * 2 + 1];
    b_17[i_p_9] = choice_34 ? (choice_35 ? (choice_36 ? b_21[i_p_9 * 2] : count_12) : b_21[i_p_9 * 2]) : b_21[i_p_9 * 2 + 1];
    b_18[i_p_9] = choice_34 ? (choice_35 ? (choice_36 ? b_22[i_p_9 * 2] : b_22[i_p_9 * 2] + apart_12 * (b_21[i_p_9 * 2 + 1] / count_12)) : b_22[i_p_9 * 2]) : b_22[i_p_9 * 2 + 1];
    b_19[i_p_9] = chosen_90;
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_10 = threadIdx.x;
    const bool choice_37 = b_16[i_p_10 * 2];
    const bool choice_38 = b_16[i_p_10 * 2 + 1];
    const bool choice_39 = b_17[i_p_10 * 2 + 1] == 0.0f;
    const float count_13 = b_17[i_p_10 * 2] + b_17[i_p_10 * 2 + 1];
    const float apart_13 = b_18[i_p_10 * 2 + 1] - b_18[i_p_10 * 2];
    const int at_94 = (int)(choice_37 ? (long long)1 : (long long)0);
    float chosen_97;
    if (0 < at_94) {
      const int at_96 = (int)(choice_38 ? (long long)1 : (long long)0);
      float chosen_96;
      if (0 < at_96) {
        const int at_97 = (int)(choice_39 ? (long long)1 : (long long)0);
        float chosen_95;
        if (0 < at_97) {
          chosen_95 = b_19[i_p_10 * 2];
        }
        if (at_97 < 1) {
          const float x_111 = b_19[i_p_10 * 2] + b_19[i_p_10 * 2 + 1] + apart_13 * apart_13 * (b_17[i_p_10 * 2] * b_17[i_p_10 * 2 + 1] / count_13);
          chosen_95 = x_111;
        }
        chosen_96 = chosen_95;
      }
      if (at_96 < 1) {
        chosen_96 = b_19[i_p_10 * 2];
      }
      chosen_97 = chosen_96;
    }
    if (at_94 < 1) {
      chosen_97 = b_19[i_p_10 * 2 + 1];
    }
    b_12[i_p_10] = choice_37 ? (choice_38 ? true : b_16[i_p_10 * 2]) : b_16[i_p_10 * 2 + 1];
    b_13[i_p_10] = choice_37 ? (choice_38 ? (choice_39 ? b_17[i_p_10 * 2] : count_13) : b_17[i_p_10 * 2]) : b_17[i_p_10 * 2 + 1];
    b_14[i_p_10] = choice_37 ? (choice_38 ? (choice_39 ? b_18[i_p_10 * 2] : b_18[i_p_10 * 2] + apart_13 * (b_17[i_p_10 * 2 + 1] / count_13)) : b_18[i_p_10 * 2]) : b_18[i_p_10 * 2 + 1];
    b_15[i_p_10] = chosen_97;
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_11 = threadIdx.x;
    const bool choice_40 = b_12[i_p_11 * 2];
    const bool choice_41 = b_12[i_p_11 * 2 + 1];
    const bool choice_42 = b_13[i_p_11 * 2 + 1] == 0.0f;
    const float count_14 = b_13[i_p_11 * 2] + b_13[i_p_11 * 2 + 1];
    const float apart_14 = b_14[i_p_11 * 2 + 1] - b_14[i_p_11 * 2];
    const int at_101 = (int)(choice_40 ? (long long)1 : (long long)0);
    float chosen_104;
    if (0 < at_101) {
      const int at_103 = (int)(choice_41 ? (long long)1 : (long long)0);
      float chosen_103;
      if (0 < at_103) {
        const int at_104 = (int)(choice_42 ? (long long)1 : (long long)0);
        float chosen_102;
        if (0 < at_104) {
          chosen_102 = b_15[i_p_11 * 2];
        }
        if (at_104 < 1) {
          const float x_119 = b_15[i_p_11 * 2] + b_15[i_p_11 * 2 + 1] + apart_14 * apart_14 * (b_13[i_p_11 * 2] * b_13[i_p_11 * 2 + 1] / count_14);
          chosen_102 = x_119;
        }
        chosen_103 = chosen_102;
      }
      if (at_103 < 1) {
        chosen_103 = b_15[i_p_11 * 2];
      }
      chosen_104 = chosen_103;
    }
    if (at_101 < 1) {
      chosen_104 = b_15[i_p_11 * 2 + 1];
    }
    b_8[i_p_11] = choice_40 ? (choice_41 ? true : b_12[i_p_11 * 2]) : b_12[i_p_11 * 2 + 1];
    b_9[i_p_11] = choice_40 ? (choice_41 ? (choice_42 ? b_13[i_p_11 * 2] : count_14) : b_13[i_p_11 * 2]) : b_13[i_p_11 * 2 + 1];
    b_10[i_p_11] = choice_40 ? (choice_41 ? (choice_42 ? b_14[i_p_11 * 2] : b_14[i_p_11 * 2] + apart_14 * (b_13[i_p_11 * 2 + 1] / count_14)) : b_14[i_p_11 * 2]) : b_14[i_p_11 * 2 + 1];
    b_11[i_p_11] = chosen_104;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_12 = threadIdx.x;
    const bool choice_43 = b_8[i_p_12 * 2];
    const bool choice_44 = b_8[i_p_12 * 2 + 1];
    const bool choice_45 = b_9[i_p_12 * 2 + 1] == 0.0f;
    const float count_15 = b_9[i_p_12 * 2] + b_9[i_p_12 * 2 + 1];
    const float apart_15 = b_10[i_p_12 * 2 + 1] - b_10[i_p_12 * 2];
    const int at_108 = (int)(choice_43 ? (long long)1 : (long long)0);
    float chosen_111;
    if (0 < at_108) {
      const int at_110 = (int)(choice_44 ? (long long)1 : (long long)0);
      float chosen_110;
      if (0 < at_110) {
        const int at_111 = (int)(choice_45 ? (long long)1 : (long long)0);
        float chosen_109;
        if (0 < at_111) {
          chosen_109 = b_11[i_p_12 * 2];
        }
        if (at_111 < 1) {
          const float x_127 = b_11[i_p_12 * 2] + b_11[i_p_12 * 2 + 1] + apart_15 * apart_15 * (b_9[i_p_12 * 2] * b_9[i_p_12 * 2 + 1] / count_15);
          chosen_109 = x_127;
        }
        chosen_110 = chosen_109;
      }
      if (at_110 < 1) {
        chosen_110 = b_11[i_p_12 * 2];
      }
      chosen_111 = chosen_110;
    }
    if (at_108 < 1) {
      chosen_111 = b_11[i_p_12 * 2 + 1];
    }
    b_4[i_p_12] = choice_43 ? (choice_44 ? true : b_8[i_p_12 * 2]) : b_8[i_p_12 * 2 + 1];
    b_5[i_p_12] = choice_43 ? (choice_44 ? (choice_45 ? b_9[i_p_12 * 2] : count_15) : b_9[i_p_12 * 2]) : b_9[i_p_12 * 2 + 1];
    b_6[i_p_12] = choice_43 ? (choice_44 ? (choice_45 ? b_10[i_p_12 * 2] : b_10[i_p_12 * 2] + apart_15 * (b_9[i_p_12 * 2 + 1] / count_15)) : b_10[i_p_12 * 2]) : b_10[i_p_12 * 2 + 1];
    b_7[i_p_12] = chosen_111;
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_13 = threadIdx.x;
    const bool choice_46 = b_4[i_p_13 * 2];
    const bool choice_47 = b_4[i_p_13 * 2 + 1];
    const bool choice_48 = b_5[i_p_13 * 2 + 1] == 0.0f;
    const float count_16 = b_5[i_p_13 * 2] + b_5[i_p_13 * 2 + 1];
    const float apart_16 = b_6[i_p_13 * 2 + 1] - b_6[i_p_13 * 2];
    const int at_115 = (int)(choice_46 ? (long long)1 : (long long)0);
    float chosen_118;
    if (0 < at_115) {
      const int at_117 = (int)(choice_47 ? (long long)1 : (long long)0);
      float chosen_117;
      if (0 < at_117) {
        const int at_118 = (int)(choice_48 ? (long long)1 : (long long)0);
        float chosen_116;
        if (0 < at_118) {
          chosen_116 = b_7[i_p_13 * 2];
        }
        if (at_118 < 1) {
          const float x_135 = b_7[i_p_13 * 2] + b_7[i_p_13 * 2 + 1] + apart_16 * apart_16 * (b_5[i_p_13 * 2] * b_5[i_p_13 * 2 + 1] / count_16);
          chosen_116 = x_135;
        }
        chosen_117 = chosen_116;
      }
      if (at_117 < 1) {
        chosen_117 = b_7[i_p_13 * 2];
      }
      chosen_118 = chosen_117;
    }
    if (at_115 < 1) {
      chosen_118 = b_7[i_p_13 * 2 + 1];
    }
    b[i_p_13] = choice_46 ? (choice_47 ? true : b_4[i_p_13 * 2]) : b_4[i_p_13 * 2 + 1];
    b_1[i_p_13] = choice_46 ? (choice_47 ? (choice_48 ? b_5[i_p_13 * 2] : count_16) : b_5[i_p_13 * 2]) : b_5[i_p_13 * 2 + 1];
    b_2[i_p_13] = choice_46 ? (choice_47 ? (choice_48 ? b_6[i_p_13 * 2] : b_6[i_p_13 * 2] + apart_16 * (b_5[i_p_13 * 2 + 1] / count_16)) : b_6[i_p_13 * 2]) : b_6[i_p_13 * 2 + 1];
    b_3[i_p_13] = chosen_118;
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
    const int at_122 = (int)(choice_49 ? (long long)1 : (long long)0);
    float chosen_125;
    if (0 < at_122) {
      const int at_124 = (int)(choice_50 ? (long long)1 : (long long)0);
      float chosen_124;
      if (0 < at_124) {
        const int at_125 = (int)(choice_51 ? (long long)1 : (long long)0);
        float chosen_123;
        if (0 < at_125) {
          chosen_123 = a_15;
        }
        if (at_125 < 1) {
          const float x_143 = a_15 + b_3[i_b_3] + apart_17 * apart_17 * (a_13 * b_1[i_b_3] / count_17);
          chosen_123 = x_143;
        }
        chosen_124 = chosen_123;
      }
      if (at_124 < 1) {
        chosen_124 = a_15;
      }
      chosen_125 = chosen_124;
    }
    if (at_122 < 1) {
      chosen_125 = b_3[i_b_3];
    }
    a_12 = choice_49 ? (choice_50 ? true : a_12) : b[i_b_3];
    a_13 = choice_49 ? (choice_50 ? (choice_51 ? a_13 : count_17) : a_13) : b_1[i_b_3];
    a_14 = choice_49 ? (choice_50 ? (choice_51 ? a_14 : a_14 + apart_17 * (b_1[i_b_3] / count_17)) : a_14) : b_2[i_b_3];
    a_15 = chosen_125;
  }
  const bool choice_52 = a_12;
  const bool choice_53 = a_13 == 0.0f;
  const float count_18 = 0.0f + a_13;
  const float apart_18 = a_14 - 0.0f;
  const int at_127 = (int)(choice_52 ? (long long)1 : (long long)0);
  float chosen_128;
  if (0 < at_127) {
    const int at_128 = (int)(choice_53 ? (long long)1 : (long long)0);
    float chosen_127;
    if (0 < at_128) {
      chosen_127 = 0.0f;
    }
    if (at_128 < 1) {
      const float x_147 = 0.0f + a_15 + apart_18 * apart_18 * (0.0f * a_13 / count_18);
      chosen_127 = x_147;
    }
    chosen_128 = chosen_127;
  }
  if (at_127 < 1) {
    chosen_128 = 0.0f;
  }
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    output_1[0] = choice_52 ? (choice_53 ? 0.0f : count_18) : 0.0f;
    output_2[0] = choice_52 ? (choice_53 ? 0.0f : 0.0f + apart_18 * (a_13 / count_18)) : 0.0f;
    output_3[0] = chosen_128;
  }
}
