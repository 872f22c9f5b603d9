// Counts of the bytes of x, first in shared memory by atomic additions.
extern "C" __global__ void histogram(const unsigned char* __restrict__ x, unsigned* __restrict__ counts, int n) {
  __shared__ unsigned here[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) here[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&here[x[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&counts[i], here[i]);
}
