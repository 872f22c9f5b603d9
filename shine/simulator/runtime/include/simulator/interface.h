// What kernel code asks of the runtime: threads meeting, votes, shuffles, atomics, matrix instructions.
// Shared by both sides; knows neither CUDA's names nor how anything is done.
#pragma once

namespace simulator {

struct Index3 {
  unsigned x, y, z;
};

enum Shuffle { SHUFFLE_INDEX, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, SHUFFLE_UNCOUNTED };  // the last: part of an instruction that is counted elsewhere
enum Vote { VOTE_BALLOT, VOTE_ANY, VOTE_ALL, VOTE_UNIFORM, VOTE_COUNT };
enum Number { HALF, BFLOAT16, FLOAT, DOUBLE, TF32, SIGNED8, UNSIGNED8, INT32, UNSIGNED32, INT64, UNSIGNED64, E4M3, E5M2 };
// What a bulk copy does with what it finds.
enum CopyOperation { COPIES, ADDS, TAKES_LEAST, TAKES_GREATEST, ANDS, ORS, XORS, COUNTS_UP, COUNTS_DOWN };
// What the asynchronous proxy may see after a fence.
enum Proxies { OF_BARRIERS = 1, OF_GLOBAL = 2, OF_SHARED = 4, OF_ALL = 7 };
// Scopes of fences and atomic operations, and what an operation does: one that exchanges may ignore what it reads.
enum Scope { OF_BLOCK, OF_DEVICE };
enum AtomicUse { LOADS, UPDATES, EXCHANGES, STORES, USES = 3, ACQUIRES = 4, RELEASES = 8 };
enum Role { MATRIX_A, MATRIX_B, ACCUMULATOR };

// A kind of fragment: `elements` per lane, of which each place of the matrix takes `copies`. Which lane holds which
// element is scrambled, or documented by the PTX ISA.
enum : short { DOCUMENTED = -1 };
struct FragmentKind {
  short role, number, m, n, k, elements, copies, scramble;
};

// A product of numbers of 1 or 4 bits: rows, registers of a row of each lane, bits, and how they are combined.
enum NarrowOperation { PRODUCTS, DIFFERENT_BITS, COMMON_BITS };
struct NarrowKind {
  int m, depth, bits, a_is_signed, b_is_signed, operation, saturates;
};

// A product of a warpgroup: columns, the numbers of factors and sums, registers of sums.
struct ProductKind {
  int n, a_number, b_number, sum_number, registers, saturates;
};

// How a kernel is called: for each parameter 'f' floating, 'i' integer, 'p' pointer, 's' other, and its bytes; 'F' and
// 'I' are pointers to floating-point numbers and integers, of as many bytes.
struct Kernel {
  const char *name;
  void (*run)(void **arguments);
  int count;
  const int *sizes;
  const char *kinds;
};

}  // namespace simulator

#define SIM_HIDDEN __attribute__((visibility("hidden")))
#define SIM_VISIBLE __attribute__((visibility("default")))

