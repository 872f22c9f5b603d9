// Functions on the parts of a word: two numbers of 16 bits, or four of 8 (CUDA's SIMD intrinsics), and those of three
// operands for dynamic programming (DPX). Included where a text has such names, since it takes a while to parse.
#pragma once

namespace simulator {

// Part `i` of a word, and a word of parts: results keep their lowest bits.
template <int Bits, bool IsSigned> SIM_INLINE int part_of(unsigned word, int i) {
  unsigned bits = word >> Bits * i & ((1u << Bits) - 1);
  return IsSigned && bits >> (Bits - 1) ? (int)bits - (1 << Bits) : (int)bits;
}
template <int Bits, bool IsSigned, class F, class... Words> SIM_INLINE unsigned by_parts(F each, Words... words) {
  unsigned made = 0;
  for (int i = 0; i < 32 / Bits; i++)
    made |= ((unsigned)each(part_of<Bits, IsSigned>(words, i)...) & ((1u << Bits) - 1)) << Bits * i;
  return made;
}
template <int Bits, bool IsSigned> SIM_INLINE int within(int x) {
  constexpr int least = IsSigned ? -(1 << (Bits - 1)) : 0, greatest = IsSigned ? -1 - least : (1 << Bits) - 1;
  return x < least ? least : x > greatest ? greatest : x;
}
SIM_INLINE int size_of(int x) { return x < 0 ? -x : x; }

}  // namespace simulator

#define SIM_PARTS_1(name, bits, is_signed, expression)                                                       \
  SIM_INLINE unsigned name(unsigned x) {                                                                     \
    return simulator::by_parts<bits, is_signed>([](int a) { return expression; }, x);                        \
  }
#define SIM_PARTS_2(name, bits, is_signed, expression)                                                       \
  SIM_INLINE unsigned name(unsigned x, unsigned y) {                                                         \
    return simulator::by_parts<bits, is_signed>([](int a, int b) { return expression; }, x, y);              \
  }
#define SIM_PARTS_3(name, bits, is_signed, expression)                                                       \
  SIM_INLINE unsigned name(unsigned x, unsigned y, unsigned z) {                                             \
    return simulator::by_parts<bits, is_signed>([](int a, int b, int c) { return expression; }, x, y, z);    \
  }
