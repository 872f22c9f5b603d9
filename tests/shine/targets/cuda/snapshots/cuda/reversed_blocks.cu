// reverse(x: n.13000.f32) -> n.13000.f32 for all n
// for sm_80
extern "C" __global__ void __launch_bounds__(512) reverse(
    const float* __restrict__ x,
    float* __restrict__ output
) {
  extern __shared__ __align__(32) unsigned char shared_memory[];
  float* const x_tile_of_row = reinterpret_cast<float*>(shared_memory + 0);
  float* const x_tile_of_column = reinterpret_cast<float*>(shared_memory + 52000);
  const int i_n_block = blockIdx.x;
  for (int x_column_thread = threadIdx.x; x_column_thread < 13000; x_column_thread += 512) {
    x_tile_of_row[x_column_thread] = x[i_n_block * 13000 + x_column_thread];
  }
  if (threadIdx.x < 2) {
    const int x_column_thread = threadIdx.x;
    x_tile_of_column[x_column_thread] = x[i_n_block * 13000 + x_column_thread * 12999];
  }
  __syncthreads();
  for (int column_thread = threadIdx.x; column_thread < 13000; column_thread += 512) {
    output[i_n_block * 13000 + column_thread] = x_tile_of_row[12999 - column_thread] + x_tile_of_column[0] * x_tile_of_column[1];
  }
  __syncthreads();
}
