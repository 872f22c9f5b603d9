// Counts of bytes: restatements of the samples histogram and warpAggregatedAtomics.
enum { BINS = 64, COUNTED = 256 };

// 64 bins by counters of a byte for each thread, which add up to words at the end. Blocks of 64 threads.
extern "C" __global__ void bytes_of_threads(const unsigned char* x, unsigned* counts, int n) {
  __shared__ unsigned char own[BINS * 64];
  int t = threadIdx.x;
  for (int bin = 0; bin < BINS; bin++) own[bin * 64 + t] = 0;
  for (int i = t, seen = 0; i < n && seen < 255; i += 64, seen++) own[x[i] / 4 * 64 + t]++;
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 64; i++) sum += own[t * 64 + (t + i) % 64];
  counts[t] = sum;
}

// 256 bins for each warp, by atomic additions; a part for each block, which `merged` adds up.
extern "C" __global__ void counts_of_warps(const unsigned char* x, unsigned* parts, int n) {
  __shared__ unsigned counts[4][COUNTED];
  int t = threadIdx.x;
  for (int i = t; i < 4 * COUNTED; i += blockDim.x) counts[i / COUNTED][i % COUNTED] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&counts[t / 32][x[i]], 1u);
  __syncthreads();
  for (int bin = t; bin < COUNTED; bin += blockDim.x) {
    unsigned sum = 0;
    for (int warp = 0; warp < 4; warp++) sum += counts[warp][bin];
    parts[blockIdx.x * COUNTED + bin] = sum;
  }
}

// A block for each bin adds up the parts of all blocks.
extern "C" __global__ void merged(const unsigned* parts, unsigned* counts, int n) {
  __shared__ unsigned held[32];
  int t = threadIdx.x;
  unsigned sum = 0;
  for (int i = t; i < n; i += 32) sum += parts[i * COUNTED + blockIdx.x];
  held[t] = sum;
  for (int half = 16; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) held[t] += held[t + half];
  }
  if (t == 0) counts[blockIdx.x] = held[0];
}

// Lanes that keep a number ask for places together: one atomic addition for a warp. The places are in any order.
extern "C" __global__ void kept_by_warps(const int* x, int* kept, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keeps = i < n && x[i] > 0;
  unsigned mask = __ballot_sync(0xffffffff, keeps);
  int leader = __ffs(mask) - 1, first = 0;
  if (mask && lane == leader) first = atomicAdd(count, __popc(mask));
  first = __shfl_sync(0xffffffff, first, leader < 0 ? 0 : leader);
  if (keeps) kept[first + __popc(mask & ((1u << lane) - 1))] = x[i];
}
