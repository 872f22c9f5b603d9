// Sums of blocks, with a mistake that docs/simulator.md finds.
#include <cstdio>
#include <vector>

template <int THREADS>
__global__ void sum(const float* x, float* sums, int n) {
  __shared__ float part[THREADS];
  int i = blockIdx.x * THREADS + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

int main() {
  const int n = 1000, blocks = 8, threads = 128;
  std::vector<float> x(n, 1.0f), sums(blocks);
  float *device_x, *device_sums;
  cudaMalloc(&device_x, n * sizeof(float));
  cudaMalloc(&device_sums, blocks * sizeof(float));
  cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<threads><<<blocks, threads>>>(device_x, device_sums, n);
  cudaMemcpy(sums.data(), device_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  for (float one : sums) std::printf("%g\n", one);
}
