#pragma once
// nvcuda::wmma: products of small matrices by a warp, of half, bfloat16, TF32, double and bytes. 4-bit and
// 1-bit types (wmma::experimental) are missing.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

namespace details {

template <class T>
struct Stored {
  using Type = T;
};
template <>
struct Stored<precision::tf32> {
  using Type = float;
};

/// Number of elements in a lane. For half factors, two lanes hold each element.
template <class Use, int kM, int kN, int kK, class T>
constexpr int elements() {
  if (std::is_same_v<Use, accumulator>) return kM * kN / 32;
  if (std::is_same_v<T, __half>) return 16;
  return (std::is_same_v<Use, matrix_a> ? kM : kN) * kK / 32;
}

/// The elements as words for the instructions. Not const: clang 14 requires that even for arguments that a
/// builtin only reads.
template <class Word, class Fragment>
CUDALABS_DEVICE Word* words(const Fragment& fragment) {
  return reinterpret_cast<Word*>(const_cast<typename Fragment::storage_element_type*>(fragment.x));
}

template <class Layout>
inline constexpr int kLayout = std::is_same_v<Layout, col_major> ? 1 : 0;

}  // namespace details

template <class Use, int kM, int kN, int kK, class T, class Layout = void>
class fragment {
 public:
  using element_type = T;
  using storage_element_type = typename details::Stored<T>::Type;
  enum { num_elements = details::elements<Use, kM, kN, kK, T>(), num_storage_elements = num_elements };
  alignas(8) storage_element_type x[num_elements];

  static_assert(std::is_same_v<Use, accumulator> || !std::is_void_v<Layout>,
                "a matrix that is multiplied needs wmma::row_major or wmma::col_major");
};

template <class Use, int kM, int kN, int kK, class T, class Layout>
CUDALABS_DEVICE void fill_fragment(
    fragment<Use, kM, kN, kK, T, Layout>& to,
    const typename fragment<Use, kM, kN, kK, T, Layout>::storage_element_type& value) {
#pragma unroll
  for (int i = 0; i < to.num_elements; ++i) to.x[i] = value;
}

CUDALABS_DEVICE float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return cudalabs::bits_as<float>(bits);
}

// A kind of matrix: its use, shape and element type, its type in memory, the builtin that loads it, and its
// word type.
#define CUDALABS_LOAD(Use, M, N, K, T, Memory, load, Word)                                                \
  template <class Layout>                                                                                 \
  CUDALABS_DEVICE void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& to, const Memory* from,        \
                                        unsigned pitch) {                                                 \
    load(details::words<Word>(to), reinterpret_cast<const Word*>(from), pitch, details::kLayout<Layout>); \
  }
#define CUDALABS_ACCUMULATOR(M, N, K, T, load, store, Word)                                    \
  CUDALABS_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T>& to, const T* from,  \
                                        unsigned pitch, layout_t layout) {                     \
    if (layout == mem_row_major)                                                               \
      load(details::words<Word>(to), reinterpret_cast<const Word*>(from), pitch, 0);           \
    else                                                                                       \
      load(details::words<Word>(to), reinterpret_cast<const Word*>(from), pitch, 1);           \
  }                                                                                            \
  CUDALABS_DEVICE void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& from, \
                                         unsigned pitch, layout_t layout) {                    \
    if (layout == mem_row_major)                                                               \
      store(reinterpret_cast<Word*>(to), details::words<Word>(from), pitch, 0);                \
    else                                                                                       \
      store(reinterpret_cast<Word*>(to), details::words<Word>(from), pitch, 1);                \
  }
// d = a b + c. The builtin takes the layouts as one number.
#define CUDALABS_PRODUCT(M, N, K, T, D, C, multiply, Word, DWord, CWord)                              \
  template <class LayoutA, class LayoutB>                                                             \
  CUDALABS_DEVICE void mma_sync(                                                                      \
      fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LayoutA>& a,         \
      const fragment<matrix_b, M, N, K, T, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c) { \
    multiply(details::words<DWord>(d), details::words<Word>(a), details::words<Word>(b),              \
             details::words<CWord>(c), details::kLayout<LayoutA> * 2 + details::kLayout<LayoutB>, 0); \
  }
