// Sums under locks: plain additions that a lock keeps apart, in global memory for all blocks, in shared memory for one.
__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();  // after the lock is taken
}
__device__ void leave(int* lock) {
  __threadfence();  // before the lock is left
  atomicExch(lock, 0);
}

extern "C" __global__ void lock_of_the_grid(const int* x, int* lock, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  take(lock);
  *sum = *sum + x[i];
  leave(lock);
}

extern "C" __global__ void lock_of_a_block(const int* x, int* lock, int* sum, int n) {
  __shared__ int here, own;
  if (threadIdx.x == 0) here = own = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    while (atomicCAS_block(&own, 0, 1) != 0) {}
    __threadfence_block();  // after the lock of the block is taken
    here += x[i];
    __threadfence_block();  // before the lock of the block is left
    atomicExch_block(&own, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, here);
}

// Tickets: each thread waits for its turn, volatile.
extern "C" __global__ void turns(const int* x, int* lock, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int ticket = atomicAdd(&lock[0], 1);
  volatile int* turn = &lock[1];
  while (*turn != ticket) __nanosleep(50);
  __threadfence();  // after its turn has come
  *sum = *sum + x[i];
  __threadfence();  // before the next turn
  *turn = ticket + 1;
}

// A thread of a block hands numbers to another, one at a time, by a volatile flag.
extern "C" __global__ void handed_over(const int* x, int* lock, int* sum, int n) {
  __shared__ volatile int is_full;
  __shared__ int cup;
  if (threadIdx.x == 0) is_full = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
      while (is_full) {}
      __threadfence_block();  // after it is empty
      cup = x[i];
      __threadfence_block();  // before it is full
      is_full = 1;
    }
  } else if (threadIdx.x == blockDim.x / 2) {
    int all = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
      while (!is_full) {}
      __threadfence_block();  // after it is full
      all += cup;
      __threadfence_block();  // before it is empty
      is_full = 0;
    }
    atomicAdd(sum, all);
  }
}
