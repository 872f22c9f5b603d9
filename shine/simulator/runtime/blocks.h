// The blocks of a launch. They run one after the other; where one waits for others it is put aside, with all that is
// its own, and another has its turn: the next that has not begun, else the one that has waited longest. The blocks of a
// cluster begin one after the other, and all of them have room.
#pragma once
#include "cluster_barriers.h"

// What belongs to a block, and is in its usual place only while the block runs.
struct Piece {
  void *at;
  uint64_t bytes;
};
enum { MOST_PIECES = 2 * MOST_ARRAYS + 32 };
static Piece pieces[MOST_PIECES];
static unsigned piece_count, first_shared_piece;
static uint64_t piece_bytes;

struct PutAside {
  PutAside *next;
  Cell *static_cells, *dynamic_cells;
  const Cluster *waits_for;  // its cluster, if no thread gets on before the phase of its barrier is over
  uint32_t phase;
  char kept[];
};
static PutAside *first_aside, *last_aside, *unused_asides;
static unsigned asides;
static uint64_t begun_blocks, all_blocks;

static void add_piece(void *at, uint64_t bytes) {
  pieces[piece_count++] = {at, bytes};
  piece_bytes += rounded(bytes, 16);
}

static void list_pieces() {
  piece_count = 0, piece_bytes = 0;
#define PIECE(x) add_piece(&x, sizeof x)
  PIECE(sim_block), PIECE(block_stamp), PIECE(shared_home), PIECE(base_clock), PIECE(current), PIECE(alive);
  PIECE(runnable), PIECE(ended), PIECE(waiting), PIECE(runnable_warps);
  PIECE(at_barrier), PIECE(barrier_sum), PIECE(barrier_result), PIECE(barrier_line), PIECE(barrier_vote);
  if (sim_has_partial_barriers) PIECE(named_barriers), add_piece(named_results, threads * sizeof *named_results),
        PIECE(mbarriers), PIECE(products_of), PIECE(registers_of), add_piece(awaited, threads * sizeof *awaited);
  if (has_cluster()) PIECE(cluster), PIECE(cluster_rank), add_piece(cluster_arrived, threads * sizeof *cluster_arrived);
  PROFILED(PIECE(profiled);)
  add_piece(fibers, threads * sizeof *fibers);
  if (checking) {
    add_piece(known_clock, threads * sizeof *known_clock);
    add_piece(copies_of, threads * sizeof *copies_of);
    if (sim_has_partial_barriers) add_piece(bulk_copies_of, threads * sizeof *bulk_copies_of);
    add_piece(orders, threads * sizeof *orders);
    PIECE(is_ordered), PIECE(heard_by_all), PIECE(hearings_of_all);
  }
#undef PIECE
  first_shared_piece = piece_count;
  for (unsigned i = 0; i < request.static_count; i++) add_piece(statics[i].data, statics[i].bytes);
  for (unsigned i = 0; i < request.dynamic_count; i++)
    if (is_in_slot(request.dynamic_arrays[i])) add_piece(dynamics[i].data, dynamics[i].bytes);
  if (!apart) add_piece(sim_dynamic_shared, request.dynamic_bytes);
}

static uint64_t bytes_of_aside() { return sizeof(PutAside) + piece_bytes; }

static PutAside *take_aside() {
  PutAside *taken = unused_asides;
  if (!taken) return (PutAside *)reserve(bytes_of_aside());
  unused_asides = taken->next;
  return taken;
}

// Shared memory of a block is kept with its other pieces; in a cluster of several, where others may access it.
static unsigned kept_pieces() { return cluster_size > 1 ? first_shared_piece : piece_count; }
static void keep_shared_memory() {
  if (cluster_size == 1) return;
  for (unsigned i = first_shared_piece; i < piece_count; i++) {
    uint64_t offset = offset_of_own((char *)pieces[i].at);
    memcpy(cluster->memory + cluster_rank * part_bytes + offset, pieces[i].at, pieces[i].bytes);
  }
  cluster->members[cluster_rank].mbarriers = mbarriers;
}
static void take_up_shared_memory() {
  if (cluster_size == 1) return;
  for (unsigned i = first_shared_piece; i < piece_count; i++) {
    uint64_t offset = offset_of_own((char *)pieces[i].at);
    memcpy(pieces[i].at, cluster->memory + cluster_rank * part_bytes + offset, pieces[i].bytes);
  }
  const Member &its = cluster->members[cluster_rank];
  mbarriers = its.mbarriers;
  if (checking) place_shared_cells(its.static_cells, its.dynamic_cells);
}

static void put_aside() {
  note_clocks();
  PutAside *made = take_aside();
  char *kept = made->kept;
  for (unsigned i = 0; i < kept_pieces(); i++) {
    memcpy(kept, pieces[i].at, pieces[i].bytes);
    kept += rounded(pieces[i].bytes, 16);
  }
  keep_shared_memory();
  made->waits_for = runnable_warps ? nullptr : cluster;
  made->phase = cluster ? cluster->phase : 0;
  made->static_cells = static_cells, made->dynamic_cells = dynamic_cells;
  static_cells = dynamic_cells = nullptr;
  made->next = nullptr;
  if (checking) {
    memset(copies_of, 0, threads * sizeof *copies_of);
    memset(bulk_copies_of, 0, threads * sizeof *bulk_copies_of);
    memset(orders, 0, threads * sizeof *orders);
    forget_block_order();
  }
  if (sim_has_partial_barriers) forget_named_barriers(), forget_mbarriers(), forget_warpgroups();
  (first_aside ? last_aside->next : first_aside) = made;
  last_aside = made;
  asides++;
}

