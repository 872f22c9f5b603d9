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
  sim_bulk_into_shared(to.at<void>(), from.at<void>(), bytes, barrier.at<void>(), false, operation, number, line);
}
template <int operation, int number>
SIM_INLINE void bulk_into_shared(Shared to, Global from, unsigned bytes, Shared barrier, unsigned long long, int line) {
  bulk_into_shared<operation, number>(to, from, bytes, barrier, line);
}
template <int operation, int number> SIM_INLINE void bulk_within_shared(Shared to, Shared from, unsigned bytes, Shared barrier, int line) {
  sim_bulk_into_shared(to.at<void>(), from.at<void>(), bytes, barrier.at<void>(), true, operation, number, line);
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
SIM_INLINE void bulk_tile_into_shared(Shared to, Tensor from, Shared barrier, int line) {
  sim_tile_into_shared(to.at<void>(), from.map, from.coordinates, from.rank, barrier.at<void>(), line);
}
SIM_INLINE void bulk_tile_into_shared(Shared to, Tensor from, Shared barrier, unsigned long long, int line) {
  bulk_tile_into_shared(to, from, barrier, line);
}
template <int operation> SIM_INLINE void bulk_tile_into_global(Tensor to, Shared from, int line) {
  sim_tile_into_global(to.map, from.at<void>(), to.coordinates, to.rank, operation, line);
}
template <int operation> SIM_INLINE void bulk_tile_into_global(Tensor to, Shared from, unsigned long long, int line) {
  bulk_tile_into_global<operation>(to, from, line);
}
SIM_INLINE void nothing(Tensor) {}
SIM_INLINE void nothing(Global, unsigned) {}
SIM_INLINE void nothing() {}

}  // namespace ptx
}  // namespace simulator
