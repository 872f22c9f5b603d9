// attention(scale: f32, queries: 8.4.f32, keys: 8.4.f32, values: 8.4.f32) -> 8.4.f32
// for sm_80

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(256) attention(
    const float* __restrict__ queries,
    const float* __restrict__ keys,
    const float* __restrict__ values,
    float* __restrict__ weights,
    float* __restrict__ row,
    float* __restrict__ output,
    const float scale
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float top[8];
  __shared__ __align__(16) float total[8];
  const int row_block = blockIdx.x;
  if (threadIdx.x < 8) {
    const int keys_row_thread = threadIdx.x;
    float acc;
    acc = 0.0f;
    for (int queries_column = 0; queries_column < 4; queries_column++) {
      acc = acc + queries[row_block * 4 + queries_column] * keys[keys_row_thread * 4 + queries_column];
    }
    row[row_block * 8 + keys_row_thread] = scale * acc;
  }
  float top_1;
  float top_2;
  float top_3;
  float stored;
  float stored_1;
  float stored_2;
  float stored_3;
  float stored_4;
  float stored_5;
  float x;
  x = -__int_as_float(0x7f800000);
  x = max_f32(x, warp * 32 + lane < 8 ? row[warp * 32 + row_block * 8 + lane] : -__int_as_float(0x7f800000));
  stored_5 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_5, lane + 16);
  if (lane < 16) {
    stored_4 = max_f32(stored_5, stored_of_lane);
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_4, lane + 8);
  if (lane < 8) {
    stored_3 = max_f32(stored_4, stored_of_lane_1);
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_3, lane + 4);
  if (lane < 4) {
    stored_2 = max_f32(stored_3, stored_of_lane_2);
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = max_f32(stored_2, stored_of_lane_3);
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = max_f32(stored_of_lane_4, stored_of_lane_5);
  float x_1;
  x_1 = -__int_as_float(0x7f800000);
  x_1 = max_f32(x_1, stored);
  if (lane < 1) {
    top[warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i = lane;
    top_3 = max_f32(top[i], top[i + 4]);
  }
  const float top_of_lane = __shfl_sync(0xffffffff, top_3, lane + 2);
  if (lane < 2) {
    top_2 = max_f32(top_3, top_of_lane);
  }
  const float top_of_lane_1 = __shfl_sync(0xffffffff, top_2, 0);
  const float top_of_lane_2 = __shfl_sync(0xffffffff, top_2, 1);
  top_1 = max_f32(top_of_lane_1, top_of_lane_2);
  float x_2;
  x_2 = -__int_as_float(0x7f800000);
  x_2 = max_f32(x_2, top_1);
  const float top_4 = x_2;
  float total_1;
  float total_2;
  float total_3;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float stored_10;
  float stored_11;
  float x_3;
  x_3 = 0.0f;
  const float x_4 = x_3 + (warp * 32 + lane < 8 ? expf(row[warp * 32 + row_block * 8 + lane] - top_4) : 0.0f);
  x_3 = x_4;
  stored_11 = x_3;
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_11, lane + 16);
  if (lane < 16) {
    stored_10 = stored_11 + stored_of_lane_6;
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_10, lane + 8);
  if (lane < 8) {
    stored_9 = stored_10 + stored_of_lane_7;
  }
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_9, lane + 4);
  if (lane < 4) {
    stored_8 = stored_9 + stored_of_lane_8;
  }
  const float stored_of_lane_9 = __shfl_sync(0xffffffff, stored_8, lane + 2);
  if (lane < 2) {
    stored_7 = stored_8 + stored_of_lane_9;
  }
  const float stored_of_lane_10 = __shfl_sync(0xffffffff, stored_7, 0);
  const float stored_of_lane_11 = __shfl_sync(0xffffffff, stored_7, 1);
  stored_6 = stored_of_lane_10 + stored_of_lane_11;
  float x_5;
  x_5 = 0.0f;
  x_5 = x_5 + stored_6;
  if (lane < 1) {
    total[warp] = x_5;
  }
  __syncthreads();
  if (lane < 4) {
    const int i = lane;
    total_3 = total[i] + total[i + 4];
  }
  const float total_of_lane = __shfl_sync(0xffffffff, total_3, lane + 2);
  if (lane < 2) {
    total_2 = total_3 + total_of_lane;
  }
  const float total_of_lane_1 = __shfl_sync(0xffffffff, total_2, 0);
  const float total_of_lane_2 = __shfl_sync(0xffffffff, total_2, 1);
  total_1 = total_of_lane_1 + total_of_lane_2;
  float x_6;
  x_6 = 0.0f;
  x_6 = x_6 + total_1;
  const float total_4 = x_6;
  if (threadIdx.x < 8) {
    const int keys_row_thread = threadIdx.x;
    weights[row_block * 8 + keys_row_thread] = expf(row[row_block * 8 + keys_row_thread] - top_4) / total_4;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int column_thread = threadIdx.x;
    float acc;
    acc = 0.0f;
    for (int keys_row = 0; keys_row < 8; keys_row++) {
      acc = acc + weights[row_block * 8 + keys_row] * values[keys_row * 4 + column_thread];
    }
    output[row_block * 4 + column_thread] = acc;
  }
}
