// Clusters of blocks: CUDA's built-in functions.
#pragma once

SIM_INLINE dim3 __clusterDim() { return dim3(sim_cluster_size.x, sim_cluster_size.y, sim_cluster_size.z); }
SIM_INLINE dim3 __clusterRelativeBlockIdx() {
  return dim3(blockIdx.x % sim_cluster_size.x, blockIdx.y % sim_cluster_size.y, blockIdx.z % sim_cluster_size.z);
}
SIM_INLINE dim3 __clusterIdx() {
  return dim3(blockIdx.x / sim_cluster_size.x, blockIdx.y / sim_cluster_size.y, blockIdx.z / sim_cluster_size.z);
}
SIM_INLINE dim3 __clusterGridDimInClusters() {
  return dim3(gridDim.x / sim_cluster_size.x, gridDim.y / sim_cluster_size.y, gridDim.z / sim_cluster_size.z);
}
SIM_INLINE unsigned __clusterRelativeBlockRank() { return sim_rank_in_cluster(); }
SIM_INLINE unsigned __clusterSizeInBlocks() { return sim_cluster_size.x * sim_cluster_size.y * sim_cluster_size.z; }
SIM_INLINE bool __clusterDimIsSpecified() { return __clusterSizeInBlocks() > 1; }
SIM_INLINE void __cluster_barrier_arrive(SIM_LINE) { sim_cluster_arrive(true, sim_line); }
SIM_INLINE void __cluster_barrier_arrive_relaxed(SIM_LINE) { sim_cluster_arrive(false, sim_line); }
SIM_INLINE void __cluster_barrier_wait(SIM_LINE) { sim_cluster_wait(true, sim_line); }
SIM_INLINE void *__cluster_map_shared_rank(const void *at, unsigned rank, SIM_LINE) { return sim_map_pointer(at, rank, sim_line); }
SIM_INLINE unsigned __cluster_query_shared_rank(const void *at) { return sim_rank_of_pointer(at); }
