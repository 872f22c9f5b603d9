// rolling_hash(text: 256.u8) -> 256.u32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) rolling_hash(
    const unsigned char* __restrict__ text,
    unsigned* __restrict__ stored,
    unsigned* __restrict__ stored_1,
    unsigned* __restrict__ parts,
    unsigned* __restrict__ parts_1,
    unsigned* __restrict__ output
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) unsigned stored_2[2];
  __shared__ __align__(16) unsigned stored_3[2];
  __shared__ __align__(16) unsigned stored_4[4];
  __shared__ __align__(16) unsigned stored_5[4];
  __shared__ __align__(16) unsigned stored_6[8];
  __shared__ __align__(16) unsigned stored_7[8];
  __shared__ __align__(16) unsigned stored_8[16];
  __shared__ __align__(16) unsigned stored_9[16];
  __shared__ __align__(16) unsigned stored_10[32];
  __shared__ __align__(16) unsigned stored_11[32];
  __shared__ __align__(16) unsigned stored_12[64];
  __shared__ __align__(16) unsigned stored_13[64];
  __shared__ __align__(16) unsigned stored_14[128];
  __shared__ __align__(16) unsigned stored_15[128];
  __shared__ __align__(16) unsigned stored_16[256];
  __shared__ __align__(16) unsigned stored_17[256];
  __shared__ __align__(16) unsigned stored_18[256];
  __shared__ __align__(16) unsigned stored_19[256];
  __shared__ __align__(16) unsigned parts_2[256];
  __shared__ __align__(16) unsigned parts_3[256];
  __shared__ __align__(16) unsigned stored_22[2048];
  __shared__ __align__(16) unsigned stored_23[2048];
  __shared__ __align__(16) unsigned parts_4[2048];
  __shared__ __align__(16) unsigned parts_5[2048];
  __shared__ __align__(16) unsigned stored_24[256];
  __shared__ __align__(16) unsigned stored_25[256];
  __shared__ __align__(16) unsigned parts_6[256];
  __shared__ __align__(16) unsigned parts_7[256];
  const int i_part = threadIdx.x;
  unsigned p;
  unsigned p_1;
  p = 1U;
  p_1 = 0U;
  for (int i_q = 0; i_q < 8; i_q++) {
    const unsigned q_1 = i_part * 8 + i_q < 256 ? 31U : 1U;
    const unsigned q_2 = i_part * 8 + i_q < 256 ? (unsigned)text[i_part * 8 + i_q] : 0U;
    p = p * q_1;
    p_1 = p_1 * q_1 + q_2;
  }
  stored_16[i_part] = p;
  stored_17[i_part] = p_1;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_p = threadIdx.x;
    stored_14[i_p] = stored_16[i_p * 2] * stored_16[i_p * 2 + 1];
    stored_15[i_p] = stored_17[i_p * 2] * stored_16[i_p * 2 + 1] + stored_17[i_p * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_1 = threadIdx.x;
    stored_12[i_p_1] = stored_14[i_p_1 * 2] * stored_14[i_p_1 * 2 + 1];
    stored_13[i_p_1] = stored_15[i_p_1 * 2] * stored_14[i_p_1 * 2 + 1] + stored_15[i_p_1 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_2 = threadIdx.x;
    stored_10[i_p_2] = stored_12[i_p_2 * 2] * stored_12[i_p_2 * 2 + 1];
    stored_11[i_p_2] = stored_13[i_p_2 * 2] * stored_12[i_p_2 * 2 + 1] + stored_13[i_p_2 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_3 = threadIdx.x;
    stored_8[i_p_3] = stored_10[i_p_3 * 2] * stored_10[i_p_3 * 2 + 1];
    stored_9[i_p_3] = stored_11[i_p_3 * 2] * stored_10[i_p_3 * 2 + 1] + stored_11[i_p_3 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_4 = threadIdx.x;
    stored_6[i_p_4] = stored_8[i_p_4 * 2] * stored_8[i_p_4 * 2 + 1];
    stored_7[i_p_4] = stored_9[i_p_4 * 2] * stored_8[i_p_4 * 2 + 1] + stored_9[i_p_4 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_5 = threadIdx.x;
    stored_4[i_p_5] = stored_6[i_p_5 * 2] * stored_6[i_p_5 * 2 + 1];
    stored_5[i_p_5] = stored_7[i_p_5 * 2] * stored_6[i_p_5 * 2 + 1] + stored_7[i_p_5 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_6 = threadIdx.x;
    stored_2[i_p_6] = stored_4[i_p_6 * 2] * stored_4[i_p_6 * 2 + 1];
    stored_3[i_p_6] = stored_5[i_p_6 * 2] * stored_4[i_p_6 * 2 + 1] + stored_5[i_p_6 * 2 + 1];
  }
  unsigned p_2;
  unsigned p_3;
  p_2 = 1U;
  p_3 = 0U;
  __syncthreads();
  for (int i_q_1 = 0; i_q_1 < 2; i_q_1++) {
    p_2 = p_2 * stored_2[i_q_1];
    p_3 = p_3 * stored_2[i_q_1] + stored_3[i_q_1];
  }
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    parts[0] = p_2;
    parts_1[0] = p_3;
  }
  const int i_part_1 = threadIdx.x;
  unsigned p_4;
  unsigned p_5;
  p_4 = 1U;
  p_5 = 0U;
  const unsigned q_1_1 = i_part_1 < 1 ? parts[i_part_1] : 1U;
  const unsigned q_2_1 = i_part_1 < 1 ? parts_1[i_part_1] : 0U;
  p_4 = p_4 * q_1_1;
  p_5 = p_5 * q_1_1 + q_2_1;
  parts_2[i_part_1] = p_4;
  parts_3[i_part_1] = p_5;
  unsigned stored_20;
  unsigned stored_21;
  unsigned ys;
  unsigned ys_1;
  unsigned ys_2;
  unsigned ys_3;
  unsigned ys_4;
  unsigned ys_5;
  unsigned ys_6;
  unsigned ys_7;
  unsigned ys_8;
  unsigned ys_9;
  unsigned ys_10;
  unsigned ys_11;
  unsigned p_6;
  unsigned p_7;
  p_6 = 1U;
  p_7 = 0U;
  __syncthreads();
  for (int i_q_2 = 0; i_q_2 < 8; i_q_2++) {
    p_6 = p_6 * parts_2[lane * 8 + i_q_2];
    p_7 = p_7 * parts_2[lane * 8 + i_q_2] + parts_3[lane * 8 + i_q_2];
  }
  ys_10 = p_6;
  ys_11 = p_7;
  ys_8 = 1U * ys_10;
  ys_9 = 0U * ys_10 + ys_11;
  const unsigned ys_8_of_lane = __shfl_sync(0xffffffff, ys_8, lane - 1);
  const unsigned p_1_1 = 0 < lane ? ys_8_of_lane : 1U;
  const unsigned ys_9_of_lane = __shfl_sync(0xffffffff, ys_9, lane - 1);
  const unsigned p_1_2 = 0 < lane ? ys_9_of_lane : 0U;
  ys_6 = p_1_1 * ys_8;
  ys_7 = p_1_2 * ys_8 + ys_9;
  const unsigned ys_6_of_lane = __shfl_sync(0xffffffff, ys_6, lane - 2);
  const unsigned p_1_1_1 = 1 < lane ? ys_6_of_lane : 1U;
  const unsigned ys_7_of_lane = __shfl_sync(0xffffffff, ys_7, lane - 2);
  const unsigned p_1_2_1 = 1 < lane ? ys_7_of_lane : 0U;
  ys_4 = p_1_1_1 * ys_6;
  ys_5 = p_1_2_1 * ys_6 + ys_7;
  const unsigned ys_4_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 4);
  const unsigned p_1_1_2 = 3 < lane ? ys_4_of_lane : 1U;
  const unsigned ys_5_of_lane = __shfl_sync(0xffffffff, ys_5, lane - 4);
  const unsigned p_1_2_2 = 3 < lane ? ys_5_of_lane : 0U;
  ys_2 = p_1_1_2 * ys_4;
  ys_3 = p_1_2_2 * ys_4 + ys_5;
  const unsigned ys_2_of_lane = __shfl_sync(0xffffffff, ys_2, lane - 8);
  const unsigned p_1_1_3 = 7 < lane ? ys_2_of_lane : 1U;
  const unsigned ys_3_of_lane = __shfl_sync(0xffffffff, ys_3, lane - 8);
  const unsigned p_1_2_3 = 7 < lane ? ys_3_of_lane : 0U;
  ys = p_1_1_3 * ys_2;
  ys_1 = p_1_2_3 * ys_2 + ys_3;
  const unsigned ys_of_lane = __shfl_sync(0xffffffff, ys, lane - 16);
  const unsigned p_1_1_4 = 15 < lane ? ys_of_lane : 1U;
  const unsigned ys_1_of_lane = __shfl_sync(0xffffffff, ys_1, lane - 16);
  const unsigned p_1_2_4 = 15 < lane ? ys_1_of_lane : 0U;
  stored_20 = p_1_1_4 * ys;
  stored_21 = p_1_2_4 * ys + ys_1;
  unsigned p_8;
  unsigned p_9;
  const unsigned stored_20_of_lane = __shfl_sync(0xffffffff, stored_20, lane - 1);
  p_8 = 0 < lane ? stored_20_of_lane : 1U;
  const unsigned stored_21_of_lane = __shfl_sync(0xffffffff, stored_21, lane - 1);
  p_9 = 0 < lane ? stored_21_of_lane : 0U;
  for (int i_q_4 = 0; i_q_4 < 8; i_q_4++) {
    p_8 = p_8 * parts_2[lane * 8 + i_q_4];
    p_9 = p_9 * parts_2[lane * 8 + i_q_4] + parts_3[lane * 8 + i_q_4];
    if (warp < 1) {
      const int once_1 = warp;
      stored_18[lane * 8 + i_q_4] = p_8;
      stored_19[lane * 8 + i_q_4] = p_9;
    }
  }
  const int i_q_5 = threadIdx.x;
  unsigned p_10;
  unsigned p_11;
  __syncthreads();
  p_10 = 0 < i_q_5 ? stored_18[i_q_5 - 1] : 1U;
  p_11 = 0 < i_q_5 ? stored_19[i_q_5 - 1] : 0U;
  const unsigned q_1_2 = i_q_5 < 1 ? parts[i_q_5] : 1U;
  const unsigned q_2_2 = i_q_5 < 1 ? parts_1[i_q_5] : 0U;
  p_10 = p_10 * q_1_2;
  p_11 = p_11 * q_1_2 + q_2_2;
  if (i_q_5 < 1) {
    stored[i_q_5] = p_10;
    stored_1[i_q_5] = p_11;
  }
  const int i_strip = threadIdx.x;
  for (int i_x_1 = 0; i_x_1 < 8; i_x_1++) {
    parts_4[i_x_1 * 256 + i_strip] = i_x_1 * 256 + i_strip < 256 ? 31U : 1U;
    parts_5[i_x_1 * 256 + i_strip] = i_x_1 * 256 + i_strip < 256 ? (unsigned)text[i_x_1 * 256 + i_strip] : 0U;
  }
  const int i_part_3 = threadIdx.x;
  unsigned p_12;
  unsigned p_13;
  p_12 = 1U;
  p_13 = 0U;
  __syncthreads();
  for (int i_q_6 = 0; i_q_6 < 8; i_q_6++) {
    p_12 = p_12 * parts_4[i_part_3 * 8 + i_q_6];
    p_13 = p_13 * parts_4[i_part_3 * 8 + i_q_6] + parts_5[i_part_3 * 8 + i_q_6];
  }
  parts_6[i_part_3] = p_12;
  parts_7[i_part_3] = p_13;
  unsigned stored_26;
  unsigned stored_27;
  unsigned ys_12;
  unsigned ys_13;
  unsigned ys_14;
  unsigned ys_15;
  unsigned ys_16;
  unsigned ys_17;
  unsigned ys_18;
  unsigned ys_19;
  unsigned ys_20;
  unsigned ys_21;
  unsigned ys_22;
  unsigned ys_23;
  unsigned p_14;
  unsigned p_15;
  p_14 = 1U;
  p_15 = 0U;
  __syncthreads();
  for (int i_q_7 = 0; i_q_7 < 8; i_q_7++) {
    p_14 = p_14 * parts_6[lane * 8 + i_q_7];
    p_15 = p_15 * parts_6[lane * 8 + i_q_7] + parts_7[lane * 8 + i_q_7];
  }
  ys_22 = p_14;
  ys_23 = p_15;
  ys_20 = 1U * ys_22;
  ys_21 = 0U * ys_22 + ys_23;
  const unsigned ys_20_of_lane = __shfl_sync(0xffffffff, ys_20, lane - 1);
  const unsigned p_1_1_5 = 0 < lane ? ys_20_of_lane : 1U;
  const unsigned ys_21_of_lane = __shfl_sync(0xffffffff, ys_21, lane - 1);
  const unsigned p_1_2_5 = 0 < lane ? ys_21_of_lane : 0U;
  ys_18 = p_1_1_5 * ys_20;
  ys_19 = p_1_2_5 * ys_20 + ys_21;
  const unsigned ys_18_of_lane = __shfl_sync(0xffffffff, ys_18, lane - 2);
  const unsigned p_1_1_6 = 1 < lane ? ys_18_of_lane : 1U;
  const unsigned ys_19_of_lane = __shfl_sync(0xffffffff, ys_19, lane - 2);
  const unsigned p_1_2_6 = 1 < lane ? ys_19_of_lane : 0U;
  ys_16 = p_1_1_6 * ys_18;
  ys_17 = p_1_2_6 * ys_18 + ys_19;
  const unsigned ys_16_of_lane = __shfl_sync(0xffffffff, ys_16, lane - 4);
  const unsigned p_1_1_7 = 3 < lane ? ys_16_of_lane : 1U;
  const unsigned ys_17_of_lane = __shfl_sync(0xffffffff, ys_17, lane - 4);
  const unsigned p_1_2_7 = 3 < lane ? ys_17_of_lane : 0U;
  ys_14 = p_1_1_7 * ys_16;
  ys_15 = p_1_2_7 * ys_16 + ys_17;
  const unsigned ys_14_of_lane = __shfl_sync(0xffffffff, ys_14, lane - 8);
  const unsigned p_1_1_8 = 7 < lane ? ys_14_of_lane : 1U;
  const unsigned ys_15_of_lane = __shfl_sync(0xffffffff, ys_15, lane - 8);
  const unsigned p_1_2_8 = 7 < lane ? ys_15_of_lane : 0U;
  ys_12 = p_1_1_8 * ys_14;
  ys_13 = p_1_2_8 * ys_14 + ys_15;
  const unsigned ys_12_of_lane = __shfl_sync(0xffffffff, ys_12, lane - 16);
  const unsigned p_1_1_9 = 15 < lane ? ys_12_of_lane : 1U;
  const unsigned ys_13_of_lane = __shfl_sync(0xffffffff, ys_13, lane - 16);
  const unsigned p_1_2_9 = 15 < lane ? ys_13_of_lane : 0U;
  stored_26 = p_1_1_9 * ys_12;
  stored_27 = p_1_2_9 * ys_12 + ys_13;
  unsigned p_16;
  unsigned p_17;
  const unsigned stored_26_of_lane = __shfl_sync(0xffffffff, stored_26, lane - 1);
  p_16 = 0 < lane ? stored_26_of_lane : 1U;
  const unsigned stored_27_of_lane = __shfl_sync(0xffffffff, stored_27, lane - 1);
  p_17 = 0 < lane ? stored_27_of_lane : 0U;
  for (int i_q_9 = 0; i_q_9 < 8; i_q_9++) {
    p_16 = p_16 * parts_6[lane * 8 + i_q_9];
    p_17 = p_17 * parts_6[lane * 8 + i_q_9] + parts_7[lane * 8 + i_q_9];
    if (warp < 1) {
      const int once_2 = warp;
      stored_24[lane * 8 + i_q_9] = p_16;
      stored_25[lane * 8 + i_q_9] = p_17;
    }
  }
  const int i_q_10 = threadIdx.x;
  unsigned p_18;
  unsigned p_19;
  __syncthreads();
  p_18 = 0 < i_q_10 ? stored_24[i_q_10 - 1] : 1U;
  p_19 = 0 < i_q_10 ? stored_25[i_q_10 - 1] : 0U;
  for (int i_q_11 = 0; i_q_11 < 8; i_q_11++) {
    p_18 = p_18 * parts_4[i_q_10 * 8 + i_q_11];
    p_19 = p_19 * parts_4[i_q_10 * 8 + i_q_11] + parts_5[i_q_10 * 8 + i_q_11];
    stored_22[i_q_10 * 8 + i_q_11] = p_18;
    stored_23[i_q_10 * 8 + i_q_11] = p_19;
  }
  const int i_strip_1 = threadIdx.x;
  __syncthreads();
  for (int i_x_3 = 0; i_x_3 < 1; i_x_3++) {
    output[i_x_3 * 256 + i_strip_1] = 7U * (1U * stored_22[i_x_3 * 256 + i_strip_1]) + (0U * stored_22[i_x_3 * 256 + i_strip_1] + stored_23[i_x_3 * 256 + i_strip_1]);
  }
}
