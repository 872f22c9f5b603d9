// Barriers in shared memory, bulk copies and fences of proxies as functions (`ptx_asynchronous.py` has the table).
#pragma once

namespace simulator {
namespace ptx {

template <class Address> SIM_INLINE void mbarrier_init(Address at, unsigned count, int line) {
  sim_mbarrier_init(at.template at<void>(), count, line);
}
template <class Address> SIM_INLINE void mbarrier_inval(Address at, int line) { sim_mbarrier_inval(at.template at<void>(), line); }
template <bool releases, bool drops, class Address>
SIM_INLINE unsigned long long mbarrier_arrive(Address at, unsigned count, int line) {
  return sim_mbarrier_arrive(at.template at<void>(), count, 0, releases, drops, line);
}
template <bool releases, bool drops, class Address> SIM_INLINE unsigned long long mbarrier_arrive(Address at, int line) {
  return mbarrier_arrive<releases, drops>(at, 1, line);
}
template <bool releases, bool drops, class Address>
SIM_INLINE unsigned long long mbarrier_arrive_expect(Address at, unsigned bytes, int line) {
  return sim_mbarrier_arrive(at.template at<void>(), 1, bytes, releases, drops, line);
}
template <class Address> SIM_INLINE void mbarrier_expect(Address at, unsigned bytes, int line) {
  sim_mbarrier_expect(at.template at<void>(), bytes, line);
}
template <class Address> SIM_INLINE void mbarrier_complete(Address at, unsigned bytes, int line) {
  sim_mbarrier_complete(at.template at<void>(), bytes, line);
}
template <bool counts, class Address> SIM_INLINE void mbarrier_arrive_by_copies(Address at, int line) {
  sim_mbarrier_arrive_by_copies(at.template at<void>(), counts, line);
}
template <bool by_parity, bool acquires, bool may_wait, class Address>
SIM_INLINE bool mbarrier_test(Address at, unsigned long long which, int line) {
  return sim_mbarrier_test(at.template at<void>(), by_parity, which, acquires, may_wait, line) != 0;
}
// The hint says how long to wait at most.
template <bool by_parity, bool acquires, bool may_wait, class Address>
SIM_INLINE bool mbarrier_test(Address at, unsigned long long which, unsigned, int line) {
  return mbarrier_test<by_parity, acquires, may_wait>(at, which, line);
}
SIM_INLINE unsigned pending_of(unsigned long long state) { return (unsigned)state & 0xfffff; }
template <int proxies> SIM_INLINE void fence_proxy() { sim_fence_proxy(proxies); }

// Policies of caches, the last operand of some, change no result.
template <int operation, int number> SIM_INLINE void bulk_into_shared(Shared to, Global from, unsigned bytes, Shared barrier, int line) {
  sim_bulk_into_shared(to.at<void>(), from.at<void>(), bytes, barrier.at<void>(), false, operation, number, 0, false, line);
}
template <int operation, int number>
SIM_INLINE void bulk_into_shared(Shared to, Global from, unsigned bytes, Shared barrier, unsigned long long, int line) {
  bulk_into_shared<operation, number>(to, from, bytes, barrier, line);
}
SIM_INLINE void bulk_multicast(Shared to, Global from, unsigned bytes, Shared barrier, Bits16 ranks, int line) {
  sim_bulk_into_shared(to.at<void>(), from.at<void>(), bytes, barrier.at<void>(), false, COPIES, 0, ranks, true, line);
}
SIM_INLINE void bulk_multicast(Shared to, Global from, unsigned bytes, Shared barrier, Bits16 ranks, unsigned long long, int line) {
  bulk_multicast(to, from, bytes, barrier, ranks, line);
}
template <int operation, int number> SIM_INLINE void bulk_within_shared(Shared to, Shared from, unsigned bytes, Shared barrier, int line) {
  from.of_cluster = false;
  sim_bulk_into_shared(to.at<void>(), from.at<void>(), bytes, barrier.at<void>(), true, operation, number, 0, false, line);
}
// Stores and operations of single numbers, which complete as copies do.
template <class T> SIM_INLINE void store_async(Shared to, T value, Shared barrier, int line) {
  sim_store_async(to.at<void>(), &value, sizeof value, barrier.at<void>(), COPIES, 0, line);
}
template <class T, size_t n> SIM_INLINE void store_async(Shared to, const T (&values)[n], Shared barrier, int line) {
  sim_store_async(to.at<void>(), values, sizeof values, barrier.at<void>(), COPIES, 0, line);
}
template <int operation, int number, class T> SIM_INLINE void reduce_async(Shared to, T value, Shared barrier, int line) {
  sim_store_async(to.at<void>(), &value, sizeof value, barrier.at<void>(), operation, number, line);
}
template <int operation, int number> SIM_INLINE void bulk_into_global(Global to, Shared from, unsigned bytes, int line) {
  sim_bulk_into_global(to.at<void>(), from.at<void>(), bytes, operation, number, line);
}
template <int operation, int number>
SIM_INLINE void bulk_into_global(Global to, Shared from, unsigned bytes, unsigned long long, int line) {
  bulk_into_global<operation, number>(to, from, bytes, line);
}
SIM_INLINE void bulk_commit() { sim_commit_bulk(); }
template <bool reads_only> SIM_INLINE void bulk_wait(int but) { sim_wait_for_bulk((unsigned)but, reads_only); }

struct Tensor {
  const void *map;
  const int *coordinates;
  int rank;
};
SIM_INLINE void bulk_tile(Shared to, Tensor from, const int *offsets, Shared barrier, unsigned ranks, bool multicast, int line) {
  sim_tile_into_shared(to.at<void>(), from.map, from.coordinates, from.rank, offsets, barrier.at<void>(), ranks, multicast, line);
}
SIM_INLINE void bulk_tile_into_shared(Shared to, Tensor from, Shared barrier, int line) {
  bulk_tile(to, from, nullptr, barrier, 0, false, line);
}
SIM_INLINE void bulk_tile_into_shared(Shared to, Tensor from, Shared barrier, unsigned long long, int line) {
  bulk_tile_into_shared(to, from, barrier, line);
}
SIM_INLINE void bulk_tile_multicast(Shared to, Tensor from, Shared barrier, Bits16 ranks, int line) {
  bulk_tile(to, from, nullptr, barrier, ranks, true, line);
}
SIM_INLINE void bulk_tile_multicast(Shared to, Tensor from, Shared barrier, Bits16 ranks, unsigned long long, int line) {
  bulk_tile_multicast(to, from, barrier, ranks, line);
}
template <int operation> SIM_INLINE void bulk_tile_into_global(Tensor to, Shared from, int line) {
  sim_tile_into_global(to.map, from.at<void>(), to.coordinates, to.rank, nullptr, operation, line);
}
template <int operation> SIM_INLINE void bulk_tile_into_global(Tensor to, Shared from, unsigned long long, int line) {
  bulk_tile_into_global<operation>(to, from, line);
}
// Pixels, whose offsets are read as numbers without a sign.
template <size_t n> struct Offsets {
  int numbers[n];
  SIM_UNSEEN_INLINE explicit Offsets(const Bits16 (&bits)[n]) {
    for (size_t i = 0; i < n; i++) numbers[i] = bits[i];
  }
};
template <size_t n> SIM_INLINE void bulk_pixels_into_shared(Shared to, Tensor from, Shared barrier, const Bits16 (&offsets)[n], int line) {
  bulk_tile(to, from, Offsets<n>(offsets).numbers, barrier, 0, false, line);
}
template <size_t n>
SIM_INLINE void bulk_pixels_into_shared(Shared to, Tensor from, Shared barrier, const Bits16 (&offsets)[n], unsigned long long, int line) {
  bulk_pixels_into_shared(to, from, barrier, offsets, line);
}
template <size_t n>
SIM_INLINE void bulk_pixels_multicast(Shared to, Tensor from, Shared barrier, const Bits16 (&offsets)[n], Bits16 ranks, int line) {
  bulk_tile(to, from, Offsets<n>(offsets).numbers, barrier, ranks, true, line);
}
template <size_t n>
SIM_INLINE void bulk_pixels_multicast(Shared to, Tensor from, Shared barrier, const Bits16 (&offsets)[n], Bits16 ranks, unsigned long long,
                                      int line) {
  bulk_pixels_multicast(to, from, barrier, offsets, ranks, line);
}
template <int operation> SIM_INLINE void bulk_pixels_into_global(Tensor to, Shared from, int line) {
  const int none[3] = {};
  sim_tile_into_global(to.map, from.at<void>(), to.coordinates, to.rank, none, operation, line);
}
template <int operation> SIM_INLINE void bulk_pixels_into_global(Tensor to, Shared from, unsigned long long, int line) {
  bulk_pixels_into_global<operation>(to, from, line);
}
SIM_INLINE void nothing(Tensor) {}
SIM_INLINE void nothing(Global, unsigned) {}
SIM_INLINE void nothing() {}

// Products of warpgroups, whose sums are written later: they come by their addresses. Of factors in shared memory the last
// two numbers say whether they are transposed.
template <int n, int A, int B, int D, bool saturates, size_t registers> struct ProductOf {
  static constexpr ProductKind kind = {n, A, B, D, (int)registers, saturates};
};
template <int n, int A, int B, int D, bool saturates = false, size_t registers>
SIM_INLINE void bulk_product(char *(&sums)[registers], unsigned long long a, unsigned long long b, bool adds, int a_sign, int b_sign,
                             int a_across, int b_across, int line) {
  sim_wgmma(sums, &ProductOf<n, A, B, D, saturates, registers>::kind, a, nullptr, b, adds, a_sign, b_sign, a_across, b_across, line);
}
template <int n, int A, int B, int D, bool saturates = false, size_t registers>
SIM_INLINE void bulk_product(char *(&sums)[registers], const unsigned (&a)[4], unsigned long long b, bool adds, int a_sign, int b_sign,
                             int b_across, int line) {
  sim_wgmma(sums, &ProductOf<n, A, B, D, saturates, registers>::kind, 0, a, b, adds, a_sign, b_sign, 0, b_across, line);
}
// Factors of other than 16 bits are never transposed; integers have no signs.
template <int n, int A, int B, int D, bool saturates = false, size_t registers>
SIM_INLINE void bulk_product(char *(&sums)[registers], unsigned long long a, unsigned long long b, bool adds, int a_sign, int b_sign,
                             int line) {
  bulk_product<n, A, B, D, saturates>(sums, a, b, adds, a_sign, b_sign, 0, 0, line);
}
template <int n, int A, int B, int D, bool saturates = false, size_t registers>
SIM_INLINE void bulk_product(char *(&sums)[registers], const unsigned (&a)[4], unsigned long long b, bool adds, int a_sign, int b_sign,
                             int line) {
  bulk_product<n, A, B, D, saturates>(sums, a, b, adds, a_sign, b_sign, 0, line);
}
template <int n, int A, int B, int D, bool saturates = false, size_t registers, class Left>
SIM_INLINE void bulk_integer_product(char *(&sums)[registers], const Left &a, unsigned long long b, bool adds, int line) {
  bulk_product<n, A, B, D, saturates>(sums, a, b, adds, 1, 1, line);
}
SIM_INLINE void product_fence(int line) { sim_wgmma_fence(line); }
SIM_INLINE void product_commit(int line) { sim_wgmma_commit(line); }
SIM_INLINE void product_wait(int but, int line) { sim_wgmma_wait(but, line); }
template <bool raises> SIM_INLINE void set_registers(int count, int line) { sim_set_registers(count, raises, line); }

// The cluster of the block. Addresses of 64 bits are generic, as pointers are, or of shared memory.
template <bool releases> SIM_INLINE void named_cluster_arrive(int line) { sim_cluster_arrive(releases, line); }
SIM_INLINE void named_cluster_wait(int line) { sim_cluster_wait(true, line); }
template <class T> SIM_INLINE T address_at_rank(T address, unsigned rank, int line) {
  return sim_map_address((unsigned)address, rank, line);
}
SIM_INLINE unsigned long long pointer_at_rank(unsigned long long at, unsigned rank, int line) {
  return (unsigned long long)sim_map_pointer((const void *)at, rank, line);
}
template <class T> SIM_INLINE unsigned rank_of_address(T address) { return sim_rank_of_address((unsigned)address); }
SIM_INLINE unsigned rank_of_pointer(unsigned long long at) { return sim_rank_of_pointer((const void *)at); }

}  // namespace ptx
}  // namespace simulator
