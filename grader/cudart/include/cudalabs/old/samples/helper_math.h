#pragma once
// The operators and functions of NVIDIA's samples' helper_math.h: vectors of two to four float, int and uint.

#include <cuda_runtime.h>

#include <cmath>

typedef unsigned int uint;
typedef unsigned short ushort;

#ifndef __CUDACC__
static inline int max(int a, int b) { return a > b ? a : b; }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif

#define CUDALABS_HD static inline __host__ __device__
// F(member) for each member of a vector.
#define CUDALABS_EACH2(F) F(x), F(y)
#define CUDALABS_EACH3(F) F(x), F(y), F(z)
#define CUDALABS_EACH4(F) F(x), F(y), F(z), F(w)

#define CUDALABS_OPERATOR(T, S, n, op)                                                                     \
  CUDALABS_HD T##n operator op(T##n a, T##n b) { return make_##T##n(CUDALABS_EACH##n(CUDALABS_OF_BOTH)); } \
  CUDALABS_HD T##n operator op(T##n a, S b) { return a op make_##T##n(b); }                                \
  CUDALABS_HD T##n operator op(S a, T##n b) { return make_##T##n(a) op b; }                                \
  CUDALABS_HD void operator op##=(T##n& a, T##n b) { a = a op b; }                                         \
  CUDALABS_HD void operator op##=(T##n& a, S b) { a = a op b; }
#define CUDALABS_OPERATORS(T, S, op) \
  CUDALABS_OPERATOR(T, S, 2, op)     \
  CUDALABS_OPERATOR(T, S, 3, op)     \
  CUDALABS_OPERATOR(T, S, 4, op)

// Vectors of one number, of longer and shorter vectors, and of other types.
#define CUDALABS_MAKE_OF(T, S, n, from) \
  CUDALABS_HD T##n make_##T##n(from##n a) { return make_##T##n(CUDALABS_EACH##n(CUDALABS_AS_##T)); }
#define CUDALABS_AS_float(member) static_cast<float>(a.member)
#define CUDALABS_AS_int(member) static_cast<int>(a.member)
#define CUDALABS_AS_uint(member) static_cast<uint>(a.member)
#define CUDALABS_MAKE(T, S)                                                         \
  CUDALABS_HD T##2 make_##T##2(S s) { return make_##T##2(s, s); }                   \
  CUDALABS_HD T##3 make_##T##3(S s) { return make_##T##3(s, s, s); }                \
  CUDALABS_HD T##4 make_##T##4(S s) { return make_##T##4(s, s, s, s); }             \
  CUDALABS_HD T##2 make_##T##2(T##3 a) { return make_##T##2(a.x, a.y); }            \
  CUDALABS_HD T##2 make_##T##2(T##4 a) { return make_##T##2(a.x, a.y); }            \
  CUDALABS_HD T##3 make_##T##3(T##2 a) { return make_##T##3(a.x, a.y, S(0)); }      \
  CUDALABS_HD T##3 make_##T##3(T##2 a, S s) { return make_##T##3(a.x, a.y, s); }    \
  CUDALABS_HD T##3 make_##T##3(T##4 a) { return make_##T##3(a.x, a.y, a.z); }       \
  CUDALABS_HD T##4 make_##T##4(T##3 a) { return make_##T##4(a.x, a.y, a.z, S(0)); } \
  CUDALABS_HD T##4 make_##T##4(T##3 a, S s) { return make_##T##4(a.x, a.y, a.z, s); }
#define CUDALABS_MAKE_FROM(T, S, from) \
  CUDALABS_MAKE_OF(T, S, 2, from)      \
  CUDALABS_MAKE_OF(T, S, 3, from)      \
  CUDALABS_MAKE_OF(T, S, 4, from)

CUDALABS_MAKE(float, float)
CUDALABS_MAKE(int, int)
CUDALABS_MAKE(uint, uint)
CUDALABS_MAKE_FROM(float, float, int)
CUDALABS_MAKE_FROM(float, float, uint)
CUDALABS_MAKE_FROM(int, int, float)
CUDALABS_MAKE_FROM(int, int, uint)
CUDALABS_MAKE_FROM(uint, uint, float)
CUDALABS_MAKE_FROM(uint, uint, int)

#define CUDALABS_OF_BOTH(member) a.member + b.member
CUDALABS_OPERATORS(float, float, +)
CUDALABS_OPERATORS(int, int, +)
CUDALABS_OPERATORS(uint, uint, +)
#undef CUDALABS_OF_BOTH
#define CUDALABS_OF_BOTH(member) a.member - b.member
CUDALABS_OPERATORS(float, float, -)
CUDALABS_OPERATORS(int, int, -)
CUDALABS_OPERATORS(uint, uint, -)
#undef CUDALABS_OF_BOTH
#define CUDALABS_OF_BOTH(member) a.member* b.member
CUDALABS_OPERATORS(float, float, *)
CUDALABS_OPERATORS(int, int, *)
CUDALABS_OPERATORS(uint, uint, *)
#undef CUDALABS_OF_BOTH
#define CUDALABS_OF_BOTH(member) a.member / b.member
CUDALABS_OPERATORS(float, float, /)
CUDALABS_OPERATORS(int, int, /)
CUDALABS_OPERATORS(uint, uint, /)
#undef CUDALABS_OF_BOTH