#define CUDALABS_PRODUCT_OF_BYTES(M, N, K, T, multiply)                                                \
  template <class LayoutA, class LayoutB>                                                              \
  CUDALABS_DEVICE void mma_sync(fragment<accumulator, M, N, K, int>& d,                                \
                                const fragment<matrix_a, M, N, K, T, LayoutA>& a,                      \
                                const fragment<matrix_b, M, N, K, T, LayoutB>& b,                      \
                                const fragment<accumulator, M, N, K, int>& c, bool saturate = false) { \
    constexpr int kLayouts = details::kLayout<LayoutA> * 2 + details::kLayout<LayoutB>;                \
    const int *const wa = details::words<int>(a), *const wb = details::words<int>(b);                  \
    if (saturate)                                                                                      \
      multiply(d.x, wa, wb, c.x, kLayouts, 1);                                                         \
    else                                                                                               \
      multiply(d.x, wa, wb, c.x, kLayouts, 0);                                                         \
  }

#define CUDALABS_SHAPE(M, N, shape)                                                                        \
  CUDALABS_LOAD(matrix_a, M, N, 16, __half, __half, __hmma_##shape##_ld_a, int)                            \
  CUDALABS_LOAD(matrix_b, M, N, 16, __half, __half, __hmma_##shape##_ld_b, int)                            \
  CUDALABS_ACCUMULATOR(M, N, 16, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32, float)       \
  CUDALABS_ACCUMULATOR(M, N, 16, __half, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16, int)        \
  CUDALABS_PRODUCT(M, N, 16, __half, float, float, __hmma_##shape##_mma_f32f32, int, float, float)         \
  CUDALABS_PRODUCT(M, N, 16, __half, __half, __half, __hmma_##shape##_mma_f16f16, int, int, int)           \
  CUDALABS_PRODUCT(M, N, 16, __half, float, __half, __hmma_##shape##_mma_f32f16, int, float, int)          \
  CUDALABS_PRODUCT(M, N, 16, __half, __half, float, __hmma_##shape##_mma_f16f32, int, int, float)          \
  CUDALABS_LOAD(matrix_a, M, N, 16, __nv_bfloat16, __nv_bfloat16, __mma_bf16_##shape##_ld_a, int)          \
  CUDALABS_LOAD(matrix_b, M, N, 16, __nv_bfloat16, __nv_bfloat16, __mma_bf16_##shape##_ld_b, int)          \
  CUDALABS_PRODUCT(M, N, 16, __nv_bfloat16, float, float, __mma_bf16_##shape##_mma_f32, int, float, float) \
  CUDALABS_LOAD(matrix_a, M, N, 16, signed char, signed char, __imma_##shape##_ld_a_s8, int)               \
  CUDALABS_LOAD(matrix_b, M, N, 16, signed char, signed char, __imma_##shape##_ld_b_s8, int)               \
  CUDALABS_LOAD(matrix_a, M, N, 16, unsigned char, unsigned char, __imma_##shape##_ld_a_u8, int)           \
  CUDALABS_LOAD(matrix_b, M, N, 16, unsigned char, unsigned char, __imma_##shape##_ld_b_u8, int)           \
  CUDALABS_ACCUMULATOR(M, N, 16, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32, int)               \
  CUDALABS_PRODUCT_OF_BYTES(M, N, 16, signed char, __imma_##shape##_mma_s8)                                \
  CUDALABS_PRODUCT_OF_BYTES(M, N, 16, unsigned char, __imma_##shape##_mma_u8)
CUDALABS_SHAPE(16, 16, m16n16k16)
CUDALABS_SHAPE(32, 8, m32n8k16)
CUDALABS_SHAPE(8, 32, m8n32k16)
CUDALABS_LOAD(matrix_a, 16, 16, 8, precision::tf32, float, __mma_tf32_m16n16k8_ld_a, int)
CUDALABS_LOAD(matrix_b, 16, 16, 8, precision::tf32, float, __mma_tf32_m16n16k8_ld_b, int)
CUDALABS_ACCUMULATOR(16, 16, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32, float)
CUDALABS_PRODUCT(16, 16, 8, precision::tf32, float, float, __mma_tf32_m16n16k8_mma_f32, int, float, float)
CUDALABS_LOAD(matrix_a, 8, 8, 4, double, double, __dmma_m8n8k4_ld_a, double)
CUDALABS_LOAD(matrix_b, 8, 8, 4, double, double, __dmma_m8n8k4_ld_b, double)
CUDALABS_ACCUMULATOR(8, 8, 4, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64, double)
CUDALABS_PRODUCT(8, 8, 4, double, double, double, __dmma_m8n8k4_mma_f64, double, double, double)
#undef CUDALABS_SHAPE
#undef CUDALABS_LOAD
#undef CUDALABS_ACCUMULATOR
#undef CUDALABS_PRODUCT
#undef CUDALABS_PRODUCT_OF_BYTES

}  // namespace wmma
}  // namespace nvcuda
