// Loads, stores and atomic operations with memory orders as functions (`ptx_orders.py` has the table). `order` has what an
// operation acquires and releases.
#pragma once

namespace simulator {
namespace ptx {

#define SIM_OPERATION(name, expression)                                                                      \
  struct name {                                                                                              \
    template <class T> static inline __attribute__((always_inline)) T of(T before, T value) { return (T)(expression); } \
  };
SIM_OPERATION(Added, before + value)
SIM_OPERATION(Least, value < before ? value : before)
SIM_OPERATION(Greatest, value > before ? value : before)
SIM_OPERATION(BitsOfBoth, before & value)
SIM_OPERATION(BitsOfAny, before | value)
SIM_OPERATION(BitsOfOne, before ^ value)
SIM_OPERATION(CountedUp, before >= value ? 0 : before + 1)
SIM_OPERATION(CountedDown, before == 0 || before > value ? value : before - 1)
#undef SIM_OPERATION

template <class T> SIM_UNSEEN T loaded(const T *place, int scope, int use, int line) {
  sim_atomic(place, sizeof(T), line, scope, use, nullptr);
  T value = *place;
  sim_look(line);
  return value;
}
template <class Op, class T> SIM_UNSEEN T updated(T *place, T value, int scope, int use, int line) {
  sim_atomic(place, sizeof(T), line, scope, use, nullptr);
  T before = *place, after = Op::of(before, value);
  *place = after;
  note_effect(before, after, line);
  return before;
}
template <class T> SIM_UNSEEN T exchanged(T *place, T value, int scope, int use, int line) {
  sim_atomic(place, sizeof(T), line, scope, use, nullptr);
  T before = *place;
  *place = value;
  note_effect(before, value, line);
  return before;
}
template <class T> SIM_UNSEEN T exchanged_if(T *place, T expected, T value, int scope, int use, int line) {
  sim_atomic(place, sizeof(T), line, scope, use, &expected);
  T before = *place;
  if (before == expected) *place = value, note_effect(before, value, line);
  else sim_yield(line);
  return before;
}

template <class T, int scope, int order, class Address> SIM_INLINE T ordered_load(Address from, int line) {
  return loaded(from.template at<const T>(), scope, LOADS | order, line);
}
template <class T, int scope, int order, class Address>
SIM_INLINE void ordered_store(Address to, typename Same<T>::type value, int line) {
  exchanged(to.template at<T>(), value, scope, STORES | order, line);
}
template <class T, class Op, int scope, int order, class Address>
SIM_INLINE T ordered_update(Address to, typename Same<T>::type value, int line) {
  return updated<Op>(to.template at<T>(), value, scope, UPDATES | order, line);
}
template <class T, class Op, int scope, int order, class Address>
SIM_INLINE void ordered_reduction(Address to, typename Same<T>::type value, int line) {
  sim_discard();
  updated<Op>(to.template at<T>(), value, scope, UPDATES | order, line);
}
template <class T, int scope, int order, class Address>
SIM_INLINE T ordered_exchange(Address to, typename Same<T>::type value, int line) {
  return exchanged(to.template at<T>(), value, scope, EXCHANGES | order, line);
}
template <class T, int scope, int order, class Address>
SIM_INLINE T ordered_cas(Address to, typename Same<T>::type old, typename Same<T>::type value, int line) {
  return exchanged_if(to.template at<T>(), old, value, scope, UPDATES | order, line);
}

}  // namespace ptx
}  // namespace simulator
