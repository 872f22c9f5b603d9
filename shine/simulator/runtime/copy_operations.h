// What asynchronous copies and reductions do with the numbers that they find. Knows neither order nor when copies come.
#pragma once
#include <cstdint>
#include <cstring>

#include "include/simulator/interface.h"
#include "include/simulator/narrow_floats.h"

template <class T> static T combined(int operation, T x, T y) {
  switch (operation) {
    case simulator::ADDS: return x + y;
    case simulator::TAKES_LEAST: return y < x ? y : x;
    case simulator::TAKES_GREATEST: return y > x ? y : x;
    default: return y;
  }
}
template <class T> static void combine_all(int operation, char *to, const char *from, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i += sizeof(T)) {
    T x, y;
    memcpy(&x, to + i, sizeof x), memcpy(&y, from + i, sizeof y);
    if constexpr ((T)0.5 == (T)0) {
      switch (operation) {
        case simulator::ANDS: x = x & y; break;
        case simulator::ORS: x = x | y; break;
        case simulator::XORS: x = x ^ y; break;
        case simulator::COUNTS_UP: x = x >= y ? 0 : x + 1; break;
        case simulator::COUNTS_DOWN: x = x == 0 || x > y ? y : x - 1; break;
        default: x = combined(operation, x, y);
      }
    } else {
      x = combined(operation, x, y);
    }
    memcpy(to + i, &x, sizeof x);
  }
}
template <bool half> static void combine_narrow(int operation, char *to, const char *from, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i += 2) {
    uint16_t x, y;
    memcpy(&x, to + i, 2), memcpy(&y, from + i, 2);
    float a = half ? simulator::float_of_half(x) : simulator::float_of_bfloat(x);
    float b = half ? simulator::float_of_half(y) : simulator::float_of_bfloat(y);
    x = half ? simulator::half_of(combined(operation, a, b)) : simulator::bfloat_of(combined(operation, a, b));
    memcpy(to + i, &x, 2);
  }
}
static void put(int operation, int number, char *to, const char *from, uint64_t bytes) {
  if (operation == simulator::COPIES) {
    memmove(to, from, bytes);
    return;
  }
  switch (number) {
    case simulator::HALF: return combine_narrow<true>(operation, to, from, bytes);
    case simulator::BFLOAT16: return combine_narrow<false>(operation, to, from, bytes);
    case simulator::FLOAT: return combine_all<float>(operation, to, from, bytes);
    case simulator::DOUBLE: return combine_all<double>(operation, to, from, bytes);
    case simulator::INT32: return combine_all<int32_t>(operation, to, from, bytes);
    case simulator::INT64: return combine_all<int64_t>(operation, to, from, bytes);
    case simulator::UNSIGNED64: return combine_all<uint64_t>(operation, to, from, bytes);
    default: return combine_all<uint32_t>(operation, to, from, bytes);
  }
}
