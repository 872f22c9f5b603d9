// Kernels with one mistake each at barriers of some threads; for the header of each see `bugs.cu`.

// finds bad-barrier, grid 1, block 64
extern "C" __global__ void seventeenth_barrier(float* x, int n) {
  asm volatile("bar.sync 16;");  //!
}

// finds bad-barrier, grid 1, block 64
extern "C" __global__ void count_of_half_a_warp(float* x, int n) {
  asm volatile("bar.sync 1, %0;" :: "r"(n - 16));  //!
}

// finds bad-barrier, grid 1, block 64
extern "C" __global__ void different_counts(float* x, int n) {
  if (threadIdx.x < 32)
    asm volatile("bar.arrive 1, 64;");  //!
  else
    asm volatile("bar.sync 1, 96;");  //!
}

// finds bad-barrier, grid 1, block 64
extern "C" __global__ void barrier_of_the_block_too(float* x, int n) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 0, 64;");  //!
  else
    __syncthreads();  //!
}

// finds bad-barrier, grid 1, block 64
extern "C" __global__ void different_votes(float* x, int n) {
  unsigned y;
  if (threadIdx.x < 32)
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1; bar.red.popc.u32 %0, 1, 64, p; }" : "=r"(y));  //!
  else
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1; bar.red.and.pred p, 1, 64, p; }");  //!
}

// finds deadlock, grid 1, block 64
extern "C" __global__ void one_warp_too_few(float* x, int n) {
  asm volatile("bar.sync 1, 96;");  //!
}

// finds deadlock, grid 1, block 64
extern "C" __global__ void other_numbers(float* x, int n) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;");  //!
  else
    asm volatile("bar.sync 2, 64;");  //!
}

// finds divergent-barrier, grid 1, block 32
extern "C" __global__ void half_a_warp_waits(float* x, int n) {
  if (threadIdx.x < 16)
    asm volatile("bar.sync 1, 32;");  //!
  else
    __syncwarp(0xffff0000);
  __syncwarp();  //!
}

// finds divergent-barrier, grid 1, block 32
extern "C" __global__ void number_by_lane(float* x, int n) {
  asm volatile("bar.sync %0, 32;" :: "r"(1 + threadIdx.x / 16));  //!
}

// finds race in part, grid 1, block 64
extern "C" __global__ void who_arrives_does_not_wait(float* x, int n) {
  __shared__ float part[32];
  if (threadIdx.x < 32) {
    part[threadIdx.x] = x[threadIdx.x];  //!
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    x[threadIdx.x] = part[threadIdx.x - 32];  //!
  }
}

// finds race in part, grid 1, block 128
extern "C" __global__ void third_reader_is_forgotten(float* x, int n) {
  __shared__ float part[1];
  if (threadIdx.x == 0) part[0] = 1;
  __syncthreads();
  if (part[0] == 7) x[0] = 0;  //!
  if (threadIdx.x >= 96) return;
  asm volatile("bar.sync 1, 96;" ::: "memory");
  if (threadIdx.x == 0) part[0] = 2;  //!
}