// Functions of one to three vectors, member by member.
#define CUDALABS_FUNCTIONS(T, S, n, least, most)                                                   \
  CUDALABS_HD T##n least(T##n a, T##n b) { return make_##T##n(CUDALABS_EACH##n(CUDALABS_LEAST)); } \
  CUDALABS_HD T##n most(T##n a, T##n b) { return make_##T##n(CUDALABS_EACH##n(CUDALABS_MOST)); }   \
  CUDALABS_HD T##n clamp(T##n v, T##n a, T##n b) { return most(a, least(v, b)); }                  \
  CUDALABS_HD T##n clamp(T##n v, S a, S b) { return clamp(v, make_##T##n(a), make_##T##n(b)); }
#define CUDALABS_LEAST(member) ::fminf(a.member, b.member)
#define CUDALABS_MOST(member) ::fmaxf(a.member, b.member)
CUDALABS_FUNCTIONS(float, float, 2, fminf, fmaxf)
CUDALABS_FUNCTIONS(float, float, 3, fminf, fmaxf)
CUDALABS_FUNCTIONS(float, float, 4, fminf, fmaxf)
#undef CUDALABS_LEAST
#undef CUDALABS_MOST
#define CUDALABS_LEAST(member) (b.member < a.member ? b.member : a.member)
#define CUDALABS_MOST(member) (a.member < b.member ? b.member : a.member)
CUDALABS_FUNCTIONS(int, int, 2, min, max)
CUDALABS_FUNCTIONS(int, int, 3, min, max)
CUDALABS_FUNCTIONS(int, int, 4, min, max)
CUDALABS_FUNCTIONS(uint, uint, 2, min, max)
CUDALABS_FUNCTIONS(uint, uint, 3, min, max)
CUDALABS_FUNCTIONS(uint, uint, 4, min, max)
#undef CUDALABS_LEAST
#undef CUDALABS_MOST
#undef CUDALABS_FUNCTIONS
CUDALABS_HD float clamp(float v, float a, float b) { return ::fmaxf(a, ::fminf(v, b)); }
CUDALABS_HD int clamp(int v, int a, int b) { return v < a ? a : v > b ? b : v; }
CUDALABS_HD uint clamp(uint v, uint a, uint b) { return v < a ? a : v > b ? b : v; }

#define CUDALABS_DOT(T, S)                                                        \
  CUDALABS_HD S dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }             \
  CUDALABS_HD S dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
  CUDALABS_HD S dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
CUDALABS_DOT(float, float)
CUDALABS_DOT(int, int)
CUDALABS_DOT(uint, uint)
#undef CUDALABS_DOT

CUDALABS_HD float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
CUDALABS_HD float lerp(float a, float b, float t) { return a + t * (b - a); }
CUDALABS_HD float fracf(float v) { return v - floorf(v); }

#define CUDALABS_NEGATIVE(member) -a.member
#define CUDALABS_SIGNS(T, n) \
  CUDALABS_HD T##n operator-(const T##n& a) { return make_##T##n(CUDALABS_EACH##n(CUDALABS_NEGATIVE)); }
CUDALABS_SIGNS(float, 2)
CUDALABS_SIGNS(float, 3)
CUDALABS_SIGNS(float, 4)
CUDALABS_SIGNS(int, 2)
CUDALABS_SIGNS(int, 3)
CUDALABS_SIGNS(int, 4)
#undef CUDALABS_SIGNS
#undef CUDALABS_NEGATIVE

CUDALABS_HD float smoothstep(float a, float b, float v) {
  const float t = clamp((v - a) / (b - a), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

#define CUDALABS_REST(member) ::fmodf(a.member, b.member)
#define CUDALABS_FLOOR(member) ::floorf(v.member)
#define CUDALABS_ABSOLUTE(member) ::fabsf(v.member)
#define CUDALABS_ONLY_FLOAT(n)                                                                         \
  CUDALABS_HD float##n lerp(float##n a, float##n b, float t) { return a + t * (b - a); }               \
  CUDALABS_HD float length(float##n v) { return sqrtf(dot(v, v)); }                                    \
  CUDALABS_HD float##n normalize(float##n v) { return v * rsqrtf(dot(v, v)); }                         \
  CUDALABS_HD float##n reflect(float##n a, float##n b) { return a - 2.0f * b * dot(b, a); }            \
  CUDALABS_HD float##n floorf(float##n v) { return make_float##n(CUDALABS_EACH##n(CUDALABS_FLOOR)); }  \
  CUDALABS_HD float##n fabs(float##n v) { return make_float##n(CUDALABS_EACH##n(CUDALABS_ABSOLUTE)); } \
  CUDALABS_HD float##n fmodf(float##n a, float##n b) {                                                 \
    return make_float##n(CUDALABS_EACH##n(CUDALABS_REST));                                             \
  }                                                                                                    \
  CUDALABS_HD float##n smoothstep(float##n a, float##n b, float##n v) {                                \
    const float##n t = clamp((v - a) / (b - a), 0.0f, 1.0f);                                           \
    return t * t * (make_float##n(3.0f) - make_float##n(2.0f) * t);                                    \
  }                                                                                                    \
  CUDALABS_HD float##n fracf(float##n v) { return v - floorf(v); }
CUDALABS_ONLY_FLOAT(2)
CUDALABS_ONLY_FLOAT(3)
CUDALABS_ONLY_FLOAT(4)
#undef CUDALABS_ONLY_FLOAT
#undef CUDALABS_REST
#undef CUDALABS_FLOOR
#undef CUDALABS_ABSOLUTE

#undef CUDALABS_MAKE_FROM
#undef CUDALABS_MAKE_OF
#undef CUDALABS_MAKE
#undef CUDALABS_OPERATORS
#undef CUDALABS_OPERATOR
#undef CUDALABS_EACH2
#undef CUDALABS_EACH3
#undef CUDALABS_EACH4
#undef CUDALABS_HD
