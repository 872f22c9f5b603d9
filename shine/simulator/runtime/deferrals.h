// Orders of operations that synchronise, chosen from outside: launches that try all of them. Knows nothing of what they do.
#pragma once
#include "scheduler.h"

// Where nothing has changed since the thread last looked at the same memory from the same place, it waits.
static RARE void look_once(uint32_t place, bool waits) {
  Fiber &fiber = fibers[current];
  bool again = fiber.looked_at == place && fiber.looked_memory == fiber.synchronises_at && sim_quiet;
  fiber.looked_at = place, fiber.looked_memory = fiber.synchronises_at;
  sim_quiet++, all_looks++;
  if (sim_quiet > MOST_QUIET_LOOKS + QUIET_LOOKS_OF_A_THREAD * resident_threads) report_endless_wait();
  if (again || waits) give_turn();
}

// Operations that synchronise (atomic ones, and those on volatile memory) have numbers as threads reach them. Those that
// are asked for are deferred: another thread or block gets on before. A deferral is refused where it leads to no other
// order: where no thread may get on, where nothing has changed since the thread last deferred, and, once the operation is made,
// where no other operation on its memory was made before.
static uint64_t reached, deferred;
static bool refused;
static bool another_block_may_run();
static bool other_thread_may_run() {
  uint32_t own = runnable[current / LANES] & ~(1u << current % LANES);
  return own || runnable_warps & ~(1u << current / LANES);
}

struct Uses {
  const void *memory;
  uint64_t reads, others;
};
enum { MOST_USED = 1 << 12 };
static Uses uses[MOST_USED];  // by addresses, which have the same in all blocks
static Uses &uses_of(const void *memory) {
  for (uint64_t i = (uint64_t)memory * 0x9e3779b97f4a7c15u >> 52, tries = 0;; i = (i + 1) % MOST_USED) {
    if (!uses[i].memory) uses[i].memory = memory;
    if (uses[i].memory == memory || ++tries == MOST_USED) return uses[i];
  }
}
static void begin_deferrals() {
  reached = deferred = 0, refused = false;
  if (request.schedule == DEFERRING) memset(uses, 0, sizeof uses);
}

// When memory was changed last, in looks.
static uint64_t last_change() {
  if (!sim_quiet) sim_quiet = 1, all_looks++;
  return all_looks - sim_quiet;
}
static RARE void defer_if_asked(const void *at, bool reads) {
  fibers[current].synchronises_at = at;
  Uses &its = uses_of(at);
  for (;;) {
    uint64_t number = reached++;
    if (refused || deferred == request.deferral_count || request.deferrals[deferred] / 2 != number) break;
    bool leaves_block = request.deferrals[deferred] & 1;
    uint64_t now = last_change();
    refused = fibers[current].deferred_at == now || !(leaves_block ? another_block_may_run() : other_thread_may_run());
    if (refused) break;
    deferred++;
    fibers[current].deferred_at = now;
    uint64_t before = reads ? its.others : its.reads + its.others;
    if (leaves_block) leave_block();
    else turns = 0, give_turn();
    if (before == (reads ? its.others : its.reads + its.others)) refused = true, deferred = 0;
  }
  (reads ? its.reads : its.others)++;
}
