// Clusters of blocks: where the shared memory of each block lies for the others, and from when to when they may access it.
// The block that runs has its shared memory where its text says; that of the others of its cluster lies in a part for
// each rank, which addresses and pointers of other blocks lead to.
#pragma once
#include "shadow.h"

enum : uint64_t {
  CLUSTER_WINDOW = 0x90000000,  // addresses of a part for each rank
  RANK_WINDOW = 0x07000000,
  STATIC_PART = 1 << 20,  // in a part, after dynamic shared memory
  PART_ALIGNMENT = 4096,
  NOWHERE = ~0ull,
};
enum { MOST_CLUSTER = 16 };
enum MemberState : uint8_t { NOT_BEGUN, BEGUN, HAS_ENDED };

struct MBarrier;
struct Member {
  Cell *static_cells, *dynamic_cells;
  Array *statics, *dynamics;  // as other blocks access them
  MBarrier *mbarriers;        // while another block runs
  Known *visitors;            // accesses of other blocks: who, until when, and where in the text
  Known *known_at_end;        // what its threads knew when they ended
  MemberState state;
};
struct Cluster {
  Cluster *next;
  uint32_t first_stamp, ended, alive;  // blocks that have ended, threads that have not
  uint32_t present, phase;             // of the barrier: threads that have arrived
  Gathered arriving, completed;
  char *memory;
  Member members[MOST_CLUSTER];
};
static Cluster *cluster, *clusters, *unused_clusters;
static uint64_t cluster_count;
static uint64_t part_bytes;

static inline bool has_cluster() { return cluster_size > 1 || sim_has_partial_barriers; }

static inline uint64_t static_part() { return STATIC_PART + (uint64_t)__start_sim_shared % SLOT_ALIGNMENT; }
static inline uint64_t slots_part() { return rounded(static_part() + static_bytes + 1, PART_ALIGNMENT); }
static void measure_parts() {
  part_bytes = rounded(slots_part() + bytes_of_slots(), PART_ALIGNMENT);
  if (cluster_size > 1 && part_bytes > RANK_WINDOW) stop_without_memory();
}

// Where a byte of the running block's shared memory lies in the part of its rank, and the other way.
static inline uint64_t offset_of_own(const char *at) {
  const char *dynamic = (const char *)sim_dynamic_shared;
  if (at >= dynamic && at <= dynamic + MOST_DYNAMIC_BYTES) return (uint64_t)(at - dynamic);
  if (static_bytes && at >= __start_sim_shared && at <= __stop_sim_shared)
    return static_part() + (uint64_t)(at - __start_sim_shared);
  if (has_slots && at >= slots && at <= slots + bytes_of_slots()) return slots_part() + (uint64_t)(at - slots);
  return NOWHERE;
}
static inline char *own_at(uint64_t offset) {
  if (offset >= slots_part()) return slots + (offset - slots_part());
  return offset >= static_part() ? __start_sim_shared + (offset - static_part()) : (char *)sim_dynamic_shared + offset;
}
static inline bool is_in_cluster(const void *at) {
  return cluster_size > 1 && (const char *)at >= cluster->memory && (const char *)at < cluster->memory + cluster_size * part_bytes;
}

// A place in the shared memory of a cluster: a block's rank, and where that block itself has it.
struct Place {
  unsigned rank;
  char *home;
};
static inline Place place_of(const void *at) {
  if (!is_in_cluster(at)) return {cluster_rank, (char *)at};
  uint64_t offset = (uint64_t)((const char *)at - cluster->memory);
  return {(unsigned)(offset / part_bytes), own_at(offset % part_bytes)};
}
// Where it is while the running block runs.
static inline char *at_rank(char *home, unsigned rank) {
  return rank == cluster_rank ? home : cluster->memory + rank * part_bytes + offset_of_own(home);
}
static inline uint32_t stamp_of_rank(unsigned rank) { return cluster_size > 1 ? cluster->first_stamp + rank : block_stamp; }

static const Array *array_of_other(const char *at, int bytes) {
  Place place = place_of(at);
  if (place.rank == cluster_rank) return nullptr;
  const Member &its = cluster->members[place.rank];
  uint64_t offset = (uint64_t)(at - cluster->memory) % part_bytes;
  if (offset >= slots_part()) {
    uint64_t slot = (offset - slots_part()) / SLOT;
    return &its.dynamics[slot >= 1 && slot <= request.dynamic_count ? slot - 1 : request.dynamic_count];
  }
  if (offset >= static_part()) {
    uint64_t byte = offset - static_part();
    if (byte >= static_bytes) return nullptr;
    while (byte && !static_owner[byte]) byte--;
    return request.static_count ? &its.statics[static_owner[byte] ? static_owner[byte] - 1 : 0] : nullptr;
  }
  for (unsigned i = 0; i < request.dynamic_count && !apart; i++)
    if (at >= its.dynamics[i].data && at + bytes <= its.dynamics[i].data + its.dynamics[i].bytes) return &its.dynamics[i];
  return &its.dynamics[request.dynamic_count];
}

static RARE void report_lifetime(unsigned rank, const Seen &now, const char *reason) {
  const Array *array = array_of_other(now.at, now.bytes);
  FindingRecord *one = found(LIFETIME, now.place, 0, array ? array->space : NO_SPACE, array ? array->number : -1);
  if (!one) return;
  one->access = now.access, one->thread = now.thread, one->size = now.bytes, one->other_block = number_of_block(stamp_of_rank(rank));
  one->offset = array ? now.at - array->data : 0;
  strcpy(one->text, reason);
}

