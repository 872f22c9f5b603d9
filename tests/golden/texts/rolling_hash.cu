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
  __shared__ __align__(16) unsigned stored_20[2048];
  __shared__ __align__(16) unsigned stored_21[2048];
  __shared__ __align__(16) unsigned parts_4[2048];
  __shared__ __align__(16) unsigned text_tile[2048];
  __shared__ __align__(16) unsigned stored_22[256];
  __shared__ __align__(16) unsigned stored_23[256];
  __shared__ __align__(16) unsigned parts_5[256];
  __shared__ __align__(16) unsigned parts_6[256];
  const int text_i_thread = threadIdx.x;
  unsigned p;
  unsigned p_1;
  p = 1U;
  p_1 = 0U;
  for (int text_i = 0; text_i < 8; text_i++) {
    const unsigned q = text_i_thread * 8 + text_i < 256 ? 31U : 1U;
    const unsigned q_1 = text_i_thread * 8 + text_i < 256 ? (unsigned)text[text_i_thread * 8 + text_i] : 0U;
    p = p * q;
    p_1 = p_1 * q + q_1;
  }
  stored_16[text_i_thread] = p;
  stored_17[text_i_thread] = p_1;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i = threadIdx.x;
    stored_14[i] = stored_16[i * 2] * stored_16[i * 2 + 1];
    stored_15[i] = stored_17[i * 2] * stored_16[i * 2 + 1] + stored_17[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i = threadIdx.x;
    stored_12[i] = stored_14[i * 2] * stored_14[i * 2 + 1];
    stored_13[i] = stored_15[i * 2] * stored_14[i * 2 + 1] + stored_15[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i = threadIdx.x;
    stored_10[i] = stored_12[i * 2] * stored_12[i * 2 + 1];
    stored_11[i] = stored_13[i * 2] * stored_12[i * 2 + 1] + stored_13[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i = threadIdx.x;
    stored_8[i] = stored_10[i * 2] * stored_10[i * 2 + 1];
    stored_9[i] = stored_11[i * 2] * stored_10[i * 2 + 1] + stored_11[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i = threadIdx.x;
    stored_6[i] = stored_8[i * 2] * stored_8[i * 2 + 1];
    stored_7[i] = stored_9[i * 2] * stored_8[i * 2 + 1] + stored_9[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i = threadIdx.x;
    stored_4[i] = stored_6[i * 2] * stored_6[i * 2 + 1];
    stored_5[i] = stored_7[i * 2] * stored_6[i * 2 + 1] + stored_7[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i = threadIdx.x;
    stored_2[i] = stored_4[i * 2] * stored_4[i * 2 + 1];
    stored_3[i] = stored_5[i * 2] * stored_4[i * 2 + 1] + stored_5[i * 2 + 1];
  }
  unsigned p_2;
  unsigned p_3;
  p_2 = 1U;
  p_3 = 0U;
  __syncthreads();
  for (int i = 0; i < 2; i++) {
    p_2 = p_2 * stored_2[i];
    p_3 = p_3 * stored_2[i] + stored_3[i];
  }
  if (threadIdx.x < 1) {
    parts[0] = p_2;
    parts_1[0] = p_3;
  }
  const int i = threadIdx.x;
  unsigned p_4;
  unsigned p_5;
  p_4 = 1U;
  p_5 = 0U;
  const unsigned q = i < 1 ? parts[i] : 1U;
  const unsigned q_1 = i < 1 ? parts_1[i] : 0U;
  p_4 = p_4 * q;
  p_5 = p_5 * q + q_1;
  parts_2[i] = p_4;
  parts_3[i] = p_5;
  unsigned stored_24;
  unsigned stored_25;
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
  for (int j = 0; j < 8; j++) {
    p_6 = p_6 * parts_2[lane * 8 + j];
    p_7 = p_7 * parts_2[lane * 8 + j] + parts_3[lane * 8 + j];
  }
  ys_10 = p_6;
  ys_11 = p_7;
  ys_8 = 1U * ys_10;
  ys_9 = 0U * ys_10 + ys_11;
  const unsigned ys_of_lane = __shfl_sync(0xffffffff, ys_8, lane - 1);
  const unsigned p_8 = 0 < lane ? ys_of_lane : 1U;
  const unsigned ys_of_lane_1 = __shfl_sync(0xffffffff, ys_9, lane - 1);
  const unsigned p_9 = 0 < lane ? ys_of_lane_1 : 0U;
  ys_6 = p_8 * ys_8;
  ys_7 = p_9 * ys_8 + ys_9;
  const unsigned ys_of_lane_2 = __shfl_sync(0xffffffff, ys_6, lane - 2);
  const unsigned p_10 = 1 < lane ? ys_of_lane_2 : 1U;
  const unsigned ys_of_lane_3 = __shfl_sync(0xffffffff, ys_7, lane - 2);
  const unsigned p_11 = 1 < lane ? ys_of_lane_3 : 0U;
  ys_4 = p_10 * ys_6;
  ys_5 = p_11 * ys_6 + ys_7;
  const unsigned ys_of_lane_4 = __shfl_sync(0xffffffff, ys_4, lane - 4);
  const unsigned p_12 = 3 < lane ? ys_of_lane_4 : 1U;
  const unsigned ys_of_lane_5 = __shfl_sync(0xffffffff, ys_5, lane - 4);
  const unsigned p_13 = 3 < lane ? ys_of_lane_5 : 0U;
  ys_2 = p_12 * ys_4;
  ys_3 = p_13 * ys_4 + ys_5;
  const unsigned ys_of_lane_6 = __shfl_sync(0xffffffff, ys_2, lane - 8);
  const unsigned p_14 = 7 < lane ? ys_of_lane_6 : 1U;
  const unsigned ys_of_lane_7 = __shfl_sync(0xffffffff, ys_3, lane - 8);
  const unsigned p_15 = 7 < lane ? ys_of_lane_7 : 0U;
  ys = p_14 * ys_2;
  ys_1 = p_15 * ys_2 + ys_3;
  const unsigned ys_of_lane_8 = __shfl_sync(0xffffffff, ys, lane - 16);
  const unsigned p_16 = 15 < lane ? ys_of_lane_8 : 1U;
  const unsigned ys_of_lane_9 = __shfl_sync(0xffffffff, ys_1, lane - 16);
  const unsigned p_17 = 15 < lane ? ys_of_lane_9 : 0U;
  stored_24 = p_16 * ys;
  stored_25 = p_17 * ys + ys_1;
  unsigned p_18;
  unsigned p_19;
  const unsigned stored_of_lane = __shfl_sync(0xffffffff, stored_24, lane - 1);
  p_18 = 0 < lane ? stored_of_lane : 1U;
  const unsigned stored_of_lane_1 = __shfl_sync(0xffffffff, stored_25, lane - 1);
  p_19 = 0 < lane ? stored_of_lane_1 : 0U;
  for (int j = 0; j < 8; j++) {
    p_18 = p_18 * parts_2[lane * 8 + j];
    p_19 = p_19 * parts_2[lane * 8 + j] + parts_3[lane * 8 + j];
    if (warp < 1) {
      stored_18[lane * 8 + j] = p_18;
      stored_19[lane * 8 + j] = p_19;
    }
  }
  unsigned p_20;
  unsigned p_21;
  __syncthreads();
  p_20 = 0 < i ? stored_18[i - 1] : 1U;
  p_21 = 0 < i ? stored_19[i - 1] : 0U;
  const unsigned q_2 = i < 1 ? parts[i] : 1U;
  const unsigned q_3 = i < 1 ? parts_1[i] : 0U;
  p_20 = p_20 * q_2;
  p_21 = p_21 * q_2 + q_3;
  if (i < 1) {
    stored[i] = p_20;
    stored_1[i] = p_21;
  }
  const int i_thread = threadIdx.x;
  for (int text_i_step = 0; text_i_step < 8; text_i_step++) {
    parts_4[text_i_step * 256 + i_thread] = text_i_step * 256 + i_thread < 256 ? 31U : 1U;
    text_tile[text_i_step * 256 + i_thread] = text_i_step * 256 + i_thread < 256 ? (unsigned)text[text_i_step * 256 + i_thread] : 0U;
  }
  unsigned p_22;
  unsigned p_23;
  p_22 = 1U;
  p_23 = 0U;
  __syncthreads();
  for (int i_1 = 0; i_1 < 8; i_1++) {
    p_22 = p_22 * parts_4[i * 8 + i_1];
    p_23 = p_23 * parts_4[i * 8 + i_1] + text_tile[i * 8 + i_1];
  }
  parts_5[i] = p_22;
  parts_6[i] = p_23;
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
  unsigned p_24;
  unsigned p_25;
  p_24 = 1U;
  p_25 = 0U;
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    p_24 = p_24 * parts_5[lane * 8 + j];
    p_25 = p_25 * parts_5[lane * 8 + j] + parts_6[lane * 8 + j];
  }
  ys_22 = p_24;
  ys_23 = p_25;
  ys_20 = 1U * ys_22;
  ys_21 = 0U * ys_22 + ys_23;
  const unsigned ys_of_lane_10 = __shfl_sync(0xffffffff, ys_20, lane - 1);
  const unsigned p_26 = 0 < lane ? ys_of_lane_10 : 1U;
  const unsigned ys_of_lane_11 = __shfl_sync(0xffffffff, ys_21, lane - 1);
  const unsigned p_27 = 0 < lane ? ys_of_lane_11 : 0U;
  ys_18 = p_26 * ys_20;
  ys_19 = p_27 * ys_20 + ys_21;
  const unsigned ys_of_lane_12 = __shfl_sync(0xffffffff, ys_18, lane - 2);
  const unsigned p_28 = 1 < lane ? ys_of_lane_12 : 1U;
  const unsigned ys_of_lane_13 = __shfl_sync(0xffffffff, ys_19, lane - 2);
  const unsigned p_29 = 1 < lane ? ys_of_lane_13 : 0U;
  ys_16 = p_28 * ys_18;
  ys_17 = p_29 * ys_18 + ys_19;
  const unsigned ys_of_lane_14 = __shfl_sync(0xffffffff, ys_16, lane - 4);
  const unsigned p_30 = 3 < lane ? ys_of_lane_14 : 1U;
  const unsigned ys_of_lane_15 = __shfl_sync(0xffffffff, ys_17, lane - 4);
  const unsigned p_31 = 3 < lane ? ys_of_lane_15 : 0U;
  ys_14 = p_30 * ys_16;
  ys_15 = p_31 * ys_16 + ys_17;
  const unsigned ys_of_lane_16 = __shfl_sync(0xffffffff, ys_14, lane - 8);
  const unsigned p_32 = 7 < lane ? ys_of_lane_16 : 1U;
  const unsigned ys_of_lane_17 = __shfl_sync(0xffffffff, ys_15, lane - 8);
  const unsigned p_33 = 7 < lane ? ys_of_lane_17 : 0U;
  ys_12 = p_32 * ys_14;
  ys_13 = p_33 * ys_14 + ys_15;
  const unsigned ys_of_lane_18 = __shfl_sync(0xffffffff, ys_12, lane - 16);
  const unsigned p_34 = 15 < lane ? ys_of_lane_18 : 1U;
  const unsigned ys_of_lane_19 = __shfl_sync(0xffffffff, ys_13, lane - 16);
  const unsigned p_35 = 15 < lane ? ys_of_lane_19 : 0U;
  stored_26 = p_34 * ys_12;
  stored_27 = p_35 * ys_12 + ys_13;
  unsigned p_36;
  unsigned p_37;
  const unsigned stored_of_lane_2 = __shfl_sync(0xffffffff, stored_26, lane - 1);
  p_36 = 0 < lane ? stored_of_lane_2 : 1U;
  const unsigned stored_of_lane_3 = __shfl_sync(0xffffffff, stored_27, lane - 1);
  p_37 = 0 < lane ? stored_of_lane_3 : 0U;
  for (int j = 0; j < 8; j++) {
    p_36 = p_36 * parts_5[lane * 8 + j];
    p_37 = p_37 * parts_5[lane * 8 + j] + parts_6[lane * 8 + j];
    if (warp < 1) {
      stored_22[lane * 8 + j] = p_36;
      stored_23[lane * 8 + j] = p_37;
    }
  }
  unsigned p_38;
  unsigned p_39;
  __syncthreads();
  p_38 = 0 < i ? stored_22[i - 1] : 1U;
  p_39 = 0 < i ? stored_23[i - 1] : 0U;
  for (int i_1 = 0; i_1 < 8; i_1++) {
    p_38 = p_38 * parts_4[i * 8 + i_1];
    p_39 = p_39 * parts_4[i * 8 + i_1] + text_tile[i * 8 + i_1];
    stored_20[i * 8 + i_1] = p_38;
    stored_21[i * 8 + i_1] = p_39;
  }
  __syncthreads();
  for (int i_tile = 0; i_tile < 1; i_tile++) {
    output[i_tile * 256 + i_thread] = 7U * (1U * stored_20[i_tile * 256 + i_thread]) + (0U * stored_20[i_tile * 256 + i_thread] + stored_21[i_tile * 256 + i_thread]);
  }
}
