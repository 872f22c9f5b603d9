// The sum of n integers: lanes by shuffles, warps by shared memory, blocks by an atomic addition.
extern "C" __global__ void reduction(const int* __restrict__ x, int* __restrict__ sum, int n) {
  __shared__ int of_warps[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff, mine, step);
  if (lane == 0) of_warps[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    mine = lane < blockDim.x / 32 ? of_warps[lane] : 0;
    for (int step = 16; step > 0; step /= 2) mine += __shfl_xor_sync(0xffffffff, mine, step);
    if (lane == 0) atomicAdd(sum, mine);
  }
}
