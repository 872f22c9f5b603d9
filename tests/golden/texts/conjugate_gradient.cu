// conjugate_gradient(a: N.N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) conjugate_gradient(
    const float* __restrict__ a,
    const float* __restrict__ state_3rd,
    float* __restrict__ images_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float images_by_warp8[8];
  const int n_row_block = blockIdx.x;
  float images_by_warp1;
  float images_by_warp2;
  float images_by_warp4;
  const int n_column_warp = threadIdx.x / 32;
  float images_by_lane1;
  float images_by_lane2;
  float images_by_lane4;
  float images_by_lane8;
  float images_by_lane16;
  float images_by_lane32;
  images_by_lane32 = 0.0f;
  for (int n_column_strip = 0; n_column_strip < (N + 255) / 256; n_column_strip++) {
    const int at_n_column = n_column_warp * 32 + lane + n_column_strip * 256;
    images_by_lane32 = images_by_lane32 + (at_n_column < N ? a[n_row_block * N + n_column_warp * 32 + lane + n_column_strip * 256] * state_3rd[at_n_column] : 0.0f);
  }
  const float other_images_by_lane32 = __shfl_sync(0xffffffff, images_by_lane32, lane + 16);
  if (lane < 16) {
    images_by_lane16 = images_by_lane32 + other_images_by_lane32;
  }
  const float other_images_by_lane16 = __shfl_sync(0xffffffff, images_by_lane16, lane + 8);
  if (lane < 8) {
    images_by_lane8 = images_by_lane16 + other_images_by_lane16;
  }
  const float other_images_by_lane8 = __shfl_sync(0xffffffff, images_by_lane8, lane + 4);
  if (lane < 4) {
    images_by_lane4 = images_by_lane8 + other_images_by_lane8;
  }
  const float other_images_by_lane4 = __shfl_sync(0xffffffff, images_by_lane4, lane + 2);
  if (lane < 2) {
    images_by_lane2 = images_by_lane4 + other_images_by_lane4;
  }
  const float other0_images_by_lane2 = __shfl_sync(0xffffffff, images_by_lane2, 0);
  const float other1_images_by_lane2 = __shfl_sync(0xffffffff, images_by_lane2, 1);
  images_by_lane1 = other0_images_by_lane2 + other1_images_by_lane2;
  if (lane < 1) {
    images_by_warp8[n_column_warp] = images_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    images_by_warp4 = images_by_warp8[lane] + images_by_warp8[lane + 4];
  }
  const float other_images_by_warp4 = __shfl_sync(0xffffffff, images_by_warp4, lane + 2);
  if (lane < 2) {
    images_by_warp2 = images_by_warp4 + other_images_by_warp4;
  }
  const float other0_images_by_warp2 = __shfl_sync(0xffffffff, images_by_warp2, 0);
  const float other1_images_by_warp2 = __shfl_sync(0xffffffff, images_by_warp2, 1);
  images_by_warp1 = other0_images_by_warp2 + other1_images_by_warp2;
  if (threadIdx.x < 1) {
    images_by_block[n_row_block] = images_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_1(
    const float* __restrict__ state_2nd,
    float* __restrict__ square_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float square_by_warp8[8];
  const int n_block = blockIdx.x;
  float square_by_warp1;
  float square_by_warp2;
  float square_by_warp4;
  const int n_warp = threadIdx.x / 32;
  float square_by_lane1;
  float square_by_lane2;
  float square_by_lane4;
  float square_by_lane8;
  float square_by_lane16;
  float square_by_lane32;
  square_by_lane32 = 0.0f;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    square_by_lane32 = square_by_lane32 + (at_n < N ? state_2nd[at_n] * state_2nd[at_n] : 0.0f);
  }
  const float other_square_by_lane32 = __shfl_sync(0xffffffff, square_by_lane32, lane + 16);
  if (lane < 16) {
    square_by_lane16 = square_by_lane32 + other_square_by_lane32;
  }
  const float other_square_by_lane16 = __shfl_sync(0xffffffff, square_by_lane16, lane + 8);
  if (lane < 8) {
    square_by_lane8 = square_by_lane16 + other_square_by_lane16;
  }
  const float other_square_by_lane8 = __shfl_sync(0xffffffff, square_by_lane8, lane + 4);
  if (lane < 4) {
    square_by_lane4 = square_by_lane8 + other_square_by_lane8;
  }
  const float other_square_by_lane4 = __shfl_sync(0xffffffff, square_by_lane4, lane + 2);
  if (lane < 2) {
    square_by_lane2 = square_by_lane4 + other_square_by_lane4;
  }
  const float other0_square_by_lane2 = __shfl_sync(0xffffffff, square_by_lane2, 0);
  const float other1_square_by_lane2 = __shfl_sync(0xffffffff, square_by_lane2, 1);
  square_by_lane1 = other0_square_by_lane2 + other1_square_by_lane2;
  if (lane < 1) {
    square_by_warp8[n_warp] = square_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    square_by_warp4 = square_by_warp8[lane] + square_by_warp8[lane + 4];
  }
  const float other_square_by_warp4 = __shfl_sync(0xffffffff, square_by_warp4, lane + 2);
  if (lane < 2) {
    square_by_warp2 = square_by_warp4 + other_square_by_warp4;
  }
  const float other0_square_by_warp2 = __shfl_sync(0xffffffff, square_by_warp2, 0);
  const float other1_square_by_warp2 = __shfl_sync(0xffffffff, square_by_warp2, 1);
  square_by_warp1 = other0_square_by_warp2 + other1_square_by_warp2;
  if (threadIdx.x < 1) {
    square_by_block[n_block] = square_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_2(
    float* __restrict__ square_by_warp1,
    const float* __restrict__ square_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float square_by_warp8[8];
  float square_by_warp2;
  float square_by_warp4;
  const int warp = threadIdx.x / 32;
  float square_by_lane1;
  float square_by_lane2;
  float square_by_lane4;
  float square_by_lane8;
  float square_by_lane16;
  float square_by_lane32;
  square_by_lane32 = 0.0f;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    square_by_lane32 = square_by_lane32 + (at_j < (N + 2047) / 2048 ? square_by_block[at_j] : 0.0f);
  }
  const float other_square_by_lane32 = __shfl_sync(0xffffffff, square_by_lane32, lane + 16);
  if (lane < 16) {
    square_by_lane16 = square_by_lane32 + other_square_by_lane32;
  }
  const float other_square_by_lane16 = __shfl_sync(0xffffffff, square_by_lane16, lane + 8);
  if (lane < 8) {
    square_by_lane8 = square_by_lane16 + other_square_by_lane16;
  }
  const float other_square_by_lane8 = __shfl_sync(0xffffffff, square_by_lane8, lane + 4);
  if (lane < 4) {
    square_by_lane4 = square_by_lane8 + other_square_by_lane8;
  }
  const float other_square_by_lane4 = __shfl_sync(0xffffffff, square_by_lane4, lane + 2);
  if (lane < 2) {
    square_by_lane2 = square_by_lane4 + other_square_by_lane4;
  }
  const float other0_square_by_lane2 = __shfl_sync(0xffffffff, square_by_lane2, 0);
  const float other1_square_by_lane2 = __shfl_sync(0xffffffff, square_by_lane2, 1);
  square_by_lane1 = other0_square_by_lane2 + other1_square_by_lane2;
  if (lane < 1) {
    square_by_warp8[warp] = square_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    square_by_warp4 = square_by_warp8[lane] + square_by_warp8[lane + 4];
  }
  const float other_square_by_warp4 = __shfl_sync(0xffffffff, square_by_warp4, lane + 2);
  if (lane < 2) {
    square_by_warp2 = square_by_warp4 + other_square_by_warp4;
  }
  const float other0_square_by_warp2 = __shfl_sync(0xffffffff, square_by_warp2, 0);
  const float other1_square_by_warp2 = __shfl_sync(0xffffffff, square_by_warp2, 1);
  if (threadIdx.x < 1) {
    square_by_warp1[0] = other0_square_by_warp2 + other1_square_by_warp2;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_3(
    const float* __restrict__ state_3rd,
    const float* __restrict__ images_by_block,
    float* __restrict__ sums_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums_by_warp[8];
  const int n_block = blockIdx.x;
  float sum_by_warp1;
  float sum_by_warp2;
  float sum_by_warp4;
  const int n_warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    sum_by_lane32 = sum_by_lane32 + (at_n < N ? state_3rd[at_n] * images_by_block[at_n] : 0.0f);
  }
  const float other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const float other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const float other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const float other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const float other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const float other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  if (lane < 1) {
    sums_by_warp[n_warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = sums_by_warp[lane] + sums_by_warp[lane + 4];
  }
  const float other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = sum_by_warp4 + other_sum_by_warp4;
  }
  const float other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const float other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1 = other0_sum_by_warp2 + other1_sum_by_warp2;
  if (threadIdx.x < 1) {
    sums_by_block[n_block] = sum_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_4(
    float* __restrict__ sum_by_warp1,
    const float* __restrict__ sums_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[8];
  float sum_by_warp2;
  float sum_by_warp4;
  const int warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    sum_by_lane32 = sum_by_lane32 + (at_j < (N + 2047) / 2048 ? sums_by_block[at_j] : 0.0f);
  }
  const float other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const float other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const float other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const float other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const float other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const float other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  if (lane < 1) {
    sums[warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = sums[lane] + sums[lane + 4];
  }
  const float other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = sum_by_warp4 + other_sum_by_warp4;
  }
  const float other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const float other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  if (threadIdx.x < 1) {
    sum_by_warp1[0] = other0_sum_by_warp2 + other1_sum_by_warp2;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_5(
    const float* __restrict__ state_2nd,
    const float* __restrict__ images_by_block,
    const float* __restrict__ square_by_warp1,
    const float* __restrict__ sum_by_warp1,
    float* __restrict__ sums_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums_by_warp[8];
  const float this_square = square_by_warp1[0];
  const float length = this_square / sum_by_warp1[0];
  const int n_block = blockIdx.x;
  float sum_by_warp1_1;
  float sum_by_warp2;
  float sum_by_warp4;
  const int n_warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    float chosen;
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    if (at_n < N) {
      const float left = state_2nd[at_n] - length * images_by_block[at_n];
      chosen = left * left;
    } else {
      chosen = 0.0f;
    }
    sum_by_lane32 = sum_by_lane32 + chosen;
  }
  const float other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const float other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const float other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const float other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const float other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const float other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  if (lane < 1) {
    sums_by_warp[n_warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = sums_by_warp[lane] + sums_by_warp[lane + 4];
  }
  const float other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = sum_by_warp4 + other_sum_by_warp4;
  }
  const float other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const float other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1_1 = other0_sum_by_warp2 + other1_sum_by_warp2;
  if (threadIdx.x < 1) {
    sums_by_block[n_block] = sum_by_warp1_1;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_6(
    float* __restrict__ sum_by_warp1,
    const float* __restrict__ sums_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[8];
  float sum_by_warp2;
  float sum_by_warp4;
  const int warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    sum_by_lane32 = sum_by_lane32 + (at_j < (N + 2047) / 2048 ? sums_by_block[at_j] : 0.0f);
  }
  const float other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const float other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const float other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const float other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const float other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const float other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  if (lane < 1) {
    sums[warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = sums[lane] + sums[lane + 4];
  }
  const float other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = sum_by_warp4 + other_sum_by_warp4;
  }
  const float other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const float other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  if (threadIdx.x < 1) {
    sum_by_warp1[0] = other0_sum_by_warp2 + other1_sum_by_warp2;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_7(
    const float* __restrict__ state_1st,
    const float* __restrict__ state_2nd,
    const float* __restrict__ state_3rd,
    const float* __restrict__ images_by_block,
    const float* __restrict__ square_by_warp1,
    const float* __restrict__ sum_by_warp1,
    const float* __restrict__ sum_by_warp1_1,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    float* __restrict__ output_3rd,
    const int N
) {
  const float this_square = square_by_warp1[0];
  const float length = this_square / sum_by_warp1[0];
  const float kept = sum_by_warp1_1[0] / this_square;
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float left = state_2nd[n] - length * images_by_block[n];
    output_1st[n] = state_1st[n] + length * state_3rd[n];
    output_2nd[n] = left;
    output_3rd[n] = left + kept * state_3rd[n];
  }
}