// A thread that accesses the shared memory of another block must know that this block has begun: by a barrier of the
// cluster, or by a value that the block itself has written.
static Member *living_member(const Seen &now) {
  unsigned rank = place_of(now.at).rank;
  if (rank == cluster_rank) return nullptr;
  Member &its = cluster->members[rank];
  const Known *known = orders[now.thread].acquired;
  uint32_t stamp = stamp_of_rank(rank);
  bool knows_begin = clock_of(known, key_of(stamp, ALL_THREADS)) || clock_of(known, key_of(stamp, BEGIN));
  if (its.state == HAS_ENDED) report_lifetime(rank, now, "ended");
  else if (its.state == NOT_BEGUN || !knows_begin) report_lifetime(rank, now, "begun");
  if (its.state != BEGUN) stop_launch();
  return &its;
}
// That the block does not end before is found out when it ends.
static void visit(const Seen &now, unsigned by, uint32_t clock) {
  if (Member *its = living_member(now)) raise(its->visitors, key_of(block_stamp, by), clock, now.place);
}

// A copy reads the shared memory of its own block, which then must not end before.
static void note_read_by_copy(unsigned copier, uint32_t clock, uint32_t place) {
  if (cluster_size > 1) raise(cluster->members[cluster_rank].visitors, key_of(block_stamp, copier), clock, place);
}

static void end_thread_of_member() {
  Member &its = cluster->members[cluster_rank];
  if (checking && cluster_size > 1) join(its.known_at_end, orders[current].acquired);
}

// The block has ended: all accesses of others must be known to have ended before.
static void end_member() {
  Member &its = cluster->members[cluster_rank];
  its.state = HAS_ENDED;
  for (uint32_t i = 0; its.visitors && i < its.visitors->size; i++) {
    const Entry &one = its.visitors->entries[i];
    uint32_t stamp = (uint32_t)(one.key >> 16);
    unsigned by = (unsigned)(one.key & ALL_THREADS);
    if (!one.key || knows(its.known_at_end, stamp, by, one.clock)) continue;
    FindingRecord *record = found(LIFETIME, one.version);
    if (!record) continue;
    record->access = by < MOST_THREADS ? NO_ACCESS : COPY, record->thread = thread_of(by);
    record->other_block = record->block, record->block = number_of_block(stamp);
    strcpy(record->text, "unknown-end");
  }
}

static void place_member(Cluster &its, unsigned rank) {
  Member &member = its.members[rank];
  take_shared_cells();
  member.static_cells = static_cells, member.dynamic_cells = dynamic_cells;
  member.statics = (Array *)take_order((request.static_count + request.dynamic_count + 1) * sizeof(Array));
  member.dynamics = member.statics + request.static_count;
  auto placed = [&](const Array &own) {
    Array other = own;
    other.data = its.memory + rank * part_bytes + offset_of_own(own.data);
    other.space |= (int)(rank + 1) << SPACE_BITS;
    return other;
  };
  for (unsigned i = 0; i < request.static_count; i++) member.statics[i] = placed(statics[i]);
  for (unsigned i = 0; i <= request.dynamic_count; i++) member.dynamics[i] = placed(dynamics[i]);
}

static void begin_cluster() {
  Cluster *made = unused_clusters;
  if (made) {
    unused_clusters = made->next;
  } else {
    made = (Cluster *)reserve(sizeof *made);
    if (cluster_size > 1) made->memory = reserve(cluster_size * part_bytes);
  }
  char *memory = made->memory;
  memset(made, 0, sizeof *made);
  made->memory = memory, made->next = clusters, clusters = made;
  cluster_count++;
  made->first_stamp = latest_stamp + 1, made->alive = cluster_size * threads;
  cluster = made;
  if (!checking || cluster_size == 1) return;
  if (dynamic_cells) leave_shared_cells();
  for (unsigned rank = 0; rank < cluster_size; rank++) place_member(*made, rank);
  static_cells = dynamic_cells = nullptr;
}

static void end_cluster() {
  for (Cluster **one = &clusters; *one; one = &(*one)->next)
    if (*one == cluster) {
      *one = cluster->next;
      break;
    }
  cluster_count--;
  drop_gathered(cluster->arriving), drop_gathered(cluster->completed);
  for (unsigned rank = 0; checking && cluster_size > 1 && rank < cluster_size; rank++) {
    Member &its = cluster->members[rank];
    drop(its.visitors), drop(its.known_at_end);
    leave_order(its.statics, (request.static_count + request.dynamic_count + 1) * sizeof(Array));
    static_cells = its.static_cells, dynamic_cells = its.dynamic_cells;
    leave_shared_cells();
  }
  cluster->next = unused_clusters, unused_clusters = cluster;
  cluster = nullptr;
}

// At the end of a launch, which may have been stopped.
static void forget_clusters() {
  for (Cluster *one = clusters; one && checking && cluster_size > 1; one = one->next)
    for (unsigned rank = 0; rank < cluster_size; rank++)
      give_back_cells(one->members[rank].static_cells, one->members[rank].dynamic_cells);
  if (clusters && cluster_size > 1) static_cells = dynamic_cells = nullptr;
  for (int i = 0; i < 2; i++)
    while (Cluster *one = i ? clusters : unused_clusters) {
      (i ? clusters : unused_clusters) = one->next;
      give_back(one->memory, cluster_size * part_bytes);
      give_back(one, sizeof *one);
    }
  cluster = nullptr, cluster_count = 0;
}
