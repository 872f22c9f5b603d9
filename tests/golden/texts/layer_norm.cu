// layer_norm(scale: N.f32, shift: N.f32, batch: B.N.f32) -> B.N.f32 for all N, B
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) layer_norm(
    const float* __restrict__ scale,
    const float* __restrict__ shift,
    const float* __restrict__ batch,
    float* __restrict__ output,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  __shared__ __align__(16) int middle[8];
  __shared__ __align__(16) float stored_1[8];
  __shared__ __align__(16) int stored_2[8];
  const int b_block = blockIdx.x;
  float stored_3;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float stored_10;
  float stored_11;
  float x;
  x = 0.0f;
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    x = x + (n_strip * 256 + warp * 32 + lane < N ? batch[b_block * N + n_strip * 256 + warp * 32 + lane] : 0.0f);
  }
  stored_11 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_11, lane + 16);
  if (lane < 16) {
    stored_10 = stored_11 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_10, lane + 8);
  if (lane < 8) {
    stored_9 = stored_10 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_9, lane + 4);
  if (lane < 4) {
    stored_8 = stored_9 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_8, lane + 2);
  if (lane < 2) {
    stored_7 = stored_8 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_7, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_7, 1);
  stored_6 = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_6;
  if (lane < 1) {
    stored[warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_5 = stored[n_lane] + stored[n_lane + 4];
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_5, lane + 2);
  if (lane < 2) {
    stored_4 = stored_5 + stored_of_lane_6;
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_4, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_4, 1);
  stored_3 = stored_of_lane_7 + stored_of_lane_8;
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored_3;
  int middle_1;
  int middle_2;
  int middle_3;
  int stored_12;
  int stored_13;
  int stored_14;
  int stored_15;
  int stored_16;
  int stored_17;
  int x_3;
  x_3 = 0;
  for (int j = 0; j < (N + 255) / 256; j++) {
    x_3 = add_i32(x_3, j * 256 + warp * 32 + lane < N ? 1 : 0);
  }
  stored_17 = x_3;
  const int stored_of_lane_9 = __shfl_sync(0xffffffff, stored_17, lane + 16);
  if (lane < 16) {
    stored_16 = add_i32(stored_17, stored_of_lane_9);
  }
  const int stored_of_lane_10 = __shfl_sync(0xffffffff, stored_16, lane + 8);
  if (lane < 8) {
    stored_15 = add_i32(stored_16, stored_of_lane_10);
  }
  const int stored_of_lane_11 = __shfl_sync(0xffffffff, stored_15, lane + 4);
  if (lane < 4) {
    stored_14 = add_i32(stored_15, stored_of_lane_11);
  }
  const int stored_of_lane_12 = __shfl_sync(0xffffffff, stored_14, lane + 2);
  if (lane < 2) {
    stored_13 = add_i32(stored_14, stored_of_lane_12);
  }
  const int stored_of_lane_13 = __shfl_sync(0xffffffff, stored_13, 0);
  const int stored_of_lane_14 = __shfl_sync(0xffffffff, stored_13, 1);
  stored_12 = add_i32(stored_of_lane_13, stored_of_lane_14);
  int x_4;
  x_4 = 0;
  x_4 = add_i32(x_4, stored_12);
  if (lane < 1) {
    middle[warp] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int i = lane;
    middle_3 = add_i32(middle[i], middle[i + 4]);
  }
  const int middle_of_lane = __shfl_sync(0xffffffff, middle_3, lane + 2);
  if (lane < 2) {
    middle_2 = add_i32(middle_3, middle_of_lane);
  }
  const int middle_of_lane_1 = __shfl_sync(0xffffffff, middle_2, 0);
  const int middle_of_lane_2 = __shfl_sync(0xffffffff, middle_2, 1);
  middle_1 = add_i32(middle_of_lane_1, middle_of_lane_2);
  int x_5;
  x_5 = 0;
  x_5 = add_i32(x_5, middle_1);
  const float middle_4 = x_2 / (float)x_5;
  float stored_18;
  float stored_19;
  float stored_20;
  float stored_21;
  float stored_22;
  float stored_23;
  float stored_24;
  float stored_25;
  float stored_26;
  float x_6;
  x_6 = 0.0f;
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    float chosen;
    if (n_strip * 256 + warp * 32 + lane < N) {
      const float d = batch[b_block * N + n_strip * 256 + warp * 32 + lane] - middle_4;
      chosen = d * d;
    }
    if (N < n_strip * 256 + warp * 32 + lane + 1) {
      chosen = 0.0f;
    }
    x_6 = x_6 + chosen;
  }
  stored_26 = x_6;
  const float stored_of_lane_15 = __shfl_sync(0xffffffff, stored_26, lane + 16);
  if (lane < 16) {
    stored_25 = stored_26 + stored_of_lane_15;
  }
  const float stored_of_lane_16 = __shfl_sync(0xffffffff, stored_25, lane + 8);
  if (lane < 8) {
    stored_24 = stored_25 + stored_of_lane_16;
  }
  const float stored_of_lane_17 = __shfl_sync(0xffffffff, stored_24, lane + 4);
  if (lane < 4) {
    stored_23 = stored_24 + stored_of_lane_17;
  }
  const float stored_of_lane_18 = __shfl_sync(0xffffffff, stored_23, lane + 2);
  if (lane < 2) {
    stored_22 = stored_23 + stored_of_lane_18;
  }
  const float stored_of_lane_19 = __shfl_sync(0xffffffff, stored_22, 0);
  const float stored_of_lane_20 = __shfl_sync(0xffffffff, stored_22, 1);
  stored_21 = stored_of_lane_19 + stored_of_lane_20;
  float x_7;
  x_7 = 0.0f;
  x_7 = x_7 + stored_21;
  if (lane < 1) {
    stored_1[warp] = x_7;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_20 = stored_1[n_lane] + stored_1[n_lane + 4];
  }
  const float stored_of_lane_21 = __shfl_sync(0xffffffff, stored_20, lane + 2);
  if (lane < 2) {
    stored_19 = stored_20 + stored_of_lane_21;
  }
  const float stored_of_lane_22 = __shfl_sync(0xffffffff, stored_19, 0);
  const float stored_of_lane_23 = __shfl_sync(0xffffffff, stored_19, 1);
  stored_18 = stored_of_lane_22 + stored_of_lane_23;
  float x_8;
  x_8 = 0.0f;
  x_8 = x_8 + stored_18;
  int stored_27;
  int stored_28;
  int stored_29;
  int stored_30;
  int stored_31;
  int stored_32;
  int stored_33;
  int stored_34;
  int stored_35;
  int x_9;
  x_9 = 0;
  for (int j = 0; j < (N + 255) / 256; j++) {
    x_9 = add_i32(x_9, j * 256 + warp * 32 + lane < N ? 1 : 0);
  }
  stored_35 = x_9;
  const int stored_of_lane_24 = __shfl_sync(0xffffffff, stored_35, lane + 16);
  if (lane < 16) {
    stored_34 = add_i32(stored_35, stored_of_lane_24);
  }
  const int stored_of_lane_25 = __shfl_sync(0xffffffff, stored_34, lane + 8);
  if (lane < 8) {
    stored_33 = add_i32(stored_34, stored_of_lane_25);
  }
  const int stored_of_lane_26 = __shfl_sync(0xffffffff, stored_33, lane + 4);
  if (lane < 4) {
    stored_32 = add_i32(stored_33, stored_of_lane_26);
  }
  const int stored_of_lane_27 = __shfl_sync(0xffffffff, stored_32, lane + 2);
  if (lane < 2) {
    stored_31 = add_i32(stored_32, stored_of_lane_27);
  }
  const int stored_of_lane_28 = __shfl_sync(0xffffffff, stored_31, 0);
  const int stored_of_lane_29 = __shfl_sync(0xffffffff, stored_31, 1);
  stored_30 = add_i32(stored_of_lane_28, stored_of_lane_29);
  int x_10;
  x_10 = 0;
  x_10 = add_i32(x_10, stored_30);
  if (lane < 1) {
    stored_2[warp] = x_10;
  }
  __syncthreads();
  if (lane < 4) {
    const int i = lane;
    stored_29 = add_i32(stored_2[i], stored_2[i + 4]);
  }
  const int stored_of_lane_30 = __shfl_sync(0xffffffff, stored_29, lane + 2);
  if (lane < 2) {
    stored_28 = add_i32(stored_29, stored_of_lane_30);
  }
  const int stored_of_lane_31 = __shfl_sync(0xffffffff, stored_28, 0);
  const int stored_of_lane_32 = __shfl_sync(0xffffffff, stored_28, 1);
  stored_27 = add_i32(stored_of_lane_31, stored_of_lane_32);
  int x_11;
  x_11 = 0;
  x_11 = add_i32(x_11, stored_27);
  const float x_12 = sqrtf(x_8 / (float)x_11 + 1e-05f);
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    const float p = (batch[b_block * N + n_thread] - middle_4) / x_12;
    output[b_block * N + n_thread] = scale[n_thread] * p + shift[n_thread];
  }
}