static void take_up(PutAside *chosen) {
  const char *kept = chosen->kept;
  for (unsigned i = 0; i < kept_pieces(); i++) {
    memcpy(pieces[i].at, kept, pieces[i].bytes);
    kept += rounded(pieces[i].bytes, 16);
  }
  if (checking && cluster_size == 1) place_shared_cells(chosen->static_cells, chosen->dynamic_cells);
  take_up_shared_memory();
  if (has_cluster()) wake_from_cluster();
  chosen->next = unused_asides;
  unused_asides = chosen;
  asides--;
  sim_thread = fibers[current].index;
}

static bool may_begin() {
  if (begun_blocks == all_blocks) return false;
  if (begun_blocks % cluster_size) return true;
  return !asides || (asides < MOST_RESIDENT_BLOCKS - cluster_size && resident_threads + cluster_size * threads <= MOST_RESIDENT &&
                     cluster_count * cluster_size <= MOST_RESIDENT_BLOCKS - cluster_size);
}

static bool another_block_may_run() { return asides || may_begin(); }

// Let another block run, where there is one that may. The calling thread may wait already.
static void leave_block() {
  if (!asides && !may_begin()) return;
  Context *here = &fibers[current].context;
  switch_context(here, main_context);
}

static void leave_until_others_arrive() {
  unsigned waiting = 0;
  while (waiting < threads && !waits_for_cluster(waiting)) waiting++;
  if (cluster_size == 1 || waiting == threads) report_deadlock();
  switch_context(&fibers[current].context, main_context);
}

static void end_mbarriers_of_block() {
  if (checking) end_copies_of_block(), end_bulk_copies_of_block();
  end_products_of_block(), end_registers_of_block();
  end_mbarriers();
}

// The block that has waited longest of those that may get on, or null.
static PutAside *next_aside() {
  PutAside *before = nullptr;
  for (PutAside *one = first_aside; one; before = one, one = one->next) {
    if (one->waits_for && one->waits_for->phase == one->phase) continue;
    (before ? before->next : first_aside) = one->next;
    if (last_aside == one) last_aside = before;
    return one;
  }
  return nullptr;
}

static void begin_next_block() {
  uint64_t number = begun_blocks++;
  cluster_rank = (unsigned)(number % cluster_size);
  if (has_cluster()) {
    if (cluster_rank == 0) begin_cluster();
    else cluster = clusters;
    cluster->members[cluster_rank].state = BEGUN;
    memset(cluster_arrived, 0, threads * sizeof *cluster_arrived);
    mbarriers = nullptr;
  }
  if (checking && cluster_size > 1)
    place_shared_cells(cluster->members[cluster_rank].static_cells, cluster->members[cluster_rank].dynamic_cells);
  else if (checking && !dynamic_cells) take_shared_cells();
  poison_shared_arrays();
  resident_threads += threads;
  begin_block(block_at(number));
  run_block();
}

static void end_block() {
  note_clocks();
  PROFILED(profile_block_ends();)
  if (sim_has_partial_barriers) end_mbarriers_of_block();
  if (cluster_size > 1) keep_shared_memory();
  if (cluster_size > 1 && checking) end_member();
  if (is_ordered) forget_block_order();
  resident_threads -= threads;
  if (checking && cluster_size == 1) leave_shared_cells();
  if (has_cluster() && ++cluster->ended == cluster_size) end_cluster();
}

static void run_blocks() {
  list_pieces();
  begun_blocks = 0, resident_threads = 0;
  all_blocks = (uint64_t)sim_grid_size.x * sim_grid_size.y * sim_grid_size.z;
  while (begun_blocks < all_blocks || asides) {
    bool begins = may_begin() && !(asides && request.schedule == RANDOM && random_number() & 1);
    PutAside *chosen = begins ? nullptr : next_aside();
    if (chosen) {
      take_up(chosen);
      switch_context(&main_context, fibers[current].context);
    } else if (begins || may_begin()) {
      begin_next_block();
    } else {
      chosen = first_aside, first_aside = chosen->next;
      take_up(chosen);
      report_deadlock();
    }
    if (alive) put_aside();
    else end_block();
  }
}

static void forget_blocks() {
  for (PutAside *one = first_aside; one; one = one->next)
    if (checking) give_back_cells(one->static_cells, one->dynamic_cells);
  forget_clusters();
  (first_aside ? last_aside->next : first_aside) = unused_asides;
  while (PutAside *one = first_aside) {
    first_aside = one->next;
    give_back(one, bytes_of_aside());
  }
  last_aside = unused_asides = nullptr;
  asides = 0;
  // Most launches need the stacks of one block: others are not kept.
  while (request.stacks->count > MOST_THREADS)
    munmap(request.stacks->at[--request.stacks->count] - GUARD_BYTES, GUARD_BYTES + STACK_BYTES + UNSET_BYTES);
}

// All threads look at memory that none changes. Names this one, and one that waits elsewhere.
[[noreturn]] static void report_endless_wait() {
  uint32_t other_place = 0;
  unsigned other = 0;
  for (unsigned t = 0; t < threads && !other_place; t++) {
    const Fiber &fiber = fibers[t];
    uint32_t its = fiber.state == ENDED ? 0 : fiber.state == RUNNABLE ? fiber.looked_at : place_of_line(fiber.line);
    if (its != fibers[current].looked_at) other_place = its, other = t;
  }
  if (FindingRecord *one = found(DEADLOCK, fibers[current].looked_at, other_place)) {
    one->other_thread = other, one->other_block = one->block;
    one->number = asides + 1;
    one->other_number = begun_blocks < all_blocks ? MOST_RESIDENT : 0;
    strcpy(one->text, "looks");
    describe_mbarrier(*one, current);
  }
  stop_launch();
}
