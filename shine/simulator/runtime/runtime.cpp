// The runtime of simulated kernels, one translation unit: built once, linked to every program.
// Launches a kernel, on one thread.
#include "findings.h"
#include "scheduler.h"
#include "warp_operations.h"
#include "memory.h"
#include "known.h"
#include "order.h"
#include "shadow.h"
#include "hooks.h"
#include "named_barriers.h"
#include "copies.h"
#include "fragments.h"
#include "matrices.h"
#include "mbarriers.h"
#include "tiles.h"
#include "bulk_copies.h"
#include "wgmma.h"
#include "warpgroups.h"
#include "cluster_barriers.h"
#include "blocks.h"
#ifdef SIM_PROFILE
#include "profile.h"
#endif
#include "interruption.h"
#include "output.h"
#include "serve.h"

// Findings that are mistakes only if results depend on undefined values.
static bool is_of_undefined_value(const FindingRecord &one) {
  return (one.kind == BAD_MASK && !strcmp(one.text, UNDEFINED_SOURCE)) ||
         (one.kind == UNINITIALISED && !strncmp(one.text, UNSET_VARIABLE, sizeof UNSET_VARIABLE - 1));
}
static bool has_undefined_value() {
  for (unsigned i = 0; i < finding_count; i++)
    if (is_of_undefined_value(findings[i])) return checking;
  return false;
}
static void drop_undefined_values() {
  unsigned kept = 0;
  for (unsigned i = 0; i < finding_count; i++)
    if (!is_of_undefined_value(findings[i])) findings[kept++] = findings[i];
  finding_count = kept;
}

// Where a launch has stopped it is not known whether a variable without a value matters, and something else is wrong.
static void drop_variables_beside_others() {
  unsigned kept = 0, others = 0;
  for (unsigned i = 0; i < finding_count; i++) others += !is_of_undefined_value(findings[i]);
  for (unsigned i = 0; i < finding_count; i++)
    if (!others || findings[i].kind != UNINITIALISED || !is_of_undefined_value(findings[i])) findings[kept++] = findings[i];
  finding_count = kept;
}

static void begin_launch(const Request &asked) {
  request = asked;
  checking = asked.checking != 0;
  sim_grid_size = {asked.grid[0], asked.grid[1], asked.grid[2]};
  sim_block_size = {asked.block[0], asked.block[1], asked.block[2]};
  sim_cluster_size = {asked.cluster[0], asked.cluster[1], asked.cluster[2]};
  cluster_size = asked.cluster[0] * asked.cluster[1] * asked.cluster[2];
  threads = asked.block[0] * asked.block[1] * asked.block[2];
  forget_copies();
  forget_bulk_copies();
  forget_mbarriers();
  forget_warpgroups();
  forget_named_barriers();
  copy_clock = FIRST_COPY_CLOCK;
  forget_output();
  finding_count = 0, switches = 0, needed_granule = 0;
  steps_beyond = asked.budget;
  steps_left = (int64_t)(asked.budget < MOST_STEPS ? asked.budget : MOST_STEPS);
  steps_beyond -= (uint64_t)steps_left;
  random_state = asked.seed * 2862933555777941757ull + 3037000493ull;
  free_stack_count = asked.stacks->count;
  memcpy(free_stacks, asked.stacks->at, asked.stacks->count * sizeof *free_stacks);
  sim_quiet = 0;
  begin_deferrals();
  PROFILED(begin_profile();)
  leaves = asked.schedule == RANDOM && sim_has_fences ? 512 : 0;
  // Stamps start again before they could overflow; nothing that has one outlives a launch.
  uint64_t blocks = (uint64_t)asked.grid[0] * asked.grid[1] * asked.grid[2];
  if (latest_stamp + blocks > 0xfffffff0u) latest_stamp = 0;
  if (latest_clock > 0x7fffffffu) {
    latest_clock = 1;
    memset(known_clock, 0, sizeof known_clock);
    for (Fiber &fiber : fibers) fiber.clock = 0;
  }
  first_stamp = latest_stamp + 1;
}

extern "C" {

// Where a shuffle has undefined results, or a variable no value, the caller has the kernel run again, on the same memory, with others. Only if what
// it leaves or prints depends on them are they a mistake.
SIM_VISIBLE int sim_launch(const Request *asked) {
  begin_launch(*asked);
  digest = 0;
  undefined_bits = checking && !asked->again ? FIRST_UNDEFINED : UNDEFINED;
  static Guard guard;  // static: what is set after sigsetjmp must outlive siglongjmp
  int status = sigsetjmp(main_jump, 1);
  if (status == FINISHED) {
    place_buffers();
    keep_variables();
    place_shared_arrays();
    measure_parts();
    if (checking) begin_shadow();
    guard.arm(asked->seconds);
    run_blocks();
  }
  guard.disarm();
  if (needed_granule) status = NEEDS_FINER;
  note_clocks();
  forget_blocks();
  if (checking && status != FINISHED) forget_locals();
  if (status == FINISHED && has_undefined_value()) {
    digest = digest_with(digest_of_memory(), printed, printed_bytes);
    if (!asked->again) status = NEEDS_AGAIN;
    else if (digest == asked->first_digest) drop_undefined_values();
  }
  if (status == STOPPED && has_undefined_value()) drop_variables_beside_others();
  if (status == NEEDS_FINER || status == NEEDS_AGAIN) put_variables_back();
  end_shadow();
  forget_order();
  give_back_memory();
  return status;
}
}
