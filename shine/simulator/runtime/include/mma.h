// nvcuda::wmma, warp matrix instructions. Shapes, types and counts of elements are those of NVIDIA's crt/mma.h; which
// lane holds which element is scrambled, since CUDA leaves it open. 4-bit and 1-bit types are left out.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

namespace sim {
using simulator::FragmentKind;

template <class T> struct Element {};
#define SIM_ELEMENT(T, S, N)                                                                                 \
  template <> struct Element<T> {                                                                            \
    typedef S storage;                                                                                       \
    static constexpr simulator::Number number = simulator::N;                                                \
  };
SIM_ELEMENT(__half, __half, HALF)
SIM_ELEMENT(__nv_bfloat16, __nv_bfloat16, BFLOAT16)
SIM_ELEMENT(float, float, FLOAT)
SIM_ELEMENT(double, double, DOUBLE)
SIM_ELEMENT(precision::tf32, float, TF32)
SIM_ELEMENT(signed char, signed char, SIGNED8)
SIM_ELEMENT(unsigned char, unsigned char, UNSIGNED8)
SIM_ELEMENT(int, int, INT32)
#undef SIM_ELEMENT

constexpr bool is_shape(int m, int n, int k, simulator::Number t, bool accumulates) {
  using namespace simulator;
  bool wide = k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
  bool tf32 = m == 16 && n == 16 && k == 8, fp64 = m == 8 && n == 8 && k == 4;
  if (accumulates) return t == FLOAT ? wide || tf32 : t == HALF || t == INT32 ? wide : t == DOUBLE && fp64;
  return t == TF32 ? tf32 : t == DOUBLE ? fp64 : t != FLOAT && t != INT32 && wide;
}

template <class Use> struct RoleOf {};
template <> struct RoleOf<matrix_a> { static constexpr simulator::Role value = simulator::MATRIX_A; };
template <> struct RoleOf<matrix_b> { static constexpr simulator::Role value = simulator::MATRIX_B; };
template <> struct RoleOf<accumulator> { static constexpr simulator::Role value = simulator::ACCUMULATOR; };
template <class Layout> struct OrderOf { static constexpr int value = 0; };
template <> struct OrderOf<row_major> { static constexpr int value = 1; };
template <> struct OrderOf<col_major> { static constexpr int value = 2; };

// Places of the matrix per lane; __half as matrix_a or matrix_b always has 16 elements, places held repeatedly.
template <class Use, int m, int n, int k, class T, class Layout> struct Facts {
  static constexpr simulator::Role role = RoleOf<Use>::value;
  static constexpr simulator::Number number = Element<T>::number;
  static constexpr bool accumulates = role == simulator::ACCUMULATOR;
  static constexpr int order = OrderOf<Layout>::value;
  static_assert(is_shape(m, n, k, number, accumulates), "CUDA has no fragment of this shape and type");
  static_assert(accumulates == (order == 0), "matrix_a and matrix_b have a layout, accumulator has none");
  static constexpr int places = (role == simulator::MATRIX_A ? m * k : accumulates ? m * n : k * n) / 32;
  static constexpr int elements = number == simulator::HALF && !accumulates ? 16 : places;
  static constexpr int scramble = role + 3 * number + 24 * order + 7 * (m + 2 * n);
  static constexpr FragmentKind kind = {role, number, m, n, k, elements, elements / places, scramble};
};
}  // namespace sim

template <class Use, int m, int n, int k, class T, class Layout = void> class __align__(8) fragment {
  typedef sim::Facts<Use, m, n, k, T, Layout> Facts;

 public:
  enum { num_elements = Facts::elements, num_storage_elements = num_elements };
  typedef T element_type;
  typedef typename sim::Element<T>::storage storage_element_type;
  storage_element_type x[num_storage_elements];
};

template <class Use, int m, int n, int k, class T, class Layout>
SIM_INLINE void fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
                              const typename sim::Element<T>::storage &value) {
#ifdef SIM_CHECK
  sim_end_local(f.x, sizeof f.x);
#endif
  for (int i = 0; i < f.num_elements; i++) f.x[i] = value;
}

template <class Use, int m, int n, int k, class T, class Layout>
SIM_INLINE void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f, const typename sim::Element<T>::storage *from,
                                 unsigned stride, SIM_LINE) {
  typedef sim::Facts<Use, m, n, k, T, Layout> Facts;
  static_assert(!Facts::accumulates, "an accumulator is loaded with a layout");
  sim_fragment_load(&Facts::kind, f.x, from, stride, Facts::order == 2, sim_line);
}
template <int m, int n, int k, class T>
SIM_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from, unsigned stride,
                                 layout_t layout, SIM_LINE) {
  typedef sim::Facts<accumulator, m, n, k, T, void> Facts;
  sim_fragment_load(&Facts::kind, f.x, from, stride, layout == mem_col_major, sim_line);
}
template <int m, int n, int k, class T>
SIM_INLINE void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f, unsigned stride, layout_t layout,
                                  SIM_LINE) {
  typedef sim::Facts<accumulator, m, n, k, T, void> Facts;
  sim_fragment_store(&Facts::kind, f.x, to, stride, layout == mem_col_major, sim_line);
}

namespace sim {
constexpr bool multiplies(simulator::Number d, simulator::Number a, simulator::Number c) {
  using namespace simulator;
  switch (a) {
    case HALF: return (d == HALF || d == FLOAT) && (c == HALF || c == FLOAT);
    case BFLOAT16: case TF32: return d == FLOAT && c == FLOAT;
    case DOUBLE: return d == DOUBLE && c == DOUBLE;
    default: return d == INT32 && c == INT32;
  }
}
template <class D, class A, class B, class C> struct Kinds {
  static constexpr const FragmentKind *value[4] = {&D::kind, &A::kind, &B::kind, &C::kind};
};
}  // namespace sim

template <int m, int n, int k, class TD, class T, class LA, class LB, class TC>
SIM_INLINE void mma_sync(fragment<accumulator, m, n, k, TD> &d, const fragment<matrix_a, m, n, k, T, LA> &a,
                         const fragment<matrix_b, m, n, k, T, LB> &b, const fragment<accumulator, m, n, k, TC> &c,
                         bool saturate = false, SIM_LINE) {
  typedef sim::Facts<accumulator, m, n, k, TD, void> D;
  typedef sim::Facts<accumulator, m, n, k, TC, void> C;
  typedef sim::Facts<matrix_a, m, n, k, T, LA> A;
  typedef sim::Facts<matrix_b, m, n, k, T, LB> B;
  static_assert(sim::multiplies(D::number, A::number, C::number), "CUDA multiplies no matrices of these types");
  sim_fragment_multiply(sim::Kinds<D, A, B, C>::value, d.x, a.x, b.x, c.x, saturate, sim_line);
}

// To 10 bits of fraction, halves away from zero, as cvt.rna does; NaNs stay NaNs.
SIM_INLINE float __float_to_tf32(float x) {
  unsigned bits = __float_as_uint(x);
  if ((bits & 0x7f800000) == 0x7f800000) return x;
  return __uint_as_float((bits + 0x1000) & 0xffffe000);
}

}  // namespace wmma
}  // namespace nvcuda
