// The barrier of a cluster, in two parts: who has arrived must wait before it arrives again. Threads that have ended need
// not arrive.
#pragma once
#include "warpgroups.h"

static uint32_t cluster_arrived[MOST_THREADS];  // in which phase + 1, or 0 for a thread that has not, or has waited
enum : uint8_t { CLUSTER_BARRIER = NAMED_BARRIERS + 1 };

static bool waits_for_cluster(unsigned thread) {
  return fibers[thread].state == AT_NAMED_BARRIER && fibers[thread].barrier == CLUSTER_BARRIER;
}
// Threads of the running block that wait for a phase that is over.
static void wake_from_cluster() {
  for (unsigned t = 0; t < threads; t++) {
    if (!waits_for_cluster(t) || cluster_arrived[t] == cluster->phase + 1) continue;
    fibers[t].barrier = 0, fibers[t].state = RUNNABLE;
    set_runnable(t / LANES, 1u << t % LANES);
  }
}

static void release_cluster_if_complete() {
  if (!cluster->present || cluster->present < cluster->alive) return;
  cluster->present = 0, cluster->phase++;
  sim_quiet = 0;
  if (checking) drop_gathered(cluster->completed), cluster->completed = cluster->arriving, cluster->arriving = {};
  wake_from_cluster();
}

// A relaxed arrival tells that its block has begun, and of barriers in memory that were fenced for the cluster.
static void gather_relaxed(Gathered &all, unsigned thread) {
  const Known *known = orders[thread].acquired;
  for (uint32_t i = 0; known && i < known->size; i++) {
    const Entry &one = known->entries[i];
    if (one.key && is_of_barriers(one.key)) raise(all.known, one.key, one.clock);
  }
}

extern "C" void sim_cluster_arrive(int releases, int line) {
  sim_quiet = 0;
  if (cluster_arrived[current]) report_named("cluster-arrive", line, 0, 0, 0, 0);
  cluster_arrived[current] = cluster->phase + 1;
  cluster->present++;
  if (checking) {
    raise(cluster->arriving.known, key_of(block_stamp, BEGIN), 1);
    if (releases) gather(cluster->arriving, current);
    else gather_relaxed(cluster->arriving, current);
  }
  release_cluster_if_complete();
}

extern "C" void sim_cluster_wait(int acquires, int line) {
  if (!cluster_arrived[current]) report_named("cluster-wait", line, 0, 0, 0, 0);
  Fiber &fiber = fibers[current];
  if (cluster_arrived[current] == cluster->phase + 1) {
    fiber.line = line, fiber.barrier = CLUSTER_BARRIER;
    set_waiting(current, AT_NAMED_BARRIER);
    run_another();
  }
  cluster_arrived[current] = 0;
  if (checking && acquires) hand_out(cluster->completed, current);
}

static void end_thread_of_cluster() {
  if (!has_cluster()) return;
  end_thread_of_member();
  cluster->alive--;
  if (cluster_arrived[current] == cluster->phase + 1) cluster->present--;
  cluster_arrived[current] = 0;
  release_cluster_if_complete();
}

// Addresses and pointers of what another block of the cluster has at the same place.
static unsigned checked_rank(unsigned rank, int line) {
  if (rank >= cluster_size) report_product("rank", place_of_line(line), 0, rank, cluster_size);
  return rank;
}
extern "C" void *sim_map_pointer(const void *at, unsigned rank, int line) {
  checked_rank(rank, line);
  Place place = place_of(at);
  if (offset_of_own(place.home) == NOWHERE) report_product("mapped", place_of_line(line), 0, 0);
  return at_rank(place.home, rank);
}
extern "C" unsigned sim_map_address(unsigned address, unsigned rank, int line) {
  Place place = place_of(sim_shared_pointer(address, true, line));
  checked_rank(rank, line);
  if (cluster_size == 1) return address;
  return (unsigned)(CLUSTER_WINDOW + rank * RANK_WINDOW + offset_of_own(place.home));
}
extern "C" unsigned sim_rank_of_pointer(const void *at) { return place_of(at).rank; }
extern "C" unsigned sim_rank_of_address(unsigned address) {
  return address >= CLUSTER_WINDOW ? (unsigned)((address - CLUSTER_WINDOW) / RANK_WINDOW) : cluster_rank;
}
extern "C" unsigned sim_rank_in_cluster() { return cluster_rank; }
