// Inclusive sums in one pass by decoupled look-back: a block publishes its own sum, then all sums up to its own, and looks
// back at what earlier blocks have published. Blocks are numbered as they begin.
__device__ unsigned begun = 0;

__device__ int sums_of_block(int mine, int* shared) {
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    int before = threadIdx.x >= step ? shared[threadIdx.x - step] : 0;
    __syncthreads();
    shared[threadIdx.x] += before;
    __syncthreads();
  }
  return shared[threadIdx.x];
}

enum { OWN = 1, ALL = 2 };

// A flag for each block beside its sums: fences keep them in order.
extern "C" __global__ void flags(const int* x, int* y, int* own, int* all, volatile int* state, int n) {
  __shared__ int shared[64], block, before;
  if (threadIdx.x == 0) block = atomicInc(&begun, gridDim.x - 1);
  __syncthreads();
  int i = block * blockDim.x + threadIdx.x;
  int sum = sums_of_block(i < n ? x[i] : 0, shared);
  if (threadIdx.x == blockDim.x - 1) {
    own[block] = sum;
    __threadfence();  // before its own sum is published
    state[block] = OWN;
    int earlier = 0;
    for (int other = block - 1; other >= 0; other--) {
      int seen;
      while ((seen = state[other]) == 0) {}
      __threadfence();  // after a state was read
      if (seen == ALL) {
        earlier += all[other];
        break;
      }
      earlier += own[other];
    }
    all[block] = earlier + sum;
    __threadfence();  // before all sums are published
    state[block] = ALL;
    before = earlier;
  }
  __syncthreads();
  if (i < n) y[i] = before + sum;
}

// State and sum in one word, which is written and read at once: no fences.
extern "C" __global__ void words(const int* x, int* y, volatile unsigned long long* published, int n) {
  __shared__ int shared[64], block, before;
  if (threadIdx.x == 0) block = atomicInc(&begun, gridDim.x - 1);
  __syncthreads();
  int i = block * blockDim.x + threadIdx.x;
  int sum = sums_of_block(i < n ? x[i] : 0, shared);
  if (threadIdx.x == blockDim.x - 1) {
    published[block] = (unsigned long long)OWN << 32 | (unsigned)sum;
    int earlier = 0;
    for (int other = block - 1; other >= 0; other--) {
      unsigned long long word;
      do word = published[other];
      while (word >> 32 == 0);
      earlier += (int)(unsigned)word;
      if (word >> 32 == ALL) break;
    }
    published[block] = (unsigned long long)ALL << 32 | (unsigned)(earlier + sum);
    before = earlier;
  }
  __syncthreads();
  if (i < n) y[i] = before + sum;
}

// A warp looks back at 32 blocks at once.
extern "C" __global__ void warps(const int* x, int* y, int* own, int* all, int* state, int n) {
  __shared__ int shared[64], block, before;
  if (threadIdx.x == 0) block = atomicInc(&begun, gridDim.x - 1);
  __syncthreads();
  int i = block * blockDim.x + threadIdx.x;
  int sum = sums_of_block(i < n ? x[i] : 0, shared);
  if (threadIdx.x < 32) {
    int last = shared[blockDim.x - 1], earlier = 0;
    if (threadIdx.x == 0) {
      own[block] = last;
      __threadfence();  // before its own sum is published
      atomicExch(&state[block], OWN);
    }
    for (int top = block - 1; top >= 0; top -= 32) {
      int other = top - (int)threadIdx.x, seen;
      do seen = other < 0 ? (int)ALL : atomicAdd(&state[other], 0);
      while (__any_sync(0xffffffff, seen == 0));
      __threadfence();  // after states were read
      unsigned done = __ballot_sync(0xffffffff, seen == ALL);
      int first = __ffs(done) - 1;
      int value = other < 0 || (done && (int)threadIdx.x > first) ? 0 : seen == ALL ? all[other] : own[other];
      for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffff, value, step);
      earlier += value;
      if (done) break;
    }
    if (threadIdx.x == 0) {
      all[block] = earlier + last;
      __threadfence();  // before all sums are published
      atomicExch(&state[block], ALL);
      before = earlier;
    }
  }
  __syncthreads();
  if (i < n) y[i] = before + sum;
}