#define SIM_PARTS_OF(count, bits)                                                                            \
  SIM_PARTS_1(__vabs##count, bits, true, simulator::size_of(a))                                              \
  SIM_PARTS_1(__vabsss##count, bits, true, (simulator::within<bits, true>(simulator::size_of(a))))           \
  SIM_PARTS_1(__vneg##count, bits, true, -a)                                                                 \
  SIM_PARTS_1(__vnegss##count, bits, true, (simulator::within<bits, true>(-a)))                              \
  SIM_PARTS_2(__vabsdiffs##count, bits, true, simulator::size_of(a - b))                                     \
  SIM_PARTS_2(__vabsdiffu##count, bits, false, simulator::size_of(a - b))                                    \
  SIM_PARTS_2(__vadd##count, bits, false, a + b)                                                             \
  SIM_PARTS_2(__vaddss##count, bits, true, (simulator::within<bits, true>(a + b)))                           \
  SIM_PARTS_2(__vaddus##count, bits, false, (simulator::within<bits, false>(a + b)))                         \
  SIM_PARTS_2(__vsub##count, bits, false, a - b)                                                             \
  SIM_PARTS_2(__vsubss##count, bits, true, (simulator::within<bits, true>(a - b)))                           \
  SIM_PARTS_2(__vsubus##count, bits, false, (simulator::within<bits, false>(a - b)))                         \
  SIM_PARTS_2(__vavgs##count, bits, true, (a + b + (a + b >= 0)) >> 1)                                       \
  SIM_PARTS_2(__vavgu##count, bits, false, (a + b + 1) >> 1)                                                 \
  SIM_PARTS_2(__vhaddu##count, bits, false, (a + b) >> 1)                                                    \
  SIM_PARTS_2(__vmaxs##count, bits, true, a > b ? a : b)                                                     \
  SIM_PARTS_2(__vmaxu##count, bits, false, a > b ? a : b)                                                    \
  SIM_PARTS_2(__vmins##count, bits, true, a < b ? a : b)                                                     \
  SIM_PARTS_2(__vminu##count, bits, false, a < b ? a : b)                                                    \
  SIM_PARTS_2(__vcmpeq##count, bits, false, a == b ? -1 : 0)                                                 \
  SIM_PARTS_2(__vcmpne##count, bits, false, a != b ? -1 : 0)                                                 \
  SIM_PARTS_2(__vseteq##count, bits, false, a == b)                                                          \
  SIM_PARTS_2(__vsetne##count, bits, false, a != b)                                                          \
  SIM_ORDERED(count, bits, s, true) SIM_ORDERED(count, bits, u, false)                                       \
  SIM_SUM_OF_DIFFERENCES(count, bits, s, true) SIM_SUM_OF_DIFFERENCES(count, bits, u, false)
#define SIM_ORDERED(count, bits, letter, is_signed)                                                          \
  SIM_PARTS_2(__vcmpge##letter##count, bits, is_signed, a >= b ? -1 : 0)                                     \
  SIM_PARTS_2(__vcmpgt##letter##count, bits, is_signed, a > b ? -1 : 0)                                      \
  SIM_PARTS_2(__vcmple##letter##count, bits, is_signed, a <= b ? -1 : 0)                                     \
  SIM_PARTS_2(__vcmplt##letter##count, bits, is_signed, a < b ? -1 : 0)                                      \
  SIM_PARTS_2(__vsetge##letter##count, bits, is_signed, a >= b)                                              \
  SIM_PARTS_2(__vsetgt##letter##count, bits, is_signed, a > b)                                               \
  SIM_PARTS_2(__vsetle##letter##count, bits, is_signed, a <= b)                                              \
  SIM_PARTS_2(__vsetlt##letter##count, bits, is_signed, a < b)
#define SIM_SUM_OF_DIFFERENCES(count, bits, letter, is_signed)                                               \
  SIM_INLINE unsigned __vsad##letter##count(unsigned x, unsigned y) {                                        \
    unsigned sum = 0;                                                                                        \
    for (int i = 0; i < count; i++)                                                                          \
      sum += (unsigned)simulator::size_of(simulator::part_of<bits, is_signed>(x, i) -                        \
                                          simulator::part_of<bits, is_signed>(y, i));                        \
    return sum;                                                                                              \
  }
SIM_PARTS_OF(2, 16) SIM_PARTS_OF(4, 8)

// The greatest and the least of words, of sums that wrap around, and of their halves; `relu`: at least 0; `b`: and whether it
// is the first operand.
#define SIM_EXTREME(name, word, least, op)                                                                   \
  SIM_INLINE word __vi##name##3_##least(word x, word y, word z) { return name(name(x, y), z); }              \
  SIM_INLINE word __viadd##name##_##least(word x, word y, word z) {                                          \
    return name((word)((unsigned)x + (unsigned)y), z);                                                       \
  }                                                                                                          \
  SIM_INLINE word __vib##name##_##least(word x, word y, bool *is_first) {                                    \
    *is_first = x op y;                                                                                      \
    return name(x, y);                                                                                       \
  }
SIM_EXTREME(max, int, s32, >=) SIM_EXTREME(min, int, s32, <=)
SIM_EXTREME(max, unsigned, u32, >=) SIM_EXTREME(min, unsigned, u32, <=)
#define SIM_RELU(name)                                                                                       \
  SIM_INLINE int __vi##name##_s32_relu(int x, int y) { return max(name(x, y), 0); }                          \
  SIM_INLINE int __vi##name##3_s32_relu(int x, int y, int z) { return max(__vi##name##3_s32(x, y, z), 0); }  \
  SIM_INLINE int __viadd##name##_s32_relu(int x, int y, int z) { return max(__viadd##name##_s32(x, y, z), 0); } \
  SIM_PARTS_2(__vi##name##_s16x2_relu, 16, true, max(name(a, b), 0))                                         \
  SIM_PARTS_3(__vi##name##3_s16x2_relu, 16, true, max(name(name(a, b), c), 0))                               \
  SIM_PARTS_3(__viadd##name##_s16x2_relu, 16, true, max(name((int)(short)(a + b), c), 0))
SIM_RELU(max) SIM_RELU(min)
#define SIM_EXTREME_OF_HALVES(name, half, least, is_signed, op)                                              \
  SIM_PARTS_3(__vi##name##3_##least, 16, is_signed, name(name(a, b), c))                                     \
  SIM_PARTS_3(__viadd##name##_##least, 16, is_signed, name((int)(half)(a + b), c))                           \
  SIM_INLINE unsigned __vib##name##_##least(unsigned x, unsigned y, bool *is_first_high, bool *is_first_low) { \
    *is_first_high = (half)(x >> 16) op (half)(y >> 16), *is_first_low = (half)x op (half)y;                 \
    return simulator::by_parts<16, is_signed>([](int a, int b) { return name(a, b); }, x, y);                \
  }
SIM_EXTREME_OF_HALVES(max, short, s16x2, true, >=) SIM_EXTREME_OF_HALVES(min, short, s16x2, true, <=)
SIM_EXTREME_OF_HALVES(max, unsigned short, u16x2, false, >=) SIM_EXTREME_OF_HALVES(min, unsigned short, u16x2, false, <=)
#undef SIM_PARTS_1
#undef SIM_PARTS_2
#undef SIM_PARTS_3
#undef SIM_PARTS_OF
#undef SIM_ORDERED
#undef SIM_SUM_OF_DIFFERENCES
#undef SIM_EXTREME
#undef SIM_RELU
#undef SIM_EXTREME_OF_HALVES
