// Kernels with one mistake each at barriers of some threads and in bulk copies; for the header of each see `bugs.cu`.
#define ADDRESS(x) (unsigned)__cvta_generic_to_shared(x)

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

// finds bad-barrier, grid 1, block 1
extern "C" __global__ void mbarrier_that_is_none(float* x, int n) {
  __shared__ unsigned long long bar;
  bar = 0;
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(ADDRESS(&bar)) : "memory");  //!
}

// finds bad-barrier, grid 1, block 1
extern "C" __global__ void mbarrier_in_global_memory(float* x, int n) {
  asm volatile("mbarrier.init.b64 [%0], 1;" :: "l"(x) : "memory");  //!
}

// finds bad-barrier, grid 1, block 1
extern "C" __global__ void mbarrier_twice(float* x, int n) {
  __shared__ unsigned long long bar;
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(ADDRESS(&bar)) : "memory");  //!
  asm volatile("mbarrier.init.shared.b64 [%0], 2;" :: "r"(ADDRESS(&bar)) : "memory");  //!
}

// finds bad-barrier, grid 1, block 1
extern "C" __global__ void mbarrier_that_was_overwritten(float* x, int n) {
  __shared__ unsigned long long bars[2];
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(ADDRESS(&bars[1])) : "memory");  //!
  bars[n / 64] = 7;
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(ADDRESS(&bars[1])) : "memory");  //!
}

// finds bad-barrier, grid 1, block 1
extern "C" __global__ void arrival_too_many(float* x, int n) {
  __shared__ unsigned long long bar;
  asm volatile("mbarrier.init.shared.b64 [%0], 2;" :: "r"(ADDRESS(&bar)) : "memory");  //!
  asm volatile("mbarrier.arrive.shared.b64 _, [%0], 3;" :: "r"(ADDRESS(&bar)) : "memory");  //!
}

// finds bad-barrier, grid 1, block 1
extern "C" __global__ void state_of_long_ago(float* x, int n) {
  __shared__ unsigned long long bar;
  unsigned long long state;
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(ADDRESS(&bar)) : "memory");  //!
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(ADDRESS(&bar)) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(ADDRESS(&bar)) : "memory");
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%0], %1; }" :: "r"(ADDRESS(&bar)), "l"(state) : "memory");  //!
}

// finds misaligned in bars, grid 1, block 1
extern "C" __global__ void mbarrier_of_four_bytes(float* x, int n) {
  __shared__ unsigned long long bars[2];
  asm volatile("mbarrier.init.shared.b64 [%0 + 4], 1;" :: "r"(ADDRESS(bars)) : "memory");  //!
}

// finds race in bar, grid 1, block 64
extern "C" __global__ void arrival_before_the_barrier_is_known(float* x, int n) {
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(ADDRESS(&bar)) : "memory");  //!
  __syncwarp();
  if (threadIdx.x == 0) atomicExch((int*)x + 1, 0);
  while (threadIdx.x == 32 && atomicAdd((int*)x + 1, 0)) {}
  if (threadIdx.x == 32)
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(ADDRESS(&bar)) : "memory");  //!
}

// finds deadlock, grid 1, block 64
extern "C" __global__ void phase_without_all_arrivals(float* x, int n) {
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 65;" :: "r"(ADDRESS(&bar)) : "memory");
  __syncthreads();
  asm volatile("{ .reg .pred p; mbarrier.arrive.shared.b64 _, [%0]; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }" :: "r"(ADDRESS(&bar)) : "memory");  //!
}

// finds not-waited in tile, grid 1, block 1
extern "C" __global__ void bulk_copy_that_nobody_waits_for(float* x, int n) {
  __shared__ __align__(16) float tile[64];
  __shared__ unsigned long long bar;
  asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.proxy.async;" :: "r"(ADDRESS(&bar)) : "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(ADDRESS(&bar)) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" :: "r"(ADDRESS(tile)), "l"(x), "r"(ADDRESS(&bar)) : "memory");  //!
}

// finds bad-copy, grid 1, block 1
extern "C" __global__ void bulk_copy_of_eight_bytes(float* x, int n) {
  __shared__ __align__(16) float tile[64];
  tile[0] = n;
  asm volatile("fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 8;" :: "l"(x), "r"(ADDRESS(tile)) : "memory");  //!
}

// finds proxy in tile, grid 1, block 1
extern "C" __global__ void bulk_copy_of_what_is_not_fenced(float* x, int n) {
  __shared__ __align__(16) float tile[4];
  for (int i = 0; i < 4; i++) tile[i] = n;  //!
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" :: "l"(x), "r"(ADDRESS(tile)) : "memory");  //!
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

// finds race in tile, grid 1, block 1
extern "C" __global__ void source_of_a_bulk_copy_changes(float* x, int n) {
  __shared__ __align__(16) float tile[4];
  for (int i = 0; i < 4; i++) tile[i] = n;
  asm volatile("fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" :: "l"(x), "r"(ADDRESS(tile)) : "memory");  //!
  tile[1] = n - 1;  //!
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

// finds in-flight in x, grid 1, block 1
extern "C" __global__ void result_of_a_bulk_copy_is_read_early(float* x, int n) {
  __shared__ __align__(16) float tile[4];
  for (int i = 0; i < 4; i++) tile[i] = n;
  asm volatile("fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" :: "l"(x), "r"(ADDRESS(tile)) : "memory");  //!
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
  x[8] = x[0];  //!
}

// finds uninitialised in tile, grid 1, block 1
extern "C" __global__ void bulk_copy_of_nothing(float* x, int n) {
  __shared__ __align__(16) float tile[4];
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" :: "l"(x), "r"(ADDRESS(tile)) : "memory");  //!
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

// finds bad-copy, grid 1, block 1
extern "C" __global__ void bulk_copy_of_no_map(float* x, int n) {
  __shared__ __align__(128) float tile[32];
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%2}], [%1];" :: "l"(x), "r"(ADDRESS(tile)), "r"(0) : "memory");  //!
}

// finds bad-operand, grid 1, block 32
extern "C" __global__ void registers_that_are_no_multiple_of_eight(float* x, int n) {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 100;");  //!
}

// finds bad-barrier, grid 1, block 1
extern "C" __global__ void cluster_that_nobody_arrived_at(float* x, int n) {
  asm volatile("barrier.cluster.wait;" ::: "memory");  //!
}

// finds deadlock, grid 1, block 64
extern "C" __global__ void cluster_that_one_warp_waits_for(float* x, int n) {
  __shared__ int part[64];
  if (threadIdx.x < 32)
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");  //!
  else
    asm volatile("bar.sync 1, 64;" ::: "memory");  //!
}

// finds lifetime in held, grid 2, block 1
extern "C" __global__ __cluster_dims__(2) void read_before_the_other_block_begins(float* x, int n) {
  __shared__ float held;
  held = n;
  x[blockIdx.x] = *(float*)__cluster_map_shared_rank(&held, blockIdx.x ^ 1);  //!
}

// finds lifetime in held, grid 2, block 1
extern "C" __global__ __cluster_dims__(2) void read_after_the_other_block_ends(float* x, int n) {
  __shared__ float held;
  held = n;
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  x[blockIdx.x] = *(float*)__cluster_map_shared_rank(&held, blockIdx.x ^ 1);  //!
}
