// The runtime of simulated kernels, one translation unit: built once, linked to every program.
// Launches a kernel: block after block, on the caller's thread.
#include "findings.h"
#include "scheduler.h"
#include "warp_operations.h"
#include "memory.h"
#include "shadow.h"
#include "hooks.h"
#include "copies.h"
#include "fragments.h"
#include "interruption.h"

static void begin_launch(const Request &asked) {
  request = asked;
  checking = asked.checking != 0;
  sim_grid_size = {asked.grid[0], asked.grid[1], asked.grid[2]};
  sim_block_size = {asked.block[0], asked.block[1], asked.block[2]};
  threads = asked.block[0] * asked.block[1] * asked.block[2];
  forget_copies();
  finding_count = 0, switches = 0, needed_granule = 0;
  steps_left = asked.budget;
  random_state = asked.seed * 2862933555777941757ull + 3037000493ull;
  free_stack_count = asked.stacks->count;
  memcpy(free_stacks, asked.stacks->at, sizeof free_stacks);
  for (const Fiber &fiber : fibers) base_clock = fiber.clock > base_clock ? fiber.clock : base_clock;
  // Stamps start again before they could overflow; nothing that has one outlives a launch.
  uint64_t blocks = (uint64_t)asked.grid[0] * asked.grid[1] * asked.grid[2];
  if (block_stamp + blocks > 0xfffffff0u) block_stamp = 0;
  if (base_clock > 0x7fffffffu) {
    base_clock = 1;
    memset(known_clock, 0, sizeof known_clock);
    for (Fiber &fiber : fibers) fiber.clock = 0;
  }
  first_stamp = block_stamp + 1;
}

static void run_blocks() {
  for (unsigned z = 0; z < sim_grid_size.z; z++)
    for (unsigned y = 0; y < sim_grid_size.y; y++)
      for (unsigned x = 0; x < sim_grid_size.x; x++) {
        poison_shared_arrays();
        begin_block({x, y, z});
        run_block();
      }
}

extern "C" {

SIM_VISIBLE int sim_launch(const Request *asked) {
  begin_launch(*asked);
  static Guard guard;  // static: what is set after sigsetjmp must outlive siglongjmp
  int status = sigsetjmp(main_jump, 1);
  if (status == FINISHED) {
    stage_buffers();
    place_shared_arrays();
    if (checking) begin_shadow();
    guard.arm(asked->seconds);
    run_blocks();
  }
  guard.disarm();
  if (needed_granule) status = NEEDS_FINER;
  if (arena) unstage_buffers(status != NEEDS_FINER);
  end_shadow();
  give_back_memory();
  return status;
}

SIM_VISIBLE unsigned sim_finding_count() { return finding_count; }
SIM_VISIBLE const FindingRecord *sim_findings() { return findings; }
SIM_VISIBLE unsigned sim_needed_granule() { return needed_granule; }
SIM_VISIBLE uint64_t sim_switches() { return switches; }
SIM_VISIBLE uint64_t sim_steps() { return request.budget - steps_left; }
}
