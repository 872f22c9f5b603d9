// What a launch is asked to do, and all that is known while it runs: one per library, one launch at a time.
#pragma once
#include <setjmp.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "context_switch.h"
#include "include/simulator/interface.h"
#include "profiled.h"

using simulator::Index3;

enum { MOST_THREADS = 1024, LANES = 32, MOST_WARPS = MOST_THREADS / LANES, STACK_BYTES = 256 * 1024 };
enum { MOST_DYNAMIC_BYTES = 256 * 1024 };
// Threads of all blocks that have begun and not ended; each has a stack, and a process maps only so many.
enum { MOST_RESIDENT = 16 * MOST_THREADS, MOST_RESIDENT_BLOCKS = 1024 };
// The last: ascending, but for operations that are deferred as asked.
enum Schedule { ASCENDING, DESCENDING, RANDOM, DEFERRING };
enum Status { FINISHED, STOPPED, NEEDS_FINER, NEEDS_AGAIN };

// An array of the caller in the memory that it shares, or a variable of the library, whose offset is from
// `sim_kernel_count`; the caller knows its name by its number.
struct Buffer {
  uint64_t offset;
  uint64_t bytes;
  uint32_t read_only;
  uint32_t is_variable;
};
// An array in shared memory. `within` is the number + 1 of the static array that it lies in, or 0 for dynamic memory;
// `pointer` the number + 1 of the pointer that the text declares for it, or 0.
struct ArrayPlace {
  uint64_t offset, bytes;
  uint32_t within, pointer;
};
// The stacks of threads, which are kept between launches.
struct Stacks {
  char *at[MOST_RESIDENT];
  uint32_t count;
};

struct Request {
  uint32_t kernel, schedule;
  uint32_t grid[3], block[3], cluster[3];  // the last: blocks of a cluster
  uint64_t seed, budget, most_switches, dynamic_bytes;
  double seconds;
  void **arguments;
  uint32_t checking, granule;
  uint32_t buffer_count, static_count, dynamic_count, pointer_count;
  Buffer *buffers;
  const ArrayPlace *static_arrays, *dynamic_arrays;
  // Pointers among the arguments: the argument's number, its buffer's, the offset in it.
  const uint64_t (*pointers)[3];
  Stacks *stacks;
  // Where the arrays lie, with room around each.
  char *memory;
  uint64_t memory_bytes;
  // For a launch that is repeated with other undefined values: what the first one left.
  uint64_t first_digest;
  uint32_t again;
  uint32_t guard_count;
  const int64_t *guards;  // notes of the library that it has constructed an array, from `sim_kernel_count`
  // Operations that are deferred, ascending: twice the number, and 1 to let another block run, not another thread.
  uint64_t deferral_count;
  const uint64_t *deferrals;
};

enum FiberState : uint8_t { RUNNABLE, AT_BARRIER, AT_NAMED_BARRIER, AT_MEETING, ENDED };

// What a lane brings to where the lanes of a warp meet; the last to arrive acts for all.
struct Meeting {
  unsigned mask;
  int line;
  void (*act)(Meeting **lanes, unsigned mask);
  bool all_lanes;
};

struct Fiber {
  Context context;
  char *stack;
  Index3 index;
  Meeting *meeting;
  int line;
  uint32_t looked_at;  // the place of what it did last without effect
  const void *looked_memory, *synchronises_at;  // its memory, and that of the operation that synchronises now
  uint64_t deferred_at;  // when memory had been changed last as it last deferred such an operation
  FiberState state;
  bool started;
  bool discards;    // what the next atomic operation returns
  uint8_t barrier;  // the number of the barrier where it waits, + 1
  uint32_t clock, unset;  // bytes of local arrays and fragments that are not written
};

extern "C" {
SIM_HIDDEN Index3 sim_thread, sim_block, sim_block_size, sim_grid_size, sim_cluster_size;
SIM_VISIBLE extern const simulator::Kernel sim_kernels[];
SIM_VISIBLE extern const int sim_kernel_count;
// For each kernel the blocks of its clusters in three dimensions, 0 for those not given, or null.
SIM_VISIBLE extern const unsigned *const sim_clusters[];
SIM_HIDDEN extern char __start_sim_shared[] __attribute__((weak));
SIM_HIDDEN extern char __stop_sim_shared[] __attribute__((weak));
// Whether arrays of dynamic shared memory may lie apart: set by the program.
SIM_VISIBLE extern const int sim_dynamic_apart;
// Whether the text has fences: without them no access of one block is ordered after one of another.
SIM_VISIBLE extern const int sim_has_fences;
// Whether it has volatile accesses: threads may then exchange values without atomic operations.
SIM_VISIBLE extern const int sim_has_volatile;
// Whether it has compare-and-swap: only then may plain reads be confirmed.
SIM_VISIBLE extern const int sim_has_exchanges;
// Whether it has barriers at which only some threads meet, or asks for registers: only then is there anything of these to
// forget, and all readers of a place are remembered.
SIM_VISIBLE extern const int sim_has_partial_barriers;
// Names that linkers give: where the library begins and ends.
SIM_HIDDEN extern const char __ehdr_start[];
SIM_HIDDEN extern const char end_of_library[] __asm__("_end");
SIM_HIDDEN unsigned char sim_dynamic_shared[MOST_DYNAMIC_BYTES] __attribute__((aligned(1024)));
}

// What is seldom done stays out of the way of what is done for every access.
#define RARE __attribute__((noinline, cold))

static Request request;
static Fiber fibers[MOST_THREADS];
static unsigned threads, current, alive;
static uint32_t runnable[MOST_WARPS], ended[MOST_WARPS], waiting[MOST_WARPS], runnable_warps;
static unsigned at_barrier, barrier_sum, barrier_result;
static int barrier_line, barrier_vote;
static Context main_context;
static sigjmp_buf main_jump;
static uint64_t random_state, switches;
static volatile bool out_of_time;
// Steps until other threads have a turn, and those after that. Constructors of the library take steps before any launch.
enum : uint64_t { MOST_STEPS = 1 << 20 };
static int64_t steps_left = INT64_MAX;
static uint64_t steps_beyond;
static bool checking;
// Values that CUDA leaves undefined have these bits, others in the first launch of a checked text.
enum : uint64_t { UNDEFINED = ~0ull, FIRST_UNDEFINED = 0x5a5a5a5a5a5a5a5au };
static uint64_t undefined_bits;

// Blocks are numbered over all launches, so that what is remembered of an earlier one is known to be old.
static uint32_t block_stamp, first_stamp, latest_stamp;
// Of the blocks that may access the shared memory of the one that runs, the stamp of the first: its own, or its cluster's.
static uint32_t shared_home;
static unsigned cluster_rank, cluster_size = 1;
// What happened before `base_clock` is before all that threads of the block do now. No clock is later than the latest.
static uint32_t base_clock = 1, latest_clock = 1;
// What a lane of the same warp did before this clock is before what the thread does now.
static uint32_t known_clock[MOST_THREADS][LANES];

[[noreturn]] static void stop_launch() { siglongjmp(main_jump, STOPPED); }
