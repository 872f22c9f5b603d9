// harris(image: (M + 4).(N + 4).f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) harris(
    const float* __restrict__ image,
    float* __restrict__ gradient,
    float* __restrict__ gradient_1,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored[612];
  for (int i_x = blockIdx.y; i_x < (M + 1) / 16 + 1; i_x += gridDim.y) {
    const int i_x_1 = blockIdx.x;
    __syncthreads();
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i_x_2 = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i_x_2 < 612) {
        stored[i_block * 128 + i_block_1 * 32 + i_x_2] = image[min_i32(M + 3, i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34) * N + min_i32(M + 3, i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34) * 4 + min_i32(N + 3, i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34)];
      }
    }
    const int i_block_2 = threadIdx.y;
    float stored_1[4];
    float stored_2[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_3 = 0; i_x_3 < 4; i_x_3++) {
      const int i_x_4 = threadIdx.x;
      float acc;
      acc = 0.0f;
      for (int i_x_5 = 0; i_x_5 < 9; i_x_5++) {
        const float x_1 = i_x_5 < 4 ? (i_x_5 < 2 ? (i_x_5 < 1 ? -1.0f : 0.0f) : i_x_5 < 3 ? 1.0f : -2.0f) : i_x_5 < 6 ? (i_x_5 < 5 ? 0.0f : 2.0f) : i_x_5 < 7 ? -1.0f : i_x_5 < 8 ? 0.0f : 1.0f;
        acc = acc + x_1 * stored[i_block_2 * 136 + i_x_3 * 34 + i_x_5 / 3 * 31 + i_x_4 + i_x_5];
      }
      float acc_1;
      acc_1 = 0.0f;
      for (int i_x_6 = 0; i_x_6 < 9; i_x_6++) {
        const float x_1_1 = i_x_6 < 4 ? (i_x_6 < 2 ? (i_x_6 < 1 ? -1.0f : -2.0f) : i_x_6 < 3 ? -1.0f : 0.0f) : i_x_6 < 6 ? (i_x_6 < 5 ? 0.0f : 0.0f) : i_x_6 < 7 ? 1.0f : i_x_6 < 8 ? 2.0f : 1.0f;
        acc_1 = acc_1 + x_1_1 * stored[i_block_2 * 136 + i_x_3 * 34 + i_x_6 / 3 * 31 + i_x_4 + i_x_6];
      }
      stored_1[i_x_3] = acc;
      stored_2[i_x_3] = acc_1;
    }
    #pragma unroll
    for (int i_x_7 = 0; i_x_7 < 4; i_x_7++) {
      const int i_x_8 = threadIdx.x;
      if (i_x_1 * 32 + i_x_8 < N + 2) {
        if (i_x * 16 + i_block_2 * 4 + i_x_7 < M + 2) {
          gradient[(i_x * 16 + i_block_2 * 4 + i_x_7) * N + i_x * 32 + i_x_1 * 32 + i_block_2 * 8 + i_x_7 * 2 + i_x_8] = stored_1[i_x_7];
          gradient_1[(i_x * 16 + i_block_2 * 4 + i_x_7) * N + i_x * 32 + i_x_1 * 32 + i_block_2 * 8 + i_x_7 * 2 + i_x_8] = stored_2[i_x_7];
        }
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(128) harris_1(
    const float* __restrict__ gradient,
    const float* __restrict__ gradient_1,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored_3[612];
  __shared__ __align__(16) float stored_4[612];
  __shared__ __align__(16) float stored_5[612];
  for (int i_x_9 = blockIdx.y; i_x_9 < (M + 15) / 16; i_x_9 += gridDim.y) {
    const int i_x_10 = blockIdx.x;
    __syncthreads();
    for (int i_block_3 = 0; i_block_3 < 5; i_block_3++) {
      const int i_block_4 = threadIdx.y;
      const int i_x_11 = threadIdx.x;
      if (i_block_3 * 128 + i_block_4 * 32 + i_x_11 < 612) {
        stored_3[i_block_3 * 128 + i_block_4 * 32 + i_x_11] = gradient[min_i32(M + 1, i_x_9 * 16 + i_block_3 * 3 + (i_block_4 * 32 + i_block_3 * 26 + i_x_11) / 34) * N + min_i32(M + 1, i_x_9 * 16 + i_block_3 * 3 + (i_block_4 * 32 + i_block_3 * 26 + i_x_11) / 34) * 2 + min_i32(N + 1, i_x_10 * 32 + (i_block_4 * 32 + i_block_3 * 26 + i_x_11) % 34)] * gradient[min_i32(M + 1, i_x_9 * 16 + i_block_3 * 3 + (i_block_4 * 32 + i_block_3 * 26 + i_x_11) / 34) * N + min_i32(M + 1, i_x_9 * 16 + i_block_3 * 3 + (i_block_4 * 32 + i_block_3 * 26 + i_x_11) / 34) * 2 + min_i32(N + 1, i_x_10 * 32 + (i_block_4 * 32 + i_block_3 * 26 + i_x_11) % 34)];
      }
    }
    for (int i_block_5 = 0; i_block_5 < 5; i_block_5++) {
      const int i_block_6 = threadIdx.y;
      const int i_x_12 = threadIdx.x;
      if (i_block_5 * 128 + i_block_6 * 32 + i_x_12 < 612) {
        stored_4[i_block_5 * 128 + i_block_6 * 32 + i_x_12] = gradient_1[min_i32(M + 1, i_x_9 * 16 + i_block_5 * 3 + (i_block_6 * 32 + i_block_5 * 26 + i_x_12) / 34) * N + min_i32(M + 1, i_x_9 * 16 + i_block_5 * 3 + (i_block_6 * 32 + i_block_5 * 26 + i_x_12) / 34) * 2 + min_i32(N + 1, i_x_10 * 32 + (i_block_6 * 32 + i_block_5 * 26 + i_x_12) % 34)] * gradient_1[min_i32(M + 1, i_x_9 * 16 + i_block_5 * 3 + (i_block_6 * 32 + i_block_5 * 26 + i_x_12) / 34) * N + min_i32(M + 1, i_x_9 * 16 + i_block_5 * 3 + (i_block_6 * 32 + i_block_5 * 26 + i_x_12) / 34) * 2 + min_i32(N + 1, i_x_10 * 32 + (i_block_6 * 32 + i_block_5 * 26 + i_x_12) % 34)];
      }
    }
    for (int i_block_7 = 0; i_block_7 < 5; i_block_7++) {
      const int i_block_8 = threadIdx.y;
      const int i_x_13 = threadIdx.x;
      if (i_block_7 * 128 + i_block_8 * 32 + i_x_13 < 612) {
        stored_5[i_block_7 * 128 + i_block_8 * 32 + i_x_13] = gradient[min_i32(M + 1, i_x_9 * 16 + i_block_7 * 3 + (i_block_8 * 32 + i_block_7 * 26 + i_x_13) / 34) * N + min_i32(M + 1, i_x_9 * 16 + i_block_7 * 3 + (i_block_8 * 32 + i_block_7 * 26 + i_x_13) / 34) * 2 + min_i32(N + 1, i_x_10 * 32 + (i_block_8 * 32 + i_block_7 * 26 + i_x_13) % 34)] * gradient_1[min_i32(M + 1, i_x_9 * 16 + i_block_7 * 3 + (i_block_8 * 32 + i_block_7 * 26 + i_x_13) / 34) * N + min_i32(M + 1, i_x_9 * 16 + i_block_7 * 3 + (i_block_8 * 32 + i_block_7 * 26 + i_x_13) / 34) * 2 + min_i32(N + 1, i_x_10 * 32 + (i_block_8 * 32 + i_block_7 * 26 + i_x_13) % 34)];
      }
    }
    const int i_block_9 = threadIdx.y;
    float stored_6[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_14 = 0; i_x_14 < 4; i_x_14++) {
      const int i_x_15 = threadIdx.x;
      float x;
      x = 0.0f;
      for (int i_x_16 = 0; i_x_16 < 9; i_x_16++) {
        x = x + stored_3[i_block_9 * 136 + i_x_14 * 34 + i_x_16 / 3 * 31 + i_x_15 + i_x_16];
      }
      const float sums = x;
      float x_2;
      x_2 = 0.0f;
      for (int i_x_17 = 0; i_x_17 < 9; i_x_17++) {
        x_2 = x_2 + stored_4[i_block_9 * 136 + i_x_14 * 34 + i_x_17 / 3 * 31 + i_x_15 + i_x_17];
      }
      const float sums_1 = x_2;
      const float trace = sums + sums_1;
      float x_3;
      x_3 = 0.0f;
      for (int i_x_18 = 0; i_x_18 < 9; i_x_18++) {
        x_3 = x_3 + stored_5[i_block_9 * 136 + i_x_14 * 34 + i_x_18 / 3 * 31 + i_x_15 + i_x_18];
      }
      const float xySum = x_3;
      stored_6[i_x_14] = sums * sums_1 - xySum * xySum - 0.04f * (trace * trace);
    }
    #pragma unroll
    for (int i_x_19 = 0; i_x_19 < 4; i_x_19++) {
      const int i_x_20 = threadIdx.x;
      if (i_x_10 * 32 + i_x_20 < N) {
        if (i_x_9 * 16 + i_block_9 * 4 + i_x_19 < M) {
          output[(i_x_9 * 16 + i_block_9 * 4 + i_x_19) * N + i_x_10 * 32 + i_x_20] = stored_6[i_x_19];
        }
      }
    }
  }
}