extern "C" {
SIM_HIDDEN void sim_syncthreads(int line);
SIM_HIDDEN int sim_syncthreads_vote(int predicate, int vote, int line);
// Barriers by number; `counts` says whether `count` threads meet there, or all. Lanes arrive by warps, or one by one.
SIM_HIDDEN void sim_named_arrive(unsigned id, unsigned count, int by_warps, int line);
SIM_HIDDEN unsigned sim_named_sync(unsigned id, unsigned count, int counts, int by_warps, int predicate, int vote, int line);
SIM_HIDDEN void sim_syncwarp(unsigned mask, int line);
SIM_HIDDEN unsigned long long sim_shuffle(unsigned mask, unsigned long long bits, int lane, int width, int kind,
                                          int line);
SIM_HIDDEN unsigned sim_vote(unsigned mask, int predicate, int vote, int line);
SIM_HIDDEN unsigned sim_active();
SIM_HIDDEN unsigned sim_lane();
// Among the lanes of a mask: the lane of a rank (beyond the last, the last), and the ranks of those in a ballot.
SIM_HIDDEN unsigned sim_lane_of(unsigned mask, unsigned rank);
SIM_HIDDEN unsigned sim_ranks_of(unsigned mask, unsigned ballot);
SIM_HIDDEN void sim_yield(int line);
SIM_HIDDEN void sim_look(int line);            // the thread has looked at memory, or tried to change it, without effect
SIM_HIDDEN extern unsigned long long sim_quiet;  // looks since the last change
SIM_HIDDEN void sim_trap(int line);
SIM_HIDDEN int sim_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
SIM_HIDDEN void sim_assert(const char *expression, int line);
SIM_HIDDEN long long sim_clock();
// Before the operation itself. One that expects a value and finds another only loads.
SIM_HIDDEN void sim_atomic(const void *place, int bytes, int line, int scope, int use, const void *expected);
SIM_HIDDEN void sim_discard();  // the value that the next atomic operation returns is not used
SIM_HIDDEN void sim_fence(int scope);
SIM_HIDDEN void sim_begin_local(const volatile void *at, unsigned long long bytes);  // holds nothing yet
SIM_HIDDEN void sim_end_local(const volatile void *at, unsigned long long bytes);    // ends, or is filled
SIM_HIDDEN void sim_fill_unset(void *at, unsigned long long bytes, const char *name, int line);  // a variable without a value
SIM_HIDDEN void sim_copy(void *to, const void *from, unsigned long long bytes, unsigned long long zeros, int line);
SIM_HIDDEN void sim_commit_copies();
SIM_HIDDEN void sim_wait_for_copies(unsigned long long but);
// Barriers in shared memory. An arrival gives the state before it; a state, or the parity of a phase, is what is waited for.
SIM_HIDDEN void sim_mbarrier_init(void *at, unsigned count, int line);
SIM_HIDDEN void sim_mbarrier_inval(void *at, int line);
SIM_HIDDEN unsigned long long sim_mbarrier_arrive(void *at, unsigned count, unsigned bytes, int releases, int drops, int line);
SIM_HIDDEN void sim_mbarrier_expect(void *at, unsigned bytes, int line);
SIM_HIDDEN void sim_mbarrier_complete(void *at, unsigned bytes, int line);
SIM_HIDDEN void sim_mbarrier_arrive_by_copies(void *at, int counts, int line);
SIM_HIDDEN int sim_mbarrier_test(void *at, int by_parity, unsigned long long which, int acquires, int may_wait, int line);
SIM_HIDDEN void sim_fence_proxy(int proxies);
// Bulk copies: with a barrier, or in groups of their thread. Of tensors by a map and the coordinates of a box, or of a pixel and
// `offsets`.
SIM_HIDDEN void sim_bulk_into_shared(void *to, const void *from, unsigned bytes, void *barrier, int within_shared,
                                     int operation, int number, unsigned ranks, int multicast, int line);
SIM_HIDDEN void sim_bulk_into_global(void *to, const void *from, unsigned bytes, int operation, int number, int line);
SIM_HIDDEN void sim_tile_into_shared(void *to, const void *map, const int *coordinates, int rank, const int *offsets, void *barrier,
                                     unsigned ranks, int multicast, int line);
SIM_HIDDEN void sim_store_async(void *to, const void *value, int bytes, void *barrier, int operation, int number, int line);
SIM_HIDDEN void sim_tile_into_global(const void *map, const void *from, const int *coordinates, int rank,
                                     const int *offsets, int operation, int line);
SIM_HIDDEN void sim_commit_bulk();
SIM_HIDDEN void sim_wait_for_bulk(unsigned long long but, int reads_only);
// Products of warpgroups. Factors by descriptors, or the left one by registers; sums by the addresses of registers.
SIM_HIDDEN void sim_wgmma(char **sums, const simulator::ProductKind *kind, unsigned long long a, const unsigned *a_registers,
                          unsigned long long b, int adds, int a_sign, int b_sign, int a_across, int b_across, int line);
SIM_HIDDEN void sim_wgmma_fence(int line);
SIM_HIDDEN void sim_wgmma_commit(int line);
SIM_HIDDEN void sim_wgmma_wait(int but, int line);
// Registers of the threads of a warp from now on.
SIM_HIDDEN void sim_set_registers(int count, int raises, int line);
// The barrier of a cluster, and places in the shared memory of its blocks.
SIM_HIDDEN void sim_cluster_arrive(int releases, int line);
SIM_HIDDEN void sim_cluster_wait(int acquires, int line);
SIM_HIDDEN void *sim_map_pointer(const void *at, unsigned rank, int line);
SIM_HIDDEN unsigned sim_map_address(unsigned address, unsigned rank, int line);
SIM_HIDDEN unsigned sim_rank_of_pointer(const void *at);
SIM_HIDDEN unsigned sim_rank_of_address(unsigned address);
SIM_HIDDEN unsigned sim_rank_in_cluster();
SIM_HIDDEN unsigned char *sim_dynamic(unsigned long long offset);
SIM_HIDDEN void *sim_array_at(unsigned pointer, const void *memory, unsigned long long offset);
SIM_HIDDEN void sim_fragment_load(const simulator::FragmentKind *kind, void *x, const void *from, unsigned stride,
                                  int column_major, int line);
SIM_HIDDEN void sim_fragment_store(const simulator::FragmentKind *kind, const void *x, void *to, unsigned stride,
                                   int column_major, int line);
SIM_HIDDEN void sim_fragment_multiply(const simulator::FragmentKind *const kinds[4], void *d, const void *a,
                                      const void *b, const void *c, int saturate, int line);
// Addresses in the window of shared memory, 0 for what is elsewhere; matrices of 8 rows of 16 bytes there.
SIM_HIDDEN unsigned sim_shared_address(const void *at);
SIM_HIDDEN void *sim_shared_pointer(unsigned long long address, int of_cluster, int line);
SIM_HIDDEN void sim_load_matrices(unsigned *to, unsigned long long row, int count, int transposed, int line);
SIM_HIDDEN void sim_store_matrices(const unsigned *from, unsigned long long row, int count, int transposed, int line);
SIM_HIDDEN void sim_multiply_narrow(int *d, const unsigned *a, const unsigned *b, const int *c, const simulator::NarrowKind *kind,
                                    int line);
SIM_HIDDEN void sim_multiply_quads(void *d, const unsigned *a, const unsigned *b, const void *c, int number, int a_by_rows,
                                   int b_by_rows, int line);
}
