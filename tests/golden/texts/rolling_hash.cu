// rolling_hash(text: 256.u8) -> 256.u32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) rolling_hash(
    const unsigned char* __restrict__ text,
    unsigned* __restrict__ product_by_thread_1st,
    unsigned* __restrict__ sum_by_thread_2nd,
    unsigned* __restrict__ parts_for_q_1st_from_parts_for_q_2nd_1st,
    unsigned* __restrict__ parts_for_q_2nd_from_parts_for_q_1st_2nd,
    unsigned* __restrict__ output
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) unsigned products_by_thread_1st[2048];
  unsigned* const products_by_lane_from_q_1st = products_by_thread_1st;
  unsigned* const parts_by_thread_from_text_tile_1st = products_by_thread_1st;
  unsigned* const parts_for_q_1st_by_thread128_1st = products_by_thread_1st;
  unsigned* const parts_for_q_1st_by_thread2_1st = products_by_thread_1st;
  unsigned* const parts_for_q_2nd_by_thread2_2nd = products_by_thread_1st + 4;
  unsigned* const parts_for_q_1st_by_thread4_1st = products_by_thread_1st + 8;
  unsigned* const parts_for_q_2nd_by_thread4_2nd = products_by_thread_1st + 12;
  unsigned* const parts_for_q_1st_by_thread8_1st = products_by_thread_1st + 16;
  unsigned* const parts_for_q_2nd_by_thread8_2nd = products_by_thread_1st + 24;
  unsigned* const parts_for_q_1st_by_thread16_1st = products_by_thread_1st + 32;
  unsigned* const parts_for_q_2nd_by_thread16_2nd = products_by_thread_1st + 48;
  unsigned* const parts_for_q_1st_by_thread32_1st = products_by_thread_1st + 64;
  unsigned* const parts_for_q_2nd_by_thread32_2nd = products_by_thread_1st + 96;
  unsigned* const parts_for_q_1st_by_thread64_1st = products_by_thread_1st + 128;
  unsigned* const parts_for_q_2nd_by_thread64_2nd = products_by_thread_1st + 192;
  unsigned* const sums_by_lane_from_q_2nd = products_by_thread_1st + 256;
  unsigned* const parts_by_thread_from_text_tile_2nd = products_by_thread_1st + 256;
  unsigned* const parts_for_q_2nd_by_thread128_2nd = products_by_thread_1st + 256;
  unsigned* const parts_for_q_1st_by_thread256_1st = products_by_thread_1st + 384;
  unsigned* const parts_by_thread_from_q_1st = products_by_thread_1st + 512;
  unsigned* const parts_for_q_2nd_by_thread256_2nd = products_by_thread_1st + 640;
  unsigned* const parts_by_thread_from_q_2nd = products_by_thread_1st + 768;
  __shared__ __align__(16) unsigned sums_by_thread_2nd[2048];
  __shared__ __align__(16) unsigned parts_by_thread_from_text_1st[2048];
  __shared__ __align__(16) unsigned text_tile[2048];
  __shared__ __align__(16) unsigned products_by_lane_1st[256];
  __shared__ __align__(16) unsigned sums_by_lane_from_parts_by_thread_2nd[256];
  const int text_i_thread = threadIdx.x;
  unsigned parts_for_q_1st_of_thread_1st;
  unsigned parts_for_q_2nd_of_thread_2nd;
  parts_for_q_1st_of_thread_1st = 1U;
  parts_for_q_2nd_of_thread_2nd = 0U;
  for (int text_i = 0; text_i < 8; text_i++) {
    const int at_text_i = text_i_thread * 8 + text_i;
    const unsigned q_1st = at_text_i < 256 ? 31U : 1U;
    const unsigned q_2nd = at_text_i < 256 ? (unsigned)text[at_text_i] : 0U;
    parts_for_q_1st_of_thread_1st = parts_for_q_1st_of_thread_1st * q_1st;
    parts_for_q_2nd_of_thread_2nd = parts_for_q_2nd_of_thread_2nd * q_1st + q_2nd;
  }
  parts_for_q_1st_by_thread256_1st[text_i_thread] = parts_for_q_1st_of_thread_1st;
  parts_for_q_2nd_by_thread256_2nd[text_i_thread] = parts_for_q_2nd_of_thread_2nd;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int thread = threadIdx.x;
    parts_for_q_1st_by_thread128_1st[thread] = parts_for_q_1st_by_thread256_1st[thread * 2] * parts_for_q_1st_by_thread256_1st[thread * 2 + 1];
    parts_for_q_2nd_by_thread128_2nd[thread] = parts_for_q_2nd_by_thread256_2nd[thread * 2] * parts_for_q_1st_by_thread256_1st[thread * 2 + 1] + parts_for_q_2nd_by_thread256_2nd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int thread = threadIdx.x;
    parts_for_q_1st_by_thread64_1st[thread] = parts_for_q_1st_by_thread128_1st[thread * 2] * parts_for_q_1st_by_thread128_1st[thread * 2 + 1];
    parts_for_q_2nd_by_thread64_2nd[thread] = parts_for_q_2nd_by_thread128_2nd[thread * 2] * parts_for_q_1st_by_thread128_1st[thread * 2 + 1] + parts_for_q_2nd_by_thread128_2nd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int thread = threadIdx.x;
    parts_for_q_1st_by_thread32_1st[thread] = parts_for_q_1st_by_thread64_1st[thread * 2] * parts_for_q_1st_by_thread64_1st[thread * 2 + 1];
    parts_for_q_2nd_by_thread32_2nd[thread] = parts_for_q_2nd_by_thread64_2nd[thread * 2] * parts_for_q_1st_by_thread64_1st[thread * 2 + 1] + parts_for_q_2nd_by_thread64_2nd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int thread = threadIdx.x;
    parts_for_q_1st_by_thread16_1st[thread] = parts_for_q_1st_by_thread32_1st[thread * 2] * parts_for_q_1st_by_thread32_1st[thread * 2 + 1];
    parts_for_q_2nd_by_thread16_2nd[thread] = parts_for_q_2nd_by_thread32_2nd[thread * 2] * parts_for_q_1st_by_thread32_1st[thread * 2 + 1] + parts_for_q_2nd_by_thread32_2nd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int thread = threadIdx.x;
    parts_for_q_1st_by_thread8_1st[thread] = parts_for_q_1st_by_thread16_1st[thread * 2] * parts_for_q_1st_by_thread16_1st[thread * 2 + 1];
    parts_for_q_2nd_by_thread8_2nd[thread] = parts_for_q_2nd_by_thread16_2nd[thread * 2] * parts_for_q_1st_by_thread16_1st[thread * 2 + 1] + parts_for_q_2nd_by_thread16_2nd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int thread = threadIdx.x;
    parts_for_q_1st_by_thread4_1st[thread] = parts_for_q_1st_by_thread8_1st[thread * 2] * parts_for_q_1st_by_thread8_1st[thread * 2 + 1];
    parts_for_q_2nd_by_thread4_2nd[thread] = parts_for_q_2nd_by_thread8_2nd[thread * 2] * parts_for_q_1st_by_thread8_1st[thread * 2 + 1] + parts_for_q_2nd_by_thread8_2nd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int thread = threadIdx.x;
    parts_for_q_1st_by_thread2_1st[thread] = parts_for_q_1st_by_thread4_1st[thread * 2] * parts_for_q_1st_by_thread4_1st[thread * 2 + 1];
    parts_for_q_2nd_by_thread2_2nd[thread] = parts_for_q_2nd_by_thread4_2nd[thread * 2] * parts_for_q_1st_by_thread4_1st[thread * 2 + 1] + parts_for_q_2nd_by_thread4_2nd[thread * 2 + 1];
  }
  unsigned parts_for_q_1st_1st;
  unsigned parts_for_q_2nd_2nd;
  parts_for_q_1st_1st = 1U;
  parts_for_q_2nd_2nd = 0U;
  __syncthreads();
  for (int i = 0; i < 2; i++) {
    parts_for_q_1st_1st = parts_for_q_1st_1st * parts_for_q_1st_by_thread2_1st[i];
    parts_for_q_2nd_2nd = parts_for_q_2nd_2nd * parts_for_q_1st_by_thread2_1st[i] + parts_for_q_2nd_by_thread2_2nd[i];
  }
  if (threadIdx.x < 1) {
    parts_for_q_1st_from_parts_for_q_2nd_1st[0] = parts_for_q_1st_1st;
    parts_for_q_2nd_from_parts_for_q_1st_2nd[0] = parts_for_q_2nd_2nd;
  }
  const int thread = threadIdx.x;
  unsigned parts_of_thread_1st;
  unsigned parts_of_thread_2nd;
  parts_of_thread_1st = 1U;
  parts_of_thread_2nd = 0U;
  const unsigned q_1st = thread < 1 ? parts_for_q_1st_from_parts_for_q_2nd_1st[thread] : 1U;
  const unsigned q_2nd = thread < 1 ? parts_for_q_2nd_from_parts_for_q_1st_2nd[thread] : 0U;
  parts_of_thread_1st = parts_of_thread_1st * q_1st;
  parts_of_thread_2nd = parts_of_thread_2nd * q_1st + q_2nd;
  parts_by_thread_from_q_1st[thread] = parts_of_thread_1st;
  parts_by_thread_from_q_2nd[thread] = parts_of_thread_2nd;
  unsigned product_by_lane_from_ys_1st_of_lane_1st;
  unsigned sum_by_lane_from_ys_1st_of_lane_2nd;
  unsigned ys_over16_from_q_1st;
  unsigned ys_over16_from_q_2nd;
  unsigned ys_over8_from_q_1st;
  unsigned ys_over8_from_q_2nd;
  unsigned ys_over4_from_q_1st;
  unsigned ys_over4_from_q_2nd;
  unsigned ys_over2_from_q_1st;
  unsigned ys_over2_from_q_2nd;
  unsigned ys_over1_from_q_1st;
  unsigned ys_over1_from_q_2nd;
  unsigned ys_over1_from_parts_for_q_1st_1st;
  unsigned ys_over1_from_parts_for_q_1st_2nd;
  ys_over1_from_parts_for_q_1st_1st = 1U;
  ys_over1_from_parts_for_q_1st_2nd = 0U;
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    const int at_j = lane * 8 + j;
    ys_over1_from_parts_for_q_1st_1st = ys_over1_from_parts_for_q_1st_1st * parts_by_thread_from_q_1st[at_j];
    ys_over1_from_parts_for_q_1st_2nd = ys_over1_from_parts_for_q_1st_2nd * parts_by_thread_from_q_1st[at_j] + parts_by_thread_from_q_2nd[at_j];
  }
  ys_over1_from_q_1st = 1U * ys_over1_from_parts_for_q_1st_1st;
  ys_over1_from_q_2nd = 0U * ys_over1_from_parts_for_q_1st_1st + ys_over1_from_parts_for_q_1st_2nd;
  const unsigned other_ys_over1_from_q_1st = __shfl_sync(0xffffffff, ys_over1_from_q_1st, lane - 1);
  const unsigned padded_other_ys_over1_from_q_1st = 0 < lane ? other_ys_over1_from_q_1st : 1U;
  const unsigned other_ys_over1_from_q_2nd = __shfl_sync(0xffffffff, ys_over1_from_q_2nd, lane - 1);
  const unsigned padded_other_ys_over1_from_q_2nd = 0 < lane ? other_ys_over1_from_q_2nd : 0U;
  ys_over2_from_q_1st = padded_other_ys_over1_from_q_1st * ys_over1_from_q_1st;
  ys_over2_from_q_2nd = padded_other_ys_over1_from_q_2nd * ys_over1_from_q_1st + ys_over1_from_q_2nd;
  const unsigned other_ys_over2_from_q_1st = __shfl_sync(0xffffffff, ys_over2_from_q_1st, lane - 2);
  const unsigned padded_other_ys_over2_from_q_1st = 1 < lane ? other_ys_over2_from_q_1st : 1U;
  const unsigned other_ys_over2_from_q_2nd = __shfl_sync(0xffffffff, ys_over2_from_q_2nd, lane - 2);
  const unsigned padded_other_ys_over2_from_q_2nd = 1 < lane ? other_ys_over2_from_q_2nd : 0U;
  ys_over4_from_q_1st = padded_other_ys_over2_from_q_1st * ys_over2_from_q_1st;
  ys_over4_from_q_2nd = padded_other_ys_over2_from_q_2nd * ys_over2_from_q_1st + ys_over2_from_q_2nd;
  const unsigned other_ys_over4_from_q_1st = __shfl_sync(0xffffffff, ys_over4_from_q_1st, lane - 4);
  const unsigned padded_other_ys_over4_from_q_1st = 3 < lane ? other_ys_over4_from_q_1st : 1U;
  const unsigned other_ys_over4_from_q_2nd = __shfl_sync(0xffffffff, ys_over4_from_q_2nd, lane - 4);
  const unsigned padded_other_ys_over4_from_q_2nd = 3 < lane ? other_ys_over4_from_q_2nd : 0U;
  ys_over8_from_q_1st = padded_other_ys_over4_from_q_1st * ys_over4_from_q_1st;
  ys_over8_from_q_2nd = padded_other_ys_over4_from_q_2nd * ys_over4_from_q_1st + ys_over4_from_q_2nd;
  const unsigned other_ys_over8_from_q_1st = __shfl_sync(0xffffffff, ys_over8_from_q_1st, lane - 8);
  const unsigned padded_other_ys_over8_from_q_1st = 7 < lane ? other_ys_over8_from_q_1st : 1U;
  const unsigned other_ys_over8_from_q_2nd = __shfl_sync(0xffffffff, ys_over8_from_q_2nd, lane - 8);
  const unsigned padded_other_ys_over8_from_q_2nd = 7 < lane ? other_ys_over8_from_q_2nd : 0U;
  ys_over16_from_q_1st = padded_other_ys_over8_from_q_1st * ys_over8_from_q_1st;
  ys_over16_from_q_2nd = padded_other_ys_over8_from_q_2nd * ys_over8_from_q_1st + ys_over8_from_q_2nd;
  const unsigned other_ys_over16_from_q_1st = __shfl_sync(0xffffffff, ys_over16_from_q_1st, lane - 16);
  const unsigned padded_other_ys_over16_from_q_1st = 15 < lane ? other_ys_over16_from_q_1st : 1U;
  const unsigned other_ys_over16_from_q_2nd = __shfl_sync(0xffffffff, ys_over16_from_q_2nd, lane - 16);
  const unsigned padded_other_ys_over16_from_q_2nd = 15 < lane ? other_ys_over16_from_q_2nd : 0U;
  product_by_lane_from_ys_1st_of_lane_1st = padded_other_ys_over16_from_q_1st * ys_over16_from_q_1st;
  sum_by_lane_from_ys_1st_of_lane_2nd = padded_other_ys_over16_from_q_2nd * ys_over16_from_q_1st + ys_over16_from_q_2nd;
  unsigned product_of_lane_1st;
  unsigned sum_of_lane_2nd;
  const unsigned other_product_by_lane_from_ys_1st_of_lane_1st = __shfl_sync(0xffffffff, product_by_lane_from_ys_1st_of_lane_1st, lane - 1);
  product_of_lane_1st = 0 < lane ? other_product_by_lane_from_ys_1st_of_lane_1st : 1U;
  const unsigned other_sum_by_lane_from_ys_1st_of_lane_2nd = __shfl_sync(0xffffffff, sum_by_lane_from_ys_1st_of_lane_2nd, lane - 1);
  sum_of_lane_2nd = 0 < lane ? other_sum_by_lane_from_ys_1st_of_lane_2nd : 0U;
  for (int j = 0; j < 8; j++) {
    const int at_j = lane * 8 + j;
    product_of_lane_1st = product_of_lane_1st * parts_by_thread_from_q_1st[at_j];
    sum_of_lane_2nd = sum_of_lane_2nd * parts_by_thread_from_q_1st[at_j] + parts_by_thread_from_q_2nd[at_j];
    if (warp < 1) {
      products_by_lane_from_q_1st[at_j] = product_of_lane_1st;
      sums_by_lane_from_q_2nd[at_j] = sum_of_lane_2nd;
    }
  }
  unsigned product_of_thread_1st;
  unsigned sum_of_thread_2nd;
  __syncthreads();
  product_of_thread_1st = 0 < thread ? products_by_lane_from_q_1st[thread - 1] : 1U;
  sum_of_thread_2nd = 0 < thread ? sums_by_lane_from_q_2nd[thread - 1] : 0U;
  const unsigned q_1st_1 = thread < 1 ? parts_for_q_1st_from_parts_for_q_2nd_1st[thread] : 1U;
  const unsigned q_2nd_1 = thread < 1 ? parts_for_q_2nd_from_parts_for_q_1st_2nd[thread] : 0U;
  product_of_thread_1st = product_of_thread_1st * q_1st_1;
  sum_of_thread_2nd = sum_of_thread_2nd * q_1st_1 + q_2nd_1;
  if (thread < 1) {
    product_by_thread_1st[thread] = product_of_thread_1st;
    sum_by_thread_2nd[thread] = sum_of_thread_2nd;
  }
  const int i_thread = threadIdx.x;
  for (int text_i_step = 0; text_i_step < 8; text_i_step++) {
    const int at_i_text_i = i_thread + text_i_step * 256;
    parts_by_thread_from_text_1st[at_i_text_i] = at_i_text_i < 256 ? 31U : 1U;
    text_tile[at_i_text_i] = at_i_text_i < 256 ? (unsigned)text[at_i_text_i] : 0U;
  }
  unsigned parts_of_thread_1st_1;
  unsigned parts_of_thread_2nd_1;
  parts_of_thread_1st_1 = 1U;
  parts_of_thread_2nd_1 = 0U;
  __syncthreads();
  for (int i = 0; i < 8; i++) {
    const int at_i = thread * 8 + i;
    parts_of_thread_1st_1 = parts_of_thread_1st_1 * parts_by_thread_from_text_1st[at_i];
    parts_of_thread_2nd_1 = parts_of_thread_2nd_1 * parts_by_thread_from_text_1st[at_i] + text_tile[at_i];
  }
  parts_by_thread_from_text_tile_1st[thread] = parts_of_thread_1st_1;
  parts_by_thread_from_text_tile_2nd[thread] = parts_of_thread_2nd_1;
  unsigned product_by_lane_from_ys_over8_1st;
  unsigned sum_by_lane_from_ys_over8_2nd;
  unsigned ys_over16_from_text_tile_1st;
  unsigned ys_over16_from_text_tile_2nd;
  unsigned ys_over8_from_text_tile_1st;
  unsigned ys_over8_from_text_tile_2nd;
  unsigned ys_over4_from_text_tile_1st;
  unsigned ys_over4_from_text_tile_2nd;
  unsigned ys_over2_from_text_tile_1st;
  unsigned ys_over2_from_text_tile_2nd;
  unsigned ys_over1_from_parts_by_thread_1st;
  unsigned ys_over1_from_parts_by_thread_2nd;
  unsigned ys_over1_from_text_1st;
  unsigned ys_over1_from_text_2nd;
  ys_over1_from_text_1st = 1U;
  ys_over1_from_text_2nd = 0U;
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    const int at_j = lane * 8 + j;
    ys_over1_from_text_1st = ys_over1_from_text_1st * parts_by_thread_from_text_tile_1st[at_j];
    ys_over1_from_text_2nd = ys_over1_from_text_2nd * parts_by_thread_from_text_tile_1st[at_j] + parts_by_thread_from_text_tile_2nd[at_j];
  }
  ys_over1_from_parts_by_thread_1st = 1U * ys_over1_from_text_1st;
  ys_over1_from_parts_by_thread_2nd = 0U * ys_over1_from_text_1st + ys_over1_from_text_2nd;
  const unsigned other_ys_over1_from_parts_by_thread_1st = __shfl_sync(0xffffffff, ys_over1_from_parts_by_thread_1st, lane - 1);
  const unsigned padded_other_ys_over1_from_parts_by_thread_1st = 0 < lane ? other_ys_over1_from_parts_by_thread_1st : 1U;
  const unsigned other_ys_over1_from_parts_by_thread_2nd = __shfl_sync(0xffffffff, ys_over1_from_parts_by_thread_2nd, lane - 1);
  const unsigned padded_other_ys_over1_from_parts_by_thread_2nd = 0 < lane ? other_ys_over1_from_parts_by_thread_2nd : 0U;
  ys_over2_from_text_tile_1st = padded_other_ys_over1_from_parts_by_thread_1st * ys_over1_from_parts_by_thread_1st;
  ys_over2_from_text_tile_2nd = padded_other_ys_over1_from_parts_by_thread_2nd * ys_over1_from_parts_by_thread_1st + ys_over1_from_parts_by_thread_2nd;
  const unsigned other_ys_over2_from_text_tile_1st = __shfl_sync(0xffffffff, ys_over2_from_text_tile_1st, lane - 2);
  const unsigned padded_other_ys_over2_from_text_tile_1st = 1 < lane ? other_ys_over2_from_text_tile_1st : 1U;
  const unsigned other_ys_over2_from_text_tile_2nd = __shfl_sync(0xffffffff, ys_over2_from_text_tile_2nd, lane - 2);
  const unsigned padded_other_ys_over2_from_text_tile_2nd = 1 < lane ? other_ys_over2_from_text_tile_2nd : 0U;
  ys_over4_from_text_tile_1st = padded_other_ys_over2_from_text_tile_1st * ys_over2_from_text_tile_1st;
  ys_over4_from_text_tile_2nd = padded_other_ys_over2_from_text_tile_2nd * ys_over2_from_text_tile_1st + ys_over2_from_text_tile_2nd;
  const unsigned other_ys_over4_from_text_tile_1st = __shfl_sync(0xffffffff, ys_over4_from_text_tile_1st, lane - 4);
  const unsigned padded_other_ys_over4_from_text_tile_1st = 3 < lane ? other_ys_over4_from_text_tile_1st : 1U;
  const unsigned other_ys_over4_from_text_tile_2nd = __shfl_sync(0xffffffff, ys_over4_from_text_tile_2nd, lane - 4);
  const unsigned padded_other_ys_over4_from_text_tile_2nd = 3 < lane ? other_ys_over4_from_text_tile_2nd : 0U;
  ys_over8_from_text_tile_1st = padded_other_ys_over4_from_text_tile_1st * ys_over4_from_text_tile_1st;
  ys_over8_from_text_tile_2nd = padded_other_ys_over4_from_text_tile_2nd * ys_over4_from_text_tile_1st + ys_over4_from_text_tile_2nd;
  const unsigned other_ys_over8_from_text_tile_1st = __shfl_sync(0xffffffff, ys_over8_from_text_tile_1st, lane - 8);
  const unsigned padded_other_ys_over8_from_text_tile_1st = 7 < lane ? other_ys_over8_from_text_tile_1st : 1U;
  const unsigned other_ys_over8_from_text_tile_2nd = __shfl_sync(0xffffffff, ys_over8_from_text_tile_2nd, lane - 8);
  const unsigned padded_other_ys_over8_from_text_tile_2nd = 7 < lane ? other_ys_over8_from_text_tile_2nd : 0U;
  ys_over16_from_text_tile_1st = padded_other_ys_over8_from_text_tile_1st * ys_over8_from_text_tile_1st;
  ys_over16_from_text_tile_2nd = padded_other_ys_over8_from_text_tile_2nd * ys_over8_from_text_tile_1st + ys_over8_from_text_tile_2nd;
  const unsigned other_ys_over16_from_text_tile_1st = __shfl_sync(0xffffffff, ys_over16_from_text_tile_1st, lane - 16);
  const unsigned padded_other_ys_over16_from_text_tile_1st = 15 < lane ? other_ys_over16_from_text_tile_1st : 1U;
  const unsigned other_ys_over16_from_text_tile_2nd = __shfl_sync(0xffffffff, ys_over16_from_text_tile_2nd, lane - 16);
  const unsigned padded_other_ys_over16_from_text_tile_2nd = 15 < lane ? other_ys_over16_from_text_tile_2nd : 0U;
  product_by_lane_from_ys_over8_1st = padded_other_ys_over16_from_text_tile_1st * ys_over16_from_text_tile_1st;
  sum_by_lane_from_ys_over8_2nd = padded_other_ys_over16_from_text_tile_2nd * ys_over16_from_text_tile_1st + ys_over16_from_text_tile_2nd;
  unsigned product_of_lane_1st_1;
  unsigned sum_of_lane_2nd_1;
  const unsigned other_product_by_lane_from_ys_over8_1st = __shfl_sync(0xffffffff, product_by_lane_from_ys_over8_1st, lane - 1);
  product_of_lane_1st_1 = 0 < lane ? other_product_by_lane_from_ys_over8_1st : 1U;
  const unsigned other_sum_by_lane_from_ys_over8_2nd = __shfl_sync(0xffffffff, sum_by_lane_from_ys_over8_2nd, lane - 1);
  sum_of_lane_2nd_1 = 0 < lane ? other_sum_by_lane_from_ys_over8_2nd : 0U;
  for (int j = 0; j < 8; j++) {
    const int at_j = lane * 8 + j;
    product_of_lane_1st_1 = product_of_lane_1st_1 * parts_by_thread_from_text_tile_1st[at_j];
    sum_of_lane_2nd_1 = sum_of_lane_2nd_1 * parts_by_thread_from_text_tile_1st[at_j] + parts_by_thread_from_text_tile_2nd[at_j];
    if (warp < 1) {
      products_by_lane_1st[at_j] = product_of_lane_1st_1;
      sums_by_lane_from_parts_by_thread_2nd[at_j] = sum_of_lane_2nd_1;
    }
  }
  unsigned product_of_thread_1st_1;
  unsigned sum_of_thread_2nd_1;
  __syncthreads();
  product_of_thread_1st_1 = 0 < thread ? products_by_lane_1st[thread - 1] : 1U;
  sum_of_thread_2nd_1 = 0 < thread ? sums_by_lane_from_parts_by_thread_2nd[thread - 1] : 0U;
  for (int i = 0; i < 8; i++) {
    const int at_i = thread * 8 + i;
    product_of_thread_1st_1 = product_of_thread_1st_1 * parts_by_thread_from_text_1st[at_i];
    sum_of_thread_2nd_1 = sum_of_thread_2nd_1 * parts_by_thread_from_text_1st[at_i] + text_tile[at_i];
    products_by_thread_1st[at_i] = product_of_thread_1st_1;
    sums_by_thread_2nd[at_i] = sum_of_thread_2nd_1;
  }
  __syncthreads();
  for (int i_tile = 0; i_tile < 1; i_tile++) {
    const int at_i = i_thread + i_tile * 256;
    output[at_i] = 7U * (1U * products_by_thread_1st[at_i]) + (0U * products_by_thread_1st[at_i] + sums_by_thread_2nd[at_i]);
  }
}
